// A small picture of a position, for the time line.

import { cardOf, cardSign, isRed } from "../game/cards.js";
import { html } from "./html.js";

/** @typedef {import("../types.js").Board} Board */

const WIDTH = 30;
const STEP = 36;
const HEIGHT = 40;

/** @param {{ board: Board, share: number, title: string }} props */
export function MiniBoard({ board, share, title }) {
  return html`<div class="mini" style=${{ "--share": share }} aria-hidden="true">
    <${Picture} board=${board} />
    <p>${title}</p>
  </div>`;
}

/** @param {{ board: Board, label?: string }} props */
export function Picture({ board, label }) {
  const columns = Math.max(7, board.piles.length);
  const waste = board.waste[board.waste.length - 1];
  const deepest = Math.max(
    ...board.piles.map((pile) => pile.face_down.length * 5 + pile.face_up.length * 13),
  );
  const height = 52 + Math.max(160, deepest + 30);
  return html`<svg
    class="picture"
    viewBox=${`-2 -2 ${columns * STEP} ${height}`}
    role=${label ? "img" : null}
    aria-label=${label ?? null}
  >
    ${board.stock.length > 0 && html`<${Back} x=${0} y=${0} />`}
    ${waste && html`<${Small} card=${waste} x=${STEP} y=${0} />`}
    ${board.foundations.map((rank, suit) => {
      const x = (columns - 4 + suit) * STEP;
      return rank > 0
        ? html`<${Small} card=${cardOf(suit, rank)} x=${x} y=${0} />`
        : html`<rect class="hole" x=${x} y="0" width=${WIDTH} height=${HEIGHT} rx="3" />`;
    })}
    ${board.piles.map((pile, index) => {
      const x = index * STEP;
      const top = 50 + pile.face_down.length * 5;
      return html`
        ${pile.face_down.map((_, at) => html`<${Back} x=${x} y=${50 + at * 5} />`)}
        ${pile.face_up.map((card, at) => html`<${Small} card=${card} x=${x} y=${top + at * 13} />`)}
      `;
    })}
  </svg>`;
}

/** @param {{ x: number, y: number }} props */
const Back = ({ x, y }) =>
  html`<rect class="down" x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="3" />`;

/** @param {{ card: string, x: number, y: number }} props */
const Small = ({ card, x, y }) =>
  html`<g class=${isRed(card) ? "red" : "black"}>
    <rect class="up" x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="3" />
    <text x=${x + 3} y=${y + 11}>${cardSign(card)}</text>
  </g>`;
