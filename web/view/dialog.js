// A dialog of the browser: it keeps the focus inside, and Escape closes it.

import { useEffect, useRef } from "../vendor/hooks.js";
import { Icon } from "./icons.js";
import { classes, html, useApp } from "./html.js";

/** @param {{ title: string, wide?: boolean, children?: any }} props */
export function Dialog({ title, wide = false, children }) {
  const app = useApp();
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const close = () => app.store.set({ dialog: null });
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => {
    if (event.target === ref.current) close();
  };
  return html`<dialog ref=${ref} class=${classes(wide && "wide")} aria-labelledby="dialog-title" onCancel=${close} onClick=${outside}>
    <div class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button class="icon-only" aria-label="Close" onClick=${close}><${Icon} name="close" /></button>
    </div>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}
