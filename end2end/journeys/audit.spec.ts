// Who did what, and what was refused.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, test } from "../setup/journey.ts";
import { AMARA, MEI, signedIn, signIn } from "../setup/people.ts";
import type { Person } from "../setup/server.ts";

test.beforeAll(async ({ server }) => server.addPeople(AMARA, MEI));

const entries = (page: Page) => page.getByRole("region", { name: "Entries" }).locator("tbody").getByRole("row");

test("an auditor finds who did what, refusals included, by addresses that can be passed on @no-javascript", async ({ page, colleague, server }) => {
  const automation = await Automation.of(server);
  const item = await automation.report("INV-1");
  const { body } = await automation.send('{"workflow":"invoice-sync"}');

  await test.step("an operator signs in at the second try and closes a report", async () => {
    await colleague.goto(`/quarantine/${body.quarantine_id}`);
    await signIn(colleague, { ...AMARA, password: "not this" });
    await colleague.getByLabel("Password").fill(AMARA.password);
    await colleague.getByRole("button", { name: "Sign in" }).click();
    await colleague.getByText("Close without accepting").click();
    await colleague.getByRole("textbox", { name: "Reason" }).fill("A test of the automation's.");
    await colleague.getByRole("button", { name: "Close it" }).click();
    await expect(colleague.getByText("Amara Okafor closed it")).toBeVisible();
  });

  await signedIn(page, MEI);
  await page.goto("/queue");
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await expect(entries(page).filter({ hasText: "reported the item" })).toContainText(["invoice-sync"]);
  await expectAccessible(page);

  await test.step("by person and action", async () => {
    await page.getByRole("searchbox").fill("Amara Okafor");
    await page.getByRole("combobox", { name: "Action" }).selectOption("closed a report in quarantine");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/person=Amara\+Okafor/);
    await expect(page).toHaveURL(/action=quarantine\.closed/);
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page)).toContainText(["A test of the automation's."]);
    await expectAccessible(page);
  });

  await test.step("a chip takes a filter away, Back brings it again", async () => {
    await page.getByRole("link", { name: "Remove filter Action" }).click();
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page)).toContainText(["closed a report in quarantine", "signed in"]);
    await page.goBack();
    await expect(entries(page)).toHaveCount(1);
  });

  await test.step("refusals", async () => {
    await page.goto("/audit");
    await page.getByRole("combobox", { name: "Outcome" }).selectOption("refused");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/outcome=refused/);
    await expect(entries(page).filter({ hasText: "was refused signing in (bad credentials)" })).toContainText([AMARA.email]);
    await expect(entries(page).filter({ hasText: "done" })).toHaveCount(0);
  });

  await test.step("one item, from its own page", async () => {
    await page.goto(item);
    await page.getByRole("link", { name: "Audit trail of this item" }).click();
    await expect(page).toHaveURL(item.replace("/items/", "/audit?item="));
    await expect(entries(page)).toContainText(["reported the item"]);
  });

  await test.step("no entries", async () => {
    await page.goto("/audit?person=nobody&to=2001-01-01");
    await expect(page.getByRole("heading", { name: "No entries" })).toBeVisible();
    await expectAccessible(page);
  });
});

test("who may not read the audit is told so, and where to go @no-javascript", async ({ page }) => {
  await signedIn(page, AMARA);
  await page.goto("/queue");
  await expect(page.getByRole("navigation", { name: "Places" }).getByRole("link")).toHaveText(["Queue", "Alerts", "Approvals", "Quarantine", "What I may do"]);
  const answer = await page.goto("/audit");
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "Not permitted" })).toBeVisible();
  await expect(page.getByText("This needs the permission audit.read (read the audit trail). Ask an admin.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "To “Queue”" }).click();
  await expect(page).toHaveURL("/queue");
});

test("what is not there, or is somebody else's, looks the same", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const kim: Person = { ...AMARA, name: "Kim", email: "kim@recourse.example", team: "elsewhere" };
  await server.addPeople(kim);
  const item = await automation.report("INV-2");
  await signedIn(page, kim);
  for (const address of [item, "/items/01a228cc-0000-7000-8000-000000000000", "/items/none", "/nowhere"]) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByText("It does not exist, or it is outside your teams.")).toBeVisible();
  }
  await expectAccessible(page);
});
