// The page with `klondike serve` as its engine: the same page, all of its questions over HTTP. The
// command is named in KLONDIKE or built in target/release; without it there is nothing to test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { dealUrl, openTab, ready, startBrowser, visit } from "./support.js";

const command =
  process.env.KLONDIKE ?? fileURLToPath(new URL("../../target/release/klondike", import.meta.url));
const skip = existsSync(command) ? false : `no ${command}`;

/** Starts the server on a free port. */
async function startServer() {
  const server = spawn(command, ["serve", "--port", "0", "--json", "--threads", "1"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    const hear = (/** @type {Buffer} */ data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(`${found[0]}/`);
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    server.on("exit", () => reject(new Error(text || "the server ended")));
  });
  const stop = () =>
    new Promise((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) return resolve(null);
      server.on("exit", resolve);
      server.kill("SIGTERM");
    });
  return { url: /** @type {string} */ (url), stop };
}

test(
  "the page asks the server, shows its progress, and goes on alone when it ends",
  { skip },
  async () => {
    const server = await startServer();
    // A command that was built without the WebAssembly has neither the checker nor a page that goes
    // on alone.
    const whole = (await fetch(`${server.url}wasm/klondike_wasm_check_bg.wasm`)).ok;
    const browser = await startBrowser();
    const { page, context } = await visit(browser, dealUrl(server.url, "klondike:784"));
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press("s");
    await page.getByText("Can be won.", { exact: true }).waitFor();
    assert.ok(asked.includes("/api/solve"), asked.join(" "));
    await openTab(page, "Analyse");
    await page
      .locator(".search")
      .filter({ hasText: "Shortest solution" })
      .getByRole("button")
      .click();
    await page.getByText(/^Between \d+ and \d+ moves\./).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Judge every move" }).click();
    await page.getByText("keeps the win").first().waitFor();
    if (whole) {
      await checkAndGoOnAlone(page, server);
    }
    await context.close();
    await browser.close();
    await server.stop();
  },
);

/**
 * @param {import("playwright-core").Page} page
 * @param {{ stop: () => Promise<unknown> }} server
 */
async function checkAndGoOnAlone(page, server) {
  await openTab(page, "Why");
  await page.getByRole("button", { name: "Make a certificate" }).click();
  await page.getByRole("button", { name: "Check it here" }).click();
  await page.getByText(/^✓ Proved: this position can be won\./).waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(
    async () => (await (await caches.open("klondike-1")).keys()).length > 60,
  );
  await server.stop();
  await page.keyboard.press("d");
  await ready(page);
  await page.reload();
  await ready(page);
}
