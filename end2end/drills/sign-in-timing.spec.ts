// C33: how long a refused sign-in takes must not tell which accounts there are. Kinds take turns, so that what else the machine
// does falls on all alike; each try comes from an address and for an account of its own, so that none is turned away.
import { expect, test } from "@playwright/test";
import { Server } from "../setup/server.ts";
import { differ, quantile } from "./statistics.ts";

const ROUNDS = Number(process.env["RECOURSE_ROUNDS"] ?? 200);
const password = "a sentence that nobody guesses";

test("a refused sign-in takes as long for an unknown account as for one that is there", async () => {
  const server = await Server.start("sign-in-timing", [], { RECOURSE_TRUSTED_PROXIES: "127.0.0.0/8", RECOURSE_LOG: "warn" });
  try {
    const accounts = 20;
    for (let n = 0; n < accounts; n++) {
      for (const kind of ["known", "disabled"]) {
        const email = `${kind}.${n}@recourse.example`;
        await server.addPeople({ email, name: `${kind} ${n}`, role: "operator", password });
        if (kind === "disabled") await server.run(["user", "disable", email]);
      }
    }
    const kinds: Record<string, (n: number) => [string, string]> = {
      known: (n) => [`known.${n % accounts}@recourse.example`, "a wrong password, and long"],
      unknown: (n) => [`nobody.${n}@recourse.example`, "a wrong password, and long"],
      disabled: (n) => [`disabled.${n % accounts}@recourse.example`, password],
      "empty password": (n) => [`known.${n % accounts}@recourse.example`, ""],
    };
    const took: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    let address = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, typed] of Object.entries(kinds)) {
        const [email, wrong] = typed(round);
        address += 1;
        const began = performance.now();
        const answer = await fetch(`${server.url}/sign-in`, {
          method: "POST",
          headers: { "x-forwarded-for": `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`, origin: server.url },
          body: new URLSearchParams({ email, password: wrong }),
          redirect: "manual",
        });
        await answer.arrayBuffer();
        const elapsed = performance.now() - began;
        // Of one account no more than ten may be tried at once; the rest says nothing here.
        if (answer.status === 401) took[kind]!.push(elapsed);
        else expect(answer.status, kind).toBe(429);
      }
    }
    const known = took["known"]!;
    const lines = Object.entries(took).map(([kind, times]) => {
      const [quarter, median, threeQuarters] = [0.25, 0.5, 0.75].map((part) => quantile(times, part));
      const { z } = differ(known, times);
      return { kind, tries: times.length, quarter, median, threeQuarters, "z against known": z };
    });
    console.table(lines.map((line) => Object.fromEntries(Object.entries(line).map(([name, value]) => [name, typeof value === "number" ? Number(value.toFixed(2)) : value]))));
    for (const { kind, median } of lines) {
      expect(Math.abs(median! / quantile(known, 0.5) - 1), `the median for ${kind} beside that for known accounts`).toBeLessThan(0.1);
    }
  } finally {
    await server.stop();
  }
});
