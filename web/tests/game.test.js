// The tree of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  branches,
  canRedo,
  currentBoard,
  dropShown,
  goTo,
  isShown,
  movesText,
  newGame,
  play,
  playInstead,
  redo,
  nameInSight,
  rewriteBoards,
  shortText,
  showLine,
  stepAt,
  switchTo,
  undo,
} from "../game/game.js";
import { unknownInSight } from "../game/board.js";
import { earlierGames, gameFromText, gameToText } from "../game/save.js";
import { STANDARD } from "../game/rules.js";
import { DEFAULT_SETTINGS, understoodSettings } from "../app/state.js";
import { board, draw, move } from "./support.js";

const start = () =>
  newGame({ text: "klondike:1", name: "klondike:1", rules: STANDARD, board: board() });

test("a move leads to the position after it, and undo back", () => {
  const game = play(start(), draw("8S"));
  assert.deepEqual(currentBoard(game).waste, ["JD", "JS", "8S"]);
  assert.equal(currentBoard(game).stock.length, 21);
  assert.deepEqual(currentBoard(undo(game)), board());
  assert.equal(redo(undo(game)).at, 1);
});

test("the same move after undo keeps the line, another one starts a branch", () => {
  const line = play(play(start(), draw("8S")), draw("5C"));
  const back = goTo(line, 0);
  assert.deepEqual(play(back, draw("8S")).line, line.line);
  const other = play(back, move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  assert.equal(canRedo(other), false);
  assert.deepEqual(branches(other), [{ tip: 2, leaves: 0, length: 2 }]);
});

test("a branch can be the line again, and the game stands where it leaves", () => {
  const line = play(play(start(), draw("8S")), draw("5C"));
  const other = play(goTo(line, 1), move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  const back = switchTo(other, 2);
  assert.deepEqual(back.line, line.line);
  assert.equal(back.at, 1);
});

test("a move instead of the last one leaves no branch", () => {
  const wrong = play(start(), draw("8S"));
  const game = playInstead(wrong, move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  assert.equal(movesText(game), "9H:3>1");
  assert.deepEqual(branches(game), []);
});

test("a shown line lies ahead, and goes when another one is shown", () => {
  const shown = showLine(start(), [draw("8S"), draw("5C")]);
  assert.equal(shown.at, 0);
  assert.ok(isShown(shown));
  const other = showLine(shown, [move("9H", "tableau 3", "tableau 1", { turns_up: "9D" })]);
  assert.equal(Object.keys(other.steps).length, 2);
  assert.deepEqual(branches(other), []);
});

test("playing along a shown line makes its steps the player's own", () => {
  const game = play(showLine(start(), [draw("8S"), draw("5C")]), draw("8S"));
  assert.equal(stepAt(game).shown, false);
  assert.ok(isShown(game));
});

test("the player's line comes back when a shown line goes", () => {
  const mine = goTo(play(play(start(), draw("8S")), draw("5C")), 0);
  const shown = showLine(mine, [move("9H", "tableau 3", "tableau 1", { turns_up: "9D" })]);
  assert.deepEqual(branches(shown), [{ tip: 2, leaves: 0, length: 2 }]);
  const again = dropShown(shown);
  assert.equal(movesText(again, 2), "draw*2");
  assert.deepEqual(branches(again), []);
});

test("repeated moves are written once", () => {
  assert.equal(shortText(["draw", "draw", "7C:W>5", "draw"]), "draw*2 7C:W>5 draw");
});

test("a saved game is the same game", () => {
  const game = goTo(play(play(start(), draw("8S")), draw("5C")), 1);
  assert.deepEqual(gameFromText(gameToText(game)), game);
});

test("a game that another one replaces is kept, with its newest moves and once", () => {
  const text = (/** @type {import("../game/game.js").Game} */ game) => gameToText(game);
  const [one, two, other] = [start(), start(), start()].map((game) => play(game, draw("8S")));
  const further = play(one, draw("5C"));
  assert.deepEqual(earlierGames([], null, one), []);
  assert.deepEqual(earlierGames([], text(one), further), [], "it is the same game");
  assert.deepEqual(earlierGames([], text(start()), one), [], "nothing was played");
  const kept = earlierGames([text(two), text(one)], text(further), other);
  assert.deepEqual(kept, [text(further), text(two)]);
  assert.deepEqual(earlierGames(kept, text(other), two), [text(other), text(further)]);
  const many = Array.from({ length: 12 }, () => text(play(start(), draw("8S"))));
  assert.equal(earlierGames(many, text(one), two).length, 8);
});

test("what is no saved game is none", () => {
  assert.equal(gameFromText(null), null);
  assert.equal(gameFromText("{}"), null);
  assert.equal(gameFromText("no JSON"), null);
  const whole = gameToText(play(start(), draw("8S")));
  for (const [part, other] of [
    ['"line":[0,1]', '"line":[0,7]'],
    ['"line":[0,1]', '"line":[1]'],
    ['"at":1', '"at":"x"'],
    ['"next":2', '"next":1'],
    ['"from":"stock"', '"from":7'],
    ['"redeals":"unlimited"', '"redeals":null'],
    ['"stock":[', '"stock":[7,'],
    ['"name":"klondike:1",', ""],
    ['"draw":3,', ""],
  ]) {
    assert.ok(whole.includes(part), part);
    assert.equal(gameFromText(whole.replace(part, other)), null, `${part} as ${other}`);
  }
  const bare = { version: 1, id: "a", steps: [{ id: 0 }], line: [0], at: 0, next: 1 };
  const deal = { text: "klondike:1", rules: {} };
  assert.equal(gameFromText(JSON.stringify({ ...bare, deal })), null);
});

test("settings that the page does not understand are left out", () => {
  const good = { tap: "pick", finish: false };
  const bad = { speed: "x", grade: 99, theme: "zz", light: "a", other: 1 };
  assert.deepEqual(understoodSettings({ ...good, ...bad }), good);
  assert.deepEqual(understoodSettings(DEFAULT_SETTINGS), DEFAULT_SETTINGS);
});

test("a card that gets known is known in all positions", () => {
  const game = play(start(), move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  const known = rewriteBoards(game, (old) => ({
    ...old,
    piles: old.piles.map((pile, index) =>
      index === 2 ? { ...pile, face_down: ["TS", "2C"] } : pile,
    ),
  }));
  assert.deepEqual(currentBoard(known).piles[2].face_up, ["2C"]);
});

test("a card that is drawn unknown gets its name in the deal and in the moves", () => {
  const dealt = board();
  dealt.stock = dealt.stock.map((card, index) => (index < 3 ? "??" : card));
  const deal = { text: "", name: "", rules: STANDARD, board: dealt };
  const drawn = play(newGame(deal), draw("??"));
  assert.equal(unknownInSight(currentBoard(drawn)), "waste");
  const known = nameInSight(drawn, "8S");
  assert.deepEqual(known.deal.board.stock.slice(0, 4), ["??", "??", "8S", "KS"]);
  assert.equal(stepAt(known).move?.card, "8S");
  assert.equal(unknownInSight(currentBoard(known)), null);
  // The card below is seen once it lies on top.
  const played = play(known, move("8S", "waste", "tableau 3"));
  assert.equal(unknownInSight(currentBoard(played)), "waste");
  assert.equal(nameInSight(played, "JS").deal.board.stock[1], "JS");
});
