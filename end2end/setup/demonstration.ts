// What `recourse serve --demo` prints: who can sign in, and where the other systems are.
import type { Server } from "./server.ts";

export class Demonstration {
  private constructor(private readonly printed: string) {}

  /** The demonstration that this server runs. */
  static async of(server: Server): Promise<Demonstration> {
    const [printed] = await server.says(/[^]*Stop with Ctrl-C/);
    return new Demonstration(printed);
  }

  /** Where it says people find it. */
  get url(): string {
    return this.find(/Recourse is at (\S+)/);
  }

  /** Who can sign in with this role. */
  account(role: string): { email: string; password: string } {
    return { email: this.find(new RegExp(`^ +(\\S+@\\S+) +${role}$`, "m")), password: this.find(/Password: (\S+)/) };
  }

  /** Where one of the other systems shows its own records. */
  system(name: string): string {
    return this.find(new RegExp(`^ +${name} +(http:\\S+)$`, "m"));
  }

  private find(pattern: RegExp): string {
    const found = this.printed.match(pattern)?.[1];
    if (!found) throw new Error(`the demonstration did not say ${pattern}:\n${this.printed}`);
    return found;
  }
}
