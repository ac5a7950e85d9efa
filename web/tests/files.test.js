// Files that tools write are current.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { pageFiles, withFiles } from "../tools/files.js";
import { vendored } from "../tools/vendor.js";

/** @param {string} name */
const read = (name) => readFile(new URL(`../${name}`, import.meta.url), "utf8");

test("no line is longer than 100 columns", async () => {
  const lists = await Promise.all(
    ["", "app", "e2e", "engine", "game", "npm", "style", "tests", "tools", "view"].map(
      async (folder) => (await readdir(new URL(`../${folder}`, import.meta.url))).map(
        (name) => (folder ? `${folder}/${name}` : name),
      ),
    ),
  );
  const names = lists.flat().filter((name) => /\.(js|css|md)$/.test(name));
  assert.ok(names.includes("app/app.js") && names.includes("README.md"));
  for (const name of names) {
    for (const [index, line] of (await read(name)).split("\n").entries()) {
      // A row of a table is one line.
      assert.ok(line.startsWith("|") || [...line].length <= 100, `${name}:${index + 1}`);
    }
  }
});

test("vendor/ is what tools/vendor.js makes", async () => {
  for (const [name, text] of await vendored())
    assert.equal(await read(`vendor/${name}`), text, name);
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
