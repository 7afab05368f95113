// A journey runs on the desktop. Tagged @phone or @no-javascript it runs there as well; tagged @phone-only or
// @no-javascript-only it runs just there.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "journeys",
  outputDir: "out/results",
  // Each file has a server of its own and its journeys follow one another on it.
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // While one page turns into the next nothing can be clicked, and a browser without a screen may never get to the end.
    contextOptions: { reducedMotion: "reduce" },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["RECOURSE_CHROMIUM"] ?? "/usr/bin/chromium",
      // Nothing but the page under test asks the network for anything.
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    {
      name: "desktop",
      grepInvert: /@(phone|no-javascript)-only/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: "no-javascript",
      grep: /@no-javascript/,
      use: { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false },
    },
    {
      name: "phone",
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
