// A game that is entered card by card: which places it has, and the position that it makes. A deal
// has its fixed places; a game in progress begins with them, and places come and go.

import { DECK, SUITS, UNKNOWN, cardOf, rankOf, suitOf } from "./cards.js";

/**
 * @typedef {object} Layout How many cards lie where; the rest is the stock.
 * @property {number[]} down Face-down cards of each pile.
 * @property {number[]} up Face-up cards of each pile.
 * @property {number} waste
 * @property {number[]} heights Of the foundations.
 */

/** @typedef {"down" | "up" | "waste" | "stock"} Group */

/**
 * @typedef {object} Place
 * @property {string} id
 * @property {Group} group
 * @property {number} pile From 0; -1 for the stock and the waste.
 * @property {number} index In its group, from the bottom; of the stock, the card drawn first.
 */

/** @typedef {Record<string, string>} Entered Cards by the id of their place. */

/** The layout of a deal. @param {number[]} piles Cards in each pile. @returns {Layout} */
export const dealLayout = (piles) => ({
  down: piles.map((size) => Math.max(0, size - 1)),
  up: piles.map((size) => Math.min(1, size)),
  waste: 0,
  heights: SUITS.map(() => 0),
});

/** @param {Group} group @param {number} index @param {number} [pile] @returns {Place} */
export const placeAt = (group, index, pile = -1) => {
  const name = pile < 0 ? group : `${group} ${pile + 1}`;
  return { id: `${name}.${index + 1}`, group, pile, index };
};

/** @param {Group} group @param {number} count @param {number} [pile] */
const groupPlaces = (group, count, pile) =>
  Array.from({ length: Math.max(0, count) }, (_, index) => placeAt(group, index, pile));

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * The places of a layout, in the order in which they are filled: what can be seen first.
 * @param {Layout} layout
 * @param {number} [deck] Cards of the deck.
 * @returns {Place[]}
 */
export function places({ down, up, waste, heights }, deck = DECK.length) {
  const stock = deck - sum(down) - sum(up) - waste - sum(heights);
  return [
    ...up.flatMap((count, pile) => groupPlaces("up", count, pile)),
    ...groupPlaces("waste", waste),
    ...groupPlaces("stock", stock),
    ...down.flatMap((count, pile) => groupPlaces("down", count, pile)),
  ];
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

/**
 * Cards that lie nowhere yet.
 * @param {Place[]} all
 * @param {Entered} entered
 * @param {number[]} heights
 */
export function unused(all, entered, heights) {
  const used = new Set(all.map(({ id }) => entered[id]));
  return DECK.filter((card) => !used.has(card) && rankOf(card) > heights[suitOf(card)]);
}

/**
 * Cards that a foundation can show: up to the first one that lies elsewhere, or fewer than now.
 * @param {Place[]} all
 * @param {Entered} entered
 */
export function tops(all, entered) {
  const used = new Set(all.map(({ id }) => entered[id]));
  const isFree = (/** @type {string} */ card) =>
    Array.from({ length: rankOf(card) }, (_, index) => cardOf(suitOf(card), index + 1)).every(
      (one) => !used.has(one),
    );
  return DECK.filter(isFree);
}

/**
 * One place more at the end of a group, or one fewer; the cards above it come down by one.
 * @param {Layout} layout
 * @param {Group} group
 * @param {number} pile
 * @param {1 | -1} by
 * @returns {Layout}
 */
export function resized(layout, group, pile, by) {
  const change = (/** @type {number[]} */ counts) =>
    counts.map((count, index) => (index === pile ? count + by : count));
  if (group === "waste") return { ...layout, waste: layout.waste + by };
  if (group === "up") return { ...layout, up: change(layout.up) };
  return { ...layout, down: change(layout.down) };
}

/**
 * What is entered without the card of a place, when its place goes.
 * @param {Entered} entered
 * @param {Place} place
 * @param {number} count Places of its group.
 */
export function withoutPlace(entered, { group, pile, index }, count) {
  const next = { ...entered };
  for (let at = index; at < count; at += 1) {
    const above = entered[placeAt(group, at + 1, pile).id];
    const { id } = placeAt(group, at, pile);
    if (above && at + 1 < count) next[id] = above;
    else delete next[id];
  }
  return next;
}

/**
 * What is still missing, in words; "" if the position is whole.
 * @param {Place[]} all
 * @param {Entered} entered
 * @param {Layout} layout
 */
export function missing(all, entered, { down, up }) {
  const bare = down.findIndex((count, pile) => count > 0 && up[pile] === 0);
  if (bare >= 0) return `The top card of pile ${bare + 1} must lie face up.`;
  const open = all.filter(({ id, group }) => group !== "down" && !entered[id]);
  const of = (/** @type {Group} */ group) => open.filter((place) => place.group === group).length;
  const [face, waste] = [of("up"), of("waste")];
  if (face > 0) return `${face} face-up ${face === 1 ? "card is" : "cards are"} missing.`;
  if (waste > 0) return `${waste} ${waste === 1 ? "card" : "cards"} of the waste missing.`;
  return "";
}

/**
 * The position; places that are empty are unknown.
 * @param {Place[]} all
 * @param {Entered} entered
 * @param {Layout} layout
 * @param {number} [redeals] Redeals used.
 * @returns {import("../types.js").Board}
 */
export function enteredBoard(all, entered, { down, heights }, redeals = 0) {
  const cards = (/** @type {Group} */ group, pile = -1) =>
    all
      .filter((place) => place.group === group && place.pile === pile)
      .map(({ id }) => entered[id] ?? UNKNOWN);
  return {
    piles: down.map((_, pile) => ({ face_down: cards("down", pile), face_up: cards("up", pile) })),
    stock: cards("stock"),
    waste: cards("waste"),
    foundations: heights,
    redeals_used: redeals,
  };
}
