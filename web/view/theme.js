// Light or dark: as the person chose, or as the system has it.

/** @param {import("../app/app.js").App} app */
export function watchTheme(app) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const { theme } = app.store.get().settings;
    const dark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--page");
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour.trim());
  };
  apply();
  system.addEventListener("change", apply);
  let last = app.store.get().settings.theme;
  app.store.subscribe(() => {
    const { theme } = app.store.get().settings;
    if (theme === last) return;
    last = theme;
    apply();
  });
}
