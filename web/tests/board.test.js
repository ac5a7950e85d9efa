// Positions and what moves do to them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyMove,
  boardText,
  cardsUp,
  faceDownCount,
  hasUnknown,
  openCards,
} from "../game/board.js";
import { lastPassMove, rankedMoves, moveBetween, moveUp, stockMove } from "../game/targets.js";
import { board, draw, move } from "./support.js";

test("a card that leaves a pile turns the next one up", () => {
  const after = applyMove(board(), move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  assert.deepEqual(after.piles[0].face_up, ["TC", "9H"]);
  assert.deepEqual(after.piles[2], { face_down: ["TS"], face_up: ["9D"] });
  assert.equal(faceDownCount(after), 20);
});

test("a run moves as it lies", () => {
  const start = board();
  start.piles[1].face_up = ["KD", "QS", "JH"];
  start.piles[0] = { face_down: [], face_up: [] };
  const after = applyMove(start, {
    move: "KD:2>1",
    card: "KD",
    count: 3,
    from: "tableau 2",
    to: "tableau 1",
  });
  assert.deepEqual(after.piles[0].face_up, ["KD", "QS", "JH"]);
});

test("cards go up and come back", () => {
  const start = board();
  start.waste = ["AS"];
  const up = applyMove(start, move("AS", "waste", "foundation"));
  assert.deepEqual(up.foundations, [0, 0, 0, 1]);
  assert.equal(cardsUp(up), 1);
  assert.deepEqual(openCards(up, "foundation 3"), ["AS"]);
  const back = applyMove(up, move("AS", "foundation", "tableau 1"));
  assert.deepEqual(back.foundations, [0, 0, 0, 0]);
  assert.deepEqual(back.piles[0].face_up, ["TC", "AS"]);
});

test("a redeal turns the waste back in the order of the draws", () => {
  let game = board();
  const order = [...game.stock];
  for (let turn = 0; turn < 8; turn += 1) game = applyMove(game, draw(game.stock[2]));
  assert.deepEqual(game.stock, []);
  game = applyMove(game, { move: "redeal", card: order[0], count: 24, from: "waste", to: "stock" });
  assert.deepEqual(game.stock, order);
  assert.equal(game.redeals_used, 1);
});

test("the last pass turns the waste back, and the board says so", () => {
  const start = board();
  const all = { ...start, waste: [...start.stock], stock: [] };
  const move = { move: "last-pass", card: "", count: 24, from: "waste", to: "stock" };
  const game = applyMove(all, move);
  assert.deepEqual(game.stock, start.stock);
  assert.equal(game.last_pass, true);
  assert.match(boardText(game), /^last pass: yes$/m);
  assert.equal(lastPassMove([{ ...move, move: "redeal" }, move])?.move, "last-pass");
  assert.equal(stockMove([{ ...move, move: "redeal" }, move])?.move, "redeal");
});

test("a draw that reverses its cards puts the first one on top", () => {
  const start = board();
  const draw = { move: "draw", card: start.stock[0], count: 3, from: "stock", to: "waste" };
  const [first, second, third] = start.stock;
  assert.deepEqual(applyMove(start, draw).waste, [first, second, third]);
  assert.deepEqual(applyMove(start, { ...draw, reversed: true }).waste, [third, second, first]);
});

test("an unknown card that turns up is named by the move, if it says so", () => {
  const start = board();
  start.piles[2].face_down = ["??", "??"];
  assert.ok(hasUnknown(start));
  const named = applyMove(start, move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }));
  assert.deepEqual(named.piles[2].face_up, ["9D"]);
  const unnamed = applyMove(start, move("9H", "tableau 3", "tableau 1"));
  assert.deepEqual(unnamed.piles[2].face_up, ["??"]);
});

test("the text of a position is what the command prints", () => {
  const text = boardText(board());
  assert.equal(text.split("\n")[0], `stock: ${board().stock.join(" ")}`);
  assert.match(text, /^3: <TS> <9D> 9H$/m);
});

test("a tap goes up first, then where a card turns up, then to an empty pile", () => {
  const start = board();
  start.piles[1] = { face_down: [], face_up: [] };
  const held = { place: "tableau 3", count: 1 };
  const moves = [
    move("9H", "tableau 3", "tableau 2"),
    move("9H", "tableau 3", "tableau 1", { turns_up: "9D" }),
    move("9H", "tableau 3", "foundation"),
    move("6D", "tableau 4", "foundation"),
  ];
  assert.deepEqual(
    rankedMoves(moves, start, held).map(({ to }) => to),
    ["foundation", "tableau 1", "tableau 2"],
  );
});

test("keys mean the longest run between two places", () => {
  const moves = [
    move("6D", "tableau 2", "tableau 3"),
    move("7C", "tableau 2", "tableau 3", { count: 2 }),
  ];
  assert.equal(moveBetween(moves, "tableau 2", "tableau 3")?.count, 2);
  assert.equal(moveBetween(moves, "tableau 2", "foundation"), undefined);
});

test("the stock draws, or turns the waste back", () => {
  const redeal = { move: "redeal", card: "JD", count: 24, from: "waste", to: "stock" };
  assert.equal(stockMove([redeal])?.move, "redeal");
  assert.equal(stockMove([draw("8S")])?.move, "draw");
  assert.equal(
    moveUp([draw("8S"), move("2S", "waste", "foundation"), move("AS", "waste", "foundation")])
      ?.card,
    "AS",
  );
});
