// How it looks, in the tokens of style/tokens.css, which know light from dark. CodeMirror's own styles stand outside the
// page's layers and win over them, so whatever is about a `.cm-…` stands here; where the editor goes says editor.css.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const RED = "light-dark(oklch(0.955 0.024 20), oklch(0.285 0.05 22))";
const RED_STRONG = "light-dark(oklch(0.885 0.065 20), oklch(0.4 0.095 22))";
const GREEN = "light-dark(oklch(0.95 0.045 158), oklch(0.28 0.045 160))";
const GREEN_STRONG = "light-dark(oklch(0.88 0.09 158), oklch(0.39 0.08 160))";
const AMBER = "light-dark(oklch(0.9 0.1 90), oklch(0.38 0.075 80))";
const AMBER_STRONG = "light-dark(oklch(0.86 0.13 75), oklch(0.4 0.1 70))";

const theme = EditorView.theme({
  "&": { minBlockSize: "12rem", color: "var(--text)", fontSize: "var(--size-sm)", backgroundColor: "var(--surface)" },
  "&.cm-merge-a": { backgroundColor: "var(--surface-sunk)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { flex: "1", fontFamily: "var(--mono)", fontVariantLigatures: "none", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "var(--s2) 0" },
  ".cm-content:focus-visible": { outline: "var(--focus)", outlineOffset: "-2px", borderRadius: "0" },
  ".cm-line": { padding: "0 var(--s3) 0 var(--s2)" },
  "&.cm-foreign .cm-line": { unicodeBidi: "plaintext", textAlign: "start" },

  ".cm-gutters, &.cm-merge-b .cm-gutters": {
    border: "0",
    backgroundColor: "transparent",
    color: "var(--text-faint)",
  },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25rem", padding: "0 0.25rem 0 0.375rem" },
  ".cm-foldGutter .cm-gutterElement": { width: "1.125rem", textAlign: "center", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    padding: "0 0.375rem",
    border: "1px solid var(--line)",
    backgroundColor: "var(--surface-raised)",
    color: "var(--text-soft)",
  },

  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: RED },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: GREEN },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: RED_STRONG, borderRadius: "2px" },
  "&.cm-merge-b .cm-changedText": { background: GREEN_STRONG, borderRadius: "2px" },
  ".cm-deletedChunk": { paddingInline: "var(--s2) var(--s3)", textDecoration: "none" },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedLine .cm-deletedText": { textDecoration: "line-through" },
  ".cm-changeGutter": { width: "4px", paddingLeft: "0" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger-solid)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "light-dark(oklch(0.55 0.13 158), oklch(0.72 0.13 160))" },
  ".cm-mergeSpacer": {
    background: "repeating-linear-gradient(-45deg, transparent 0 5px, var(--hover) 5px 7px)",
  },
  ".cm-collapsedLines": {
    padding: "0.25rem var(--s3)",
    background: "var(--pressed)",
    color: "var(--text-soft)",
    fontFamily: "var(--sans)",
    "&:before, &:after": { content: "none" },
  },

  "&.cm-focused .cm-matchingBracket": { background: "none", outline: "1px solid var(--line-control)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: RED_STRONG },
  ".cm-searchMatch": { backgroundColor: AMBER },
  ".cm-searchMatch-selected": { backgroundColor: AMBER_STRONG },
  ".cm-selectionMatch": { backgroundColor: "var(--pressed)" },
  ".cm-specialChar": {
    padding: "0 0.25em",
    border: "1px solid currentColor",
    borderRadius: "2px",
    color: "light-dark(oklch(0.47 0.17 26), oklch(0.8 0.11 24))",
    fontSize: "0.8em",
  },

  ".cm-panels": { zIndex: "3", backgroundColor: "var(--surface-raised)", color: "var(--text)", fontFamily: "var(--sans)" },
  ".cm-panels-top": { borderBlockEnd: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderBlockStart: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "var(--s2) var(--s8) var(--s2) var(--s2)" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": {
    margin: "0 var(--s2) var(--s1) 0",
    fontSize: "var(--size-sm)",
  },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "0.25rem" },
  ".cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint [name=close]": {
    minInlineSize: "1.5rem",
    minBlockSize: "1.5rem",
    margin: "var(--s1)",
    color: "inherit",
    fontSize: "var(--size-lg)",
  },
  ".cm-textfield": {
    inlineSize: "14rem",
    maxInlineSize: "100%",
    minBlockSize: "var(--control-small)",
    padding: "0 0.5rem",
    border: "1px solid var(--line-control)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--surface)",
  },
  ".cm-button": {
    minBlockSize: "var(--control-small)",
    padding: "0 0.5rem",
    border: "1px solid var(--line-control)",
    borderRadius: "var(--radius)",
    background: "var(--surface)",
    textTransform: "capitalize",
    "&:active": { background: "var(--pressed)" },
  },
  ".cm-dialog": { padding: "var(--s2)" },
  ".cm-tooltip": {
    overflow: "hidden",
    maxInlineSize: "min(36rem, 90vw)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--surface-raised)",
    boxShadow: "var(--shadow-2)",
    fontFamily: "var(--sans)",
  },
  ".cm-diagnostic": { padding: "var(--s1) var(--s2)", overflowWrap: "anywhere" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger-solid)" },
  ".cm-gutter-lint": { width: "1.25rem" },
  ".cm-lintRange-active": { backgroundColor: AMBER },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)" },
});

const tokens = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-key)" },
  { tag: tags.string, color: "var(--json-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--json-value)" },
]);

export const look = [theme, syntaxHighlighting(tokens)];
