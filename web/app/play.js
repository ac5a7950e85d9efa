// Moves of the person: taps, drags, undo and redo, playing a line, finishing by itself.

import { noWinWords } from "../game/advice.js";
import { faceDownCount, openCards, targetPlace } from "../game/board.js";
import {
  canRedo,
  canUndo,
  currentBoard,
  goTo,
  play,
  playInstead,
  redo,
  showLine,
  stepAt,
  switchTo,
  undo,
} from "../game/game.js";
import {
  lastPassMove,
  moveUp,
  movesOf,
  moveTo,
  rankedMoves,
  stockMove,
} from "../game/targets.js";
import { moveSentence } from "../game/words.js";
import { attempt, gameFields, inTurn, isWon, say, setGame, turnedUnknown } from "./app.js";
import { canJudge, judgementAfter } from "./light.js";

/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../game/targets.js").Held} Held */
/** @typedef {import("./app.js").App} App */

/** The game with the legal moves of its position. @param {App} app */
function here(app) {
  const { game, facts } = app.store.get();
  if (!game) return null;
  return { game, legal: facts[stepAt(game).id]?.legal ?? [] };
}

/** @param {App} app @param {Move} move @param {{ instead?: boolean }} [options] */
export function makeMove(app, move, { instead = false } = {}) {
  const { game, facts } = app.store.get();
  if (!game) return;
  const next = instead ? playInstead(game, move) : play(game, move);
  const judgement = judgementAfter(facts, next);
  const { id } = stepAt(next);
  const kept = judgement ? { ...facts, [id]: { ...facts[id], judgement } } : facts;
  const said = moveSentence(move) + (isWon(next) ? " The game is won." : "");
  setGame(app, next, { said, facts: kept, dialog: turnedUnknown(next) ? "turned" : null });
}

/** @param {App} app */
export function undoMove(app) {
  const { game } = app.store.get();
  if (!game || !canUndo(game)) return;
  const { move } = stepAt(game);
  setGame(app, undo(game), {
    said: move ? `Takes back: ${moveSentence(move)}` : "",
    playing: false,
  });
}

/** @param {App} app */
export function redoMove(app) {
  const { game } = app.store.get();
  if (!game || !canRedo(game)) return;
  const next = redo(game);
  const { move } = stepAt(next);
  const said = (move ? moveSentence(move) : "") + (isWon(next) ? " The game is won." : "");
  setGame(app, next, { said });
}

/** @param {App} app @param {number} ply */
export function jumpTo(app, ply) {
  const { game } = app.store.get();
  if (!game || ply === game.at) return;
  setGame(app, goTo(game, ply), { playing: false, said: `Position after move ${ply}.` });
}

/** @param {App} app @param {number} tip */
export function takeBranch(app, tip) {
  const { game } = app.store.get();
  if (game) setGame(app, switchTo(game, tip), { playing: false, said: "Shows the other line." });
}

/**
 * A line of the engine lies ahead, ready to be stepped through.
 * @param {App} app
 * @param {Move[]} moves
 */
export function showMoves(app, moves) {
  const { game } = app.store.get();
  if (game) setGame(app, showLine(game, moves), { playing: false });
}

/** @param {App} app */
export const canTakeLastPass = (app) => lastPassMove(here(app)?.legal ?? []) !== undefined;

/** @param {App} app */
export function takeLastPass(app) {
  const move = lastPassMove(here(app)?.legal ?? []);
  if (move) makeMove(app, move);
}

/** @param {App} app */
export function drawOrRedeal(app) {
  const move = stockMove(here(app)?.legal ?? []);
  if (move) makeMove(app, move);
}

/**
 * Picks up a card with what lies on it. While the legal moves are not known, any card may have one.
 * @param {App} app
 * @param {Held} held
 */
export function pickUp(app, held) {
  const { game, facts } = app.store.get();
  const legal = game && facts[stepAt(game).id]?.legal;
  const can = !legal || movesOf(legal, held).length > 0;
  app.store.set({ held: can ? held : null });
  return can;
}

/**
 * Whether a card still lies where a hand took it, since moves that waited may have come before.
 * @param {App} app
 * @param {Held} held
 * @param {string} card
 */
export function liesThere(app, { place, count }, card) {
  const { game } = app.store.get();
  return game !== null && openCards(currentBoard(game), place).at(-count) === card;
}

/**
 * Puts what is held down on a place; false if that is no move.
 * @param {App} app
 * @param {string} place
 */
export function putDown(app, place) {
  const { held } = app.store.get();
  const move = held && moveTo(here(app)?.legal ?? [], held, place);
  app.store.set({ held: null });
  if (move) makeMove(app, move);
  return Boolean(move);
}

/**
 * A tap on a card: its best move; a second tap on the same card tries the next one.
 * @param {App} app
 * @param {Held} held
 */
export function tapCard(app, held) {
  const now = here(app);
  if (!now) return;
  const again = nextTarget(app, held);
  if (again) return makeMove(app, again, { instead: true });
  const [best] = rankedMoves(now.legal, currentBoard(now.game), held);
  if (best) makeMove(app, best);
}

/**
 * The next target of a card that the last move put where it is.
 * @param {App} app
 * @param {Held} held
 */
function nextTarget(app, held) {
  const { game, facts } = app.store.get();
  const last = game && stepAt(game).move;
  if (!last || last.count !== held.count || targetPlace(last) !== held.place) return null;
  if (last.to === "waste" || last.to === "stock") return null;
  const before = stepAt(game, game.at - 1);
  const from = { place: last.from, count: last.count };
  const moves = rankedMoves(facts[before.id]?.legal ?? [], before.board, from);
  const next = moves[moves.findIndex((move) => move.move === last.move) + 1];
  return next ?? null;
}

/**
 * A double tap: up to the foundation. The first tap may have moved the card somewhere else already.
 * @param {App} app
 * @param {string} card
 */
export function putUp(app, card) {
  const now = here(app);
  if (!now) return false;
  const isUp = (/** @type {Move} */ move) =>
    move.card === card && move.to === "foundation" && move.count === 1;
  const move = now.legal.find(isUp);
  if (move) {
    makeMove(app, move);
    return true;
  }
  const { game, facts } = app.store.get();
  const last = game && stepAt(game).move;
  if (!last || last.card !== card || last.to === "foundation") return false;
  const earlier = facts[stepAt(game, game.at - 1).id]?.legal?.find(isUp);
  if (earlier) makeMove(app, earlier, { instead: true });
  return Boolean(earlier);
}

/** Whether nothing is hidden any more, so that the rest plays itself. @param {App} app */
export function canFinish(app) {
  const { game } = app.store.get();
  if (!game || isWon(game) || faceDownCount(currentBoard(game)) > 0) return false;
  return openCards(currentBoard(game), "stock").length === 0;
}

/**
 * Finishes the game if nothing is hidden any more; else puts up what can go up.
 * @param {App} app
 * @param {{ asked?: boolean }} [options] Whether the person asked for it.
 */
export async function finish(app, { asked = true } = {}) {
  const now = here(app);
  if (!now) return;
  if (faceDownCount(currentBoard(now.game)) > 0 || !canJudge(now.game)) return putAllUp(app);
  await attempt(app, async (engine) => {
    const answer = await engine.ask({ kind: "solve", ...gameFields(now.game) }, { lane: "light" });
    if (app.store.get().game !== now.game) return;
    if (answer.solution) {
      showMoves(app, answer.solution.moves);
      app.store.set({ playing: true });
    } else if (asked) say(app, noWinWords({ answer }));
  });
}

/** @param {App} app */
function putAllUp(app) {
  const move = moveUp(here(app)?.legal ?? []);
  if (!move) {
    say(app, "No card can go up.");
    return;
  }
  makeMove(app, move);
  const made = app.store.get().game;
  const next = () => {
    if (app.store.get().game === made && moveUp(here(app)?.legal ?? [])) putAllUp(app);
  };
  setTimeout(() => inTurn(app, next), 120);
}
