// Long questions as tasks that the page shows: running with progress, done, failed, or stopped.

import { errorWords, isAbort } from "../engine/errors.js";
import { stepAt } from "../game/game.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./state.js").Task} Task */
/** @typedef {{ signal: AbortSignal, onProgress: (progress: any) => void }} Control */

/** The tasks that run, by name. @type {Map<string, AbortController>} */
const running = new Map();

/** Tasks about a position end with it. @param {App} app */
export function startTasks(app) {
  app.onPosition.push(() => {
    const { tasks, game } = app.store.get();
    const step = game ? stepAt(game).id : -1;
    const kept = Object.entries(tasks).filter(([, task]) => task.step === step || task.step === -1);
    const names = new Set(kept.map(([name]) => name));
    for (const [name, control] of running) if (!names.has(name)) control.abort();
    app.store.set({ tasks: Object.fromEntries(kept) });
  });
}

/**
 * Asks a long question and keeps its progress and answer as a task.
 * @param {App} app
 * @param {string} name
 * @param {Record<string, any> & { kind: string }} request
 * @param {{ whole?: boolean, lane?: import("../types.js").Lane }} [options]
 */
export const runTask = (app, name, request, { whole, lane = "long" } = {}) =>
  runWork(
    app,
    name,
    async (control) => {
      const engine = await app.engine;
      return engine.ask(request, { lane, ...control });
    },
    { whole },
  );

/**
 * Does work as a task that others see; work of the same name before it ends.
 * @param {App} app
 * @param {string} name
 * @param {(control: Control) => Promise<Record<string, any>>} work
 * @param {{ whole?: boolean }} [options] whole: it is about the deal, at any move
 */
export async function runWork(app, name, work, { whole = false } = {}) {
  running.get(name)?.abort();
  const control = new AbortController();
  running.set(name, control);
  const { game } = app.store.get();
  const step = whole || !game ? -1 : stepAt(game).id;
  const show = (/** @type {Partial<Task>} */ change) => {
    if (running.get(name) !== control || control.signal.aborted) return;
    app.store.set(({ tasks }) => ({
      tasks: { ...tasks, [name]: { name, state: "running", step, ...change } },
    }));
  };
  show({});
  try {
    const answer = await work({
      signal: control.signal,
      onProgress: (progress) => show({ progress }),
    });
    show({ state: "done", answer });
    return answer;
  } catch (error) {
    if (!isAbort(error)) show({ state: "failed", error: errorWords(error) });
    return null;
  } finally {
    if (running.get(name) === control) running.delete(name);
  }
}

/** What a task that is stopped has found so far stays. @param {App} app @param {string} name */
export function stopTask(app, name) {
  running.get(name)?.abort();
  const task = app.store.get().tasks[name];
  if (task?.state !== "running") return;
  app.store.set(({ tasks }) => ({ tasks: { ...tasks, [name]: { ...task, state: "stopped" } } }));
}
