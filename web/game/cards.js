// Cards as texts ("7C"), and how people call them.

export const SUITS = ["C", "D", "H", "S"];
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
export const UNKNOWN = "??";

const SUIT_SIGNS = ["♣", "♦", "♥", "♠"];
const SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"];
const RANK_NAMES = [
  "ace",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
];

/** All 52 cards, suit by suit. */
export const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

/** 1 for an ace, 13 for a king. @param {string} card */
export const rankOf = (card) => RANKS.indexOf(card[0]) + 1;

/** 0 to 3: clubs, diamonds, hearts, spades. @param {string} card */
export const suitOf = (card) => SUITS.indexOf(card[1]);

/** @param {string} card */
export const isRed = (card) => card[1] === "D" || card[1] === "H";

/** @param {number} suit @param {number} rank */
export const cardOf = (suit, rank) => RANKS[rank - 1] + SUITS[suit];

/** @param {string} card */
export const isKnown = (card) => card !== UNKNOWN;

/** Short, with the sign of the suit: "10♣". @param {string} card */
export function cardSign(card) {
  if (!isKnown(card)) return "?";
  return (card[0] === "T" ? "10" : card[0]) + SUIT_SIGNS[suitOf(card)];
}

/** In words: "ten of clubs". @param {string} card */
export function cardName(card) {
  if (!isKnown(card)) return "unknown card";
  return `${RANK_NAMES[rankOf(card) - 1]} of ${SUIT_NAMES[suitOf(card)]}`;
}

/** @param {number} suit */
export const suitName = (suit) => SUIT_NAMES[suit];

/**
 * Replaces cards in a text by their short form: "5S waits" becomes "5♠ waits".
 * @param {string} text
 */
export const withSigns = (text) =>
  text.replace(/\b(10|[A2-9TJQK])([CDHS])\b/g, (_, rank, suit) =>
    cardSign((rank === "10" ? "T" : rank) + suit),
  );
