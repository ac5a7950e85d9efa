// The game in localStorage: the tree without its positions, which the moves give again.

import { applyMove } from "./board.js";
import { STANDARD } from "./rules.js";

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
    if (version !== VERSION || !isDeal(deal)) return null;
    /** @type {Record<number, Step>} */
    const full = {};
    for (const step of steps.sort((/** @type {Step} */ a, /** @type {Step} */ b) => a.id - b.id)) {
      const isStep = step.id === 0 ? step.parent === -1 && !step.move : isMove(step.move);
      if (!isStep || !(step.id < next)) return null;
      const board = step.id === 0 ? deal.board : applyMove(full[step.parent].board, step.move);
      full[step.id] = { ...step, board };
    }
    const isPath = (/** @type {number} */ id, /** @type {number} */ ply) =>
      full[id].parent === (ply === 0 ? -1 : line[ply - 1]);
    return line.every(isPath) && line[at] !== undefined
      ? { id, deal, steps: full, next, line, at }
      : null;
  } catch {
    return null;
  }
}

const isText = (/** @type {unknown} */ value) => typeof value === "string";

/** Whether all that the page takes from a deal is there. @param {any} deal */
function isDeal({ text, name, rules, board }) {
  const { piles, stock, waste, foundations, redeals_used: used } = board;
  const isCards = (/** @type {any} */ cards) => cards.every(isText);
  return (
    isText(text) &&
    isText(name) &&
    isRules({ reversed_groups: false, ...rules }) &&
    isCards(stock) &&
    isCards(waste) &&
    foundations.length === 4 &&
    foundations.every(Number.isInteger) &&
    Number.isInteger(used) &&
    piles.every((/** @type {any} */ pile) => isCards(pile.face_down) && isCards(pile.face_up))
  );
}

/** Whether all rules are there, of the kind that they have. @param {any} rules */
const isRules = (rules) =>
  Object.entries(STANDARD).every(
    ([name, value]) =>
      typeof rules[name] === typeof value ||
      (name === "redeals" && Number.isInteger(rules.redeals)),
  );

/** A turn of the waste has no card, and a draw may have none. @param {any} move */
const isMove = ({ move, card = "", count, from, to }) =>
  [move, card, from, to].every(isText) && Number.isInteger(count);
