// Starts the page.

import { h, render } from "./vendor/preact.js";
import { createApp } from "./app/app.js";
import { openFirst, openLink } from "./app/deals.js";
import { startAnalysis } from "./app/analysis.js";
import { startLight } from "./app/light.js";
import { startTasks } from "./app/tasks.js";
import { startPlayback } from "./app/playback.js";
import { startEngine } from "./engine/index.js";
import { watchTheme } from "./view/theme.js";
import { loadCards } from "./view/sprite.js";
import { Page } from "./view/app.js";

/** The game goes on from the link's position, and a reload keeps it. @param {boolean} opened */
function leaveLink(opened) {
  if (opened) history.replaceState(null, "", location.pathname + location.search);
}

const app = createApp(
  startEngine(),
  () => localStorage,
  () => sessionStorage,
);
startLight(app);
startTasks(app);
startAnalysis(app);
startPlayback(app);
watchTheme(app);
void loadCards();
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
page.replaceChildren();
render(h(Page, { app }), page);
void openFirst(app, location.hash).then(leaveLink);
addEventListener("hashchange", () => void openLink(app, location.hash).then(leaveLink));
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register("sw.js").catch(() => undefined);
