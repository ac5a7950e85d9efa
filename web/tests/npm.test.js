// The npm package as somebody installs it: packed, installed into an empty folder, used and typed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../npm/", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "klondike-npm-"));

before(() => {
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: source,
    encoding: "utf8",
  });
  const archive = packed.trim().split("\n").at(-1) ?? "";
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  execFileSync(
    "npm",
    ["install", "--silent", "--no-audit", "--no-fund", "--offline", join(folder, archive)],
    { cwd: folder },
  );
});

after(() => rmSync(folder, { recursive: true }));

/** What a program in the folder prints. @param {string} program */
function run(program) {
  writeFileSync(join(folder, "program.js"), program);
  return JSON.parse(execFileSync("node", ["program.js"], { cwd: folder, encoding: "utf8" }));
}

test("the program of its README runs", () => {
  const [, program] =
    /```js\n([^]*?)```/.exec(readFileSync(join(source, "README.md"), "utf8")) ?? [];
  writeFileSync(join(folder, "readme.js"), program);
  const printed = execFileSync("node", ["readme.js"], { cwd: folder, encoding: "utf8" });
  assert.match(printed, /^winnable 9H:3>1 draw/);
});

test("a lost deal is proved, and the checker accepts it and nothing else", () => {
  const seen = run(`
    import { check, explain, prove } from "klondike-solver";
    const { certificate } = await prove("klondike:37");
    const good = await check(certificate);
    const bad = await check(certificate.replace(/.{4}$/, "AAAA"));
    const text = await check("@@@").catch((error) => error.name);
    const { waits } = await explain("klondike:37");
    const seen = { good: good.verified, verdict: good.verdict, bad: bad.verified, text };
    console.log(JSON.stringify({ ...seen, waits: waits.length }));`);
  const text = "KlondikeError";
  assert.deepEqual(seen, { good: true, verdict: "unwinnable", bad: false, text, waits: 10 });
});

test("questions take rules, moves, limits and progress, and errors have help", () => {
  const seen = run(`
    import { KlondikeError, analyse, generate, grade, position, solve } from "klondike-solver";
    let heard = 0;
    const onProgress = () => heard++;
    await solve("klondike:784", { goal: "shortest", limits: { time_ms: 700 }, onProgress });
    const { deals } = await generate({ count: 2, grade: [1, 2], rules: "draw1" });
    const after = await position("klondike:1", { moves: "draw*2", rules: { draw: 1 } });
    const { moves } = await analyse("klondike:784");
    const { grade: hard } = await grade("klondike:5");
    const error = await solve("klondike:x").catch((problem) => problem);
    console.log(JSON.stringify({
      heard: heard > 0,
      deals: deals.length,
      waste: after.board.waste.length,
      moves: moves.length,
      hard,
      error: error instanceof KlondikeError && error.message.includes("x"),
    }));`);
  assert.deepEqual(seen, { heard: true, deals: 2, waste: 2, moves: 5, hard: 9, error: true });
});

test("no error of a listener is lost, and no seed is taken for another", () => {
  const seen = run(`
    import { generate, solve } from "klondike-solver";
    const onProgress = () => { throw new RangeError("of the page"); };
    const limits = { time_ms: 700 };
    const thrown = await solve("klondike:784", { goal: "shortest", limits, onProgress })
      .catch((error) => error.message);
    const seed = await generate({ from: { seed: 2 ** 53 } }).catch((error) => error.name);
    console.log(JSON.stringify({ thrown, seed }));`);
  assert.deepEqual(seen, { thrown: "of the page", seed: "KlondikeError" });
});

test("a certificate comes as bytes of either kind, and all else is refused in words", async () => {
  const seen = run(`
    import { check, explain, generate, prove, solve } from "klondike-solver";
    const { certificate } = await prove("klondike:37");
    const { buffer } = Uint8Array.from(atob(certificate), (char) => char.charCodeAt(0));
    const good = (await check(buffer)).verified;
    const wrong = [];
    const refused = (work) =>
      work.then(() => wrong.push("taken"), ({ name, message, help = "" }) => {
        if (name !== "KlondikeError") wrong.push(message);
        return message + help;
      });
    for (const value of [5, [1], {}, null, undefined]) await refused(check(value));
    for (const time_ms of [Infinity, NaN])
      await refused(solve("klondike:1", { limits: { time_ms } }));
    for (const options of [null, 5, []]) {
      for (const ask of [solve, explain]) await refused(ask("klondike:1", options));
      await refused(generate(options));
    }
    const text = await refused(check(5));
    const states = await refused(solve("klondike:1", { limits: { states: NaN } }));
    console.log(JSON.stringify({ good, wrong, text, states }));`);
  assert.deepEqual([seen.good, seen.wrong], [true, []]);
  assert.match(seen.text, /Uint8Array or ArrayBuffer/);
  assert.match(seen.states, /^`states`: NaN/);
});

test("the package has types", () => {
  writeFileSync(
    join(folder, "program.ts"),
    `
    import { check, solve, type Line, type Verdict } from "klondike-solver";
    const { verdict, solution } = await solve("klondike:1", { rules: { draw: 1 } });
    const known: Verdict = verdict;
    const line: Line | undefined = solution;
    const [move] = line?.moves ?? [];
    // @ts-expect-error a redeal has no card
    const card: string = move.card;
    const drawn: boolean | undefined = move.reversed;
    const waste: string[] | undefined = move.board?.waste;
    await check(new ArrayBuffer(1));
    // @ts-expect-error there is no such goal
    await solve("klondike:1", { goal: "longest" });
    console.log(known, line?.text, card, drawn, waste);`,
  );
  execFileSync(
    tsc,
    ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "program.ts"],
    { cwd: folder, stdio: "pipe" },
  );
});
