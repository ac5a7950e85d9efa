// Icons, drawn on a square of 24.

import { html } from "./html.js";

/** @type {Record<string, string>} */
const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  first: "M18 5 9 12l9 7zM6 5v14",
  last: "m6 5 9 7-9 7zM18 5v14",
  back: "m15 5-7 7 7 7",
  forward: "m9 5 7 7-7 7",
  play: "m8 5 11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  hint: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.6.5-1 1.2-1 2h-5c0-.8-.4-1.500-1-2z",
  finish: "M12 20V5m-6 6 6-6 6 6M5 3h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "m6 6 12 12M18 6 6 18",
  share: "M12 15V3m-4 4 4-4 4 4M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M15 4.500v5M8 14.500v5",
  plus: "M12 5v14M5 12h14",
  open: "M3 19V6a1 1 0 0 1 1-1h5l2 2h8a1 1 0 0 1 1 1v2M3 19l3-8h16l-3 8z",
  rules: "M5 4h11l3 3v13H5zM9 10h6M9 14h6",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  eye: `M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z
    M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z`,
  redeal: "M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5",
  up: "m6 15 6-6 6 6",
  down: "m6 9 6 6 6-6",
  download: "M12 4v11m-4-4 4 4 4-4M5 20h14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

/** @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${PATHS[name]} />
  </svg>`;
}
