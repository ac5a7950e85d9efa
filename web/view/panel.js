// The panel beside the board, or the sheet under it: one subject at a time.

import { classes, html, useApp } from "./html.js";
import { PlayPanel } from "./panel-play.js";
import { SolvePanel } from "./panel-solve.js";
import { ExplainPanel } from "./panel-explain.js";
import { HiddenPanel } from "./panel-hidden.js";
import { SharePanel } from "./panel-share.js";
import { Light } from "./light.js";
import { Icon } from "./icons.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/state.js").Panel} Name */

/** @type {{ name: Name, text: string, view: (props: { state: State }) => any }[]} */
const PANELS = [
  { name: "play", text: "Moves", view: PlayPanel },
  { name: "solve", text: "Analyse", view: SolvePanel },
  { name: "explain", text: "Why", view: ExplainPanel },
  { name: "hidden", text: "Hints", view: HiddenPanel },
  { name: "share", text: "Share", view: SharePanel },
];

/** @param {{ state: State }} props */
export function Panel({ state }) {
  const app = useApp();
  const { panel, sheet } = state;
  const view = PANELS.find(({ name }) => name === panel)?.view ?? PlayPanel;
  const choose = (/** @type {Name} */ name) =>
    app.store.set({ panel: name, sheet: true, marked: [] });
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = PANELS.findIndex(({ name }) => name === panel);
    const next = PANELS[(at + step + PANELS.length) % PANELS.length].name;
    choose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<aside class=${classes("panel", sheet && "open")} aria-label="Panel">
    <${Light} state=${state} />
    <div class="tabs">
      <div role="tablist" aria-label="Panel" onKeyDown=${onKeyDown}>
        ${PANELS.map(
          ({ name, text }) =>
            html`<button
              key=${name}
              id=${`tab-${name}`}
              role="tab"
              aria-selected=${panel === name}
              aria-controls="panel-body"
              tabindex=${panel === name ? 0 : -1}
              onClick=${() => choose(name)}
            >
              ${text}
            </button>`,
        )}
      </div>
      <button
        class="icon-only narrow-only"
        aria-expanded=${sheet}
        aria-label=${sheet ? "Close the panel" : "Open the panel"}
        onClick=${() => app.store.set({ sheet: !sheet })}
      >
        <${Icon} name=${sheet ? "down" : "up"} />
      </button>
    </div>
    <div
      class="panel-body"
      id="panel-body"
      role="tabpanel"
      aria-labelledby=${`tab-${panel}`}
      tabindex="0"
    >
      <${view} state=${state} />
    </div>
  </aside>`;
}
