// A deal entered card by card: tap a place, tap a card. A card can be used once only.

import { useState } from "../vendor/hooks.js";
import { SUITS, cardName, cardSign, isRed } from "../game/cards.js";
import { enteredText, missing, nextEmpty, places, unused } from "../game/enter.js";
import { STANDARD, shortRules } from "../game/rules.js";
import { layOut } from "../app/deals.js";
import { fail } from "../app/app.js";
import { Dialog } from "./dialog.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../game/enter.js").Place} Place */
/** @typedef {import("../game/enter.js").Entered} Entered */

/** @param {{ state: State }} props */
export function EnterDialog({ state }) {
  const app = useApp();
  const rules = state.game?.deal.rules ?? STANDARD;
  const all = places(rules.piles, rules.suits * rules.ranks);
  const [entered, setEntered] = useState(/** @type {Entered} */ ({}));
  const [place, setPlace] = useState(all[0].id);
  const put = (/** @type {string} */ card) => {
    const next = { ...entered, [place]: card };
    setEntered(next);
    setPlace(nextEmpty(all, next, place) ?? place);
  };
  const clear = () => {
    const { [place]: _, ...rest } = entered;
    setEntered(rest);
  };
  const use = () => {
    const work = layOut(app, enteredText(all, entered), shortRules(rules), {
      name: "Entered deal",
    });
    work.catch((problem) => fail(app, problem));
  };
  const lack = missing(all, entered);
  return html`<${Dialog} title="Enter a deal" wide=${true}>
    <p class="quiet">
      Choose a place, then its card. Cards that lie face down may stay unknown. Go through the stock
      once to enter it, the card drawn first comes first.
    </p>
    <${Layout} all=${all} entered=${entered} place=${place} choose=${setPlace} />
    <${Deck} free=${new Set(unused(entered))} put=${put} />
    <div class="actions">
      <button class="strong" disabled=${lack !== ""} onClick=${use}>Play this deal</button>
      <button disabled=${!entered[place]} onClick=${clear}>Clear the place</button>
      <button disabled=${Object.keys(entered).length === 0} onClick=${() => setEntered({})}>
        Clear all
      </button>
      <p class="quiet" role="status">${lack || "Ready."}</p>
    </div>
  <//>`;
}

/**
 * @param {{ all: Place[], entered: Entered, place: string, choose: (id: string) => void }} props
 */
function Layout({ all, entered, place, choose }) {
  const cell = (/** @type {Place} */ at) =>
    html`<${Cell}
      key=${at.id}
      at=${at}
      card=${entered[at.id]}
      on=${at.id === place}
      choose=${choose}
    />`;
  const piles = Math.max(...all.map(({ pile }) => pile)) + 1;
  return html`<div class="enter">
    <div class="enter-piles">
      ${Array.from({ length: piles }, (_, pile) => {
        const cells = all.filter((at) => at.pile === pile).sort((a, b) => a.index - b.index);
        return html`<div
          key=${pile}
          class="enter-pile"
          role="group"
          aria-label=${`Pile ${pile + 1}`}
        >
          ${cells.map(cell)}
        </div>`;
      })}
    </div>
    <div class="enter-stock" role="group" aria-label="Stock">
      ${all.filter((at) => at.pile < 0).map(cell)}
    </div>
  </div>`;
}

/**
 * @param {{ at: Place, card: string | undefined, on: boolean, choose: (id: string) => void }} props
 */
function Cell({ at, card, on, choose }) {
  const where =
    at.pile < 0
      ? `stock, card ${at.index + 1}`
      : `pile ${at.pile + 1}, card ${at.index + 1}${at.down ? ", face down" : ""}`;
  const what = card ? cardName(card) : at.down ? "unknown" : "empty";
  const colour = card && (isRed(card) ? "red-sign" : "black-sign");
  return html`<button
    class=${classes("cell", at.down && "down", on && "on", colour)}
    aria-pressed=${on}
    onClick=${() => choose(at.id)}
  >
    <span aria-hidden="true">${card ? cardSign(card) : at.down ? "?" : ""}</span>
    <span class="hide-visually">${where}: ${what}</span>
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
          ${"A23456789TJQK".split("").map((rank) => {
            const card = rank + suit;
            return html`<button
              key=${card}
              class=${classes("cell", isRed(card) ? "red-sign" : "black-sign")}
              disabled=${!free.has(card)}
              onClick=${() => put(card)}
            >
              <span aria-hidden="true">${cardSign(card)}</span
              ><span class="hide-visually">${cardName(card)}</span>
            </button>`;
          })}
        </div>`,
    )}
  </div>`;
}
