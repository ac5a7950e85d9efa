// The engine in the browser: WebAssembly in workers, one for each lane of questions, so that a
// short question never waits for a long one.

import { EngineMissing, checked } from "./errors.js";
import { WorkerLane } from "./lane.js";

/** @typedef {import("../types.js").Lane} Lane */

const WHAT = "the solver";
const FILE = "../wasm/klondike_wasm_bg.wasm";

export class WasmEngine {
  name = "browser";

  /** @type {Promise<Record<Lane, WorkerLane>> | null} */
  #lanes = null;

  /** Loads the engine, once; after a failure again. */
  load() {
    this.#lanes ??= startLanes().catch((error) => {
      this.#lanes = null;
      throw new EngineMissing(WHAT, error);
    });
    return this.#lanes;
  }

  /**
   * @param {import("../types.js").Request} request
   * @param {import("../types.js").AskOptions} [options]
   */
  async ask(request, { lane = "long", onProgress, signal } = {}) {
    const message = { request: JSON.stringify(request) };
    const lanes = await this.load();
    return checked(await lanes[lane].ask(message, { onProgress, signal }));
  }
}

/** @returns {Promise<Record<Lane, WorkerLane>>} */
async function startLanes() {
  const module = await compile(await fetch(new URL(FILE, import.meta.url)));
  const start = () => {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.postMessage({ module });
    return worker;
  };
  const lane = () => new WorkerLane(start, WHAT);
  const lanes = { quick: lane(), light: lane(), long: lane() };
  lanes.quick.warm();
  lanes.light.warm();
  return lanes;
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
