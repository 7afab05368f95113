/** What came of sending a draft. */
export type Answer =
  | { is: "saved"; state: string; version: string | null; html: string }
  | { is: "conflict"; state: string | null; html: string }
  | { is: "refused"; state: string | null; html: string | null; status: number }
  | { is: "signed-out" }
  /** Worth another try, after so many seconds if the server said. */
  | { is: "unavailable"; after: number };

export interface Sent {
  answer: Answer;
  /** The build that answered. */
  build: string | null;
}

const LONGEST_WAIT_MS = 60_000;

/** Posts a draft. Rejects only when `signal` says so. */
export async function send(url: string, draft: FormData, keepalive: boolean, signal: AbortSignal): Promise<Sent> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: draft,
      headers: { "X-Requested-With": "fetch" },
      // A way to the sign-in page is no answer to a draft.
      redirect: "manual",
      keepalive,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]),
    });
    return { answer: await read(response), build: response.headers.get("X-Recourse-Build") };
  } catch (error) {
    if (signal.aborted) throw error;
    return { answer: { is: "unavailable", after: 0 }, build: null };
  }
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const state = headers.get("X-Draft-State");
  if (response.type === "opaqueredirect" || status === 401) return { is: "signed-out" };
  // A page of something between us and the server doesn't say how the draft is.
  if (status === 200 && state === null) return { is: "unavailable", after: 0 };
  if (status === 200 && state !== null) {
    return { is: "saved", state, version: headers.get("X-Draft-Version"), html: await response.text() };
  }
  if (status === 409) return { is: "conflict", state, html: await response.text() };
  if (status === 403 || status === 413 || status === 422) return { is: "refused", state, html: await response.text(), status };
  if (status === 429 || status >= 500) return { is: "unavailable", after: Number(headers.get("Retry-After")) || 0 };
  return { is: "refused", state, html: null, status };
}
