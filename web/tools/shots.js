// Takes a picture of every state of the page at three sizes, light and dark: `npm run shots -- DIR
// [STATE]`.

import { mkdir } from "node:fs/promises";
import { STATES, stateUrl } from "../e2e/states.js";
import { startBrowser, startHost, visit } from "../e2e/support.js";

const SIZES = [
  { width: 360, height: 740, touch: true },
  { width: 800, height: 1100, touch: true },
  { width: 1600, height: 950, touch: false },
];

const [folder = "shots", only = ""] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const host = await startHost();
const browser = await startBrowser();
for (const state of STATES.filter(({ name }) => name.includes(only))) {
  for (const size of SIZES) {
    for (const dark of [false, true]) {
      const { page, context } = await visit(browser, stateUrl(host.url, state), {
        ...size,
        dark,
        settings: state.settings,
      });
      const file = `${folder}/${state.name}-${size.width}-${dark ? "dark" : "light"}.png`;
      try {
        await state.go?.(page);
        await page.screenshot({ path: file });
      } catch (error) {
        console.log(file, String(error).split("\n")[0]);
      }
      await context.close();
    }
  }
}
await browser.close();
await host.stop();
