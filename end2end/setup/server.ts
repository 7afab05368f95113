// The real binary with a database of its own, started for a file of journeys and removed after it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 10_000;

/** Somebody who can sign in. */
export interface Person {
  email: string;
  name: string;
  role: "operator" | "supervisor" | "auditor" | "admin";
  password: string;
  team?: string;
  clearance?: "internal" | "confidential" | "restricted";
}

export class Server {
  private printed = "";

  private constructor(
    /** Where it listens, without a slash at the end. */
    readonly url: string,
    /** What it has said so far. */
    readonly log: string,
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly running: ChildProcess,
  ) {
    running.stdout?.on("data", (chunk) => (this.printed += chunk));
  }

  /** Starts a server whose log is named after the journeys it is for. */
  static async start(name: string, flags: string[] = [], settings: Record<string, string> = {}): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), "recourse-journey-"));
    const port = await freePort();
    const environment = {
      ...withoutOurSettings(process.env),
      RECOURSE_DATABASE_URL: `sqlite://${join(folder, "recourse.db")}`,
      RECOURSE_LISTEN: `127.0.0.1:${port}`,
      // The demonstration puts its database there.
      TMPDIR: folder,
      ...settings,
    };
    mkdirSync("out/logs", { recursive: true });
    const log = join("out/logs", `${name}.log`);
    const output = createWriteStream(log);
    const running = spawn(binary(), ["serve", ...flags], { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    running.stdout?.pipe(output, { end: false });
    running.stderr?.pipe(output, { end: false });
    const server = new Server(`http://127.0.0.1:${port}`, log, folder, environment, running);
    try {
      await server.untilReady();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Runs a verb of the command line against the same database and returns what it printed. */
  async run(verb: string[], input = ""): Promise<string> {
    const child = spawn(binary(), verb, { cwd: this.folder, env: this.environment, stdio: "pipe" });
    let printed = "";
    let complaints = "";
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.stderr.on("data", (chunk) => (complaints += chunk));
    // A verb that asks for nothing may have ended by now.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`recourse ${verb.join(" ")} ended with ${code}: ${complaints}`);
    return printed.trim();
  }

  /** Waits until it has printed this on its standard output. */
  async says(pattern: RegExp): Promise<RegExpMatchArray> {
    const last = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const found = this.printed.match(pattern);
      if (found) return found;
      if (Date.now() > last) throw new Error(`the server did not say ${pattern}:\n${this.printed}`);
      await sleep(20);
    }
  }

  /** Adds people who can sign in. */
  async addPeople(...people: Person[]): Promise<void> {
    for (const { email, name, role, password, team = "triage", clearance = "confidential" } of people) {
      const about = ["--name", name, "--role", role, "--team", team, "--clearance", clearance];
      await this.run(["user", "add", email, ...about, "--password-stdin"], `${password}\n`);
    }
  }

  /** Makes a workflow known, described as TOML. */
  async applyWorkflow(description: string): Promise<void> {
    const file = join(this.folder, "workflow.toml");
    writeFileSync(file, description);
    await this.run(["workflow", "apply", file]);
  }

  /** A token with which an automation of the workflow reports. */
  async createToken(workflow: string): Promise<string> {
    return this.run(["token", "create", "--workflow", workflow]);
  }

  async stop(): Promise<void> {
    if (this.running.exitCode === null && this.running.signalCode === null) {
      const ended = once(this.running, "exit");
      this.running.kill("SIGTERM");
      const inTime = await Promise.race([ended, sleep(STOPS_WITHIN_MS, undefined, { ref: false })]);
      if (inTime === undefined) {
        this.running.kill("SIGKILL");
        await ended;
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    const last = Date.now() + READY_WITHIN_MS;
    let failed: Error | undefined;
    this.running.once("error", (error) => (failed = error));
    for (;;) {
      const health = await fetch(`${this.url}/health`).catch(() => undefined);
      if (health?.status === 200) return;
      if (failed) throw failed;
      if (this.running.exitCode !== null) throw new Error(`the server ended while starting:\n${this.said()}`);
      if (Date.now() > last) throw new Error(`the server was not ready in time:\n${this.said()}`);
      await sleep(50);
    }
  }

  private said(): string {
    return existsSync(this.log) ? readFileSync(this.log, "utf8") : "";
  }
}

function binary(): string {
  const named = process.env["RECOURSE_BIN"];
  if (named) return named;
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(process.env["CARGO_TARGET_DIR"] ?? join(cache, "recourse/target"), "debug/recourse");
}

/** A developer's own settings must not reach the server under test. */
function withoutOurSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("RECOURSE_")));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
