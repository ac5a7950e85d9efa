// Long questions: how to win, the shortest way, the best score, how hard, which moves keep the win.

import { noWinWords } from "../game/advice.js";
import { stepAt } from "../game/game.js";
import { shortRules } from "../game/rules.js";
import { moveSentence } from "../game/words.js";
import { gameFields, learn, say } from "./app.js";
import { advise } from "./hidden.js";
import { canJudge, judgeGame, judgementOf, seesAll, showsVerdicts } from "./light.js";
import { jumpTo, showMoves } from "./play.js";
import { runTask, runWork, stopTask } from "./tasks.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../types.js").Move} Move */

/** With the light on, every move is judged while the analysis is open. @param {App} app */
export function startAnalysis(app) {
  app.onPosition.push(() => {
    const state = app.store.get();
    if (state.panel === "solve" && showsVerdicts(state)) void markMoves(app);
  });
}

/** A line that wins lies ahead, ready to be stepped through. @param {App} app */
export async function showWin(app) {
  const line = await winningLine(app);
  if (!line) return;
  showMoves(app, line);
  app.store.set({ panel: "play", said: `A line of ${line.length} moves that wins is shown.` });
}

/** A hint from the cards that the page may look at. @param {App} app */
export const giveHint = (app) => (seesAll(app.store.get()) ? showHint(app) : advise(app));

/** One move that wins, marked on the board. @param {App} app */
export async function showHint(app) {
  const { game } = app.store.get();
  if (!game) return;
  const [hint] = (await winningLine(app)) ?? [];
  const words = noWinWords(app.store.get().tasks.solve);
  if (hint) app.store.set({ hint, held: null, panel: "play", said: moveSentence(hint) });
  else if (words && app.store.get().game === game) say(app, words);
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
  const answer = await runTask(
    app,
    "solve",
    { kind: "solve", ...gameFields(game) },
    { lane: "light" },
  );
  if (!answer || app.store.get().game !== game) return null;
  const line = answer.solution?.moves;
  learn(app, game, id, { judgement: judgementOf(answer) });
  return line ?? null;
}

/** @param {App} app @param {"shortest" | "best-score" | "fewest-passes"} goal */
export async function search(app, goal) {
  const { game } = app.store.get();
  if (!game) return;
  const answer = await runTask(app, goal, { kind: "solve", goal, ...gameFields(game) });
  if (answer?.verdict !== "unwinnable") return;
  learn(app, game, stepAt(game).id, { judgement: judgementOf(answer) });
}

/** How hard the deal is. @param {App} app */
export function askGrade(app) {
  const { game } = app.store.get();
  if (!game) return;
  const { deal, rules } = gameFields(game);
  void runTask(app, "grade", { kind: "grade", deal, rules }, { whole: true });
}

/**
 * For how many cards drawn at once, and how few redeals, the deal can be won; what is known of that
 * is not asked again.
 * @param {App} app
 */
export async function askLights(app) {
  const { game } = app.store.get();
  if (!game) return;
  const askAll = async (/** @type {import("./tasks.js").Control} */ { signal }) => {
    for (const { task, change } of LIGHT_RULES) {
      if (app.store.get().tasks[task]?.answer) continue;
      const rules = shortRules({ ...game.deal.rules, ...change });
      const request = { kind: "solve", deal: game.deal.text, rules, limits: { states: 2_000_000 } };
      const stop = () => stopTask(app, task);
      signal.addEventListener("abort", stop);
      await runTask(app, task, request, { whole: true });
      signal.removeEventListener("abort", stop);
      signal.throwIfAborted();
    }
    return {};
  };
  await runWork(app, "lights", askAll, { whole: true });
}

/** @typedef {{ name: string, change: Partial<import("../types.js").Rules> }} OtherRules */

/** Other rules for a deal, and the name of the task that asks about them. */
export const LIGHT_RULES = /** @type {OtherRules[]} */ ([
  ...[1, 2, 3, 4, 5].map((draw) => ({
    name: `draw ${draw}`,
    change: { draw, redeals: "unlimited" },
  })),
  { name: "draw 1, one pass", change: { draw: 1, redeals: 0 } },
  { name: "draw 3, three passes", change: { draw: 3, redeals: 2 } },
]).map((rules) => ({ ...rules, task: `light ${rules.name}` }));

/** Marks each legal move with its verdict. @param {App} app */
export async function markMoves(app) {
  const { game, facts } = app.store.get();
  if (!game || !canJudge(game) || facts[stepAt(game).id]?.moves) return;
  const answer = await runTask(app, "analyse", { kind: "analyse", ...gameFields(game) });
  if (!answer?.moves) return;
  const moves = Object.fromEntries(
    answer.moves.map((/** @type {any} */ move) => [move.move, move.verdict]),
  );
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
