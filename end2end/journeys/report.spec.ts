// From an automation's report to the queue that people narrow and page through.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, signedIn } from "../setup/people.ts";

test.beforeAll(async ({ server }) => server.addPeople(AMARA));
test.beforeEach(async ({ page }) => signedIn(page, AMARA));

const rows = (page: Page) => page.locator("a.open");
const chips = (page: Page) => page.getByRole("list", { name: "Filters in use" }).getByRole("link", { name: "Remove filter" });

test("before the first report the queue says how to send one, and that works @no-javascript", async ({ page, server }) => {
  await page.goto("/queue");
  await expect(page.getByRole("heading", { name: "Nothing waits" })).toBeVisible();
  await expectAccessible(page);

  const example = await page.getByRole("group", { name: "How to send an item" }).innerText();
  expect(example).toContain(`curl ${server.url}/api/v1/items`);
  const report = example.match(/-d '([^']*)'/)?.[1] ?? "";
  const automation = await Automation.of(server);
  expect(await automation.send(report)).toMatchObject({ status: 201 });
  await page.reload();
  await expect(page.getByRole("row", { name: "INV-1042" })).toContainText("The ledger did not answer");
});

test("an automation's reports appear in their lanes", async ({ page, server }) => {
  const automation = await Automation.of(server, "lanes");
  await automation.report("lost", { effect: { status: "none" } });
  await automation.report("drafted", { lane: "needs_review", effect: { status: "none" } });
  await automation.report("doubtful", { effect: { status: "uncertain", system: "ledger" } });
  await automation.report("known", { business_ref: "INV-7 · Acme", effect: { status: "confirmed", record_id: "LED-7" } });

  const expected: Record<string, string[]> = {
    "Dead letter": ["lost", "doubtful", "INV-7 · Acme"],
    "Needs review": ["drafted"],
    Uncertain: ["doubtful"],
    "All open": ["lost", "drafted", "doubtful", "INV-7 · Acme"],
    Closed: [],
  };
  await page.goto("/queue?workflow=lanes");
  for (const [view, items] of Object.entries(expected)) {
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Queue: ${view.toLowerCase()}`);
    await expect(rows(page), view).toHaveText(items);
  }
});

test("news is offered and moves nothing until it is asked for", async ({ page, server }) => {
  const automation = await Automation.of(server, "news");
  await automation.report("first");
  await automation.report("second");
  await page.clock.install();
  await page.goto("/queue?workflow=news");
  await islandsAwake(page);
  await automation.report("third");

  const offer = page.getByRole("status").getByRole("link", { name: "1 new — show" });
  await expect(offer).toBeHidden();
  await page.clock.fastForward("00:16");
  await expect(offer).toBeVisible();
  await expect(rows(page)).toHaveText(["first", "second"]);
  await expectAccessible(page);
  await offer.click();
  await expect(page).toHaveURL("/queue?workflow=news&sort=newest");
  await expect(rows(page)).toHaveText(["third", "second", "first"]);
});

test("filters live in the address, chips take them away, and Back returns @no-javascript", async ({ page, server }) => {
  const automation = await Automation.of(server, "filters");
  const message = (failure: object) => ({ failure: { class: "timeout", message: "No answer", ...failure } });
  await automation.report("wanted", message({ message: "100% of _retries_ failed" }));
  await automation.report("other step", { step: "notify", ...message({}) });
  await automation.report("other class", message({ class: "validation" }));

  await page.goto("/queue");
  await page.getByLabel("Workflow").selectOption("filters");
  await page.getByLabel("Step").selectOption("create_invoice");
  await page.getByLabel("Class").selectOption("No answer in time");
  await page.getByRole("searchbox").fill("100% of _");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\/queue\?q=100%25\+of\+_&workflow=filters&step=create_invoice&class=timeout&due=$/);
  await expect(chips(page)).toHaveText(["Search: 100% of _", "Workflow: filters", "Step: create_invoice", "Class: No answer in time"]);
  await expect(rows(page)).toHaveText(["wanted"]);
  await expectAccessible(page);

  for (const [filter, left] of [
    ["Search: 100% of _", ["wanted"]],
    ["Class: No answer in time", ["wanted", "other class"]],
    ["Step: create_invoice", ["wanted", "other step", "other class"]],
  ] satisfies [string, string[]][]) {
    await page.getByRole("link", { name: `Remove filter ${filter}` }).click();
    await expect(chips(page).filter({ hasText: filter })).toHaveCount(0);
    await expect(rows(page)).toHaveText(left);
  }
  await expect(page).toHaveURL("/queue?workflow=filters");

  await page.goBack();
  await expect(page).toHaveURL(/step=create_invoice/);
  await expect(rows(page)).toHaveText(["wanted", "other class"]);
  await expect(page.getByRole("combobox", { name: "Step" })).toHaveValue("create_invoice");
  await page.reload();
  await expect(rows(page)).toHaveText(["wanted", "other class"]);
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/queue");
});

test("paging through 120 items shows each once, either way round", async ({ page, server }) => {
  const keys = Array.from({ length: 120 }, (_, at) => `work-${at + 1}`);
  const automation = await Automation.of(server, "paging");
  await automation.reportAll(keys);

  for (const [sort, further, expected] of [["oldest", "Newer", keys], ["newest", "Older", [...keys].reverse()]] as const) {
    await page.goto(`/queue?workflow=paging&sort=${sort}`);
    await expect(page.getByText("120 items")).toBeVisible();
    const seen = await rows(page).allTextContents();
    const next = page.getByRole("link", { name: further });
    while (await next.isVisible()) {
      const address = (await next.getAttribute("href")) ?? "";
      await next.click();
      await page.waitForURL(address);
      seen.push(...(await rows(page).allTextContents()));
    }
    expect(seen).toEqual(expected);
  }
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(page).toHaveURL("/queue?workflow=paging&sort=newest");
});

test("where nothing matches, the way back is offered @no-javascript", async ({ page, server }) => {
  const automation = await Automation.of(server);
  await automation.report("here");
  await page.goto("/queue?q=nowhere&class=quota&sort=newest");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expect(page.getByText("This part of the address means nothing here and was left out: class “quota”.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL("/queue?sort=newest");
  await expect(page.getByRole("row", { name: "here" })).toBeVisible();
});
