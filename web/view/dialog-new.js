// A new deal: of a grade, of the day, or by number.

import { useEffect, useState } from "../vendor/hooks.js";
import { STANDARD, shortRules } from "../game/rules.js";
import { rulesLabel, sentence } from "../game/words.js";
import { gameFromText } from "../game/save.js";
import { attempt, earlierTexts } from "../app/app.js";
import {
  FILE_DEALS,
  dealFile,
  goOnWith,
  layOut,
  newDeal,
  noGradesWords,
  openDaily,
  restart,
} from "../app/deals.js";
import { stopTask } from "../app/tasks.js";
import { saveFile } from "../app/share.js";
import { GRADES } from "../app/state.js";
import { Dialog, useWork } from "./dialog.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */

/** @param {{ state: State }} props */
export function NewDialog({ state }) {
  const app = useApp();
  const rules = state.game?.deal.rules ?? STANDARD;
  const noGrades = noGradesWords(state, rules);
  const grades = GRADES.filter(({ range }) => !noGrades || !range);
  const start = (/** @type {() => Promise<void>} */ work) => {
    app.store.set({ dialog: null });
    void work();
  };
  return html`<${Dialog} title="New deal">
    <section>
      <h3>Proved winnable</h3>
      <p class="quiet">
        ${
          noGrades || "How hard is it for somebody who does not see the cards that lie face down?"
        }
      </p>
      <div class="choices">
        ${grades.map((grade) => {
          const { name, range } = grade;
          return html`<button
            key=${name}
            onClick=${() => start(() => newDeal(app, GRADES.indexOf(grade), rules))}
          >
            ${name}<small>${range ? `grade ${range[0]} to ${range[1]}` : "any grade"}</small>
          </button>`;
        })}
      </div>
    </section>
    <section>
      <h3>Today</h3>
      <p class="quiet">The same deal for everybody, easy on Monday, very hard on Sunday.</p>
      <button onClick=${() => start(() => openDaily(app))}>Deal of the day</button>
    </section>
    <${ByNumber} rules=${shortRules(rules)} />
    <${File} state=${state} rules=${rules} />
    <section>
      <h3>Again</h3>
      <button
        disabled=${!state.game}
        onClick=${() => start(() => attempt(app, () => restart(app)))}
      >
        Begin this deal again
      </button>
      <${Earlier} />
    </section>
  <//>`;
}

/** Games that were played before, in any tab. */
function Earlier() {
  const app = useApp();
  const games = earlierTexts(app)
    .map(gameFromText)
    .filter((game) => game !== null);
  if (games.length === 0) return null;
  return html`<h3>Earlier games</h3>
    <ul class="list">
      ${games.map(
        (game) =>
          html`<li key=${game.id}>
            <button class="row-button" onClick=${() => goOnWith(app, game)}>
              <span>${game.deal.name}</span>
              <small>${`at move ${game.at}, ${rulesLabel(game.deal.rules)}`}</small>
            </button>
          </li>`,
      )}
    </ul>`;
}

/**
 * A file of deals for other programs.
 * @param {{ state: State, rules: import("../types.js").Rules }} props
 */
function File({ state, rules }) {
  const app = useApp();
  const [grade, setGrade] = useState(state.settings.grade);
  const { file } = state.tasks;
  const running = file?.state === "running";
  const { bytes, name, count } = file?.answer ?? {};
  const found = file?.progress?.deals;
  return html`<details class="block">
    <summary>A file of deals for other programs</summary>
    <p class="quiet">
      ${FILE_DEALS} deals that are proved winnable: numbers of the scheme klondike, 8 bytes each,
      the lowest byte first.
    </p>
    <div class="row">
      <label
        ><span>Difficulty</span>
        <select
          value=${grade}
          onChange=${(/** @type {any} */ event) => setGrade(Number(event.target.value))}
        >
          ${GRADES.map(
            ({ name: text }, index) =>
              html`<option key=${text} value=${index}>${text}</option>`,
          )}
        </select>
      </label>
      ${
        running
          ? html`<button onClick=${() => stopTask(app, "file")}>Stop</button>`
          : html`<button onClick=${() => dealFile(app, grade, rules)}>Make it</button>`
      }
    </div>
    <p role="status">
      ${running && `Looking for deals …${found ? ` ${found} tried.` : ""}`}
      ${file?.state === "failed" && html`<span class="problem">${file.error}</span>`}
    </p>
    ${
      bytes &&
      html`<button onClick=${() => saveFile(new Blob([bytes]), name)}>
        Save ${name}, ${count} deals
      </button>`
    }
  </details>`;
}

/** @param {{ rules: any }} props */
function ByNumber({ rules }) {
  const app = useApp();
  const [schemes, setSchemes] = useState(/** @type {any[]} */ ([]));
  const [scheme, setScheme] = useState("klondike");
  const [number, setNumber] = useState("");
  const [error, start] = useWork();
  useEffect(() => {
    app.engine
      .then((engine) => engine.ask({ kind: "schemes" }, { lane: "quick" }))
      .then((answer) => setSchemes(answer.schemes ?? []))
      .catch(() => setSchemes([]));
  }, []);
  const known = schemes.find(({ name }) => name === scheme);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void start(() => layOut(app, `${scheme}:${number.trim() || "1"}`, rules));
  };
  return html`<section>
    <h3>By number</h3>
    <form class="row" onSubmit=${submit}>
      <label>
        <span>Scheme</span>
        <select
          value=${scheme}
          onChange=${(/** @type {any} */ event) => setScheme(event.target.value)}
        >
          ${(schemes.length > 0 ? schemes : [{ name: "klondike" }]).map(
            ({ name }) =>
              html`<option key=${name} value=${name}>${name}</option>`,
          )}
        </select>
      </label>
      <label>
        <span>Number</span>
        <input
          inputmode="numeric"
          value=${number}
          placeholder="1"
          autocomplete="off"
          aria-invalid=${error !== ""}
          aria-describedby="number-note"
          onInput=${(/** @type {any} */ event) => setNumber(event.target.value)}
        />
      </label>
      <button>Deal</button>
    </form>
    <p id="number-note" class=${error ? "problem" : "quiet"} role=${error ? "alert" : null}>
      ${error || known ? sentence(error || (known?.about ?? "")) : "\u00a0"}
    </p>
  </section>`;
}
