// The payload editor: CodeMirror where scripts run, a plain text area where they don't.
import { expect, test, type Page } from "@playwright/test";

const hasScripts = () => test.info().project.use.javaScriptEnabled ?? true;

/** Waits until the editor stands in the place of the text areas. */
export async function editorReady(page: Page): Promise<void> {
  if (hasScripts()) await expect(page.locator("form[data-editor]")).toHaveAttribute("data-editor", "ready");
}

/** The text as it stands before anything was typed. */
export async function draftText(page: Page): Promise<string> {
  return page.locator("#correct-text").inputValue();
}

/** Types a text in the place of the one that is there. */
export async function typeDraft(page: Page, text: string): Promise<void> {
  if (!hasScripts()) {
    await page.locator("#correct-text").fill(text);
    return;
  }
  await editorReady(page);
  const draft = page.getByRole("textbox", { name: "Payload" });
  await draft.click();
  await draft.press("ControlOrMeta+a");
  // As a paste: typed letter by letter, brackets would close themselves.
  await page.keyboard.insertText(text);
}
