// The verdict light: can the position still be won? Worked out in the background after each move.

import { cardsUp, hasUnknown } from "../game/board.js";
import { stepAt } from "../game/game.js";
import { lineVerdicts, nextToJudge } from "../game/verdicts.js";
import { ServerBusy } from "../engine/http.js";
import { isAbort } from "../engine/errors.js";
import { changeSettings, fail, gameFields, learn } from "./app.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./state.js").Facts} Facts */
/** @typedef {import("./state.js").Judgement} Judgement */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("../game/game.js").Game} Game */

/** States that a background search stores; more are a click away. */
export const LIGHT_STATES = 1_000_000;

/** The search that runs, if any. @type {AbortController | null} */
let running = null;

/** @param {App} app */
export function startLight(app) {
  app.onPosition.push(() => void judgeGame(app));
}

/** Where the page may not look at all cards, the switch stays as it is. @param {App} app */
export function toggleLight(app) {
  if (!seesAll(app.store.get())) return;
  const light = !app.store.get().settings.light;
  changeSettings(app, { light });
  if (light) void judgeGame(app);
  else running?.abort();
}

/** Nobody can say whether a deal with unknown cards can be won. @param {Game} game */
export const canJudge = (game) => !hasUnknown(game.deal.board);

/**
 * Whether the page may look at all cards: they are known, and the person does not forbid it.
 * @param {State} state
 */
export const seesAll = ({ game, settings }) =>
  game !== null && !settings.hidden && canJudge(game);

/** Whether the page shows who can still win. @param {State} state */
export const showsVerdicts = (state) => state.settings.light && seesAll(state);

/**
 * Judges the position, then looks for the move that lost the win.
 * @param {App} app
 * @param {number} [states]
 */
export async function judgeGame(app, states = LIGHT_STATES) {
  running?.abort();
  app.store.set({ unjudged: "" });
  const { game } = app.store.get();
  if (!game || !showsVerdicts(app.store.get())) return;
  const control = new AbortController();
  running = control;
  if (nextPly(app, game, states) !== game.at) sayVerdict(app, game);
  const show = (/** @type {State["judging"]} */ judging) => {
    if (running === control) app.store.set({ judging });
  };
  const onProgress = (/** @type {any} */ progress) => show({ states: progress.states });
  show({ states: 0 });
  try {
    for (let ply = nextPly(app, game, states); ply !== null; ply = nextPly(app, game, states)) {
      const judgement = await judge(app, game, ply, {
        states,
        signal: control.signal,
        onProgress,
      });
      learn(app, game, game.line[ply], { judgement });
      if (ply === game.at) sayVerdict(app, game);
    }
  } catch (error) {
    if (!isAbort(error) && running === control) noVerdict(app, error);
  }
  show(null);
}

/** The light says that its search failed. @param {App} app @param {unknown} error */
function noVerdict(app, error) {
  if (error instanceof ServerBusy) {
    app.store.set({ unjudged: error.message, said: error.message });
    return;
  }
  fail(app, error);
  app.store.set({ unjudged: "The engine failed." });
}

/** Ends the search for the verdict: so far it is not decided. @param {App} app */
export function stopJudging(app) {
  const { game, judging } = app.store.get();
  running?.abort();
  if (!game || !judging) return;
  const judgement = { verdict: /** @type {const} */ ("undecided"), states: judging.states, ms: 0 };
  learn(app, game, stepAt(game).id, { judgement });
}

/** Adds the verdict to what a screen reader says. @param {App} app @param {Game} game */
function sayVerdict(app, game) {
  const { game: now, facts, said } = app.store.get();
  const verdict = lineVerdicts(game, facts)[game.at];
  if (now !== game || !verdict) return;
  const words = {
    winnable: "It can be won.",
    unwinnable: "It cannot be won any more.",
    undecided: "Not decided.",
  };
  app.store.set({ said: `${said} ${words[verdict]}`.trim() });
}

/**
 * The position to judge next: the present one, then those between a win and a loss.
 * @param {App} app
 * @param {Game} game
 * @param {number} states
 */
function nextPly(app, game, states) {
  const { facts } = app.store.get();
  const { id } = stepAt(game);
  const line = lineVerdicts(game, facts).slice(0, game.at + 1);
  const verdict = line[game.at];
  const { states: tried = 0, asked = tried } = facts[id]?.judgement ?? {};
  const triedLess = verdict === "undecided" && asked < states;
  if (verdict === undefined || triedLess) return game.at;
  return verdict === "unwinnable" ? nextToJudge(line) : null;
}

/**
 * Asks for the verdict about a position of the line.
 * @param {App} app
 * @param {Game} game
 * @param {number} ply
 * @param {{ states?: number, signal?: AbortSignal, onProgress?: (progress: any) => void }} options
 * @returns {Promise<Judgement>}
 */
export async function judge(app, game, ply, { states = LIGHT_STATES, signal, onProgress }) {
  const begin = performance.now();
  const { suits, ranks } = game.deal.rules;
  if (cardsUp(stepAt(game, ply).board) === suits * ranks) {
    return { verdict: "winnable", states: 0, ms: 0, line: [] };
  }
  const engine = await app.engine;
  const answer = await engine.ask(
    { kind: "solve", ...gameFields(game, ply), limits: { states } },
    { lane: "light", signal, onProgress },
  );
  return { ...judgementOf(answer), asked: states, ms: performance.now() - begin };
}

/**
 * What an answer says of a position. A search looks at some states with another one, its oracle.
 * @param {Record<string, any>} answer
 * @returns {Judgement}
 */
export const judgementOf = ({ verdict, states = 0, oracle_states: others = 0, solution }) => ({
  verdict,
  states: states + others,
  ms: 0,
  line: solution?.moves,
});

/**
 * What is known after a move without asking: a move along a winning line keeps the win.
 * @param {Record<number, Facts>} facts
 * @param {Game} game After the move.
 * @returns {Judgement | undefined}
 */
export function judgementAfter(facts, game) {
  const step = stepAt(game);
  const before = facts[step.parent]?.judgement;
  if (facts[step.id]?.judgement || !before?.line?.length) return facts[step.id]?.judgement;
  const [next, ...rest] = before.line;
  if (next.move !== step.move?.move) return undefined;
  return { verdict: "winnable", states: 0, ms: 0, line: rest };
}
