// Where every card lies, from the size of the board alone: the size of cards never depends on the
// position, so that nothing jumps. Piles that grow long are pushed together.

import { cardOf } from "../game/cards.js";
import { foundationPlace, pilePlace } from "../game/board.js";

/** @typedef {import("../types.js").Board} Board */

/**
 * @typedef {object} Size
 * @property {number} width Of a card.
 * @property {number} height
 * @property {number} gap Between cards.
 * @property {number} left Of the first column.
 * @property {number} top
 * @property {number} bottom The lower end of the board.
 */

/**
 * @typedef {object} PlacedCard
 * @property {string} key Stays the same while the card moves.
 * @property {string} card
 * @property {string} place
 * @property {number} index In its place, from the bottom, face-down cards included.
 * @property {number} count How many cards move if this one is picked up; 0 if it is covered.
 * @property {boolean} up
 * @property {boolean} buried Covered entirely by others.
 * @property {number} x
 * @property {number} y
 * @property {number} z
 */

/** @typedef {{ place: string, x: number, y: number, height: number }} PlacedSlot */

const SHAPE = 1.4; // height of a card by its width
const WIDEST = 132;

/**
 * Cards get as wide as the board lets them.
 * @param {number} width
 * @param {number} height
 * @param {Board} board
 * @returns {Size}
 */
export function cardSize(width, height, board) {
  const columns = Math.max(board.piles.length, 7);
  const gapShare = width < 520 ? 0.09 : 0.16;
  const byWidth = width / (columns + (columns + 1) * gapShare);
  // Below the top row there is room for a pile of two and a half cards.
  const byHeight = height / (SHAPE * 3.75);
  const card = Math.max(24, Math.floor(Math.min(byWidth, byHeight, WIDEST)));
  const gap = Math.floor(card * gapShare);
  const left = Math.round((width - columns * card - (columns - 1) * gap) / 2);
  const top = width < 520 ? 6 : gap;
  return { width: card, height: Math.round(card * SHAPE), gap, left, top, bottom: height };
}

/** @param {Size} size @param {number} column */
const columnX = (size, column) => size.left + column * (size.width + size.gap);

/** @param {Size} size */
const tableauY = (size) => size.top + size.height + Math.max(size.gap, 10);

/**
 * @param {Board} board
 * @param {Size} size
 * @param {boolean} [open] Face-down cards are shown, and need as much room as others.
 */
export function placeCards(board, size, open = false) {
  return [
    ...stockCards(board, size),
    ...wasteCards(board, size),
    ...board.foundations.flatMap((rank, suit) => foundationCards(board, size, suit, rank)),
    ...board.piles.flatMap((_, index) => pileCards(board, size, index, open)),
  ];
}

const NOWHERE = { width: 0, height: 0, gap: 0, left: 0, top: 0, bottom: 0 };

/** The keys of all cards of a position. @param {Board} board */
export const cardKeys = (board) => placeCards(board, NOWHERE).map(({ key }) => key);

/**
 * The places where cards can lie, for their outlines.
 * @param {Board} board
 * @param {Size} size
 * @returns {PlacedSlot[]}
 */
export function placeSlots(board, size) {
  const { height, top } = size;
  const y = tableauY(size);
  return [
    { place: "stock", x: columnX(size, 0), y: top, height },
    { place: "waste", x: columnX(size, 1), y: top, height },
    ...board.foundations.map((_, suit) => ({
      place: foundationPlace(suit),
      x: foundationX(board, size, suit),
      y: top,
      height,
    })),
    ...board.piles.map((_, index) => ({
      place: pilePlace(index),
      x: pileX(board, size, index),
      y,
      height: size.bottom - y,
    })),
  ];
}

/**
 * Foundations stand above the last piles.
 * @param {Board} board
 * @param {Size} size
 * @param {number} suit
 */
const foundationX = (board, size, suit) =>
  columnX(size, Math.max(board.piles.length, 7) - 4 + suit);

/** @param {Board} board @param {Size} size @param {number} index */
function pileX(board, size, index) {
  const spare = Math.max(0, 7 - board.piles.length);
  return columnX(size, index) + Math.round((spare * (size.width + size.gap)) / 2);
}

/** @param {Board} board @param {Size} size @returns {PlacedCard[]} */
function stockCards(board, size) {
  const cards = [...board.stock].reverse();
  return cards.map((card, index) => ({
    key: cardKey(card, "stock", index),
    card,
    place: "stock",
    index,
    count: index === cards.length - 1 ? 1 : 0,
    up: false,
    buried: index < cards.length - 2,
    x: columnX(size, 0),
    y: size.top,
    z: index,
  }));
}

/**
 * The last three cards of the waste are fanned.
 * @param {Board} board
 * @param {Size} size
 * @returns {PlacedCard[]}
 */
function wasteCards(board, size) {
  const { waste } = board;
  const step = Math.round(size.width * (size.width < 70 ? 0.42 : 0.3));
  const shown = Math.min(3, waste.length);
  return waste.map((card, index) => ({
    key: cardKey(card, "waste", index),
    card,
    place: "waste",
    index,
    count: index === waste.length - 1 ? 1 : 0,
    up: true,
    buried: index < waste.length - 4,
    x: columnX(size, 1) + Math.max(0, index - (waste.length - shown)) * step,
    y: size.top,
    z: index,
  }));
}

/**
 * @param {Board} board
 * @param {Size} size
 * @param {number} suit
 * @param {number} rank
 * @returns {PlacedCard[]}
 */
function foundationCards(board, size, suit, rank) {
  return Array.from({ length: rank }, (_, index) => ({
    key: cardOf(suit, index + 1),
    card: cardOf(suit, index + 1),
    place: foundationPlace(suit),
    index,
    count: index === rank - 1 ? 1 : 0,
    up: true,
    buried: index < rank - 2,
    x: foundationX(board, size, suit),
    y: size.top,
    z: index,
  }));
}

/**
 * @param {Board} board
 * @param {Size} size
 * @param {number} index
 * @param {boolean} open
 * @returns {PlacedCard[]}
 */
function pileCards(board, size, index, open) {
  const { face_down: down, face_up: up } = board.piles[index];
  const steps = pileSteps(size, down.length, up.length, open);
  const y = tableauY(size);
  const cards = [...down, ...up];
  return cards.map((card, at) => {
    const isUp = at >= down.length;
    const offset = isUp
      ? down.length * steps.down + (at - down.length) * steps.up
      : at * steps.down;
    return {
      key: cardKey(card, pilePlace(index), at),
      card,
      place: pilePlace(index),
      index: at,
      count: isUp ? cards.length - at : 0,
      up: isUp,
      buried: false,
      x: pileX(board, size, index),
      y: y + Math.round(offset),
      z: at,
    };
  });
}

/**
 * How far cards of a pile lie apart.
 * @param {Size} size
 * @param {number} down
 * @param {number} up
 * @param {boolean} open
 */
export function pileSteps(size, down, up, open) {
  const step = size.height * (size.width < 70 ? 0.33 : 0.25);
  const wide = { down: open ? step : size.height * 0.13, up: step };
  const room = size.bottom - tableauY(size) - size.height - 4;
  const needed = down * wide.down + Math.max(0, up - 1) * wide.up;
  const share = needed > room ? Math.max(0.2, room / needed) : 1;
  return { down: wide.down * share, up: wide.up * share };
}

/**
 * Unknown cards are known by their place.
 * @param {string} card
 * @param {string} place
 * @param {number} index
 */
const cardKey = (card, place, index) => (card === "??" ? `? ${place} ${index}` : card);

/**
 * The place that a dragged card is dropped on: of those allowed, the one that it covers most.
 * @param {PlacedSlot[]} slots
 * @param {Size} size
 * @param {{ x: number, y: number }} at The corner of the dragged card.
 * @param {(place: string) => boolean} allowed
 */
export function dropPlace(slots, size, at, allowed) {
  let best = { place: "", area: 0 };
  for (const slot of slots) {
    if (!allowed(slot.place)) continue;
    const wide = size.width - Math.abs(slot.x - at.x);
    const high = Math.min(at.y + size.height, slot.y + slot.height) - Math.max(at.y, slot.y);
    const area = Math.max(0, wide) * Math.max(0, high);
    if (area > best.area) best = { place: slot.place, area };
  }
  return best.place || null;
}
