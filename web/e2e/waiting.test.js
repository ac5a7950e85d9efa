// A server that takes its time or is busy: no input is lost, and the page says what it knows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  askEngine,
  cardPoint,
  dealUrl,
  madeMoves,
  openTab,
  ready,
  startBrowser,
  startHost,
  startServer,
  stockPoint,
  targetPoint,
  visit,
} from "./support.js";

/** @typedef {import("../types.js").Move} Move */

/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  browser = await startBrowser();
});

after(() => browser.close());

/** A door that lets questions of a kind through when the test says so. */
function door(only = "position") {
  let open = true;
  /** @type {(() => void)[]} */
  let waiting = [];
  return {
    shut: () => {
      open = false;
    },
    open: () => {
      open = true;
      for (const go of waiting) go();
      waiting = [];
    },
    admit: async (/** @type {string} */ kind) => {
      if (kind === only && !open) await new Promise((go) => waiting.push(() => go(null)));
      return true;
    },
  };
}

/** @param {number} count @returns {Promise<Move[]>} */
async function solution(count) {
  const { solution: found } = await askEngine({ kind: "solve", deal: "klondike:1" });
  return found.moves.slice(0, count);
}

const isStock = (/** @type {Move} */ { to }) => to === "waste" || to === "stock";
const key = (/** @type {string} */ place) =>
  place.startsWith("tableau ") ? place.slice(8) : place[0];

test("keys that are faster than the engine are all played, in their order", async () => {
  const slow = door();
  const server = await startServer(slow.admit);
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:1"));
  const moves = await solution(40);
  await page.keyboard.press("d");
  await page.keyboard.press("u");
  slow.shut();
  for (const move of moves) {
    if (isStock(move)) await page.keyboard.press("d");
    else {
      await page.keyboard.press(key(move.from));
      await page.keyboard.press(key(move.to));
    }
  }
  assert.ok((await madeMoves(page)).length < 3, "the engine has not answered");
  slow.open();
  await page.locator('.ply[data-at="40"]').waitFor();
  assert.deepEqual(
    await madeMoves(page),
    moves.map(({ move }) => move),
  );
  await close();
  await server.stop();
});

test("a key that is held down does not run ahead of the engine", async () => {
  const slow = door();
  const server = await startServer(slow.admit);
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:1"));
  slow.shut();
  for (let repeat = 0; repeat < 6; repeat += 1) await page.keyboard.down("d");
  await page.keyboard.up("d");
  slow.open();
  await page.locator('.ply[data-at="2"]').waitFor();
  await page.locator(".board[data-ready]").waitFor();
  assert.deepEqual(await madeMoves(page), ["draw", "draw"]);
  await close();
  await server.stop();
});

test("a drag and a tap before the engine has answered are played", async () => {
  const slow = door();
  const server = await startServer(slow.admit);
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:1"));
  slow.shut();
  const stock = await stockPoint(page);
  await page.mouse.click(stock.x, stock.y);
  await page.locator('.ply[data-at="1"]').waitFor();
  const [nine] = (await askEngine({ kind: "position", deal: "klondike:1" })).legal.filter(
    (/** @type {Move} */ { card }) => card === "9H",
  );
  const [from, to] = [await cardPoint(page, nine), await targetPoint(page, nine)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  const at = await page.locator('[data-card="9H"]').boundingBox();
  assert.ok(at && Math.abs(at.x + at.width / 2 - to.x) < 4, "the card follows the hand");
  await page.mouse.up();
  await page.mouse.click(stock.x, stock.y);
  slow.open();
  await page.locator('.ply[data-at="3"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["draw", "9H:3>1", "draw"]);
  await close();
  await server.stop();
});

test("a deal that comes late replaces no game that was moved in, or begun, meanwhile", async () => {
  const slow = door("generate");
  const server = await startServer(slow.admit);
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:1"));
  const notice = page.getByText("Looking for a deal that can be won …");
  const late = async (/** @type {() => Promise<unknown>} */ act) => {
    slow.shut();
    await page.keyboard.press("n");
    await notice.waitFor();
    await act();
    slow.open();
    await notice.waitFor({ state: "detached" });
    // What the engine answers next comes after the late deal.
    await page.keyboard.press("d");
    await ready(page);
    return page.locator(".deal-name .name").textContent();
  };
  assert.equal(await late(() => page.keyboard.press("d")), "klondike:1");
  assert.deepEqual(await madeMoves(page), ["draw", "draw"]);
  const begun = await late(async () => {
    await page.getByRole("button", { name: "Choose a new deal" }).click();
    await page.getByLabel("Number").fill("2");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.getByText("klondike:2", { exact: true }).waitFor();
  });
  assert.equal(begun, "klondike:2");
  await close();
  await server.stop();
});

test("a link that comes late replaces no game that was moved in meanwhile", async () => {
  const slow = door("position");
  const server = await startServer(slow.admit);
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:1"));
  slow.shut();
  await page.evaluate(() => {
    location.hash = "#v1/standard/klondike:2";
  });
  await page.keyboard.press("d");
  slow.open();
  await page.locator('.ply[data-at="1"]').waitFor();
  await ready(page);
  assert.equal(await page.locator(".deal-name .name").textContent(), "klondike:1");
  await close();
  await server.stop();
});

test("the light of a busy server says so and asks again", async () => {
  let busy = true;
  const server = await startServer(async (kind) => kind === "position" || !busy);
  const { page, close, errors } = await visit(browser, dealUrl(server.url, "klondike:784"));
  await page.keyboard.press("s");
  const light = page.getByRole("region", { name: "Verdict" });
  await light.getByText("The server is busy.").waitFor();
  assert.equal(await light.getByText("Working it out").count(), 0);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok(await light.getByText("The server is busy.").isVisible());
  await openTab(page, "Why");
  await page.getByRole("button", { name: "Look for the reason" }).click();
  await page.getByText("The server is busy. Ask again in a moment.").waitFor();
  busy = false;
  await page.getByRole("button", { name: "Look for the reason" }).click();
  await page.getByRole("tabpanel").getByText(/^It can be won, in \d+ moves\.$/).waitFor();
  await light.getByRole("button", { name: "Ask again" }).click();
  await light.getByText("Can be won.", { exact: true }).waitFor();
  const others = errors.splice(0).filter((error) => !/status of 429/.test(error));
  assert.deepEqual(others, []);
  await close();
  await server.stop();
});

test("an engine that does not arrive is asked for again", async () => {
  const host = await startHost();
  // A service worker would ask past the test.
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const file = "**/klondike_wasm_bg.wasm";
  await page.route(file, (route) => route.abort());
  await page.goto(host.url);
  const alert = page.getByRole("alert");
  await alert.getByText("The page could not load the solver").waitFor();
  assert.match((await alert.textContent()) ?? "", /Check the network, then try again\./);
  await page.unroute(file);
  await page.getByRole("button", { name: "New deal", exact: true }).click();
  await ready(page);
  assert.equal(await alert.count(), 0);
  await context.close();
  await host.stop();
});

test("where the server ends, the browser goes on alone", async () => {
  const server = await startServer(async () => true);
  const { page, close, errors } = await visit(browser, dealUrl(server.url, "klondike:784"));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(
    async () => (await (await caches.open("klondike-1")).keys()).length > 60,
  );
  await server.stop();
  for (const at of [1, 2]) {
    await page.keyboard.press("d");
    await page.locator(`.ply[data-at="${at}"]`).waitFor();
    await ready(page);
  }
  assert.equal(await page.getByRole("alert").count(), 0);
  errors.splice(0);
  await close();
});

test("the light names the limit that ended its search, and offers no longer one", async () => {
  const server = await startServer(async (kind, request) => {
    if (kind === "solve") request.limits = { states: 200 };
    return true;
  });
  const { page, close } = await visit(browser, dealUrl(server.url, "klondike:342253"));
  await page.keyboard.press("s");
  const light = page.getByRole("region", { name: "Verdict" });
  await light.getByText("Not decided within 200 states.").waitFor();
  await light.getByText("A limit here allows no more.").waitFor();
  assert.equal(await light.getByRole("button", { name: "Try longer" }).count(), 0);
  await close();
  await server.stop();
});

test("input that a busy server does not answer is not played later", async () => {
  let busy = false;
  const server = await startServer(async () => !busy);
  const { page, close, errors } = await visit(browser, dealUrl(server.url, "klondike:784"));
  busy = true;
  for (const pressed of ["d", "d", "d"]) await page.keyboard.press(pressed);
  await page.getByRole("alert").filter({ hasText: "The server is busy." }).waitFor();
  assert.deepEqual(await madeMoves(page), ["draw"]);
  await page.keyboard.press("u");
  await page.locator('.ply[data-at="0"]').waitFor();
  await page.keyboard.press("r");
  busy = false;
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="2"]').waitFor();
  assert.deepEqual(await madeMoves(page), ["draw", "draw"]);
  errors.splice(0);
  await close();
  await server.stop();
});
