// A game entered card by card: tap a place, tap a card. A card can be used once only. A game in
// progress also has foundations and a waste, and its piles grow and shrink.

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import {
  RANKS,
  SUITS,
  cardName,
  cardOf,
  cardSign,
  isRed,
  rankOf,
  suitName,
  suitOf,
} from "../game/cards.js";
import { boardText } from "../game/board.js";
import {
  dealLayout,
  enteredBoard,
  missing,
  nextEmpty,
  placeAt,
  places,
  resized,
  tops,
  unused,
  withoutPlace,
} from "../game/enter.js";
import { STANDARD, shortRules } from "../game/rules.js";
import { layOut } from "../app/deals.js";
import { Dialog, Problem, useWork } from "./dialog.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../game/enter.js").Place} Place */
/** @typedef {import("../game/enter.js").Entered} Entered */
/** @typedef {import("../game/enter.js").Layout} Layout */
/** @typedef {ReturnType<typeof useEntry>} Entry */

/** @param {{ state: State }} props */
export function EnterDialog({ state }) {
  const app = useApp();
  const rules = state.game?.deal.rules ?? STANDARD;
  const entry = useEntry(rules);
  const [error, start] = useWork();
  const { begun, lack, layout, chosen } = entry;
  const ref = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    ref.current?.querySelector(".on")?.scrollIntoView({ block: "nearest" });
  }, [chosen, layout]);
  const use = () => {
    const name = begun ? "Entered game" : "Entered deal";
    void start(async () => {
      await layOut(app, boardText(entry.board()), shortRules(rules), { name });
      draft = null;
    });
  };
  return html`<${Dialog} title="Enter card by card" wide=${true}>
    <fieldset class="segments">
      <legend class="hide-visually">What is entered</legend>
      ${[
        [false, "A deal"],
        [true, "A game in progress"],
      ].map(
        ([value, text]) =>
          html`<label key=${text}>
            <input
              type="radio"
              name="begun"
              checked=${begun === value}
              onChange=${() => entry.begin(value === true)}
            />
            ${text}
          </label>`,
      )}
    </fieldset>
    <p class="quiet">
      Choose a place, then its card. Face-down cards and the stock may stay unknown: you name them
      as they turn up. Hints need the stock; its card drawn first comes first.${
        begun && " + adds a card: face down at the top of a pile, face up at its end."
      }
    </p>
    <div class=${classes("enter", begun && "begun")} ref=${ref}>
      ${begun && html`<${Tops} entry=${entry} />`}
      <div class="enter-piles">
        ${entry.layout.up.map(
          (_, pile) =>
            html`<${Pile} key=${pile} pile=${pile} entry=${entry} />`,
        )}
      </div>
      <div class="enter-stock" role="group" aria-label="Stock">
        <h3>Stock</h3>
        ${entry.of("stock").map((at) => html`<${Cell} key=${at.id} at=${at} entry=${entry} />`)}
      </div>
    </div>
    <${Deck} free=${entry.free} put=${entry.put} />
    ${
      begun &&
      Number(rules.redeals) > 0 &&
      html`<label class="pick">
        <span>Redeals used</span>
        <select
          value=${entry.redeals}
          onChange=${(/** @type {any} */ event) => entry.setRedeals(Number(event.target.value))}
        >
          ${Array.from(
            { length: Number(rules.redeals) + 1 },
            (_, used) =>
              html`<option key=${used} value=${used}>${used}</option>`,
          )}
        </select>
      </label>`
    }
    <div class="actions">
      <button class="strong" disabled=${lack !== ""} onClick=${use}>
        Play this ${begun ? "game" : "deal"}
      </button>
      <button disabled=${!entry.canClear} onClick=${entry.clear}>
        ${begun ? "Take away" : "Clear the place"}
      </button>
      <button onClick=${entry.clearAll}>Clear all</button>
      <p class="quiet" role="status">${lack || "Ready."}</p>
    </div>
    <${Problem} error=${error} />
  <//>`;
}

/**
 * What the dialog held when it was closed, for it may be closed by mistake.
 * @type {{ key: string, begun: boolean, layout: Layout, redeals: number, entered: Entered,
 *   chosen: string } | null}
 */
let draft = null;

/**
 * What is entered so far, and what changes it.
 * @param {Rules} rules
 */
function useEntry(rules) {
  const first = dealLayout(rules.piles);
  const key = JSON.stringify(rules);
  const kept = draft?.key === key ? draft : null;
  const [begun, setBegun] = useState(kept?.begun ?? false);
  const [layout, setLayout] = useState(kept?.layout ?? first);
  const [redeals, setRedeals] = useState(kept?.redeals ?? 0);
  const [entered, setEntered] = useState(/** @type {Entered} */ (kept?.entered ?? {}));
  const [chosen, choose] = useState(kept?.chosen ?? placeAt("up", 0, 0).id);
  draft = { key, begun, layout, redeals, entered, chosen };
  const all = places(layout, rules.suits * rules.ranks);
  const spare = all.filter(({ group }) => group === "stock").length;
  const place = all.find(({ id }) => id === chosen);
  const foundation = chosen.startsWith("foundation ") ? Number(chosen.slice(11)) : -1;

  /** @param {Layout} now @param {Entered} cards @param {string} id */
  const show = (now, cards, id) => {
    setLayout(now);
    setEntered(cards);
    choose(id);
  };
  /** @param {string} card */
  const put = (card) => {
    if (foundation >= 0) {
      const heights = layout.heights.map((h, suit) => (suit === suitOf(card) ? rankOf(card) : h));
      show({ ...layout, heights }, entered, `foundation ${suitOf(card)}`);
      return;
    }
    const added = addedBy(chosen);
    const id = added ? added.id(layout) : chosen;
    const next = { ...entered, [id]: card };
    if (added) show(resized(layout, added.group, added.pile, 1), next, chosen);
    else show(layout, next, nextEmpty(all, next, id) ?? id);
  };
  const clear = () => {
    if (foundation >= 0) {
      const heights = layout.heights.map((height, suit) => (suit === foundation ? 0 : height));
      show({ ...layout, heights }, entered, chosen);
    } else if (place && begun && place.group !== "stock") {
      const { group, pile } = place;
      const count = all.filter((one) => one.group === group && one.pile === pile).length;
      const end = `+${group} ${pile}`;
      const id = place.index + 1 < count ? chosen : group === "down" ? `+up ${pile}` : end;
      show(resized(layout, group, pile, -1), withoutPlace(entered, place, count), id);
    } else {
      const { [chosen]: _, ...rest } = entered;
      setEntered(rest);
    }
  };
  /** @param {boolean} value */
  const begin = (value) => {
    setBegun(value);
    if (!value) show(first, entered, chosen.includes("+") ? placeAt("up", 0, 0).id : chosen);
  };
  return {
    begun,
    layout,
    entered,
    chosen,
    choose,
    begin,
    put,
    clear,
    clearAll: () => show(first, {}, placeAt("up", 0, 0).id),
    canClear: foundation >= 0 || Boolean(place && (entered[chosen] || begun)),
    canAdd: spare > 0,
    addDown: (/** @type {number} */ pile) => setLayout(resized(layout, "down", pile, 1)),
    of: (/** @type {import("../game/enter.js").Group} */ group, pile = -1) =>
      all.filter((one) => one.group === group && one.pile === pile),
    free: new Set(
      foundation >= 0
        ? tops(all, entered).filter((card) => rankOf(card) - layout.heights[suitOf(card)] <= spare)
        : unused(all, entered, layout.heights),
    ),
    lack: missing(all, entered, layout),
    redeals,
    setRedeals,
    board: () => enteredBoard(all, entered, layout, begun ? redeals : 0),
  };
}

/** What a + stands for, or null. @param {string} chosen "+up 2", "+waste -1" */
function addedBy(chosen) {
  const [, group, number] = /^\+(up|waste) (-?\d+)$/.exec(chosen) ?? [];
  if (group !== "up" && group !== "waste") return null;
  const pile = Number(number);
  /** @param {Layout} layout */
  const id = ({ up, waste }) => placeAt(group, group === "up" ? up[pile] : waste, pile).id;
  return { group: /** @type {"up" | "waste"} */ (group), pile, id };
}

/** Waste and foundations of a game in progress. @param {{ entry: Entry }} props */
function Tops({ entry }) {
  const { heights } = entry.layout;
  return html`<div class="enter-tops">
    <div class="enter-waste" role="group" aria-label="Waste">
      <h3>Waste</h3>
      ${entry.of("waste").map((at) => html`<${Cell} key=${at.id} at=${at} entry=${entry} />`)}
      <${More} entry=${entry} id="+waste -1" text="one more card on the waste" />
    </div>
    <div class="enter-foundations" role="group" aria-label="Foundations">
      <h3>Foundations</h3>
      ${heights.map((height, suit) => {
        const id = `foundation ${suit}`;
        const on = entry.chosen === id;
        const card = height > 0 ? cardOf(suit, height) : null;
        const colour = isRed(`A${SUITS[suit]}`) ? "red-sign" : "black-sign";
        return html`<button
          key=${id}
          class=${classes("cell", colour, !card && "bare", on && "on")}
          aria-pressed=${on}
          onClick=${() => entry.choose(id)}
        >
          <span aria-hidden="true"
            >${card ? cardSign(card) : cardSign(`A${SUITS[suit]}`).slice(1)}</span
          >
          <span class="hide-visually"
            >foundation of ${suitName(suit)}: ${card ? cardName(card) : "empty"}</span
          >
        </button>`;
      })}
    </div>
  </div>`;
}

/** @param {{ pile: number, entry: Entry }} props */
function Pile({ pile, entry }) {
  const cells = [...entry.of("down", pile), ...entry.of("up", pile)];
  return html`<div class="enter-pile" role="group" aria-label=${`Pile ${pile + 1}`}>
    ${
      entry.begun &&
      html`<button
        class="cell more down"
        disabled=${!entry.canAdd}
        onClick=${() => entry.addDown(pile)}
      >
        <span aria-hidden="true">+</span>
        <span class="hide-visually">one more face-down card in pile ${pile + 1}</span>
      </button>`
    }
    ${cells.map((at) => html`<${Cell} key=${at.id} at=${at} entry=${entry} />`)}
    ${
      entry.begun &&
      html`<${More}
        entry=${entry}
        id=${`+up ${pile}`}
        text=${`one more face-up card on pile ${pile + 1}`}
      />`
    }
  </div>`;
}

/** A place that comes with its card. @param {{ entry: Entry, id: string, text: string }} props */
function More({ entry, id, text }) {
  const on = entry.chosen === id;
  return html`<button
    class=${classes("cell more", on && "on")}
    aria-pressed=${on}
    disabled=${!entry.canAdd}
    onClick=${() => entry.choose(id)}
  >
    <span aria-hidden="true">+</span>
    <span class="hide-visually">${text}</span>
  </button>`;
}

/** @param {{ at: Place, entry: Entry }} props */
function Cell({ at, entry }) {
  const card = entry.entered[at.id];
  const on = entry.chosen === at.id;
  const down = at.group === "down";
  const below = down || at.pile < 0 ? 0 : entry.layout.down[at.pile];
  const number = `card ${below + at.index + 1}`;
  const where = at.pile < 0 ? `${at.group}, ${number}` : `pile ${at.pile + 1}, ${number}`;
  const unknown = !card && (down || at.group === "stock");
  const what = card ? cardName(card) : unknown ? "unknown" : "empty";
  const colour = card && (isRed(card) ? "red-sign" : "black-sign");
  return html`<button
    class=${classes("cell", (down || unknown) && "down", on && "on", colour)}
    aria-pressed=${on}
    onClick=${() => entry.choose(at.id)}
  >
    <span aria-hidden="true">${card ? cardSign(card) : unknown ? "?" : ""}</span>
    <span class="hide-visually">${where}${down && ", face down"}: ${what}</span>
  </button>`;
}

/**
 * The cards that are still free, suit by suit.
 * @param {{ free: Set<string>, put: (card: string) => void }} props
 */
export function Deck({ free, put }) {
  return html`<div class="deck">
    ${SUITS.map(
      (suit) =>
        html`<div key=${suit} class="deck-row">
          ${RANKS.map((rank) => {
            const card = rank + suit;
            return html`<button
              key=${card}
              class=${classes("cell", isRed(card) ? "red-sign" : "black-sign")}
              disabled=${!free.has(card)}
              onClick=${() => put(card)}
            >
              <span aria-hidden="true"
                ><span>${cardSign(card).slice(0, -1)}</span
                ><span>${cardSign(card).slice(-1)}</span></span
              ><span class="hide-visually">${cardName(card)}</span>
            </button>`;
          })}
        </div>`,
    )}
  </div>`;
}
