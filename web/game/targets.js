// Which of the legal moves a tap, a key or a drag means.

import { openCards, pileIndex, sourcePlace, targetPlace } from "./board.js";
import { rankOf } from "./cards.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Move} Move */

/**
 * A card that is picked up, with all cards that lie on it.
 * @typedef {{ place: string, count: number }} Held
 */

/** The legal moves of what is held. @param {Move[]} legal @param {Held} held */
export const movesOf = (legal, held) =>
  legal.filter((move) => sourcePlace(move) === held.place && move.count === held.count);

/** @param {Move[]} legal @param {Held} held @param {string} target */
export const moveTo = (legal, held, target) =>
  movesOf(legal, held).find((move) => targetPlace(move) === target);

/** The move that begins the last pass by ones. @param {Move[]} legal */
export const lastPassMove = (legal) => legal.find((move) => move.move === "last-pass");

/** The move of the stock: a draw, or a redeal when the stock is empty. @param {Move[]} legal */
export const stockMove = (legal) =>
  legal.find((move) => move.from === "stock") ?? legal.find((move) => move.to === "stock");

/**
 * The moves of a held card in the order in which a tap tries them: up, then what turns a card up,
 * then onto cards, then to an empty pile, and moves that change nothing last.
 * @param {Move[]} legal
 * @param {Board} board
 * @param {Held} held
 */
export function rankedMoves(legal, board, held) {
  const score = (/** @type {Move} */ move) => {
    if (move.to === "foundation") return 4;
    const target = pileIndex(move.to);
    const empty = target >= 0 && openCards(board, move.to).length === 0;
    if (move.turns_up) return empty ? 2 : 3;
    return empty ? 0 : 1;
  };
  return movesOf(legal, held).sort((a, b) => score(b) - score(a));
}

/**
 * The move between two places by keys. Of several runs the longest moves.
 * @param {Move[]} legal
 * @param {string} from
 * @param {string} to A place, or "foundation" for any.
 */
export function moveBetween(legal, from, to) {
  const fits = legal.filter(
    (move) =>
      sourcePlace(move) === from &&
      (to === "foundation" ? move.to === to : targetPlace(move) === to),
  );
  return fits.sort((a, b) => b.count - a.count)[0];
}

/** A move to the foundation, the lowest card first. @param {Move[]} legal */
export const moveUp = (legal) =>
  legal
    .filter((move) => move.to === "foundation")
    .sort((a, b) => rankOf(a.card) - rankOf(b.card))[0];
