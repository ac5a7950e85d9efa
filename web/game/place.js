// The place in a text that an error is about.

/**
 * @typedef {object} Trouble
 * @property {number} line From 1.
 * @property {string} before The line up to the trouble.
 * @property {string} bad
 * @property {string} after
 */

/**
 * Finds what an error quotes between backticks, on the line that it names if it names one.
 * @param {string} text
 * @param {string} message
 * @returns {Trouble | null}
 */
export function troubleAt(text, message) {
  const lines = text.split("\n");
  const named = /line (\d+)/.exec(message);
  const [, quoted = ""] = /`([^`]+)`/.exec(message) ?? [];
  const line = named
    ? Number(named[1])
    : lines.findIndex((row) => quoted !== "" && row.includes(quoted)) + 1;
  const row = lines[line - 1];
  if (row === undefined) return null;
  const at = quoted ? row.indexOf(quoted) : -1;
  if (at < 0) return named ? { line, before: row, bad: "", after: "" } : null;
  return { line, before: row.slice(0, at), bad: quoted, after: row.slice(at + quoted.length) };
}
