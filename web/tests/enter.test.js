// Entering deals, and errors that point into a text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boardText } from "../game/board.js";
import {
  dealLayout,
  enteredBoard,
  missing,
  nextEmpty,
  placeAt,
  places,
  resized,
  tops,
  unused,
  withoutPlace,
} from "../game/enter.js";
import { obstacles } from "../game/obstacles.js";
import { troubleAt } from "../game/place.js";
import { board } from "./support.js";

const layout = dealLayout([1, 2, 3, 4, 5, 6, 7]);
const all = places(layout);

/** All that can be seen of klondike:1. @returns {Record<string, string>} */
function seen() {
  const { piles, stock } = board();
  const up = piles.map((pile, index) => [placeAt("up", 0, index).id, pile.face_up[0]]);
  return Object.fromEntries([...up, ...stock.map((card, index) => [`stock.${index + 1}`, card])]);
}

test("what can be seen is entered first", () => {
  assert.equal(all.length, 52);
  assert.deepEqual(
    all.slice(0, 8).map(({ id }) => id),
    [...[1, 2, 3, 4, 5, 6, 7].map((pile) => `up ${pile}.1`), "stock.1"],
  );
  assert.equal(all[31].id, "down 2.1");
  assert.equal(nextEmpty(all, { "up 2.1": "AS" }, "up 1.1"), "up 3.1");
});

test("a card is free until it is used", () => {
  assert.equal(unused(all, {}, layout.heights).length, 52);
  assert.ok(!unused(all, { "up 1.1": "QD" }, layout.heights).includes("QD"));
  const free = unused(all, {}, [0, 2, 0, 0]);
  assert.ok(!free.includes("2D") && free.includes("3D"));
});

test("a foundation shows a card if those below it lie nowhere else", () => {
  const free = tops(all, { "up 1.1": "3D" });
  assert.deepEqual(
    free.filter((card) => card[1] === "D"),
    ["AD", "2D"],
  );
  assert.ok(free.includes("KS"));
});

test("face-down cards and the stock may be missing, others not", () => {
  assert.equal(missing(all, {}, layout), "7 face-up cards are missing.");
  const { "stock.3": _, ...rest } = seen();
  assert.equal(missing(all, rest, layout), "");
  assert.match(boardText(enteredBoard(all, rest, layout)), /^stock: JD JS \?\? KS /);
  assert.equal(missing(all, seen(), layout), "");
  const bare = resized(layout, "up", 2, -1);
  assert.equal(missing(places(bare), seen(), bare), "The top card of pile 3 must lie face up.");
  const begun = resized(layout, "waste", -1, 1);
  assert.equal(missing(places(begun), seen(), begun), "1 card of the waste missing.");
});

test("a place that goes takes its card with it, and those above come down", () => {
  const longer = resized(resized(layout, "up", 0, 1), "up", 0, 1);
  const cards = { "up 1.1": "QD", "up 1.2": "JS", "up 1.3": "TD" };
  assert.deepEqual(withoutPlace(cards, placeAt("up", 1, 0), longer.up[0]), {
    "up 1.1": "QD",
    "up 1.2": "TD",
  });
});

test("the text has known cards in brackets and unknown ones as ??", () => {
  const text = boardText(enteredBoard(all, { ...seen(), "down 3.2": "9D" }, layout));
  assert.match(text, /^stock: JD JS 8S /);
  assert.match(text, /^3: \?\? <9D> 9H$/m);
  assert.doesNotMatch(text, /waste|foundations/);
});

test("a game in progress has a waste and foundations, and the stock is the rest", () => {
  const begun = {
    down: [0, 0, 2, 0, 0, 0, 0],
    up: [0, 1, 2, 0, 0, 0, 0],
    waste: 1,
    heights: [13, 13, 13, 7],
  };
  const own = places(begun);
  assert.deepEqual(
    own.map(({ id }) => id),
    ["up 2.1", "up 3.1", "up 3.2", "waste.1", "down 3.1", "down 3.2"],
  );
  const cards = { "up 2.1": "KS", "up 3.1": "QS", "up 3.2": "JS", "waste.1": "9S" };
  assert.match(boardText(enteredBoard(own, cards, begun, 1)), /^redeals: 1$/m);
  assert.equal(
    boardText(enteredBoard(own, cards, begun)),
    "stock:\nwaste: 9S\nfoundations: C13 D13 H13 S7\n1:\n2: KS\n3: ?? ?? QS JS\n4:\n5:\n6:\n7:\n",
  );
});

test("an error shows its place", () => {
  const text = "stock: 8S\n1: QX\n";
  assert.deepEqual(troubleAt(text, "line 2: `QX` is not a card"), {
    line: 2,
    before: "1: ",
    bad: "QX",
    after: "",
  });
  assert.equal(troubleAt(text, "pile 1: `QX` is not a card")?.line, 2);
  assert.equal(troubleAt(text, "12 cards are missing"), null);
  assert.equal(troubleAt(text, "line 9: something"), null);
});

test("what lies in the way of a deal is said", () => {
  const said = obstacles(board());
  assert.ok(said.includes("The 2♣ lies under 3 cards."), said.join(" "));
  assert.ok(!said.some((text) => text.includes("A♣ lies")), "the ace lies under one card only");
});
