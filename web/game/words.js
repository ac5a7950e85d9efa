// What the page says about moves and places, for eyes and for screen readers.

import { pileIndex } from "./board.js";
import { cardName, cardSign } from "./cards.js";
import { differences } from "./rules.js";

/** @typedef {import("../types.js").Move} Move */

/** @param {string} place */
export function placeName(place) {
  const pile = pileIndex(place);
  if (pile >= 0) return `pile ${pile + 1}`;
  return place.startsWith("foundation") ? "the foundation" : `the ${place}`;
}

/** "Seven of clubs from the waste to pile 3, turns up nine of hearts." @param {Move} move */
export function moveSentence(move) {
  if (move.to === "waste") {
    const cards = move.count === 1 ? "a card" : `${move.count} cards`;
    return move.card ? `Draws ${cards}, ${cardName(move.card)} on top.` : `Draws ${cards}.`;
  }
  if (move.move === "last-pass") return "Turns the waste over for the last pass, card by card.";
  if (move.to === "stock") return "Turns the waste back into the stock.";
  const more = move.count > 1 ? ` and ${move.count - 1} more` : "";
  const turned = move.turns_up ? `, turns up ${cardName(move.turns_up)}` : "";
  return capital(
    `${cardName(move.card)}${more} from ${placeName(move.from)} to ${placeName(move.to)}${turned}.`,
  );
}

/** The same for a list: "7♣ waste → 3". @param {Move} move */
export function moveLabel(move) {
  if (move.to === "waste") return move.card ? `Draw ${cardSign(move.card)}` : "Draw";
  if (move.move === "last-pass") return "Last pass";
  if (move.to === "stock") return "Redeal";
  return `${cardSign(move.card)} ${shortPlace(move.from)} → ${shortPlace(move.to)}`;
}

/** @param {string} place */
function shortPlace(place) {
  const pile = pileIndex(place);
  if (pile >= 0) return String(pile + 1);
  return place === "foundation" ? "up" : place;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An error or a description as a sentence. @param {string} text */
export const sentence = (text) => capital(text) + (/[.!?…]$/.test(text) ? "" : ".");

/** "1 move", "2 moves" @param {number} count @param {string} word */
export const counted = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;

/** 1234567 becomes "1,234,567". @param {number} count */
export const grouped = (count) => count.toLocaleString("en-US");

/** 0.357 becomes "36 %". @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;

/** @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds < 1) return "under 1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {import("../types.js").Rules} rules */
export function rulesLabel(rules) {
  const parts = [`draw ${rules.draw}`];
  if (rules.redeals === "last-pass-by-ones") parts.push("a last pass by ones");
  else if (rules.redeals !== "unlimited") {
    parts.push(rules.redeals === 0 ? "no redeal" : counted(rules.redeals, "redeal"));
  }
  if (rules.reversed_groups) parts.push("each draw reversed");
  if (!rules.worrying_back) parts.push("nothing comes back from the foundations");
  if (rules.runs === "whole") parts.push("whole runs only");
  if (rules.runs === "partial-if-played") parts.push("part of a run only if the next card goes up");
  if (rules.spaces !== "kings") {
    parts.push(rules.spaces === "any" ? "any card to an empty pile" : "nothing to an empty pile");
  }
  const { piles, suits, ranks } = differences(rules);
  if (piles) parts.push(`piles of ${piles.join("+")} cards`);
  if (suits || ranks) parts.push(`${counted(rules.suits, "suit")} of ${rules.ranks} cards`);
  return parts.join(", ");
}
