// The checker of certificates in the browser, whichever engine made them.

import { checked } from "./errors.js";
import { WorkerLane } from "./lane.js";

const lane = new WorkerLane(
  () => new Worker(new URL("check-worker.js", import.meta.url), { type: "module" }),
);

/**
 * Checks a certificate. The answer is of kind `check`; a broken certificate is an error.
 * @param {Uint8Array} certificate
 */
export const checkCertificate = async (certificate) => checked(await lane.ask({ certificate }));
