// The head of the page: which deal this is, and where another one comes from.

import { useRef, useState } from "../vendor/hooks.js";
import { rulesLabel } from "../game/words.js";
import { newDeal } from "../app/deals.js";
import { changeSettings } from "../app/app.js";
import { GRADES } from "../app/state.js";
import { Icon } from "./icons.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @type {{ name: import("../app/state.js").DialogName, icon: string, text: string }[]} */
const ENTRIES = [
  { name: "open", icon: "open", text: "Open" },
  { name: "rules", icon: "rules", text: "Rules" },
  { name: "settings", icon: "settings", text: "Settings" },
  { name: "keys", icon: "keys", text: "Keys" },
];

/** @param {{ state: State }} props */
export function Header({ state }) {
  const app = useApp();
  const { game, settings } = state;
  const grade = GRADES[settings.grade];
  const rules = game ? rulesLabel(game.deal.rules) : "";
  const show = (/** @type {import("../app/state.js").DialogName} */ dialog) =>
    app.store.set({ dialog });
  return html`<header>
    <h1>
      <svg class="logo" viewBox="0 0 100 100" aria-hidden="true"><use href="#suit-S" /></svg>
      <span>klondike</span>
    </h1>
    <p class="deal-name">
      ${
        game &&
        html`<span class="name">${game.deal.name}</span>
          <span class="rules" title=${rules}>${rules}</span>`
      }
    </p>
    <nav aria-label="Game">
      <div class="split">
        <button
          class="strong"
          onClick=${() => newDeal(app, settings.grade)}
          title=${`New deal: ${grade.name.toLowerCase()}, proved winnable`}
        >
          <${Icon} name="plus" /><span>New<span class="more-words"> deal</span></span>
        </button>
        <button class="strong more" aria-label="Choose a new deal" onClick=${() => show("new")}>
          <${Icon} name="down" />
        </button>
      </div>
      ${ENTRIES.map(
        ({ name, icon, text }) =>
          html`<button key=${name} class="wide-only" onClick=${() => show(name)} title=${text}>
            <${Icon} name=${icon} /><span>${text}</span>
          </button>`,
      )}
      <${Theme} />
      <${Menu} show=${show} />
    </nav>
  </header>`;
}

/** Light or dark, as a button that shows the other one. */
function Theme() {
  const app = useApp();
  const dark = document.documentElement.dataset.theme === "dark";
  const toggle = () => changeSettings(app, { theme: dark ? "light" : "dark" });
  return html`<button
    class="icon-only wide-only"
    onClick=${toggle}
    aria-label=${dark ? "Light colours" : "Dark colours"}
    title=${dark ? "Light colours" : "Dark colours"}
  >
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="8" />
      <path class="filled" d="M12 4a8 8 0 0 1 0 16z" />
    </svg>
  </button>`;
}

/**
 * The same entries behind one button, on narrow screens.
 * @param {{ show: (name: any) => void }} props
 */
function Menu({ show }) {
  const [open, setOpen] = useState(false);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const close = () => {
    // The focus does not go with the list.
    button.current?.focus();
    setOpen(false);
  };
  const choose = (/** @type {string} */ name) => {
    close();
    show(name);
  };
  const leave = (/** @type {FocusEvent} */ event) => {
    const inside = /** @type {Node} */ (event.currentTarget).contains(
      /** @type {Node | null} */ (event.relatedTarget),
    );
    if (!inside) setOpen(false);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") close();
  };
  return html`<div class="menu narrow-only" onFocusOut=${leave} onKeyDown=${keys}>
    <button
      class="icon-only"
      ref=${button}
      aria-expanded=${open}
      aria-label="Menu"
      onClick=${() => setOpen(!open)}
    >
      <${Icon} name="menu" />
    </button>
    ${
      open &&
      html`<div class="menu-list">
        ${ENTRIES.map(
          ({ name, icon, text }) =>
            html`<button key=${name} onClick=${() => choose(name)}>
              <${Icon} name=${icon} /><span>${text}</span>
            </button>`,
        )}
      </div>`
    }
  </div>`;
}
