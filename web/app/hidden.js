/** @param {import("./app.js").App} _app */
export async function advise(_app) {}
