// An error that the engine answers, with its advice.

import { sentence } from "../game/words.js";

export class EngineError extends Error {
  /**
   * @param {string} message
   * @param {string} [help]
   * @param {string} [code] Which error it is, of those that the page looks for.
   */
  constructor(message, help, code) {
    super(message);
    this.name = "EngineError";
    this.help = help;
    this.code = code;
  }
}

/** WebAssembly that did not arrive, or that the browser does not run. */
export class EngineMissing extends EngineError {
  /** @param {string} what @param {unknown} [why] */
  constructor(what, why) {
    const reason = why ? `: ${why instanceof Error ? why.message : why}` : "";
    const help = "Check the network, then try again. If that fails, the page lacks a file.";
    super(`The page could not load ${what}${reason}.`, help);
  }
}

/** Rejects answers of kind error. @param {import("../types.js").Answer} answer */
export function checked(answer) {
  const { kind, message, help, code } = answer;
  if (kind === "error") throw new EngineError(String(message), help, code);
  return answer;
}

/** An error with its advice. @param {unknown} error */
export function errorWords(error) {
  if (!(error instanceof Error)) return String(error);
  const help = error instanceof EngineError && error.help ? ` ${sentence(error.help)}` : "";
  return sentence(error.message) + help;
}

/** @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";
