// The whole page.

import { useEffect } from "../vendor/hooks.js";
import { counted, sentence } from "../game/words.js";
import { useStore } from "../app/store.js";
import { onKey } from "../app/keys.js";
import { stopTask } from "../app/tasks.js";
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { Dialogs } from "./dialogs.js";
import { Header } from "./header.js";
import { Icon } from "./icons.js";
import { Won } from "./won.js";
import { Panel } from "./panel.js";
import { AppContext, html } from "./html.js";

/** @param {{ app: import("./html.js").App }} props */
export function Page({ app }) {
  const state = useStore(app.store);
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => onKey(app, event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  useEffect(() => {
    const root = document.documentElement;
    root.classList.toggle("four-colours", state.settings.fourColours);
  }, [state.settings.fourColours]);
  return html`<${AppContext.Provider} value=${app}>
    <${Header} state=${state} />
    <main>
      <${Notice} state=${state} app=${app} />
      ${state.game ? html`<${Board} state=${state} />` : html`<div class="board empty"></div>`}
      <${Won} state=${state} />
      <${Controls} state=${state} />
    </main>
    <${Panel} state=${state} />
    <${Dialogs} state=${state} />
    <p class="hide-visually" role="status" aria-live="polite">${state.said}</p>
  <//>`;
}

const WELCOME =
  "This deal is proved winnable. Stuck? Ask for a hint, or see whether it can still be won.";

/** One line over the board: a welcome, what is worked on, what was found, or what went wrong. */
/** @param {{ state: import("../app/state.js").State, app: import("./html.js").App }} props */
function Notice({ state, app }) {
  if (state.error) {
    const { help } = state.error;
    return html`<div class="notice problem" role="alert">
      <p><strong>${sentence(state.error.text)}</strong> ${help && sentence(help)}</p>
      <button
        class="icon-only"
        aria-label="Dismiss"
        onClick=${() => app.store.set({ error: null })}
      >
        <${Icon} name="close" />
      </button>
    </div>`;
  }
  const { deal } = state.tasks;
  if (deal?.state === "running") {
    const tried = deal.progress?.deals;
    return html`<div class="notice">
      <p>Looking for a deal that can be won …${tried ? ` ${counted(tried, "deal")} tried.` : ""}</p>
      <button onClick=${() => stopTask(app, "deal")}>Stop</button>
    </div>`;
  }
  // The pulled up panel leaves a small screen no room for the welcome.
  const note = state.note || (state.first && !state.sheet && WELCOME);
  if (note) {
    return html`<div class="notice">
      <p>${note}</p>
      <button
        class="icon-only"
        aria-label="Dismiss"
        onClick=${() => app.store.set({ note: "", first: false })}
      >
        <${Icon} name="close" />
      </button>
    </div>`;
  }
  return null;
}
