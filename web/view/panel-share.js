// Sharing: a link, a picture, the moves and the deal as other programs write them.

import { useEffect, useMemo, useState } from "../vendor/hooks.js";
import { boardText } from "../game/board.js";
import { currentBoard, movesText } from "../game/game.js";
import { sentence } from "../game/words.js";
import {
  askPicture,
  askTexts,
  copyText,
  fileName,
  gameLink,
  pngOf,
  resultText,
  saveFile,
  shareKey,
} from "../app/share.js";
import { fail, isWon } from "../app/app.js";
import { canJudge } from "../app/light.js";
import { Icon } from "./icons.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../game/game.js").Game} Game */

/** @param {{ state: State }} props */
export function SharePanel({ state }) {
  if (!state.game) return null;
  return html`
    <${Link} game=${state.game} hidden=${state.settings.hidden} />
    <${Picture} state=${state} game=${state.game} />
    <${Texts} state=${state} game=${state.game} />
  `;
}

/** @param {{ game: Game, hidden: boolean }} props */
function Link({ game, hidden }) {
  return html`<section class="block">
    <h2>Link</h2>
    <p class="quiet">
      It holds the deal, the rules and your moves, and opens here, with the light off.
    </p>
    ${
      hidden &&
      html`<p>
        <strong>Whoever has the link gets all cards, also those that you do not see.</strong>
      </p>`
    }
    <${CopyField} label="Link to this game" text=${gameLink(game)} />
    ${
      isWon(game) &&
      html`<h2>Result</h2>
        <${CopyField} label="Result" text=${resultText(game)} tall=${true} />`
    }
  </section>`;
}

/** A text that can be copied. @param {{ label: string, text: string, tall?: boolean }} props */
function CopyField({ label, text, tall = false }) {
  const app = useApp();
  const [copied, setCopied] = useState(/** @type {string | null} */ (null));
  const copy = async () => setCopied((await copyText(app, text, label)) ? text : null);
  const select = (/** @type {any} */ event) => event.target.select();
  return html`<div class="copy">
    ${
      tall
        ? html`<textarea
            readonly
            rows="4"
            aria-label=${label}
            value=${text}
            onFocus=${select}
          ></textarea>`
        : html`<input readonly aria-label=${label} value=${text} onFocus=${select} />`
    }
    <button onClick=${copy} aria-label=${`Copy: ${label}`}>
      <${Icon} name="copy" /><span>${copied === text ? "Copied" : "Copy"}</span>
    </button>
  </div>`;
}

/** @param {{ state: State, game: Game }} props */
function Picture({ state, game }) {
  const app = useApp();
  const key = shareKey(game);
  useEffect(() => askPicture(app), [key]);
  const svg = /** @type {string | undefined} */ (state.tasks.picture?.answer?.svg);
  const url = useMemo(
    () => svg && URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })),
    [svg],
  );
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  const saveSvg = () =>
    svg && saveFile(new Blob([svg], { type: "image/svg+xml" }), fileName(game, "svg"));
  const savePng = async () => {
    try {
      if (svg) saveFile(await pngOf(svg), fileName(game, "png"));
    } catch (error) {
      fail(app, error);
    }
  };
  return html`<section class="block">
    <h2>Picture</h2>
    <div class="preview">${url && html`<img src=${url} alt="The position as a picture" />`}</div>
    <div class="actions">
      <button disabled=${!svg} onClick=${saveSvg}><${Icon} name="download" />SVG</button>
      <button disabled=${!svg} onClick=${savePng}><${Icon} name="download" />PNG</button>
    </div>
  </section>`;
}

/** @param {{ state: State, game: Game }} props */
function Texts({ state, game }) {
  return canJudge(game)
    ? html`<${AllTexts} state=${state} game=${game} />`
    : html`<${UnknownTexts} game=${game} />`;
}

/** Other programs have no way to write unknown cards. @param {{ game: Game }} props */
function UnknownTexts({ game }) {
  return html`<section class="block">
      <h2>Moves</h2>
      <${CopyField} label="Moves" text=${movesText(game)} tall=${true} />
    </section>
    <section class="block">
      <h2>Deal</h2>
      <p class="quiet">
        Some cards are unknown, so there is only this format; ?? is an unknown card. Open reads it.
      </p>
      <${CopyField} label="Deal" text=${boardText(game.deal.board)} tall=${true} />
      ${
        game.at > 0 &&
        html`<h2>Position</h2>
          <${CopyField} label="Position" text=${boardText(currentBoard(game))} tall=${true} />`
      }
    </section>`;
}

/** @param {{ state: State, game: Game }} props */
function AllTexts({ state, game }) {
  const app = useApp();
  const [format, setFormat] = useState("klondike");
  const [notation, setNotation] = useState("klondike");
  const key = shareKey(game);
  useEffect(() => askTexts(app, format), [key, format]);
  const { convert } = state.tasks;
  const notations = /** @type {{ notation: string, text?: string }[]} */ (
    convert?.answer?.notations ?? []
  );
  const moves = notations.find((written) => written.notation === notation);
  return html`<section class="block">
      <h2>Moves</h2>
      <label class="pick"
        ><span>Notation</span>
        <select
          value=${notation}
          onChange=${(/** @type {any} */ event) => setNotation(event.target.value)}
        >
          ${(notations.length > 0 ? notations : [{ notation }]).map(
            ({ notation: name }) => html`<option key=${name} value=${name}>${name}</option>`,
          )}
        </select>
      </label>
      <${CopyField} label="Moves" text=${moves?.text ?? ""} tall=${true} />
    </section>
    ${
      state.settings.hidden
        ? html`<p class="quiet">
            The deal as a text names the cards that lie face down. Turn off “Only what I see”
            under Hints to see it.
          </p>`
        : html`<${DealText}
            task=${convert}
            begun=${game.at > 0}
            format=${format}
            set=${setFormat}
          />`
    }`;
}

/**
 * The deal and the position in a format.
 * @param {object} props
 * @param {import("../app/state.js").Task | undefined} props.task
 * @param {boolean} props.begun
 * @param {string} props.format
 * @param {(name: string) => void} props.set
 */
function DealText({ task, begun, format, set }) {
  const app = useApp();
  const [formats, setFormats] = useState(/** @type {{ name: string, about: string }[]} */ ([]));
  useEffect(() => {
    app.engine
      .then((engine) => engine.ask({ kind: "formats" }, { lane: "quick" }))
      .then((answer) => setFormats(answer.formats ?? []))
      .catch(() => setFormats([]));
  }, []);
  const { text, after } = task?.answer ?? {};
  const about = formats.find(({ name }) => name === format)?.about;
  return html`<section class="block">
    <h2>Deal</h2>
    <label class="pick"
      ><span>Format</span>
      <select value=${format} onChange=${(/** @type {any} */ event) => set(event.target.value)}>
        ${(formats.length > 0 ? formats : [{ name: format, about: "" }]).map(
          ({ name }) => html`<option key=${name} value=${name}>${name}</option>`,
        )}
      </select>
    </label>
    <p class="quiet">${about ? sentence(about) : "\u00a0"}</p>
    ${task?.state === "failed" && html`<p class="problem">${task.error}</p>`}
    <${CopyField} label="Deal" text=${text ?? ""} tall=${true} />
    ${
      begun &&
      after &&
      html`<h2>Position</h2>
        <${CopyField} label="Position" text=${after} tall=${true} />`
    }
  </section>`;
}
