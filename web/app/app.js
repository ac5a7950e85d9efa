// The page's state with its engine, and what every change of the position brings about.

import { cardsUp, unknownInSight } from "../game/board.js";
import { currentBoard, movesText, stepAt } from "../game/game.js";
import { shortRules } from "../game/rules.js";
import { earlierGames, gameToText } from "../game/save.js";
import { isAbort } from "../engine/errors.js";
import { createStore } from "./store.js";
import { initialState, understoodSettings } from "./state.js";

/** @typedef {import("../types.js").Engine} Engine */
/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../game/game.js").Game} Game */
/** @typedef {import("./state.js").Facts} Facts */
/** @typedef {import("./state.js").State} State */

/** A browser that forbids storage throws an error. @typedef {() => Storage} Keep */

/**
 * @typedef {object} Turn What the person asks for.
 * @property {() => void} act
 * @property {boolean} blind Whether it can be done without knowing the legal moves.
 */

/**
 * @typedef {object} App
 * @property {import("./store.js").Store<State>} store
 * @property {Promise<Engine>} engine
 * @property {Keep} storage
 * @property {Keep} own The storage of this tab alone.
 * @property {(() => void)[]} onPosition Called when the game stands at another position.
 * @property {Turn[]} waiting Input that waits for the legal moves of the position before it.
 * @property {import("../game/game.js").Step | null} asked The position that is being asked for.
 * @property {object | null} coming The deal that is being laid out, if no game came before it.
 */

const GAME_KEY = "klondike.game";
const EARLIER_KEY = "klondike.earlier";
const SETTINGS_KEY = "klondike.settings";

/**
 * @param {Promise<Engine>} engine
 * @param {Keep} storage
 * @param {Keep} own
 * @returns {App}
 */
export function createApp(engine, storage, own) {
  const store = createStore(initialState(readSettings(storage)));
  const now = { waiting: [], asked: null, coming: null };
  const app = { store, engine, storage, own, onPosition: [], ...now };
  engine.then(
    ({ name }) => store.set({ engine: name }),
    (error) => fail(app, error),
  );
  return app;
}

/** The texts of saved games: of this tab, and the last one of any tab. @param {App} app */
export const savedGames = (app) => [read(app.own, GAME_KEY), read(app.storage, GAME_KEY)];

/** @param {App} app @param {Partial<State["settings"]>} change */
export function changeSettings(app, change) {
  app.store.set(({ settings }) => ({ settings: { ...settings, ...change } }));
  // Another tab may have changed others.
  write(app.storage, SETTINGS_KEY, JSON.stringify({ ...readSettings(app.storage), ...change }));
}

/**
 * The game stands somewhere else, or it is another one.
 * @param {App} app
 * @param {Game} game
 * @param {Partial<State>} [more]
 */
export function setGame(app, game, more = {}) {
  // The welcome speaks of the first deal.
  const { first: welcome, game: before } = app.store.get();
  const first = welcome && game.at === 0 && before?.deal === game.deal;
  const clear = { held: null, hint: null, marked: [], error: null, note: "" };
  app.coming = null;
  app.store.set({ game, ...clear, first, ...more });
  saveGame(app, game);
  void askPosition(app);
  for (const listener of app.onPosition) listener();
}

/**
 * Saves the game for this tab and as the last one. That may have been the game of another tab.
 * @param {App} app
 * @param {Game} game
 */
function saveGame(app, game) {
  const last = read(app.storage, GAME_KEY);
  const earlier = earlierTexts(app);
  const next = earlierGames(earlier, last, game);
  if (next !== earlier) write(app.storage, EARLIER_KEY, JSON.stringify(next));
  const text = gameToText(game);
  write(app.own, GAME_KEY, text);
  write(app.storage, GAME_KEY, text);
}

/**
 * The texts of games before the last one, the newest first.
 * @param {App} app
 * @returns {string[]}
 */
export function earlierTexts(app) {
  try {
    const texts = JSON.parse(read(app.storage, EARLIER_KEY) ?? "");
    return Array.isArray(texts) ? texts : [];
  } catch {
    return [];
  }
}

/** The fields of a request about the position at a place of the line. @param {Game} game */
export const gameFields = (game, ply = game.at) => ({
  deal: game.deal.text,
  rules: shortRules(game.deal.rules),
  moves: movesText(game, ply),
});

/**
 * Asks for the legal moves of the position, once. Input that waits for them follows.
 * @param {App} app
 */
export async function askPosition(app) {
  const { game } = app.store.get();
  if (!game || isReady(app) || turnedUnknown(game)) return;
  const step = stepAt(game);
  if (app.asked === step) return;
  app.asked = step;
  try {
    const engine = await app.engine;
    const answer = await engine.ask({ kind: "position", ...gameFields(game) }, { lane: "quick" });
    learn(app, game, step.id, {
      legal: answer.legal,
      won: answer.won,
      redealsLeft: answer.redeals_left ?? null,
    });
  } catch (error) {
    app.waiting = [];
    fail(app, error);
  }
  if (app.asked === step) app.asked = null;
  catchUp(app);
}

/** Whether the legal moves of the position are known. @param {App} app */
function isReady(app) {
  const { game, facts } = app.store.get();
  return game !== null && facts[stepAt(game).id]?.legal !== undefined;
}

/**
 * Does what the person asks for in its turn: after what was asked for before, and with the legal
 * moves of the position that this led to. So no key and no drag is lost while the engine thinks.
 * @param {App} app
 * @param {() => void} act
 * @param {{ blind?: boolean }} [options] blind: it can be done without knowing the legal moves
 */
export function inTurn(app, act, { blind = false } = {}) {
  app.waiting.push({ act, blind });
  catchUp(app);
}

/** @param {App} app */
function catchUp(app) {
  for (let [turn] = app.waiting; turn && (turn.blind || isReady(app)); [turn] = app.waiting) {
    app.waiting.shift();
    turn.act();
  }
  const { game } = app.store.get();
  if (app.waiting.length === 0) return;
  if (game && turnedUnknown(game)) {
    // Nobody can have meant a position with a card that nobody knew.
    app.waiting = [];
    app.store.set({ dialog: "turned" });
  } else void askPosition(app);
}

/**
 * Keeps what the engine said about a step, if the game is still the same.
 * @param {App} app
 * @param {Game} game
 * @param {number} id
 * @param {Facts} more
 */
export function learn(app, game, id, more) {
  const { game: now, facts } = app.store.get();
  if (now?.deal !== game.deal || !now.steps[id]) return;
  app.store.set({ facts: { ...facts, [id]: { ...facts[id], ...more } } });
}

/**
 * Runs work that needs the engine and shows its error, if it fails.
 * @param {App} app
 * @param {(engine: Engine) => Promise<void>} work
 */
export async function attempt(app, work) {
  try {
    await work(await app.engine);
  } catch (error) {
    if (!isAbort(error)) fail(app, error);
  }
}

/** @param {App} app @param {unknown} error */
export function fail(app, error) {
  const text = error instanceof Error ? error.message : String(error);
  const help = error instanceof Error && "help" in error ? String(error.help ?? "") : "";
  app.store.set({ error: { text, help }, said: text });
}

/** Says over the board, and to screen readers, what an action found. */
/** @param {App} app @param {string} text */
export const say = (app, text) => app.store.set({ note: text, said: text });

/** Whether a card can be seen that nobody has named yet. @param {Game} game */
export const turnedUnknown = (game) => unknownInSight(currentBoard(game)) !== null;

/** @param {Game} game */
export function isWon(game) {
  const { suits, ranks } = game.deal.rules;
  return cardsUp(currentBoard(game)) === suits * ranks;
}

/** @param {Keep} storage */
function readSettings(storage) {
  try {
    return understoodSettings(JSON.parse(read(storage, SETTINGS_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

// A browser may forbid storage; the page then works without it.

/** @param {Keep} storage @param {string} key */
function read(storage, key) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** @param {Keep} storage @param {string} key @param {string} text */
function write(storage, key, text) {
  try {
    storage().setItem(key, text);
  } catch {
    // Full or forbidden: nothing is kept.
  }
}
