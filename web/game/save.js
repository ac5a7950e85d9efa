// The game in localStorage: the tree without its positions, which the moves give again.

import { applyMove } from "./board.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Step} Step */

const VERSION = 1;

/** How many games are kept besides the last one. */
const MOST_EARLIER = 8;

/** @param {Game} game */
export function gameToText(game) {
  const steps = Object.values(game.steps).map(({ id, parent, move, shown }) => ({
    id,
    parent,
    move,
    shown,
  }));
  const { id, deal, next, line, at } = game;
  return JSON.stringify({ version: VERSION, id, deal, steps, next, line, at });
}

/**
 * The games that were played before, the newest first, when a game takes the place of the last one.
 * @param {string[]} earlier Saved games, as are those returned.
 * @param {string | null} last
 * @param {Game} game
 */
export function earlierGames(earlier, last, game) {
  const before = gameFromText(last);
  if (!last || !before || before.id === game.id) return earlier;
  const isOther = (/** @type {string} */ text) =>
    ![before.id, game.id].includes(gameFromText(text)?.id ?? "");
  const kept = Object.keys(before.steps).length > 1 ? [last] : [];
  return [...kept, ...earlier.filter(isOther)].slice(0, MOST_EARLIER);
}

/** Reads a saved game; null if it is none. @param {string | null} text @returns {Game | null} */
export function gameFromText(text) {
  if (!text) return null;
  try {
    const { version, id = "", deal, steps, next, line, at } = JSON.parse(text);
    if (version !== VERSION) return null;
    /** @type {Record<number, Step>} */
    const full = {};
    for (const step of steps.sort((/** @type {Step} */ a, /** @type {Step} */ b) => a.id - b.id)) {
      const board = step.move ? applyMove(full[step.parent].board, step.move) : deal.board;
      full[step.id] = { ...step, board };
    }
    const whole = line.every((/** @type {number} */ id) => full[id]) && line.length > at;
    return whole ? { id, deal, steps: full, next, line, at } : null;
  } catch {
    return null;
  }
}
