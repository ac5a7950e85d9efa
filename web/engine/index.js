// Picks the engine: the server that the page came from, or WebAssembly in the browser. If the
// server goes away, the browser goes on alone.

import { HttpEngine, ServerGone } from "./http.js";
import { WasmEngine } from "./wasm.js";

/** @typedef {import("../types.js").Engine} Engine */

/** @returns {Promise<Engine>} */
export async function startEngine() {
  const browser = new WasmEngine();
  if (await hasServer()) return withFallback(new HttpEngine("api/"), browser);
  // A failure is said with the first question.
  browser.load().catch(() => undefined);
  return browser;
}

/** A static host has no such file, or one that says so, or it answers with a page. */
async function hasServer() {
  try {
    const response = await fetch("api/hello", { cache: "no-store" });
    return response.ok && (await response.json()).kind === "hello";
  } catch {
    return false;
  }
}

/** What the page needs to go on without its server. */
const TO_GO_ON =
  "Start `klondike serve` again. Without it, the page needs its WebAssembly: run " +
  "`scripts/wasm.sh` before the program is built.";

/** @param {Engine} server @param {WasmEngine} browser @returns {Engine} */
function withFallback(server, browser) {
  let gone = false;
  return {
    name: server.name,
    async ask(request, options) {
      try {
        if (!gone) return await server.ask(request, options);
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        await browser.load().catch(() => {
          throw new ServerGone(TO_GO_ON);
        });
        gone = true;
      }
      return browser.ask(request, options);
    },
  };
}
