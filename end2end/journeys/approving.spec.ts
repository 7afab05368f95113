// The second pair of eyes: an operator asks, a supervisor decides in a browser of their own, and the ledger holds exactly one reversal.
import type { Page } from "@playwright/test";
import { draftText, typeDraft } from "../setup/editor.ts";
import { Demonstration } from "../setup/demonstration.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../setup/journey.ts";
import { signIn } from "../setup/people.ts";

test.use({ demonstration: true });

/** Loads a page again until it shows this. */
async function until(page: Page, address: string, shown: RegExp | string): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByRole("main")).toContainText(shown, { timeout: 500 });
  }).toPass({ timeout: 60_000, intervals: [500] });
}

test("a wrong invoice is reversed once another person has approved exactly that @no-javascript @phone", async ({ page, colleague, server }) => {
  test.setTimeout(180_000);
  const demonstration = await Demonstration.of(server);
  const supervisor = demonstration.account("Supervisor");
  await page.goto("/");
  await signIn(page, demonstration.account("Operator"));
  await colleague.goto("/approvals");
  await signIn(colleague, supervisor);
  await until(page, "/queue?workflow=invoice-sync&class=business_rule", "Cost centre 4190");
  await page.getByRole("row").filter({ hasText: "Cost centre 4190" }).first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/items\//);
  const item = new URL(page.url()).pathname;
  let approval = "";

  await test.step("an invoice is posted that turns out wrong", async () => {
    await page.goto(`${item}/correct`);
    const text = await draftText(page);
    await typeDraft(page, text.replace('"4190"', '"4200"'));
    const reason = page.getByLabel("Reason");
    await reason.fill("Cost centre 4190 was merged into 4200");
    await reason.press("Enter");
    await expect(page.getByRole("table", { name: "What differs, place by place" })).toContainText('"4200"');
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    await expect(page).toHaveURL(new RegExp(`${item}$`));
    await page.goto(`${item}/replay?revision=2`);
    await page.getByLabel("Reason").fill("The ledger knows cost centre 4200");
    await page.getByRole("button", { name: /^Send revision 2/ }).click();
    await until(page, item, /LED-\d+/);
    await page.goto(`${item}/reopen`);
    await page.getByLabel("Reason").fill("It belongs to another supplier");
    await page.getByRole("button", { name: "Reopen" }).click();
  });

  await test.step("the operator asks for its reversal", async () => {
    await page.goto(item);
    await page.getByRole("link", { name: /Ask for a compensation/ }).click();
    await expect(page.getByRole("main")).toContainText("The original entry stays");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel("reason code").selectOption("wrong-supplier");
    await page.getByRole("button", { name: "Show what would be sent" }).click();
    await expect(page.getByRole("main")).toContainText('"wrong-supplier"');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel("Reason", { exact: true }).fill("Posted to the wrong supplier");
    await page.getByRole("button", { name: "Ask for approval" }).click();
    await expect(page).toHaveURL(/\/approvals\//);
    approval = new URL(page.url()).pathname;
    await expect(page.getByRole("main")).toContainText("/api/reversals");
    await expect(page.getByRole("main")).toContainText("Withdraw your request");
    await expect(page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("nothing is sent before; the supervisor sees what would be", async () => {
    await page.goto(demonstration.system("Ledger"));
    await expect(page.getByText(/REV-\d+/)).toHaveCount(0);
    await colleague.goto("/approvals");
    await expectAccessible(colleague);
    await expectNoSidewaysScroll(colleague);
    await colleague.getByRole("main").locator(`a[href="${approval}"]`).click();
    await expect(colleague.getByRole("main")).toContainText("Posted to the wrong supplier");
    await expect(colleague.getByRole("main")).toContainText('"wrong-supplier"');
    await expectAccessible(colleague);
    await expectNoSidewaysScroll(colleague);
  });

  await test.step("the supervisor approves it", async () => {
    const form = colleague.locator('form[action$="/approve"]');
    await form.getByLabel("Reason").fill("Compared with the paper");
    await form.getByRole("button", { name: /^Approve/ }).click();
    await until(colleague, approval, "Approved");
  });

  await test.step("the ledger holds exactly one reversal, and the item says so", async () => {
    await until(page, item, "made good");
    await expect(page.getByRole("main")).toContainText("Executed");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto(demonstration.system("Ledger"));
    await expect(page.getByRole("row").filter({ hasText: /REV-\d+/ })).toHaveCount(1);
  });

  await test.step("an auditor reads who asked, who decided and what became of it", async () => {
    await page.goto("/");
    await page.context().clearCookies();
    await page.goto("/sign-in");
    await signIn(page, demonstration.account("Auditor"));
    await page.goto("/audit/approvals");
    await expect(page.getByRole("main")).toContainText("Compared with the paper");
    await expect(page.getByRole("main")).toContainText("Executed");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
