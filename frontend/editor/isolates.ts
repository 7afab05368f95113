// Strings of JSON with right-to-left words keep to themselves: without this they would pull the punctuation around them.
import { syntaxTree } from "@codemirror/language";
import { Prec, RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Longer strings are laid out in pieces anyway. */
const LONGEST = 10_000;

/** The string's own words say its direction. */
const isolate = Decoration.mark({ attributes: { dir: "auto" }, class: "cm-iso", bidiIsolate: null, inclusive: true });

function isolated(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    if (!RIGHT_TO_LEFT.test(view.state.sliceDoc(from, to))) continue;
    syntaxTree(view.state).iterate({
      from,
      to,
      enter(node) {
        if (node.name !== "String" && node.name !== "PropertyName") return;
        const short = node.to - node.from < LONGEST;
        if (short && RIGHT_TO_LEFT.test(view.state.sliceDoc(node.from, node.to))) found.add(node.from, node.to, isolate);
      },
    });
  }
  return found.finish();
}

const plugin = ViewPlugin.fromClass(
  class {
    isolates: DecorationSet;
    #tree;

    constructor(view: EditorView) {
      this.isolates = isolated(view);
      this.#tree = syntaxTree(view.state);
    }

    update({ docChanged, viewportChanged, state, view }: ViewUpdate): void {
      if (!docChanged && !viewportChanged && syntaxTree(state) === this.#tree) return;
      this.isolates = isolated(view);
      this.#tree = syntaxTree(state);
    }
  },
  {
    provide: (plugin) => {
      const isolates = (view: EditorView): DecorationSet => view.plugin(plugin)?.isolates ?? Decoration.none;
      return Prec.lowest([EditorView.decorations.of(isolates), EditorView.bidiIsolatedRanges.of(isolates)]);
    },
  },
);

/** JSON reads from left to right with its strings apart; of other text each line has its own direction. */
export function direction(json: boolean): Extension {
  return json ? plugin : [EditorView.perLineTextDirection.of(true), EditorView.editorAttributes.of({ class: "cm-foreign" })];
}
