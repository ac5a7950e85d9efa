// Getting a deal: a new one of a grade, by number, from a text, of the day, from a link.

import { boardText } from "../game/board.js";
import { cardName } from "../game/cards.js";
import { dailyRequest } from "../game/daily.js";
import { nameInSight, newGame, play } from "../game/game.js";
import { readFragment } from "../game/link.js";
import { STANDARD, shortRules } from "../game/rules.js";
import { gameFromText } from "../game/save.js";
import { counted } from "../game/words.js";
import { EngineError } from "../engine/errors.js";
import { ServerBusy, ServerGone } from "../engine/http.js";
import { stopPlayer } from "./hidden.js";
import { runWork } from "./tasks.js";
import { attempt, changeSettings, fail, savedGames, setGame } from "./app.js";
import { GRADES } from "./state.js";

/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types.js").Engine} Engine */
/** @typedef {import("../game/game.js").Game} Game */

/** Rules as a request takes them. @typedef {string | Record<string, unknown>} AskedRules */

/** The deal of the first visit: easy, and proved winnable. */
const FIRST_DEAL = "klondike:784";

/**
 * The first position: the link's, or the game of the last visit, or an easy deal. A link that leads
 * nowhere says so over one of the others, and this is false.
 * @param {App} app
 * @param {string} fragment
 */
export async function openFirst(app, fragment) {
  if (await openLink(app, fragment)) return true;
  const { error } = app.store.get();
  const game = savedGames(app).map(gameFromText).find(Boolean);
  if (game) setGame(app, game);
  else {
    await openDeal(app, FIRST_DEAL, "standard");
    app.store.set(({ game: now }) => ({ first: now?.deal.text === FIRST_DEAL && now.at === 0 }));
  }
  if (error) app.store.set({ error });
  return false;
}

/**
 * Opens the game of a link and says what it cannot read. False if it opened none.
 * @param {App} app
 * @param {string} fragment
 */
export async function openLink(app, fragment) {
  if (fragment.replace("#", "") === "") return false;
  const link = readFragment(fragment);
  if (!link) {
    fail(app, new EngineError("This page cannot read the link", "Is it cut off? Ask for it again"));
    return false;
  }
  // A link is no spoiler: the light goes off.
  changeSettings(app, { light: false });
  const { game } = app.store.get();
  await openDeal(app, link.deal, link.rules, { moves: link.moves });
  return app.store.get().game !== game;
}

/**
 * Lays out a deal. The error of a wrong one is thrown, so that a dialog can show it at its field.
 * A move that is made meanwhile, or another deal, goes before it.
 * @param {App} app
 * @param {string} text
 * @param {AskedRules} rules
 * @param {{ name?: string, moves?: string, signal?: AbortSignal }} [options]
 */
export async function layOut(app, text, rules, { name, moves = "", signal } = {}) {
  const coming = {};
  app.coming = coming;
  const engine = await app.engine;
  const start = await engine.ask(
    { kind: "position", deal: text, rules, moves: "" },
    { lane: "quick", signal },
  );
  const deal = {
    text,
    name: name ?? dealName(text),
    rules: /** @type {Rules} */ (start.rules),
    board: /** @type {Board} */ (start.board),
    key: start.key,
  };
  const { played, left } = await readMoves(engine, { deal: text, rules }, moves);
  if (app.coming !== coming) return;
  const game = played.reduce(play, newGame(deal));
  const error = left === 0 ? null : {
    text: `${counted(left, "move")} of the link cannot be read`,
    help: `It may be cut off. ${movesBefore(played.length)}`,
  };
  app.waiting = [];
  app.store.set({ facts: {}, tasks: {}, playing: false });
  setGame(app, game, { dialog: null, error, said: `New deal: ${deal.name}.` });
}

/**
 * The same, with an error on the page.
 * @param {App} app
 * @param {string} text
 * @param {AskedRules} rules
 * @param {{ name?: string, moves?: string }} [options]
 */
export const openDeal = (app, text, rules, options) =>
  attempt(app, () => layOut(app, text, rules, options));

/** @param {number} made */
const movesBefore = (made) =>
  made === 0
    ? "The deal is as dealt"
    : `The ${made === 1 ? "move before is" : `${made} moves before are`} made`;

/**
 * The moves of a text up to the first that cannot be made, and how many are left. Of more moves
 * than can be made no more can be made, so few questions find the place.
 * @param {Engine} engine
 * @param {{ deal: string, rules: AskedRules }} fields
 * @param {string} moves
 */
async function readMoves(engine, fields, moves) {
  const words = moves.split(" ").filter(Boolean);
  /** @type {import("../types.js").Move[]} */
  let played = [];
  let good = 0;
  for (let bad = words.length + 1, count = words.length; bad - good > 1; ) {
    const request = { kind: "position", ...fields, moves: words.slice(0, count).join(" ") };
    try {
      ({ played } = /** @type {any} */ (await engine.ask(request, { lane: "quick" })));
      good = count;
    } catch (error) {
      if (error instanceof ServerBusy || error instanceof ServerGone) throw error;
      bad = count;
    }
    count = (good + bad) >> 1;
  }
  const times = (/** @type {string} */ word) => Number(/\*(\d+)$/.exec(word)?.[1] ?? 1);
  return { played, left: words.slice(good).reduce((sum, word) => sum + times(word), 0) };
}

/**
 * A new deal that is proved winnable, of the grade asked for.
 * @param {App} app
 * @param {number} grade An index into GRADES.
 * @param {Rules} [rules]
 */
export async function newDeal(app, grade, rules = app.store.get().game?.deal.rules ?? STANDARD) {
  changeSettings(app, { grade });
  const { range } = GRADES[grade];
  const from = { scheme: "klondike", seed: Math.floor(Math.random() * 2 ** 32) };
  await findDeal(app, { from, rules: shortRules(rules), ...(range && { grade: range }) });
}

/** The deal of the day, the same for everybody. @param {App} app @param {Date} [date] */
export async function openDaily(app, date = new Date()) {
  const { request, name } = dailyRequest(date);
  await findDeal(app, request, name);
}

/** What is said where the engine finds too few deals that can be won to grade them. */
const NO_GRADES = "These rules have no grades, as too few of their deals can be won";

/** Why the page offers no grades; "" if it does. @param {State} state @param {Rules} rules */
export const noGradesWords = ({ ungraded }, rules) =>
  ungraded === JSON.stringify(shortRules(rules)) ? `${NO_GRADES}.` : "";

/**
 * Asks for deals that can be won. Rules that turn out to have no grades are remembered.
 * @param {App} app
 * @param {Record<string, any>} request
 * @param {import("./tasks.js").Control} control
 */
async function generate(app, request, control) {
  const engine = await app.engine;
  try {
    return await engine.ask({ kind: "generate", ...request }, { lane: "long", ...control });
  } catch (error) {
    if (!(error instanceof EngineError && error.code === "no-grades")) throw error;
    app.store.set({ ungraded: JSON.stringify(request.rules) });
    throw new EngineError(NO_GRADES, "Choose any grade");
  }
}

/** Where hardly a deal can be won, a search would not end by itself. */
const MOST_MS = 60_000;

/**
 * Looks for a deal until one is found. A move ends the search, as a game that is played stays.
 * @param {App} app
 * @param {Record<string, any>} request
 * @param {string} [name]
 */
async function findDeal(app, request, name) {
  stopPlayer(app);
  app.store.set({ playing: false, error: null });
  const asked = { count: 1, limits: { time_ms: MOST_MS }, ...request };
  await runWork(app, "deal", async (control) => {
    await attempt(app, async () => {
      const { deals, tried } = await generate(app, asked, control);
      if (deals.length === 0)
        throw new EngineError(
          `No such deal was found within the time limit, of ${counted(tried, "deal")}`,
          "Try again, or another grade",
        );
      const rules = request.rules ?? "standard";
      await layOut(app, deals[0].deal, rules, { name, signal: control.signal });
    });
    return {};
  });
}

/** How many deals a file of deals holds. */
export const FILE_DEALS = 100;

/**
 * A file of deals that can be won, for other programs: their numbers in the scheme `klondike`, each
 * 8 bytes, the lowest first.
 * @param {App} app
 * @param {number} grade An index into GRADES.
 * @param {Rules} rules
 */
export async function dealFile(app, grade, rules) {
  const { name, range } = GRADES[grade];
  const seed = Math.floor(Math.random() * 2 ** 32);
  await runWork(
    app,
    "file",
    async (control) => {
      const request = {
        count: FILE_DEALS,
        from: { scheme: "klondike", seed },
        rules: shortRules(rules),
        ...(range && { grade: range }),
      };
      const { deals } = await generate(app, request, control);
      const view = new DataView(new ArrayBuffer(8 * deals.length));
      deals.forEach((/** @type {any} */ { deal }, /** @type {number} */ index) => {
        view.setBigUint64(8 * index, BigInt(deal.slice("klondike:".length)), true);
      });
      const label = name.toLowerCase().replace(" ", "-");
      return {
        bytes: view.buffer,
        name: `klondike-draw${rules.draw}-${label}.bin`,
        count: deals.length,
      };
    },
    { whole: true },
  );
}

/** Goes on with a game that was played before. @param {App} app @param {Game} game */
export function goOnWith(app, game) {
  app.waiting = [];
  app.store.set({ facts: {}, tasks: {}, playing: false });
  setGame(app, game, { dialog: null, said: `Goes on with ${game.deal.name}.` });
}

/** Begins the deal again, under these rules. @param {App} app @param {AskedRules} [rules] */
export async function restart(app, rules) {
  const { game } = app.store.get();
  if (!game) return;
  await layOut(app, game.deal.text, rules ?? shortRules(game.deal.rules), { name: game.deal.name });
}

/**
 * Names the card that turned up and that nobody knew; the deal has it from now on.
 * @param {App} app
 * @param {string} card
 */
export function nameTurned(app, card) {
  const { game } = app.store.get();
  if (!game) return;
  const known = nameInSight(game, card);
  const deal = { ...known.deal, text: boardText(known.deal.board) };
  app.store.set({ facts: {}, tasks: {} });
  setGame(app, { ...known, deal }, { dialog: null, said: `Turned up: ${cardName(card)}.` });
}

/** A number of a scheme is its name; other texts have none. @param {string} text */
const dealName = (text) => (/^[a-z0-9-]+:-?\d+$/.test(text.trim()) ? text.trim() : "Your deal");
