// What a won game shows in the middle of the board.

import { isWon } from "../app/app.js";
import { newDeal } from "../app/deals.js";
import { counted } from "../game/words.js";
import { html, useApp } from "./html.js";

/** @param {{ state: import("../app/state.js").State }} props */
export function Won({ state }) {
  const app = useApp();
  const { game, settings } = state;
  if (!game || !isWon(game) || state.playing) return null;
  return html`<div class="won-card">
    <p class="big" aria-hidden="true">♠</p>
    <h2>${game.deal.name}</h2>
    <p>Won in ${counted(game.at, "move")}</p>
    <div class="actions">
      <button class="strong" onClick=${() => newDeal(app, settings.grade)}>Next deal</button>
      <button onClick=${() => app.store.set({ panel: "share", sheet: true })}>
        Share the game
      </button>
    </div>
  </div>`;
}
