// How the page looks and behaves.

import { changeSettings } from "../app/app.js";
import { Dialog } from "./dialog.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/state.js").Settings} Settings */

/** @param {{ state: State }} props */
export function SettingsDialog({ state }) {
  const { settings } = state;
  return html`<${Dialog} title="Settings">
    <${Choice}
      settings=${settings}
      name="theme"
      legend="Colours"
      options=${[
        ["system", "As the system"],
        ["light", "Light"],
        ["dark", "Dark"],
      ]}
    />
    <${Choice}
      settings=${settings}
      name="tap"
      legend="A tap on a card"
      options=${[
        ["move", "Moves it"],
        ["pick", "Picks it up"],
      ]}
    />
    <${Switch}
      settings=${settings}
      name="fourColours"
      text="Four colours"
      note="Clubs green, diamonds blue."
    />
    <${Switch}
      settings=${settings}
      name="finish"
      text="Finish by itself"
      note="Once no card lies face down and the stock is empty."
    />
  <//>`;
}

/**
 * @param {{ settings: Settings, name: "theme" | "tap", legend: string, options: [string, string][]
 * }} props
 */
function Choice({ settings, name, legend, options }) {
  const app = useApp();
  return html`<fieldset class="segments">
    <legend>${legend}</legend>
    ${options.map(
      ([value, text]) =>
        html`<label key=${value}>
          <input
            type="radio"
            name=${name}
            value=${value}
            checked=${settings[name] === value}
            onChange=${() => changeSettings(app, { [name]: value })}
          />
          <span>${text}</span>
        </label>`,
    )}
  </fieldset>`;
}

/**
 * @param {{ settings: Settings, name: "fourColours" | "finish", text: string, note: string }} props
 */
function Switch({ settings, name, text, note }) {
  const app = useApp();
  return html`<label class="switch">
    <input
      type="checkbox"
      checked=${settings[name]}
      onChange=${() => changeSettings(app, { [name]: !settings[name] })}
    />
    <span>${text}<small>${note}</small></span>
  </label>`;
}
