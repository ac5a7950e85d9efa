// Writes the list of all files that the page is made of into sw.js.

import { readFile, readdir, writeFile } from "node:fs/promises";

const root = new URL("..", import.meta.url);
const FOLDERS = ["app", "engine", "game", "style", "vendor", "view"];
const SINGLE = ["./", "main.js", "types.js", "cards.svg", "icon.svg", "manifest.webmanifest"];
// Built, so they may not be there when the list is written.
const BUILT = ["klondike_wasm", "klondike_wasm_check"].flatMap((name) => [
  `wasm/${name}.js`,
  `wasm/${name}_bg.wasm`,
]);

/** The files that a browser needs, from the root of the page. */
export async function pageFiles() {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(new URL(`${folder}/`, root));
      return names.filter((name) => /\.(js|css)$/.test(name)).map((name) => `${folder}/${name}`);
    }),
  );
  return [...SINGLE, ...lists.flat().sort(), ...BUILT];
}

/** The service worker with this list. @param {string} text @param {string[]} files */
export function withFiles(text, files) {
  const list = files.map((file) => `  "${file}",\n`).join("");
  return text.replace(
    /(const FILES = \[\n)[^\]]*(\];)/,
    (_, begin, end) => `${begin}${list}${end}`,
  );
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const path = new URL("sw.js", root);
  await writeFile(path, withFiles(await readFile(path, "utf8"), await pageFiles()));
}
