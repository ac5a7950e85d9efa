// The engine of `klondike serve`: one POST for each question. Long ones answer as a stream of
// Server-Sent Events with their progress, and end when the connection does.

import { EngineError, checked } from "./errors.js";

/** @typedef {import("../types.js").Answer} Answer */

/** How often a question is asked that the server refuses since too many wait. */
const MOST_TRIES = 5;

export class ServerGone extends EngineError {
  /** @param {string} [help] */
  constructor(help = "Is `klondike serve` still running?") {
    super("The server does not answer.", help);
  }
}

/** Too many questions wait at the server, and asking again did not help. */
export class ServerBusy extends EngineError {
  constructor() {
    super("The server is busy.", "Ask again in a moment.");
  }
}

export class HttpEngine {
  name = "server";

  /** @param {string} base The address of the interface, such as "api/". */
  constructor(base) {
    this.base = base;
  }

  /**
   * @param {import("../types.js").Request} request
   * @param {import("../types.js").AskOptions} [options]
   */
  async ask(request, { onProgress, signal, lane = "long" } = {}) {
    const { kind, ...body } = request;
    const stream = lane !== "quick" && onProgress !== undefined;
    const response = await this.#post(kind, body, stream, signal);
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream"))
      return checked(await readEvents(response, onProgress, signal));
    return checked(await readJson(response));
  }

  /**
   * @param {string} kind
   * @param {object} body
   * @param {boolean} stream
   * @param {AbortSignal} [signal]
   */
  async #post(kind, body, stream, signal) {
    for (let tries = 1; ; tries++) {
      const response = await this.#postOnce(kind, body, stream, signal);
      if (response.status !== 429) return response;
      if (tries === MOST_TRIES) throw new ServerBusy();
      await pause(Number(response.headers.get("retry-after")) || 1, signal);
    }
  }

  /**
   * @param {string} kind
   * @param {object} body
   * @param {boolean} stream
   * @param {AbortSignal} [signal]
   */
  async #postOnce(kind, body, stream, signal) {
    try {
      return await fetch(this.base + kind, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: stream ? "text/event-stream" : "application/json",
        },
        body: JSON.stringify(body),
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ServerGone();
    }
  }
}

/** @param {number} seconds @param {AbortSignal} [signal] */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** @param {Response} response @returns {Promise<Answer>} */
async function readJson(response) {
  try {
    return await response.json();
  } catch {
    throw new EngineError(`The server answered with status ${response.status}.`);
  }
}

/**
 * @param {Response} response
 * @param {((progress: Answer) => void) | undefined} onProgress
 * @param {AbortSignal} [signal]
 */
async function readEvents(response, onProgress, signal) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body)
    .pipeThrough(/** @type {any} */ (new TextDecoderStream()))
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal?.aborted ? error : new ServerGone();
    });
    if (done) throw new ServerGone();
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const answer = eventData(event);
      if (!answer) continue;
      if (answer.kind !== "progress") return answer;
      onProgress?.(answer);
    }
  }
}

/** The JSON of an event; comments that keep the connection open have none. @param {string} event */
export function eventData(event) {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  if (lines.length === 0) return null;
  return /** @type {Answer} */ (
    JSON.parse(lines.map((line) => line.slice(5).trimStart()).join("\n"))
  );
}
