// A card turned up that the page does not know: the person sees it elsewhere and names it.

import { foundationPlace, openCards } from "../game/board.js";
import { currentBoard, stepAt } from "../game/game.js";
import { DECK } from "../game/cards.js";
import { moveSentence } from "../game/words.js";
import { nameTurned } from "../app/deals.js";
import { undoMove } from "../app/play.js";
import { Deck } from "./dialog-enter.js";
import { Dialog } from "./dialog.js";
import { html, useApp } from "./html.js";

/** @param {{ state: import("../app/state.js").State }} props */
export function TurnedDialog({ state }) {
  const app = useApp();
  const { game } = state;
  if (!game) return null;
  const board = currentBoard(game);
  const seen = [
    ...game.deal.board.piles.flatMap((pile) => [...pile.face_down, ...pile.face_up]),
    ...board.stock,
    ...board.waste,
    ...game.deal.board.stock,
    ...game.deal.board.waste,
    ...game.deal.board.foundations.flatMap((_, suit) =>
      openCards(game.deal.board, foundationPlace(suit)),
    ),
  ];
  const free = new Set(DECK.filter((card) => !seen.includes(card)));
  const { move } = stepAt(game);
  return html`<${Dialog} title="Which card turned up?" wide=${true} onClose=${() => undoMove(app)}>
    <p class="quiet">${move && moveSentence(move)}</p>
    <${Deck} free=${free} put=${(/** @type {string} */ card) => nameTurned(app, card)} />
  <//>`;
}
