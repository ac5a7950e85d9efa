import { html } from "./html.js";
/** @param {{ state: import("../app/state.js").State }} _props */
export function ExplainPanel(_props) {
  return html`<p>explain</p>`;
}
