// What every journey starts from: `import { expect, test } from "../setup/journey.ts"`.
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type ConsoleMessage, type Page } from "@playwright/test";
import { basename } from "node:path";
import { Server } from "./server.ts";

/** Answers that are part of a journey: not allowed, not found, in conflict, not acceptable. */
const REFUSALS = /the server responded with a status of (401|403|404|409|422) /;

class Servers {
  private file = "";
  private server: Server | undefined;

  /** The server of this file; the one of the file before it is stopped. */
  async of(file: string, project: string): Promise<Server> {
    if (this.server && this.file === file) return this.server;
    await this.stop();
    this.server = await Server.start(`${basename(file, ".spec.ts")}.${project}`);
    this.file = file;
    return this.server;
  }

  async stop(): Promise<void> {
    const stopped = this.server;
    this.server = undefined;
    await stopped?.stop();
  }
}

export const test = base.extend<{ server: Server; quiet: void }, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const servers = new Servers();
      await use(servers);
      await servers.stop();
    },
    { scope: "worker" },
  ],

  /** The server of this file. */
  server: async ({ servers }, use, info) => {
    const server = await servers.of(info.file, info.project.name);
    await use(server);
    if (info.status !== info.expectedStatus) {
      await info.attach("the server's log", { path: server.log, contentType: "text/plain" });
    }
  },

  baseURL: async ({ server }, use) => use(server.url),

  /** A page that complains in the console fails its journey: hydration speaks there, and so does the security policy. */
  quiet: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      const hear = (message: ConsoleMessage) => {
        const complains = message.type() === "warning" || message.type() === "error";
        if (complains && !REFUSALS.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
      };
      context.on("console", hear);
      context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
      await use();
      expect(complaints, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/** No fault that axe finds against WCAG 2.2 AA. It needs JavaScript. */
export async function expectAccessible(page: Page): Promise<void> {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  const faults = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html}`));
  expect(faults, "faults found by axe").toEqual([]);
}

/** Resolves once the page's islands work. */
export async function islandsAwake(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-islands", "awake");
}

export { expect };
