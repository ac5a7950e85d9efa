// Analysis: the moves of this position, searches for best lines, how hard the deal is.

import { useEffect } from "../vendor/hooks.js";
import { obstacles } from "../game/obstacles.js";
import { stepAt } from "../game/game.js";
import { lineVerdicts } from "../game/verdicts.js";
import { counted, grouped, moveLabel, percent } from "../game/words.js";
import {
  LIGHT_RULES,
  askGrade,
  askLights,
  markMoves,
  search,
  showWhy,
  showWin,
} from "../app/analysis.js";
import { isWon } from "../app/app.js";
import { canJudge } from "../app/light.js";
import { makeMove, showMoves } from "../app/play.js";
import { Ask, Progress, busyWords } from "./ask.js";
import { classes, html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").State} State */
/** @typedef {import("../app/state.js").Task} Task */

/** @param {{ state: State }} props */
export function SolvePanel({ state }) {
  const { game, settings } = state;
  if (!game) return null;
  if (settings.hidden)
    return html`<p class="quiet">
      Analysis looks at all cards. Turn off “Only what I see” under Hints to use it.
    </p>`;
  if (!canJudge(game))
    return html`<p class="quiet">Analysis needs all cards, and some are unknown. Hints work.</p>`;
  return html`
    <${Moves} state=${state} />
    <${Searches} state=${state} />
    <${Difficulty} state=${state} />
    <${Lights} state=${state} />
  `;
}

const SIGNS = { winnable: "●", unwinnable: "✕", undecided: "?" };
const WORDS = { winnable: "keeps the win", unwinnable: "loses", undecided: "undecided" };

/**
 * Whether it is known that no line wins from here.
 * @param {State} state
 */
function isLost({ game, facts }) {
  if (!game) return false;
  const { moves } = facts[stepAt(game).id] ?? {};
  return (
    lineVerdicts(game, facts)[game.at] === "unwinnable" ||
    // Also where no move is left.
    (moves && !isWon(game) && Object.values(moves).every((verdict) => verdict === "unwinnable"))
  );
}

/** Every legal move, with its verdict once asked for. @param {{ state: State }} props */
function Moves({ state }) {
  const app = useApp();
  const { game, facts, tasks } = state;
  const { id } = stepAt(/** @type {import("../game/game.js").Game} */ (game));
  const { legal = [], moves } = facts[id] ?? {};
  const lost = isLost(state);
  return html`<section class="block">
    <h2>Legal moves</h2>
    <ul class="list">
      ${legal.map((move) => {
        const verdict = lost ? "unwinnable" : moves?.[move.move];
        return html`<li key=${move.move}>
          <button class=${classes("row-button", verdict)} onClick=${() => makeMove(app, move)}>
            <span class="sign" aria-hidden="true">${verdict ? SIGNS[verdict] : "○"}</span>
            <span>${moveLabel(move)}</span>
            <small>${verdict ? WORDS[verdict] : ""}</small>
          </button>
        </li>`;
      })}
    </ul>
    ${
      lost
        ? html`<p>No line wins from here: proved.</p>
            <div class="actions"><button onClick=${() => showWhy(app)}>Why?</button></div>`
        : html`<div class="actions">
            <${Ask}
              name="analyse"
              task=${tasks.analyse}
              ask=${() => markMoves(app)}
              disabled=${moves !== undefined}
              stop="Stop judging"
            >
              Judge every move
            <//>
            <${Ask}
              name="solve"
              task=${tasks.solve}
              ask=${() => showWin(app)}
              stop="Stop looking"
            >
              Show a winning line
            <//>
          </div>`
    }
    <${Progress} task=${tasks.analyse} busy="Judging …" />
    <${Progress} task=${tasks.solve} busy="Looking for a line that wins …" />
    ${tasks.solve?.answer?.verdict === "undecided" && html`<p>Not found within the limits.</p>`}
  </section>`;
}

/** @type {{ goal: "shortest" | "best-score" | "fewest-passes", name: string, about: string }[]} */
const GOALS = [
  { goal: "shortest", name: "Shortest solution", about: "Fewest card moves and draws." },
  {
    goal: "fewest-passes",
    name: "Fewest passes",
    about: "How often the stock must be gone through.",
  },
  { goal: "best-score", name: "Best score", about: "Most cards up, also where not all can." },
];

/** @param {{ state: State }} props */
function Searches({ state }) {
  const goals = isLost(state) ? GOALS.filter(({ goal }) => goal === "best-score") : GOALS;
  return html`<section class="block">
    <h2>${goals.length === 1 ? "Best line from here" : "Best lines from here"}</h2>
    ${goals.map(
      (goal) =>
        html`<${Search} key=${goal.goal} ...${goal} task=${state.tasks[goal.goal]} />`,
    )}
  </section>`;
}

/**
 * @param {{ goal: "shortest" | "best-score" | "fewest-passes", name: string, about: string, task:
 * Task | undefined }} props
 */
function Search({ goal, name, about, task }) {
  const app = useApp();
  const line = task?.answer?.solution ?? task?.answer?.score?.line;
  const running = task?.state === "running";
  return html`<div class="search">
    <p>
      <strong>${name}</strong>
      <span class="quiet" role=${task?.state === "done" ? "status" : null}
        >${searchWords(goal, task) || about}</span
      >
    </p>
    ${
      line?.moves?.length
        ? html`<button onClick=${() => showMoves(app, line.moves)}>Show</button>`
        : html`<${Ask} name=${goal} task=${task} ask=${() => search(app, goal)}>Search<//>`
    }
    ${running && html`<${Bounds} progress=${task?.progress} />`}
  </div>`;
}

/**
 * Both bounds of a search, as a bar that closes.
 * @param {{ progress: Record<string, any> | undefined }} props
 */
function Bounds({ progress }) {
  const { lower, upper } = progress ?? {};
  const share = lower && upper ? lower / upper : 0;
  return html`<div class="bounds" aria-hidden="true" style=${{ "--share": share }}>
    <span></span>
  </div>`;
}

/** @param {Record<string, any>} progress @param {string | undefined} unit */
function boundsWords({ lower, upper }, unit) {
  if (lower && upper) return `Between ${lower} and ${upper} ${unit}.`;
  if (lower) return `At least ${lower} ${unit}.`;
  return upper ? `At most ${upper} ${unit}.` : "";
}

/**
 * What a search says: its bounds while it runs and when it is stopped, or its result.
 * @param {string} goal
 * @param {Task | undefined} task
 */
export function searchWords(goal, task) {
  if (!task) return "";
  if (task.state === "failed") return task.error ?? "Failed.";
  const unit = { shortest: "moves", "fewest-passes": "passes", "best-score": "cards" }[goal];
  const bounds = boundsWords(task.progress ?? {}, unit);
  if (task.state === "stopped") return bounds && `${bounds} Stopped.`;
  if (task.state === "running") {
    const states = task.progress?.states ?? 0;
    const seen = states > 0 ? ` ${grouped(states)} states searched.` : "";
    return (bounds || busyWords(task, "Searching …")) + seen;
  }
  const { score, fewest, verdict } = task.answer ?? {};
  if (score) {
    const most = score.proved ? "proved the most" : `at most ${score.at_most} of ${score.of}`;
    return `${counted(score.cards, "card")} up, ${most}.`;
  }
  if (fewest) {
    const least = fewest.proved ? "proved the fewest" : `at least ${fewest.at_least}`;
    return `${fewest.length} ${fewest.length === 1 ? unit?.replace(/e?s$/, "") : unit}, ${least}.`;
  }
  return verdict === "unwinnable" ? "Cannot be won." : "Not found within the limits.";
}

/** @param {{ state: State }} props */
function Difficulty({ state }) {
  const app = useApp();
  const { game, tasks } = state;
  if (!game) return null;
  const { grade } = tasks;
  const answer = grade?.answer;
  return html`<section class="block">
    <h2>How hard is this deal?</h2>
    ${
      !answer &&
      html`<${Ask} name="grade" task=${grade} ask=${() => askGrade(app)}>Grade it<//>`
    }
    <${Progress} task=${grade} busy="Grading …" />
    ${answer && html`<${Grade} answer=${answer} />`}
    ${
      answer &&
      html`<ul class="bullets">
        ${obstacles(game.deal.board)
          .slice(0, 5)
          .map((text) => html`<li key=${text}>${text}</li>`)}
      </ul>`
    }
  </section>`;
}

/** Why a deal with this verdict has no grade. @type {Record<string, string>} */
const NO_GRADE = {
  winnable: "This deal can be won. Its grade took too long.",
  unwinnable: "This deal cannot be won, so it has no grade.",
  undecided: "Whether this deal can be won took too long to find out, so it has no grade.",
};

/** @param {{ answer: Record<string, any> }} props */
function Grade({ answer }) {
  if (answer.grade === undefined) return html`<p>${NO_GRADE[answer.verdict]}</p>`;
  const { games, wins, beam } = answer.features ?? {};
  const fitted = answer.chance !== undefined;
  const share = `${percent(answer.chance)} of good players who do not see the face-down cards`;
  const width = beam
    ? `A search that sees all cards and keeps ${counted(beam, "position")} wins.`
    : "A narrow search that sees all cards does not win.";
  return html`
    <div class="grade" role="img" aria-label=${`Grade ${answer.grade} of 10`}>
      ${Array.from(
        { length: 10 },
        (_, index) =>
          html`<span key=${index} class=${classes(index < answer.grade && "on")}></span>`,
      )}
    </div>
    <p>
      Grade ${answer.grade} of 10. ${fitted && `${share} win it.`}
      ${games && ` Simple play by chance won ${wins} of ${grouped(games)} games.`}
      ${games && fitted && ` ${width}`}
    </p>
  `;
}

/** For which draw counts the deal can be won. @param {{ state: State }} props */
function Lights({ state }) {
  const app = useApp();
  const { tasks, game } = state;
  const asked = tasks.lights !== undefined;
  useEffect(() => {
    if (game && !asked) void askLights(app);
  }, [game?.deal]);
  const open = LIGHT_RULES.map(({ task }) => tasks[task]).filter((task) => !task?.answer);
  const now = open.find((task) => task?.state === "running" || task?.state === "failed");
  return html`<section class="block">
    <h2>Under other rules</h2>
    <ul class="lights">
      ${LIGHT_RULES.map(({ name, task }) => {
        const answer = tasks[task]?.answer;
        const verdict = /** @type {keyof typeof SIGNS | undefined} */ (answer?.verdict);
        const words = verdict
          ? { winnable: "can be won", unwinnable: "cannot be won", undecided: "undecided" }[verdict]
          : "not yet known";
        return html`<li key=${name} class=${verdict ?? ""}>
          <span class="sign" aria-hidden="true">${verdict ? SIGNS[verdict] : "○"}</span>${" "}
          ${name}<span class="hide-visually">: ${words}</span>
        </li>`;
      })}
    </ul>
    ${
      asked &&
      open.length > 0 &&
      html`<div class="actions">
        <${Ask}
          name="lights"
          task=${tasks.lights}
          ask=${() => askLights(app)}
          stop="Stop comparing"
        >
          Go on
        <//>
      </div>`
    }
    <${Progress} task=${now} busy="Comparing …" />
  </section>`;
}
