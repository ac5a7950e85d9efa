// Makes cards.svg, the sprite of all card faces, from the deck of Adrian Kennard (CC0).
//
// Only the parts are his: suit signs, rank letters, court figures. They are put together anew,
// since cards that overlap on a phone need their rank and suit in one line at the top. Every card
// comes in two faces: `KS` with pips or figure, and `KS-small` with large signs. Colours are
// classes, so that the style sheet decides them (four-colour deck).

import { readFile, writeFile } from "node:fs/promises";
import { optimize } from "svgo";

const root = new URL("..", import.meta.url);
const images = new URL("node_modules/@heruka_urgyen/react-playing-cards/src/images/2color/", root);

const SUITS = ["C", "D", "H", "S"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const COURT = ["J", "Q", "K"];

// A card is 240 wide and 336 high; the middle is at 120, 168.
const WIDTH = 240;
const HEIGHT = 336;

/**
 * Where the pips of each rank stand, from the middle of the card; the lower half stands on its
 * head.
 */
const [LEFT, RIGHT] = [-46, 46];
/** @type {Record<string, [number, number][]>} */
const PIPS = {
  2: [
    [0, -78],
    [0, 78],
  ],
  3: [
    [0, -78],
    [0, 0],
    [0, 78],
  ],
  4: [
    [LEFT, -78],
    [RIGHT, -78],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  5: [
    [LEFT, -78],
    [RIGHT, -78],
    [0, 0],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  6: [
    [LEFT, -78],
    [RIGHT, -78],
    [LEFT, 0],
    [RIGHT, 0],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  7: [
    [LEFT, -78],
    [RIGHT, -78],
    [0, -39],
    [LEFT, 0],
    [RIGHT, 0],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  8: [
    [LEFT, -78],
    [RIGHT, -78],
    [0, -39],
    [LEFT, 0],
    [RIGHT, 0],
    [0, 39],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  9: [
    [LEFT, -78],
    [RIGHT, -78],
    [LEFT, -26],
    [RIGHT, -26],
    [0, 0],
    [LEFT, 26],
    [RIGHT, 26],
    [LEFT, 78],
    [RIGHT, 78],
  ],
  T: [
    [LEFT, -78],
    [RIGHT, -78],
    [0, -52],
    [LEFT, -26],
    [RIGHT, -26],
    [LEFT, 26],
    [RIGHT, 26],
    [0, 52],
    [LEFT, 78],
    [RIGHT, 78],
  ],
};

/** @param {string} card */
const picture = (card) => readFile(new URL(`${card}.svg`, images), "utf8");

/** The path data inside the symbol of this name. @param {string} text @param {string} id */
function symbolPath(text, id) {
  const found = new RegExp(`<symbol id="${id}"[^>]*><path d="([^"]*)"`).exec(text);
  if (!found) throw new Error(`no symbol ${id}`);
  return found[1];
}

/**
 * A part, centred at x, y.
 * @param {string} part
 * @param {number} size
 * @param {number} x
 * @param {number} y
 */
function put(part, size, x, y, turned = false) {
  const place = `x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}"`;
  const turn = turned ? ` transform="rotate(180 ${x} ${y})"` : "";
  return `<use href="#${part}" ${place}${turn}/>`;
}

/** The six layers of a court figure, from the back: gold, red, blue, black, lines, fine lines. */
const LAYERS = ["gold", "red", "blue", "ink", "line", "hair"];

/** @param {string} text @param {string} suit @param {string} rank */
function figure(text, suit, rank) {
  const body = LAYERS.map((layer, index) => {
    const symbol = new RegExp(`<symbol id="${suit}${rank}${index + 1}"[^>]*>(.*?)</symbol>`).exec(
      text,
    );
    if (!symbol) throw new Error(`no layer ${index + 1} of ${rank}${suit}`);
    const paths = [...symbol[1].matchAll(/<path([^>]*) d="([^"]*)"/g)].map(
      ([, attributes, data]) => {
        const white = attributes.includes('fill="white"');
        return `<path class="k-${white ? "paper" : layer}" d="${data}"/>`;
      },
    );
    const signs = [...symbol[1].matchAll(/<use [^>]*height="(\d+)" transform="([^"]*)"/g)].map(
      ([, size, turn]) =>
        `<use href="#suit-${suit}" width="${size}" height="${size}" transform="${turn}"/>`,
    );
    return paths.join("") + signs.join("");
  });
  const box = `viewBox="0 0 1300 2000" preserveAspectRatio="none"`;
  return `<symbol id="figure-${rank}${suit}" ${box}>${body.join("")}</symbol>`;
}

/**
 * Rank and suit in one line at the top, and on its head at the bottom.
 * @param {string} rank
 * @param {string} suit
 */
function corners(rank, suit) {
  const corner = put(`rank-${rank}`, 52, 32, 35) + put(`suit-${suit}`, 38, 72, 35);
  return `${corner}<g transform="rotate(180 ${WIDTH / 2} ${HEIGHT / 2})">${corner}</g>`;
}

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  if (rank === "A") return put(`suit-${suit}`, 112, WIDTH / 2, HEIGHT / 2);
  if (COURT.includes(rank)) {
    const half = `<use href="#figure-${rank}${suit}" x="50" y="66" width="140" height="204"/>`;
    const turned = `<g transform="rotate(180 ${WIDTH / 2} ${HEIGHT / 2})">${half}</g>`;
    const frame = `<rect class="k-frame" x="50" y="66" width="140" height="204" rx="3"/>`;
    return half + turned + frame;
  }
  return PIPS[rank]
    .map(([x, y]) => put(`suit-${suit}`, 48, WIDTH / 2 + x, HEIGHT / 2 + y, y > 0))
    .join("");
}

/** @param {string} rank @param {string} suit */
function faces(rank, suit) {
  const box = `viewBox="0 0 ${WIDTH} ${HEIGHT}"`;
  const inside = middle(rank, suit) + corners(rank, suit);
  const full = `<symbol id="${rank}${suit}" ${box}>${inside}</symbol>`;
  const small =
    put(`rank-${rank}`, 92, 56, 62) +
    put(`suit-${suit}`, 84, 180, 60) +
    put(`suit-${suit}`, 168, 120, 226);
  return `${full}<symbol id="${rank}${suit}-small" ${box}>${small}</symbol>`;
}

async function sprite() {
  const parts = [];
  for (const suit of SUITS) {
    const data = symbolPath(await picture(`A${suit}`), `S${suit}A`);
    parts.push(
      `<symbol id="suit-${suit}" viewBox="-550 -550 1100 1100"><path d="${data}"/></symbol>`,
    );
  }
  for (const rank of RANKS) {
    const data = symbolPath(await picture(`${rank}S`), `VS${rank}`);
    parts.push(
      `<symbol id="rank-${rank}" viewBox="-550 -550 1100 1100">` +
        `<path class="k-stroke" d="${data}"/></symbol>`,
    );
  }
  for (const suit of SUITS) {
    for (const rank of COURT) parts.push(figure(await picture(rank + suit), suit, rank));
    for (const rank of RANKS) parts.push(faces(rank, suit));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
}

const { data } = optimize(await sprite(), {
  multipass: true,
  plugins: [
    { name: "convertPathData", params: { floatPrecision: 0 } },
    { name: "cleanupNumericValues", params: { floatPrecision: 1 } },
    { name: "convertTransform", params: {} },
  ],
});
await writeFile(new URL("cards.svg", root), `${data}\n`);
