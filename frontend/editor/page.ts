/** A form whose draft is kept. */
export interface Kept {
  form: HTMLFormElement;
  findings: HTMLElement;
  state: HTMLElement;
  draftUrl: string;
}

/** What the module finds on the page; main.ts shows the markup. */
export interface Page extends Kept {
  /** Where the editor goes. */
  box: HTMLElement;
  /** The plain text areas, which the editor replaces. */
  sides: HTMLElement;
  parent: HTMLTextAreaElement;
  /** What is sent: whatever else shows the text writes it back here. */
  text: HTMLTextAreaElement;
  json: boolean;
  /** Lets the editor's styles past the page's policy. */
  nonce: string;
}

/** Throws what is missing: a page without it is a fault of ours. */
export function readKept(form: HTMLFormElement): Kept {
  const draftUrl = form.dataset["draftUrl"];
  if (!draftUrl) throw new Error("the form has no data-draft-url");
  return { form, findings: one(form, "#draft-findings"), state: one(form, "#draft-state"), draftUrl };
}

/** The same of the page with the editor. */
export function read(form: HTMLFormElement): Page {
  return {
    ...readKept(form),
    box: one(form, ".editor"),
    sides: one(form, ".editor-sides"),
    parent: one(form, "textarea#correct-parent"),
    text: one(form, "textarea#correct-text"),
    json: form.dataset["language"] === "json",
    nonce: document.querySelector<HTMLScriptElement>("script[data-editor-module]")?.nonce ?? "",
  };
}

function one<T extends HTMLElement>(form: HTMLFormElement, selector: string): T {
  const found = form.querySelector<T>(selector);
  if (!found) throw new Error(`the form has no ${selector}`);
  return found;
}

/** The words above a text area. */
export function nameOf(area: HTMLTextAreaElement): string {
  return area.labels[0]?.textContent?.trim() || (area.getAttribute("aria-label") ?? "");
}

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Whether an event comes from a field of this form, and not from one of the editor's own. */
export function isFieldOf(form: HTMLFormElement, target: EventTarget | null): target is Field {
  const field =
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return field && target.form === form;
}
