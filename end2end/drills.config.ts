// `make drill`: what takes long, or compares times, against the real binary. Not part of the tests.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "drills",
  outputDir: "out/drills",
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 30 * 60_000,
  reporter: [["list"]],
});
