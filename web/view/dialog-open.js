// A deal from a text in any format, with a picture of it before it is used.

import { useEffect, useState } from "../vendor/hooks.js";
import { grouped, sentence } from "../game/words.js";
import { shortRules, STANDARD } from "../game/rules.js";
import { troubleAt } from "../game/place.js";
import { layOut } from "../app/deals.js";
import { Dialog, Problem, useWork } from "./dialog.js";
import { Picture } from "./mini.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/**
 * @typedef {{ board?: import("../types.js").Board, format?: string, error?: string, help?: string
 * }} Reading
 */

const WAIT = 200; // milliseconds after the last key

/** Characters of the longest text; the engine takes no more. */
const LONGEST = 60_000;

/** @param {{ state: State }} props */
export function OpenDialog({ state }) {
  const app = useApp();
  const [text, setText] = useState("");
  const rules = shortRules(state.game?.deal.rules ?? STANDARD);
  const [tooLarge, setTooLarge] = useState(/** @type {string | undefined} */ (undefined));
  const read = useReading(text, rules);
  const reading = tooLarge ? { error: tooLarge } : read;
  const [error, start] = useWork();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (reading.board) void start(() => layOut(app, text.trim(), rules));
  };
  const readFile = async (/** @type {any} */ event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    const error = file.size > LONGEST ? tooLong("file", file.size, "bytes") : undefined;
    setTooLarge(error);
    setText(error ? "" : await file.text());
  };
  return html`<${Dialog} title="Open a deal" wide=${true}>
    <div class="two">
      <form class="stack" onSubmit=${submit}>
        <label>
          <span>A deal or a position, in any of the formats</span>
          <textarea
            rows="10"
            spellcheck="false"
            autocomplete="off"
            value=${text}
            placeholder="solvitaire:22, or 52 cards, or a board of another program"
            aria-invalid=${reading.error !== undefined}
            aria-describedby="reading"
            onInput=${(/** @type {any} */ event) => {
              setTooLarge(undefined);
              setText(event.target.value);
            }}
          ></textarea>
        </label>
        <${Said} reading=${reading} text=${text} />
        <${Problem} error=${error} />
        <div class="actions">
          <button class="strong" disabled=${!reading.board}>Play this deal</button>
          <button type="button" onClick=${() => app.store.set({ dialog: "enter" })}>
            Enter card by card
          </button>
          <label class="button"
            >From a file<input class="hide-visually" type="file" onChange=${readFile}
          /></label>
        </div>
      </form>
      <div class="preview tall">
        ${
          reading.board
            ? html`<${Picture} board=${reading.board} label="The deal" />`
            : html`<p class="quiet">Here the deal is shown before it is played.</p>`
        }
      </div>
    </div>
  <//>`;
}

/** @param {string} what @param {number} length @param {string} unit */
const tooLong = (what, length, unit) =>
  `The ${what} has ${grouped(length)} ${unit}; a deal or a position has at most ` +
  grouped(LONGEST);

/**
 * What the text was recognised as, or what is wrong with it and where.
 * @param {{ reading: Reading, text: string }} props
 */
function Said({ reading, text }) {
  const { error, help, format } = reading;
  const trouble = error ? troubleAt(text, error) : null;
  return html`<div id="reading" class="reading" role="status">
    ${
      format &&
      html`<p class="good">
        Recognised: ${format === "seed" ? "a number of a scheme" : `format ${format}`}.
      </p>`
    }
    ${error && html`<p class="problem">${sentence(error)}</p>`}
    ${
      trouble &&
      html`<p class="trouble">
        <span class="quiet">${trouble.line}</span> ${trouble.before}<mark
          >${trouble.bad || "…"}</mark
        >${trouble.after}
      </p>`
    }
    ${help && html`<p class="quiet">${sentence(help)}</p>`}
  </div>`;
}

/**
 * The text as the engine reads it, a moment after the last key.
 * @param {string} text
 * @param {any} rules
 * @returns {Reading}
 */
function useReading(text, rules) {
  const app = useApp();
  const [reading, setReading] = useState(/** @type {Reading} */ ({}));
  useEffect(() => {
    let current = true;
    const read = async () => {
      const next = await readDeal(app, text.trim(), rules);
      if (current) setReading(next);
    };
    const timer = setTimeout(() => void read(), WAIT);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  return reading;
}

/**
 * @param {import("./html.js").App} app
 * @param {string} deal
 * @param {any} rules
 * @returns {Promise<Reading>}
 */
async function readDeal(app, deal, rules) {
  if (!deal) return {};
  if (deal.length > LONGEST) return { error: tooLong("text", deal.length, "characters") };
  try {
    const engine = await app.engine;
    const { board, format } = await engine.ask(
      { kind: "position", deal, rules, moves: "" },
      { lane: "quick" },
    );
    return { board, format };
  } catch (problem) {
    const { message, help } = /** @type {import("../engine/errors.js").EngineError} */ (problem);
    return { error: message.replace(/^the deal: /, ""), help };
  }
}
