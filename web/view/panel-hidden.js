// What a person can know: chances of the next moves, and a player that plays by them.

import { useState } from "../vendor/hooks.js";
import { adviceWords } from "../game/advice.js";
import { cardSign } from "../game/cards.js";
import { currentBoard } from "../game/game.js";
import { noAdviceWords } from "../game/rules.js";
import { moveLabel, moveSentence } from "../game/words.js";
import { advise, runPlayer, stepPlayer, stopPlayer, toggleHidden } from "../app/hidden.js";
import { showMoves } from "../app/play.js";
import { canJudge } from "../app/light.js";
import { Ask, Progress } from "./ask.js";
import { Speed } from "./controls.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../types.js").Move} Move */

/**
 * @typedef {object} Advised
 * @property {{ text: string, moves: Move[] }} line
 * @property {number | null} chance
 * @property {{ low: number, high: number } | null} interval
 */

/** @param {{ state: State }} props */
export function HiddenPanel({ state }) {
  const app = useApp();
  const { game, settings } = state;
  if (!game) return null;
  const noAdvice = noAdviceWords(game.deal.rules);
  return html`
    ${
      canJudge(game) &&
      html`<label class="switch">
        <input type="checkbox" checked=${settings.hidden} onChange=${() => toggleHidden(app)} />
        <span
          >Only what I see<small
            >Then nothing on this page looks at cards that lie face down.</small
          ></span
        >
      </label>`
    }
    ${
      noAdvice
        ? html`<p class="quiet">${noAdvice}</p>`
        : html`<${Advice} state=${state} /><${Player} state=${state} />
            ${
              game.deal.rules.redeals === "unlimited" && html`<${Talon} game=${game} />`
            }`
    }
  `;
}

/** @param {{ state: State }} props */
function Advice({ state }) {
  const app = useApp();
  const whole = state.game?.deal.rules.runs === "whole";
  const { advise: task } = state.tasks;
  const { moves = [], solution } = task?.answer ?? {};
  return html`<section class="block">
    <h2>Hint</h2>
    <p class="quiet">
      Chances over many orders of the cards that nobody sees.${
        whole && " They are as if parts of runs could move, so they are a little high."
      }
    </p>
    <${Ask} name="advise" task=${task} ask=${() => advise(app)} title="A hint (h)">
      What would you play?
    <//>
    <${Progress} task=${task} busy="Thinking …" />
    ${task?.answer && html`<p role="status">${adviceWords(task.answer)}</p>`}
    ${
      solution &&
      html`<button onClick=${() => showMoves(app, solution.moves)}>Show the line</button>`
    }
    <${Chances} moves=${moves} />
  </section>`;
}

/**
 * Moves as bars: the chance, and the interval around it.
 * @param {object} props
 * @param {Advised[]} props.moves
 * @param {boolean} [props.past] They were moves of an earlier position.
 */
function Chances({ moves, past = false }) {
  const app = useApp();
  if (moves.length === 0) return null;
  return html`<ol class="chances">
    ${moves.slice(0, 6).map(({ line, chance, interval }) => {
      const last = line.moves[line.moves.length - 1];
      const draws = line.moves.filter((move) => move.to === "waste").length;
      return html`<li key=${line.text}>
        <button
          class="chance"
          disabled=${past}
          onClick=${() => showMoves(app, line.moves)}
          title=${moveSentence(last)}
        >
          <span
            >${moveLabel(last)}${
              draws > 0 &&
              last.to !== "waste" &&
              html` <small>after ${draws} draw${draws > 1 ? "s" : ""}</small>`
            }</span
          >
          <span>${chanceWords(chance, interval)}</span>
          <${Bar} chance=${chance} interval=${interval} />
        </button>
      </li>`;
    })}
  </ol>`;
}

/** @param {{ chance: number | null, interval: Advised["interval"] }} props */
function Bar({ chance, interval }) {
  const { low = 0, high = 1 } = interval ?? {};
  return html`<span
    class="bar"
    aria-hidden="true"
    style=${{ "--chance": chance ?? 0, "--low": low, "--high": high }}
  >
    <span class="fill"></span><span class="range"></span>
  </span>`;
}

/** "36 %, 31 to 42" @param {number | null} chance @param {Advised["interval"]} interval */
function chanceWords(chance, interval) {
  if (chance === null || chance === undefined) return "not tried";
  const whole = (/** @type {number} */ share) => Math.round(share * 100);
  const range = interval
    ? html`<small>${whole(interval.low)} to ${whole(interval.high)}</small>`
    : "";
  return html`<strong>${whole(chance)} %</strong> ${range}`;
}

/**
 * Stock and waste in order, which one pass through the stock shows.
 * @param {{ game: import("../game/game.js").Game }} props
 */
function Talon({ game }) {
  const [open, setOpen] = useState(false);
  const { waste, stock } = currentBoard(game);
  const cards = (/** @type {string[]} */ list) => list.map(cardSign).join(" ") || "none";
  const toggle = (/** @type {any} */ event) => setOpen(event.target.open);
  return html`<details class="block" onToggle=${toggle}>
    <summary>Stock and waste, card by card</summary>
    <p class="quiet">One pass through the stock shows it, and hints count on it.</p>
    ${
      open &&
      html`<p><strong>Waste</strong> ${cards(waste)}</p>
        <p><strong>Stock</strong> ${cards(stock)}</p>`
    }
  </details>`;
}

/** The player of the program. @param {{ state: State }} props */
function Player({ state }) {
  const app = useApp();
  const { tasks, player } = state;
  const { player: task } = tasks;
  const thinking = task?.state === "running";
  const busy = thinking || player;
  const { why = "", limit, opinion = [] } = task?.answer ?? {};
  const early = limit ? " A limit ended its thinking early." : "";
  return html`<section class="block">
    <h2>Let the program play</h2>
    <p class="quiet">It sees what you see, and says what it thinks.</p>
    <div class="actions">
      <button disabled=${busy} onClick=${() => stepPlayer(app)}>One move</button>
      ${
        busy
          ? html`<button class="strong" onClick=${() => stopPlayer(app)}>Stop</button>`
          : html`<button onClick=${() => runPlayer(app)}>Play on</button>`
      }
    </div>
    ${task?.state === "failed" && html`<p class="problem">${task.error}</p>`}
    <p class="thought" role="status">
      ${thinking ? "Thinking …" : why.replaceAll(" %", "\u00a0%") + early}
    </p>
    ${!thinking && html`<${Chances} moves=${opinion} past=${true} />`}
    <${Speed} state=${state} />
  </section>`;
}
