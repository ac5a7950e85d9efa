// The board: cards that move, places that take them, and hands and keys that play.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
import { currentBoard, stepAt } from "../game/game.js";
import { sourcePlace, targetPlace } from "../game/board.js";
import { movesOf, stockMove } from "../game/targets.js";
import { placeName } from "../game/words.js";
import { suitName } from "../game/cards.js";
import { inTurn } from "../app/app.js";
import { seesAll } from "../app/light.js";
import { drawOrRedeal, liesThere, pickUp, putDown, putUp, tapCard } from "../app/play.js";
import { Card, cardLabel } from "./card.js";
import { Arrows } from "./arrows.js";
import { focusPlace, moveCursor } from "./cursor.js";
import { watchHands } from "./drag.js";
import { cardKeys, cardSize, dropPlace, placeCards, placeSlots } from "./layout.js";
import { Icon } from "./icons.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/state.js").Facts} Facts */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../game/targets.js").Held} Held */
/** @typedef {import("./layout.js").PlacedCard} PlacedCard */
/** @typedef {import("./layout.js").PlacedSlot} PlacedSlot */

/** @param {{ state: State }} props */
export function Board({ state }) {
  const app = useApp();
  const ref = useRef(/** @type {HTMLDivElement | null} */ (null));
  const area = useArea(ref);
  const [cursor, setCursor] = useState({ place: "stock", index: 0 });
  // Read before the cards move: the focus would go with its card, or get lost with it.
  const inside = ref.current?.contains(document.activeElement) ?? false;
  const game = /** @type {import("../game/game.js").Game} */ (state.game);
  const board = currentBoard(game);
  const facts = state.facts[stepAt(game).id] ?? {};
  const legal = facts.legal ?? [];
  // Verdicts come from cards that may lie face down.
  const judged = seesAll(state) ? facts.moves : undefined;
  const open = state.marked.length > 0;
  const dealt = game.deal.board;
  const view = useMemo(() => {
    if (!area) return null;
    const size = cardSize(area.width, area.height, board);
    const cards = placeCards(board, size, open);
    return { size, cards: inOrder(cards, dealt), slots: placeSlots(board, size) };
  }, [board, area?.width, area?.height, open]);

  useLayoutEffect(() => {
    if (ref.current && inside) focusPlace(ref.current, cursor.place, cursor.index);
  }, [board]);

  // The hands are watched once and always mean the newest state.
  const hands = {
    grab: (/** @type {Held} */ held) => pickUp(app, held),
    drop: (
      /** @type {Held} */ held,
      /** @type {string} */ card,
      /** @type {{ x: number, y: number }} */ corner,
    ) =>
      inTurn(app, () => {
        const legal = liesThere(app, held, card) ? legalNow(app) : [];
        if (!view || !pickUp(app, held)) return;
        const allowed = new Set(movesOf(legal, held).map(targetPlace));
        putDown(app, dropPlace(view.slots, view.size, corner, (to) => allowed.has(to)) ?? "");
      }),
    tap: (
      /** @type {Held | null} */ held,
      /** @type {string} */ place,
      /** @type {string} */ card,
      /** @type {boolean} */ double,
    ) => inTurn(app, () => tap(app, held, place, card, double)),
    press: (/** @type {Held} */ held, /** @type {string} */ card) =>
      inTurn(app, () => void (liesThere(app, held, card) && pickUp(app, held))),
  };
  const newest = useRef(hands);
  newest.current = hands;
  useEffect(() => (ref.current ? watchHands(ref.current, () => newest.current) : undefined), []);

  const marks = useMemo(
    () => markedMoves(state, legal, judged),
    [state.held, state.hint, legal, judged],
  );
  const focus = view ? focusKey(view.cards, cursor) : "";
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const data = { ...target.dataset };
      inTurn(app, () => activate(app, data));
    } else if (view) {
      moveCursor(event, target, view.cards, view.slots);
    }
  };
  const onFocus = (/** @type {FocusEvent} */ event) => {
    const { place = "stock", index = "0" } = /** @type {HTMLElement} */ (event.target).dataset;
    setCursor({ place, index: Number(index) });
  };

  return html`<div
    class=${classes("board", state.held && "holding", open && "explaining")}
    ref=${ref}
    role="group"
    aria-label="Board"
    data-ready=${facts.legal ? "" : null}
    style=${view ? sizes(view.size) : {}}
    onKeyDown=${onKeyDown}
    onFocusIn=${onFocus}
  >
    ${
      view &&
      html`
        ${view.slots.map(
          (slot) =>
            html`<${Slot}
              key=${slot.place}
              slot=${slot}
              size=${view.size}
              cards=${view.cards.filter((card) => card.place === slot.place)}
              legal=${legal}
              mark=${marks.get(slot.place) ?? ""}
              focus=${focus === slot.place}
            />`,
        )}
        ${view.cards.map(
          (at) =>
            html`<${Card}
              key=${at.key}
              at=${at}
              small=${view.size.width < 64}
              label=${cardLabel(at, whereOf(at))}
              open=${open && at.place !== "stock"}
              focus=${focus === at.key}
              mood=${moodOf(at, state, marks, moveMark(at, legal, judged))}
            />`,
        )}
        <${Arrows} state=${state} cards=${view.cards} size=${view.size} />
      `
    }
  </div>`;
}

/**
 * Cards in the order of the deal: it stays the same, so that elements need not move, and says
 * nothing about cards that lie face down.
 * @param {PlacedCard[]} cards
 * @param {import("../types.js").Board} dealt
 */
function inOrder(cards, dealt) {
  const order = new Map(cardKeys(dealt).map((key, index) => [key, index]));
  const at = (/** @type {PlacedCard} */ { key }) => order.get(key) ?? order.size;
  return [...cards].sort((a, b) => at(a) - at(b));
}

/** What the style sheet knows of the size of cards. @param {import("./layout.js").Size} size */
const sizes = ({ width, height }) => ({
  "--card-width": `${width}px`,
  "--card-height": `${height}px`,
});

/**
 * The room that the board has.
 * @param {{ current: HTMLDivElement | null }} ref
 */
function useArea(ref) {
  const [area, setArea] = useState(/** @type {{ width: number, height: number } | null} */ (null));
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setArea((old) => (old?.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return area;
}

/** The legal moves of the position. @param {import("./html.js").App} app */
function legalNow(app) {
  const { game, facts } = app.store.get();
  return (game && facts[stepAt(game).id]?.legal) ?? [];
}

/**
 * What a tap does.
 * @param {import("./html.js").App} app
 * @param {Held | null} held
 * @param {string} place
 * @param {string} card
 * @param {boolean} double
 */
function tap(app, held, place, card, double) {
  const { held: already, settings } = app.store.get();
  if (place === "stock") return drawOrRedeal(app);
  if (double && putUp(app, card)) return undefined;
  if (already) {
    const same = already.place === place;
    if (putDown(app, place) || same || !held) return undefined;
  }
  if (!held || !liesThere(app, held, card)) return undefined;
  if (settings.tap === "pick") return void pickUp(app, held);
  return tapCard(app, held);
}

/**
 * Enter on a card or place: picks up, puts down, draws.
 * @param {import("./html.js").App} app
 * @param {DOMStringMap} target The data of its element.
 */
function activate(app, { place = "", count, card = "" }) {
  if (place === "stock") return drawOrRedeal(app);
  const { held } = app.store.get();
  const same = held?.place === place && held.count === Number(count);
  if (held && (putDown(app, place) || same)) return undefined;
  const next = { place, count: Number(count) };
  if (count && liesThere(app, next, card)) pickUp(app, next);
  return undefined;
}

/**
 * Which places are marked: targets of what is held with their verdicts, the target of the hint.
 * @param {State} state
 * @param {Move[]} legal
 * @param {Facts["moves"]} judged
 */
function markedMoves(state, legal, judged) {
  /** @type {Map<string, string>} */
  const places = new Map();
  if (state.held) {
    for (const move of movesOf(legal, state.held)) {
      places.set(targetPlace(move), `target ${judged?.[move.move] ?? ""}`);
    }
  } else if (state.hint) {
    places.set(targetPlace(state.hint), "hinted");
  }
  return places;
}

/**
 * @param {PlacedCard} at
 * @param {State} state
 * @param {ReturnType<typeof markedMoves>} marks
 * @param {string} kept Whether its moves keep the win.
 */
function moodOf(at, state, marks, kept) {
  const { held, hint, marked } = state;
  const isPart = (/** @type {string} */ place, /** @type {number} */ count) =>
    at.place === place && at.count > 0 && at.count <= count;
  return classes(
    held && isPart(held.place, held.count) && "held",
    at.count === 1 && marks.get(at.place),
    !held && hint && isPart(sourcePlace(hint), hint.count) && "hinted",
    !held && kept,
    marked.length > 0 && (marked.includes(at.card) && at.place !== "stock" ? "marked" : "dimmed"),
  );
}

/**
 * Whether some move of a card keeps the win, if every move is judged.
 * @param {PlacedCard} at
 * @param {Move[]} legal
 * @param {Facts["moves"]} judged
 */
function moveMark(at, legal, judged) {
  if (!judged) return "";
  const verdicts = legal
    .filter(
      (move) => sourcePlace(move) === at.place && move.count === at.count && move.to !== "stock",
    )
    .map((move) => judged[move.move]);
  if (verdicts.includes("winnable")) return "keeps";
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "unwinnable")
    ? "loses"
    : "";
}

/**
 * The key of the element that the tab key reaches.
 * @param {PlacedCard[]} cards
 * @param {{ place: string, index: number }} cursor
 */
function focusKey(cards, cursor) {
  const here = cards.filter((card) => card.place === cursor.place && card.count > 0);
  const found = here.find((card) => card.index === cursor.index) ?? here[here.length - 1];
  return found?.key ?? cursor.place;
}

/** @param {PlacedCard} at */
const whereOf = (at) =>
  at.place.startsWith("foundation") ? "foundation" : placeName(at.place).replace("the ", "");

/**
 * A place: its outline when it is empty, and its name for screen readers.
 * @param {object} props
 * @param {PlacedSlot} props.slot
 * @param {import("./layout.js").Size} props.size
 * @param {PlacedCard[]} props.cards
 * @param {Move[]} props.legal
 * @param {string} props.mark
 * @param {boolean} props.focus
 */
function Slot({ slot, size, cards, legal, mark, focus }) {
  const empty = cards.length === 0;
  const suit = slot.place.startsWith("foundation") ? Number(slot.place.slice(11)) : -1;
  const redeal = slot.place === "stock" && stockMove(legal)?.to === "stock";
  return html`<div
      data-place=${slot.place}
      class=${classes("slot", empty && "empty", empty && mark)}
      role=${empty ? "button" : null}
      tabindex=${empty ? (focus ? 0 : -1) : null}
      aria-label=${empty ? emptyLabel(slot.place, suit, redeal) : null}
      style=${{ transform: `translate(${slot.x}px,${slot.y}px)` }}
    >
      ${
        suit >= 0 &&
        html`<svg class="sign" viewBox="0 0 100 100" aria-hidden="true">
          <use href=${`#suit-${"CDHS"[suit]}`} />
        </svg>`
      }
      ${slot.place === "stock" && empty && html`<${Icon} name=${redeal ? "redeal" : "close"} />`}
    </div>
    ${
      slot.place === "stock" &&
      !empty &&
      html`<span
        class="count"
        aria-hidden="true"
        style=${{ transform: `translate(${slot.x}px,${slot.y + size.height / 2}px)` }}
        ><span>${cards.length}</span></span
      >`
    }`;
}

/** @param {string} place @param {number} suit @param {boolean} redeal */
function emptyLabel(place, suit, redeal) {
  if (suit >= 0) return `foundation of ${suitName(suit)}, empty`;
  if (place === "stock") return redeal ? "stock, empty, turns the waste back" : "stock, empty";
  return `${placeName(place).replace("the ", "")}, empty`;
}
