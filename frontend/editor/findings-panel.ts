import type { Desk } from "./desk.ts";
import { readFindings } from "./finding.ts";

/** The server's HTML under the editor: the difference, the findings, or the three texts of a conflict. */
export class FindingsPanel {
  /** Told which button of a conflict was pressed. */
  onResume = (_button: HTMLElement): void => {};
  readonly #element: HTMLElement;
  readonly #desk: Desk;
  #shown = "";

  constructor(element: HTMLElement, desk: Desk) {
    this.#element = element;
    this.#desk = desk;
    element.addEventListener("click", (event) => this.#clicked(event));
    desk.mark(readFindings(element));
  }

  /** Shows what the server made of the text that was saved last. Equal HTML is left alone, with whatever is open in it. */
  show(html: string): void {
    if (html !== this.#shown) {
      this.#shown = html;
      this.#exchange(html);
    }
    this.#desk.mark(readFindings(this.#element));
  }

  /** What was unfolded stays so, and the focus stays here if it was. */
  #exchange(html: string): void {
    const element = this.#element;
    const unfolded = [...element.querySelectorAll("details[open][id]")].map(({ id }) => id);
    const focused = element.contains(document.activeElement);
    element.innerHTML = html;
    for (const id of unfolded) element.querySelector(`details#${CSS.escape(id)}`)?.setAttribute("open", "");
    if (focused) {
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    }
  }

  #clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const resume = target?.closest<HTMLElement>("[data-resume]");
    const place = target?.closest("a[href='#correct-text']")?.closest<HTMLElement>("[data-line]");
    if (resume) this.onResume(resume);
    else if (place) this.#desk.goTo(Number(place.dataset["line"]), Number(place.dataset["column"]) || 1);
    else return;
    event.preventDefault();
  }
}
