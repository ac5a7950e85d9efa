// The vendored files are those of the pinned packages.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { vendored } from "../tools/vendor.js";

test("vendor/ is what tools/vendor.js makes", async () => {
  for (const [name, text] of await vendored()) {
    assert.equal(await readFile(new URL(`../vendor/${name}`, import.meta.url), "utf8"), text, name);
  }
});
