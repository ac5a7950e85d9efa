// Under the board: undo, redo, the time line, playing a line back.

import { useState } from "../vendor/hooks.js";
import { canRedo, canUndo, isShown, stepAt } from "../game/game.js";
import { lineVerdicts, losingMove } from "../game/verdicts.js";
import { moveSentence } from "../game/words.js";
import { changeSettings } from "../app/app.js";
import { canFinish, finish, jumpTo, redoMove, undoMove } from "../app/play.js";
import { Icon } from "./icons.js";
import { MiniBoard } from "./mini.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @param {{ state: State }} props */
export function Controls({ state }) {
  const app = useApp();
  const { game, playing } = state;
  const undoable = game !== null && canUndo(game);
  const redoable = game !== null && canRedo(game);
  const toggle = () => app.store.set({ playing: !playing && redoable });
  return html`<div class="controls">
    <button class="icon-only" aria-label="Undo" title="Undo (u)" disabled=${!undoable} onClick=${() => undoMove(app)}>
      <${Icon} name="undo" />
    </button>
    <button class="icon-only" aria-label="Redo" title="Redo (r)" disabled=${!redoable} onClick=${() => redoMove(app)}>
      <${Icon} name="redo" />
    </button>
    <${TimeLine} state=${state} />
    <button class="icon-only" aria-label=${playing ? "Pause" : "Play the line ahead"} title="Play the line ahead (space)" disabled=${!redoable && !playing} onClick=${toggle}>
      <${Icon} name=${playing ? "pause" : "play"} />
    </button>
    <button
      class=${classes("icon-only", canFinish(app) && "strong")}
      aria-label=${canFinish(app) ? "Finish the game" : "Put up what can go up"}
      title=${`${canFinish(app) ? "Finish the game" : "Put up what can go up"} (f)`}
      disabled=${game === null}
      onClick=${() => finish(app)}
    >
      <${Icon} name="finish" />
    </button>
  </div>`;
}

/** The game from the deal to its end, as a slider with marks. @param {{ state: State }} props */
export function TimeLine({ state }) {
  const app = useApp();
  const [shown, setShown] = useState(/** @type {number | null} */ (null));
  const { game, facts, settings } = state;
  if (!game) return html`<div class="timeline"></div>`;
  const last = game.line.length - 1;
  const verdicts = settings.light ? lineVerdicts(game, facts) : [];
  const lost = losingMove(verdicts);
  const share = (/** @type {number} */ ply) => (last === 0 ? 0 : ply / last);
  const at = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    setShown(Math.round(Math.max(0, Math.min(1, x)) * last));
  };
  const hide = () => setShown(null);
  const move = stepAt(game).move;
  const text = `Move ${game.at} of ${last}${move ? `: ${moveSentence(move)}` : ", the deal."}`;
  return html`<div class=${classes("timeline", isShown(game) && "shown")} onPointerMove=${at} onPointerLeave=${hide}>
    <input
      type="range"
      min="0"
      max=${last}
      value=${game.at}
      disabled=${last === 0}
      aria-label="Move"
      aria-valuetext=${text}
      style=${{ "--share": share(game.at) }}
      onInput=${(/** @type {any} */ event) => jumpTo(app, Number(event.target.value))}
      onFocus=${() => setShown(null)}
    />
    ${lost !== null && html`<span class="mark lost" style=${{ left: `${share(lost) * 100}%` }} title=${`Move ${lost} lost the win`}>✕</span>`}
    ${verdicts[last] === "winnable" && last > 0 && isEnd(state) && html`<span class="mark won" style=${{ left: "100%" }} title="Won">✓</span>`}
    <output class="ply">${game.at}<span> / ${last}</span></output>
    ${shown !== null && shown !== game.at && last > 0 && html`<${MiniBoard} board=${stepAt(game, shown).board} share=${share(shown)} title=${`Move ${shown}`} />`}
  </div>`;
}

/** @param {State} state */
function isEnd({ game }) {
  if (!game) return false;
  const { board } = stepAt(game, game.line.length - 1);
  return board.foundations.reduce((sum, rank) => sum + rank, 0) === game.deal.rules.suits * game.deal.rules.ranks;
}

/** Moves a second of a line that is played back. @param {{ state: State }} props */
export function Speed({ state }) {
  const app = useApp();
  const change = (/** @type {any} */ event) => changeSettings(app, { speed: Number(event.target.value) });
  return html`<label class="speed">
    <span>Speed</span>
    <input type="range" min="1" max="12" value=${state.settings.speed} onInput=${change} aria-valuetext=${`${state.settings.speed} moves a second`} />
  </label>`;
}
