// The verdict light: a sign and a sentence, with what to do about it.

import { stepAt } from "../game/game.js";
import { lineVerdicts, losingMove } from "../game/verdicts.js";
import { counted, duration, grouped } from "../game/words.js";
import { isWon } from "../app/app.js";
import { giveHint, showWhy, showWin } from "../app/analysis.js";
import { canJudge, judgeGame, seesAll, stopJudging, toggleLight } from "../app/light.js";
import { jumpTo } from "../app/play.js";
import { Icon } from "./icons.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/app.js").App} App */

/**
 * @typedef {object} Status
 * @property {"off" | "thinking" | "winnable" | "lost" | "undecided" | "won"} sign
 * @property {string} words
 * @property {string} [detail]
 * @property {Action[]} [actions]
 */

/**
 * @typedef {{ text: string, more?: string, act: (app: App) => void }} Action Narrow screens leave
 * out `more`.
 */

/** What the light says. @param {State} state @returns {Status} */
export function statusOf(state) {
  const { game, facts, settings } = state;
  if (!game) return { sign: "off", words: "No deal" };
  if (isWon(game)) return wonStatus(state);
  if (settings.hidden) {
    return {
      sign: "off",
      words: "Hidden cards stay hidden",
      detail: "The light would look at them.",
    };
  }
  if (!canJudge(game)) {
    return {
      sign: "off",
      words: "Some cards are unknown",
      detail: [...game.deal.board.stock, ...game.deal.board.waste].includes("??")
        ? "Hints need the cards of the stock."
        : "Hints work from what can be seen.",
    };
  }
  if (!settings.light)
    return {
      sign: "off",
      words: "Spoiler light: off",
      detail: "It says whether this can still be won.",
    };
  const line = lineVerdicts(game, facts).slice(0, game.at + 1);
  const verdict = line[game.at];
  const judgement = facts[stepAt(game).id]?.judgement;
  if (verdict === "winnable") {
    const detail =
      judgement && judgement.ms > 0
        ? `Found a way in ${duration(judgement.ms)}.`
        : "Known from a line that wins.";
    return {
      sign: "winnable",
      words: "Can be won.",
      detail,
      actions: [{ text: "Show", more: " how", act: showWin }],
    };
  }
  if (verdict === "unwinnable") return lostStatus(losingMove(line), game.at, state.unjudged);
  if (state.judging) return thinkingStatus(state.judging);
  if (state.unjudged) {
    const detail = "So there is no verdict.";
    return { sign: "undecided", words: state.unjudged, detail, actions: [ASK_AGAIN] };
  }
  if (verdict === "undecided") {
    const { states = 0, asked = states } = judgement ?? {};
    const words = `Not decided within ${roundStates(states)} states.`;
    // Another limit, such as the server's, ends a longer search as early.
    if (states < asked) return { sign: "undecided", words, detail: "A limit here allows no more." };
    return {
      sign: "undecided",
      words,
      actions: [{ text: "Try longer", act: (app) => void judgeGame(app, states * 10) }],
    };
  }
  return { sign: "thinking", words: "Working it out …" };
}

/** @type {Action} */
const ASK_AGAIN = { text: "Ask again", act: (app) => void judgeGame(app) };

/** "1 million", "10 million", "123,456" @param {number} states */
const roundStates = (states) =>
  states > 0 && states % 1_000_000 === 0
    ? `${grouped(states / 1_000_000)} million`
    : grouped(states);

/**
 * A search that takes its time says how far it is.
 * @param {{ states: number }} judging
 * @returns {Status}
 */
function thinkingStatus({ states }) {
  const status = { sign: /** @type {const} */ ("thinking"), words: "Working it out …" };
  if (states === 0) return status;
  return {
    ...status,
    detail: `${grouped(states)} states so far.`,
    actions: [{ text: "Stop", act: stopJudging }],
  };
}

/** @param {State} state @returns {Status} */
function wonStatus({ game }) {
  const moves = counted(game?.at ?? 0, "move");
  return {
    sign: "won",
    words: `Won in ${moves}.`,
    detail: "All cards are on the foundations.",
  };
}

/**
 * @param {number | null} lost
 * @param {number} at
 * @param {string} unjudged
 * @returns {Status}
 */
function lostStatus(lost, at, unjudged) {
  const why = { text: "Why?", act: (/** @type {App} */ app) => void showWhy(app) };
  if (lost === 0)
    return { sign: "lost", words: "This deal cannot be won.", detail: "Proved.", actions: [why] };
  if (lost === null)
    return {
      sign: "lost",
      words: "Cannot be won any more.",
      detail: unjudged || "Looking for the move that lost it …",
      actions: unjudged ? [why, ASK_AGAIN] : [why],
    };
  const since =
    lost === at ? `Move ${lost} lost it.` : `Cannot be won any more since move ${lost}.`;
  return {
    sign: "lost",
    words: since,
    detail: "Proved.",
    actions: [
      why,
      { text: "Back", more: ` to move ${lost - 1}`, act: (app) => jumpTo(app, lost - 1) },
    ],
  };
}

const SIGNS = {
  off: "○",
  thinking: "…",
  winnable: "●",
  lost: "✕",
  undecided: "?",
  won: "✓",
};

/** @param {{ state: State }} props */
export function Light({ state }) {
  const app = useApp();
  const { game, settings } = state;
  const status = statusOf(state);
  const can = seesAll(state);
  return html`<section class=${classes("light", status.sign)} aria-label="Verdict">
    <button
      class="lamp"
      role="switch"
      aria-checked=${settings.light}
      aria-label="Spoiler light"
      title="Spoiler light (s)"
      disabled=${!can}
      onClick=${() => toggleLight(app)}
    >
      <span aria-hidden="true">${SIGNS[status.sign]}</span>
    </button>
    <p>
      <strong>${status.words}</strong>
      <span class="detail">${status.detail ?? ""}</span>
    </p>
    <div class="actions">
      ${
        game &&
        !["lost", "won"].includes(status.sign) &&
        html`<button class="icon-only narrow-only" aria-label="Hint" onClick=${() => giveHint(app)}>
          <${Icon} name="hint" />
        </button>`
      }
      ${status.actions?.map(
        ({ text, more, act }) =>
          html`<button key=${text} onClick=${() => act(app)}>
              ${text}${more && html`<span class="more-words">${more}</span>`}
            </button>`,
      )}
      ${
        status.sign === "off" && can &&
        html`<button class="wide-only" onClick=${() => toggleLight(app)}>Turn on</button>`
      }
    </div>
  </section>`;
}
