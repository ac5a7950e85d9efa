// Puts together what the package needs beside its own file: the built engine, the licences, the
// types.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

if (!existsSync(here("../wasm/klondike_wasm_bg.wasm")))
  throw new Error("build the engine first: scripts/web.sh");
mkdirSync(here("wasm"), { recursive: true });
for (const name of ["klondike_wasm", "klondike_wasm_check"]) {
  for (const ending of [".js", ".d.ts", "_bg.wasm"]) {
    copyFileSync(here(`../wasm/${name}${ending}`), here(`wasm/${name}${ending}`));
  }
}
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"])
  copyFileSync(here(`../../${name}`), here(name));
const options = [
  "--allowJs",
  "--checkJs",
  "--strict",
  "--declaration",
  "--emitDeclarationOnly",
  "--skipLibCheck",
  "--ignoreConfig",
];
const target = [
  "--target",
  "es2022",
  "--module",
  "nodenext",
  "--types",
  "node",
  "--outDir",
  here("."),
];
execFileSync(here("../node_modules/.bin/tsc"), [...options, ...target, here("index.js")], {
  stdio: "inherit",
  cwd: here(".."),
});
