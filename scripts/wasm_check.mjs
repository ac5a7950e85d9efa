// The page's engine gives the same verdicts as the command, and how long it takes: in Node, on
// solvitaire:1..300 with draw 3, one thread. Needs `scripts/wasm.sh` and a built command.
//
//     node scripts/wasm_check.mjs [COMMAND] [REPEATS]

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const folder = new URL("../target/web/", import.meta.url);
const { initSync, ask } = await import(new URL("klondike_wasm.js", folder));
initSync({ module: readFileSync(new URL("klondike_wasm_bg.wasm", folder)) });

const command = process.argv[2] ?? new URL("../target/release/klondike", import.meta.url).pathname;
const repeats = Number(process.argv[3] ?? 3);
const deals = Array.from({ length: 300 }, (_, index) => `solvitaire:${index + 1}`);

/** The verdicts and the microseconds of the searches alone, the least of all repeats. */
function native() {
  const out = execFileSync(command, ["--json", "solve", "--threads", "1", "solvitaire:1..300"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return out.trim().split("\n").map((line) => JSON.parse(line));
}

function wasm() {
  return deals.map((deal) => JSON.parse(ask(JSON.stringify({ kind: "solve", deal }), () => {})));
}

function measured(run) {
  let best = Infinity;
  let answers = [];
  for (let round = 0; round < repeats; round += 1) {
    answers = run();
    best = Math.min(best, answers.reduce((sum, answer) => sum + answer.microseconds, 0));
  }
  return { answers, seconds: best / 1e6 };
}

const [one, other] = [measured(native), measured(wasm)];
let different = 0;
for (const [index, answer] of one.answers.entries()) {
  const found = other.answers[index];
  const same =
    answer.deal === found.deal &&
    answer.verdict === found.verdict &&
    answer.states === found.states &&
    answer.solution?.text === found.solution?.text;
  if (!same) {
    different += 1;
    console.error(`${answer.deal}: ${answer.verdict} natively, ${found.verdict} in WebAssembly`);
  }
}
const ratio = (other.seconds / one.seconds).toFixed(2);
console.log(
  `300 deals: ${one.seconds.toFixed(3)} s natively, ${other.seconds.toFixed(3)} s in WebAssembly, ` +
    `ratio ${ratio}; ${different} answers differ`,
);
process.exit(different === 0 ? 0 : 1);
