// Templates of the page, and the state at hand in all components.

import { createContext, h } from "../vendor/preact.js";
import { useContext } from "../vendor/hooks.js";
import htm from "../vendor/htm.js";

/** @typedef {import("../app/app.js").App} App */

export const html = htm.bind(h);

export const AppContext = createContext(/** @type {App | null} */ (null));

/** @returns {App} */
export const useApp = () => /** @type {App} */ (useContext(AppContext));

/** Joins the class names that apply. @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");
