// A worker: gets the compiled engine once, then answers one question after the other.

import { ask, initSync } from "../wasm/klondike_wasm.js";

/**
 * @typedef {{ module: WebAssembly.Module } | { id: number, request: string }} ToWorker
 * @typedef {{ id: number, progress?: string, answer?: string, error?: string,
 *   missing?: string }} FromWorker
 */

onmessage = ({ data }) => {
  if (data.module) {
    initSync({ module: data.module });
    return;
  }
  const { id, request } = data;
  try {
    const answer = ask(request, (/** @type {string} */ progress) => postMessage({ id, progress }));
    postMessage({ id, answer });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
