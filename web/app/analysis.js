// Long questions: how to win, the shortest way, the best score, how hard, which moves keep the win.

import { stepAt } from "../game/game.js";
import { shortRules } from "../game/rules.js";
import { isAbort } from "../engine/errors.js";
import { gameFields, learn } from "./app.js";
import { judgeGame } from "./light.js";
import { jumpTo, showMoves } from "./play.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../game/game.js").Game} Game */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("./state.js").Task} Task */

/** The tasks that run, by name. @type {Map<string, AbortController>} */
const running = new Map();

/** @param {App} app */
export function startAnalysis(app) {
  app.onPosition.push(() => {
    const { tasks, game } = app.store.get();
    const step = game ? stepAt(game).id : -1;
    const kept = Object.entries(tasks).filter(([, task]) => task.step === step || task.step === -1);
    for (const name of running.keys()) {
      if (!kept.some(([other]) => other === name)) running.get(name)?.abort();
    }
    app.store.set({ tasks: Object.fromEntries(kept) });
  });
}

/**
 * Asks a long question and keeps its progress and answer as a task.
 * @param {App} app
 * @param {string} name
 * @param {Record<string, any> & { kind: string }} request
 * @param {{ whole?: boolean, lane?: import("../types.js").Lane }} [options]
 */
export const runTask = (app, name, request, { whole, lane = "long" } = {}) =>
  runWork(app, name, async (control) => {
    const engine = await app.engine;
    return engine.ask(request, { lane, ...control });
  }, { whole });

/**
 * Does work as a task that others see; work of the same name before it ends.
 * @param {App} app
 * @param {string} name
 * @param {(control: { signal: AbortSignal, onProgress: (progress: any) => void }) => Promise<Record<string, any>>} work
 * @param {{ whole?: boolean }} [options] whole: it is about the deal, at any move
 */
export async function runWork(app, name, work, { whole = false } = {}) {
  running.get(name)?.abort();
  const control = new AbortController();
  running.set(name, control);
  const { game } = app.store.get();
  const step = whole || !game ? -1 : stepAt(game).id;
  const show = (/** @type {Partial<Task>} */ change) => {
    if (running.get(name) !== control || control.signal.aborted) return;
    app.store.set(({ tasks }) => ({ tasks: { ...tasks, [name]: { name, state: "running", step, ...change } } }));
  };
  show({});
  try {
    const answer = await work({ signal: control.signal, onProgress: (progress) => show({ progress }) });
    show({ state: "done", answer });
    return answer;
  } catch (error) {
    if (!isAbort(error)) show({ state: "failed", error: error instanceof Error ? error.message : String(error) });
    return null;
  } finally {
    if (running.get(name) === control) running.delete(name);
  }
}

/** @param {App} app @param {string} name */
export function stopTask(app, name) {
  running.get(name)?.abort();
  app.store.set(({ tasks }) => {
    const { [name]: _, ...rest } = tasks;
    return { tasks: rest };
  });
}

/** A line that wins lies ahead, ready to be stepped through. @param {App} app */
export async function showWin(app) {
  const line = await winningLine(app);
  if (!line) return;
  showMoves(app, line);
  app.store.set({ panel: "play", said: `A line of ${line.length} moves that wins is shown.` });
}

/** One move that wins, marked on the board. @param {App} app */
export async function showHint(app) {
  const { game } = app.store.get();
  if (!game) return;
  const line = await winningLine(app);
  if (line?.length) app.store.set({ hint: line[0], held: null, panel: "play" });
}

/**
 * Moves that win from here, or null.
 * @param {App} app
 * @returns {Promise<Move[] | null>}
 */
async function winningLine(app) {
  const { game, facts } = app.store.get();
  if (!game) return null;
  const { id } = stepAt(game);
  const known = facts[id]?.judgement?.line;
  if (known) return known;
  const answer = await runTask(app, "solve", { kind: "solve", ...gameFields(game) }, { lane: "light" });
  if (!answer || app.store.get().game !== game) return null;
  const line = answer.solution?.moves;
  learn(app, game, id, { judgement: { verdict: answer.verdict, states: answer.states, ms: 0, line } });
  return line ?? null;
}

/** @param {App} app @param {"shortest" | "best-score" | "fewest-passes"} goal */
export function search(app, goal) {
  const { game } = app.store.get();
  if (game) void runTask(app, goal, { kind: "solve", goal, ...gameFields(game) });
}

/** How hard the deal is. @param {App} app */
export function askGrade(app) {
  const { game } = app.store.get();
  if (!game) return;
  const { deal, rules } = gameFields(game);
  void runTask(app, "grade", { kind: "grade", deal, rules }, { whole: true });
}

/** For how many cards drawn at once, and how few redeals, the deal can be won. @param {App} app */
export async function askLights(app) {
  const { game } = app.store.get();
  if (!game) return;
  for (const { name, change } of LIGHT_RULES) {
    const rules = shortRules({ ...game.deal.rules, ...change });
    const request = { kind: "solve", deal: game.deal.text, rules, limits: { states: 2_000_000 } };
    await runTask(app, `light ${name}`, request, { whole: true });
    if (app.store.get().game?.deal !== game.deal) return;
  }
}

/** @type {{ name: string, change: Partial<import("../types.js").Rules> }[]} */
export const LIGHT_RULES = [
  ...[1, 2, 3, 4, 5].map((draw) => ({
    name: `draw ${draw}`,
    change: { draw, redeals: /** @type {"unlimited"} */ ("unlimited") },
  })),
  { name: "draw 1, one pass", change: { draw: 1, redeals: 0 } },
  { name: "draw 3, three passes", change: { draw: 3, redeals: 2 } },
];

/** Marks each legal move with its verdict. @param {App} app */
export async function markMoves(app) {
  const { game, facts } = app.store.get();
  if (!game || facts[stepAt(game).id]?.moves) return;
  const answer = await runTask(app, "analyse", { kind: "analyse", ...gameFields(game) });
  if (!answer?.moves) return;
  const moves = Object.fromEntries(answer.moves.map((/** @type {any} */ move) => [move.move, move.verdict]));
  learn(app, game, stepAt(game).id, { moves });
}

/** Why the position cannot be won. @param {App} app */
export async function showWhy(app) {
  const { game } = app.store.get();
  if (!game) return;
  app.store.set({ panel: "explain", sheet: true });
  const answer = await runTask(app, "explain", { kind: "explain", ...gameFields(game) });
  if (!answer || app.store.get().game !== game) return;
  app.store.set({ marked: answer.cards ?? [], arrows: null, said: answer.text ?? "" });
}

/** Jumps to before the move that lost, where a move that wins can be looked for. */
/** @param {App} app @param {number} lost */
export function findBetter(app, lost) {
  jumpTo(app, lost - 1);
  app.store.set({ panel: "play", said: `Before move ${lost}: which move wins?` });
  void judgeGame(app);
}

