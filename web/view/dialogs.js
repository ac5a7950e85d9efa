// Which dialog is open.

import { KeysDialog } from "./dialog-keys.js";
import { NewDialog } from "./dialog-new.js";
import { SettingsDialog } from "./dialog-settings.js";
import { html } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @type {Partial<Record<import("../app/state.js").DialogName, (props: { state: State }) => any>>} */
const DIALOGS = {
  new: NewDialog,
  keys: KeysDialog,
  settings: SettingsDialog,
};

/** @param {{ state: State }} props */
export function Dialogs({ state }) {
  const view = state.dialog && DIALOGS[state.dialog];
  return view ? html`<${view} key=${state.dialog} state=${state} />` : null;
}
