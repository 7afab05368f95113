import { historyField } from "@codemirror/commands";
import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from "@codemirror/merge";
import { ChangeSet, EditorSelection, Text, type EditorState, type Extension } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { Bar } from "./bar.ts";
import type { Desk } from "./desk.ts";
import { draftSide, parentSide } from "./extensions.ts";
import type { Finding } from "./finding.ts";
import { diagnostics, findingsField, moved, setFindings } from "./findings.ts";
import { nameOf, type Field, type Page } from "./page.ts";
import { placeIn } from "./places.ts";

/** Narrower than this the parent shows within the draft instead of beside it. */
const NARROW = "(width < 900px)";
const WRITE_BACK_MS = 300;
/** A text area takes a while to be given more than this: it gets it when it is sent or the page goes. */
const WRITE_BACK_BELOW = 100_000;
/** Texts that have little in common are compared roughly rather than slowly. */
const DIFFERENCE = { scanLimit: 500, timeout: 60 };
const COLLAPSED = { margin: 3, minSize: 4 };

/** The draft beside its parent, differences marked as one types. */
export class Editor implements Desk {
  onChange = (): void => {};
  readonly #page: Page;
  readonly #narrow = matchMedia(NARROW);
  readonly #bar: Bar;
  readonly #place = document.createElement("div");
  readonly #parent: Text;
  #merge: MergeView | undefined;
  #draft: EditorView;
  #onlyDifferences = false;
  /** What the form's text area holds, as far as we know. */
  #written: string;
  #writing: number | undefined;
  /** The text that was saved last and what has changed since: findings about it are moved by that. */
  #saved: Text | undefined;
  #since: ChangeSet;

  constructor(page: Page) {
    const { text } = page;
    this.#page = page;
    this.#written = text.value;
    this.#parent = Text.of(page.parent.value.split("\n"));
    const doc = Text.of(this.#written.split("\n"));
    this.#saved = this.#written === text.defaultValue ? doc : undefined;
    this.#since = ChangeSet.empty(doc.length);
    const focused = document.activeElement === text;
    const selection = EditorSelection.single(text.selectionStart, text.selectionEnd);

    this.#bar = new Bar({
      previous: () => goToPreviousChunk(this.#draft),
      next: () => goToNextChunk(this.#draft),
      fold: (equal) => this.#fold(equal),
    });
    page.sides.hidden = true;
    // Nothing that can't be seen may hold the form up.
    text.required = false;
    this.#place.className = "editor-place";
    page.box.append(this.#bar.element, heads(page), this.#place);
    this.#draft = this.#build({ doc, selection: focused ? selection : EditorSelection.single(0) }, []);
    if (focused) this.#focusAt(this.#draft.state.selection.main.head);

    this.#narrow.addEventListener("change", () => this.#rebuild());
    page.form.addEventListener("reset", () => setTimeout(() => this.#adopt()));
    // A font that comes late makes lines of another height.
    document.fonts.addEventListener("loadingdone", () => this.#measure());
    void document.fonts.ready.then(() => this.#measure());
    // Some browsers restore what was typed only when the page is complete.
    window.addEventListener("pageshow", () => this.#adopt());
  }

  writeBack(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const text = this.#draft.state.doc.toString();
    if (text === this.#written) return;
    this.#written = text;
    this.#page.text.value = text;
  }

  get restored(): boolean {
    return this.#page.text.value !== this.#page.text.defaultValue;
  }

  holds(field: Field): boolean {
    return field === this.#page.text;
  }

  fill(content: FormData): number {
    this.#saved = this.#draft.state.doc;
    this.#since = ChangeSet.empty(this.#saved.length);
    content.set(this.#page.text.name, this.#saved.toString());
    return this.#saved.length;
  }

  mark(findings: readonly Finding[]): void {
    if (!this.#saved) return;
    const found = moved(diagnostics(findings, this.#saved), this.#since);
    this.#draft.dispatch({ effects: setFindings.of(found) });
  }

  replace(text: string): void {
    const insert = Text.of(text.split(/\r\n?|\n/));
    this.#draft.dispatch({ changes: { from: 0, to: this.#draft.state.doc.length, insert }, userEvent: "input.paste" });
  }

  goTo(line: number, column: number): void {
    this.#focusAt(placeIn(this.#draft.state.doc, line, column));
  }

  focus(): void {
    this.#draft.focus();
  }

  #focusAt(place: number): void {
    const { head } = this.#draft.state.selection.main;
    this.#draft.dispatch({
      ...(place === head ? {} : { selection: { anchor: place } }),
      effects: EditorView.scrollIntoView(place, { y: "center" }),
    });
    this.#draft.focus();
  }

  #measure(): void {
    this.#merge?.a.requestMeasure();
    this.#draft.requestMeasure();
  }

  /** Something else has written into the text area: the browser, or a reset. */
  #adopt(): void {
    const { value } = this.#page.text;
    if (value === this.#written) return;
    this.#written = value;
    this.replace(value);
  }

  #updated(update: ViewUpdate): void {
    const differences = getChunks(update.state)?.chunks;
    if (differences) this.#bar.count(differences.length);
    if (!update.docChanged) return;
    this.#since = this.#since.compose(update.changes);
    if (update.state.doc.length < WRITE_BACK_BELOW) {
      this.#writing ??= window.setTimeout(() => this.writeBack(), WRITE_BACK_MS);
    }
    this.onChange();
  }

  #fold(equal: boolean): void {
    this.#onlyDifferences = equal;
    if (this.#merge) this.#merge.reconfigure({ collapseUnchanged: equal ? COLLAPSED : undefined });
    else this.#rebuild();
  }

  /** The same text, cursor and history in another view. */
  #rebuild(): void {
    const { state } = this.#draft;
    const focused = this.#draft.hasFocus;
    (this.#merge ?? this.#draft).destroy();
    this.#place.replaceChildren();
    this.#draft = this.#build(state, [
      historyField.init(() => state.field(historyField)),
      findingsField.init(() => state.field(findingsField)),
    ]);
    if (focused) this.#focusAt(state.selection.main.head);
  }

  #build({ doc, selection }: Pick<EditorState, "doc" | "selection">, kept: Extension): EditorView {
    const collapse = this.#onlyDifferences ? { collapseUnchanged: COLLAPSED } : {};
    const extensions = [kept, draftSide(this.#page), EditorView.updateListener.of((update) => this.#updated(update))];
    if (this.#narrow.matches) {
      this.#merge = undefined;
      const original = this.#parent;
      const within = unifiedMergeView({ original, mergeControls: false, diffConfig: DIFFERENCE, ...collapse });
      return this.#counted(new EditorView({ doc, selection, extensions: [extensions, within], parent: this.#place }));
    }
    this.#merge = new MergeView({
      a: { doc: this.#parent, extensions: parentSide(this.#page) },
      b: { doc, selection, extensions },
      parent: this.#place,
      diffConfig: DIFFERENCE,
      ...collapse,
    });
    return this.#counted(this.#merge.b);
  }

  #counted(view: EditorView): EditorView {
    this.#bar.count(getChunks(view.state)?.chunks.length ?? 0);
    return view;
  }
}

/** The names of the two sides; the editors carry them for those who cannot see them. */
function heads({ parent, text }: Page): HTMLElement {
  const heads = document.createElement("div");
  heads.className = "editor-heads";
  heads.ariaHidden = "true";
  for (const area of [parent, text]) {
    const head = document.createElement("span");
    head.textContent = nameOf(area);
    heads.append(head);
  }
  return heads;
}
