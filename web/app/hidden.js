// Playing as a person does: advice and a player that know only what can be seen.

import { adviceWords, advisedMoves } from "../game/advice.js";
import { dropShown, stepAt } from "../game/game.js";
import { noAdviceWords } from "../game/rules.js";
import { moveSentence } from "../game/words.js";
import { changeSettings, gameFields, say, setGame, turnedUnknown } from "./app.js";
import { runTask, stopTask } from "./tasks.js";
import { makeMove } from "./play.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../types.js").Move} Move */

/** How long advice is thought about: a second or so. */
const ITERATIONS = 800;
/** The player that plays on thinks less. */
const QUICK_ITERATIONS = 300;

/** What was found by looking at all cards goes with it. @param {App} app */
export function toggleHidden(app) {
  const { game, settings } = app.store.get();
  const hidden = !settings.hidden;
  changeSettings(app, { hidden });
  if (game) setGame(app, hidden ? dropShown(game) : game);
}

/** Chances of the next moves. @param {App} app */
export async function advise(app) {
  const { game } = app.store.get();
  if (!game) return;
  app.store.set({ panel: "hidden" });
  const lack = noAdviceWords(game.deal.rules);
  if (lack) {
    say(app, lack);
    return;
  }
  const answer = await runTask(app, "advise", {
    kind: "advise",
    iterations: ITERATIONS,
    ...gameFields(game),
  });
  const { game: now, tasks } = app.store.get();
  if (now !== game || tasks.advise?.state === "running") return;
  const words = answer ? adviceWords(answer) : (tasks.advise?.error ?? "");
  const [best] = answer ? advisedMoves(answer) : [];
  if (best) {
    const said = `${words} ${moveSentence(best)}`.trim();
    app.store.set({ hint: best, held: null, said });
  } else if (words) say(app, words);
}

/** The player decides once, and its moves are made. @param {App} app */
export async function stepPlayer(app, iterations = ITERATIONS) {
  const { game } = app.store.get();
  if (!game) return false;
  const answer = await runTask(app, "player", {
    kind: "player-move",
    iterations,
    ...gameFields(game),
  });
  if (!answer?.line || app.store.get().game !== game) return false;
  return playLine(app, answer.line.moves, answer);
}

/** The player plays on until it is stopped, or knows no move. @param {App} app */
export async function runPlayer(app) {
  if (app.store.get().player) return;
  app.store.set({ player: true });
  while (app.store.get().player) {
    if (!(await stepPlayer(app, QUICK_ITERATIONS))) break;
  }
  app.store.set({ player: false });
}

/** @param {App} app */
export function stopPlayer(app) {
  app.store.set({ player: false });
  stopTask(app, "player");
}

/**
 * Makes moves one after the other, so that they can be followed; false if somebody else moved or
 * stopped the player.
 * @param {App} app
 * @param {Move[]} moves
 * @param {Record<string, any>} answer The opinion stays on view.
 */
async function playLine(app, moves, answer) {
  const { player } = app.store.get();
  for (const move of moves) {
    const { game, settings } = app.store.get();
    if (!game || turnedUnknown(game)) return false;
    makeMove(app, move);
    const { id } = stepAt(/** @type {import("../game/game.js").Game} */ (app.store.get().game));
    const thought = { name: "player", state: /** @type {const} */ ("done"), step: id, answer };
    app.store.set(({ tasks }) => ({ tasks: { ...tasks, player: thought } }));
    const made = app.store.get().game;
    await pause(1000 / settings.speed);
    const now = app.store.get();
    if (now.game !== made || now.player !== player) return false;
  }
  return true;
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
