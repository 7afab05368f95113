// node styles.mjs FONTS.css MAIN.css OUT.css — one minified stylesheet, imports resolved.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundleAsync, Features } from "lightningcss";

const [fonts, main, out] = process.argv.slice(2).map((path) => resolve(path));
const entry = join(dirname(main), "\0entry.css");
const version = (major, minor = 0) => (major << 16) | (minor << 8);

const { code, warnings } = await bundleAsync({
  filename: entry,
  minify: true,
  // The first browsers with light-dark(), nesting and cascade layers: nothing of ours is rewritten for older ones.
  targets: { chrome: version(123), firefox: version(128), safari: version(17, 5) },
  exclude: Features.LightDark | Features.Nesting,
  resolver: {
    resolve: (specifier, from) => (from === entry ? specifier : resolve(dirname(from), specifier)),
    read: (file) =>
      file === entry ? `@import ${JSON.stringify(fonts)};@import ${JSON.stringify(main)};` : readFileSync(file, "utf8"),
  },
});
for (const { message, loc } of warnings) {
  console.error(`${loc?.filename ?? main}:${loc?.line ?? 1}: ${message}`);
}
if (warnings.length > 0) process.exit(1);
writeFileSync(out, code);
