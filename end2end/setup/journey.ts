// What every journey starts from: `import { expect, test } from "../setup/journey.ts"`.
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type BrowserContext, type ConsoleMessage, type Page } from "@playwright/test";
import { basename } from "node:path";
import { Server } from "./server.ts";

/** Answers that are part of a journey: not allowed, not found, in conflict, gone, not acceptable. */
const REFUSALS = /the server responded with a status of (401|403|404|409|410|422|429) /;

/** How fast the machine is does not matter here, and without scripts nothing is used that was fetched for them. */
const SLOW = /was preloaded using link preload but not used within a few seconds/;

class Servers {
  private file = "";
  private server: Server | undefined;

  /** The server of this file; the one of the file before it is stopped. */
  async of(file: string, project: string, flags: string[]): Promise<Server> {
    if (this.server && this.file === file) return this.server;
    await this.stop();
    this.server = await Server.start(`${basename(file, ".spec.ts")}.${project}`, flags);
    this.file = file;
    return this.server;
  }

  async stop(): Promise<void> {
    const stopped = this.server;
    this.server = undefined;
    await stopped?.stop();
  }
}

interface Fixtures {
  /** Whether the server of this file is a demonstration. */
  demonstration: boolean;
  server: Server;
  complaints: string[];
  quiet: void;
  colleague: Page;
}

export const test = base.extend<Fixtures, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const servers = new Servers();
      await use(servers);
      await servers.stop();
    },
    { scope: "worker" },
  ],

  demonstration: [false, { option: true }],

  /** The server of this file. */
  server: async ({ servers, demonstration }, use, info) => {
    const server = await servers.of(info.file, info.project.name, demonstration ? ["--demo"] : []);
    await use(server);
    if (info.status !== info.expectedStatus) {
      await info.attach("the server's log", { path: server.log, contentType: "text/plain" });
    }
  },

  baseURL: async ({ server }, use) => use(server.url),

  complaints: async ({}, use) => use([]),

  /** A page that complains in the console fails its journey: hydration speaks there, and so does the security policy. */
  quiet: [
    async ({ context, complaints }, use) => {
      listen(context, complaints);
      await use();
      expect(complaints, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],

  /** A page of somebody else, in a browser of their own. */
  colleague: async ({ browser, baseURL, complaints }, use) => {
    const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), viewport: { width: 1280, height: 800 } });
    listen(context, complaints);
    await use(await context.newPage());
    await context.close();
  },
});

function listen(context: BrowserContext, complaints: string[]): void {
  context.on("console", (message: ConsoleMessage) => {
    const complains = message.type() === "warning" || message.type() === "error";
    const expected = REFUSALS.test(message.text()) || SLOW.test(message.text());
    if (complains && !expected) complaints.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
}

/** No fault that axe finds against WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // Axe runs in the page, which must be allowed to.
  if (!runsScripts()) return;
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  const faults = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html}`));
  expect(faults, `faults found by axe on ${page.url()}`).toEqual([]);
}

/** Nothing is cut off or scrolls sideways: the page is as wide as its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [needs, has] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const);
  expect(needs, `the width of ${page.url()} in a window of ${has}`).toBeLessThanOrEqual(has);
}

/** Resolves once the page's islands work; without scripts there are none. */
export async function islandsAwake(page: Page): Promise<void> {
  // The script waits until the browser has nothing else to do.
  if (runsScripts()) await expect(page.locator("html")).toHaveAttribute("data-islands", "awake", { timeout: 30_000 });
}

function runsScripts(): boolean {
  return test.info().project.use.javaScriptEnabled ?? true;
}

export { expect };
