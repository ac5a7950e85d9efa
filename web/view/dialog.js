// A dialog of the browser: it keeps the focus inside, and Escape closes it.

import { useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { errorWords } from "../engine/errors.js";
import { Icon } from "./icons.js";
import { classes, html, useApp } from "./html.js";

/**
 * Work that a dialog starts. Its error belongs into the dialog: what lies behind is out of reach.
 * @returns {[string, (work: () => Promise<void>) => Promise<void>]} The error, and what does work.
 */
export function useWork() {
  const [error, setError] = useState("");
  const start = async (/** @type {() => Promise<void>} */ work) => {
    setError("");
    try {
      await work();
    } catch (problem) {
      setError(errorWords(problem));
    }
  };
  return [error, start];
}

/** @param {{ error: string }} props */
export const Problem = ({ error }) =>
  error && html`<p class="problem" role="alert">${error}</p>`;

/**
 * @param {object} props
 * @param {string} props.title
 * @param {boolean} [props.wide]
 * @param {() => void} [props.onClose] The person closed it without an answer.
 * @param {any} [props.children]
 */
export function Dialog({ title, wide = false, onClose, children }) {
  const app = useApp();
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const close = () => {
    app.store.set({ dialog: null });
    onClose?.();
  };
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      // A dialog that opened this one is gone.
      const opener = before?.isConnected && before !== document.body ? before : null;
      const back = opener ?? document.querySelector(".board [tabindex='0']");
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => {
    if (event.target === ref.current) close();
  };
  return html`<dialog
    ref=${ref}
    class=${classes(wide && "wide")}
    aria-labelledby="dialog-title"
    onCancel=${close}
    onClick=${outside}
  >
    <div class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button class="icon-only" aria-label="Close" onClick=${close}>
        <${Icon} name="close" />
      </button>
    </div>
    <div class="dialog-body" tabindex="0">${children}</div>
  </dialog>`;
}
