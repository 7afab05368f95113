// The described API as each role: generated requests never meet a fault of ours, and what a role may reach is reached.
import { expect, test } from "@playwright/test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Automation } from "../setup/automation.ts";
import { Server, type Person } from "../setup/server.ts";

const schemathesis = process.env["RECOURSE_SCHEMATHESIS"] ?? "schemathesis";
const EXAMPLES = process.env["RECOURSE_EXAMPLES"] ?? "40";
const password = "a sentence that nobody guesses";
const roles: Person["role"][] = ["operator", "supervisor", "auditor", "admin"];

interface Operation {
  method: string;
  path: string;
  statuses: Record<string, number>;
}

// Nobody listens where it sends to: what is asked for is taken on all the same.
const WORKFLOW = `
[workflow]
key = "invoice-sync"
name = "Supplier invoices"
owner_team = "triage"
version = "2026-11-20"
[[step]]
key = "create_invoice"
side_effect = "irreversible"
repeat = "key"
key_memory = "24h"
[step.destination]
kind = "http"
url = "http://127.0.0.1:9/"
allow_private = true
[step.lookup]
url = "http://127.0.0.1:9/?key={key}"
allow_private = true
found = { pointer = "/id" }
absent = { pointer = "/none" }
`;

/** Items in several states: not sent, in doubt with a key, with a retry planned. */
function standing(n: number): Record<string, unknown> {
  const now = Date.now();
  const unsent = { attempts: [{ outcome: "failed", sent: false }] };
  const doubtful = {
    attempts: [{ outcome: "uncertain", sent: true, started_at: new Date(now).toISOString() }],
    effect: { status: "uncertain", idempotency_key: `key ${n} ${now}` },
  };
  const planned = { ...unsent, next_attempt_by_automation_at: new Date(now + 3_600_000).toISOString() };
  return [unsent, doubtful, planned, unsent][n % 4]!;
}

test("generated requests as each role: no fault of ours, and nearly every operation is reached", async () => {
  const server = await Server.start("api-as-each-role", [], { RECOURSE_LOG: "warn", RECOURSE_ALLOW_PRIVATE: "127.0.0.0/8" });
  try {
    mkdirSync("out/drills", { recursive: true });
    const file = join(mkdtempSync(join(tmpdir(), "recourse-drill-")), "workflow.toml");
    writeFileSync(file, WORKFLOW);
    await server.run(["workflow", "apply", file]);
    const automation = await Automation.of(server);
    const callers: Record<string, string> = { automation: await server.createToken("invoice-sync") };
    for (const role of roles) {
      const email = `${role}@recourse.example`;
      await server.addPeople({ email, name: role, role, password, team: "triage", clearance: "restricted" });
      callers[role] = await server.run(["token", "create", "--person", email]);
    }
    const reached = new Set<string>();
    const described = new Set<string>();
    let faults = 0;
    for (const [who, token] of Object.entries(callers)) {
      // Things to work on, in the states in which the operations are possible.
      const items = await Promise.all(Array.from({ length: 40 }, (_, n) => automation.report(`${who} ${n}`, standing(n))));
      const log = join("out/drills", `api.${who}.json`);
      const run = spawn(schemathesis, ["run", `${server.url}/api/openapi.json`, "--phases=examples,fuzzing", "--checks=not_a_server_error", `--max-examples=${EXAMPLES}`, "--continue-on-failure", "--seed=20261130", "--no-color"], {
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: "drills.hooks",
          PYTHONPATH: process.cwd(),
          RECOURSE_URL: server.url,
          RECOURSE_TOKEN: token,
          RECOURSE_ITEMS: items.map((item) => item.replace("/items/", "")).join(","),
          RECOURSE_LOG_TO: log,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let printed = "";
      run.stdout.on("data", (chunk) => (printed += chunk));
      run.stderr.on("data", (chunk) => (printed += chunk));
      const [code] = await once(run, "close");
      const operations = JSON.parse(readFileSync(log, "utf8")) as Operation[];
      const good = operations.filter(({ statuses }) => Object.keys(statuses).some((status) => status.startsWith("2")));
      const bad = operations.filter(({ statuses }) => Object.keys(statuses).some((status) => status.startsWith("5") && status !== "503"));
      operations.forEach(({ method, path }) => described.add(`${method} ${path}`));
      good.forEach(({ method, path }) => reached.add(`${method} ${path}`));
      faults += bad.length;
      const requests = operations.flatMap(({ statuses }) => Object.values(statuses)).reduce((sum, count) => sum + count, 0);
      console.log(`${who}: ${requests} requests to ${operations.length} operations, 2xx from ${good.length}, 5xx from ${bad.length}`);
      expect(bad, `faults met as ${who}:\n${printed.slice(-3_000)}`).toEqual([]);
      expect(code === 0 || code === 1, printed.slice(-3_000)).toBe(true);
    }
    const missed = [...described].filter((operation) => !reached.has(operation));
    console.log(`reached by somebody: ${reached.size} of ${described.size}; missed: ${missed.join(", ") || "none"}`);
    expect(faults).toBe(0);
    expect(reached.size / described.size).toBeGreaterThanOrEqual(0.95);
  } finally {
    await server.stop();
  }
});
