// The page with `klondike serve` as its engine: the same page, all of its questions over HTTP. The
// command is named in KLONDIKE or built in target/release; without it there is nothing to test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
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

/**
 * A door before the server, so that the page comes with WebAssembly or without, however the command
 * was built.
 * @param {boolean} whole Whether WebAssembly is there.
 */
async function startWith(whole) {
  const server = await startServer();
  const { port } = new URL(server.url);
  const door = createServer(async (asked, answer) => {
    const path = asked.url ?? "/";
    if (path.startsWith("/wasm/")) {
      const file = whole && (await readFile(new URL(`..${path}`, import.meta.url)));
      const type = path.endsWith(".js") ? "text/javascript" : "application/wasm";
      answer.writeHead(file ? 200 : 404, { "content-type": type }).end(file || undefined);
      return;
    }
    const { origin, ...others } = asked.headers;
    const headers = { ...others, host: "localhost" };
    const inner = request({ port, path, method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    inner.on("error", () => answer.destroy());
    answer.on("close", () => inner.destroy());
    asked.pipe(inner);
  });
  await new Promise((resolve) => door.listen(0, "127.0.0.1", () => resolve(null)));
  const address = /** @type {import("node:net").AddressInfo} */ (door.address());
  const stop = async () => {
    door.close();
    door.closeAllConnections();
    await server.stop();
  };
  return { url: `http://127.0.0.1:${address.port}/`, stop };
}

/** Makes a certificate and has it checked. @param {import("playwright-core").Page} page */
async function proveAndCheck(page) {
  await openTab(page, "Why");
  await page.getByRole("button", { name: "Make a certificate" }).click();
  await page.getByRole("button", { name: "Check it here" }).click();
  const said = page.getByText(/^✓ Proved: this position can be won\./);
  await said.waitFor();
  return (await said.textContent()) ?? "";
}

test("the page asks the server, shows progress, and goes on alone", { skip }, async () => {
  const server = await startWith(true);
  const browser = await startBrowser();
  const { page, context } = await visit(browser, dealUrl(server.url, "klondike:784"));
  /** @type {string[]} */
  const asked = [];
  page.on("request", (sent) => asked.push(new URL(sent.url()).pathname));
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
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Judge every move" }).click();
  await page.getByText("keeps the win").first().waitFor();
  assert.match(await proveAndCheck(page), /in your browser\.$/);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(
    async () => (await (await caches.open("klondike-1")).keys()).length > 60,
  );
  await server.stop();
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  await ready(page);
  await page.reload();
  await ready(page);
  await context.close();
  await browser.close();
});

test(
  "without WebAssembly the server checks, and the page says what it needs",
  { skip },
  async () => {
    const server = await startWith(false);
    const browser = await startBrowser();
    const { page, context } = await visit(browser, dealUrl(server.url, "klondike:784"));
    assert.match(
      await proveAndCheck(page),
      /The checker took .* on the server: this page came without it\.$/,
    );
    await page.getByLabel(/^Check a certificate from a file/).setInputFiles({
      name: "bad.kc",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("no certificate"),
    });
    await page.getByText(/^Rejected: /).waitFor();
    await server.stop();
    await page.keyboard.press("d");
    const alert = page.getByRole("alert").filter({ hasText: "The server does not answer." });
    await alert.waitFor();
    const words = (await alert.textContent()) ?? "";
    assert.match(words, /Start `klondike serve` again\..*`scripts\/wasm\.sh`/);
    await context.close();
    await browser.close();
  },
);
