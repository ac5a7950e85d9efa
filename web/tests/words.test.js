// Words, links, verdicts, daily deals, layout.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advisedMoves, adviceWords } from "../game/advice.js";
import { cardName, cardSign, withSigns } from "../game/cards.js";
import { dailyRequest } from "../game/daily.js";
import { newGame, play } from "../game/game.js";
import { linkFragment, readFragment } from "../game/link.js";
import { STANDARD, differences, noAdviceWords, shortRules } from "../game/rules.js";
import { lineVerdicts, losingMove, nextToJudge } from "../game/verdicts.js";
import { moveLabel, moveSentence, rulesLabel } from "../game/words.js";
import { eventData } from "../engine/http.js";
import { cardSize, dropPlace, placeCards, placeSlots } from "../view/layout.js";
import { nextPlace } from "../view/cursor.js";
import { board, draw, move } from "./support.js";

test("cards have names and signs", () => {
  assert.equal(cardName("TC"), "ten of clubs");
  assert.equal(cardSign("TC"), "10♣");
  assert.equal(cardName("??"), "unknown card");
  assert.equal(
    withSigns("The 5S waits for TD, not for 10C or A1."),
    "The 5♠ waits for 10♦, not for 10♣ or A1.",
  );
});

test("moves are said in sentences", () => {
  const turning = move("7C", "waste", "tableau 3", { turns_up: "9H" });
  assert.equal(
    moveSentence(turning),
    "Seven of clubs from the waste to pile 3, turns up nine of hearts.",
  );
  assert.equal(moveSentence(draw("8S")), "Draws 3 cards, eight of spades on top.");
  assert.equal(moveSentence(draw("")), "Draws 3 cards.");
  assert.equal(moveLabel(draw("")), "Draw");
  assert.equal(moveLabel(move("AS", "waste", "foundation")), "A♠ waste → up");
});

test("a link that is cut or of another page is none", () => {
  for (const text of ["", "#", "#v1", "#v1/standard", "#v1/standard/", "#v2/standard/klondike:1"])
    assert.equal(readFragment(text), null, text);
  for (const text of ["#about", "#v1/draw=1,red/klondike:1", "#v1/standard/klondike%3"])
    assert.equal(readFragment(text), null, text);
});

test("a link holds deal, rules and moves", () => {
  const link = { rules: "standard", deal: "klondike:2026", moves: "draw*3 QH:W>6 AC:2>F" };
  const fragment = linkFragment(link);
  assert.equal(fragment, "#v1/standard/klondike:2026/draw*3_QH.W-6_AC.2-F");
  assert.deepEqual(readFragment(fragment), link);
  const last = { ...link, moves: "draw*8 last-pass draw 9H:F>3" };
  assert.deepEqual(readFragment(linkFragment(last)), last);
});

test("what stands behind the moves of a link is left to be said", () => {
  assert.equal(readFragment("#v1/standard/klondike:1/draw/extra")?.moves, "draw extra");
});

test("a link holds rules that have no name", () => {
  const rules = { draw: 2, redeals: 3, worrying_back: false, spaces: "any", piles: [1, 2, 3] };
  const fragment = linkFragment({ rules, deal: "klondike:5", moves: "" });
  assert.deepEqual(readFragment(fragment), { rules, deal: "klondike:5", moves: "" });
});

test("what is no link is none", () => {
  for (const text of [
    "",
    "#",
    "#v2/standard/klondike:1",
    "#v1/standard",
    "#v1/standard/%E0%A4%A",
  ]) {
    assert.equal(readFragment(text), null);
  }
});

test("rules are written as what differs from the standard", () => {
  assert.equal(shortRules(STANDARD), "standard");
  assert.equal(shortRules({ ...STANDARD, draw: 1 }), "draw1");
  assert.deepEqual(differences({ ...STANDARD, draw: 2, redeals: 0 }), { draw: 2, redeals: 0 });
  // The engine leaves the field out where it is false.
  assert.deepEqual(differences({ ...STANDARD, reversed_groups: undefined }), {});
  assert.deepEqual(differences({ ...STANDARD, reversed_groups: true }), { reversed_groups: true });
});

test("few verdicts say much about a line", () => {
  let game = newGame({ text: "klondike:1", name: "", rules: STANDARD, board: board() });
  for (const card of ["8S", "5C", "QH", "7C"]) game = play(game, draw(card));
  /** @returns {Record<number, any>} */
  const judged = (/** @type {Record<number, string>} */ verdicts) =>
    Object.fromEntries(
      Object.entries(verdicts).map(([id, verdict]) => [
        id,
        { judgement: { verdict, states: 1, ms: 1 } },
      ]),
    );
  const some = lineVerdicts(game, judged({ 1: "winnable", 3: "unwinnable" }));
  assert.deepEqual(some, ["winnable", "winnable", undefined, "unwinnable", "unwinnable"]);
  assert.equal(losingMove(some), null);
  assert.equal(nextToJudge(some), 2);
  const all = lineVerdicts(game, judged({ 2: "winnable", 3: "unwinnable" }));
  assert.equal(losingMove(all), 3);
  assert.equal(nextToJudge(all), null);
  assert.equal(losingMove(lineVerdicts(game, judged({ 0: "unwinnable" }))), 0);
});

test("a win on another branch proves the position where it begins", () => {
  const root = newGame({ text: "klondike:1", name: "", rules: STANDARD, board: board() });
  const other = play(root, draw("8S"));
  const game = play({ ...other, at: 0, line: [0] }, move("9H", "tableau 3", "tableau 1"));
  const facts = {
    1: { judgement: { verdict: /** @type {const} */ ("winnable"), states: 1, ms: 1 } },
  };
  assert.deepEqual(lineVerdicts(game, facts), ["winnable", undefined]);
});

test("the daily deal depends on the day alone, and days do not share numbers", () => {
  const monday = dailyRequest(new Date(2026, 10, 23, 8));
  assert.deepEqual(monday, dailyRequest(new Date(2026, 10, 23, 23)));
  assert.deepEqual(monday.request.grade, [1, 1]);
  assert.equal(monday.request.from.seed, 20261123000000);
  assert.equal(monday.name, "Daily deal, Monday 2026-11-23");
});

test("events give their data, comments none", () => {
  assert.deepEqual(eventData('event: progress\ndata: {"kind":"progress"}'), { kind: "progress" });
  assert.equal(eventData(": still there"), null);
});

test("cards fit the board at every width, and keep their size", () => {
  for (const [width, height] of [
    [320, 400],
    [360, 520],
    [800, 700],
    [1200, 900],
    [2560, 1300],
    [700, 300],
  ]) {
    const size = cardSize(width, height, board());
    const right = Math.max(...placeCards(board(), size).map((card) => card.x + size.width));
    const bottom = Math.max(...placeCards(board(), size).map((card) => card.y + size.height));
    assert.ok(size.left >= 0 && right <= width, `${width}x${height}: ${right}`);
    assert.ok(bottom <= height, `${width}x${height}: bottom ${bottom}`);
  }
});

test("a long pile is pushed together", () => {
  const long = board();
  long.piles[6].face_up = "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H".split(" ");
  const size = cardSize(360, 420, long);
  const bottom = Math.max(...placeCards(long, size).map((card) => card.y + size.height));
  assert.ok(bottom <= 420, String(bottom));
});

test("a card is dropped on the allowed place that it covers most", () => {
  const size = cardSize(1000, 800, board());
  const slots = placeSlots(board(), size);
  const slot = (/** @type {string} */ place) =>
    slots.find((other) => other.place === place) ?? slots[0];
  const near = { x: slot("tableau 4").x + 10, y: slot("tableau 4").y + 100 };
  assert.equal(
    dropPlace(slots, size, near, () => true),
    "tableau 4",
  );
  assert.equal(
    dropPlace(slots, size, near, (place) => place === "tableau 5"),
    null,
  );
  const between = { x: (slot("tableau 4").x + slot("tableau 5").x) / 2 + 4, y: near.y };
  assert.equal(
    dropPlace(slots, size, between, () => true),
    "tableau 5",
  );
});

test("arrow keys go along rows and piles", () => {
  const size = cardSize(1000, 800, board());
  const [cards, slots] = [placeCards(board(), size), placeSlots(board(), size)];
  const go = (/** @type {string} */ key, /** @type {string} */ place, index = 0) =>
    nextPlace(key, place, index, cards, slots);
  assert.equal(go("ArrowRight", "stock")?.place, "waste");
  assert.equal(go("ArrowLeft", "stock")?.place, "foundation 3");
  assert.equal(go("ArrowDown", "stock")?.place, "tableau 1");
  assert.equal(go("ArrowUp", "tableau 7", 6)?.place, "foundation 3");
  assert.equal(go("End", "tableau 2")?.place, "tableau 7");
  assert.equal(go("x", "stock"), null);
});

test("hints are for all rules but a last pass by ones and some draws that are reversed", () => {
  assert.equal(noAdviceWords({ ...STANDARD, redeals: 2, runs: "whole", spaces: "any" }), "");
  assert.match(noAdviceWords({ ...STANDARD, redeals: "last-pass-by-ones" }), /last pass/);
  assert.match(noAdviceWords({ ...STANDARD, reversed_groups: true, redeals: 2 }), /reversed/);
  assert.equal(noAdviceWords({ ...STANDARD, reversed_groups: true, redeals: 0 }), "");
  assert.equal(noAdviceWords({ ...STANDARD, reversed_groups: true }), "");
});

test("advice without chances says what it knows, and hopeless is not lost", () => {
  assert.equal(adviceWords({ verdict: "open" }), "");
  assert.match(adviceWords({ verdict: "winnable" }), /a line that wins is known/);
  assert.match(adviceWords({ verdict: "unwinnable" }), /^No order/);
  assert.equal(
    adviceWords({ verdict: "hopeless", worlds_drawn: 500, chance_at_most: 0.0073 }),
    "None of 500 orders of the hidden cards can be won from here. The chance is at most 1 %.",
  );
  const won = [move("AS", "waste", "foundation")];
  assert.deepEqual(advisedMoves({ verdict: "winnable", solution: { moves: won }, moves: [] }), won);
  assert.deepEqual(advisedMoves({ verdict: "unwinnable", moves: [] }), []);
});

test("rules are said with the layout and the deck, where they are others", () => {
  assert.equal(rulesLabel(STANDARD), "draw 3");
  assert.equal(
    rulesLabel({ ...STANDARD, redeals: 0, piles: [6, 6, 6] }),
    "draw 3, no redeal, piles of 6+6+6 cards",
  );
  assert.equal(rulesLabel({ ...STANDARD, suits: 2, ranks: 6 }), "draw 3, 2 suits of 6 cards");
});
