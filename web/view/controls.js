// Under the board: undo, redo, the time line, playing a line back.

import { useState } from "../vendor/hooks.js";
import { cardsUp } from "../game/board.js";
import { canRedo, canUndo, isShown, stepAt } from "../game/game.js";
import { lineVerdicts, losingMove } from "../game/verdicts.js";
import { moveSentence } from "../game/words.js";
import { changeSettings, inTurn } from "../app/app.js";
import { findBetter } from "../app/analysis.js";
import { showsVerdicts } from "../app/light.js";
import {
  canFinish,
  canTakeLastPass,
  finish,
  jumpTo,
  redoMove,
  takeLastPass,
  undoMove,
} from "../app/play.js";
import { SPEEDIEST } from "../app/state.js";
import { Icon } from "./icons.js";
import { MiniBoard } from "./mini.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

const THUMB = 18; // width of the slider's thumb, which does not leave the track

/** @param {{ state: State }} props */
export function Controls({ state }) {
  const app = useApp();
  const { game, playing } = state;
  const undoable = game !== null && canUndo(game);
  const redoable = game !== null && canRedo(game);
  // A button that has the focus keeps it where nothing is left to do: `aria-disabled`.
  const toggle = () => app.store.set({ playing: !playing && redoable });
  return html`<div class="controls">
    <button
      class="icon-only"
      aria-label="Undo"
      title="Undo (u)"
      aria-disabled=${!undoable}
      onClick=${() => inTurn(app, () => undoMove(app), { blind: true })}
    >
      <${Icon} name="undo" />
    </button>
    <button
      class="icon-only"
      aria-label="Redo"
      title="Redo (r)"
      aria-disabled=${!redoable}
      onClick=${() => inTurn(app, () => redoMove(app), { blind: true })}
    >
      <${Icon} name="redo" />
    </button>
    ${
      canTakeLastPass(app) &&
      html`<button title="Turn the waste over for the last pass by ones (l)"
        onClick=${() => inTurn(app, () => takeLastPass(app))}>
        Last pass
      </button>`
    }
    <${TimeLine} state=${state} />
    <button
      class="icon-only"
      aria-label=${playing ? "Pause" : "Play the line ahead"}
      title="Play the line ahead (space)"
      aria-disabled=${!redoable && !playing}
      onClick=${toggle}
    >
      <${Icon} name=${playing ? "pause" : "play"} />
    </button>
    <button
      class=${classes("icon-only", canFinish(app) && "strong")}
      aria-label=${canFinish(app) ? "Finish the game" : "Put up what can go up"}
      title=${`${canFinish(app) ? "Finish the game" : "Put up what can go up"} (f)`}
      disabled=${game === null}
      onClick=${() => inTurn(app, () => void finish(app))}
    >
      <${Icon} name="finish" />
    </button>
  </div>`;
}

/** The game from the deal to its end, as a slider with marks. @param {{ state: State }} props */
export function TimeLine({ state }) {
  const app = useApp();
  const [shown, setShown] = useState(/** @type {number | null} */ (null));
  const { game, facts } = state;
  if (!game) return html`<div class="timeline"></div>`;
  const last = game.line.length - 1;
  const verdicts = showsVerdicts(state) ? lineVerdicts(game, facts) : [];
  const lost = losingMove(verdicts);
  const share = (/** @type {number} */ ply) => (last === 0 ? 0 : ply / last);
  const at = (/** @type {PointerEvent} */ event) => {
    const track = /** @type {HTMLElement} */ (event.currentTarget).querySelector("input");
    if (!track) return;
    const box = track.getBoundingClientRect();
    const x = (event.clientX - box.left - THUMB / 2) / (box.width - THUMB);
    setShown(x > 1.05 ? null : Math.round(Math.max(0, Math.min(1, x)) * last));
  };
  const hide = () => setShown(null);
  const before = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    setShown((lost ?? 1) - 1);
  };
  const move = stepAt(game).move;
  const text = `Move ${game.at} of ${last}${move ? `: ${moveSentence(move)}` : ", the deal."}`;
  return html`<div
    class=${classes("timeline", isShown(game) && "shown")}
    onPointerMove=${at}
    onPointerLeave=${hide}
  >
    <div class="track">
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
      />
      ${
        lost !== null && lost > 0 &&
        html`<button
          class="mark lost"
          style=${{ "--share": share(lost) }}
          aria-label=${`Move ${lost} lost the win: find the better move`}
          title=${`Move ${lost} lost the win`}
          onFocus=${() => setShown(lost - 1)}
          onBlur=${hide}
          onPointerMove=${before}
          onClick=${() => findBetter(app, lost)}
        >
          ✕
        </button>`
      }
      ${
        last > game.at && isWonAt(game, last) &&
        html`<span class="mark won" style=${{ "--share": 1 }} title="Won">✓</span>`
      }
    </div>
    <output class="ply" data-at=${game.at}>${game.at}<span> / ${last}</span></output>
    ${
      shown !== null && shown !== game.at && last > 0 &&
      html`<${MiniBoard}
        board=${stepAt(game, shown).board}
        share=${share(shown)}
        title=${`Move ${shown}`}
      />`
    }
  </div>`;
}

/** @param {import("../game/game.js").Game} game @param {number} ply */
function isWonAt(game, ply) {
  const { suits, ranks } = game.deal.rules;
  return cardsUp(stepAt(game, ply).board) === suits * ranks;
}

/** Moves a second of a line that is played back. @param {{ state: State }} props */
export function Speed({ state }) {
  const app = useApp();
  const change = (/** @type {any} */ event) =>
    changeSettings(app, { speed: Number(event.target.value) });
  return html`<label class="speed">
    <span>Speed</span>
    <input
      type="range"
      min="1"
      max=${SPEEDIEST}
      value=${state.settings.speed}
      onInput=${change}
      aria-valuetext=${`${state.settings.speed} moves a second`}
    />
  </label>`;
}
