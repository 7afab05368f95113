// node editor.mjs MAIN.ts OUT.js LICENCES.txt — one minified module, and the licences of all that is in it.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const [main, out, licences] = process.argv.slice(2);

const { metafile } = await build({
  entryPoints: [main],
  outfile: out,
  bundle: true,
  minify: true,
  format: "esm",
  charset: "utf8",
  // The browsers that xtask/web/styles.mjs names.
  target: ["chrome123", "firefox128", "safari17.5"],
  metafile: true,
  logLevel: "warning",
});

/** The folder of the package that a file is of, if it is no file of ours. */
function packageOf(file) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

const texts = new Map();
for (const folder of new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))) {
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  texts.set(text, [...(texts.get(text) ?? []), folder.replace(/^.*node_modules\//, "")]);
}
if (texts.size === 0) process.exit();
// The first line of the module says what is in it.
writeFileSync(out, `/* With CodeMirror, licence MIT: ${basename(licences)} */\n${readFileSync(out, "utf8")}`);
const parts = [...texts].map(([text, names]) => `${names.sort().join(", ")}\n\n${text}\n`);
writeFileSync(licences, parts.sort().join(`\n${"-".repeat(72)}\n\n`));
