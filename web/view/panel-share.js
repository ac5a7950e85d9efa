import { html } from "./html.js";
/** @param {{ state: import("../app/state.js").State }} _props */
export function SharePanel(_props) {
  return html`<p>share</p>`;
}
