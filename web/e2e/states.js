// Every state of the page, and how to get there. The tests of access and `npm run shots` use them.

import { dealUrl, openTab } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

/**
 * @typedef {object} PageState
 * @property {string} name
 * @property {string} [deal]
 * @property {string} [moves] As a link has them.
 * @property {Record<string, unknown>} [settings]
 * @property {(page: Page) => Promise<unknown>} [go]
 */

const BLOCKED = "klondike:37";
const LOST = { deal: "klondike:5", moves: "AC.5-F_7H.4-2_draw*2_TS.W-7_draw_draw*2" };

/** @param {Page} page @param {string} name */
async function openDialog(page, name) {
  const button = page.getByRole("button", { name, exact: true });
  if (!(await button.first().isVisible())) await page.getByRole("button", { name: "Menu" }).click();
  await button.locator("visible=true").first().click();
  await page.locator("dialog[open]").waitFor();
}

/** @type {PageState[]} */
export const STATES = [
  { name: "new" },
  {
    name: "playing",
    deal: "klondike:784",
    moves: "JS.4-1_QH.7-4_AC.7-F_draw*2",
    settings: { light: false },
    go: async (page) => {
      await page.keyboard.press("s");
      await page.getByText("Can be won.", { exact: true }).waitFor();
    },
  },
  {
    name: "picked-up",
    deal: "klondike:784",
    go: (page) => page.locator('[data-card="JS"]').click({ button: "right" }),
  },
  {
    name: "won",
    deal: "klondike:784",
    go: async (page) => {
      await page.keyboard.press("s");
      await page.getByRole("button", { name: /^Show( how)?$/ }).click();
      await page.getByRole("slider", { name: "Move" }).focus();
      await page.keyboard.press("End");
      await page.getByText(/^Won in \d+ moves\.$/).waitFor();
    },
  },
  {
    name: "lost",
    ...LOST,
    go: async (page) => {
      await page.keyboard.press("s");
      await page.getByText("Cannot be won any more since move 6.", { exact: true }).waitFor();
    },
  },
  {
    name: "explained",
    deal: BLOCKED,
    go: async (page) => {
      await page.keyboard.press("s");
      await page.getByRole("button", { name: "Why?" }).click();
      await page.getByText(/^The 8♠ in pile 3 waits/).waitFor();
    },
  },
  {
    name: "analysis",
    deal: "klondike:784",
    moves: "JS.4-1_QH.7-4_AC.7-F",
    go: async (page) => {
      await openTab(page, "Analyse");
      await page.getByRole("button", { name: "Judge every move" }).click();
      await page.getByRole("button", { name: "Grade it" }).click();
      await page.getByText("keeps the win").first().waitFor();
      await page.getByText(/^Grade 1 of 10/).waitFor();
    },
  },
  {
    name: "hidden",
    deal: "klondike:784",
    settings: { hidden: true },
    go: async (page) => {
      await openTab(page, "Hints");
      await page.getByRole("button", { name: "What would you play?" }).click();
      await page.locator(".chance").first().waitFor();
    },
  },
  {
    name: "share",
    deal: "klondike:784",
    moves: "draw*2",
    go: async (page) => {
      await openTab(page, "Share");
      await page.getByRole("img", { name: "The position as a picture" }).waitFor();
    },
  },
  {
    name: "error",
    deal: "klondike:nonsense",
  },
  {
    name: "dialog-new",
    go: (page) => page.getByRole("button", { name: "Choose a new deal" }).click(),
  },
  {
    name: "dialog-open",
    go: async (page) => {
      await openDialog(page, "Open");
      await page.getByRole("textbox").fill("stock: 8S 2D\n1: QD\n2: <KX> TD\n");
      await page.locator("mark").waitFor();
    },
  },
  {
    name: "dialog-enter",
    go: async (page) => {
      await openDialog(page, "Open");
      await page.getByRole("button", { name: "Enter card by card" }).click();
      for (const name of ["queen of diamonds", "ten of diamonds", "five of clubs"]) {
        await page.locator(".deck").getByRole("button", { name }).click();
      }
    },
  },
  {
    name: "dialog-enter-game",
    go: async (page) => {
      await openDialog(page, "Open");
      await page.getByRole("button", { name: "Enter card by card" }).click();
      await page.getByLabel("A game in progress").check();
      await page.locator(".enter-foundations button").nth(2).click();
      await page.locator(".deck").getByRole("button", { name: "two of hearts" }).click();
      await page.getByRole("button", { name: "one more card on the waste" }).click();
      for (const name of ["queen of diamonds", "ten of diamonds", "five of clubs"]) {
        await page.locator(".deck").getByRole("button", { name }).click();
      }
      await page.getByRole("button", { name: "one more face-up card on pile 3" }).click();
      await page.locator(".deck").getByRole("button", { name: "king of spades" }).click();
    },
  },
  { name: "dialog-rules", go: (page) => openDialog(page, "Rules") },
  { name: "dialog-settings", go: (page) => openDialog(page, "Settings") },
  { name: "dialog-keys", go: (page) => openDialog(page, "Keys") },
  { name: "four-colours", deal: "klondike:784", moves: "draw", settings: { fourColours: true } },
];

/** The address of a state. @param {string} url @param {PageState} state */
export function stateUrl(url, { deal, moves }) {
  if (!deal) return url;
  return dealUrl(url, deal) + (moves ? `/${moves}` : "");
}
