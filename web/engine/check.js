// The checker of certificates in the browser, whichever engine made them. A page that came without
// its WebAssembly has the server check: `klondike serve` of a plain `cargo build`.

import { EngineMissing, checked } from "./errors.js";
import { WorkerLane } from "./lane.js";

const start = () => new Worker(new URL("check-worker.js", import.meta.url), { type: "module" });
const lane = new WorkerLane(start, "the checker");

/**
 * Checks a certificate. The answer is of kind `check`, and `where` says who gave it; a broken
 * certificate is an error.
 * @param {Uint8Array} certificate
 * @param {import("../types.js").Engine} engine
 * @returns {Promise<import("../types.js").Answer & { where: "browser" | "server" }>}
 */
export async function checkCertificate(certificate, engine) {
  try {
    return { ...checked(await lane.ask({ certificate })), where: "browser" };
  } catch (error) {
    if (!(error instanceof EngineMissing) || engine.name !== "server") throw error;
    const answer = await engine.ask({ kind: "check", certificate: toBase64(certificate) });
    return { ...answer, where: "server" };
  }
}

const PART = 1 << 15; // a call takes so many arguments

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) {
    text += String.fromCharCode(...bytes.subarray(at, at + PART));
  }
  return btoa(text);
}
