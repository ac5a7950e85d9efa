// Why a position is lost: the cards that wait for each other, in words and arrows; and its proof.

import { useState } from "../vendor/hooks.js";
import { cardSign } from "../game/cards.js";
import { counted, duration, grouped } from "../game/words.js";
import { boardText } from "../game/board.js";
import { openDeal } from "../app/deals.js";
import { checkFile, prove, verify } from "../app/proof.js";
import { showWhy } from "../app/analysis.js";
import { canJudge } from "../app/light.js";
import { Ask, Progress } from "./ask.js";
import { Icon } from "./icons.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/state.js").Task} Task */
/** @typedef {{ card: string, for: string[], why: string }} Wait */

/** @param {{ state: State }} props */
export function ExplainPanel({ state }) {
  const { game, settings } = state;
  if (!game) return null;
  if (settings.hidden)
    return html`<p class="quiet">
      Explanations look at all cards. Turn off “Only what I see” under Hints to use them.
    </p>`;
  if (!canJudge(game))
    return html`<p class="quiet">An explanation needs all cards, and some are unknown.</p>`;
  return html`<${Reason} state=${state} /><${Proof} state=${state} />`;
}

/** @param {{ state: State }} props */
function Reason({ state }) {
  const app = useApp();
  const { explain } = state.tasks;
  const answer = explain?.answer;
  if (!answer)
    return html`<section class="block">
      <h2>Why can this not be won?</h2>
      <p class="quiet">
        If the position is lost, the cards that wait for each other are shown on the board.
      </p>
      <${Ask} name="explain" task=${explain} ask=${() => showWhy(app)}>Look for the reason<//>
      <${Progress} task=${explain} busy="Looking for the reason …" />
    </section>`;
  const waits = /** @type {Wait[]} */ (answer.waits ?? []);
  if (waits.length === 0)
    return html`<section class="block">
      <h2>Why can this not be won?</h2>
      <p>${answer.text}</p>
    </section>`;
  return html`<section class="block">
    <h2>These cards wait for each other</h2>
    <p class="quiet">None of them can ever move. Choose a sentence to see its cards.</p>
    <${Sentences} state=${state} waits=${waits} />
    <button onClick=${() => app.store.set({ marked: answer.cards, arrows: null })}>
      Show all of them
    </button>
  </section>`;
}

/** @param {{ state: State, waits: Wait[] }} props */
function Sentences({ state, waits }) {
  const app = useApp();
  const cards = [...new Set(waits.map(({ card }) => card))];
  const light = (/** @type {string} */ card) => {
    const own = waits.filter((wait) => wait.card === card);
    app.store.set({ marked: [card, ...own.flatMap((wait) => wait.for)], arrows: card });
  };
  return html`<ol class="waits">
    ${cards.map((card) => {
      const on = state.arrows === card;
      return html`<li key=${card}>
        <button
          class=${classes("wait", on && "on")}
          aria-pressed=${on}
          onClick=${() => light(card)}
        >
          <strong class=${"DH".includes(card[1]) ? "red-sign" : ""}>${cardSign(card)}</strong>
          <span
            >${waits
              .filter((wait) => wait.card === card)
              .map(({ why }) => why)
              .join(" ")}</span
          >
        </button>
      </li>`;
    })}
  </ol>`;
}

/** The certificate: made, downloaded, checked. @param {{ state: State }} props */
function Proof({ state }) {
  const app = useApp();
  const { prove: made, check } = state.tasks;
  const answer = made?.answer;
  return html`<section class="block">
    <h2>Proof</h2>
    <p class="quiet">
      A certificate holds all that a small program needs to check the verdict. The checker shares no
      code with the solver.
    </p>
    ${
      !answer &&
      html`<${Ask} name="prove" task=${made} ask=${() => prove(app)}>Make a certificate<//>`
    }
    <${Progress} task=${made} busy="Proving …" />
    ${answer && html`<p>${provedWords(answer)}</p>`}
    ${
      answer?.certificate &&
      html`<div class="actions">
        <button onClick=${() => verify(app)}>Check it here</button>
        <${Download} certificate=${answer.certificate} name=${fileName(state)} />
      </div>`
    }
    <${Checked} task=${check} />
    <${Upload} />
  </section>`;
}

/** @param {Record<string, any>} answer */
function provedWords({ verdict, proof, bytes, entries }) {
  if (verdict === "undecided") return "Not decided within the limits, so there is no certificate.";
  const size = bytes < 10_000 ? counted(bytes, "byte") : `${Math.round(bytes / 1024)} KiB`;
  if (verdict === "winnable") return `A certificate that it can be won, ${size}.`;
  const kind =
    proof === "blocked"
      ? "a blocking set"
      : proof === "refuted"
        ? "a refutation"
        : `${grouped(entries)} positions`;
  return `A certificate that it cannot be won: ${kind}, ${size}.`;
}

/** @param {State} state */
function fileName({ game }) {
  const name = game?.deal.name.replace(/[^a-z0-9-]+/gi, "-") ?? "deal";
  return `${name}${game?.at ? `-move-${game.at}` : ""}.kc`;
}

/** @param {{ certificate: string, name: string }} props */
function Download({ certificate, name }) {
  return html`<a
    class="button"
    download=${name}
    href=${`data:application/octet-stream;base64,${certificate}`}
    ><${Icon} name="download" />Download</a
  >`;
}

/** @param {{ task: Task | undefined }} props */
function Checked({ task }) {
  const app = useApp();
  if (!task) return null;
  if (task.state === "running") return html`<p role="status">Checking …</p>`;
  if (task.state === "failed")
    return html`<p class="problem" role="alert">Rejected: ${task.error}</p>`;
  const { verdict, ms, board, rules, other, where } = task.answer ?? {};
  const claim = verdict === "winnable" ? "can be won" : "cannot be won";
  const here =
    where === "server" ? "on the server: this page came without it" : "in your browser";
  return html`<p class="good" role="status">
      ✓ Proved: ${other ? "the deal of the file" : "this position"} ${claim}.${" "}
      ${`The checker took ${duration(ms)} ${here}.`}
    </p>
    ${
      other &&
      html`<button
        onClick=${() => openDeal(app, boardText(board), rules, { name: "Deal of a certificate" })}
      >
        Open this deal
      </button>`
    }`;
}

/** Somebody else's certificate. */
function Upload() {
  const app = useApp();
  const [name, setName] = useState("");
  const choose = (/** @type {any} */ event) => {
    const [file] = event.target.files;
    // The same file may be chosen again.
    event.target.value = "";
    if (!file) return;
    setName(file.name);
    void checkFile(app, file);
  };
  return html`<div class="actions">
    <label class="button"
      >Check a certificate from a file<input
        class="hide-visually"
        type="file"
        accept=".kc"
        onChange=${choose}
    /></label>
    ${name && html`<span class="quiet">${name}</span>`}
  </div>`;
}
