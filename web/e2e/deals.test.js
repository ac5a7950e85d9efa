// Getting deals: of a grade, by number, of the day, pasted, entered; under other rules; by link.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { cardName } from "../game/cards.js";
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

/** @param {Page} page */
const dealName = async (page) => (await page.locator(".deal-name .name").textContent()) ?? "";

/** @param {Page} page @param {string} before */
const otherDeal = (page, before) =>
  page.waitForFunction(
    (old) => document.querySelector(".deal-name .name")?.textContent !== old,
    before,
  );

/** @param {Page} page */
const choose = (page) => page.getByRole("button", { name: "Choose a new deal" }).click();

test("the first visit has an easy deal, one line of welcome and no dialog", async () => {
  const { page, close } = await visit(browser, host.url);
  assert.equal(await dealName(page), "klondike:784");
  assert.equal(await page.locator("dialog").count(), 0);
  assert.match(
    (await page.locator(".notice").textContent()) ?? "",
    /^This deal is proved winnable\./,
  );
  await page.keyboard.press("d");
  await page.locator(".notice").waitFor({ state: "detached" });
  await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  await page.reload();
  await page.locator(".notice").waitFor();
  await page.goto(dealUrl(host.url, "klondike:37"));
  await page.getByText("klondike:37", { exact: true }).waitFor();
  assert.equal(await page.locator(".notice").count(), 0, "it was about the first deal");
  await close();
});

test("a new deal of a chosen grade is proved winnable and has that grade", async () => {
  const { page, close } = await visit(browser, host.url);
  const before = await dealName(page);
  await choose(page);
  await page.getByRole("button", { name: /^Very hard/ }).click();
  await otherDeal(page, before);
  const answer = await askEngine({ kind: "grade", deal: await dealName(page) });
  assert.equal(answer.verdict, "winnable");
  assert.ok(answer.grade >= 9, String(answer.grade));
  await close();
});

test("a search for a deal that hardly exists can be stopped, nothing waits for it", async () => {
  const rules = "spaces=nothing,draw=6,redeals=0";
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:1", rules));
  const notice = page.getByText("Looking for a deal that can be won …");
  await choose(page);
  await page.getByRole("button", { name: /^Very hard/ }).click();
  await notice.waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await notice.waitFor({ state: "detached" });
  await choose(page);
  await page.getByRole("button", { name: /^Very hard/ }).click();
  await notice.waitFor();
  await page.keyboard.press("d");
  await notice.waitFor({ state: "detached" });
  await openTab(page, "Why");
  await page.getByRole("button", { name: "Look for the reason" }).click();
  await page.getByRole("heading", { name: "These cards wait for each other" }).waitFor();
  await close();
});

test("rules without grades are said to have none, and offer none", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:1", "spaces=nothing"));
  await choose(page);
  await page.getByRole("button", { name: /^Easy/ }).click();
  const words = "These rules have no grades, as too few of their deals can be won.";
  const alert = page.getByRole("alert");
  await alert.getByText(words).waitFor({ timeout: 60_000 });
  assert.match((await alert.textContent()) ?? "", /won\. Choose any grade\.$/);
  await choose(page);
  await page.getByRole("dialog").getByText(words).waitFor();
  assert.deepEqual(await page.locator(".choices button").allTextContents(), ["Anyany grade"]);
  await close();
});

test("a search for a deal has a time limit, and says that it ended it", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any} */ message) {
      const request = message.request?.replace(/"time_ms":\d+/, '"time_ms":0');
      return postMessage.call(this, { ...message, ...(request && { request }) });
    };
  });
  await page.keyboard.press("n");
  await page.getByText("No such deal was found within the time limit, of 0 deals.").waitFor();
  await close();
});

test("a file of deals that can be won, for other programs", async () => {
  const { page, close } = await visit(browser, host.url);
  await choose(page);
  await page.getByText("A file of deals for other programs").click();
  await page.getByLabel("Difficulty").selectOption("Any");
  await page.getByRole("button", { name: "Make it" }).click();
  const loading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save klondike-draw3-any.bin, 100 deals" }).click();
  const bytes = await readFile(await (await loading).path());
  assert.equal(bytes.length, 800);
  for (const at of [0, 792]) {
    const { verdict } = await askEngine({
      kind: "solve",
      deal: `klondike:${bytes.readBigUInt64LE(at)}`,
    });
    assert.equal(verdict, "winnable");
  }
  await close();
});

test("a deal by scheme and number, with the scheme's own error", async () => {
  const { page, close } = await visit(browser, host.url);
  await choose(page);
  await page.getByLabel("Scheme").selectOption("solvitaire");
  await page.getByLabel("Number").fill("99999999999");
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  await page.getByText(/out of range/).waitFor();
  await page.getByLabel("Number").fill("22");
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  await otherDeal(page, "klondike:784");
  assert.equal(await dealName(page), "solvitaire:22");
  await close();
});

test("the deal of the day is the same for two visitors", async () => {
  const names = [];
  for (let visitor = 0; visitor < 2; visitor += 1) {
    const { page, close } = await visit(browser, host.url);
    await choose(page);
    await page.getByRole("button", { name: "Deal of the day" }).click();
    await otherDeal(page, "klondike:784");
    const game = await page.evaluate(
      () => JSON.parse(localStorage.getItem("klondike.game") ?? "{}").deal,
    );
    names.push(`${game.name} ${game.text}`);
    await close();
  }
  assert.match(names[0], /^Daily deal, [A-Z][a-z]+day \d{4}-\d\d-\d\d klondike:\d+$/);
  assert.equal(names[0], names[1]);
});

test("pasted texts are recognised in every format, and errors show their place", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  const field = page.getByLabel("A deal or a position, in any of the formats");
  const { formats } = await askEngine({ kind: "formats" });
  for (const { name } of formats.filter(
    (/** @type {any} */ format) => !["minimal-klondike", "seed"].includes(format.name),
  )) {
    const { text } = await askEngine({ kind: "convert", deal: "klondike:5", format: name });
    await field.fill(text);
    await page.getByText(/^Recognised: /).waitFor();
    await page.getByRole("img", { name: "The deal" }).waitFor();
    await field.fill("");
    await page.getByRole("img", { name: "The deal" }).waitFor({ state: "detached" });
  }
  await field.fill("stock: 8S 2D\n1: QD\n2: <KX> TD\n");
  await page.locator("mark", { hasText: "KX" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Play this deal" }).isDisabled());
  await field.fill("pysol:32001");
  await page.getByText("Recognised: a number of a scheme.").waitFor();
  await page.getByRole("button", { name: "Play this deal" }).click();
  await otherDeal(page, "klondike:784");
  assert.equal(await dealName(page), "pysol:32001");
  await close();
});

test("a deal entered by clicking, unknown cards are named when they turn up", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Enter card by card" }).click();
  const { board } = await askEngine({ kind: "position", deal: "klondike:784" });
  const up = board.piles.map((/** @type {any} */ pile) => pile.face_up[0]);
  const use = page.getByRole("button", { name: "Play this deal" });
  for (const [index, card] of [...up, ...board.stock].entries()) {
    assert.equal(await use.isDisabled(), index < up.length);
    await page
      .locator(".deck")
      .getByRole("button", { name: cardName(card) })
      .click();
  }
  await use.click();
  await page.getByText("Entered deal", { exact: true }).waitFor();
  await ready(page);
  assert.equal(await page.getByText("Some cards are unknown").count(), 1);
  await page.keyboard.press("6");
  await page.keyboard.press("5");
  await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
  await page.locator(".deck").getByRole("button", { name: "nine of spades" }).click();
  await ready(page);
  await page.locator('.card.up[data-card="9S"][data-place="tableau 6"]').waitFor();
  await openTab(page, "Hints");
  await page.getByRole("button", { name: "What would you play?" }).click();
  await page.locator(".chance").first().waitFor();
  await close();
});

test("a game in progress is entered card by card, and can be gone on with", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Enter card by card" }).click();
  await page.getByLabel("A game in progress").check();
  // Five piles are empty, the second one has two cards, the third one unknown cards below.
  const take = page.getByRole("button", { name: "Take away" });
  const cell = (/** @type {RegExp} */ name) =>
    page.locator("dialog").getByRole("button", { name }).click();
  const deck = (/** @type {string} */ card) =>
    page
      .locator(".deck")
      .getByRole("button", { name: cardName(card) })
      .click();
  for (const pile of [1, 4, 5, 6, 7]) {
    for (let card = pile; card > 0; card -= 1) {
      await cell(new RegExp(`^pile ${pile}, card ${card}`));
      await take.click();
    }
  }
  await cell(/^pile 2, card 1, face down/);
  await take.click();
  await cell(/^pile 2, card 1: empty/);
  await deck("KS");
  await cell(/^one more face-up card on pile 2/);
  await deck("QH");
  await cell(/^pile 3, card 3: empty/);
  await deck("4D");
  await cell(/^one more face-down card in pile 3/);
  await cell(/^foundation of clubs/);
  await deck("KC");
  await cell(/^foundation of diamonds/);
  assert.ok(
    await page
      .locator(".deck")
      .getByRole("button", { name: cardName("5D") })
      .isDisabled(),
  );
  await deck("3D");
  await cell(/^foundation of hearts/);
  await deck("JH");
  await cell(/^foundation of spades/);
  await deck("9S");
  await cell(/^one more card on the waste/);
  await deck("QS");
  const stock = ["5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD"];
  const use = page.getByRole("button", { name: "Play this game" });
  await cell(/^stock, card 1: unknown/);
  assert.ok(await use.isEnabled(), "the stock may stay unknown");
  for (const card of stock) await deck(card);
  await use.click();
  await page.getByText("Entered game", { exact: true }).waitFor();
  await ready(page);
  const { deal } = await page.evaluate(() =>
    JSON.parse(localStorage.getItem("klondike.game") ?? "{}"),
  );
  assert.equal(
    deal.text,
    `stock: ${stock.join(" ")}\nwaste: QS\nfoundations: C13 D3 H11 S9\n` +
      "1:\n2: KS QH\n3: ?? ?? ?? 4D\n4:\n5:\n6:\n7:\n",
  );
  // A card of the entered foundations cannot turn up.
  await page.locator('[data-card="4D"].up').dblclick();
  await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
  const free = page.locator(".deck button:enabled");
  assert.deepEqual(await free.locator("[aria-hidden]").allTextContents(), ["K♥", "10♠", "J♠"]);
  await free.first().click();
  await ready(page);
  await openTab(page, "Hints");
  await page.getByRole("button", { name: "What would you play?" }).click();
  await page.locator(".chance").first().waitFor();
  await close();
});

test("cards that were entered are still there when the dialog was closed", async () => {
  const { page, close } = await visit(browser, host.url);
  const enter = async () => {
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("button", { name: "Enter card by card" }).click();
    await page.getByRole("heading", { name: "Enter card by card" }).waitFor();
  };
  const kings = page.locator(".enter").getByText("K♠");
  await enter();
  assert.equal(await kings.count(), 0);
  await page.getByRole("button", { name: "king of spades" }).click();
  await kings.waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await enter();
  await kings.waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
  await kings.waitFor({ state: "detached" });
  await close();
});

test("what is wrong with an entered game is said in its dialog", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Enter card by card" }).click();
  await page.getByLabel("A game in progress").check();
  const deck = (/** @type {string} */ card) =>
    page.locator(".deck").getByRole("button", { name: cardName(card) }).click();
  for (const card of ["KH", "TD", "5C", "JS", "6C", "5D", "QH"]) await deck(card);
  await page.getByRole("button", { name: "one more face-up card on pile 1" }).click();
  await deck("2S");
  await page.getByRole("button", { name: "Play this game" }).click();
  const alert = page.locator("dialog").getByRole("alert");
  await alert.getByText("The deal: pile 1: 2S cannot lie face up on KH").waitFor();
  assert.equal(await page.locator(".notice.problem").count(), 0);
  await close();
});

test("a stock that nobody knows is named card by card as it is drawn", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Enter card by card" }).click();
  const deck = (/** @type {string} */ card) =>
    page
      .locator(".deck")
      .getByRole("button", { name: cardName(card) })
      .click();
  for (const card of ["QD", "TD", "5C", "JS", "6C", "5D", "QH"]) await deck(card);
  await page.getByRole("button", { name: "Play this deal" }).click();
  await page.getByText("Entered deal", { exact: true }).waitFor();
  await ready(page);
  await page.getByText("Hints need the cards of the stock.").waitFor();
  for (const [index, card] of ["QC", "JD", "AC"].entries()) {
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
    await deck(card);
    await page.locator(`.ply[data-at="${index + 1}"]`).waitFor();
    await ready(page);
    await page.locator(`.card.up[data-card="${card}"][data-place="waste"]`).waitFor();
  }
  await page.keyboard.press("w");
  await page.keyboard.press("f");
  await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
  // A reload asks again, as soon as somebody wants to play on.
  await page.reload();
  await page.locator('.ply[data-at="4"]').waitFor();
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
  await deck("KS");
  await ready(page);
  const { deal } = await page.evaluate(() =>
    JSON.parse(localStorage.getItem("klondike.game") ?? "{}"),
  );
  assert.match(deal.text, /^stock: \?\? \?\? QC \?\? \?\? JD \?\? KS AC \?\? /);
  await openTab(page, "Hints");
  await page.getByRole("button", { name: "What would you play?" }).click();
  const words = /^Cards of the stock and the waste are unknown\. Look through them once/;
  await page.getByRole("tabpanel").getByText(words).waitFor();
  await page.locator(".notice", { hasText: words }).waitFor();
  await close();
});

test("closing the question about a turned card takes the move back", async () => {
  const text = [
    "stock: 8S 2D QC 8D AD JD 7H 6S 6H 8C QS KD 9H KS 7D 4D 9C 5H 4C 3H TC 8H JC 2C",
    "1: QD",
    "2: ?? TD",
    "3: ?? ?? 5C",
    "4: ?? ?? ?? JS",
    "5: ?? ?? ?? ?? 6C",
    "6: ?? ?? ?? ?? ?? 5D",
    "7: ?? ?? ?? ?? ?? ?? QH",
  ].join("\n");
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByLabel("A deal or a position, in any of the formats").fill(text);
  await page.getByRole("button", { name: "Play this deal" }).click();
  await page.getByText("Your deal", { exact: true }).waitFor();
  await ready(page);
  await page.keyboard.press("6");
  await page.keyboard.press("5");
  await page.getByRole("heading", { name: "Which card turned up?" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator('.ply[data-at="0"]').waitFor();
  assert.deepEqual(await madeMoves(page), []);
  await close();
});

test("other rules begin the deal again", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:5"));
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  await page.getByLabel("Rule set").selectOption("vegas3");
  await page.getByLabel("Cards drawn at once").selectOption("2");
  await page.getByRole("button", { name: "Begin this deal again under these rules" }).click();
  await page.locator(".rules", { hasText: "draw 2, 2 redeals" }).waitFor();
  await ready(page);
  await page.keyboard.press("d");
  await page.locator('.ply[data-at="1"]').waitFor();
  assert.equal(await page.locator('.card[data-place="waste"]').count(), 2);
  await close();
});

test("draws that reverse their cards show the first one on top", async () => {
  const { page, close } = await visit(browser, dealUrl(host.url, "klondike:5"));
  /** The cards of the waste, bottom first. */
  const waste = () =>
    page.locator('.card[data-place="waste"]').evaluateAll((/** @type {any[]} */ cards) =>
      cards
        .sort((one, other) => one.dataset.index - other.dataset.index)
        .map((card) => card.dataset.card),
    );
  const draw = async () => {
    await ready(page);
    await page.keyboard.press("d");
    await page.locator('.ply[data-at="1"]').waitFor();
  };
  await draw();
  const straight = await waste();
  await page.getByRole("button", { name: "Rules", exact: true }).click();
  await page.getByLabel("The first card of each draw lies on top").check();
  await page.getByRole("button", { name: "Begin this deal again under these rules" }).click();
  // The dialog says it as well.
  await page.locator(".rules", { hasText: "draw 3, each draw reversed" }).waitFor();
  await draw();
  assert.equal(straight.length, 3);
  assert.deepEqual(await waste(), straight.reverse());
  await close();
});

test("a link opens the game where it was shared, with the light off", async () => {
  const { page, close } = await visit(browser, `${host.url}#v1/draw1/klondike:5/draw*3`, {
    settings: { light: true },
  });
  assert.deepEqual(await madeMoves(page), ["draw", "draw", "draw"]);
  assert.equal(await page.getByText("Spoiler light: off").count(), 1);
  await page.goto(`${host.url}#v1/standard/klondike:9`);
  await page.getByText("klondike:9", { exact: true }).waitFor();
  await close();
});

test("a link that is cut keeps what can be read, and says what is missing", async () => {
  const whole = `${host.url}#v1/standard/klondike:784/JS.4-1_QH.7-4_AC.7-F_draw*2`;
  const { page, context } = await visit(browser, whole.replace("7-4_AC.7-F", "7"));
  const alert = page.getByRole("alert");
  await alert.getByText("3 moves of the link cannot be read.").waitFor();
  const words = (await alert.textContent()) ?? "";
  assert.match(words, /It may be cut off\. The move before is made\./);
  assert.deepEqual(await madeMoves(page), ["JS:4>1"]);
  await page.reload();
  await ready(page);
  assert.deepEqual(await madeMoves(page), ["JS:4>1"], "the game goes on from there");
  assert.equal(await alert.count(), 0);
  for (const bad of ["#v1/standard", "#v2/standard/klondike:5", "#chapter-2"]) {
    await page.goto(host.url + bad);
    await alert.getByText("This page cannot read the link.").waitFor();
    assert.deepEqual(await madeMoves(page), ["JS:4>1"]);
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  await page.goto(whole);
  await page.locator('.ply[data-at="5"]').waitFor();
  assert.equal(await alert.count(), 0);
  await page.goto(`${whole}/extra`);
  await alert.getByText("1 move of the link cannot be read.").waitFor();
  await page.locator('.ply[data-at="5"]').waitFor();
  await context.close();
});

test("a text that is too long is refused in words, pasted or from a file", async () => {
  const { page, close } = await visit(browser, host.url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  const field = page.getByLabel("A deal or a position, in any of the formats");
  const whole = `klondike:5${"\n".repeat(60_000)}`;
  await field.fill(`klondike:5 ${"x".repeat(60_000)}`);
  const body = page.locator(".dialog-body");
  assert.ok(await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  await page.getByText(/^The text has 60,011 characters; a deal .* at most 60,000\.$/).waitFor();
  await page.locator("dialog input[type=file]").setInputFiles({
    name: "long.txt",
    mimeType: "text/plain",
    buffer: Buffer.from(whole),
  });
  await page.getByText(/^The file has 60,010 bytes; a deal .* at most 60,000\.$/).waitFor();
  assert.ok(await page.getByRole("button", { name: "Play this deal" }).isDisabled());
  await page.locator("dialog input[type=file]").setInputFiles({
    name: "short.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("klondike:5"),
  });
  await page.getByText("Recognised: a number of a scheme.").waitFor();
  await close();
});

test("a broken link says what is wrong and the page goes on", async () => {
  const { page, context } = await visit(browser, host.url);
  await page.goto(`${host.url}#v1/standard/klondike:nonsense`);
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "New deal", exact: true }).click();
  await otherDeal(page, "klondike:784");
  assert.equal(await page.getByRole("alert").count(), 0);
  await context.close();
});
