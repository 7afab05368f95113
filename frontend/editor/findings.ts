// What the server found in the text, and what the browser's own parser finds, as marks at their lines.
import { jsonParseLinter } from "@codemirror/lang-json";
import { syntaxTree } from "@codemirror/language";
import { linter, lintGutter, type Diagnostic } from "@codemirror/lint";
import { StateEffect, StateField, type ChangeDesc, type EditorState, type Extension, type Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Finding } from "./finding.ts";
import { placeIn } from "./places.ts";

/** From this length on only the server looks for errors of syntax. */
const PARSED_BELOW = 1_000_000;
const QUIET_MS = 400;
/** What a finding underlines: the string, number or word it points at. */
const TOKEN = /^(?:"(?:[^"\\]|\\.){0,200}"?|[\p{L}\p{N}_.+-]{1,200})/u;

export function diagnostics(findings: readonly Finding[], doc: Text): Diagnostic[] {
  const found = findings.map(({ line, column, severity, message }): Diagnostic => {
    const from = placeIn(doc, line, column);
    const rest = doc.sliceString(from, Math.min(doc.lineAt(from).to, from + 256));
    return { from, to: from + (TOKEN.exec(rest)?.[0].length ?? 0), severity, message };
  });
  return found.sort((a, b) => a.from - b.from);
}

export function moved(found: readonly Diagnostic[], changes: ChangeDesc): Diagnostic[] {
  return found.map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, 1) }));
}

export const setFindings = StateEffect.define<readonly Diagnostic[]>();

/** The server's findings, moving with the text until there are newer ones. */
export const findingsField = StateField.define<readonly Diagnostic[]>({
  create: () => [],
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFindings)) return effect.value;
    return transaction.docChanged && found.length > 0 ? moved(found, transaction.changes) : found;
  },
});

export function linting(json: boolean): Extension {
  const source = (view: EditorView): Diagnostic[] => {
    const { state } = view;
    const told = [...state.field(findingsField)];
    const syntax = json && state.doc.length > 0 && state.doc.length < PARSED_BELOW ? syntaxErrors(view) : [];
    return [...told, ...syntax.filter((error) => !told.some((other) => onOneLine(state, error, other)))];
  };
  const needsRefresh = ({ state, startState }: { state: EditorState; startState: EditorState }): boolean =>
    state.field(findingsField) !== startState.field(findingsField);
  return [findingsField, linter(source, { delay: QUIET_MS, needsRefresh }), lintGutter()];
}

const parse = jsonParseLinter();

/** The parser's one error. Where it doesn't say its place, that of the first broken token. */
function syntaxErrors(view: EditorView): Diagnostic[] {
  return parse(view).map((error) => {
    if (/position|line \d+ column/.test(error.message)) return error;
    const from = firstBroken(view.state) ?? view.state.doc.length;
    return { ...error, from, to: from };
  });
}

function firstBroken(state: EditorState): number | undefined {
  const cursor = syntaxTree(state).cursor();
  do {
    if (cursor.type.isError) return cursor.from;
  } while (cursor.next());
  return undefined;
}

/** The server's words are better than the browser's for the same fault. */
function onOneLine(state: EditorState, error: Diagnostic, other: Diagnostic): boolean {
  return other.severity === "error" && state.doc.lineAt(error.from).number === state.doc.lineAt(other.from).number;
}
