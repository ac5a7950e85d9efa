// Playing: drag and drop, clicks, touch, keys, undo, finish, reload; whole games by each.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { counted } from "../game/words.js";
import {
  askEngine,
  cardPoint,
  dealUrl,
  madeMoves,
  ready,
  startBrowser,
  startHost,
  stockPoint,
  targetPoint,
  visit,
} from "./support.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("../types.js").Move} Move */

/** @type {Awaited<ReturnType<typeof startHost>>} */
let host;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  host = await startHost();
  browser = await startBrowser();
});

after(async () => {
  await browser.close();
  await host.stop();
});

const DEAL = "klondike:1";

/** The first moves of a solution. @param {number} count @returns {Promise<Move[]>} */
async function solution(count) {
  const answer = await askEngine({ kind: "solve", deal: DEAL });
  const moves = /** @type {Move[]} */ (answer.solution.moves);
  assert.ok(moves.length >= count);
  return moves.slice(0, count);
}

/**
 * Plays moves with some hands and compares what the page made of it.
 * @param {Page} page
 * @param {Move[]} moves
 * @param {(move: Move) => Promise<void>} make
 */
async function playAll(page, moves, make) {
  for (const [index, move] of moves.entries()) {
    await make(move);
    await page.locator(`.ply[data-at="${index + 1}"]`).waitFor({ timeout: 5000 });
    await ready(page);
  }
  assert.deepEqual(
    await madeMoves(page),
    moves.map(({ move }) => move),
  );
}

test("a game of 100 moves by mouse", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  await playAll(page, await solution(100), async (move) => {
    if (move.to === "waste" || move.to === "stock") {
      const { x, y } = await stockPoint(page);
      await page.mouse.click(x, y);
      return;
    }
    const [from, to] = [await cardPoint(page, move), await targetPoint(page, move)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  });
  await close();
});

test("a game of 100 moves by touch", async () => {
  const { page, context, close } = await visit(browser, dealUrl(host.url, DEAL), {
    width: 390,
    height: 760,
    touch: true,
  });
  const device = await context.newCDPSession(page);
  const touch = (
    /** @type {"touchStart" | "touchMove" | "touchEnd"} */ type,
    /** @type {{ x: number, y: number }[]} */ touchPoints,
  ) => device.send("Input.dispatchTouchEvent", { type, touchPoints });
  await playAll(page, await solution(100), async (move) => {
    if (move.to === "waste" || move.to === "stock") {
      const { x, y } = await stockPoint(page);
      await page.touchscreen.tap(x, y);
      return;
    }
    const [from, to] = [await cardPoint(page, move), await targetPoint(page, move)];
    await touch("touchStart", [from]);
    await touch("touchMove", [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }]);
    await touch("touchMove", [to]);
    await touch("touchEnd", []);
  });
  await close();
});

test("a game of 100 moves by keyboard alone", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  const key = (/** @type {string} */ place) =>
    place.startsWith("tableau ") ? place.slice(8) : place[0];
  await playAll(page, await solution(100), async (move) => {
    if (move.to === "waste" || move.to === "stock") await page.keyboard.press("d");
    else {
      await page.keyboard.press(key(move.from));
      await page.keyboard.press(key(move.to));
    }
  });
  await close();
});

test("arrow keys and Enter reach every card and place", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  await page.locator(".board [tabindex='0']").focus();
  const label = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  assert.equal(await label(), "stock, 24 cards");
  await page.keyboard.press("ArrowDown");
  assert.equal(await label(), "ten of clubs, pile 1");
  await page.keyboard.press("End");
  assert.equal(await label(), "six of hearts, pile 7");
  await page.keyboard.press("Home");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("ArrowRight");
  assert.equal(await label(), "nine of hearts, pile 3");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".card.held").count(), 1);
  const targets = await page.locator('[data-card="TC"].target').count();
  assert.equal(targets, 1, "the legal target is shown");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.locator('.ply[data-at="1"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["9H:3>1"]);
  const said = page.locator('[role="status"][aria-live]');
  assert.equal(
    await said.textContent(),
    "Nine of hearts from pile 3 to pile 1, turns up nine of diamonds.",
  );
  await close();
});

test("the focus stays on its place when the cards there move by Enter", async () => {
  for (const [rules, drawn] of /** @type {const} */ ([
    ["standard", 3],
    ["draw1", 1],
  ])) {
    const { page, close } = await visit(browser, dealUrl(host.url, DEAL, rules));
    const focused = (/** @type {string} */ label) =>
      page.locator(`:focus[aria-label="${label}"]`).waitFor();
    await page.locator(".board [tabindex='0']").focus();
    for (let left = 24; left > 0; left -= drawn) {
      await focused(`stock, ${counted(left, "card")}`);
      await page.keyboard.press("Enter");
    }
    await focused("stock, empty, turns the waste back");
    await page.keyboard.press("Enter");
    await focused("stock, 24 cards");
    await close();
  }
  const url = `${dealUrl(host.url, "klondike:784")}/JS.4-1_QH.7-4`;
  const { page, close } = await visit(browser, url);
  const focused = (/** @type {string} */ label) =>
    page.locator(`:focus[aria-label="${label}"]`).waitFor();
  await page.locator('[data-card="AC"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('.slot[data-place="foundation 0"]').focus();
  await page.keyboard.press("Enter");
  await focused("ace of clubs, foundation");
  await page.getByRole("button", { name: "Undo" }).focus();
  for (let at = 3; at > 0; at -= 1) {
    await page.locator(`.ply[data-at="${at}"]`).waitFor();
    await page.keyboard.press("Enter");
  }
  await page.locator('.ply[data-at="0"]').waitFor();
  await focused("Undo");
  await close();
});

test("a tap moves a card, a second tap moves it on, a double tap puts it up", async () => {
  const deal = "klondike:784";
  const { page, close } = await visit(browser, dealUrl(host.url, deal));
  await page.locator('[data-card="JS"]').click();
  await page.locator('.ply[data-at="1"]').waitFor();
  const [first] = await madeMoves(page);
  assert.match(first, /^JS:4>[17]$/);
  await page.waitForTimeout(400); // longer than a double tap
  await ready(page);
  await page.locator('[data-card="JS"]').click();
  await page.waitForFunction(
    (old) => !(localStorage.getItem("klondike.game") ?? "").includes(old),
    `"${first}"`,
  );
  assert.deepEqual(await madeMoves(page), [first === "JS:4>1" ? "JS:4>7" : "JS:4>1"]);
  await close();
});

test("a double click puts a card up", async () => {
  const answer = await askEngine({ kind: "solve", deal: DEAL });
  const moves = /** @type {Move[]} */ (answer.solution.moves);
  const at = moves.findIndex((move) => move.card === "AH" && move.to === "foundation");
  const text = moves
    .slice(0, at)
    .map(({ move }) => move.replaceAll(":", ".").replaceAll(">", "-"))
    .join("_");
  const { page, close } = await visit(browser, `${dealUrl(host.url, DEAL)}/${text}`);
  await page.locator('[data-card="AH"]').dblclick();
  await page.locator(`.ply[data-at="${at + 1}"]`).waitFor();
  assert.equal((await madeMoves(page)).at(-1), moves[at].move);
  await close();
});

test("an illegal drop goes back, a legal one shows its target", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  const card = page.locator('[data-card="9H"]');
  const start = await card.boundingBox();
  const far = await page.locator('[data-card="6H"]').boundingBox();
  assert.ok(start && far);
  await page.mouse.move(start.x + 20, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(far.x + 20, far.y + 10, { steps: 3 });
  assert.equal(await page.locator('[data-card="TC"].target').count(), 1);
  await page.mouse.up();
  assert.deepEqual(await card.boundingBox(), start);
  assert.deepEqual(await madeMoves(page), []);
  await close();
});

test("the other button picks up and shows all targets", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"));
  await page.locator('[data-card="JS"]').click({ button: "right" });
  assert.equal(await page.locator(".card.target").count(), 2);
  await page.locator('[data-card="QH"]').click();
  await page.locator('.ply[data-at="1"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["JS:4>7"]);
  await close();
});

test("undo, redo, jump, branches, and a reload keeps the game", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  for (const key of ["d", "d", "u", "u"]) {
    await page.keyboard.press(key);
    await ready(page);
  }
  assert.deepEqual(await madeMoves(page), []);
  await page.keyboard.press("r");
  await page.keyboard.press("3");
  await page.keyboard.press("1");
  await page.locator('.ply[data-at="2"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["draw", "9H:3>1"]);
  assert.equal(
    await page.getByRole("region", { name: "Other lines" }).getByRole("button").count(),
    1,
  );
  await page.goto(host.url);
  await ready(page);
  assert.deepEqual(await madeMoves(page), ["draw", "9H:3>1"]);
  await page.getByRole("slider", { name: "Move" }).focus();
  await page.keyboard.press("Home");
  assert.deepEqual(await madeMoves(page), []);
  await page.getByRole("region", { name: "Other lines" }).getByRole("button").click();
  await page.keyboard.press("End");
  await page.keyboard.press("r");
  assert.deepEqual(await madeMoves(page), ["draw", "draw"]);
  await close();
});

test("a drag that the system ends puts the card back", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  const card = page.locator('[data-card="9H"]');
  const start = await card.boundingBox();
  assert.ok(start);
  await page.mouse.move(start.x + 20, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(start.x + 60, start.y + 90, { steps: 3 });
  await page.locator(".board.holding").waitFor();
  await page.evaluate(() =>
    document.querySelector(".board")?.dispatchEvent(new PointerEvent("pointercancel")),
  );
  await page.locator(".board:not(.holding)").waitFor();
  assert.deepEqual(await card.boundingBox(), start);
  await page.mouse.up();
  assert.deepEqual(await madeMoves(page), []);
  await close();
});

test("Escape ends a drag, and a card that is held for long can still be dragged", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  const [nine] = (await askEngine({ kind: "position", deal: DEAL })).legal.filter(
    (/** @type {Move} */ { card }) => card === "9H",
  );
  const [from, to] = [await cardPoint(page, nine), await targetPoint(page, nine)];
  const card = page.locator('[data-card="9H"]');
  const start = await card.boundingBox();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.keyboard.press("Escape");
  assert.deepEqual(await card.boundingBox(), start);
  await page.mouse.up();
  assert.deepEqual(await madeMoves(page), []);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.locator('[data-card="9H"].held').waitFor();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
  await page.locator('.ply[data-at="1"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["9H:3>1"]);
  await close();
});

test("a window that changes its size during a drag leaves no card astray", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  const card = page.locator('[data-card="9H"]');
  const start = await card.boundingBox();
  assert.ok(start);
  await page.mouse.move(start.x + 20, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(start.x + 30, start.y + 200, { steps: 3 });
  await page.setViewportSize({ width: 700, height: 700 });
  const pile = page.locator('.slot[data-place="tableau 3"]');
  const isNarrow = () => (document.querySelector(".slot")?.getBoundingClientRect().width ?? 0) < 90;
  await page.waitForFunction(isNarrow);
  await page.mouse.up();
  await page.locator(".card[data-dragged]").waitFor({ state: "detached" });
  assert.equal((await card.boundingBox())?.x, (await pile.boundingBox())?.x);
  await close();
});

test("a tap on the table puts back what is picked up", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, DEAL));
  await page.locator('[data-card="9H"]').click({ button: "right" });
  await page.locator(".card.held").waitFor();
  const board = await page.locator(".board").boundingBox();
  assert.ok(board);
  await page.mouse.click(board.x + 4, board.y + board.height - 4);
  await page.locator(".card.held").waitFor({ state: "detached" });
  await close();
});

test("a reload keeps the game of a link, and each tab its own", async () => {
  const { page, context, close } = await visit(browser, dealUrl(host.url, DEAL));
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  const other = await context.newPage();
  await other.goto(host.url);
  await ready(other);
  assert.deepEqual(await madeMoves(other), ["draw"], "a new tab has the last game");
  await other.goto(dealUrl(host.url, "klondike:784"));
  await other.getByText("klondike:784", { exact: true }).waitFor();
  await other.keyboard.press("d");
  await other.keyboard.press("d");
  await other.locator('.ply[data-at="2"]').waitFor();
  await page.reload();
  await page.locator('.ply[data-at="1"]').waitFor();
  assert.equal(await page.locator(".deal-name .name").textContent(), DEAL);
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="2"]').waitFor();
  await other.reload();
  await other.locator('.ply[data-at="2"]').waitFor();
  assert.equal(await other.locator(".deal-name .name").textContent(), "klondike:784");
  // The first tab is closed; its game is among the earlier ones.
  await page.close();
  await other.keyboard.press("u");
  await other.getByRole("button", { name: "Choose a new deal" }).click();
  await other.getByRole("button", { name: "klondike:1 at move 2, draw 3" }).click();
  await other.getByText(DEAL, { exact: true }).waitFor();
  assert.deepEqual(await madeMoves(other), ["draw", "draw"]);
  await close();
});

test("Back goes on with the game before a link that was opened in the same tab", async () => {
  const { page, close } = await visit(browser, host.url);
  const there = async (/** @type {string} */ deal, /** @type {number} */ at) => {
    await page.getByText(deal, { exact: true }).waitFor();
    await page.locator(`.ply[data-at="${at}"]`).waitFor();
  };
  await page.keyboard.press("d");
  await there("klondike:784", 1);
  for (const deal of ["klondike:2", "klondike:3"]) {
    await page.goto(dealUrl(host.url, deal));
    await there(deal, 0);
  }
  assert.equal(new URL(page.url()).hash, "");
  await page.goBack();
  await there("klondike:2", 0);
  await page.goBack();
  await there("klondike:784", 1);
  await page.goForward();
  await there("klondike:2", 0);
  await close();
});

test("a tab changes the settings that it is asked to change, and no others", async () => {
  const { page, context, close } = await visit(browser, host.url);
  const other = await context.newPage();
  await other.goto(host.url);
  await ready(other);
  const choose = async (/** @type {Page} */ tab, /** @type {string} */ name) => {
    await tab.getByRole("button", { name: "Settings" }).click();
    await tab.getByLabel(name).check();
  };
  await choose(other, "Picks it up");
  await choose(page, "Four colours");
  await page.reload();
  await ready(page);
  await page.getByRole("button", { name: "Settings" }).click();
  for (const name of ["Picks it up", "Four colours"])
    assert.ok(await page.getByLabel(name).isChecked(), name);
  await close();
});

test("a browser that forbids storage, or keeps nonsense, plays", async () => {
  for (const spoil of [
    () => {
      const forbid = () => {
        throw new DOMException("forbidden", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(globalThis, name, { get: forbid });
    },
    () => {
      localStorage.setItem("klondike.game", '{"version":1,"deal":null}');
      sessionStorage.setItem("klondike.game", "no JSON");
      localStorage.setItem("klondike.earlier", "{}");
      localStorage.setItem("klondike.settings", "7");
    },
    () => {
      const game = { version: 1, id: "a", steps: [{ id: 0 }], line: [0], at: 0, next: 1 };
      const deal = { text: "klondike:1", rules: {} };
      localStorage.setItem("klondike.game", JSON.stringify({ ...game, deal }));
      const settings = { speed: "x", grade: 99, theme: "zz", light: "a" };
      localStorage.setItem("klondike.settings", JSON.stringify(settings));
    },
  ]) {
    const context = await browser.newContext();
    await context.addInitScript(spoil);
    const page = await context.newPage();
    /** @type {unknown[]} */
    const errors = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(host.url);
    await ready(page);
    await page.keyboard.press("d");
    await page.locator('.ply[data-at="1"]').waitFor();
    await page.getByRole("button", { name: "Choose a new deal" }).click();
    await page.locator("dialog").waitFor();
    assert.deepEqual(errors, []);
    await context.close();
  }
});

test("a game that is as good as won finishes by itself and is celebrated", async () => {
  const answer = await askEngine({ kind: "solve", deal: DEAL, boards: true });
  const moves = /** @type {any[]} */ (answer.solution.moves);
  const open = (/** @type {any} */ { board }) =>
    board.stock.length === 0 &&
    board.piles.every((/** @type {any} */ pile) => pile.face_down.length === 0);
  const at = moves.findIndex(open);
  const text = moves
    .slice(0, at)
    .map(({ move }) => move.replaceAll(":", ".").replaceAll(">", "-"))
    .join("_");
  const { page, close } = await visit(browser, `${dealUrl(host.url, DEAL)}/${text}`, {
    settings: { speed: 12 },
  });
  await page.keyboard.press("f");
  await page.getByText(/^Won in \d+ moves\.$/).waitFor({ timeout: 20_000 });
  assert.equal(await page.locator('.card[data-place^="foundation"]').count(), 52);
  await close();
});
