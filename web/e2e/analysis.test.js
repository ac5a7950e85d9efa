// The light, analysis, explanations, proofs, hints, sharing, and use without a network.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { cardName, cardSign } from "../game/cards.js";
import {
  askEngine,
  dealUrl,
  madeMoves,
  openTab,
  ready,
  startBrowser,
  startHost,
  visit,
} from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

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

/** Lost as dealt, with a blocking set of five cards. */
const BLOCKED = "klondike:37";

/** A game that its sixth move, a draw, loses. */
const LOST = { deal: "klondike:5", moves: "AC:5>F 7H:4>2 draw*2 TS:W>7 draw" };

/** @param {string} moves */
const inLink = (moves) => moves.replaceAll(" ", "_").replaceAll(":", ".").replaceAll(">", "-");

test("the light is off at first, judges after each move and keeps verdicts for undo", async () => {
  const { page, close } = await visit(
    browser,
    `${dealUrl(host.url, LOST.deal)}/${inLink(LOST.moves)}`,
  );
  const light = page.getByRole("region", { name: "Verdict" });
  assert.match((await light.textContent()) ?? "", /Spoiler light: off/);
  await page.keyboard.press("s");
  await light.getByText("Move 6 lost it.").waitFor();
  const mark = page.getByRole("button", { name: "Move 6 lost the win: find the better move" });
  await page.getByRole("slider", { name: "Move" }).focus();
  await page.keyboard.press("Tab");
  assert.ok(await mark.first().evaluate((element) => element === document.activeElement));
  await page.locator(".mini", { hasText: "Move 5" }).waitFor();
  await page.keyboard.press("Shift+Tab");
  await page.locator(".mini").waitFor({ state: "detached" });
  await page.keyboard.press("d");
  await light.getByText("Cannot be won any more since move 6.").waitFor();
  await light.getByRole("button", { name: "Back to move 5" }).click();
  await light.getByText("Can be won.").waitFor();
  await page.keyboard.press("r");
  await light.getByText("Move 6 lost it.").waitFor({ timeout: 1000 });
  await page.keyboard.press("u");
  await light.getByRole("button", { name: "Show how" }).click();
  await page.getByRole("button", { name: "Play the line ahead" }).waitFor();
  await page.keyboard.press("r");
  await light.getByText("Can be won.").waitFor();
  await close();
});

test("what is not decided is not called lost, and can be tried longer", async () => {
  // The hardest lost deal of the first million: 19 million states.
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:342253"));
  await page.keyboard.press("s");
  const light = page.getByRole("region", { name: "Verdict" });
  await light.getByText("Not decided within 1 million states.").waitFor({ timeout: 60_000 });
  await light.getByRole("button", { name: "Try longer" }).click();
  await light.getByText(/^[\d,]+ states so far\.$/).waitFor();
  await light.getByRole("button", { name: "Stop", exact: true }).click();
  await light.getByText(/^Not decided within [\d,]+ states\.$/).waitFor();
  await light.getByRole("button", { name: "Try longer" }).click();
  await light.getByText("Working it out …").waitFor();
  // Another position ends the search.
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  await close();
});

test("the better move is one click away", async () => {
  const { page, close } = await visit(
    browser,
    `${dealUrl(host.url, LOST.deal)}/${inLink(LOST.moves)}_draw`,
  );
  await page.keyboard.press("s");
  await page.locator(".moves").getByRole("button", { name: /find the better move/ }).click();
  await page.locator('.ply[data-at="5"]').waitFor();
  await page.getByRole("button", { name: "Winning move" }).click();
  const sentence = page.locator(".hint .link");
  await sentence.click();
  await page.locator('.ply[data-at="6"]').waitFor();
  const moves = (await madeMoves(page)).join(" ");
  const answer = await askEngine({ kind: "solve", deal: LOST.deal, moves });
  assert.equal(answer.verdict, "winnable");
  await close();
});

test("every legal move is judged, and lines are played back", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), {
    settings: { speed: 12 },
  });
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Judge every move" }).click();
  await page.getByText("keeps the win").first().waitFor();
  assert.equal(await page.getByText("keeps the win").count(), 5);
  await page.getByRole("button", { name: "Show a winning line" }).click();
  await page.getByRole("button", { name: "Play the line ahead" }).click();
  await page.waitForFunction(
    () => Number(document.querySelector(".ply")?.getAttribute("data-at")) >= 5,
  );
  await page.getByRole("button", { name: "Pause" }).click();
  const slider = page.getByRole("slider", { name: "Move" });
  await slider.focus();
  await page.keyboard.press("End");
  await page.getByText(/^Won in \d+ moves\.$/).waitFor();
  await page.keyboard.press("Home");
  await page.locator('.ply[data-at="0"]').waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator('.ply[data-at="1"]').waitFor();
  await page.keyboard.press(" ");
  await page.waitForFunction(
    () => Number(document.querySelector(".ply")?.getAttribute("data-at")) >= 3,
  );
  await close();
});

test("a shortest solution shows both bounds, then is proved", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"));
  await openTab(page, "Analyse");
  await page
    .locator(".search")
    .filter({ hasText: "Shortest solution" })
    .getByRole("button")
    .click();
  await page.getByText(/^Between \d+ and \d+ moves\./).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText(/^Between \d+ and \d+ moves\. Stopped\.$/).waitFor();
  await page
    .locator(".search")
    .filter({ hasText: "Shortest solution" })
    .getByRole("button", { name: "Search" })
    .click();
  await page.getByText("88 moves, proved the fewest.").waitFor({ timeout: 60_000 });
  await page.locator(".search").filter({ hasText: "Fewest passes" }).getByRole("button").click();
  await page.getByText("1 pass, proved the fewest.").waitFor();
  await close();
});

test("a lost deal has a best score, a grade it has not, and lights for other rules", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:13"));
  await openTab(page, "Analyse");
  await page.locator(".search").filter({ hasText: "Best score" }).getByRole("button").click();
  await page
    .getByText(/^\d+ cards up, (proved the most|at most \d+ of 52)\.$/)
    .waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Grade it" }).click();
  await page.getByText("This deal cannot be won, so it has no grade.").waitFor();
  await page
    .locator(".lights .unwinnable", { hasText: "draw 3: cannot be won" })
    .waitFor({ timeout: 60_000 });
  await close();
});

test("a lost position is offered its best score and the reason, no line that wins", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, BLOCKED));
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Show a winning line" }).click();
  await page.getByText("No line wins from here: proved.").waitFor();
  for (const gone of ["Show a winning line", "Judge every move"])
    assert.equal(await page.getByRole("button", { name: gone }).count(), 0, gone);
  assert.deepEqual(await page.locator(".search strong").allTextContents(), ["Best score"]);
  const moves = page.locator(".list .row-button");
  assert.equal(await page.locator(".list .unwinnable").count(), await moves.count());
  await page.getByRole("button", { name: "Why?" }).click();
  await page.getByText(/^The 8♠ in pile 3 waits/).waitFor();
  await close();
});

test("a grade comes with what makes the deal hard", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:1"));
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Grade it" }).click();
  await page.getByText(/^Grade 7 of 10\. 35 % of good players/).waitFor();
  await page.getByText("The 2♣ lies under 3 cards.").waitFor();
  await close();
});

test("a lost deal shows the cards that wait, with arrows and sentences", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, BLOCKED));
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Why?" }).click();
  await page.getByText(/^The 8♠ in pile 3 waits for the 9♦ or 9♥\./).waitFor();
  assert.ok((await page.locator(".arrows > path").count()) > 5);
  await page.getByRole("button", { name: /^5♥/ }).click();
  await page.locator('[data-card="5H"].marked').waitFor();
  assert.equal(await page.locator('[data-card="AC"].dimmed').count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".arrows").count(), 0);
  await close();
});

test("a certificate is made, downloaded, checked, and rejected when it is broken", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, BLOCKED));
  await openTab(page, "Why");
  await page.getByRole("button", { name: "Make a certificate" }).click();
  await page.getByRole("button", { name: "Check it here" }).click();
  await page.getByText(/^✓ Proved: this position cannot be won\./).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByText("Download").click(),
  ]);
  assert.equal(download.suggestedFilename(), "klondike-37.kc");
  const bytes = await readFile(await download.path());
  const field = page.getByLabel(/^Check a certificate from a file/);
  await field.setInputFiles({
    name: "good.kc",
    mimeType: "application/octet-stream",
    buffer: bytes,
  });
  await page.getByText(/^✓ Proved: the deal of the file cannot be won\./).waitFor();
  bytes[30] ^= 1;
  await field.setInputFiles({
    name: "bad.kc",
    mimeType: "application/octet-stream",
    buffer: bytes,
  });
  await page.getByText(/^Rejected: /).waitFor();
  await close();
});

test("hidden mode looks at nothing that lies face down; hints have chances", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), {
    settings: { light: true },
  });
  await openTab(page, "Hints");
  await page.getByLabel(/^Only what I see/).check();
  await page.getByText("Hidden cards stay hidden").waitFor();
  await page.keyboard.press("h");
  await page.locator(".chance").first().waitFor();
  assert.match((await page.locator(".chance").first().textContent()) ?? "", /\d+ % \d+ to \d+/);
  await openTab(page, "Analyse");
  await page.getByText(/^Analysis looks at all cards\./).waitFor();
  await close();
});

test("hidden mode shows nothing that was found with all cards, and gives it back", async () => {
  const { page, close } = await visit(
    browser,
    `${dealUrl(host.url, LOST.deal)}/${inLink(LOST.moves)}`,
  );
  await page.keyboard.press("s");
  await page.getByText("Move 6 lost it.").waitFor();
  await page.keyboard.press("u");
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Judge every move" }).click();
  const marks = page.locator(".card.keeps, .card.loses");
  await marks.first().waitFor();
  const lost = page.getByRole("button", { name: /lost the win/ });
  assert.equal(await lost.count(), 1);
  await openTab(page, "Hints");
  const hidden = page.getByLabel(/^Only what I see/);
  await hidden.check();
  await page.getByText("Hidden cards stay hidden").waitFor();
  assert.equal(await marks.count(), 0);
  assert.equal(await lost.count(), 0);
  // The switch is off here, and so is its key.
  await page.keyboard.press("s");
  await page.keyboard.press("r");
  await hidden.uncheck();
  await page.getByText("Move 6 lost it.").waitFor();
  await page.keyboard.press("u");
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Show a winning line" }).click();
  await page.locator(".timeline.shown").waitFor();
  await openTab(page, "Hints");
  await hidden.check();
  await page.locator(".timeline.shown").waitFor({ state: "detached" });
  await close();
});

test("a hint is said, also that no move wins, on every screen and by key", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), {
    width: 360,
    height: 740,
  });
  const said = page.locator('[role="status"][aria-live]');
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".card.hinted").first().waitFor();
  assert.match((await said.textContent()) ?? "", /^\S+ of \S+ from pile \d to /);
  await page.goto(dealUrl(host.url, BLOCKED));
  await page.getByText(BLOCKED, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".notice", { hasText: "No line wins from here: proved." }).waitFor();
  assert.equal(await said.textContent(), "No line wins from here: proved.");
  await close();
});

test("a key asks for a hint where cards are unknown, and where redeals are limited", async () => {
  const phone = new URL("../../datasets/examples/phone.txt", import.meta.url);
  const link = dealUrl(host.url, encodeURIComponent(await readFile(phone, "utf8")));
  const { page, close } = await visit(browser, link);
  const hint = async () => {
    await page.keyboard.press("h");
    await page.locator(".chance").first().waitFor();
    await page.locator(".hinted").first().waitFor();
    const said = await page.locator('[role="status"][aria-live]').textContent();
    assert.match(said ?? "", /^(Draws|\S+ of \S+ from) /);
  };
  await hint();
  await page.goto(dealUrl(host.url, "klondike:5", "redeals=2"));
  await page.getByText("klondike:5", { exact: true }).waitFor();
  await ready(page);
  await openTab(page, "Hints");
  await page.getByLabel(/^Only what I see/).check();
  await hint();
  await page.goto(dealUrl(host.url, "klondike:5", "redeals=last-pass-by-ones"));
  await page.locator(".rules", { hasText: "draw 3, a last pass by ones" }).waitFor();
  await ready(page);
  await page.keyboard.press("h");
  await page.locator(".notice", { hasText: /do not know a last pass by ones\.$/ }).waitFor();
  await close();
});

test("where no move is left, the page says so when it is asked to go on", async () => {
  const text =
    "stock:\nwaste: QS KS\nfoundations: C13 D13 H13 S11\n1:\n2:\n3:\n4:\n5:\n6:\n7:\n";
  const rules = "redeals=0,spaces=nothing,draw=1";
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:1", rules));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByLabel("A deal or a position, in any of the formats").fill(text);
  await page.getByRole("button", { name: "Play this deal" }).click();
  await page.getByText("Your deal", { exact: true }).waitFor();
  await ready(page);
  assert.equal(await page.locator(".notice").count(), 0, "nobody asked");
  await page.getByRole("button", { name: "Finish the game" }).click();
  await page.locator(".notice", { hasText: "No line wins from here: proved." }).waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await openTab(page, "Analyse");
  await page.getByRole("button", { name: "Judge every move" }).click();
  await page.getByRole("tabpanel").getByText("No line wins from here: proved.").waitFor();
  await close();
});

test("hidden mode: no card that lies face down can be found in the page", async () => {
  const { page, close } = await visit(browser, `${dealUrl(host.url, "klondike:784")}/draw*2`, {
    settings: { hidden: true },
  });
  const { board } = await askEngine({ kind: "position", deal: "klondike:784", moves: "draw*2" });
  const down = board.piles.flatMap((/** @type {any} */ pile) => pile.face_down);
  assert.equal(down.length, 21);
  for (const tab of ["Moves", "Analyse", "Why", "Share", "Hints"]) {
    await openTab(page, tab);
    if (tab === "Hints") {
      await page.getByRole("button", { name: "What would you play?" }).click();
      await page.locator(".chance").first().waitFor();
    }
    if (tab === "Share") {
      await page.getByText("Whoever has the link gets all cards").waitFor();
      await page.getByRole("img", { name: "The position as a picture" }).waitFor();
    }
    const found = await page.evaluate(textsOfPage);
    assert.ok(found.includes("queen of hearts") && found.includes("QH"), "cards face up are there");
    // A hint counts on the stock, which one pass through it shows.
    for (const card of tab === "Hints" ? down : [...down, ...board.stock]) {
      for (const name of [card, cardSign(card), cardName(card)]) {
        assert.doesNotMatch(found, new RegExp(`(?<![\\w])${name}(?![\\w])`), `${tab}: ${name}`);
      }
    }
  }
  // Cards stand in the order of the deal, whatever they are called.
  const order = await page.evaluate(() =>
    [...document.querySelectorAll(".card")].map((card) => card.getAttribute("data-place")),
  );
  await page.goto(`${dealUrl(host.url, "klondike:785")}/draw*2`);
  await page.getByText("klondike:785", { exact: true }).waitFor();
  await ready(page);
  const other = await page.evaluate(() =>
    [...document.querySelectorAll(".card")].map((card) => card.getAttribute("data-place")),
  );
  assert.deepEqual(other, order);
  await close();
});

/** All texts of the page, its attributes and fields, but the faces and shapes of pictures. */
function textsOfPage() {
  const texts = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(".sprite")) continue;
    for (const { name, value } of element.attributes) if (name !== "d") texts.push(value);
    if ("value" in element) texts.push(String(element.value));
    for (const node of element.childNodes) if (node.nodeType === 3) texts.push(node.nodeValue);
  }
  return texts.join("\n");
}

test("a long thought of the player, or of a hint, can be stopped", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any} */ message) {
      const request = message.request?.replace(/"iterations":\d+/, '"iterations":100000');
      return postMessage.call(this, { ...message, ...(request && { request }) });
    };
  });
  await openTab(page, "Hints");
  for (const name of ["What would you play?", "One move", "Play on"]) {
    await page.getByRole("button", { name }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name }).waitFor();
    assert.ok(await page.getByRole("button", { name }).isEnabled());
    assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0);
  }
  assert.deepEqual(await madeMoves(page), []);
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  await close();
});

test("every long question can be stopped, also one that waits for another", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any} */ message) {
      const { kind } = JSON.parse(message.request ?? "{}");
      if (kind === "position" || !kind) postMessage.call(this, message);
    };
  });
  const stop = page.getByRole("button", { name: /^Stop(?! comparing)/ });
  const ask = async (/** @type {string} */ name, /** @type {string} */ words) => {
    const button = page.getByRole("button", { name });
    await button.press("Enter");
    await page.getByText(words, { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await button.waitFor();
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    assert.equal(await stop.count(), 0);
  };
  await openTab(page, "Why");
  await ask("Look for the reason", "Looking for the reason …");
  await ask("Make a certificate", "Proving …");
  await openTab(page, "Moves");
  await ask("Winning move", "Looking …");
  await openTab(page, "Analyse");
  await ask("Show a winning line", "Looking for a line that wins …");
  // What this deal is under other rules is asked before these.
  await ask("Judge every move", "Waits for another question …");
  await ask("Grade it", "Waits for another question …");
  await page.getByRole("button", { name: "Stop comparing" }).press("Enter");
  await ask("Grade it", "Grading …");
  await ask("Go on", "Comparing …");
  await close();
});

test("a hint where nothing is hidden any more shows a line that wins", async () => {
  const { solution } = await askEngine({ kind: "solve", deal: "klondike:1", boards: true });
  const at = solution.moves.findIndex((/** @type {any} */ { board }) =>
    board.piles.every((/** @type {any} */ pile) => pile.face_down.length === 0),
  );
  const moves = solution.moves
    .slice(0, at + 1)
    .map((/** @type {any} */ { move }) => move)
    .join(" ");
  const { page, close } = await visit(
    browser,
    `${dealUrl(host.url, "klondike:1")}/${inLink(moves)}`,
    { settings: { finish: false } },
  );
  await openTab(page, "Hints");
  await page.getByRole("button", { name: "What would you play?" }).click();
  const words = "Nothing is hidden any more, and a line that wins is known.";
  await page.getByText(words, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Show the line" }).click();
  await page.locator(".timeline.shown").waitFor();
  await close();
});

test("the program plays step by step and says what it thinks", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), {
    settings: { speed: 12, hidden: true },
  });
  await openTab(page, "Hints");
  await page.getByRole("button", { name: "One move" }).click();
  await page.getByText(/orders of the hidden cards can be won after it/).waitFor();
  const first = (await madeMoves(page)).length;
  assert.ok(first >= 1);
  await page.getByRole("button", { name: "Play on" }).click();
  await page.waitForFunction(
    (count) => Number(document.querySelector(".ply")?.getAttribute("data-at")) > count,
    first,
    { timeout: 20_000 },
  );
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Play on" }).waitFor();
  await close();
});

test("a link, four notations, formats and pictures leave the page", async () => {
  const { page, close } = await visit(browser, `${dealUrl(host.url, "klondike:784")}/draw*2`);
  await openTab(page, "Share");
  const link = page.getByLabel("Link to this game", { exact: true });
  assert.equal(await link.inputValue(), `${dealUrl(host.url, "klondike:784")}/draw*2`);
  await page.getByRole("button", { name: "Copy: Link to this game" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await link.inputValue());
  const moves = page.getByLabel("Moves", { exact: true });
  const seen = [];
  for (const notation of ["klondike", "minimal", "klondike-solver", "lonelybot"]) {
    await page.getByLabel("Notation").selectOption(notation);
    seen.push(await moves.inputValue());
  }
  assert.deepEqual(seen.slice(0, 3), ["draw*2", "@@", "DR2"]);
  await page.getByLabel("Format").selectOption("pysol");
  await page.waitForFunction(() =>
    [...document.querySelectorAll("textarea")].some((area) => area.value.startsWith("Talon: ")),
  );
  for (const [name, start] of [
    ["SVG", "<svg"],
    ["PNG", "\u0089PNG"],
  ]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).click(),
    ]);
    const bytes = await readFile(await download.path(), "latin1");
    assert.ok(bytes.startsWith(start), name);
    assert.ok(bytes.length > 2000, name);
  }
  await close();
});

test("a game with unknown cards leaves the page as a text that the page reads", async () => {
  const phone = new URL("../../datasets/examples/phone.txt", import.meta.url);
  const text = (await readFile(phone, "utf8")).replace(/^#.*\n/, "");
  const { page, close } = await visit(browser, dealUrl(host.url, encodeURIComponent(text)));
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  await openTab(page, "Share");
  assert.equal(await page.getByLabel("Deal", { exact: true }).inputValue(), text);
  assert.equal(await page.getByLabel("Moves", { exact: true }).inputValue(), "draw");
  const position = await page.getByLabel("Position", { exact: true }).inputValue();
  const { board } = await askEngine({ kind: "position", deal: position });
  assert.equal(board.waste.length, 3);
  assert.equal(await page.locator(".panel .problem").count(), 0);
  await close();
});

test("a picture in points has the colours of the page", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:784"), {
    settings: { theme: "dark" },
  });
  await openTab(page, "Share");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "PNG" }).click(),
  ]);
  const bytes = await readFile(await download.path());
  const colours = await page.evaluate(async (numbers) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(numbers)]));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join(" "));
    return { ground: data.slice(0, 3).join(" "), caption: found.has("216 222 228") };
  }, [...bytes]);
  assert.deepEqual(colours, { ground: "30 37 35", caption: true });
  await close();
});

test("a deal without a number has a link of its own", async () => {
  const { text } = await askEngine({ kind: "convert", deal: "klondike:5", format: "solvitaire" });
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByLabel("A deal or a position, in any of the formats").fill(text);
  await page.getByRole("button", { name: "Play this deal" }).click();
  await page.getByText("Your deal", { exact: true }).waitFor();
  await openTab(page, "Share");
  const link = await page.getByLabel("Link to this game", { exact: true }).inputValue();
  assert.ok(link.length < host.url.length + 60, link);
  await close();
  const other = await visit(browser, link);
  const saved = await other.page.evaluate(
    () => JSON.parse(localStorage.getItem("klondike.game") ?? "{}").deal.board,
  );
  assert.deepEqual(saved, (await askEngine({ kind: "position", deal: "klondike:5" })).board);
  await other.close();
});

test("the page works with the server gone", async () => {
  const own = await startHost();
  const { page, context } = await visit(browser, own.url);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(
    async () => (await (await caches.open("klondike-1")).keys()).length > 60,
  );
  await own.stop();
  await page.reload();
  await ready(page);
  await page.keyboard.press("s");
  await page.getByText("Can be won.", { exact: true }).waitFor();
  await page.keyboard.press("n");
  await page.waitForFunction(
    () => document.querySelector(".deal-name .name")?.textContent !== "klondike:784",
  );
  const other = await context.newPage();
  await other.goto(`${own.url}index.html#v1/draw1/klondike:5/draw*3`);
  await other.getByText("klondike:5", { exact: true }).waitFor();
  await context.close();
});
