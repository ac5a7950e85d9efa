// Arrow keys on the board: left and right between places, up and down within a pile and between
// rows.

/** @typedef {import("./layout.js").PlacedCard} PlacedCard */
/** @typedef {import("./layout.js").PlacedSlot} PlacedSlot */

/**
 * Moves the focus; does nothing for other keys.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} target
 * @param {PlacedCard[]} cards
 * @param {PlacedSlot[]} slots
 */
export function moveCursor(event, target, cards, slots) {
  const place = target.dataset.place ?? "stock";
  const next = nextPlace(event.key, place, Number(target.dataset.index ?? 0), cards, slots);
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  const board = /** @type {HTMLElement} */ (event.currentTarget);
  focusPlace(board, next.place, next.index);
}

/**
 * Puts the focus on the card of a place, its top card if no index is given, or on its outline.
 * @param {HTMLElement} board
 * @param {string} place
 * @param {number} [index]
 */
export function focusPlace(board, place, index) {
  const all = [...board.querySelectorAll(`[data-place="${place}"][role="button"]`)];
  const cards = all.filter((element) => element.classList.contains("card"));
  const byIndex = (/** @type {Element} */ element) =>
    Number(/** @type {HTMLElement} */ (element).dataset.index);
  const sorted = cards.sort((a, b) => byIndex(a) - byIndex(b));
  const found =
    sorted.find((element) => byIndex(element) === index) ?? sorted[sorted.length - 1] ?? all[0];
  if (found instanceof HTMLElement) found.focus();
}

/**
 * @param {string} key
 * @param {string} place
 * @param {number} index
 * @param {PlacedCard[]} cards
 * @param {PlacedSlot[]} slots
 * @returns {{ place: string, index?: number } | null}
 */
export function nextPlace(key, place, index, cards, slots) {
  const isPile = place.startsWith("tableau");
  const row = slots.filter((slot) => slot.place.startsWith("tableau") === isPile);
  const at = row.findIndex((slot) => slot.place === place);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = row[(at + (key === "ArrowRight" ? 1 : row.length - 1)) % row.length];
    return { place: next.place };
  }
  if (key === "Home" || key === "End")
    return { place: row[key === "Home" ? 0 : row.length - 1].place };
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const step = key === "ArrowUp" ? -1 : 1;
  const open = cards.filter((card) => card.place === place && card.count > 0);
  if (isPile && open.some((card) => card.index === index + step))
    return { place, index: index + step };
  if (isPile === (key === "ArrowDown")) return null;
  const other = slots.filter((slot) => slot.place.startsWith("tableau") !== isPile);
  const x = row[at].x;
  const nearest = other.reduce((best, slot) =>
    Math.abs(slot.x - x) < Math.abs(best.x - x) ? slot : best,
  );
  return { place: nearest.place };
}
