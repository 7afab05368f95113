// Text from failing systems: it is shown as text, nothing in it runs, and the page stays in shape on a phone.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, signedIn } from "../setup/people.ts";

const RUNS = "window.ran=1";
const SCRIPT = `<script>${RUNS}</script><img src=x onerror=${RUNS}>`;
const PHONES = [390, 360];

// A trace records every element at every step, which takes a browser long on pages of this size.
test.use({ trace: "off" });

test.beforeAll(async ({ server }) => server.addPeople(AMARA));
test.beforeEach(async ({ page }) => signedIn(page, AMARA));

const payload = (page: Page) => page.getByRole("group", { name: "Payload" });
const lines = (page: Page) => payload(page).locator("> span");
const markers = (page: Page) => payload(page).locator(".codepoint");

/** Opens a page at its address; nothing that came from outside is part of it but as text. */
async function look(page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(200);
  await islandsAwake(page);
  const strange = await page.evaluate(() => ({
    ran: "ran" in window,
    elements: document.querySelectorAll("main :is(script, img, iframe, style, object, h1 h1), [onerror], [onload], [href^='javascript:' i]").length,
    headings: document.querySelectorAll("h1").length,
  }));
  expect(strange).toEqual({ ran: false, elements: 0, headings: 1 });
  await expectInShape(page);
}

async function expectInShape(page: Page): Promise<void> {
  const before = page.viewportSize();
  await expectNoSidewaysScroll(page);
  for (const width of PHONES) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  if (before) await page.setViewportSize(before);
}

test("a script in a payload is text", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const item = await automation.report("script", {
    payload: { json: { name: SCRIPT, [SCRIPT]: `javascript:${RUNS}`, end: "</span></pre></main><!-- ", entity: "&lt;b&gt;" } },
    failure: { message: `The server said ${SCRIPT}`, detail: `<style>*{display:none}</style>${SCRIPT}` },
    evidence: [{ label: SCRIPT, text: SCRIPT }],
    customer_impact: SCRIPT,
    proposed_action: { action: SCRIPT, reason: SCRIPT },
    attempts: [{ number: 1, started_at: "2026-11-01T10:00:00Z", outcome: "failed", message: SCRIPT, record_id: SCRIPT }],
    steps: [{ name: SCRIPT, status: "confirmed", external_id: SCRIPT }],
  });
  await look(page, "/queue?q=script");
  await expect(page.getByRole("row", { name: "script" })).toContainText(`The server said ${SCRIPT}`);
  await look(page, item);
  await expect(payload(page)).toContainText(`"name": "${SCRIPT}"`);
  await expect(payload(page)).toContainText('"entity": "&lt;b&gt;"');
  await expect(page.getByRole("region", { name: "What went wrong" })).toContainText(`The server said ${SCRIPT}`);
  await expectAccessible(page);
  await look(page, `${item}?view=raw`);
  await expect(payload(page)).toContainText(`"end":"</span></pre></main><!-- "`);

  const download = await page.request.get(`${item}/revisions/1/payload`);
  expect(download.headers()).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": expect.stringMatching(/^attachment;/),
    "x-content-type-options": "nosniff",
  });
});

test("markup in references stays in its place, in the title as well", async ({ page, server }) => {
  const reference = `"><h1>x</h1></title>${SCRIPT}`;
  const automation = await Automation.of(server);
  const item = await automation.report(`key ${reference}`, {
    business_ref: reference,
    correlation_id: reference,
    effect: { status: "partial", system: reference, record_id: reference, evidence: reference },
    affected: [{ system: reference, kind: reference, id: reference, state: reference }],
  });
  await look(page, `/queue?${new URLSearchParams({ q: reference })}`);
  await expect(page.getByRole("searchbox")).toHaveValue(reference);
  await expect(page.getByRole("link", { name: `Remove filter Search: ${reference}` })).toBeVisible();
  await look(page, item);
  await expect(page).toHaveTitle(`${reference} · Recourse`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(reference);
  await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toContainText(`holds a part of this: ${reference}`);
  await expectAccessible(page);
});

test("a report that is markup stays text in quarantine", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const sent = `{"</title></textarea>${SCRIPT}<h1>":1}`;
  const { body } = await automation.send(sent);
  await look(page, "/quarantine");
  await look(page, `/quarantine/${body.quarantine_id}`);
  await expect(page.getByRole("group", { name: "The report as it arrived" })).toHaveText(sent);
  await expect(page.getByLabel("The report", { exact: true })).toHaveValue(sent);
  await expectAccessible(page);
});

test("text that runs from right to left does not turn what stands around it", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const reference = "חשבונית 1042 ג׳";
  const item = await automation.report("rtl", { business_ref: reference, failure: { message: "السيرفر لم يرد خلال 10 ثوان!" } });
  await look(page, "/queue?q=1042");
  await expect(page.getByRole("row", { name: reference })).toBeVisible();
  await look(page, item);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading.locator("bdi").first()).toHaveText(reference);
  const [name, rest] = await Promise.all([heading.locator("bdi").first().boundingBox(), heading.locator(".subject").boundingBox()]);
  expect(rest?.x, "the step's name stands after the item's").toBeGreaterThan(name?.x ?? Infinity);
  await expectAccessible(page);
});

test("characters that hide or turn the text are marked", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const json = '{"pay to":"\u202emoc.elpmaxe\u202c","iban\u200b":"NO93\u00a08601","zero":"a\u2060b\ufeffc\u00add"}';
  const item = await automation.reportBytes("hidden", "application/json", Buffer.from(json));
  const seen = ["U+202E", "U+202C", "U+200B", "NBSP", "U+2060", "BOM", "U+00AD"];
  await look(page, item);
  await expect(markers(page)).toHaveText(seen);
  await expectAccessible(page);
  await look(page, `${item}?view=raw`);
  await expect(markers(page)).toHaveText(seen);

  const crlf = await automation.reportBytes("crlf", "text/csv", Buffer.from("\ufeffa;b\r\n1;\x1b[31m2\r\n"));
  await look(page, crlf);
  await expect(lines(page)).toHaveText(["BOMa;bCR", "1;ESC[31m2CR"]);
});

test("an error of one line and a megabyte is cut, and unfolds", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const message = `Traceback ${"x".repeat(1_000_000)} end`;
  const item = await automation.report("megabyte", { failure: { message }, attempts: [{ number: 1, started_at: "2026-11-01T10:00:00Z", outcome: "failed", message }] });
  await look(page, "/queue?q=megabyte");
  expect((await page.content()).length).toBeLessThan(300_000);
  await look(page, item);
  const failure = page.getByRole("region", { name: "What went wrong" });
  await expect(failure.getByText(/^Traceback x+…$/)).toBeVisible();
  await failure.getByText("Show all 1,000,014 characters").click();
  await expect(failure.getByText(/x end$/)).toBeVisible();
  await expectInShape(page);
});

test("a payload of 300 kB is shown as far as a page can bear, and is whole as a file", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const prices = Array.from({ length: 4_000 }, (_, at) => ({ line: at + 1, sku: `A-${at}`, remark: "Nägel ø 3 mm, verzinkt 🔩" }));
  const item = await automation.report("prices", { payload: { json: { prices } } });
  await look(page, item);
  await expect(page.getByText("This view is shortened")).toBeVisible();
  await expect(lines(page).nth(1)).toHaveText('  "prices": [');
  expect(await lines(page).count()).toBeGreaterThan(5_000);
  const whole = await page.request.get(`${item}/revisions/1/payload`);
  expect(await whole.json()).toEqual({ prices });
});

test("a payload nested five hundred deep is laid out", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const deep = `${'{"a":['.repeat(250)}"the middle"${"]}".repeat(250)}`;
  const item = await automation.reportBytes("deep", "application/json", Buffer.from(deep));
  await look(page, item);
  await expect(payload(page)).toContainText('"the middle"');
  await expect(lines(page)).toHaveCount(1001);
  await look(page, `${item}?view=raw`);
  await expect(lines(page)).toHaveText([deep]);
});

const BYTES: { what: string; media: string; bytes: Uint8Array<ArrayBuffer>; shown: (string | RegExp)[] | string }[] = [
  { what: "no bytes at all", media: "application/octet-stream", bytes: Buffer.alloc(0), shown: "0 bytes. That is kept as it is." },
  { what: "an image", media: "image/png", bytes: Buffer.from("89504e470d0a1a0a00", "hex"), shown: [/^000000 {2}89 50 4e 47 0d 0a 1a 0a 00 .*·PNG·····$/] },
  { what: "invalid UTF-8", media: "application/json", bytes: Buffer.from('{"name":"Bj\xf8rk"}', "latin1"), shown: [/^000000 {2}7b .* {"name":"Bj·rk"}$/] },
  { what: "half a JSON", media: "application/json", bytes: Buffer.from('{"amount": 40.00,\n'), shown: ['{"amount": 40.00,'] },
  { what: "a NUL in text", media: "text/plain", bytes: Buffer.from("a\0b"), shown: [/^000000 {2}61 00 62 .*a·b$/] },
  { what: "numbers no browser can hold", media: "application/json", bytes: Buffer.from('[1.10,9007199254740993,1e400,-0]'), shown: ["[", "  1.10,", "  9007199254740993,", "  1e400,", "  -0", "]"] },
];

test("bytes of every kind are shown for what they are", async ({ page, server }) => {
  const automation = await Automation.of(server);
  for (const { what, media, bytes, shown } of BYTES) {
    await test.step(what, async () => {
      const item = await automation.reportBytes(what, media, bytes);
      await look(page, item);
      if (typeof shown === "string") await expect(page.getByRole("region", { name: "Payload" })).toContainText(shown);
      else await expect(lines(page)).toHaveText(shown);
      const whole = await page.request.get(`${item}/revisions/1/payload`);
      expect(await whole.body()).toEqual(Buffer.from(bytes));
    });
  }
  await expectAccessible(page);
});
