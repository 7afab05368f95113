// What the server found in a text, as it stands in its answer.

/** Lines and columns from 1, columns in characters. */
export interface Finding {
  line: number;
  column: number;
  severity: "error" | "warning";
  message: string;
}

export function readFindings(root: Element): Finding[] {
  return [...root.querySelectorAll<HTMLElement>("[data-line]")].flatMap((element) => {
    const line = Number(element.dataset["line"]);
    if (!Number.isInteger(line) || line < 1) return [];
    return {
      line,
      column: Math.max(1, Number(element.dataset["column"]) || 1),
      severity: element.dataset["severity"] === "warning" ? ("warning" as const) : ("error" as const),
      message: element.dataset["message"] ?? (element.textContent ?? "").replace(/\s+/g, " ").trim(),
    };
  });
}
