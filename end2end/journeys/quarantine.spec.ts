// Reports that can't be understood: kept as they came, read, corrected and accepted, or closed with a reason.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, test } from "../setup/journey.ts";
import { AMARA, JONAS, signedIn } from "../setup/people.ts";

const REPORT = {
  workflow: "invoice-sync",
  step: "create_invoice",
  dedupe_key: "INV-1",
  failure: { message: "The ledger did not answer" },
  payload: { json: { amount: 40 } },
};

test.beforeAll(async ({ server }) => server.addPeople(AMARA, JONAS));
test.beforeEach(async ({ page }) => signedIn(page, AMARA));

/** Sends a report that is refused, and returns the address of the page in quarantine. */
async function refused(automation: Automation, content: string): Promise<string> {
  const { status, body } = await automation.send(content);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.quarantine_id).toBeTruthy();
  return `/quarantine/${body.quarantine_id}`;
}

const correction = (page: Page) => page.getByRole("group").filter({ has: page.getByText("Correct and accept") });

test("a report with a wrong field is read, corrected and accepted @no-javascript", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const sent = `{"dedupe_key":"INV-1",\n "workflow":"invoice-sync", "step":"create_invoice", "amuont":40.00,\n "failure":{"message":"<b>No</b> answer"},"payload":{"json":{"amount":40.00}}}`;
  await refused(automation, sent);

  await page.goto("/queue");
  await page.getByRole("link", { name: "In quarantine 1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quarantine");
  await expectAccessible(page);
  await page.getByRole("link", { name: "amuont" }).click();

  await test.step("why, and exactly what was sent", async () => {
    await expect(page.locator(".notice").filter({ hasText: "Why it was refused" })).toContainText("/amuont");
    await expect(page.getByRole("group", { name: "The report as it arrived" }).locator("> span")).toHaveText(sent.split("\n"));
    await expectAccessible(page);
  });

  await test.step("correct it", async () => {
    const form = correction(page);
    await expect(form.getByLabel("The report")).toHaveValue(sent);
    await form.getByLabel("The report").fill(sent.replace(' "amuont":40.00,', ""));
    await form.getByLabel("Reason").fill("A field with a typing mistake; the amount is in the payload.");
    await form.getByRole("button", { name: "Accept it as corrected" }).click();
  });

  await test.step("it is an item now, made by the automation", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toContainText("INV-1");
    await expect(page.getByRole("region", { name: "Payload" })).toContainText("Made byinvoice-sync");
    await expect(page.getByRole("region", { name: "History" })).toContainText("Amara Okafor accepted a report from quarantine");
    await page.getByRole("link", { name: "Raw" }).click();
    await expect(page.getByRole("group", { name: "Payload" })).toHaveText('{"amount":40.00}');
  });

  await page.goto("/quarantine?view=done");
  await expect(page.getByRole("row", { name: "amuont" })).toContainText("accepted by Amara Okafor");
});

test("what is no report at all is closed with a reason", async ({ page, server }) => {
  const automation = await Automation.of(server);
  await page.goto(await refused(automation, '{"workflow": "invoice-sync", "step"'));
  await expect(page.getByRole("group", { name: "The report as it arrived" })).toHaveText('{"workflow": "invoice-sync", "step"');
  await page.getByText("Close without accepting").click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Cut off on its way; the automation sent it again.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close it" }).click();

  const decided = page.locator(".notice").filter({ hasText: "Amara Okafor closed it" });
  await expect(decided).toContainText("Cut off on its way; the automation sent it again.");
  await expect(page.getByRole("button", { name: "Close it" })).toHaveCount(0);
  await expectAccessible(page);
});

test("a reason is required, and everything typed is still there", async ({ page, server }) => {
  const automation = await Automation.of(server);
  await page.goto(await refused(automation, JSON.stringify({ ...REPORT, dedupe_key: "", lane: "nowhere" })));

  await test.step("of a correction", async () => {
    const form = correction(page);
    const typed = `\n${JSON.stringify({ ...REPORT, dedupe_key: "INV-2", note: "</textarea><i>&amp;" }, null, 2)}`;
    await form.getByLabel("The report").fill(typed);
    await form.getByRole("button", { name: "Accept it as corrected" }).click();
    await expect(form.getByLabel("Reason"), "the browser asks for it").toBeFocused();
    await form.getByLabel("Reason").fill("  ");
    await form.getByRole("button", { name: "Accept it as corrected" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(form.getByLabel("Reason")).toHaveAccessibleDescription(/.+/);
    await expect(form.getByLabel("The report")).toHaveValue(typed);
    await expectAccessible(page);
  });

  await test.step("of taking the bytes as a payload", async () => {
    await page.getByText("Take the bytes as a payload").click();
    const form = page.getByRole("group").filter({ has: page.getByText("Take the bytes as a payload") });
    const typed = { Workflow: "invoice-sync", Step: "create_invoice", Key: "INV-3", "What went wrong": "No answer", Reason: " " };
    for (const [field, text] of Object.entries(typed)) await form.getByLabel(field, { exact: true }).fill(text);
    await form.getByLabel("Lane").selectOption("Needs review");
    await form.getByLabel("The side effect").selectOption("partly happened");
    await form.getByRole("button", { name: "Accept it as a payload" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    for (const [field, text] of Object.entries(typed)) await expect(form.getByLabel(field, { exact: true })).toHaveValue(text);
    await expect(form.getByLabel("Lane")).toHaveValue("needs_review");
    await expect(form.getByLabel("The side effect")).toHaveValue("partial");
    await form.getByLabel("Reason").fill("The ledger booked half of it.");
    await form.getByRole("button", { name: "Accept it as a payload" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("INV-3");
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText("The other system holds a part of this.");
  });
});

test("who was slower is told who was quicker, and why", async ({ page, colleague, server }) => {
  const automation = await Automation.of(server);
  const address = await refused(automation, JSON.stringify({ ...REPORT, dedupe_key: "INV-4", lane: "nowhere" }));
  await page.goto(address);
  await signedIn(colleague, JONAS);
  await colleague.goto(address);
  await colleague.getByText("Close without accepting").click();
  await colleague.getByRole("textbox", { name: "Reason" }).fill("A test of the supplier's.");
  await colleague.getByRole("button", { name: "Close it" }).click();
  await expect(colleague.getByText("Jonas Lindqvist closed it")).toBeVisible();

  const typed = JSON.stringify({ ...REPORT, dedupe_key: "INV-4" });
  await correction(page).getByLabel("The report").fill(typed);
  await correction(page).getByLabel("Reason").fill("The lane was misspelt.");
  await page.getByRole("button", { name: "Accept it as corrected" }).click();
  await expect(page.getByRole("alert")).toContainText("Jonas Lindqvist already dealt with this report at");
  await expect(page.getByText("A test of the supplier's.")).toBeVisible();
  await expectAccessible(page);
});
