// A worker and the questions that wait for it.
//
// The engine in a worker cannot be interrupted: to stop a question the worker is ended, and a fresh
// one answers the next. The compiled module is kept, so that takes a few milliseconds.

import { EngineError, EngineMissing } from "./errors.js";

/** @typedef {import("../types.js").Answer} Answer */

/**
 * @typedef {object} Job
 * @property {number} id
 * @property {object} message What is posted to the worker.
 * @property {(answer: Answer) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {(progress: Answer) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

export class WorkerLane {
  /**
   * @param {() => Worker} start Starts a worker that is ready for questions.
   * @param {string} name What the worker is, for errors.
   */
  constructor(start, name) {
    this.start = start;
    this.name = name;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Job[]} The first one runs. */
    this.jobs = [];
    this.next = 1;
  }

  /** Starts the worker before the first question. */
  warm() {
    this.worker ??= this.#listen(this.start());
  }

  /**
   * @param {object} message
   * @param {{ onProgress?: (progress: Answer) => void, signal?: AbortSignal }} [options]
   * @returns {Promise<Answer>}
   */
  ask(message, { onProgress, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const id = this.next;
      this.next += 1;
      const job = { id, message: { ...message, id }, resolve, reject, onProgress, signal };
      signal?.addEventListener("abort", () => this.#cancel(job), { once: true });
      this.jobs.push(job);
      if (this.jobs.length === 1) this.#run();
      else onProgress?.({ kind: "progress", states: 0, waits: true });
    });
  }

  #run() {
    const [job] = this.jobs;
    if (!job) return;
    this.warm();
    job.onProgress?.({ kind: "progress", states: 0 });
    this.worker?.postMessage(job.message);
  }

  /** @param {Worker} worker */
  #listen(worker) {
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // Without a question nobody hears of it: the first one starts a fresh worker.
      if (this.jobs.length === 0) this.#end();
      // A script that cannot be loaded fails without a message.
      const { message } = event;
      this.#hear({ id: this.jobs[0]?.id, ...(message ? { error: message } : { missing: "" }) });
    };
    return worker;
  }

  /** @param {import("./worker.js").FromWorker} data */
  #hear({ id, progress, answer, error, missing }) {
    const [job] = this.jobs;
    if (!job || job.id !== id) return;
    if (progress !== undefined) {
      job.onProgress?.(JSON.parse(progress));
      return;
    }
    this.jobs.shift();
    if (answer !== undefined) job.resolve(JSON.parse(answer));
    else {
      this.#end();
      job.reject(
        missing === undefined ? readError(error ?? "") : new EngineMissing(this.name, missing),
      );
    }
    this.#run();
  }

  /** @param {Job} job */
  #cancel(job) {
    const at = this.jobs.indexOf(job);
    if (at < 0) return;
    this.jobs.splice(at, 1);
    job.reject(job.signal?.reason);
    if (at > 0) return;
    this.#end();
    this.#run();
  }

  #end() {
    this.worker?.terminate();
    this.worker = null;
  }
}

/** A failed engine throws its answer as a text. @param {string} text */
function readError(text) {
  try {
    const { message, help } = JSON.parse(text);
    return new EngineError(message, help);
  } catch {
    return new EngineError(text || "The engine failed.");
  }
}
