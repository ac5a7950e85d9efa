// Keys of the whole page. Keys of a field or a dialog stay there.

import { moveBetween, movesOf } from "../game/targets.js";
import { openCards, pilePlace } from "../game/board.js";
import { currentBoard, stepAt } from "../game/game.js";
import { canRedo } from "../game/game.js";
import { giveHint } from "./analysis.js";
import { newDeal } from "./deals.js";
import { toggleLight } from "./light.js";
import { inTurn } from "./app.js";
import { drawOrRedeal, finish, makeMove, redoMove, takeLastPass, undoMove } from "./play.js";

/** @typedef {import("./app.js").App} App */

/**
 * @param {App} app
 * @param {KeyboardEvent} event
 */
export function onKey(app, event) {
  if (event.defaultPrevented || event.altKey || isTyping(event.target) || app.store.get().dialog)
    return;
  if (event.ctrlKey || event.metaKey) return undoKey(app, event);
  if (!keyAction(app, event.key)) return;
  // A button or a box in focus answers the space key itself.
  if (
    event.key === " " &&
    event.target instanceof Element &&
    event.target.matches('button, input:not([type="range"]), a')
  )
    return;
  event.preventDefault();
  // A key that is held down goes on only while the engine keeps up.
  if (event.repeat && app.waiting.length > 0) return;
  const blind = !/^[1-9wdf]$/.test(event.key);
  inTurn(app, () => keyAction(app, event.key)?.(), { blind });
}

/** @param {App} app @param {KeyboardEvent} event */
function undoKey(app, event) {
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  const act = key === "y" || event.shiftKey ? redoMove : undoMove;
  inTurn(app, () => act(app), { blind: true });
}

/** @param {App} app @param {string} key @returns {(() => void) | undefined} */
function keyAction(app, key) {
  const { held, settings, game, playing } = app.store.get();
  if (!game) return undefined;
  if (/^[1-9]$/.test(key)) return () => placeKey(app, pilePlace(Number(key) - 1));
  /** @type {Record<string, () => void>} */
  const actions = {
    w: () => placeKey(app, "waste"),
    d: () => drawOrRedeal(app),
    l: () => takeLastPass(app),
    u: () => undoMove(app),
    r: () => redoMove(app),
    f: () => (held ? placeKey(app, "foundation") : void finish(app)),
    h: () => void giveHint(app),
    s: () => toggleLight(app),
    n: () => void newDeal(app, settings.grade),
    " ": () => app.store.set({ playing: !playing && canRedo(game) }),
    "?": () => app.store.set({ dialog: "keys" }),
    Escape: () => app.store.set({ held: null, hint: null, marked: [] }),
  };
  return actions[key];
}

/**
 * A key of a place: picks up there, or puts down what is picked up.
 * @param {App} app
 * @param {string} place
 */
function placeKey(app, place) {
  const { held, game, facts } = app.store.get();
  if (!game) return;
  const legal = facts[stepAt(game).id]?.legal ?? [];
  if (held && held.place !== place) {
    const move = moveBetween(legal, held.place, place);
    app.store.set({ held: null });
    if (move) makeMove(app, move);
    else app.store.set({ said: "That is no legal move." });
    return;
  }
  if (held) {
    app.store.set({ held: null });
    return;
  }
  const cards = openCards(currentBoard(game), place);
  for (let count = cards.length; count > 0; count -= 1) {
    if (movesOf(legal, { place, count }).length > 0) {
      app.store.set({ held: { place, count } });
      return;
    }
  }
  app.store.set({ said: "Nothing can move from there." });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement)
    return !["range", "checkbox", "radio", "file"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
