// Without a mouse, and in the reader's own time.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, signedIn } from "../setup/people.ts";

test.beforeAll(async ({ server }) => server.addPeople(AMARA));
test.beforeEach(async ({ page }) => signedIn(page, AMARA));

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await islandsAwake(page);
}

test("moving in the queue, opening, searching and coming back by keys alone", async ({ page, server }) => {
  const automation = await Automation.of(server, "moving");
  for (const key of ["one", "two", "three"]) await automation.report(key);
  await open(page, "/queue?workflow=moving");
  const row = (name: string) => page.locator("a.open", { hasText: name });

  for (const [key, expected] of [["j", "one"], ["j", "two"], ["j", "three"], ["j", "three"], ["k", "two"]] as const) {
    await page.keyboard.press(key);
    await expect(row(expected)).toBeFocused();
  }
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("two");
  await islandsAwake(page);

  await page.keyboard.press("g");
  await page.keyboard.press("q");
  await expect(page).toHaveURL("/queue");
  await islandsAwake(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("jog?");
  await expect(page.getByRole("searchbox"), "keys are letters while one types").toHaveValue("jog?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(row("one")).toBeFocused();
});

test("the list of keys opens by its key and closes again", async ({ page }) => {
  await open(page, "/queue");
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await expect(dialog).toBeVisible();
  const listed = { "next row": ["j"], "row before": ["k"], "open the row": ["Enter", "o"], search: ["/"], "go to Queue": ["g", "q"] };
  for (const [does, keys] of Object.entries(listed)) {
    const entry = dialog.locator("dl > div").filter({ has: page.getByText(does, { exact: true }) });
    await expect(entry.locator("kbd")).toHaveText(keys);
  }
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});

/** What the Tab key reaches, in order, and whether each shows that it has the focus. */
async function tabThrough(page: Page): Promise<{ reached: string[]; unseen: string[] }> {
  const reached: string[] = [];
  const unseen: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const box = element.getBoundingClientRect();
      // A row's link is drawn around its whole cell.
      const ring = [undefined, "::after"].some((part) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
        return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
      });
      return { name: element.getAttribute("data-tab") ?? element.outerHTML, seen: ring && box.width > 1 && box.height > 1, html: element.outerHTML.slice(0, 120) };
    });
    if (!at || reached.includes(at.name)) return { reached, unseen };
    reached.push(at.name);
    if (!at.seen) unseen.push(at.html);
  }
}

test("everything can be reached by Tab and shows its focus", async ({ page, server }) => {
  const automation = await Automation.of(server, "tabs");
  const item = await automation.report("tabs", {
    failure: { message: "No answer", detail: "at line 1" },
    effect: { status: "uncertain" },
    evidence: [{ label: "the log", url: "https://logs.example/1" }],
  });
  const { body } = await automation.send("no report");
  for (const address of ["/queue?workflow=tabs", item, `/quarantine/${body.quarantine_id}`, "/me"]) {
    await test.step(address, async () => {
      await open(page, address);
      const expected = await page.evaluate(() => {
        const can = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
        const elements = [...document.querySelectorAll<HTMLElement>(can)].filter((element) => element.checkVisibility());
        elements.forEach((element, at) => element.setAttribute("data-tab", String(at)));
        return elements.map((element) => element.getAttribute("data-tab") ?? "");
      });
      const { reached, unseen } = await tabThrough(page);
      expect(unseen, "what has the focus and does not show it").toEqual([]);
      expect(reached, "what Tab reaches, in the order of the page").toEqual(expected);
    });
  }
});

for (const { zone, named, summer, winter } of [
  { zone: "Asia/Kathmandu", named: /^Times are in Asia\/Kath?mandu\.$/, summer: "1 Jul 2026, 15:45:00 UTC+5:45", winter: "16 Jan 2026, 04:45:00 UTC+5:45" },
  { zone: "America/St_Johns", named: /^Times are in America\/St_Johns\.$/, summer: "1 Jul 2026, 07:30:00 UTC−2:30", winter: "15 Jan 2026, 19:30:00 UTC−3:30" },
]) {
  test.describe(zone, () => {
    test.use({ timezoneId: zone });

    test(`times are ${zone}'s, and UTC is at hand`, async ({ page, server }) => {
      const automation = await Automation.of(server);
      const item = await automation.report(zone, {
        occurred_at: "2026-07-01T10:00:00Z",
        attempts: [{ number: 1, started_at: "2026-01-16T00:00:00+01:00", finished_at: "2026-01-16T00:00:10+01:00", outcome: "uncertain", message: "No answer" }],
      });
      await open(page, item);
      await expect(page.getByText(named)).toBeVisible();
      const happened = page.locator("time[datetime='2026-07-01T10:00:00.000Z']");
      const began = page.getByRole("table", { name: "Attempts" }).locator("time[datetime='2026-01-15T23:00:00.000Z']").first();
      await expect(happened).toHaveText(summer);
      await expect(began).toHaveText(winter);
      await expect(happened).toHaveAttribute("title", "1 Jul 2026, 10:00:00 UTC");
      await expectAccessible(page);

      await page.getByRole("button", { name: "Show UTC" }).press("Enter");
      await expect(happened).toHaveText("1 Jul 2026, 10:00:00 UTC");
      await expect(page.getByText("Times are in UTC.")).toBeVisible();
      await open(page, "/queue");
      await expect(page.getByText("Times are in UTC."), "it stays so").toBeVisible();
      await page.getByRole("button", { name: "Show local times" }).click();
      await expect(page.getByText(named)).toBeVisible();
    });
  });
}
