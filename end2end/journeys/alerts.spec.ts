// Nothing waits unseen: an alert is seen, acknowledged, taken over and escalated, and whoever comes next finds it on the shift's page.
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, JONAS, signedIn } from "../setup/people.ts";

const WORKFLOW = `
[workflow]
key = "invoice-sync"
name = "Supplier invoices"
owner_team = "finance-ops"
version = "1"
manual_capacity_per_day = 40
[workflow.targets]
high = { claim = "1s", close = "1h" }
[[step]]
key = "create_invoice"
side_effect = "irreversible"
impact = "high"
sensitivity = "internal"
`;

test.beforeAll(async ({ server }) => {
  await server.applyWorkflow(WORKFLOW);
  await server.addPeople({ ...AMARA, team: "finance-ops" }, { ...JONAS, team: "finance-ops" });
});

test("alert, acknowledge, take over, escalate @no-javascript @phone", async ({ page, colleague, server }) => {
  const automation = await Automation.of(server);
  const item = await automation.report(`INV-${Date.now()}`, { business_ref: "INV-1042 · ACME Ltd" });
  await signedIn(page, AMARA);
  await signedIn(colleague, JONAS);

  await test.step("it is told that nobody has claimed it", async () => {
    await expect(async () => {
      await page.goto("/alerts");
      await expect(page.getByRole("link", { name: /not been claimed/ }).first()).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 30_000, intervals: [500] });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("link", { name: /not been claimed/ }).first().click();
    await expect(page.getByRole("main")).toContainText("INV-1042 · ACME Ltd");
    await expect(page.getByRole("main")).toContainText("Claim overdue by");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("somebody says that they know of it", async () => {
    await page.getByLabel("Note").fill("The ledger is down; they work on it");
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await expect(page.getByRole("main")).toContainText(`${AMARA.name} acknowledged it`);
    await page.goto("/alerts?tab=acknowledged");
    await expect(page.getByRole("main")).toContainText("The ledger is down");
    await expectAccessible(page);
  });

  await test.step("one claims it, the other takes it over with a reason", async () => {
    await page.goto(`${item}/claim`);
    await page.getByRole("button", { name: "Claim" }).click();
    await expect(page).toHaveURL(new RegExp(`${item}$`));
    await expect(page.getByRole("main")).toContainText(/\d+ min left/);
    await page.goto("/queue?view=open&mine=yes");
    await expect(page.getByRole("main")).toContainText("INV-1042 · ACME Ltd");
    await colleague.goto(`${item}/claim`);
    await colleague.getByLabel(/Reason to take over/).fill("Amara's shift is over");
    await colleague.getByRole("button", { name: "Claim" }).click();
    await expect(colleague).toHaveURL(new RegExp(`${item}$`));
    await expect(colleague.getByRole("main")).toContainText(JONAS.name);
    await page.goto("/notices");
    await expect(page.getByRole("main")).toContainText("took over");
  });

  await test.step("and escalates it; the chain is on the item", async () => {
    await colleague.goto(`${item}/escalate`);
    await colleague.getByLabel("Team").fill("finance-ops");
    await colleague.getByLabel("Reason").fill("The supplier stops delivering");
    // Well before the item must be closed, so that answering is what is due next, at whatever second this runs.
    await colleague.getByLabel(/Respond by/).fill(new Date(Date.now() + 1_800_000).toISOString().slice(0, 16));
    await colleague.getByRole("button", { name: /Escalate/ }).click();
    await expect(colleague).toHaveURL(new RegExp(`${item}$`));
    await islandsAwake(colleague);
    await expect(colleague.getByRole("main")).toContainText("The supplier stops delivering");
    await expect(colleague.getByRole("main")).toContainText("Response in");
    await expectAccessible(colleague);
    await page.goto(`${item}/claim`);
    await page.getByRole("button", { name: "Claim" }).click();
    await expect(page.getByRole("main")).toContainText(/claimed it/);
  });

  await test.step("whoever comes next sees how the team stands", async () => {
    await page.goto("/shift");
    await expect(page.getByRole("main")).toContainText("40 items a day");
    await expect(page.getByRole("main")).toContainText("INV-1042 · ACME Ltd");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

test("a time is typed in UTC, and stands beside it in one's own zone", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const item = await automation.report(`ZONE-${Date.now()}`);
  await signedIn(page, AMARA);
  await page.goto(`${item}/escalate`);
  await islandsAwake(page);
  await page.getByLabel(/Respond by/).fill("2027-01-15T14:50");
  await expect(page.getByRole("status")).toHaveText("= 15 Jan 2027, 15:50 UTC+1");
  await page.getByLabel(/Respond by/).fill("2027-07-15T14:50");
  await expect(page.getByRole("status")).toHaveText("= 15 Jul 2027, 16:50 UTC+2");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show UTC" }).click();
  await expect(page.getByRole("status"), "in UTC it would say the same twice").toHaveCount(0);
});
