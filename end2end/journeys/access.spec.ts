// Who may do what: invitations, roles, the second step, sessions, tokens, notices — as each of the four roles meets them.
import type { Page } from "@playwright/test";
import { code } from "../setup/authenticator.ts";
import { Automation } from "../setup/automation.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, islandsAwake, test } from "../setup/journey.ts";
import { AMARA, MEI, signedIn, signIn } from "../setup/people.ts";
import type { Person } from "../setup/server.ts";

const password = "a sentence that nobody guesses";
const FARID: Person = { email: "farid@recourse.example", name: "Farid Haddad", role: "admin", password };
const SOFIA: Person = { email: "sofia@recourse.example", name: "Sofia Marin", role: "supervisor", password };

test.beforeAll(async ({ server }) => server.addPeople(FARID, SOFIA, AMARA, MEI));

/** Opens an account from the list of people. */
async function openAccount(page: Page, name: string) {
  await page.goto("/admin/people");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

async function looksRight(page: Page) {
  await islandsAwake(page);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

test("an admin invites somebody, who joins by the link and may do what it says @no-javascript @phone", async ({ page, colleague }, info) => {
  const person = { name: `Olu Adeyemi ${info.project.name}`, email: `olu.${info.project.name}@recourse.example` };
  await signedIn(page, FARID);
  await page.goto("/admin/people");
  await looksRight(page);
  await page.getByRole("link", { name: "Invite…" }).click();
  await looksRight(page);
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByText("Choose at least one role.").first(), "what is missing is named").toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue(person.name);
  await looksRight(page);

  await page.getByRole("checkbox", { name: /^Operator/ }).check();
  await page.getByRole("checkbox", { name: /^triage/ }).check();
  await page.getByRole("button", { name: "Invite" }).click();
  const link = await page.locator("pre.secret").innerText();
  expect(link).toContain("/link/");
  await looksRight(page);

  await colleague.goto(link);
  await looksRight(colleague);
  await colleague.getByLabel("Password").fill("password1234");
  await colleague.getByRole("button", { name: "Create my account" }).click();
  await expect(colleague.getByText(/too easy to guess/).first()).toBeVisible();
  await colleague.getByLabel("Password").fill("herring in the attic at noon");
  await colleague.getByRole("button", { name: "Create my account" }).click();
  await expect(colleague).toHaveURL("/me");
  await expect(colleague.getByRole("region", { name: "My account" })).toContainText("triage");
  await looksRight(colleague);
  await colleague.goto(link);
  await expect(colleague.getByRole("heading", { name: "The link is not valid" })).toBeVisible();
});

test("a role that is given counts from the next click, and those who decide are told", async ({ page, colleague, browser, baseURL, server }) => {
  const jonas: Person = { email: "jonas.l@recourse.example", name: "Jonas Lindqvist", role: "operator", password };
  await server.addPeople(jonas);
  await signedIn(colleague, jonas);
  await colleague.goto("/me");
  const approving = () => colleague.getByRole("row", { name: /approvals\.decide/i });
  await expect(approving()).toContainText("no");

  await signedIn(page, FARID);
  await openAccount(page, jonas.name);
  await looksRight(page);
  await page.getByRole("checkbox", { name: /^Supervisor/ }).check();
  await page.getByRole("button", { name: "Save the roles" }).click();
  await expect(page.getByRole("status").filter({ hasText: "It counts from their next click." })).toBeVisible();

  await colleague.reload();
  await expect(approving(), "from the next click on").toContainText("yes");
  await colleague.getByRole("link", { name: /^Notices: \d+ unread/ }).click();
  await expect(colleague.getByText(`${FARID.name} changed what you may do: given: Supervisor`)).toBeVisible();

  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const sofia = await context.newPage();
  await signedIn(sofia, SOFIA);
  await sofia.goto("/notices");
  await expect(sofia.getByText(new RegExp(`${FARID.name} gave a right that decides over others' work: ${jonas.name} may`))).toBeVisible();
  await looksRight(sofia);
  await sofia.getByRole("button", { name: "Mark all as read" }).click();
  await expect(sofia.getByText("All read.")).toBeVisible();
  await context.close();
});

test("an admin gives nobody's work a say to themselves, and the last admin stays @no-javascript", async ({ page }) => {
  await signedIn(page, FARID);
  await openAccount(page, FARID.name);
  await page.getByRole("checkbox", { name: /^Supervisor/ }).check();
  await page.getByRole("button", { name: "Save the roles" }).click();
  await expect(page.getByRole("alert")).toContainText("Nobody gives themselves the right");
  await expect(page.getByRole("checkbox", { name: /^Supervisor/ }), "what was ticked stays").toBeChecked();
  await looksRight(page);

  await openAccount(page, FARID.name);
  await page.getByRole("checkbox", { name: /^Admin/ }).uncheck();
  await page.getByRole("checkbox", { name: /^Operator/ }).check();
  await page.getByRole("button", { name: "Save the roles" }).click();
  await expect(page.getByRole("alert")).toContainText("Nobody who can sign in would be left to manage people.");
});

test("a second step: set up, asked for, and recovered from @no-javascript", async ({ page, server }, info) => {
  const person: Person = { email: `ines.${info.project.name}@recourse.example`, name: "Inês Duarte", role: "operator", password };
  await server.addPeople(person);
  await signedIn(page, person);
  await page.goto("/me/security");
  await looksRight(page);
  await page.getByRole("button", { name: "Set it up…" }).click();
  await expect(page.getByRole("img", { name: "Picture for authenticator apps" })).toBeVisible();
  const secret = await page.locator("code.secret-line").innerText();
  await looksRight(page);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Turn the second step on" }).click();
  await expect(page.getByText("That is not the authenticator's code now.").first()).toBeVisible();
  await page.getByLabel("Code").fill(code(secret));
  await page.getByRole("button", { name: "Turn the second step on" }).click();
  const codes = (await page.locator("pre.secret").innerText()).split("\n");
  expect(codes).toHaveLength(10);
  await looksRight(page);

  const withPassword = async () => {
    await page.context().clearCookies();
    await page.goto("/quarantine");
    await signIn(page, person);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Second step");
  };
  await withPassword();
  await looksRight(page);
  await page.getByLabel("Code").fill(code(secret, 1));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page, "and back to where they wanted").toHaveURL("/quarantine");

  await withPassword();
  await page.getByLabel("Code").fill(codes[0]!);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/quarantine");
  await withPassword();
  await page.getByLabel("Code").fill(codes[0]!);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("was used before");
  await page.getByLabel("Code").fill(codes[1]!);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/quarantine");
  await page.goto("/notices");
  await expect(page.getByText("A recovery code was used in place of your authenticator: 8 are left.")).toBeVisible();
});

test("my sessions: the one elsewhere is ended, and is out with the next click", async ({ page, colleague }) => {
  await signedIn(page, AMARA);
  await signedIn(colleague, AMARA);
  await page.goto("/me/security");
  await expect(page.getByRole("row", { name: /Chrome on Linux/ }).first()).toBeVisible();
  await looksRight(page);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByText("The sessions were ended.")).toBeVisible();
  await colleague.goto("/queue");
  await expect(colleague).toHaveTitle("Sign in · Recourse");
  await page.goto("/queue");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a token is shown once, works, and is refused once it is revoked @no-javascript", async ({ page, request, server }, info) => {
  const name = `night report ${info.project.name}`;
  await signedIn(page, AMARA);
  await page.goto("/me/tokens");
  await looksRight(page);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Make the token" }).click();
  const token = await page.locator("pre.secret").innerText();
  expect(token).toMatch(/^rcp_/);
  await looksRight(page);
  const asked = () => request.get(`${server.url}/api/v1/items`, { headers: { authorization: `Bearer ${token}` } });
  expect((await asked()).status()).toBe(200);
  await page.goto("/me/tokens");
  await expect(page.locator("pre.secret"), "only once").toHaveCount(0);
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByText("Revoke…").click();
  await row.getByRole("button", { name: /^Revoke it/ }).click();
  await expect(page.getByText("The token was revoked.")).toBeVisible();
  await expect(row).toContainText("revoked");
  expect((await asked()).status()).toBe(401);
});

test("an account that is deleted stays in the history under its name of then, and a namesake is somebody else", async ({ page, colleague, server }) => {
  const gone: Person = { email: "kit@recourse.example", name: "Kit Larsen", role: "operator", password };
  await server.addPeople(gone);
  const automation = await Automation.of(server);
  const item = await automation.report("INV-77");
  await signedIn(colleague, gone);
  await colleague.goto(`${item}/claim`);
  await colleague.getByRole("button", { name: "Claim", exact: true }).click();
  await expect(colleague.getByText("Claimed by").first()).toBeVisible();

  await signedIn(page, FARID);
  await openAccount(page, gone.name);
  await page.getByText("Delete the account…").click();
  await page.getByRole("button", { name: "Delete the account" }).click();
  await expect(page.getByText("The account was deleted.")).toBeVisible();
  await colleague.reload();
  await expect(colleague, "out with the next click").toHaveTitle("Sign in · Recourse");
  await server.addPeople(gone);

  await page.context().clearCookies();
  await signedIn(page, MEI);
  await page.goto("/audit?action=item.claimed");
  const row = page.getByRole("row", { name: /Kit Larsen/ });
  await expect(row).toContainText("deleted account");
  await looksRight(page);
  await row.getByRole("link", { name: "Kit Larsen" }).click();
  await expect(page.getByRole("row", { name: /claimed the item/ })).toHaveCount(1);
});

test("whoever lost a role keeps what they typed on the tab that was open @no-javascript", async ({ page, colleague, server }, info) => {
  const person: Person = { email: `ravi.${info.project.name}@recourse.example`, name: `Ravi Nair ${info.project.name}`, role: "operator", password };
  await server.addPeople(person);
  const automation = await Automation.of(server);
  const item = await automation.report(`INV-78-${info.project.name}`);
  await signedIn(page, person);
  await page.goto(`${item}/comment`);
  await page.getByRole("textbox").first().fill("The supplier sent this twice.");

  await signedIn(colleague, FARID);
  await openAccount(colleague, person.name);
  await colleague.getByRole("checkbox", { name: /^Operator/ }).uncheck();
  await colleague.getByRole("checkbox", { name: /^Auditor/ }).check();
  await colleague.getByRole("button", { name: "Save the roles" }).click();
  await expect(colleague.getByText("It counts from their next click.")).toBeVisible();

  await page.getByRole("button", { name: /comment/i }).first().click();
  await expect(page.getByRole("alert")).toContainText("items.comment");
  await expect(page.getByRole("textbox").first(), "nothing typed is lost").toHaveValue("The supplier sent this twice.");
});

test("roles, teams, waiting rights and settings can be read and worked with the keyboard alone", async ({ page }) => {
  await signedIn(page, FARID);
  await page.goto("/admin/roles/new");
  await looksRight(page);
  await page.getByLabel("Name").focus();
  await page.keyboard.type("Night shift");
  await page.keyboard.press("Tab");
  await page.keyboard.type("night-shift");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save the role" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin\/roles\/night-shift/);
  await expect(page.getByText("The role was saved.")).toBeVisible();
  await looksRight(page);
  for (const place of ["/admin/roles", "/admin/roles/operator", "/admin/teams", "/admin/teams/triage", "/admin/rights", "/admin/tokens", "/admin/channels", "/admin/settings", "/me/notices", "/notices", "/sign-in/help"]) {
    await page.goto(place);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await looksRight(page);
  }
  await page.goto("/me");
  await islandsAwake(page);
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page).toHaveURL("/admin/people");
});
