import type { Text } from "@codemirror/state";

/** How many UTF-16 units the first `characters` of a line take. */
export function units(line: string, characters: number): number {
  let at = 0;
  for (let left = characters; left > 0 && at < line.length; left--) {
    at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** Where line and column, both from 1, stand in `doc`; past its end: at its end. */
export function placeIn(doc: Text, line: number, column: number): number {
  const { from, text } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return from + units(text, column - 1);
}
