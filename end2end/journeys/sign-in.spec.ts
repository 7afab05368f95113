// Coming in, being sent out, and losing nothing on the way.
import type { Page } from "@playwright/test";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, JONAS, signedIn, signIn } from "../setup/people.ts";

test.beforeAll(async ({ server }) => server.addPeople(AMARA, JONAS));

async function ownMenu(page: Page, name: string) {
  await page.getByRole("button", { name: `${name}: account` }).click();
}

test("a wrong password keeps the address; the right one leads to the page that was asked for @no-javascript", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const item = await automation.report("INV-1");
  const asked = `${item}?view=raw`;
  await page.goto(asked);
  await expect(page).toHaveTitle("Sign in · Recourse");
  await expectAccessible(page);

  await signIn(page, { ...AMARA, password: "not this" });
  await expect(page.getByRole("alert")).toHaveText("Sign-in refusedE-mail or password is wrong, or the account can't sign in.");
  await expect(page.getByLabel("E-mail")).toHaveValue(AMARA.email);
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expectAccessible(page);

  await page.getByLabel("Password").fill(AMARA.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(asked);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("INV-1");
});

test("an address elsewhere is not followed after signing in", async ({ page }) => {
  for (const next of ["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example"]) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, AMARA);
    await expect(page).toHaveURL("/queue");
  }
});

test("signing out ends it, and Back shows nothing any more @no-javascript", async ({ page }) => {
  await page.goto("/");
  await signIn(page, AMARA);
  await page.getByRole("link", { name: "Quarantine", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quarantine");
  await ownMenu(page, AMARA.name);
  await expect(page.getByText(AMARA.email)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  await page.goBack();
  await expect(page).toHaveURL("/sign-in?next=%2Fquarantine");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("what was typed when the session had ended is shown to be kept @no-javascript", async ({ page, server }) => {
  const automation = await Automation.of(server);
  const { body } = await automation.send("not a report");
  await signedIn(page, AMARA);
  await page.goto(`/quarantine/${body.quarantine_id}`);
  await page.getByText("Close without accepting").click();
  const typed = 'Half an hour of thought,\nwith "quotes" & </textarea><b>markup</b>.';
  await page.getByRole("textbox", { name: "Reason" }).fill(typed);
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Close it" }).click();

  await expect(page.getByRole("heading", { name: "What you had typed" })).toBeVisible();
  await expect(page.getByText("The session had ended, so nothing was changed.")).toBeVisible();
  await expect(page.getByLabel("note")).toHaveValue(typed);
  await expectAccessible(page);

  await signIn(page, AMARA);
  await page.goto(`/quarantine/${body.quarantine_id}`);
  await expect(page.getByText("Close without accepting"), "it still waits").toBeVisible();
});

test("who was disabled is out with the next click", async ({ page, server }) => {
  await signedIn(page, JONAS);
  await page.goto("/me");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What I may do");
  await expectAccessible(page);
  await server.run(["user", "disable", JONAS.email]);
  await page.getByRole("link", { name: "Queue", exact: true }).click();
  await expect(page).toHaveTitle("Sign in · Recourse");
  await signIn(page, JONAS);
  await expect(page.getByRole("alert")).toHaveText("Sign-in refusedE-mail or password is wrong, or the account can't sign in.");
});

test("light or dark stays as it was chosen, on the page it was chosen on @no-javascript", async ({ page }) => {
  await signedIn(page, AMARA);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/queue?view=uncertain");
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const light = await ink();

  await page.getByRole("button", { name: "Light or dark" }).click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page).toHaveURL("/queue?view=uncertain");
  expect(await ink()).not.toBe(light);
  await islandsAwake(page);
  await expectAccessible(page);

  await ownMenu(page, AMARA.name);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page, "it belongs to the browser, not to the session").toHaveURL("/sign-in");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectAccessible(page);
});
