// klondike-solver: the engine of klondike for JavaScript.
//
// Each function asks one question. The engine runs where it is called and does not give way while
// it searches, so pages call it in a worker.

import { ask as askEngine, initSync } from "./wasm/klondike_wasm.js";
import { check as checkCertificate, initSync as initChecker } from "./wasm/klondike_wasm_check.js";

/** @typedef {"winnable" | "unwinnable" | "undecided"} Verdict */

/**
 * Rules: the name of a set ("standard", "draw1", "vegas3"), or the fields that differ from the
 * standard.
 * @typedef {string | { draw?: number, redeals?: number | "unlimited" | "last-pass-by-ones",
 *   worrying_back?: boolean,
 *   runs?: "partial" | "whole" | "partial-if-played", spaces?: "kings" | "any" | "nothing",
 *   reversed_groups?: boolean,
 *   piles?: number[], suits?: number, ranks?: number }} Rules
 */

/**
 * What bounds an answer. Within `states` it is the same on every machine. In `generate` `states`
 * bounds each deal: set `time_ms`, too, as a game with few such deals may never have enough.
 * @typedef {{ time_ms?: number, states?: number, memory_bytes?: number }} Limits
 */

/**
 * What all questions about a deal share.
 * @typedef {object} Options
 * @property {string} [moves] Moves made since the deal, such as "draw*2 7C:W>5".
 * @property {Rules} [rules]
 * @property {Limits} [limits]
 * @property {(progress: Progress) => void} [onProgress] Called a few times a second.
 */

/**
 * @typedef {{ states: number, seconds: number, lower?: number, upper?: number, deals?: number }}
 * Progress
 */

/**
 * A position. A card is a text such as "7C"; "??" is a card that is not known.
 * @typedef {object} Board
 * @property {{ face_down: string[], face_up: string[] }[]} piles Both from the bottom up.
 * @property {string[]} stock The card drawn first comes first.
 * @property {string[]} waste The playable card comes last.
 * @property {number[]} foundations The highest rank of clubs, diamonds, hearts, spades.
 * @property {number} redeals_used
 * @property {boolean} [last_pass] Whether the last pass by ones has begun.
 * @property {number | null} [double_move] The pile whose top card must go up in the next move.
 */

/**
 * @typedef {object} Move
 * @property {string} move Its text.
 * @property {string} [card] The card that moves, the lowest one of a run. A turn of the waste has
 * none, nor has a draw in advice to somebody who cannot know the card.
 * @property {number} count
 * @property {string} from "stock", "waste", "foundation" or "tableau 3"
 * @property {string} to
 * @property {boolean} [reversed] Whether the first of several cards drawn lies on top.
 * @property {string} [turns_up] The face-down card that turns up.
 * @property {Board} [board] The position after the move, in answers with `boards`.
 */

/**
 * @typedef {object} Line
 * @property {string} text
 * @property {Move[]} moves
 * @property {{ card_moves: number, draws: number, redeals: number, flips: number }} counts
 */

/**
 * An answer; `docs/json.md` of klondike describes all fields of its kind.
 * @typedef {{ kind: string, version: number, [field: string]: any }} Answer
 */

/** @typedef {Answer & { verdict: Verdict, solution?: Line, states: number }} SolveAnswer */

/** What is wrong with a question, with advice if there is some. */
export class KlondikeError extends Error {
  /**
   * @param {string} message
   * @param {string} [help]
   * @param {"no-grades"} [code] For programs: the rules have no grades.
   */
  constructor(message, help, code) {
    super(message);
    this.name = "KlondikeError";
    this.help = help;
    this.code = code;
  }
}

/**
 * The bytes of a file of this package.
 * @param {string} name
 * @returns {Promise<BufferSource>}
 */
async function load(name) {
  const url = new URL(`./wasm/${name}`, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  return (await fetch(url)).arrayBuffer();
}

/** @type {Promise<unknown> | undefined} */
let engine;
/** @type {Promise<unknown> | undefined} */
let checker;

/**
 * Asks the engine any question: an object with its `kind` and the fields of that kind.
 * @param {{ kind: string, [field: string]: unknown }} request
 * @param {(progress: Progress) => void} [onProgress]
 * @returns {Promise<Answer>}
 */
export async function ask(request, onProgress = () => undefined) {
  engine ??= load("klondike_wasm_bg.wasm").then((module) => initSync({ module }));
  await engine;
  /** @type {unknown[]} What `onProgress` threw, which the engine does not hear. */
  const thrown = [];
  const text = askEngine(JSON.stringify(request, written), (/** @type {string} */ text) => {
    try {
      onProgress(JSON.parse(text));
    } catch (error) {
      thrown.push(error);
    }
  });
  if (thrown.length > 0) throw thrown[0];
  return checked(text);
}

/** JSON has no such numbers: it would hold `null`, as if nothing was given. */
/** @param {string} name @param {unknown} value */
function written(name, value) {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new KlondikeError(`\`${name}\`: ${value} is not finite`, "Give one, or leave it out.");
  return value;
}

/** @param {string} text @returns {Answer} */
function checked(text) {
  const answer = JSON.parse(text);
  if (answer.kind === "error") throw new KlondikeError(answer.message, answer.help, answer.code);
  return answer;
}

/**
 * @param {string} kind
 * @param {string} deal
 * @param {Options & Record<string, unknown>} options
 */
async function about(kind, deal, options) {
  const { onProgress, ...fields } = object(options);
  return ask({ kind, deal, ...fields }, onProgress);
}

/** @template {object} T @param {T} options */
function object(options) {
  if (typeof options === "object" && options && !Array.isArray(options)) return options;
  throw new KlondikeError('the options are no object: give one such as { rules: "draw1" }');
}

/**
 * Whether a deal can be won, and how.
 * @param {string} deal "klondike:3" or a deal in any known format.
 * @param {Options & { goal?: "win" | "shortest" | "best-score" | "fewest-passes",
 *   counting?: "cards" | "draws" | "flips" | "redeals", boards?: boolean }} [options]
 * @returns {Promise<SolveAnswer>}
 */
export async function solve(deal, options = {}) {
  return /** @type {SolveAnswer} */ (await about("solve", deal, options));
}

/**
 * The board and its legal moves.
 * @param {string} deal
 * @param {Options & { boards?: boolean }} [options]
 * @returns {Promise<Answer & { legal: Move[], played: Move[], won: boolean }>}
 */
export async function position(deal, options = {}) {
  return /** @type {any} */ (await about("position", deal, options));
}

/**
 * Every legal move with the verdict after it.
 * @param {string} deal
 * @param {Options & { game?: boolean }} [options] game: also the verdict after each move made
 * @returns {Promise<Answer & { verdict: Verdict, moves: (Move & { verdict: Verdict })[] }>}
 */
export async function analyse(deal, options = {}) {
  return /** @type {any} */ (await about("analyse", deal, options));
}

/**
 * Why a position cannot be won.
 * @param {string} deal
 * @param {Options} [options]
 */
export const explain = (deal, options = {}) => about("explain", deal, options);

/**
 * How hard a deal is, from 1 (easy) to 10.
 * @param {string} deal
 * @param {Options} [options]
 * @returns {Promise<Answer & { verdict: Verdict, grade?: number, chance?: number }>}
 */
export async function grade(deal, options = {}) {
  return /** @type {any} */ (await about("grade", deal, options));
}

/**
 * Deals that can be won, in the order of their numbers, at most 100. The next call goes on `from`
 * the deal `next`; `limit` says what ended the search before there were enough. Give a `seed` from
 * 2^53 on as text.
 * @param {{ count?: number, from?: { scheme?: string, seed?: number | string },
 *   grade?: [number, number],
 *   rules?: Rules, limits?: Limits, onProgress?: (progress: Progress) => void }} [options]
 * @returns {Promise<Answer & { deals: (Answer & { deal: string, grade?: number })[],
 *   next?: string, limit?: string, tried: number, undecided: number }>}
 */
export async function generate(options = {}) {
  const { onProgress, ...fields } = object(options);
  const seed = fields.from?.seed;
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new KlondikeError(`${seed} is no whole number below 2^53: give the seed as text`);
  }
  return /** @type {any} */ (await ask({ kind: "generate", ...fields }, onProgress));
}

/**
 * Chances of the next moves for somebody who does not see the face-down cards.
 * @param {string} deal
 * @param {Options & { iterations?: number, seed?: number }} [options]
 */
export const advise = (deal, options = {}) => about("advise", deal, options);

/**
 * A certificate of the verdict, in base64.
 * @param {string} deal
 * @param {Options} [options]
 * @returns {Promise<Answer & { verdict: Verdict, certificate?: string }>}
 */
export async function prove(deal, options = {}) {
  return /** @type {any} */ (await about("prove", deal, options));
}

/**
 * Checks a certificate with a program that shares no code with the solver.
 * @param {string | Uint8Array | ArrayBuffer} certificate In base64, or its bytes.
 * @returns {Promise<Answer & { verified: boolean, error?: string, verdict?: Verdict }>}
 */
export async function check(certificate) {
  checker ??= load("klondike_wasm_check_bg.wasm").then((module) => initChecker({ module }));
  await checker;
  return /** @type {any} */ (checked(checkCertificate(bytesOf(certificate))));
}

/** @param {unknown} certificate */
function bytesOf(certificate) {
  if (certificate instanceof Uint8Array) return certificate;
  if (certificate instanceof ArrayBuffer) return new Uint8Array(certificate);
  const help = "Give its bytes, as Uint8Array or ArrayBuffer, or their text in base64.";
  if (typeof certificate !== "string")
    throw new KlondikeError("the certificate is neither bytes nor a text", help);
  try {
    return Uint8Array.from(atob(certificate), (char) => char.charCodeAt(0));
  } catch {
    throw new KlondikeError("the certificate is no text in base64", help);
  }
}

/**
 * The deal in a format and the moves in all notations.
 * @param {string} deal
 * @param {Options & { format?: string }} [options]
 */
export const convert = (deal, options = {}) => about("convert", deal, options);
