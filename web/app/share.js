// What leaves the page: links, pictures, moves and deals as other programs write them.

import { currentBoard, movesText } from "../game/game.js";
import { linkFragment } from "../game/link.js";
import { shortRules } from "../game/rules.js";
import { counted, rulesLabel } from "../game/words.js";
import { gameFields } from "./app.js";
import { runTask } from "./tasks.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../game/game.js").Game} Game */

/**
 * The link of the game as it stands.
 * @param {Game} game
 * @param {string} [moves] Other moves than those made.
 */
export function gameLink(game, moves = movesText(game)) {
  const { text, key, rules } = game.deal;
  const isNumber = /^[a-z0-9-]+:-?\d+$/.test(text);
  const fragment = linkFragment({
    rules: shortRules(rules),
    deal: isNumber ? text : (key ?? text),
    moves,
  });
  return `${location.origin}${location.pathname}${fragment}`;
}

/**
 * What somebody can tell others, with a link to the deal that does not give the moves away.
 * @param {Game} game
 */
export const resultText = (game) =>
  `${game.deal.name}: won in ${counted(game.at, "move")} (${rulesLabel(game.deal.rules)})\n` +
  gameLink(game, "");

/**
 * Asks for the texts of the game: the deal in a format, the moves in all notations.
 * @param {App} app
 * @param {string} format
 */
export function askTexts(app, format) {
  const { game } = app.store.get();
  if (game)
    void runTask(
      app,
      "convert",
      { kind: "convert", format, ...gameFields(game) },
      { lane: "quick" },
    );
}

/** @param {App} app */
export function askPicture(app) {
  const { game } = app.store.get();
  if (!game) return;
  const caption = game.at > 0 ? `${game.deal.name}, after move ${game.at}` : game.deal.name;
  void runTask(app, "picture", { kind: "svg", caption, ...gameFields(game) }, { lane: "quick" });
}

/** @param {App} app @param {string} text @param {string} what */
export async function copyText(app, text, what) {
  try {
    await navigator.clipboard.writeText(text);
    app.store.set({ said: `${what} copied.` });
    return true;
  } catch {
    app.store.set({ said: "This browser does not let the page copy." });
    return false;
  }
}

/**
 * The picture in points, twice as large so that it is sharp.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg) {
  // The picture writes its caption for the system's colours; the page may have others.
  const dark = document.documentElement.dataset.theme === "dark";
  const text = svg.replace("(prefers-color-scheme:dark)", dark ? " all" : " not all");
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = dark ? "#1e2523" : "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("no picture"))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Hands a file to the person. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A file name from the game. @param {Game} game @param {string} ending */
export const fileName = (game, ending) =>
  `${game.deal.name.replace(/[^a-z0-9]+/gi, "-")}${game.at ? `-move-${game.at}` : ""}.${ending}`;

/** What changes the texts and the picture. @param {Game} game */
export const shareKey = (game) =>
  `${game.deal.text} ${movesText(game)} ${currentBoard(game).redeals_used}`;
