// A position, and what a move does to it.
//
// The engine alone knows which moves are legal. A move that it lists says where its cards come from
// and go to, so this file moves cards about and needs no rules.

import { UNKNOWN, cardOf, rankOf, suitOf } from "./cards.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Move} Move */

/** The number of a pile, from 0, or -1 for another place. @param {string} place */
export const pileIndex = (place) =>
  place.startsWith("tableau ") ? Number(place.slice(8)) - 1 : -1;

/** @param {number} index from 0 */
export const pilePlace = (index) => `tableau ${index + 1}`;

/** The place of a card's foundation on the board. @param {number} suit */
export const foundationPlace = (suit) => `foundation ${suit}`;

/** Where a move ends on the board: each suit has a foundation of its own. @param {Move} move */
export const targetPlace = (move) =>
  move.to === "foundation" ? foundationPlace(suitOf(move.card)) : move.to;

/** @param {Move} move */
export const sourcePlace = (move) =>
  move.from === "foundation" ? foundationPlace(suitOf(move.card)) : move.from;

/** The position after a move. @param {Board} board @param {Move} move @returns {Board} */
export function applyMove(board, move) {
  const next = copyBoard(board);
  const cards = take(next, move);
  if (move.reversed) cards.reverse();
  const to = pileIndex(move.to);
  if (to >= 0) next.piles[to].face_up.push(...cards);
  else if (move.to === "foundation") next.foundations[suitOf(move.card)] = rankOf(move.card);
  else if (move.to === "waste") next.waste.push(...cards);
  else {
    next.stock = cards;
    next.redeals_used += 1;
    if (move.move === "last-pass") next.last_pass = true;
  }
  return next;
}

/** @param {Board} board @param {Move} move */
function take(board, move) {
  const from = pileIndex(move.from);
  if (from >= 0) {
    const pile = board.piles[from];
    const cards = pile.face_up.splice(-move.count);
    const turned = pile.face_up.length === 0 ? pile.face_down.pop() : undefined;
    if (turned) pile.face_up.push(turned === UNKNOWN ? (move.turns_up ?? turned) : turned);
    return cards;
  }
  if (move.from === "foundation") {
    board.foundations[suitOf(move.card)] -= 1;
    return [move.card];
  }
  if (move.from === "stock") return board.stock.splice(0, move.count);
  return board.waste.splice(-move.count);
}

/** @param {Board} board @returns {Board} */
export function copyBoard(board) {
  const { double_move: _, ...rest } = board;
  return {
    ...rest,
    piles: board.piles.map((pile) => ({
      face_down: [...pile.face_down],
      face_up: [...pile.face_up],
    })),
    stock: [...board.stock],
    waste: [...board.waste],
    foundations: [...board.foundations],
  };
}

/**
 * The cards that lie at a place and can be seen, bottom first.
 * @param {Board} board
 * @param {string} place
 */
export function openCards(board, place) {
  const pile = pileIndex(place);
  if (pile >= 0) return board.piles[pile].face_up;
  if (place === "waste") return board.waste;
  if (place.startsWith("foundation ")) {
    const suit = Number(place.slice(11));
    return Array.from({ length: board.foundations[suit] }, (_, index) => cardOf(suit, index + 1));
  }
  return [];
}

/** How many cards lie face down in the piles. @param {Board} board */
export const faceDownCount = (board) =>
  board.piles.reduce((sum, pile) => sum + pile.face_down.length, 0);

/** How many cards are on the foundations. @param {Board} board */
export const cardsUp = (board) => board.foundations.reduce((sum, rank) => sum + rank, 0);

/** @param {Board} board */
export const hasUnknown = (board) =>
  [...board.piles.flatMap((pile) => pile.face_down), ...board.stock, ...board.waste].includes(
    UNKNOWN,
  );

/**
 * The place of an unknown card that lies open: a pile, or the waste. Null if all are known.
 * @param {Board} board
 */
export function unknownInSight(board) {
  const pile = board.piles.findIndex(({ face_up: up }) => up.includes(UNKNOWN));
  if (pile >= 0) return pilePlace(pile);
  return board.waste.at(-1) === UNKNOWN ? "waste" : null;
}

/**
 * The position as a text that the engine reads. Face-down cards stand in angle brackets.
 * @param {Board} board
 */
export function boardText(board) {
  const down = (/** @type {string} */ card) => (card === UNKNOWN ? card : `<${card}>`);
  const piles = board.piles.map(
    (pile, index) => `${index + 1}: ${[...pile.face_down.map(down), ...pile.face_up].join(" ")}`,
  );
  const lines = [`stock: ${board.stock.join(" ")}`];
  if (board.waste.length > 0) lines.push(`waste: ${board.waste.join(" ")}`);
  if (cardsUp(board) > 0) {
    lines.push(
      `foundations: ${board.foundations.map((rank, suit) => "CDHS"[suit] + rank).join(" ")}`,
    );
  }
  if (board.redeals_used > 0) lines.push(`redeals: ${board.redeals_used}`);
  if (board.last_pass) lines.push("last pass: yes");
  return [...lines, ...piles].map((line) => line.trimEnd()).join("\n") + "\n";
}
