// Files that tools write are current.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { pageFiles, withFiles } from "../tools/files.js";
import { vendored } from "../tools/vendor.js";

/** @param {string} name */
const read = (name) => readFile(new URL(`../${name}`, import.meta.url), "utf8");

test("vendor/ is what tools/vendor.js makes", async () => {
  for (const [name, text] of await vendored()) assert.equal(await read(`vendor/${name}`), text, name);
});

test("the service worker keeps every file of the page", async () => {
  const text = await read("sw.js");
  assert.equal(text, withFiles(text, await pageFiles()), "run `npm run files`");
});

test("no file of the page loads anything from elsewhere", async () => {
  for (const name of await pageFiles()) {
    if (!/\.(js|css|svg)$/.test(name) || name.startsWith("wasm/")) continue;
    const text = (await read(name)).replaceAll("http://www.w3.org/", "");
    assert.doesNotMatch(text, /https?:\/\/[a-z]/, name);
  }
});
