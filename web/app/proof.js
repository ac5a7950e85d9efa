// Certificates: made by the engine, checked by the independent checker in the browser.

import { boardText } from "../game/board.js";
import { currentBoard } from "../game/game.js";
import { checkCertificate } from "../engine/check.js";
import { gameFields } from "./app.js";
import { runTask, runWork } from "./tasks.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function prove(app) {
  const { game } = app.store.get();
  if (game) void runTask(app, "prove", { kind: "prove", ...gameFields(game) });
}

/**
 * Checks the certificate that was made: it must be about the position on the board.
 * @param {App} app
 */
export function verify(app) {
  const { tasks, game } = app.store.get();
  const certificate = tasks.prove?.answer?.certificate;
  if (!certificate || !game) return;
  const board = boardText(currentBoard(game));
  void runWork(app, "check", async () => {
    const answer = await checked(app, fromBase64(certificate));
    if (boardText(answer.board) !== board) throw new Error("it is about another position");
    return answer;
  });
}

/** Checks somebody else's certificate. @param {App} app @param {File} file */
export function checkFile(app, file) {
  void runWork(app, "check", async () => {
    const answer = await checked(app, new Uint8Array(await file.arrayBuffer()));
    return { ...answer, other: true };
  });
}

/** @param {App} app @param {Uint8Array} certificate @returns {Promise<Record<string, any>>} */
async function checked(app, certificate) {
  const engine = await app.engine;
  const begin = performance.now();
  const answer = await checkCertificate(certificate, engine);
  if (!answer.verified) throw new Error(answer.error ?? "it proves nothing");
  return { ...answer, ms: performance.now() - begin };
}

/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
