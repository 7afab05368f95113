// An automation that reports over HTTP, as any program would.
import type { Server } from "./server.ts";

export interface Answer {
  status: number;
  body: { id?: string; quarantine_id?: string; code?: string; results?: { status: number }[] };
}

/** What a report may say; the rest is filled in. */
export type Report = Record<string, unknown>;

type Bytes = Uint8Array<ArrayBuffer>;

export class Automation {
  private constructor(
    private readonly server: Server,
    private readonly workflow: string,
    private readonly token: string,
  ) {}

  /** An automation of this workflow, with a token of its own. */
  static async of(server: Server, workflow = "invoice-sync"): Promise<Automation> {
    return new Automation(server, workflow, await server.createToken(workflow));
  }

  /** Reports a piece of work; returns the item's address. */
  async report(key: string, more: Report = {}): Promise<string> {
    const { status, body } = await this.send(JSON.stringify(this.about(key, more)));
    if (!body.id) throw new Error(`the report of ${key} was answered with ${status}: ${JSON.stringify(body)}`);
    return `/items/${body.id}`;
  }

  /** Reports many pieces of work at once. */
  async reportAll(keys: string[], more: Report = {}): Promise<void> {
    const items = keys.map((key) => this.about(key, more));
    const { status, body } = await this.send(JSON.stringify({ items }), {}, "/api/v1/items/batch");
    const refused = body.results?.filter((result) => result.status >= 300);
    if (status !== 200 || refused?.length !== 0) throw new Error(`the batch was answered with ${status}: ${JSON.stringify(body)}`);
  }

  /** Reports a payload whose bytes are the body, the rest in a header. */
  async reportBytes(key: string, mediaType: string, bytes: Bytes, more: Report = {}): Promise<string> {
    const { payload: _, ...about } = this.about(key, more);
    const item = Buffer.from(JSON.stringify(about)).toString("base64url");
    const { status, body } = await this.send(bytes, { "content-type": mediaType, "recourse-item": item });
    if (!body.id) throw new Error(`the report of ${key} was answered with ${status}: ${JSON.stringify(body)}`);
    return `/items/${body.id}`;
  }

  /** Sends a body exactly as it is. */
  async send(content: string | Bytes, headers: Record<string, string> = {}, path = "/api/v1/items"): Promise<Answer> {
    const answer = await fetch(this.server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers },
      body: content,
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  }

  private about(key: string, more: Report): Report {
    return {
      workflow: this.workflow,
      step: "create_invoice",
      dedupe_key: key,
      failure: { class: "timeout", message: "The ledger did not answer in 10 s" },
      payload: { json: { amount: 40 } },
      ...more,
    };
  }
}
