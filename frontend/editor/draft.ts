import { send, type Answer } from "./answer.ts";
import type { Desk } from "./desk.ts";
import type { FindingsPanel } from "./findings-panel.ts";
import { isFieldOf, type Kept } from "./page.ts";

/** How long nobody types before the draft is sent. */
const QUIET_MS = 1200;
const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 60_000;
/** A browser lets a request outlive its page only below 64 kB. */
const OUTLIVES_BELOW = 12_000;

const SIGNED_OUT = "Not saved: signed out. Your text is still here; sign in in another tab, then go on.";
const UNAVAILABLE = "Not saved: the server does not answer. Your text is still here; it is tried again by itself.";
const CONFLICT = "Not saved: this changed meanwhile. Your text is still here; choose below how to go on.";
const REFUSED = "Not saved: the server did not take it. Your text is still here.";
const NEW_VERSION = "A new version is there: reload when it suits you. Your draft is kept.";

/** Keeps the draft on the server. One save is under way at a time, and the last text is saved in the end. */
export class Draft {
  readonly #page: Kept;
  readonly #desk: Desk;
  readonly #panel: FindingsPanel;
  /** Counts the changes; `#kept` is the one the server has. */
  #edition = 0;
  #kept = 0;
  #sending: AbortController | undefined;
  #timer: number | undefined;
  /** The wait before the next try, while the server does not answer. */
  #retry = 0;
  /** A conflict stands, and the person has not said how to go on. */
  #halted = false;
  #failed = false;
  #urgent = false;
  #leaving = false;
  #remarks = new Set<string>();
  #said: string;

  constructor(page: Kept, desk: Desk, panel: FindingsPanel) {
    this.#page = page;
    this.#desk = desk;
    this.#panel = panel;
    this.#said = page.state.textContent?.trim() ?? "";
    desk.onChange = () => this.#changed();
    panel.onResume = (button) => this.#resume(button);
    this.#listen();
    if (desk.restored) this.#changed();
  }

  /** Said after whatever is said about the draft. */
  remark(sentence: string): void {
    this.#remarks.add(sentence);
    this.#say(this.#said);
  }

  #listen(): void {
    const { form } = this.#page;
    form.addEventListener("input", ({ target }) => {
      // A file is kept when the form is sent, and the correction speaks through the desk.
      if (isFieldOf(form, target) && target.type !== "file" && !this.#desk.holds(target)) this.#changed();
    });
    form.addEventListener("submit", (event) => {
      this.#desk.writeBack();
      this.#leave();
      // Whoever listens after us may still stop it.
      setTimeout(() => {
        if (event.defaultPrevented) this.#stay();
      });
    });
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        this.#saveNow();
      }
    });
    document.addEventListener("visibilitychange", () => {
      this.#desk.writeBack();
      this.#saveNow();
    });
    window.addEventListener("online", () => this.#saveNow());
    window.addEventListener("focus", () => {
      if (this.#failed) this.#saveNow();
    });
    window.addEventListener("pagehide", () => {
      this.#desk.writeBack();
      this.#saveNow();
    });
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#stay();
    });
    window.addEventListener("beforeunload", (event) => {
      this.#desk.writeBack();
      if (this.#unsaved && this.#failed && !this.#leaving) event.preventDefault();
    });
  }

  get #unsaved(): boolean {
    return this.#edition > this.#kept;
  }

  #changed(): void {
    this.#edition += 1;
    this.#page.state.dataset["state"] = this.#failed ? "failed" : "unsaved";
    // While the server does not answer, typing doesn't bring the next try nearer or put it off.
    if (this.#retry === 0 || this.#timer === undefined) this.#sendAfter(QUIET_MS);
  }

  #sendAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#send(), milliseconds);
  }

  #saveNow(): void {
    if (!this.#unsaved) return;
    this.#urgent = true;
    void this.#send();
  }

  /** The form that is being sent says it all; a save that overtakes it would bring the draft back. */
  #leave(): void {
    this.#leaving = true;
    clearTimeout(this.#timer);
    this.#sending?.abort();
  }

  #stay(): void {
    this.#leaving = false;
    if (this.#unsaved) this.#sendAfter(QUIET_MS);
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending || this.#halted || this.#leaving || !this.#unsaved) return;
    this.#urgent = false;
    const content = this.#content();
    const outlives = this.#desk.fill(content) < OUTLIVES_BELOW;
    const edition = this.#edition;
    const sending = new AbortController();
    this.#sending = sending;
    try {
      const { answer, build } = await send(this.#page.draftUrl, content, outlives, sending.signal);
      this.#compare(build);
      this.#take(answer, edition);
    } catch (error) {
      if (!sending.signal.aborted) throw error;
    } finally {
      this.#sending = undefined;
    }
    const again = this.#unsaved && !this.#failed;
    if (again || this.#urgent) this.#sendAfter(this.#urgent ? 0 : QUIET_MS);
  }

  #content(): FormData {
    const content = new FormData(this.#page.form);
    for (const [name, value] of [...content]) if (value instanceof File) content.delete(name);
    return content;
  }

  #compare(build: string | null): void {
    const ours = document.documentElement.dataset["build"];
    if (build && ours && build !== ours) this.#remarks.add(NEW_VERSION);
  }

  #take(answer: Answer, edition: number): void {
    this.#failed = answer.is !== "saved";
    if (answer.is !== "unavailable") this.#retry = 0;
    switch (answer.is) {
      case "saved":
        this.#kept = edition;
        if (answer.version !== null) this.#set("draft_version", answer.version);
        this.#panel.show(answer.html);
        return this.#say(answer.state);
      case "conflict":
        this.#halted = true;
        this.#panel.show(answer.html);
        return this.#say(answer.state ?? CONFLICT);
      case "refused":
        if (answer.html !== null) this.#panel.show(answer.html);
        if (this.#edition > edition) this.#sendAfter(QUIET_MS);
        return this.#say(answer.state ?? REFUSED);
      case "signed-out":
        return this.#say(SIGNED_OUT);
      case "unavailable":
        this.#retry = Math.min(LAST_RETRY_MS, this.#retry === 0 ? FIRST_RETRY_MS : this.#retry * 2);
        this.#sendAfter(Math.max(this.#retry, answer.after * 1000));
        return this.#say(UNAVAILABLE);
    }
  }

  /** The person has looked at the conflict and said how to go on. */
  #resume(button: HTMLElement): void {
    for (const [name, value] of new URLSearchParams(button.dataset["fields"])) this.#set(name, value);
    const source = document.getElementById(button.dataset["text"] ?? "");
    this.#halted = false;
    if (source) this.#desk.replace(source instanceof HTMLTextAreaElement ? source.value : (source.textContent ?? ""));
    this.#edition += 1;
    this.#desk.focus();
    this.#saveNow();
  }

  #set(name: string, value: string): void {
    const field = this.#page.form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }

  #say(sentence: string): void {
    this.#said = sentence;
    const { state } = this.#page;
    state.dataset["state"] = this.#failed ? "failed" : this.#unsaved ? "unsaved" : "saved";
    const words = [sentence, ...this.#remarks].filter((part) => part !== "").join(" ");
    // Said again it would be read out again.
    if (state.textContent !== words) state.textContent = words;
  }
}
