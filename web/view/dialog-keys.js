// All keys.

import { Dialog } from "./dialog.js";
import { html } from "./html.js";

/** @type {[string, string][]} */
const KEYS = [
  ["d", "draw, or turn the waste back"],
  ["l", "the last pass by ones, where the rules have one"],
  ["1 to 7, w", "pick up from a pile or the waste"],
  ["then 1 to 7, f", "put down on a pile or the foundation"],
  ["u, r", "undo, redo"],
  ["f", "finish, or put up what can go up"],
  ["h", "a hint"],
  ["s", "spoiler light on or off"],
  ["space", "play the line ahead, or stop"],
  ["← →, Home, End", "on the time line: step, jump"],
  ["n", "new deal"],
  ["← → ↑ ↓", "on the board: from card to card"],
  ["Enter", "on the board: pick up, put down, draw"],
  ["Esc", "put back what is picked up"],
  ["?", "these keys"],
];

export function KeysDialog() {
  return html`<${Dialog} title="Keys">
    <dl class="keys">
      ${KEYS.map(
        ([key, text]) =>
          html`<div key=${key}>
            <dt>${key}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
    <h3>Hands</h3>
    <p>
      Drag a card, or tap it: it goes where it fits best, and another tap moves it to the next
      place. A double tap puts it up. A long press or the other mouse button picks it up and shows
      all places that take it.
    </p>
  <//>`;
}
