// One state for the whole page, and who wants to hear of changes.

import { useEffect, useState } from "../vendor/hooks.js";

/**
 * @template T
 * @typedef {object} Store
 * @property {() => T} get
 * @property {(change: Partial<T> | ((state: T) => Partial<T>)) => void} set
 * @property {(listener: () => void) => () => void} subscribe
 */

/**
 * @template {object} T
 * @param {T} initial
 * @returns {Store<T>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...(typeof change === "function" ? change(state) : change) };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * The state in a component, which is drawn again with each change.
 * @template {object} T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [state, setState] = useState(store.get());
  useEffect(() => {
    const update = () => setState(store.get());
    update();
    return store.subscribe(update);
  }, [store]);
  return state;
}
