// A correction value by value: where scripts run, the draft is kept while one types, like that of the editor (main.ts says
// how). Without this module the page is an ordinary form. It is a module of its own, without the editor.
//
//   <form data-values data-draft-url="/items/ID/draft">
//     <div class="values"> … <input name="value:/amount"> <textarea name="text:/note"></textarea> … </div>
//     <div id="draft-findings"></div> <p id="draft-state" role="status"></p>
//     …
//   </form>

import type { Desk } from "./desk.ts";
import { Draft } from "./draft.ts";
import { FindingsPanel } from "./findings-panel.ts";
import { readKept, type Field } from "./page.ts";

/** The fields as they are. */
class Values implements Desk {
  onChange = (): void => {};
  readonly #fields: readonly (HTMLInputElement | HTMLTextAreaElement)[];

  constructor(form: HTMLFormElement) {
    this.#fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[name^='value:'], [name^='text:']")];
    for (const field of this.#fields) field.addEventListener("input", () => this.onChange());
  }

  get restored(): boolean {
    return this.#fields.some((field) => field.value !== field.defaultValue);
  }

  holds(field: Field): boolean {
    return this.#fields.some((own) => own === field);
  }

  /** They are fields of the form, so they are sent as they are. */
  fill(): number {
    return this.#fields.reduce((length, { name, value }) => length + name.length + value.length, 0);
  }

  focus(): void {
    this.#fields[0]?.focus();
  }

  writeBack(): void {}
  mark(): void {}
  replace(): void {}
  goTo(): void {}
}

const form = document.querySelector<HTMLFormElement>("form[data-values]");
if (form) {
  const kept = readKept(form);
  const desk = new Values(form);
  new Draft(kept, desk, new FindingsPanel(kept.findings, desk));
  form.dataset["values"] = "ready";
}
