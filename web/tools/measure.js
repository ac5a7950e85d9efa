// Measures the page in Chromium (benches/README.md): the first load, from click to verdict, frames
// while a card is dragged, and the engine beside the native one. On a busy machine only processor
// time says something, so that is given beside the time on the clock.
//
//     cargo build --release -p klondike-service --example ask
//     npm --prefix web run measure -- [PROGRAM]

import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dealUrl, ready, startBrowser, startHost, visit } from "../e2e/support.js";
import { pageFiles } from "./files.js";

/** @typedef {import("playwright-core").Page} Page */

const FRAME = 1000 / 60;
const ROUNDS = 5;
const DEALS = Array.from({ length: 300 }, (_, index) => `solvitaire:${index + 1}`);
const built = fileURLToPath(new URL("../../target/release/examples/ask", import.meta.url));
const program = process.argv[2] ?? built;

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** Files that the first visit loads, in bytes after `gzip -9`. */
async function firstLoad() {
  let sum = 0;
  for (const name of await pageFiles()) {
    if (name.includes("_check")) continue; // loaded with the first certificate
    const file = new URL(`../${name === "./" ? "index.html" : name}`, import.meta.url);
    sum += gzipSync(await readFile(file), { level: 9 }).length;
  }
  console.log(`first load: ${Math.round(sum / 1000)} kB compressed`);
}

/** From the click on the light to the frame that shows the verdict. @param {Page} page */
async function verdicts(page) {
  /** @type {number[]} */
  const times = [];
  for (const deal of DEALS.slice(0, 100)) {
    await page.evaluate(
      (link) => void (location.hash = link),
      new URL(dealUrl("http://x/", deal)).hash,
    );
    await page.locator(".deal-name", { hasText: `${deal}` }).waitFor();
    await ready(page);
    const shown = page.evaluate(
      () =>
        new Promise((resolve) => {
          const light = /** @type {Element} */ (document.querySelector(".light"));
          let begin = 0;
          light.addEventListener("click", ({ timeStamp }) => (begin = timeStamp), {
            once: true,
            capture: true,
          });
          const watch = new MutationObserver(() => {
            if (!/Can be won|cannot be won/.test(light.textContent ?? "")) return;
            watch.disconnect();
            // After the frame that paints it.
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
          });
          watch.observe(light, {
            subtree: true,
            childList: true,
            characterData: true,
            attributes: true,
          });
        }),
    );
    await page.getByRole("switch", { name: "Spoiler light" }).click();
    times.push(/** @type {number} */ (await shown));
  }
  const of = (/** @type {number} */ share) => quantile(times, share).toFixed(0);
  console.log(`click to verdict, ${times.length} deals: median ${of(0.5)} ms, 90 % ${of(0.9)} ms`);
}

/** Drags a run over the board for some seconds, with two moves of the hand for each frame. */
async function drag(
  /** @type {import("playwright-core").Browser} */ browser,
  /** @type {Page} */ page,
) {
  const box = await page.locator('[data-card="JS"]').boundingBox();
  if (!box) throw new Error("no card to drag");
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 40);
  const gaps = page.evaluate(
    () =>
      new Promise((resolve) => {
        /** @type {number[]} */
        const times = [];
        const tick = (/** @type {number} */ time) => {
          times.push(time);
          if (times.length < 300) requestAnimationFrame(tick);
          else resolve(times.slice(1).map((later, index) => later - times[index]));
        };
        requestAnimationFrame(tick);
      }),
  );
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  const end = Date.now() + 300 * FRAME;
  for (let step = 0; Date.now() < end; step += 1) {
    await page.mouse.move(
      box.x + 300 * (1 + Math.sin(step / 40)),
      box.y + 100 * (1 + Math.cos(step / 25)),
    );
    await new Promise((resolve) => setTimeout(resolve, FRAME / 2));
  }
  const frames = /** @type {number[]} */ (await gaps);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await page.mouse.up();
  const late = frames.filter((gap) => gap > 1.5 * FRAME).length;
  const work = workOfFrames(traceEvents);
  const share = (/** @type {number} */ count, /** @type {number} */ all) =>
    `${((100 * count) / all).toFixed(1)} %`;
  console.log(
    `dragging, ${frames.length} frames: ${share(late, frames.length)} came late; the page worked ` +
      `${quantile(work, 0.5).toFixed(1)} ms for a frame ` +
      `(99 %: ${quantile(work, 0.99).toFixed(1)} ms), ` +
      `${share(work.filter((ms) => ms > FRAME).length, work.length)} more than 16.7 ms`,
  );
}

/** Processor time of the page's main thread in each sixtieth of a second. @param {any[]} events */
function workOfFrames(events) {
  const main = events.filter(
    ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain",
  );
  const isMain = (/** @type {any} */ { pid, tid }) =>
    main.some((one) => one.pid === pid && one.tid === tid);
  const tasks = events.filter(
    (event) => event.name.endsWith("RunTask") && event.tdur && isMain(event),
  );
  const first = Math.min(...tasks.map(({ ts }) => ts));
  /** @type {number[]} */
  const work = [];
  for (const { ts, tdur } of tasks) {
    const frame = Math.floor((ts - first) / 1000 / FRAME);
    work[frame] = (work[frame] ?? 0) + tdur / 1000;
  }
  return Array.from(work, (ms) => ms ?? 0);
}

/** All deals by the native program: verdicts, and the least processor time of some rounds. */
function native() {
  const input = DEALS.map((deal) => `${JSON.stringify({ kind: "solve", deal })}\n`).join("");
  let best = Infinity;
  /** @type {string[]} */
  let found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = spawnSync("bash", ["-c", 'TIMEFORMAT=%U; time "$0"', program], {
      encoding: "utf8",
      input,
      maxBuffer: 1 << 28,
    });
    if (run.status !== 0) throw new Error(run.stderr || `cannot run ${program}`);
    best = Math.min(best, Number(run.stderr.trim()));
    found = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
  }
  return { seconds: best, found };
}

/** The same in a worker of the page. */
async function wasm(
  /** @type {import("playwright-core").Browser} */ browser,
  /** @type {Page} */ page,
) {
  const session = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    return renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  await page.evaluate(async () => {
    const { WasmEngine } = await import(new URL("engine/wasm.js", location.href).href);
    /** @type {any} */ (globalThis).engine = new WasmEngine();
    await /** @type {any} */ (globalThis).engine.load();
  });
  let best = Infinity;
  /** @type {string[]} */
  let found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await used();
    found = await page.evaluate(async (deals) => {
      const verdicts = [];
      for (const deal of deals) {
        verdicts.push(
          (await /** @type {any} */ (globalThis).engine.ask({ kind: "solve", deal })).verdict,
        );
      }
      return verdicts;
    }, DEALS);
    best = Math.min(best, (await used()) - before);
  }
  return { seconds: best, found };
}

console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
await firstLoad();
const host = await startHost();
const browser = await startBrowser();
const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), { motion: true });
await drag(browser, page);
await verdicts(page);
const [here, there] = [native(), await wasm(browser, page)];
const same = here.found.every((verdict, index) => verdict === there.found[index]);
const ratio = (there.seconds / here.seconds).toFixed(2);
console.log(
  `${DEALS.length} deals: ${here.seconds.toFixed(2)} s natively, ` +
    `${there.seconds.toFixed(2)} s in Chromium, ratio ${ratio}; ` +
    `verdicts ${same ? "the same" : "DIFFER"}`,
);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
await close();
await browser.close();
await host.stop();
