// The npm package in a browser, served as it is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve, startBrowser } from "./support.js";

const folder = new URL("../npm/", import.meta.url);

test("klondike-solver answers in a browser", async () => {
  execFileSync("node", ["build.js"], { cwd: fileURLToPath(folder) });
  const wasm = ["klondike_wasm", "klondike_wasm_check"].flatMap((name) => [
    `wasm/${name}.js`,
    `wasm/${name}_bg.wasm`,
  ]);
  const host = await serve(folder, new Set(["index.js", "package.json", ...wasm]));
  const browser = await startBrowser();
  const page = await browser.newPage();
  await page.goto(`${host.url}package.json`);
  const seen = await page.evaluate(async (url) => {
    const { check, prove, solve } = await import(url);
    const { verdict } = await solve("klondike:1");
    const { certificate } = await prove("klondike:37");
    const { verified } = await check(certificate);
    return { verdict, verified };
  }, `${host.url}index.js`);
  assert.deepEqual(seen, { verdict: "winnable", verified: true });
  await browser.close();
  await host.stop();
});
