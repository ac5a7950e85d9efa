// Entering deals, and errors that point into a text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { enteredText, missing, nextEmpty, places, unused } from "../game/enter.js";
import { obstacles } from "../game/obstacles.js";
import { troubleAt } from "../game/place.js";
import { board } from "./support.js";

const all = places([1, 2, 3, 4, 5, 6, 7]);

/** All that can be seen of klondike:1. @returns {Record<string, string>} */
function seen() {
  const { piles, stock } = board();
  const up = piles.map((pile, index) => [`${index + 1}.${index + 1}`, pile.face_up[0]]);
  return Object.fromEntries([...up, ...stock.map((card, index) => [`stock.${index + 1}`, card])]);
}

test("what can be seen is entered first", () => {
  assert.equal(all.length, 52);
  assert.deepEqual(
    all.slice(0, 8).map(({ id }) => id),
    ["1.1", "2.2", "3.3", "4.4", "5.5", "6.6", "7.7", "stock.1"],
  );
  assert.equal(nextEmpty(all, { 2.2: "AS" }, "1.1"), "3.3");
});

test("a card is free until it is used", () => {
  assert.equal(unused({}).length, 52);
  assert.ok(!unused({ 1.1: "QD" }).includes("QD"));
});

test("face-down cards may be missing, others not", () => {
  assert.equal(missing(all, {}), "7 face-up cards are missing.");
  const { "stock.3": _, ...rest } = seen();
  assert.equal(missing(all, rest), "1 card of the stock is missing.");
  assert.equal(missing(all, seen()), "");
});

test("the text has known cards in brackets and unknown ones as ??", () => {
  const text = enteredText(all, { ...seen(), 3.2: "9D" });
  assert.match(text, /^stock: JD JS 8S /);
  assert.match(text, /^3: \?\? <9D> 9H$/m);
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
