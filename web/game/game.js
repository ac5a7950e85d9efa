// The game as a tree of moves.
//
// A move made in the middle starts a branch and the old line stays. A solution that is shown is a
// branch as well, so that undo, redo, slider and time line work on it as on a game. Everything here
// is a pure function: it gets a game and returns the next one.

import { applyMove, copyBoard, pileIndex, unknownInSight } from "./board.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Rules} Rules */

/**
 * @typedef {object} DealInfo
 * @property {string} text The deal as the engine reads it.
 * @property {string} name What people call it: "klondike:3", or "Pasted deal".
 * @property {Rules} rules
 * @property {Board} board As dealt.
 * @property {string} [key] The code of the deal for links.
 */

/**
 * @typedef {object} Step A move that was made and the position after it.
 * @property {number} id
 * @property {number} parent The step before; the first step has none (-1).
 * @property {Move | null} move
 * @property {Board} board
 * @property {boolean} shown Shown by the program, and not yet played by the person.
 */

/**
 * @typedef {object} Game
 * @property {string} id Its own, also beside other games of the same deal.
 * @property {DealInfo} deal
 * @property {Record<number, Step>} steps
 * @property {number} next The id of the next new step.
 * @property {number[]} line The steps from the deal on, with those that can be redone.
 * @property {number} at Where in the line the game stands.
 */

/** @param {DealInfo} deal @returns {Game} */
export function newGame(deal) {
  const root = { id: 0, parent: -1, move: null, board: deal.board, shown: false };
  return { id: String(Math.random()), deal, steps: { 0: root }, next: 1, line: [0], at: 0 };
}

/** The step at a place of the line. @param {Game} game */
export const stepAt = (game, ply = game.at) => game.steps[game.line[ply]];

/** @param {Game} game */
export const currentBoard = (game) => stepAt(game).board;

/** The moves of the line up to a place. @param {Game} game @returns {Move[]} */
export const movesTo = (game, ply = game.at) =>
  game.line.slice(1, ply + 1).map((id) => /** @type {Move} */ (game.steps[id].move));

/** The same as a text that the engine reads. @param {Game} game */
export const movesText = (game, ply = game.at) =>
  shortText(movesTo(game, ply).map((move) => move.move));

/** Writes repeated moves once: "draw draw" becomes "draw*2". @param {string[]} texts */
export function shortText(texts) {
  /** @type {string[]} */
  const words = [];
  for (let start = 0, end = 0; start < texts.length; start = end) {
    while (end < texts.length && texts[end] === texts[start]) end += 1;
    words.push(end - start > 1 ? `${texts[start]}*${end - start}` : texts[start]);
  }
  return words.join(" ");
}

/**
 * Makes a move: along the line or an old branch if it is the same move, else a new branch.
 * @param {Game} game
 * @param {Move} move
 * @returns {Game}
 */
export function play(game, move) {
  const here = stepAt(game);
  const ahead = game.line[game.at + 1];
  if (ahead !== undefined && game.steps[ahead].move?.move === move.move) return visit(redo(game));
  const old = childrenOf(game, here.id).find((step) => step.move?.move === move.move);
  if (old) {
    const line = [...game.line.slice(0, game.at + 1), ...tail(game, old)];
    return visit({ ...game, line, at: game.at + 1 });
  }
  const step = {
    id: game.next,
    parent: here.id,
    move,
    board: applyMove(here.board, move),
    shown: false,
  };
  return visit({
    ...game,
    steps: { ...game.steps, [step.id]: step },
    next: game.next + 1,
    line: [...game.line.slice(0, game.at + 1), step.id],
    at: game.at + 1,
  });
}

/**
 * Takes the last move away for good and makes another instead.
 * @param {Game} game
 * @param {Move} move
 * @returns {Game}
 */
export function playInstead(game, move) {
  const last = stepAt(game);
  const isLeaf = game.at === game.line.length - 1 && childrenOf(game, last.id).length === 0;
  const back = undo(game);
  if (!isLeaf) return play(back, move);
  const { [last.id]: _, ...steps } = back.steps;
  return play({ ...back, steps, line: back.line.slice(0, -1) }, move);
}

/** @param {Game} game */
export const canUndo = (game) => game.at > 0;

/** @param {Game} game */
export const canRedo = (game) => game.at < game.line.length - 1;

/** @param {Game} game @returns {Game} */
export const undo = (game) => goTo(game, game.at - 1);

/** @param {Game} game @returns {Game} */
export const redo = (game) => goTo(game, game.at + 1);

/** @param {Game} game @param {number} ply @returns {Game} */
export function goTo(game, ply) {
  const at = Math.max(0, Math.min(ply, game.line.length - 1));
  return at === game.at ? game : { ...game, at };
}

/**
 * Makes a line of the program the line ahead; lines shown before go, unless they were played.
 * @param {Game} game
 * @param {Move[]} moves
 * @returns {Game}
 */
export function showLine(game, moves) {
  const clean = dropShown(game);
  const steps = { ...clean.steps };
  const line = clean.line.slice(0, clean.at + 1);
  let { next } = clean;
  let step = stepAt(clean);
  for (const move of moves) {
    let child = Object.values(steps).find(
      (old) => old.parent === step.id && old.move?.move === move.move,
    );
    if (!child) {
      child = { id: next, parent: step.id, move, board: applyMove(step.board, move), shown: true };
      steps[next] = child;
      next += 1;
    }
    line.push(child.id);
    step = child;
  }
  return { ...clean, steps, line, next };
}

/**
 * Forgets what was shown and lies ahead. The person's own line is the line again.
 * @param {Game} game
 * @returns {Game}
 */
export function dropShown(game) {
  const kept = new Set(game.line.slice(0, game.at + 1));
  const steps = Object.fromEntries(
    Object.entries(game.steps).filter(([, step]) => !step.shown || kept.has(step.id)),
  );
  const line = game.line.filter((id) => steps[id]);
  const full =
    line.length === game.line.length ? line : [...line, ...longest({ ...game, steps }, line)];
  return { ...game, steps, line: full };
}

/** Whether the line ahead was shown by the program. @param {Game} game */
export const isShown = (game) => canRedo(game) && stepAt(game, game.line.length - 1).shown;

/**
 * The person plays what was shown: the steps up to here are theirs.
 * @param {Game} game
 * @returns {Game}
 */
export function adopt(game) {
  const steps = { ...game.steps };
  for (const id of game.line.slice(0, game.at + 1)) {
    if (steps[id].shown) steps[id] = { ...steps[id], shown: false };
  }
  return { ...game, steps };
}

/**
 * The ends of the branches that are not in the line, the newest first, with the ply where they
 * leave it.
 * @param {Game} game @returns {{ tip: number, leaves: number, length: number }[]}
 */
export function branches(game) {
  const inLine = new Map(game.line.map((id, ply) => [id, ply]));
  const parents = new Set(Object.values(game.steps).map((step) => step.parent));
  return Object.values(game.steps)
    .filter((step) => !parents.has(step.id) && !inLine.has(step.id))
    .map((step) => {
      const path = pathTo(game, step.id);
      const leaves = path.findIndex((id) => !inLine.has(id)) - 1;
      return { tip: step.id, leaves, length: path.length - 1 };
    })
    .sort((a, b) => b.tip - a.tip);
}

/**
 * Makes a branch the line and stands where it leaves the old one.
 * @param {Game} game
 * @param {number} tip
 * @returns {Game}
 */
export function switchTo(game, tip) {
  const line = pathTo(game, tip);
  const shared = line.findIndex((id, ply) => game.line[ply] !== id);
  return { ...game, line, at: shared < 0 ? line.length - 1 : Math.max(0, shared - 1) };
}

/**
 * The deal gets a card that was unknown, in all positions.
 * @param {Game} game
 * @param {(board: Board) => Board} change
 * @returns {Game}
 */
export function rewriteBoards(game, change) {
  const board = change(game.deal.board);
  /** @type {Record<number, Step>} */
  const steps = { 0: { ...game.steps[0], board } };
  for (const step of Object.values(game.steps).sort((a, b) => a.id - b.id)) {
    if (!step.move) continue;
    const after = applyMove(steps[step.parent].board, step.move);
    // A draw shows the card on top, which may have been unknown.
    const card = step.move.to === "waste" ? (after.waste.at(-1) ?? "") : step.move.card;
    steps[step.id] = { ...step, move: { ...step.move, card }, board: after };
  }
  return { ...game, deal: { ...game.deal, board }, steps };
}

/**
 * The deal gets the card that lies open and is unknown, in all positions.
 * @param {Game} game
 * @param {string} card
 * @returns {Game}
 */
export function nameInSight(game, card) {
  const board = currentBoard(game);
  const place = unknownInSight(board);
  if (place === null) return game;
  if (place !== "waste") {
    const pile = pileIndex(place);
    const depth = board.piles[pile].face_down.length;
    return rewriteBoards(game, (dealt) => {
      const next = copyBoard(dealt);
      next.piles[pile].face_down[depth] = card;
      return next;
    });
  }
  // Cards of the stock and the waste with numbers for names show where the card was dealt.
  const { stock, waste } = game.deal.board;
  const numbered = {
    ...copyBoard(game.deal.board),
    stock: stock.map((_, index) => String(index)),
    waste: waste.map((_, index) => String(stock.length + index)),
  };
  const at = Number(movesTo(game).reduce(applyMove, numbered).waste.at(-1));
  return rewriteBoards(game, (dealt) => {
    const talon = [...dealt.stock, ...dealt.waste].map((old, index) => (index === at ? card : old));
    const { length } = dealt.stock;
    return { ...copyBoard(dealt), stock: talon.slice(0, length), waste: talon.slice(length) };
  });
}

/** What was shown becomes the person's own when they play along it. @param {Game} game */
const visit = (game) =>
  game.line.slice(0, game.at + 1).some((id) => game.steps[id].shown) ? adopt(game) : game;

/** @param {Game} game @param {number} id */
const childrenOf = (game, id) => Object.values(game.steps).filter((step) => step.parent === id);

/**
 * A step and the longest way on from it.
 * @param {Game} game
 * @param {Step} step
 * @returns {number[]}
 */
const tail = (game, step) => [step.id, ...longest(game, [step.id])];

/**
 * The longest way on from the end of a line.
 * @param {Game} game
 * @param {number[]} line
 * @returns {number[]}
 */
function longest(game, line) {
  const ways = childrenOf(game, line[line.length - 1]).map((step) => tail(game, step));
  return ways.reduce(
    (best, way) => (way.length > best.length ? way : best),
    /** @type {number[]} */ ([]),
  );
}

/** @param {Game} game @param {number} id */
function pathTo(game, id) {
  const path = [];
  for (let step = game.steps[id]; step; step = game.steps[step.parent]) path.unshift(step.id);
  return path;
}
