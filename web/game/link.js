// Links that hold deal, rules and moves in the fragment, so that no server sees them.
//
// `#v1/RULES/DEAL/MOVES`: the name of a rule set or its fields, `SCHEME:N` or the code of a deal,
// and moves in the compact notation. Characters that links do not like are replaced.

/** @typedef {{ rules: string | Record<string, unknown>, deal: string, moves: string }} Link */

const VERSION = "v1";

/** @param {string} moves */
const packMoves = (moves) =>
  moves.replaceAll(" ", "_").replaceAll(":", ".").replaceAll(">", "-");

/** The `-` of a name such as `last-pass` stays; places begin with no small letter. */
/** @param {string} moves */
const unpackMoves = (moves) =>
  moves
    .replaceAll("_", " ")
    .replaceAll(".", ":")
    .replace(/-(?![a-z])/g, ">");

/** The fragment of a link, with its `#`. @param {Link} link */
export function linkFragment({ rules, deal, moves }) {
  const parts = [VERSION, packRules(rules), encodeURIComponent(deal).replaceAll("%3A", ":")];
  if (moves) parts.push(packMoves(moves));
  return `#${parts.join("/")}`;
}

/**
 * Reads a fragment; null if it holds no deal. More parts than a link has are moves that nobody can
 * read, and are said to be.
 * @param {string} fragment
 * @returns {Link | null}
 */
export function readFragment(fragment) {
  const [version, rules, deal, ...moves] = fragment.replace(/^#/, "").split("/");
  if (version !== VERSION || !rules || !deal) return null;
  try {
    return {
      rules: unpackRules(rules),
      deal: decodeURIComponent(deal),
      moves: unpackMoves(decodeURIComponent(moves.join("_"))),
    };
  } catch {
    return null;
  }
}

/** @param {Link["rules"]} rules */
function packRules(rules) {
  if (typeof rules === "string") return rules;
  return Object.entries(rules)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join("+") : value}`)
    .join(",");
}

/** @param {string} text @returns {Link["rules"]} */
function unpackRules(text) {
  if (!text.includes("=")) return text;
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [name, value] = part.split("=");
      if (!name || !value) throw new Error(`no rule: ${part}`);
      return [name, unpackValue(name, value)];
    }),
  );
}

/** @param {string} name @param {string} value */
function unpackValue(name, value) {
  if (name === "piles") return value.split("+").map(Number);
  if (value === "true" || value === "false") return value === "true";
  return /^\d+$/.test(value) ? Number(value) : value;
}
