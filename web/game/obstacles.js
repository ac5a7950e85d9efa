// What lies in the way at the start of a deal, in sentences.

import { cardSign, rankOf } from "./cards.js";
import { counted } from "./words.js";

/** @typedef {import("../types.js").Board} Board */

/**
 * Sentences about the deal: deep low cards, low cards late in the stock, kings over what they need.
 * @param {Board} board As dealt.
 */
export function obstacles(board) {
  return [...deepCards(board), ...sameSuitLocks(board)];
}

/** Aces and twos under at least three cards. @param {Board} board */
function deepCards(board) {
  const deep = board.piles.flatMap(({ face_down: down, face_up: up }) =>
    down.map((card, index) => ({ card, over: down.length + up.length - 1 - index })),
  );
  const low = deep.filter(({ card, over }) => card !== "??" && rankOf(card) <= 2 && over >= 3);
  low.sort((a, b) => b.over - a.over);
  return low.map(({ card, over }) => `The ${cardSign(card)} lies under ${counted(over, "card")}.`);
}

/** A low card under a higher one of its suit, which cannot go up first. @param {Board} board */
function sameSuitLocks(board) {
  return board.piles.flatMap(({ face_down: down, face_up: up }, index) => {
    const cards = [...down, ...up];
    const locked = down.find((card, at) => {
      const over = cards
        .slice(at + 1)
        .filter((other) => other[1] === card[1] && rankOf(other) > rankOf(card));
      return card !== "??" && rankOf(card) <= 3 && over.length >= 2;
    });
    if (!locked) return [];
    const over = cards.slice(cards.indexOf(locked) + 1).filter((card) => card[1] === locked[1]);
    const signs = over.map(cardSign).join(" and ");
    return [
      `In pile ${index + 1} the ${cardSign(locked)} lies under ${signs}, ` +
        "which cannot go up before it.",
    ];
  });
}
