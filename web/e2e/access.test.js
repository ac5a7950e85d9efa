// What must hold in every state: axe-core finds nothing, nothing scrolls sideways, nothing jumps.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { STATES, stateUrl } from "./states.js";
import { dealUrl, openTab, ready, startBrowser, startHost, visit } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof startHost>>} */
let host;
/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string} */
let axe;

before(async () => {
  host = await startHost();
  browser = await startBrowser();
  axe = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
});

after(async () => {
  await browser.close();
  await host.stop();
});

/** What axe-core finds. @param {Page} page @returns {Promise<string[]>} */
async function findings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: tool } = /** @type {any} */ (globalThis);
    const { violations } = await tool.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.flatMap((/** @type {any} */ { id, nodes }) =>
      nodes.map(
        (/** @type {any} */ node) =>
          `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`,
      ),
    );
  });
}

const SIZES = [
  { width: 320, height: 640, dark: true, touch: true },
  { width: 1280, height: 860, dark: false, touch: false },
];

for (const state of STATES) {
  test(`${state.name}: axe-core finds nothing, and nothing scrolls sideways`, async () => {
    for (const size of SIZES) {
      const { page, context } = await visit(browser, stateUrl(host.url, state), {
        ...size,
        settings: state.settings,
      });
      await state.go?.(page);
      assert.deepEqual(await findings(page), [], `${size.width} wide`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= size.width, `${wide} > ${size.width}`);
      const high = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(high <= size.height, `nothing lies under the page: ${high} > ${size.height}`);
      await context.close();
    }
  });
}

test("the board has room on a phone on its side, and above an open panel", async () => {
  for (const [width, height, least] of [
    [640, 320, 200],
    [320, 480, 150],
  ]) {
    const { page, close } = await visit(browser, host.url, { width, height, touch: true });
    await openTab(page, "Analyse");
    const room = await page.locator(".board").evaluate(({ clientHeight }) => clientHeight);
    assert.ok(room >= least, `${width} by ${height}: ${room}`);
    assert.ok(await page.getByRole("button", { name: "Judge every move" }).isVisible());
    await close();
  }
});

test("on a small screen the welcome makes room for the panel", async () => {
  const { page, close } = await visit(browser, host.url, { width: 320, height: 568, touch: true });
  await page.locator(".notice").waitFor();
  await page.getByRole("button", { name: "Open the panel" }).click();
  await page.locator(".notice").waitFor({ state: "detached" });
  await close();
});

test("at a zoom of 400 % the page scrolls to whole piles, and its head is free", async () => {
  const { page, close } = await visit(browser, host.url, { width: 320, height: 256, touch: true });
  const box = async (/** @type {string} */ name) => {
    const found = await page.locator(name).first().boundingBox();
    assert.ok(found, name);
    return found;
  };
  const [board, head, notice] = [await box(".board"), await box("header"), await box(".notice")];
  assert.ok(notice.y >= head.y + head.height, `${notice.y} over ${head.y + head.height}`);
  for (const card of await page.locator('.card[data-place^="tableau"]').all()) {
    const { y, height } = /** @type {{ y: number, height: number }} */ (await card.boundingBox());
    assert.ok(y + height <= board.y + board.height, `${y + height}`);
  }
  await page.getByRole("tab", { name: "Share" }).scrollIntoViewIfNeeded();
  assert.ok((await box(".tabs")).y < 256);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, String(wide));
  await close();
});

test("opened as a file the page says what it needs", async () => {
  const page = await browser.newPage();
  await page.goto(String(new URL("../index.html", import.meta.url)));
  await page.getByText(/it needs a web server/).waitFor();
  await page.close();
});

test("every part of the page can be reached with the tab key and is seen there", async () => {
  for (const { width, height, touch } of SIZES) {
    const { page, close } = await visit(browser, `${dealUrl(host.url, "klondike:784")}/draw*2`, {
      width,
      height,
      touch,
    });
    const wanted = await page
      .locator(":is(button, input, a, [tabindex='0']):not(:disabled, [tabindex='-1'])")
      .locator("visible=true")
      .count();
    const seen = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const [name, isSeen] = await page.evaluate(focusSeen);
      if (name === "BODY") break;
      seen.push(name);
      assert.ok(isSeen, `${name} at ${width}`);
    }
    assert.equal(seen.length, wanted, seen.join(", "));
    await close();
  }
});

test("the focus goes back to where a dialog was opened", async () => {
  const { page, close } = await visit(browser, host.url, { width: 320, height: 640 });
  const focus = () => page.evaluate(() => document.activeElement?.ariaLabel);
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  assert.equal(await focus(), "Menu");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Open a deal" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await focus(), "Menu");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Enter card by card" }).press("Enter");
  await page.getByRole("heading", { name: "Enter card by card" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await focus(), "Menu");
  await close();
});

/** The name of what has the focus, and whether it lies in sight with a mark around it. */
function focusSeen() {
  const element = /** @type {HTMLElement} */ (document.activeElement);
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  // The slider marks its thumb.
  const { outlineWidth } = getComputedStyle(element);
  const marked = element.matches("[type=range]") || outlineWidth === "3px";
  const name = element.ariaLabel ?? (element.textContent ?? "").trim().slice(0, 30);
  return /** @type {const} */ ([element === document.body ? "BODY" : name, inside && marked]);
}

test("nothing jumps while a game is played and judged", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), { motion: true });
  await page.evaluate(() => {
    const shifts = /** @type {any} */ (globalThis);
    shifts.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries())) {
        for (const { node, previousRect: from, currentRect: to } of entry.sources) {
          const name = (node?.outerHTML ?? node?.textContent ?? "").slice(0, 80);
          shifts.shifts.push(`${name} ${from.x},${from.y} to ${to.x},${to.y}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: false });
  });
  await page.keyboard.press("s");
  await page.getByText("Can be won.", { exact: true }).waitFor();
  for (const keys of ["d", "65", "h"]) {
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    await ready(page);
  }
  await openTab(page, "Analyse");
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).shifts), []);
  await close();
});

test("nothing moves by itself where motion is not wanted", async () => {
  const seconds = (/** @type {import("playwright-core").Page} */ page) =>
    page.locator(".card.up").first().evaluate((card) => getComputedStyle(card).transitionDuration);
  for (const [motion, found] of /** @type {const} */ ([
    [false, "0s"],
    [true, "0.15s, 0.15s, 0.15s"],
  ])) {
    const { page, close } = await visit(browser, host.url, { motion });
    assert.equal(await seconds(page), found);
    await close();
  }
});

test("with the colours of the system backs, edges and what is picked up are seen", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"));
  await page.emulateMedia({ forcedColors: "active" });
  const style = (/** @type {string} */ selector, /** @type {"boxShadow" | "background"} */ name) =>
    page.locator(selector).last().evaluate((card, key) => getComputedStyle(card)[key], name);
  assert.match(await style('.card[data-place="stock"] .back', "background"), /gradient/);
  const edge = await style('[data-card="JS"]', "boxShadow");
  assert.notEqual(edge, "none");
  await page.locator('[data-card="JS"]').click({ button: "right" });
  assert.notEqual(await style('[data-card="JS"]', "boxShadow"), edge);
  await close();
});

test("dragging draws nothing anew, so that it keeps up with the screen", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), { motion: true });
  const box = await page.locator('[data-card="JS"]').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 30);
  const changes = page.evaluate(
    () =>
      new Promise((resolve) => {
        let count = 0;
        const watch = new MutationObserver((list) => {
          count += list.filter((change) => change.attributeName !== "style").length;
        });
        watch.observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
        setTimeout(() => {
          watch.disconnect();
          resolve(count);
        }, 400);
      }),
  );
  for (let step = 0; step < 20; step += 1)
    await page.mouse.move(box.x + 40 + step * 5, box.y + 30 + step * 3);
  assert.equal(await changes, 0);
  await page.mouse.up();
  await close();
});

test("the strict policy for content holds: nothing from elsewhere, nothing inline", async () => {
  const { page, close } = await visit(browser, host.url);
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute("content");
  assert.match(policy ?? "", /default-src 'none'/);
  assert.doesNotMatch(policy ?? "", /unsafe-inline|'unsafe-eval'|https?:|\*/);
  const names = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => entry.name),
  );
  assert.ok(names.length > 30);
  for (const name of names) assert.ok(name.startsWith(host.url), name);
  await close();
});

test("the first load is at most 1 MB compressed", async () => {
  const { gzipSync } = await import("node:zlib");
  const { pageFiles } = await import("../tools/files.js");
  let sum = 0;
  for (const name of await pageFiles()) {
    if (name === "./" || name.includes("_check")) continue;
    sum += gzipSync(await readFile(new URL(`../${name}`, import.meta.url)), { level: 9 }).length;
  }
  assert.ok(sum < 1_000_000, String(sum));
});
