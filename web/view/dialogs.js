// Which dialog is open.

import { EnterDialog } from "./dialog-enter.js";
import { KeysDialog } from "./dialog-keys.js";
import { NewDialog } from "./dialog-new.js";
import { OpenDialog } from "./dialog-open.js";
import { RulesDialog } from "./dialog-rules.js";
import { SettingsDialog } from "./dialog-settings.js";
import { TurnedDialog } from "./dialog-turned.js";
import { html } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @type {Record<import("../app/state.js").DialogName, (props: { state: State }) => any>} */
const DIALOGS = {
  new: NewDialog,
  open: OpenDialog,
  enter: EnterDialog,
  rules: RulesDialog,
  turned: TurnedDialog,
  keys: KeysDialog,
  settings: SettingsDialog,
};

/** @param {{ state: State }} props */
export function Dialogs({ state }) {
  const view = state.dialog && DIALOGS[state.dialog];
  return view ? html`<${view} key=${state.dialog} state=${state} />` : null;
}
