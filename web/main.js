// Starts the page.

import { h, render } from "./vendor/preact.js";
import { createApp } from "./app/app.js";
import { openFirst, openLink } from "./app/deals.js";
import { startAnalysis } from "./app/analysis.js";
import { leaveLink, startHistory } from "./app/history.js";
import { startLight } from "./app/light.js";
import { startTasks } from "./app/tasks.js";
import { startPlayback } from "./app/playback.js";
import { startEngine } from "./engine/index.js";
import { watchTheme } from "./view/theme.js";
import { loadCards } from "./view/sprite.js";
import { Page } from "./view/app.js";

const app = createApp(
  startEngine(),
  () => localStorage,
  () => sessionStorage,
);
startLight(app);
startTasks(app);
startAnalysis(app);
startPlayback(app);
startHistory(app);
watchTheme(app);
void loadCards();
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
page.replaceChildren();
render(h(Page, { app }), page);
const leave = (/** @type {boolean} */ opened) => opened && leaveLink();
void openFirst(app, location.hash).then(leave);
addEventListener("hashchange", () => void openLink(app, location.hash).then(leave));
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register("sw.js").catch(() => undefined);
