import type { Desk } from "./desk.ts";
import type { Field, Page } from "./page.ts";
import { units } from "./places.ts";

/** The text area as it is, for texts an editor would make slow. */
export class PlainText implements Desk {
  onChange = (): void => {};
  readonly #area: HTMLTextAreaElement;

  constructor(page: Page) {
    this.#area = page.text;
    this.#area.addEventListener("input", () => this.onChange());
  }

  writeBack(): void {}
  mark(): void {}

  get restored(): boolean {
    return this.#area.value !== this.#area.defaultValue;
  }

  holds(field: Field): boolean {
    return field === this.#area;
  }

  fill(content: FormData): number {
    content.set(this.#area.name, this.#area.value);
    return this.#area.value.length;
  }

  replace(text: string): void {
    this.#area.value = text;
    this.onChange();
  }

  goTo(line: number, column: number): void {
    const { value } = this.#area;
    let from = 0;
    for (let at = 1; at < line; at++) {
      const end = value.indexOf("\n", from);
      if (end < 0) break;
      from = end + 1;
    }
    const end = value.indexOf("\n", from);
    const place = from + units(value.slice(from, end < 0 ? undefined : end), column - 1);
    this.#area.focus();
    this.#area.setSelectionRange(place, place);
  }

  focus(): void {
    this.#area.focus();
  }
}
