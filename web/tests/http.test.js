// The engine of the server: what it does when the server is busy, or ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpEngine, ServerGone } from "../engine/http.js";

/**
 * Answers of a server, one after the other.
 * @param {import("node:test").TestContext} t
 * @param {Response[]} answers
 */
function serve(t, answers) {
  return t.mock.method(globalThis, "fetch", async () => answers.shift());
}

const busy = () =>
  new Response("{}", { status: 429, headers: { "retry-after": "0.001" } });

test("a question that the server has no room for is asked again", async (t) => {
  const fetched = serve(t, [busy(), busy(), Response.json({ kind: "position" })]);
  const answer = await new HttpEngine("api/").ask({ kind: "position" }, { lane: "quick" });
  assert.equal(answer.kind, "position");
  assert.equal(fetched.mock.callCount(), 3);
});

test("a stream that is cut off is a server that is gone", async (t) => {
  const headers = { "content-type": "text/event-stream" };
  const cut = 'data: {"kind":"progress","states":1}\n\n';
  serve(t, [new Response(cut, { headers })]);
  /** @type {any[]} */
  const seen = [];
  const options = { onProgress: (/** @type {any} */ progress) => seen.push(progress.states) };
  await assert.rejects(new HttpEngine("api/").ask({ kind: "solve" }, options), ServerGone);
  assert.deepEqual(seen, [1]);
});
