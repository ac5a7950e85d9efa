// Arrows of an explanation: from a card to those that it waits for.

import { html } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("./layout.js").PlacedCard} PlacedCard */
/** @typedef {import("./layout.js").Size} Size */

/** @param {{ state: State, cards: PlacedCard[], size: Size }} props */
export function Arrows({ state, cards, size }) {
  const waits = state.marked.length > 0 ? (state.tasks.explain?.answer?.waits ?? []) : [];
  const at = new Map(cards.map((card) => [card.card, card]));
  const arrows = waits.flatMap((/** @type {any} */ wait) =>
    wait.for.map((/** @type {string} */ other) => ({ from: at.get(wait.card), to: at.get(other) })),
  );
  const shown = arrows.filter(
    (/** @type {any} */ { from, to }) =>
      from && to && (state.marked.includes(from.card) || state.marked.length === 0),
  );
  if (shown.length === 0) return null;
  return html`<svg class="arrows" aria-hidden="true">
    <defs>
      <marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto">
        <path d="M0 0 10 5 0 10z" />
      </marker>
    </defs>
    ${shown.map((/** @type {any} */ { from, to }) => html`<path d=${curve(from, to, size)} marker-end="url(#tip)" />`)}
  </svg>`;
}

/**
 * A bowed line between the signs of two cards.
 * @param {PlacedCard} from
 * @param {PlacedCard} to
 * @param {Size} size
 */
function curve(from, to, size) {
  const [x1, y1] = [from.x + size.width * 0.5, from.y + size.height * 0.1];
  const [x2, y2] = [to.x + size.width * 0.5, to.y + size.height * 0.1];
  const bow = Math.min(60, Math.hypot(x2 - x1, y2 - y1) * 0.25);
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2 - bow];
  return `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`;
}
