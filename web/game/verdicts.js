// What is known about the positions of a game.
//
// A position before one that can be won can be won, too, and one after a lost position is lost. So
// few answers of the engine say much about a line.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("../types.js").Verdict} Verdict */
/** @typedef {import("../app/state.js").Facts} Facts */

/**
 * The verdicts that are known, by step.
 * @param {Game} game
 * @param {Record<number, Facts>} facts
 * @returns {Record<number, Verdict | undefined>}
 */
export function verdicts(game, facts) {
  /** @type {Record<number, Verdict | undefined>} */
  const known = {};
  // A step has a greater number than the one before it.
  const ids = Object.keys(game.steps).map(Number);
  for (const id of ids) {
    const lost = known[game.steps[id].parent] === "unwinnable";
    known[id] = lost ? "unwinnable" : facts[id]?.judgement?.verdict;
  }
  for (const id of ids.reverse()) {
    const { parent } = game.steps[id];
    if (known[id] === "winnable" && parent >= 0) known[parent] = "winnable";
  }
  return known;
}

/**
 * The verdicts along the line.
 * @param {Game} game
 * @param {Record<number, Facts>} facts
 */
export function lineVerdicts(game, facts) {
  const known = verdicts(game, facts);
  return game.line.map((id) => known[id]);
}

/**
 * The move of the line that lost the win: its number, from 1; 0 if the deal was lost as dealt; null
 * if none is known.
 * @param {(Verdict | undefined)[]} verdicts
 */
export function losingMove(verdicts) {
  const first = verdicts.indexOf("unwinnable");
  if (first === 0) return 0;
  return first > 0 && verdicts[first - 1] === "winnable" ? first : null;
}

/**
 * Where to ask next to find the move that lost: halfway between the last position known as winnable
 * and the first known as lost. Null if there is nothing to ask.
 * @param {(Verdict | undefined)[]} verdicts
 */
export function nextToJudge(verdicts) {
  const lost = verdicts.indexOf("unwinnable");
  if (lost <= 0) return null;
  const won = verdicts.lastIndexOf("winnable", lost);
  const open = [];
  for (let ply = won + 1; ply < lost; ply += 1) if (verdicts[ply] === undefined) open.push(ply);
  return open.length > 0 ? open[Math.floor(open.length / 2)] : null;
}
