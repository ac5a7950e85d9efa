// The browser's Back and Forward between games that links opened in one tab.

import { gameFromText, gameToText } from "../game/save.js";
import { earlierTexts } from "./app.js";
import { goOnWith } from "./deals.js";

/** @typedef {import("./app.js").App} App */

/** Each entry of the history knows its game. @param {App} app */
export function startHistory(app) {
  app.onPosition.push(() => {
    const { game } = app.store.get();
    if (!game || history.state?.id === game.id) return;
    history.replaceState({ id: game.id, text: gameToText(game) }, "");
  });
  addEventListener("popstate", ({ state }) => {
    if (!state || state.id === app.store.get().game?.id) return;
    // A game that was played has more moves by now.
    const games = [...earlierTexts(app), state.text].map(gameFromText);
    const game = games.find((one) => one?.id === state.id);
    if (game) goOnWith(app, game);
  });
}

/** The game goes on from the link's position, and a reload keeps it. */
export const leaveLink = () =>
  history.replaceState(history.state, "", location.pathname + location.search);
