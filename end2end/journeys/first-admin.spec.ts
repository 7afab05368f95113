// `make run DEMO=0`: an empty installation, its first admin, and what its first operator sees.
import { expect, expectAccessible, test } from "../setup/journey.ts";
import { AMARA, signedIn, signIn } from "../setup/people.ts";

const ADMIN = { name: "Farid Haddad", email: "farid@recourse.example", password: "correct horse battery staple" };

test("an empty start: the one-time link makes one admin, and every empty page says what would be there @phone", async ({ page, colleague, server }) => {
  const [, link = ""] = await server.says(/Open this link once.*\n +(\S+)/);
  expect(link).toContain(`${server.url}/setup/`);

  await test.step("a password that is too short is refused, and the rest stays", async () => {
    await page.goto(link);
    await expectAccessible(page);
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Create the administrator" }).click();
    await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/12/);
    await expect(page.getByLabel("Name")).toHaveValue(ADMIN.name);
    await expect(page.getByLabel("E-mail")).toHaveValue(ADMIN.email);
    await expectAccessible(page);
  });

  await test.step("the admin is signed in, and the link is used up", async () => {
    await colleague.goto(link);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Create the administrator" }).click();
    await expect(page).toHaveURL("/me");
    await expect(page.getByRole("region", { name: "My account" })).toContainText(ADMIN.name);

    // Somebody else had it open already.
    await colleague.getByLabel("Name").fill("Mallory");
    await colleague.getByLabel("E-mail").fill("mallory@elsewhere.example");
    await colleague.getByLabel("Password").fill(ADMIN.password);
    await colleague.getByRole("button", { name: "Create the administrator" }).click();
    await expect(colleague.getByText("This one-time link is unknown, was used already or has expired.")).toBeVisible();
    await colleague.goto(link);
    await expect(colleague.getByRole("heading", { name: "The link is not valid" })).toBeVisible();
    await expectAccessible(colleague);
  });

  await test.step("an admin does not read items", async () => {
    await page.goto("/queue");
    await expect(page.getByRole("heading", { name: "Not permitted" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "To “What I may do”" }).click();
    await expect(page).toHaveURL("/me");
  });

  await test.step("the first operator sees what would be where", async () => {
    await server.addPeople(AMARA);
    await signedIn(colleague, AMARA);
    const empty = {
      "/queue": "Nothing waits",
      "/queue?view=needs_review": "Nothing waits",
      "/queue?view=closed": "Nothing was closed yet",
      "/quarantine": "Nothing waits in quarantine",
      "/quarantine?view=done": "Nothing was dealt with yet",
    };
    for (const [address, words] of Object.entries(empty)) {
      await colleague.goto(address);
      await expect(colleague.getByRole("heading", { name: words })).toBeVisible();
      await expectAccessible(colleague);
    }
  });

  await test.step("the admin can come back with the password", async () => {
    await page.context().clearCookies();
    await page.goto("/me");
    await signIn(page, ADMIN);
    await expect(page).toHaveURL("/me");
  });
});
