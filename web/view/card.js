// One card on the board.

import { cardName, isRed, suitOf } from "../game/cards.js";
import { counted } from "../game/words.js";
import { classes, html } from "./html.js";

/** @typedef {import("./layout.js").PlacedCard} PlacedCard */

/**
 * @param {object} props
 * @param {PlacedCard} props.at
 * @param {boolean} props.small Large signs, for cards of phone size.
 * @param {string} props.label What a screen reader says.
 * @param {boolean} props.open Face-down cards show their face, dimmed.
 * @param {boolean} props.focus The one card that the tab key reaches.
 * @param {string} props.mood More class names.
 */
export function Card({ at, small, label, open, focus, mood }) {
  const known = at.card !== "??";
  const face = at.up || (open && known);
  const reachable = at.count > 0;
  return html`<div
    data-card=${face ? at.card : null}
    data-place=${at.place}
    data-index=${at.index}
    data-count=${at.count}
    class=${classes("card", at.up ? "up" : "down", at.buried && "buried", face && "faced", mood)}
    role=${reachable ? "button" : null}
    aria-label=${reachable ? label : null}
    aria-hidden=${reachable ? null : "true"}
    tabindex=${reachable ? (focus ? 0 : -1) : null}
    style=${{ transform: `translate(${at.x}px,${at.y}px)`, zIndex: at.z }}
  >
    ${face ? html`<${Face} card=${at.card} small=${small} />` : html`<span class="back"></span>`}
  </div>`;
}

/** The face of a card. @param {{ card: string, small: boolean }} props */
export function Face({ card, small }) {
  if (card === "??") return html`<span class="back unknown">?</span>`;
  return html`<svg
    class=${classes("face", isRed(card) ? "red" : "black", `suit-${suitOf(card)}`)}
    viewBox="0 0 240 336"
    aria-hidden="true"
  >
    <use href=${`#${card}${small ? "-small" : ""}`} />
  </svg>`;
}

/** @param {PlacedCard} at @param {string} where */
export function cardLabel(at, where) {
  if (!at.up) return `${where}, ${counted(at.index + 1, "card")}`;
  const more = at.count > 1 && at.up ? `, with ${at.count - 1} more on it` : "";
  return `${cardName(at.card)}, ${where}${more}`;
}
