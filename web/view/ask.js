// A button that asks a long question, and stops it while it runs.

import { stopTask } from "../app/tasks.js";
import { html, useApp } from "./html.js";

/** @typedef {import("../app/state.js").Task} Task */

/** What a question says that waits for its turn in the browser. */
const WAITS = "Waits for another question …";

/** What goes on while a task runs. @param {Task} task @param {string} busy */
export const busyWords = ({ progress }, busy) => (progress?.waits ? WAITS : busy);

/**
 * The button keeps its place and the focus, whatever it says.
 * @param {object} props
 * @param {string} props.name Of the task.
 * @param {Task | undefined} props.task
 * @param {() => void} props.ask
 * @param {boolean} [props.disabled] Whether there is nothing to ask.
 * @param {string} [props.title]
 * @param {string} [props.stop] What the button says while the question runs.
 * @param {any} [props.children] What the button says while nothing runs.
 */
export function Ask({ name, task, ask, disabled = false, title, stop = "Stop", children }) {
  const app = useApp();
  const running = task?.state === "running";
  return html`<button
    disabled=${disabled && !running}
    title=${title}
    onClick=${running ? () => stopTask(app, name) : ask}
  >
    ${running ? stop : children}
  </button>`;
}

/** What goes on while a task runs, or what went wrong. */
/** @param {{ task: Task | undefined, busy: string }} props */
export function Progress({ task, busy }) {
  if (task?.state === "running") return html`<p role="status">${busyWords(task, busy)}</p>`;
  return task?.state === "failed" && html`<p class="problem">${task.error}</p>`;
}
