// Copies Preact, its hooks and htm out of node_modules into vendor/, each as one file.
// The page has no bundler and no import map, so the one bare import becomes a relative one.

import { mkdir, readFile, writeFile } from "node:fs/promises";

const root = new URL("..", import.meta.url);
const modules = new URL("node_modules/", root);

const FILES = [
  { from: "preact/dist/preact.mjs", to: "preact.js" },
  { from: "preact/hooks/dist/hooks.mjs", to: "hooks.js" },
  { from: "htm/dist/htm.module.js", to: "htm.js" },
  { from: "preact/LICENSE", to: "preact.LICENSE" },
  { from: "htm/LICENSE", to: "htm.LICENSE" },
];

/** The files of vendor/ by name, made from node_modules. */
export async function vendored() {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const { from, to } of FILES) {
    const text = await readFile(new URL(from, modules), "utf8");
    files.set(
      to,
      text.replace('from"preact"', 'from"./preact.js"').replace(/\/\/# sourceMappingURL=.*\n?/, ""),
    );
  }
  return files;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  await mkdir(new URL("vendor/", root), { recursive: true });
  for (const [name, text] of await vendored()) {
    await writeFile(new URL(`vendor/${name}`, root), text);
  }
}
