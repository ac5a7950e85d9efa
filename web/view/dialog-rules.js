// The rules: a named set, or each rule by itself. The deal begins again under them.

import { useEffect, useState } from "../vendor/hooks.js";
import { STANDARD, differences, shortRules } from "../game/rules.js";
import { capital, rulesLabel, sentence } from "../game/words.js";
import { restart } from "../app/deals.js";
import { Dialog, Problem, useWork } from "./dialog.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {{ name: string, about: string, rules: Rules }} RuleSet */

/** @type {[string, string][]} */
const REDEALS = [
  ["unlimited", "Unlimited"],
  ["0", "None"],
  ["1", "1"],
  ["2", "2"],
  ["3", "3"],
  ["4", "4"],
  ["last-pass-by-ones", "Unlimited, then a last pass by ones"],
];
/** @type {[string, string][]} */
const RUNS = [
  ["partial", "Any part"],
  ["whole", "Whole runs only"],
  ["partial-if-played", "A part, if the next card goes up"],
];
/** @type {[string, string][]} */
const SPACES = [
  ["kings", "Kings"],
  ["any", "Any card"],
  ["nothing", "Nothing"],
];

/** @param {{ state: import("../app/state.js").State }} props */
export function RulesDialog({ state }) {
  const app = useApp();
  const current = state.game?.deal.rules ?? STANDARD;
  const [rules, setRules] = useState(current);
  const [sets, setSets] = useState(/** @type {RuleSet[]} */ ([]));
  const [error, start] = useWork();
  useEffect(() => {
    app.engine
      .then((engine) => engine.ask({ kind: "rule-sets" }, { lane: "quick" }))
      .then((answer) => setSets(answer.rule_sets ?? []))
      .catch(() => setSets([]));
  }, []);
  const change = (/** @type {Partial<Rules>} */ fields) => setRules({ ...rules, ...fields });
  const same = (/** @type {Rules} */ one, /** @type {Rules} */ other) =>
    JSON.stringify(differences(one)) === JSON.stringify(differences(other));
  const apply = () => start(() => restart(app, shortRules(rules)));
  const named = sets.find((set) => same(set.rules, rules));
  const pick = (/** @type {any} */ event) => {
    const found = sets.find(({ name }) => name === event.target.value);
    if (found) setRules(found.rules);
  };
  return html`<${Dialog} title="Rules">
    <label class="stack"
      ><span>Rule set</span>
      <select value=${named?.name ?? ""} onChange=${pick}>
        ${!named && html`<option value="">Your own</option>`}
        ${sets.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
      <small>${sentence(named?.about ?? "Rules as chosen below")}</small>
    </label>
    <div class="grid-two">
      <${Select}
        label="Cards drawn at once"
        value=${String(rules.draw)}
        options=${["1", "2", "3", "4", "5", "6"].map((n) => [n, n])}
        change=${(/** @type {string} */ value) =>
          // With one card there is no group to reverse.
          change({ draw: Number(value), ...(value === "1" && { reversed_groups: false }) })}
      />
      <${Select}
        label="Redeals"
        value=${String(rules.redeals)}
        options=${REDEALS}
        change=${(/** @type {string} */ value) =>
          change({ redeals: /^\d+$/.test(value) ? Number(value) : /** @type {any} */ (value) })}
      />
      <${Select}
        label="Runs that may move"
        value=${rules.runs}
        options=${RUNS}
        change=${(/** @type {string} */ value) => change({ runs: value })}
      />
      <${Select}
        label="An empty pile takes"
        value=${rules.spaces}
        options=${SPACES}
        change=${(/** @type {string} */ value) => change({ spaces: value })}
      />
    </div>
    <label class="switch">
      <input
        type="checkbox"
        checked=${rules.worrying_back}
        onChange=${() => change({ worrying_back: !rules.worrying_back })}
      />
      <span>Cards may come back from the foundations</span>
    </label>
    <label class="switch">
      <input
        type="checkbox"
        checked=${rules.reversed_groups}
        disabled=${rules.draw === 1}
        onChange=${() => change({ reversed_groups: !rules.reversed_groups })}
      />
      <span>The first card of each draw lies on top</span>
    </label>
    ${!named && html`<p class="quiet">${capital(rulesLabel(rules))}.</p>`}
    <${Problem} error=${error} />
    <button class="strong" disabled=${same(rules, current) || !state.game} onClick=${apply}>
      Begin this deal again under these rules
    </button>
  <//>`;
}

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.value
 * @param {[string, string][]} props.options
 * @param {(value: string) => void} props.change
 */
function Select({ label, value, options, change }) {
  const known = options.some(([option]) => option === value);
  return html`<label class="stack"
    ><span>${label}</span>
    <select value=${value} onChange=${(/** @type {any} */ event) => change(event.target.value)}>
      ${(known ? options : [[value, value], ...options]).map(
        ([option, text]) =>
          html`<option key=${option} value=${option}>${text}</option>`,
      )}
    </select>
  </label>`;
}
