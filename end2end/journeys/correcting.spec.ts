// Correcting a payload: typed, kept, found again, in conflict with a colleague, with something hidden, field by field.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { draftText, editorReady, typeDraft } from "../setup/editor.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../setup/journey.ts";
import { AMARA, JONAS, signedIn } from "../setup/people.ts";
import type { Person } from "../setup/server.ts";

const INES: Person = { ...AMARA, email: "ines@recourse.example", name: "Ines Duarte", clearance: "internal" };
const ORDER = `{
  "order": "PO-7731", "amount": 1070468.14,
  "supplier": { "name": "L\\u00e9on & fils", "iban": "NO9386011117947" },
  "note": "شكرا — until 30.11."
}
`;
const WORKFLOW = `
[workflow]
key = "invoice-sync"
name = "Supplier invoices"
owner_team = "triage"
version = "2026-11-20"
[[step]]
key = "create_invoice"
side_effect = "irreversible"
sensitivity = "confidential"
sensitive = ["/supplier/iban"]
`;

test.beforeAll(async ({ server }) => {
  await server.addPeople(AMARA, JONAS, INES);
  await server.applyWorkflow(WORKFLOW);
});

async function reported(automation: Automation, key: string): Promise<string> {
  return automation.report(key, { step: "create_invoice", payload: { media_type: "application/json", text: ORDER } });
}

const differences = (page: Page) => page.getByRole("table", { name: "What differs, place by place" });

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Show the difference" }).click();
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(/\/items\/[^/]+$/);
}

test("what was typed is kept while one types and found again", async ({ page, server }) => {
  const item = await reported(await Automation.of(server), "kept");
  await signedIn(page, AMARA);
  await page.goto(`${item}/correct`);
  await editorReady(page);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await typeDraft(page, ORDER.replace("1070468.14", "1070486.14"));
  await expect(page.locator("#draft-state")).toContainText("Draft kept");
  await expect(differences(page)).toContainText("1070486.14");
  await expectAccessible(page);

  await test.step("the session ends while something is typed, and nothing is lost", async () => {
    await page.request.post("/sign-out", { headers: { origin: server.url } });
    await typeDraft(page, ORDER.replace("1070468.14", "1070999.14"));
    await expect(page.locator("#draft-state")).toContainText("signed out");
    await signedIn(page, AMARA);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(page.locator("#draft-state")).toContainText("Draft kept");
  });

  await page.goto(item);
  await page.goto(`${item}/correct`);
  await expect(page.getByText("This is your draft")).toBeVisible();
  expect(await draftText(page)).toContain("1070999.14");
  await page.getByLabel("Reason").fill("Digits were swapped");
  await save(page);
  await expect(page.getByText("Digits were swapped").first()).toBeVisible();
});

test("an operator corrects a payload as text and field by field @no-javascript @phone", async ({ page, server }) => {
  const item = await reported(await Automation.of(server), `text ${test.info().project.name}`);
  await signedIn(page, AMARA);
  await page.goto(`${item}/correct`);
  await typeDraft(page, ORDER.replace("1070468.14", "1070486.14"));
  await page.getByLabel("Reason").fill("Digits were swapped");
  await page.getByRole("button", { name: "Show the difference" }).click();
  await expect(differences(page)).toContainText("/amount");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));

  await page.goto(`${item}/correct`);
  await page.getByRole("link", { name: "Field by field" }).click();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel("/supplier/name").fill("Léon et fils");
  await page.getByLabel("Reason").fill("Their name has changed");
  await page.getByRole("button", { name: "Show the difference" }).click();
  await expect(differences(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
  await expect(page.getByText("Their name has changed").first()).toBeVisible();
});

test("the second of two editors is shown both changes and loses nothing", async ({ page, colleague, server }) => {
  const item = await reported(await Automation.of(server), "both");
  await signedIn(page, AMARA);
  await signedIn(colleague, JONAS);
  await page.goto(`${item}/correct`);
  await typeDraft(page, ORDER.replace("1070468.14", "5"));
  await expect(page.locator("#draft-state")).toContainText("Draft kept");

  await colleague.goto(`${item}/correct`);
  await expect(colleague.getByText("Somebody else is correcting this item")).toBeVisible();
  await typeDraft(colleague, ORDER.replace("PO-7731", "PO-7732"));
  await colleague.getByLabel("Reason").fill("The order's number");
  await save(colleague);
  await colleague.getByRole("button", { name: "Release" }).click();

  await page.getByLabel("Reason").fill("The amount");
  await page.getByRole("button", { name: "Show the difference" }).click();
  await expect(page.getByRole("heading", { name: "Revision 2 was made meanwhile" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Go on from revision 2 with both" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Correct revision 2");
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
  const payload = page.getByRole("group", { name: "Payload" });
  await expect(payload).toContainText("PO-7732");
  await expect(payload).toContainText('"amount": 5');
});

test("whoever may not see a value corrects the others @no-javascript", async ({ page, server }) => {
  const item = await reported(await Automation.of(server), `hidden ${test.info().project.name}`);
  await signedIn(page, INES);
  await page.goto(item);
  await expect(page.getByRole("group", { name: "Payload" })).toContainText("•••• hidden");
  await page.goto(`${item}/correct`);
  expect(await page.content()).not.toContain("NO9386011117947");
  const text = await draftText(page);
  await typeDraft(page, text.replace("1070468.14", "1070486.14"));
  await page.getByLabel("Reason").fill("Digits were swapped");
  await page.getByRole("button", { name: "Show the difference" }).click();
  await expect(differences(page)).toContainText("1070486.14");
  expect(await page.content()).not.toContain("NO9386011117947");
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
});

test("single values and a chosen file are drafts, too @no-javascript", async ({ page, server }) => {
  const item = await reported(await Automation.of(server), `by value ${test.info().project.name}`);
  const hasScripts = test.info().project.use.javaScriptEnabled ?? true;
  await signedIn(page, AMARA);
  await page.goto(`${item}/correct`);
  await page.getByRole("link", { name: "Field by field" }).click();

  await test.step("what is typed in one field is kept", async () => {
    if (hasScripts) await expect(page.locator("form[data-values]")).toHaveAttribute("data-values", "ready");
    await page.getByLabel("/supplier/name").fill("Léon et fils");
    await page.getByLabel("Reason").fill("Their name has changed");
    if (hasScripts) await expect(page.locator("#draft-state")).toContainText("Draft kept");
    else await page.getByRole("button", { name: "Show the difference" }).click();
    await expect(differences(page)).toContainText("Léon et fils");
    await expectAccessible(page);
    await page.goto(`${item}/correct?view=fields`);
    await expect(page.getByText("This is your draft")).toBeVisible();
    await expect(page.getByLabel("/supplier/name")).toHaveValue("Léon et fils");
  });

  await test.step("and stands in the text, too", async () => {
    await page.getByRole("link", { name: "As text" }).click();
    expect(await draftText(page)).toContain("Léon et fils");
  });

  await test.step("a file that is chosen takes its place, and is saved without being chosen again", async () => {
    const buffer = Buffer.from(ORDER.replace("1070468.14", "7"));
    await page.getByLabel("Corrected file").setInputFiles({ name: "order.json", mimeType: "application/json", buffer });
    await page.getByRole("button", { name: "Show the difference" }).click();
    await expect(page.getByText(/Your draft is a file of \d+ bytes/)).toBeVisible();
    await expect(differences(page)).toContainText("/amount");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto(`${item}/correct`);
    await page.getByRole("button", { name: "Save as a new revision" }).click();
    await expect(page).toHaveURL(new RegExp(`${item}$`));
    await expect(page.getByRole("group", { name: "Payload" })).toContainText('"amount": 7');
  });
});

test("a correction of what happened in part says that it does the rest", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const payload = { media_type: "application/json", text: ORDER };
  const item = await automation.report("in part", { step: "create_invoice", payload, effect: { status: "partial" } });
  await signedIn(page, AMARA);
  await page.goto(`${item}/correct`);
  await typeDraft(page, ORDER.replace("1070468.14", "150.00"));
  await page.getByLabel("Reason").fill("Only line 2 is missing");
  await page.getByRole("button", { name: "Show the difference" }).click();
  await page.getByLabel("It does only the rest of what happened in part").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save as a new revision" }).click();
  await expect(page).toHaveURL(new RegExp(`${item}$`));
  await expect(page.getByText("does only the rest of what happened in part")).toBeVisible();
});
