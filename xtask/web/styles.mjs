// node styles.mjs MAIN.css OUT.css — one minified stylesheet, imports resolved.
import { writeFileSync } from "node:fs";
import { bundle, Features } from "lightningcss";

const [main, out] = process.argv.slice(2);
const version = (major, minor = 0) => (major << 16) | (minor << 8);

const { code, warnings } = bundle({
  filename: main,
  minify: true,
  // The first browsers with light-dark(), nesting and cascade layers: nothing of ours is rewritten for older ones.
  targets: { chrome: version(123), firefox: version(128), safari: version(17, 5) },
  exclude: Features.LightDark | Features.Nesting,
});
for (const { message, loc } of warnings) {
  console.error(`${loc?.filename ?? main}:${loc?.line ?? 1}: ${message}`);
}
if (warnings.length > 0) process.exit(1);
writeFileSync(out, code);
