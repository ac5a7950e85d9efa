// What the page knows, in one object.

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Verdict} Verdict */
/** @typedef {import("../game/targets.js").Held} Held */

/**
 * @typedef {object} Settings What is kept for the next visit.
 * @property {boolean} light Whether the verdict light is on.
 * @property {boolean} hidden Play as a person does: nothing looks at face-down cards.
 * @property {boolean} fourColours
 * @property {"system" | "light" | "dark"} theme
 * @property {"move" | "pick"} tap What a tap on a card does.
 * @property {boolean} finish Whether games that are as good as won finish by themselves.
 * @property {number} grade The last grade that was asked for: an index into GRADES.
 * @property {number} speed Moves a second when a line is played back.
 */

/**
 * @typedef {object} Judgement A verdict about a position.
 * @property {Verdict} verdict
 * @property {number} states That were searched.
 * @property {number} [asked] That were asked for; another limit may have come first.
 * @property {number} ms
 * @property {Move[]} [line] Moves that win.
 */

/**
 * @typedef {object} Facts What the engine said about the position of a step.
 * @property {Move[]} [legal]
 * @property {boolean} [won]
 * @property {number | null} [redealsLeft]
 * @property {Judgement} [judgement]
 * @property {Record<string, Verdict>} [moves] The verdict after each legal move, by its text.
 */

/**
 * @typedef {object} Task A long question that runs or ran.
 * @property {string} name
 * @property {"running" | "done" | "failed" | "stopped"} state
 * @property {number} step The step it is about.
 * @property {Record<string, any>} [progress]
 * @property {Record<string, any>} [answer]
 * @property {string} [error]
 */

/** @typedef {"play" | "solve" | "explain" | "hidden" | "share"} Panel */
/** @typedef {"new" | "open" | "enter" | "rules" | "keys" | "settings" | "turned"} DialogName */

/**
 * @typedef {object} State
 * @property {string} engine Its name, "" while it starts.
 * @property {import("../game/game.js").Game | null} game
 * @property {Record<number, Facts>} facts By step.
 * @property {Settings} settings
 * @property {Panel} panel
 * @property {boolean} sheet Whether the panel is pulled up on narrow screens.
 * @property {DialogName | null} dialog
 * @property {Held | null} held What is picked up.
 * @property {Move | null} hint
 * @property {boolean} playing Whether the line ahead is played back.
 * @property {boolean} player Whether the program plays.
 * @property {{ states: number } | null} judging How far the light's search is, if one runs.
 * @property {string} unjudged Why the light has no verdict, if its search failed.
 * @property {Record<string, Task>} tasks By name.
 * @property {string[]} marked Cards that an explanation lights.
 * @property {string | null} arrows The one card whose arrows are drawn; null for all.
 * @property {string} ungraded The last rules that turned out to have no grades, as a text.
 * @property {{ text: string, help?: string } | null} error
 * @property {string} note What an action found, where the board shows nothing of it.
 * @property {string} said What a screen reader says next.
 * @property {boolean} first Whether this is the first visit.
 */

/** Names of difficulty, and the grades that they stand for. */
export const GRADES = [
  { name: "Easy", range: [1, 3] },
  { name: "Medium", range: [4, 6] },
  { name: "Hard", range: [7, 8] },
  { name: "Very hard", range: [9, 10] },
  { name: "Any", range: null },
];

/** Most moves a second. */
export const SPEEDIEST = 12;

/** @type {Settings} */
export const DEFAULT_SETTINGS = {
  light: false,
  hidden: false,
  fourColours: false,
  theme: "system",
  tap: "move",
  finish: true,
  grade: 0,
  speed: 4,
};

const isFlag = (/** @type {unknown} */ value) => typeof value === "boolean";
const isIn =
  (/** @type {unknown[]} */ ...values) =>
  (/** @type {unknown} */ value) =>
    values.includes(value);

/** Which values each setting can have. @type {Record<keyof Settings, (value: any) => boolean>} */
const CAN_BE = {
  light: isFlag,
  hidden: isFlag,
  fourColours: isFlag,
  theme: isIn("system", "light", "dark"),
  tap: isIn("move", "pick"),
  finish: isFlag,
  grade: isIn(...GRADES.keys()),
  speed: (value) => Number.isInteger(value) && value >= 1 && value <= SPEEDIEST,
};

/**
 * Settings as some version of the page kept them, without what this one does not understand.
 * @param {Record<string, unknown>} kept
 * @returns {Partial<Settings>}
 */
export const understoodSettings = (kept) =>
  Object.fromEntries(
    Object.entries(CAN_BE)
      .filter(([name, canBe]) => canBe(kept[name]))
      .map(([name]) => [name, kept[name]]),
  );

/** @param {Partial<Settings>} settings @returns {State} */
export function initialState(settings) {
  return {
    engine: "",
    game: null,
    facts: {},
    settings: { ...DEFAULT_SETTINGS, ...settings },
    panel: "play",
    sheet: false,
    dialog: null,
    held: null,
    hint: null,
    playing: false,
    player: false,
    judging: null,
    unjudged: "",
    tasks: {},
    marked: [],
    arrows: null,
    ungraded: "",
    error: null,
    note: "",
    said: "",
    first: false,
  };
}
