import type { Finding } from "./findings.ts";

/** Where the text is worked on. */
export interface Desk {
  /** Told of every change of the text by the person. */
  onChange: () => void;
  /** Brings the form's text area up to date. */
  writeBack(): void;
  /** The text as it is now, remembered: the next findings are about this one. */
  beginSaving(): string;
  /** Marks what was found in the text that was saved last, wherever it stands by now. */
  mark(findings: readonly Finding[]): void;
  /** Another text, as one change that can be undone. */
  replace(text: string): void;
  /** The cursor goes to a line and a column, both from 1. */
  goTo(line: number, column: number): void;
  focus(): void;
}
