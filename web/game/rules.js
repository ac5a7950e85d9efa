// Rule sets by name, as the engine lists them, and the fields that differ from the standard.

/** @typedef {import("../types.js").Rules} Rules */

/** @type {Rules} */
export const STANDARD = {
  draw: 3,
  redeals: "unlimited",
  worrying_back: true,
  runs: "partial",
  spaces: "kings",
  reversed_groups: false,
  piles: [1, 2, 3, 4, 5, 6, 7],
  suits: 4,
  ranks: 13,
};

/**
 * The fields in which rules differ from the standard.
 * @param {Rules} rules
 * @returns {Partial<Rules>}
 */
export function differences(rules) {
  const fields = /** @type {(keyof Rules)[]} */ (Object.keys(STANDARD));
  return Object.fromEntries(
    fields
      .filter((name) => String(rules[name] ?? STANDARD[name]) !== String(STANDARD[name]))
      .map((name) => [name, rules[name]]),
  );
}

/**
 * Rules as a link or a request holds them: "standard", "draw1", or what differs.
 * @param {Rules} rules
 */
export function shortRules(rules) {
  const changed = differences(rules);
  const names = Object.keys(changed);
  if (names.length === 0) return "standard";
  if (names.length === 1 && changed.draw === 1) return "draw1";
  return /** @type {Record<string, unknown>} */ (changed);
}

/** Why these rules have no hints from what a person sees; "" if they have. @param {Rules} rules */
export function noAdviceWords({ redeals, reversed_groups: reversed }) {
  const hints = "Hints from what you see do not know";
  if (redeals === "last-pass-by-ones") return `${hints} a last pass by ones.`;
  const changes = reversed && redeals !== "unlimited" && redeals !== 0;
  return changes ? `${hints} draws that are reversed where redeals are limited.` : "";
}
