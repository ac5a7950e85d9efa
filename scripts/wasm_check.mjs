// The page's engine gives the same answers as the native program, and how much longer it takes: in
// Node, on solvitaire:1..300 with draw 3, in processor time of one thread, the least of some
// repeats. Needs `scripts/wasm.sh` and
// `cargo build --release -p klondike-service --example ask`.
//
//     node scripts/wasm_check.mjs [PROGRAM] [REPEATS]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const folder = new URL("../target/web/", import.meta.url);
const { initSync, ask } = await import(new URL("klondike_wasm.js", folder));
initSync({ module: readFileSync(new URL("klondike_wasm_bg.wasm", folder)) });

const built = new URL("../target/release/examples/ask", import.meta.url).pathname;
const program = process.argv[2] ?? built;
const repeats = Number(process.argv[3] ?? 5);
const requests = Array.from({ length: 300 }, (_, index) =>
  JSON.stringify({ kind: "solve", deal: `solvitaire:${index + 1}` }),
);

/** The answers of the native program, and its seconds of the processor in user mode. */
function native() {
  const line = `TIMEFORMAT=%U; time "$0"`;
  const input = `${requests.join("\n")}\n`;
  const run = spawnSync("bash", ["-c", line, program], { encoding: "utf8", input, maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  const answers = run.stdout.trim().split("\n").map((text) => JSON.parse(text));
  return { answers, seconds: Number(run.stderr.trim()) };
}

function wasm() {
  const before = process.cpuUsage();
  const texts = requests.map((request) => ask(request, () => {}));
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
