import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { jsonLanguage } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { hiddenCharacters } from "./characters.ts";
import { linting } from "./findings.ts";
import { direction } from "./isolates.ts";
import { look } from "./look.ts";
import { nameOf, type Page } from "./page.ts";

/** Both sides. Tab is bound to nothing: it leaves the editor as it leaves any field; Mod-] and Mod-[ indent. */
function either({ json, nonce }: Page): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    foldGutter(),
    hiddenCharacters,
    bracketMatching(),
    EditorView.lineWrapping,
    EditorState.tabSize.of(2),
    search(),
    keymap.of([...searchKeymap, ...foldKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
    json ? jsonLanguage : [],
    direction(json),
    look,
  ];
}

export function parentSide(page: Page): Extension {
  return [
    either(page),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ ...attributes(page.parent), "aria-readonly": "true" }),
  ];
}

export function draftSide(page: Page): Extension {
  return [
    either(page),
    history(),
    linting(page.json),
    indentUnit.of(indentation(page.text.value)),
    EditorView.contentAttributes.of(attributes(page.text)),
  ];
}

/** The name of a text area and what describes it, for what stands in its place. */
function attributes(area: HTMLTextAreaElement): Record<string, string> {
  const given: Record<string, string> = { tabindex: "0", "aria-label": area.getAttribute("aria-label") ?? nameOf(area) };
  for (const name of ["aria-describedby", "aria-invalid"]) {
    const value = area.getAttribute(name);
    if (value !== null) given[name] = value;
  }
  return given;
}

/** How the text is indented: as its first indented line is. */
function indentation(text: string): string {
  return /^(\t| {1,8})(?=\S)/m.exec(text)?.[1] ?? "  ";
}
