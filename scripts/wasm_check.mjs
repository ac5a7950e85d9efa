// The page's engine gives the same answers as the command, and how much longer it takes: in Node, on
// solvitaire:1..300 with draw 3, in processor time of one thread, the least of some repeats.
// Needs `scripts/wasm.sh` and a built command.
//
//     node scripts/wasm_check.mjs [COMMAND] [REPEATS]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const folder = new URL("../target/web/", import.meta.url);
const { initSync, ask } = await import(new URL("klondike_wasm.js", folder));
initSync({ module: readFileSync(new URL("klondike_wasm_bg.wasm", folder)) });

const command = process.argv[2] ?? new URL("../target/release/klondike", import.meta.url).pathname;
const repeats = Number(process.argv[3] ?? 5);
const deals = Array.from({ length: 300 }, (_, index) => `solvitaire:${index + 1}`);

/** The answers of the command, and its seconds of the processor in user mode. */
function native() {
  const line = `TIMEFORMAT=%U; time "$0" --json solve --threads 1 solvitaire:1..300`;
  const run = spawnSync("bash", ["-c", line, command], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  const answers = run.stdout.trim().split("\n").map((text) => JSON.parse(text));
  return { answers, seconds: Number(run.stderr.trim()) };
}

function wasm() {
  const before = process.cpuUsage();
  const texts = deals.map((deal) => ask(JSON.stringify({ kind: "solve", deal }), () => {}));
  const seconds = process.cpuUsage(before).user / 1e6;
  return { answers: texts.map((text) => JSON.parse(text)), seconds };
}

function measured(run) {
  const rounds = Array.from({ length: repeats }, run);
  return { answers: rounds[0].answers, seconds: Math.min(...rounds.map((one) => one.seconds)) };
}

const [one, other] = [measured(native), measured(wasm)];
let different = 0;
for (const [index, answer] of one.answers.entries()) {
  const found = other.answers[index];
  const same = ["deal", "verdict", "states"].every((name) => answer[name] === found[name]);
  if (same && answer.solution?.text === found.solution?.text) continue;
  different += 1;
  console.error(`${answer.deal}: ${answer.verdict} natively, ${found.verdict} in WebAssembly`);
}
const ratio = (other.seconds / one.seconds).toFixed(2);
console.log(
  `300 deals: ${one.seconds.toFixed(3)} s natively, ${other.seconds.toFixed(3)} s in WebAssembly, ` +
    `ratio ${ratio}; ${different} answers differ`,
);
process.exit(different === 0 ? 0 : 1);
