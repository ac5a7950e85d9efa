import { html } from "./html.js";
/** @param {{ state: import("../app/state.js").State }} _props */
export function HiddenPanel(_props) {
  return html`<p>hidden</p>`;
}
