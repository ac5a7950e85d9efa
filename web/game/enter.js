// A deal that is entered card by card: which places it has, and the text that it makes.

import { DECK, UNKNOWN } from "./cards.js";

/**
 * @typedef {{ id: string, pile: number, index: number, down: boolean }} Place A stock place has
 * pile -1.
 */
/** @typedef {Record<string, string>} Entered Cards by the id of their place. */

/**
 * The places of a layout, in the order in which they are filled: what can be seen first.
 * @param {number[]} piles Cards in each pile.
 * @param {number} deck Cards of the deck.
 * @returns {Place[]}
 */
export function places(piles, deck = DECK.length) {
  const tableau = piles.flatMap((size, pile) =>
    Array.from({ length: size }, (_, index) => ({
      id: `${pile + 1}.${index + 1}`,
      pile,
      index,
      down: index < size - 1,
    })),
  );
  const stock = Array.from({ length: deck - tableau.length }, (_, index) => ({
    id: `stock.${index + 1}`,
    pile: -1,
    index,
    down: false,
  }));
  return [...tableau.filter(({ down }) => !down), ...stock, ...tableau.filter(({ down }) => down)];
}

/**
 * The next empty place after one, or null.
 * @param {Place[]} all
 * @param {Entered} entered
 * @param {string} after
 */
export function nextEmpty(all, entered, after) {
  const start = all.findIndex(({ id }) => id === after) + 1;
  const ordered = [...all.slice(start), ...all.slice(0, start)];
  return ordered.find(({ id }) => !entered[id])?.id ?? null;
}

/** Cards that are in no place yet. @param {Entered} entered */
export function unused(entered) {
  const used = new Set(Object.values(entered));
  return DECK.filter((card) => !used.has(card));
}

/**
 * What is still missing, in words; "" if the deal is whole.
 * @param {Place[]} all
 * @param {Entered} entered
 */
export function missing(all, entered) {
  const open = all.filter(({ id, down }) => !down && !entered[id]);
  const up = open.filter(({ pile }) => pile >= 0).length;
  const stock = open.length - up;
  if (up > 0) return `${up} face-up ${up === 1 ? "card is" : "cards are"} missing.`;
  if (stock > 0)
    return `${stock} ${stock === 1 ? "card of the stock is" : "cards of the stock are"} missing.`;
  return "";
}

/**
 * The text of the deal; face-down places that are empty are unknown.
 * @param {Place[]} all
 * @param {Entered} entered
 */
export function enteredText(all, entered) {
  const piles = Math.max(...all.map(({ pile }) => pile)) + 1;
  const line = (/** @type {number} */ pile) =>
    all
      .filter((place) => place.pile === pile)
      .sort((a, b) => a.index - b.index)
      .map(({ id, down }) => bracketed(entered[id] ?? UNKNOWN, down))
      .join(" ");
  const rows = Array.from({ length: piles }, (_, pile) => `${pile + 1}: ${line(pile)}`);
  return [`stock: ${line(-1)}`, ...rows].join("\n") + "\n";
}

/** @param {string} card @param {boolean} down */
const bracketed = (card, down) => (down && card !== UNKNOWN ? `<${card}>` : card);
