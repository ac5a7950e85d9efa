// The game in localStorage: the tree without its positions, which the moves give again.

import { applyMove } from "./board.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Step} Step */

const VERSION = 1;

/** @param {Game} game */
export function gameToText(game) {
  const steps = Object.values(game.steps).map(({ id, parent, move, shown }) => ({
    id,
    parent,
    move,
    shown,
  }));
  const { deal, next, line, at } = game;
  return JSON.stringify({ version: VERSION, deal, steps, next, line, at });
}

/** Reads a saved game; null if it is none. @param {string | null} text @returns {Game | null} */
export function gameFromText(text) {
  if (!text) return null;
  try {
    const { version, deal, steps, next, line, at } = JSON.parse(text);
    if (version !== VERSION) return null;
    /** @type {Record<number, Step>} */
    const full = {};
    for (const step of steps.sort((/** @type {Step} */ a, /** @type {Step} */ b) => a.id - b.id)) {
      const board = step.move ? applyMove(full[step.parent].board, step.move) : deal.board;
      full[step.id] = { ...step, board };
    }
    const whole = line.every((/** @type {number} */ id) => full[id]) && line.length > at;
    return whole ? { deal, steps: full, next, line, at } : null;
  } catch {
    return null;
  }
}
