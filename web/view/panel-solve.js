import { html } from "./html.js";
/** @param {{ state: import("../app/state.js").State }} _props */
export function SolvePanel(_props) {
  return html`<p>solve</p>`;
}
