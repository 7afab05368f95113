// The payload editor: where scripts run, the two plain text areas of a correction become CodeMirror and the draft is kept
// on the server while one types. Without this module the page is an ordinary form.
//
// The page holds one
//
//   <form data-editor data-draft-url="/items/ID/draft" data-language="json">        any other language: plain text
//     <div class="editor">
//       <div class="editor-sides" data-long>             hidden once the editor stands in its place, still sent;
//                                                        data-long from 100 kB on: where scripts run it isn't drawn before
//         <div class="field"><label for="correct-parent">Revision 1</label>
//           <textarea id="correct-parent" readonly aria-label="…">…</textarea></div>
//         <div class="field"><label for="correct-text">Your draft</label>
//           <textarea id="correct-text" name="text" aria-label="…">…</textarea></div>
//       </div>
//     </div>
//     <p id="draft-state" role="status">Draft saved 10:04</p>
//     <div id="draft-findings">                          the difference and the findings, from the server
//       … <li data-line="3" data-column="4" data-severity="error|warning"><a href="#correct-text">Line 3</a> …</li> …
//     </div>
//     <input type="hidden" name="parent"> <input type="hidden" name="version"> <input type="hidden" name="draft_version">
//     <input name="reason"> …
//   </form>
//   <script type="module" nonce="…" data-editor-module src="…/editor.js"></script>
//
// Lines and columns count from 1, columns in characters. `data-message` on a finding is said at its line instead of all its
// words. A link to `#correct-text` in a finding goes to its place. The policy must allow the nonce for styles, too.
//
// A draft is the whole form but its files, posted as multipart with `X-Requested-With: fetch`. The answer:
//
//   200            HTML for #draft-findings, with `X-Draft-State` (what to say) and `X-Draft-Version`
//   401            signed out: said, tried again when the person comes back or types
//   409            HTML for #draft-findings with the three texts; nothing is saved until a `[data-resume]` in it is pressed.
//                  That button may carry `data-fields="draft_version=7&version=12"` for the form's fields and
//                  `data-text="ID"`, the element whose text or value becomes the draft's text
//   403, 413, 422  HTML for #draft-findings; tried again when the text changes. `X-Draft-State` as above, if there is one
//   429, 5xx, none tried again by itself, ever more rarely
//
// `X-Recourse-Build` on an answer is compared with `data-build` on <html>.

import { Draft } from "./draft.ts";
import { Editor } from "./editor.ts";
import { FindingsPanel } from "./findings-panel.ts";
import { read } from "./page.ts";
import { PlainText } from "./plain.ts";

/** Characters from which on a plain text area is quicker. */
const TOO_LONG = 2_000_000;

function start(form: HTMLFormElement): void {
  const page = read(form);
  const tooLong = page.text.value.length > TOO_LONG || page.parent.value.length > TOO_LONG;
  const desk = tooLong ? new PlainText(page) : new Editor(page);
  const panel = new FindingsPanel(page.findings, desk);
  const draft = new Draft(page, desk, panel);
  if (tooLong) draft.remark("This text is too long for the editor; it is edited as plain text.");
  form.dataset["editor"] = tooLong ? "plain" : "ready";
}

const form = document.querySelector<HTMLFormElement>("form[data-editor]");
if (form) start(form);
