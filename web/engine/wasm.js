// The engine in the browser: WebAssembly in workers, one for each lane of questions, so that a
// short question never waits for a long one.

import { EngineMissing, checked } from "./errors.js";
import { WorkerLane } from "./lane.js";

/** @typedef {import("../types.js").Lane} Lane */

const WHAT = "the solver";

export class WasmEngine {
  name = "browser";

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const start = () => {
      const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
      worker.postMessage({ module });
      return worker;
    };
    /** @type {Record<Lane, WorkerLane>} */
    this.lanes = {
      quick: new WorkerLane(start, WHAT),
      light: new WorkerLane(start, WHAT),
      long: new WorkerLane(start, WHAT),
    };
    this.lanes.quick.warm();
    this.lanes.light.warm();
  }

  /** @returns {Promise<WasmEngine>} */
  static async load() {
    const url = new URL("../wasm/klondike_wasm_bg.wasm", import.meta.url);
    try {
      return new WasmEngine(await compile(await fetch(url)));
    } catch (error) {
      throw new EngineMissing(WHAT, error);
    }
  }

  /**
   * @param {import("../types.js").Request} request
   * @param {import("../types.js").AskOptions} [options]
   */
  async ask(request, { lane = "long", onProgress, signal } = {}) {
    const message = { request: JSON.stringify(request) };
    return checked(await this.lanes[lane].ask(message, { onProgress, signal }));
  }
}

/**
 * Some servers do not name the type of the file; then it is read whole.
 * @param {Response} response
 */
async function compile(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
