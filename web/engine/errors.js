// An error that the engine answers, with its advice.

export class EngineError extends Error {
  /** @param {string} message @param {string} [help] */
  constructor(message, help) {
    super(message);
    this.name = "EngineError";
    this.help = help;
  }
}

/** Rejects answers of kind error. @param {import("../types.js").Answer} answer */
export function checked(answer) {
  if (answer.kind === "error") throw new EngineError(String(answer.message), answer.help);
  return answer;
}

/** @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";
