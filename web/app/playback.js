// Plays the line ahead, move by move, and finishes games that are as good as won.

import { canRedo } from "../game/game.js";
import { canFinish, finish, redoMove } from "./play.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function startPlayback(app) {
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;
  const step = () => {
    timer = null;
    const { game, playing } = app.store.get();
    if (!playing || !game) return;
    redoMove(app);
    const now = app.store.get().game;
    if (!now || !canRedo(now)) app.store.set({ playing: false });
  };
  app.store.subscribe(() => {
    const { playing, settings } = app.store.get();
    if (playing && timer === null) timer = setTimeout(step, 1000 / settings.speed);
  });
  app.onPosition.push(() => {
    const { settings, playing, game } = app.store.get();
    if (!settings.finish || playing || !game || canRedo(game) || !canFinish(app)) return;
    void finish(app, { asked: false });
  });
}
