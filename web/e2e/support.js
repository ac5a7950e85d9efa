// A static host of the page, a browser, and hands for the tests.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { chromium } from "playwright-core";
import { pageFiles } from "../tools/files.js";
import { initSync, ask } from "../wasm/klondike_wasm.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("../types.js").Move} Move */

const root = new URL("..", import.meta.url);

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Serves the files of the page and nothing else. */
export async function startHost() {
  return serve(root, new Set(["index.html", "sw.js", "api/hello", ...(await pageFiles())]));
}

/**
 * Serves the page as `klondike serve` does, with answers that a test may delay or refuse.
 * @param {(kind: string, request: Record<string, unknown>) => Promise<boolean>} admit Whether a
 * question is answered; if not, the server is busy.
 */
export async function startServer(admit) {
  const files = new Set(["index.html", "sw.js", ...(await pageFiles())]);
  return serve(root, files, async (kind, body) => {
    if (kind === "hello") return [200, { kind: "hello" }];
    const request = { kind, ...JSON.parse(body) };
    if (!(await admit(kind, request))) return [429, { kind: "error", message: "too many wait" }];
    const answer = await askEngine(request);
    return [answer.kind === "error" ? 422 : 200, answer];
  });
}

/**
 * Serves some files of a folder.
 * @param {URL} folder
 * @param {Set<string>} files
 * @param {(kind: string, body: string) => Promise<[number, object]>} [api] Answers of a server.
 */
export async function serve(folder, files, api) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    if (api && name.startsWith("api/")) {
      const [status, answer] = await api(name.slice(4), await readAll(request));
      const headers = { "content-type": "application/json", "retry-after": "0.01" };
      response.writeHead(status, headers).end(JSON.stringify(answer));
      return;
    }
    if (!files.has(name)) {
      response.writeHead(404).end();
      return;
    }
    const type = /** @type {Record<string, string>} */ (TYPES)[extname(name)] ?? "application/json";
    response.writeHead(200, { "content-type": type }).end(await readFile(new URL(name, folder)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}

/** @param {AsyncIterable<Buffer>} stream */
async function readAll(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

export const startBrowser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });

/**
 * A page as a new visitor sees it, without motion. Errors of the page fail the test that uses it.
 * @param {Browser} browser
 * @param {string} url
 * @param {object} [options]
 * @param {number} [options.width]
 * @param {number} [options.height]
 * @param {boolean} [options.touch]
 * @param {boolean} [options.dark]
 * @param {boolean} [options.motion]
 * @param {Record<string, unknown>} [options.settings]
 */
export async function visit(
  browser,
  url,
  { width = 1280, height = 860, touch = false, dark = false, motion = false, settings } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: motion ? "no-preference" : "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (settings) {
    const text = JSON.stringify(settings);
    await context.addInitScript((value) => localStorage.setItem("klondike.settings", value), text);
  }
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  await ready(page);
  return {
    page,
    context,
    errors,
    close: async () => {
      await context.close();
      assert.deepEqual(errors, [], "the page reports no error");
    },
  };
}

/** The board is laid out and the engine has said which moves are legal. @param {Page} page */
export async function ready(page) {
  await page.locator(".card.up:not(.buried)").first().waitFor();
  await page.locator(".board[data-ready]").waitFor();
}

/** The link of a deal. @param {string} url @param {string} deal @param {string} [rules] */
export const dealUrl = (url, deal, rules = "standard") => `${url}#v1/${rules}/${deal}`;

let started = false;

/**
 * Asks the engine in Node what the page asks it in the browser.
 * @param {Record<string, unknown>} request
 */
export async function askEngine(request) {
  if (!started) initSync({ module: await readFile(new URL("wasm/klondike_wasm_bg.wasm", root)) });
  started = true;
  return JSON.parse(ask(JSON.stringify(request), () => undefined));
}

/**
 * The moves that were made on the page, as texts.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function madeMoves(page) {
  return page.evaluate(() => {
    const { steps, line, at } = JSON.parse(localStorage.getItem("klondike.game") ?? "{}");
    const byId = new Map(steps.map((/** @type {any} */ step) => [step.id, step]));
    return line.slice(1, at + 1).map((/** @type {number} */ id) => byId.get(id).move.move);
  });
}

/** The place on the screen where a move's card lies. @param {Page} page @param {Move} move */
export async function cardPoint(page, move) {
  const box = await page.locator(`[data-card="${move.card}"]`).boundingBox();
  assert.ok(box, move.card);
  return { x: box.x + box.width / 2, y: box.y + Math.min(12, box.height / 2) };
}

/** The place on the screen where a move ends. @param {Page} page @param {Move} move */
export async function targetPoint(page, move) {
  const place = move.to === "foundation" ? `foundation ${"CDHS".indexOf(move.card[1])}` : move.to;
  const top = page.locator(`.card.up[data-place="${place}"][data-count="1"]`);
  const count = place.startsWith("foundation") ? await top.count() : Math.min(1, await top.count());
  const target = count > 0 ? top.nth(count - 1) : page.locator(`.slot[data-place="${place}"]`);
  const box = await target.boundingBox();
  assert.ok(box, place);
  return { x: box.x + box.width / 2, y: box.y + Math.min(14, box.height / 2) };
}

/** The place on the screen of the stock. @param {Page} page */
export async function stockPoint(page) {
  const box = await page.locator('.slot[data-place="stock"]').boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Opens a tab of the panel. @param {Page} page @param {string} name */
export const openTab = (page, name) => page.getByRole("tab", { name }).click();
