// Arrows of an explanation: from a card to those that it waits for.

import { classes, html } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("./layout.js").PlacedCard} PlacedCard */
/** @typedef {import("./layout.js").Size} Size */
/** @typedef {{ card: string, for: string[] }} Wait */

/** @param {{ state: State, cards: PlacedCard[], size: Size }} props */
export function Arrows({ state, cards, size }) {
  const waits = state.marked.length > 0 ? (state.tasks.explain?.answer?.waits ?? []) : [];
  const at = new Map(cards.map((card) => [card.card, card]));
  const shown = waits
    .filter((/** @type {Wait} */ { card }) => state.arrows === null || state.arrows === card)
    .flatMap((/** @type {Wait} */ { card, for: others }) =>
      others.map((other) => ({ from: at.get(card), to: at.get(other), key: `${card} ${other}` })),
    )
    .filter((/** @type {any} */ { from, to }) => from && to && to.place !== "stock");
  if (shown.length === 0) return null;
  const all = state.arrows === null;
  return html`<svg
    class=${classes("arrows", all && "all", isSmall(size) && "small")}
    aria-hidden="true"
  >
    <defs>
      <marker
        id="tip"
        viewBox="0 0 10 10"
        refX="8"
        refY="5"
        markerWidth="5"
        markerHeight="5"
        orient="auto"
      >
        <path d="M0 0 10 5 0 10z" />
      </marker>
    </defs>
    ${shown.map(
      (/** @type {any} */ { from, to }) =>
        html`<path d=${curve(from, to, size)} marker-end="url(#tip)" />`,
    )}
  </svg>`;
}

/** On small cards a line would cover the signs. @param {Size} size */
const isSmall = ({ width }) => width < 64;

/**
 * A bowed line between the signs of two cards, or between the edges of small ones.
 * @param {PlacedCard} from
 * @param {PlacedCard} to
 * @param {Size} size
 */
function curve(from, to, size) {
  const middle = Math.min(size.height * 0.14, 24);
  const [right, left] = isSmall(size) ? [0.96, 0.04] : [0.62, 0.62];
  const x1 = from.x + size.width * (to.x < from.x ? left : right);
  const x2 = to.x + size.width * (to.x > from.x ? left : right);
  const [y1, y2] = [from.y + middle, to.y + middle];
  // Arrows within a pile bow to the side, others upwards.
  const bow = Math.min(70, 14 + Math.hypot(x2 - x1, y2 - y1) * 0.22);
  const same = from.place === to.place;
  const [mx, my] = [(x1 + x2) / 2 + (same ? bow : 0), (y1 + y2) / 2 - (same ? 0 : bow)];
  return `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`;
}
