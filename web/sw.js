// Keeps the page for use without a network: files come from the network if it is there, so that a
// new version shows at once, and from the cache if it is not.

// The list is written by `npm run files`.
const FILES = [
  "./",
  "main.js",
  "types.js",
  "cards.svg",
  "icon.svg",
  "manifest.webmanifest",
  "app/analysis.js",
  "app/app.js",
  "app/deals.js",
  "app/hidden.js",
  "app/history.js",
  "app/keys.js",
  "app/light.js",
  "app/play.js",
  "app/playback.js",
  "app/proof.js",
  "app/share.js",
  "app/state.js",
  "app/store.js",
  "app/tasks.js",
  "engine/check-worker.js",
  "engine/check.js",
  "engine/errors.js",
  "engine/http.js",
  "engine/index.js",
  "engine/lane.js",
  "engine/wasm.js",
  "engine/worker.js",
  "game/advice.js",
  "game/board.js",
  "game/cards.js",
  "game/daily.js",
  "game/enter.js",
  "game/game.js",
  "game/link.js",
  "game/obstacles.js",
  "game/place.js",
  "game/rules.js",
  "game/save.js",
  "game/targets.js",
  "game/verdicts.js",
  "game/words.js",
  "style/base.css",
  "style/board.css",
  "style/dialog.css",
  "style/layout.css",
  "style/panel.css",
  "vendor/hooks.js",
  "vendor/htm.js",
  "vendor/preact.js",
  "view/app.js",
  "view/arrows.js",
  "view/ask.js",
  "view/board.js",
  "view/card.js",
  "view/controls.js",
  "view/cursor.js",
  "view/dialog-enter.js",
  "view/dialog-keys.js",
  "view/dialog-new.js",
  "view/dialog-open.js",
  "view/dialog-rules.js",
  "view/dialog-settings.js",
  "view/dialog-turned.js",
  "view/dialog.js",
  "view/dialogs.js",
  "view/drag.js",
  "view/header.js",
  "view/html.js",
  "view/icons.js",
  "view/layout.js",
  "view/light.js",
  "view/mini.js",
  "view/panel-explain.js",
  "view/panel-hidden.js",
  "view/panel-play.js",
  "view/panel-share.js",
  "view/panel-solve.js",
  "view/panel.js",
  "view/sprite.js",
  "view/theme.js",
  "view/won.js",
  "wasm/klondike_wasm.js",
  "wasm/klondike_wasm_bg.wasm",
  "wasm/klondike_wasm_check.js",
  "wasm/klondike_wasm_check_bg.wasm",
];

const CACHE = "klondike-1";

addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keepAll());
});

addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(dropOld());
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  event.respondWith(url.pathname.endsWith("/api/hello") ? hello(request) : fromNetwork(request));
});

/** A file that a server does not have (it needs no WebAssembly, say) is no reason to keep none. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((file) => cache.add(file).catch(() => undefined)));
  await /** @type {any} */ (globalThis).skipWaiting();
}

async function dropOld() {
  for (const name of await caches.keys()) {
    if (name.startsWith("klondike-") && name !== CACHE) await caches.delete(name);
  }
  await /** @type {any} */ (globalThis).clients.claim();
}

/** Without a network there is no server either. @param {Request} request */
async function hello(request) {
  try {
    return await fetch(request);
  } catch {
    return new Response('{"kind":"no-server"}', {
      headers: { "content-type": "application/json" },
    });
  }
}

/** @param {Request} request */
async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept =
      (await cache.match(request, { ignoreSearch: true })) ??
      // The page has other addresses, such as index.html.
      (request.mode === "navigate" && (await cache.match("./")));
    if (kept) return kept;
    throw error;
  }
}
