// What somebody sees who runs `make run` for the first time.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Demonstration } from "../setup/demonstration.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, islandsAwake, test } from "../setup/journey.ts";
import { signIn } from "../setup/people.ts";

// A payment event that the ledger took without answering.
const REFERENCE = "CA-0042";

test.use({ demonstration: true });

test("an operator finds an uncertain item, reads it, and finds its record in the ledger @no-javascript @phone", async ({ page, server }) => {
  test.setTimeout(120_000);
  const demonstration = await Demonstration.of(server);
  expect(demonstration.url).toBe(server.url);

  await test.step("sign in", async () => {
    await page.goto("/");
    await expectAccessible(page);
    await signIn(page, demonstration.account("Operator"));
    await expect(page).toHaveTitle("Dead letter · Recourse");
  });

  await test.step("the queues fill within a minute", async () => {
    await expect(async () => {
      await page.goto("/queue?view=uncertain");
      await islandsAwake(page);
      for (const view of ["Dead letter", "Needs review", "Uncertain", "In quarantine"]) {
        const tab = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view });
        await expect(tab).toHaveText(/[1-9]\d*$/, { timeout: 500 });
      }
      await expect(page.getByRole("row", { name: REFERENCE })).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 60_000, intervals: [500] });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("find it by search", async () => {
    const search = page.getByRole("searchbox", { name: "Search reference" });
    await search.fill(REFERENCE);
    await search.press("Enter");
    await expect(page).toHaveURL(/[?&]q=CA-0042(&|$)/);
    await expect(page.getByRole("link", { name: `Remove filter Search: ${REFERENCE}` })).toBeVisible();
    await expect(page.getByText(/^1 item · oldest/)).toBeVisible();
    await page.getByRole("row", { name: REFERENCE }).getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(REFERENCE);
  });

  await test.step("read the effect first, then the attempts", async () => {
    await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText("The ledger may already hold this.");
    await expect(page.getByText("Check before you retry: sending it again could do it twice.")).toBeVisible();
    const attempt = page.getByRole("table", { name: "Attempts, newest first" }).getByRole("row", { name: "The ledger did not answer in 10 s" });
    await expect(attempt.first()).toContainText("may have happened");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  const payload = page.getByRole("group", { name: "Payload" });
  await test.step("read the payload, pretty and raw", async () => {
    await expect(payload).toContainText('"type": "');
    await page.getByRole("link", { name: "Raw" }).click();
    await expect(page).toHaveURL(/view=raw/);
    await expect(page.getByRole("link", { name: "Raw" })).toHaveAttribute("aria-current", "true");
    await expectAccessible(page);
  });

  await test.step("download exactly what is shown", async () => {
    const link = page.getByRole("link", { name: "Download", exact: true });
    const download = page.waitForEvent("download");
    await link.click();
    const bytes = await readFile(await (await download).path());
    const digest = createHash("sha256").update(bytes);
    await expect(page.locator("#payload-digest")).toHaveText(digest.copy().digest("hex"));
    const answer = await page.request.get((await link.getAttribute("href")) ?? "");
    expect(answer.headers()["repr-digest"]).toBe(`sha-256=:${digest.digest("base64")}:`);
    const lines = await payload.locator("> span").allTextContents();
    expect(lines).toEqual(bytes.toString("utf8").replace(/\n$/, "").split("\n"));
  });

  await test.step("the ledger really holds it", async () => {
    await page.goto(demonstration.system("Ledger"));
    await expect(page.getByRole("heading", { name: "Ledger" })).toBeVisible();
    await expect(page.getByRole("row", { name: REFERENCE })).toHaveCount(1);
    await expectAccessible(page);
  });
});
