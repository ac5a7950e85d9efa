// A worker with the checker of certificates, which shares no code with the solver.

import init, { check } from "../wasm/klondike_wasm_check.js";

const ready = init();
ready.catch(() => undefined); // said with the first question

onmessage = async ({ data: { id, certificate } }) => {
  try {
    await ready;
  } catch (error) {
    postMessage({ id, missing: String(error) });
    return;
  }
  try {
    postMessage({ id, answer: check(certificate) });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
