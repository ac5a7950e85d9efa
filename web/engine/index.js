// Picks the engine: the server that the page came from, or WebAssembly in the browser.

import { HttpEngine } from "./http.js";
import { WasmEngine } from "./wasm.js";

/** @returns {Promise<import("../types.js").Engine>} */
export async function startEngine() {
  if (await hasServer()) return new HttpEngine("api/");
  return WasmEngine.load();
}

/** A static host has no such file, and may answer with a page instead. */
async function hasServer() {
  try {
    const response = await fetch("api/hello", { cache: "no-store" });
    return response.ok && (await response.json()).kind === "hello";
  } catch {
    return false;
  }
}
