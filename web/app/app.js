// The page's state with its engine, and what every change of the position brings about.

import { cardsUp } from "../game/board.js";
import { currentBoard, movesText, stepAt } from "../game/game.js";
import { shortRules } from "../game/rules.js";
import { gameToText } from "../game/save.js";
import { isAbort } from "../engine/errors.js";
import { createStore } from "./store.js";
import { initialState } from "./state.js";

/** @typedef {import("../types.js").Engine} Engine */
/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../game/game.js").Game} Game */
/** @typedef {import("./state.js").Facts} Facts */
/** @typedef {import("./state.js").State} State */

/**
 * @typedef {object} App
 * @property {import("./store.js").Store<State>} store
 * @property {Promise<Engine>} engine
 * @property {Pick<Storage, "getItem" | "setItem">} storage
 * @property {(() => void)[]} onPosition Called when the game stands at another position.
 */

const GAME_KEY = "klondike.game";
const SETTINGS_KEY = "klondike.settings";

/**
 * @param {Promise<Engine>} engine
 * @param {Pick<Storage, "getItem" | "setItem">} storage
 * @returns {App}
 */
export function createApp(engine, storage) {
  const store = createStore(initialState(readSettings(storage)));
  const app = { store, engine, storage, onPosition: [] };
  engine.then(
    ({ name }) => store.set({ engine: name }),
    (error) => fail(app, error),
  );
  return app;
}

/** The text of the game that was saved last. @param {App} app */
export const savedGame = (app) => read(app.storage, GAME_KEY);

/** @param {App} app @param {Partial<State["settings"]>} change */
export function changeSettings(app, change) {
  app.store.set(({ settings }) => ({ settings: { ...settings, ...change } }));
  write(app.storage, SETTINGS_KEY, JSON.stringify(app.store.get().settings));
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
  const first = welcome && game.at === 0 && (before?.deal ?? game.deal) === game.deal;
  app.store.set({ game, held: null, hint: null, marked: [], error: null, first, ...more });
  write(app.storage, GAME_KEY, gameToText(game));
  void askPosition(app);
  for (const listener of app.onPosition) listener();
}

/** The fields of a request about the position at a place of the line. @param {Game} game */
export const gameFields = (game, ply = game.at) => ({
  deal: game.deal.text,
  rules: shortRules(game.deal.rules),
  moves: movesText(game, ply),
});

/**
 * Asks for the legal moves of the position, once.
 * @param {App} app
 */
export async function askPosition(app) {
  const { game, facts } = app.store.get();
  if (!game) return;
  const { id } = stepAt(game);
  if (facts[id]?.legal || turnedUnknown(game)) return;
  await attempt(app, async (engine) => {
    const answer = await engine.ask({ kind: "position", ...gameFields(game) }, { lane: "quick" });
    learn(app, game, id, {
      legal: answer.legal,
      won: answer.won,
      redealsLeft: answer.redeals_left ?? null,
    });
  });
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
  app.store.set({ error: { text, help }, busy: "", said: text });
}

/** Whether a card turned up that nobody has named yet. @param {Game} game */
export const turnedUnknown = (game) =>
  currentBoard(game).piles.some((pile) => pile.face_up.includes("??"));

/** @param {Game} game */
export function isWon(game) {
  const { suits, ranks } = game.deal.rules;
  return cardsUp(currentBoard(game)) === suits * ranks;
}

/** @param {App["storage"]} storage */
function readSettings(storage) {
  try {
    return JSON.parse(read(storage, SETTINGS_KEY) ?? "{}");
  } catch {
    return {};
  }
}

// A browser may forbid storage; the page then works without it.

/** @param {App["storage"]} storage @param {string} key */
function read(storage, key) {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {App["storage"]} storage @param {string} key @param {string} text */
function write(storage, key, text) {
  try {
    storage.setItem(key, text);
  } catch {
    // Full or forbidden: nothing is kept.
  }
}
