// What an answer of `advise` means when it is more than a list of chances.

/** @typedef {import("../types.js").Move} Move */
/** @typedef {Record<string, any>} Answer */

/** In words; "" if the moves say it all. @param {Answer} answer */
export function adviceWords({ verdict, chance_at_most: most, worlds_drawn: drawn }) {
  if (verdict === "winnable") return "Nothing is hidden any more, and a line that wins is known.";
  if (verdict === "unwinnable") return "No order of the hidden cards can be won from here.";
  if (verdict !== "hopeless") return "";
  const chance = most === undefined ? "" : ` The chance is at most ${Math.ceil(most * 100)} %.`;
  return `None of ${drawn} orders of the hidden cards can be won from here.${chance}`;
}

/** Why a search for a line that wins shows none; "" if it does, or still runs. */
/** @param {Partial<import("../app/state.js").Task> | undefined} task */
export function noWinWords(task) {
  if (task?.state === "failed") return task.error ?? "";
  if (task?.answer?.verdict === "unwinnable") return "No line wins from here: proved.";
  if (task?.answer?.verdict !== "undecided") return "";
  return "No line that wins was found within the limits.";
}

/**
 * The moves that it would make: a winning line, or what it likes best.
 * @param {Answer} answer
 * @returns {Move[]}
 */
export const advisedMoves = (answer) =>
  answer.solution?.moves ?? answer.moves?.[0]?.line.moves ?? [];
