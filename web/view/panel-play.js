// The moves of the game: those made, and a hint.

import { useEffect, useRef } from "../vendor/hooks.js";
import { branches, stepAt } from "../game/game.js";
import { lineVerdicts, losingMove } from "../game/verdicts.js";
import { moveLabel, moveSentence } from "../game/words.js";
import { findBetter, showHint } from "../app/analysis.js";
import { makeMove, jumpTo, takeBranch } from "../app/play.js";
import { isWon } from "../app/app.js";
import { seesAll, showsVerdicts } from "../app/light.js";
import { Ask, busyWords } from "./ask.js";
import { Icon } from "./icons.js";
import { Speed } from "./controls.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @param {{ state: State }} props */
export function PlayPanel({ state }) {
  return html`
    <${Hint} state=${state} />
    <${MoveList} state=${state} />
    <${Branches} state=${state} />
    <${Speed} state=${state} />
  `;
}

/** @param {{ state: State }} props */
function Hint({ state }) {
  const app = useApp();
  const { game, facts, hint, tasks } = state;
  if (!game || !seesAll(state)) return null;
  const { solve } = tasks;
  const known = showsVerdicts(state) && lineVerdicts(game, facts)[game.at] === "unwinnable";
  return html`<div class="hint">
    <${Ask}
      name="solve"
      task=${solve}
      ask=${() => showHint(app)}
      disabled=${isWon(game) || known}
      title="A move that wins (h)"
    >
      <${Icon} name="hint" /><span>Winning move</span>
    <//>
    <p>
      ${
        hint &&
        html`<button class="link" onClick=${() => makeMove(app, hint)}>
          ${moveSentence(hint)}
        </button>`
      }
      ${!hint && solve?.state === "running" && busyWords(solve, "Looking …")}
    </p>
  </div>`;
}

/** @param {{ state: State }} props */
function MoveList({ state }) {
  const app = useApp();
  const ref = useRef(/** @type {HTMLOListElement | null} */ (null));
  const { game, facts } = state;
  const at = game?.at ?? 0;
  useEffect(() => {
    const now = ref.current?.querySelector('[aria-current="step"]');
    if (ref.current && now instanceof HTMLElement) keepInView(ref.current, now);
  }, [at]);
  if (!game) return null;
  const verdicts = showsVerdicts(state) ? lineVerdicts(game, facts) : [];
  const lost = losingMove(verdicts);
  return html`<section class="moves" aria-label="Moves">
    ${
      game.line.length === 1 &&
      html`<p class="quiet">No move yet. Drag a card, tap it, or press a key: ? shows all keys.</p>`
    }
    <ol ref=${ref}>
      ${game.line.slice(1).map((id, index) => {
        const ply = index + 1;
        const { move, shown } = game.steps[id];
        const isLost = ply === lost;
        return html`<li
          key=${id}
          class=${classes(ply > at && "ahead", shown && "shown", isLost && "lost")}
        >
          <button aria-current=${ply === at ? "step" : null} onClick=${() => jumpTo(app, ply)}>
            <span class="number">${ply}</span>${" "}
            ${move && moveLabel(move)}${move?.turns_up && html`<span class="turn">↻</span>`}
          </button>
          ${
            isLost &&
            html`<button
              class="mark"
              title="Find the better move"
              onClick=${() => findBetter(app, ply)}
            >
              ✕<span class="hide-visually"> lost the win: find the better move</span>
            </button>`
          }
        </li>`;
      })}
    </ol>
  </section>`;
}

/** Scrolls a list, and nothing around it. @param {HTMLElement} list @param {HTMLElement} item */
function keepInView(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

/** Other lines of the game. @param {{ state: State }} props */
function Branches({ state }) {
  const app = useApp();
  const { game } = state;
  const others = game ? branches(game).slice(0, 6) : [];
  if (!game || others.length === 0) return null;
  return html`<section class="branches" aria-label="Other lines">
    <h2>Other lines</h2>
    <ul>
      ${others.map(({ tip, leaves, length }) => {
        const { move } = stepAfter(game, tip, leaves);
        return html`<li key=${tip}>
          <button onClick=${() => takeBranch(app, tip)}>
            After move ${leaves}: ${move && moveLabel(move)}
            <span class="quiet">… ${length} moves</span>
          </button>
        </li>`;
      })}
    </ul>
  </section>`;
}

/**
 * The first step of a branch.
 * @param {import("../game/game.js").Game} game
 * @param {number} tip
 * @param {number} leaves
 */
function stepAfter(game, tip, leaves) {
  const parent = stepAt(game, leaves).id;
  let step = game.steps[tip];
  while (step.parent !== parent) step = game.steps[step.parent];
  return step;
}
