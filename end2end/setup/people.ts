// Who works in the journeys.
import { expect, type Page } from "@playwright/test";
import type { Person } from "./server.ts";

const password = "a sentence that nobody guesses";

export const AMARA: Person = { email: "amara@recourse.example", name: "Amara Okafor", role: "operator", password };
export const JONAS: Person = { email: "jonas@recourse.example", name: "Jonas Lindqvist", role: "operator", password };
export const MEI: Person = { email: "mei@recourse.example", name: "Mei Tanaka", role: "auditor", password };

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in without looking at a page, where signing in is not what the journey is about. */
export async function signedIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  const answer = await page.request.post("/sign-in", { form: { email, password, next: "/me" } });
  expect(answer.url(), `${email} is signed in`).toMatch(/\/me$/);
}
