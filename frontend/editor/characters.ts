// Characters that would not show, or turn the text around them, framed and named: the same that the pages name elsewhere.
import { highlightSpecialChars } from "@codemirror/view";

/** Where joiners belong to the spelling, or hold an emoji together, they are no surprise. */
const JOINS =
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f" +
  ["Arabic", "Syriac", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"]
    .concat(["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"])
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join("");

const HIDES = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
    "\\u2000-\\u200b\\u200e\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\u{e0000}-\\u{e0fff}\\p{Surrogate}]" +
    `|(?<![${JOINS}])[\\u200c\\u200d]`,
  "gu",
);

const NAMES: Record<number, [short: string, long: string]> = {
  0x00: ["NUL", "null"],
  0x0b: ["VT", "vertical tab"],
  0x0c: ["FF", "form feed"],
  0x1b: ["ESC", "escape"],
  0x7f: ["DEL", "delete"],
  0x85: ["NEL", "next line"],
  0xa0: ["NBSP", "no-break space"],
  0xad: ["SHY", "soft hyphen"],
  0x034f: ["CGJ", "combining grapheme joiner"],
  0x061c: ["ALM", "Arabic letter mark"],
  0x200b: ["ZWSP", "zero-width space"],
  0x200c: ["ZWNJ", "zero-width non-joiner"],
  0x200d: ["ZWJ", "zero-width joiner"],
  0x200e: ["LRM", "left-to-right mark"],
  0x200f: ["RLM", "right-to-left mark"],
  0x2028: ["LS", "line separator"],
  0x2029: ["PS", "paragraph separator"],
  0x202a: ["LRE", "left-to-right embedding"],
  0x202b: ["RLE", "right-to-left embedding"],
  0x202c: ["PDF", "pop directional formatting"],
  0x202d: ["LRO", "left-to-right override"],
  0x202e: ["RLO", "right-to-left override"],
  0x202f: ["NNBSP", "narrow no-break space"],
  0x2060: ["WJ", "word joiner"],
  0x2066: ["LRI", "left-to-right isolate"],
  0x2067: ["RLI", "right-to-left isolate"],
  0x2068: ["FSI", "first strong isolate"],
  0x2069: ["PDI", "pop directional isolate"],
  0x3000: ["IDSP", "ideographic space"],
  0xfeff: ["BOM", "byte order mark"],
};

function render(code: number): HTMLElement {
  const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const [short, long] = NAMES[code] ?? [point, "a character that does not show"];
  const frame = document.createElement("span");
  frame.className = "cm-specialChar";
  frame.textContent = short;
  frame.title = `${point} ${long}`;
  frame.setAttribute("role", "img");
  frame.setAttribute("aria-label", `${point} ${long}`);
  return frame;
}

export const hiddenCharacters = highlightSpecialChars({ specialChars: HIDES, render });
