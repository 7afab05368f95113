/** What the bar above the editor can be asked to do. */
export interface Commands {
  previous(): void;
  next(): void;
  /** Leaves out, or shows again, what is equal. */
  fold(equal: boolean): void;
}

/** How many differences there are, and ways to them. */
export class Bar {
  readonly element = document.createElement("div");
  readonly #tally = document.createElement("span");
  readonly #steps: HTMLButtonElement[];

  constructor(commands: Commands) {
    this.element.className = "editor-bar";
    this.#tally.className = "editor-tally";
    this.#steps = [
      button("Previous", () => commands.previous(), " difference"),
      button("Next", () => commands.next(), " difference"),
    ];
    const fold = button("Only differences", () => {
      const folded = fold.ariaPressed !== "true";
      fold.ariaPressed = String(folded);
      commands.fold(folded);
    });
    fold.ariaPressed = "false";
    this.element.append(this.#tally, ...this.#steps, fold);
  }

  count(differences: number): void {
    const words = differences === 1 ? "1 difference" : `${differences === 0 ? "No" : differences} differences`;
    if (this.#tally.textContent !== words) this.#tally.textContent = words;
    // Not `disabled`: that would take the focus away from whoever just undid the last one.
    for (const step of this.#steps) step.ariaDisabled = String(differences === 0);
  }
}

/** `more` completes the words for those who don't see what stands beside them. */
function button(words: string, press: () => void, more = ""): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button button--small button--quiet";
  const unseen = document.createElement("span");
  unseen.className = "visually-hidden";
  unseen.textContent = more;
  element.append(words, ...(more ? [unseen] : []));
  element.addEventListener("click", press);
  return element;
}
