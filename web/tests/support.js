// A deal and moves for the tests: klondike:1.

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Move} Move */

/** @returns {Board} */
export const board = () => ({
  redeals_used: 0,
  foundations: [0, 0, 0, 0],
  waste: [],
  stock: "JD JS 8S KS 2D 5C 7D TD QH AH 5H 7C 9C AS JC JH 6C 8H 2S 8D TH 6S 7H QC".split(" "),
  piles: [
    { face_down: [], face_up: ["TC"] },
    { face_down: ["3S"], face_up: ["KD"] },
    { face_down: ["TS", "9D"], face_up: ["9H"] },
    { face_down: ["4H", "QS", "8C"], face_up: ["6D"] },
    { face_down: ["4S", "4D", "AD", "3C"], face_up: ["3H"] },
    { face_down: ["2H", "5D", "2C", "5S", "AC"], face_up: ["KC"] },
    { face_down: ["7S", "9S", "KH", "4C", "3D", "QD"], face_up: ["6H"] },
  ],
});

/** @param {string} card @returns {Move} */
export const draw = (card) => ({ move: "draw", card, count: 3, from: "stock", to: "waste" });

/**
 * @param {string} card
 * @param {string} from
 * @param {string} to
 * @param {Partial<Move>} [more]
 * @returns {Move}
 */
export function move(card, from, to, more = {}) {
  const short = (/** @type {string} */ place) =>
    place.startsWith("t") ? place.slice(8) : place[0].toUpperCase();
  return { move: `${card}:${short(from)}>${short(to)}`, card, count: 1, from, to, ...more };
}
