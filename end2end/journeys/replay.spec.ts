// The main job: correct what failed, send it once, see what came of it; and an outcome nobody knew, looked up.
import type { Page } from "@playwright/test";
import { draftText, typeDraft } from "../setup/editor.ts";
import { Demonstration } from "../setup/demonstration.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../setup/journey.ts";
import { signIn } from "../setup/people.ts";

test.use({ demonstration: true });

/** Opens the queue until it shows work with this text, then opens that. */
async function openFirst(page: Page, address: string, text: string): Promise<string> {
  const row = page.getByRole("row").filter({ hasText: text }).first();
  await expect(async () => {
    await page.goto(address);
    await expect(row).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000, intervals: [500] });
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/items\//);
  return (await page.getByRole("heading", { level: 1 }).innerText()).trim();
}

test("an operator corrects a payload, replays it once, and the ledger holds it once @no-javascript @phone", async ({ page, server }) => {
  test.setTimeout(150_000);
  const demonstration = await Demonstration.of(server);
  await page.goto("/");
  await signIn(page, demonstration.account("Operator"));
  await openFirst(page, "/queue?workflow=invoice-sync&class=business_rule", "Cost centre 4190");
  const item = new URL(page.url()).pathname;
  let reference = "";

  await test.step("correct it", async () => {
    await page.getByRole("link", { name: /Correct the payload/ }).click();
    const text = await draftText(page);
    reference = /"invoice_number": "([^"]+)"/.exec(text)?.[1] ?? "";
    expect(text).toContain('"4190"');
    await typeDraft(page, text.replace('"4190"', '"4200"'));
    const reason = page.getByLabel("Reason");
    await reason.fill("Cost centre 4190 was merged into 4200");
    await reason.press("Enter");
    await expect(page.getByRole("table", { name: "What differs, place by place" })).toContainText('"4200"');
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    await expect(page).toHaveURL(new RegExp(`${item}$`));
  });

  await test.step("decide on the replay where it says what goes where", async () => {
    await page.getByRole("link", { name: /Replay revision 2/ }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Replay revision 2");
    await expect(page.getByText("/api/invoices").first()).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel("Reason").fill("The ledger knows cost centre 4200");
    await page.getByRole("button", { name: /^Send revision 2 to 127\.0\.0\.1/ }).click();
    await expect(page).toHaveURL(new RegExp(`${item}$`));
  });

  await test.step("it is closed with the ledger's record", async () => {
    await expect(async () => {
      await page.goto(item);
      await expect(page.getByRole("main")).toContainText("Replayed", { timeout: 500 });
    }).toPass({ timeout: 15_000 });
    await expect(page.getByRole("main")).toContainText(/LED-\d+/);
    await expect(page.getByText("Cost centre 4190 was merged into 4200").first()).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("the ledger holds it exactly once, as corrected", async () => {
    await page.goto(demonstration.system("Ledger"));
    const rows = page.getByRole("row").filter({ hasText: reference });
    await expect(rows).toHaveCount(1);
    await rows.getByText(/bytes/).click();
    await expect(rows).toContainText('"4200"');
  });

  await test.step("an auditor reads the correction beside its original", async () => {
    await page.goto("/");
    await page.context().clearCookies();
    await page.goto("/sign-in");
    await signIn(page, demonstration.account("Auditor"));
    await page.goto("/audit/corrections");
    await expect(page.getByRole("main")).toContainText("Cost centre 4190 was merged into 4200");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("main").locator(`a[href*="/audit/corrections/"]`).first().click();
    await expect(page.getByRole("main")).toContainText('"4190"');
    await expect(page.getByRole("main")).toContainText('"4200"');
    await expect(page.getByRole("main")).toContainText(/LED-\d+/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

test("an outcome nobody knew is looked up, found, and closed; nothing is sent @no-javascript", async ({ page, server }) => {
  test.setTimeout(120_000);
  const demonstration = await Demonstration.of(server);
  await page.goto("/");
  await signIn(page, demonstration.account("Operator"));
  await openFirst(page, "/queue?view=uncertain&q=CA-0042", "CA-0042");
  const item = new URL(page.url()).pathname;

  const panel = page.getByRole("complementary", { name: "Work on it" });
  await expect(panel).toContainText("Nobody knows whether it happened");
  await page.goto(`${item}/replay`);
  await expect(page.getByText("Nobody knows whether it happened").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send revision/ })).toHaveCount(0);

  await page.goto(item);
  const look = panel.getByRole("button", { name: "Look it up now" });
  if (!(await look.isVisible())) await panel.getByText("Look it up now").first().click();
  await look.click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
  await expect(page.getByRole("main")).toContainText("Succeeded after all");
  await expect(page.getByRole("main")).toContainText(/LED-\d+/);
  await expectAccessible(page);
  await page.goto(demonstration.system("Ledger"));
  await expect(page.getByRole("row").filter({ hasText: "CA-0042" })).toHaveCount(1);
});
