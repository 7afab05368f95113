import type { Finding } from "./finding.ts";
import type { Field } from "./page.ts";

/** Where the correction is worked on. */
export interface Desk {
  /** Told of every change of it by the person. */
  onChange: () => void;
  /** Brings the form up to date. */
  writeBack(): void;
  /** Whether the browser restored what was typed, or it was typed before this ran. */
  readonly restored: boolean;
  /** Whether a field of the form is one it tells the changes of. */
  holds(field: Field): boolean;
  /** Puts it as it is now into what is sent, and remembers it: the next findings are about this. Answers its length. */
  fill(content: FormData): number;
  /** Marks what was found in the text that was saved last, wherever it stands by now. */
  mark(findings: readonly Finding[]): void;
  /** Another text, as one change that can be undone. */
  replace(text: string): void;
  /** The cursor goes to a line and a column, both from 1. */
  goTo(line: number, column: number): void;
  focus(): void;
}
