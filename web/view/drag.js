// Dragging, tapping and long pressing on the board.
//
// A drag moves its cards by their style `translate`, once a frame, and draws nothing else anew.
// Where they lie is their `transform`, which the board alone sets, also during a drag.

/** @typedef {import("../game/targets.js").Held} Held */

/**
 * @typedef {object} Hands What the hands on the board mean.
 * @property {(held: Held) => boolean} grab A drag begins; false if nothing moves.
 * @property {(held: Held, card: string, corner: { x: number, y: number }) => void} drop
 * @property {(held: Held | null, place: string, card: string, double: boolean) => void} tap
 * @property {(held: Held, card: string) => void} press Long press, or the other button.
 */

const NOWHERE = { x: -1e6, y: -1e6 };
const FAR = 5; // pixels that make a tap a drag
const LONG = 450; // milliseconds of a long press
const DOUBLE = 350; // milliseconds between the taps of a double tap

/**
 * Listens on the board. Returns how to stop.
 * @param {HTMLElement} board
 * @param {() => Hands} hands
 */
export function watchHands(board, hands) {
  /** @type {Drag | null} */
  let drag = null;
  let last = { card: "", time: 0 };

  const down = (/** @type {PointerEvent} */ event) => {
    if (!event.isPrimary || event.button !== 0) return;
    const target = placeOf(event.target);
    if (!target) {
      hands().tap(null, "", "", false);
      return;
    }
    drag?.end();
    drag = new Drag(board, event, target, hands);
  };
  const move = (/** @type {PointerEvent} */ event) => drag?.move(event);
  const up = (/** @type {PointerEvent} */ event) => {
    if (!drag) return;
    const { target, held, moved, pressed } = drag;
    const corner = drag.corner(event);
    drag.end();
    drag = null;
    const card = target.dataset.card ?? "";
    if (moved && held) hands().drop(held, card, corner);
    if (moved || pressed) return;
    const time = event.timeStamp;
    const double = card !== "" && card === last.card && time - last.time < DOUBLE;
    last = { card: double ? "" : card, time };
    hands().tap(held, target.dataset.place ?? "", card, double);
  };
  const cancel = () => {
    if (!drag) return;
    const { target, held, moved } = drag;
    drag.end();
    drag = null;
    if (moved && held) hands().drop(held, target.dataset.card ?? "", NOWHERE);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") cancel();
  };
  const menu = (/** @type {MouseEvent} */ event) => {
    const target = placeOf(event.target);
    if (!target) return;
    event.preventDefault();
    const held = heldBy(target);
    if (held && !drag?.pressed && !drag?.moved) hands().press(held, target.dataset.card ?? "");
  };

  board.addEventListener("pointerdown", down);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", up);
  board.addEventListener("pointercancel", cancel);
  board.addEventListener("contextmenu", menu);
  document.addEventListener("keydown", key);
  return () => {
    cancel();
    board.removeEventListener("pointerdown", down);
    board.removeEventListener("pointermove", move);
    board.removeEventListener("pointerup", up);
    board.removeEventListener("pointercancel", cancel);
    board.removeEventListener("contextmenu", menu);
    document.removeEventListener("keydown", key);
  };
}

/**
 * The card or place under an event.
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null}
 */
const placeOf = (target) => (target instanceof Element ? target.closest("[data-place]") : null);

/** @param {HTMLElement} target @returns {Held | null} */
export function heldBy(target) {
  const { place = "", count, card } = target.dataset;
  if (!card || count === "0" || !target.classList.contains("up")) return null;
  return { place, count: Number(count) };
}

class Drag {
  /**
   * @param {HTMLElement} board
   * @param {PointerEvent} event
   * @param {HTMLElement} target
   * @param {() => Hands} hands
   */
  constructor(board, event, target, hands) {
    this.board = board;
    this.target = target;
    this.hands = hands;
    this.held = heldBy(target);
    this.start = { x: event.clientX, y: event.clientY };
    this.pointer = event.pointerId;
    this.moved = false;
    this.pressed = false;
    this.frame = 0;
    /** @type {HTMLElement[]} */
    this.cards = [];
    this.timer = setTimeout(() => this.press(), LONG);
  }

  press() {
    if (this.moved || !this.held) return;
    this.pressed = true;
    this.hands().press(this.held, this.target.dataset.card ?? "");
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerId !== this.pointer) return;
    const x = event.clientX - this.start.x;
    const y = event.clientY - this.start.y;
    if (!this.moved && Math.hypot(x, y) > FAR) this.begin();
    if (this.cards.length === 0) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      for (const { style } of this.cards) style.translate = `${x}px ${y}px`;
    });
  }

  begin() {
    clearTimeout(this.timer);
    this.moved = true;
    if (!this.held || !this.hands().grab(this.held)) return;
    this.board.setPointerCapture(this.pointer);
    const { place, count } = this.held;
    for (const element of this.board.querySelectorAll(`.card[data-place="${place}"]`)) {
      if (!(element instanceof HTMLElement)) continue;
      const own = Number(element.dataset.count);
      if (own > 0 && own <= count) this.add(element);
    }
  }

  /** @param {HTMLElement} element */
  add(element) {
    this.cards.push(element);
    element.toggleAttribute("data-dragged", true);
  }

  /** Where the corner of the dragged card is. @param {PointerEvent} event */
  corner(event) {
    const [card] = this.cards;
    if (!card) return NOWHERE;
    const [x, y] = (card.style.transform.match(/-?[\d.]+/g) ?? ["0", "0"]).map(Number);
    return { x: x + event.clientX - this.start.x, y: y + event.clientY - this.start.y };
  }

  /** The cards go where the board says, from where they are. */
  end() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    for (const element of this.cards) {
      element.toggleAttribute("data-dragged", false);
      // The transition begins where the card was let go.
      void element.offsetWidth;
      element.style.translate = "";
    }
  }
}
