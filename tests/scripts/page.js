// Lets node read the page's scripts: "/name.js" is what the page serves by that name, "/game/ID/name.js" what a game
// brings, and `about` what it came with.

import { register } from "node:module";

const ROOTS = ["controller/umpire/boardumpire/web/static", "sim/simulator/boardsim/page/static"].map(
  (folder) => new URL(`../../${folder}/`, import.meta.url).href,
);
const GAMES = Object.fromEntries(
  Object.entries({ "escape-from-colditz": "colditz", "fall-of-the-fuhrer": "fuhrer" }).map(
    ([game, folder]) => [
      game,
      new URL(`../../controller/rules/boardrules/${folder}/page/`, import.meta.url).href,
    ],
  ),
);
const hooks = `
import { existsSync } from "node:fs";
const ROOTS = ${JSON.stringify(ROOTS)};
const GAMES = ${JSON.stringify(GAMES)};
export async function resolve(name, context, next) {
  const [, game, own] = /^\\/game\\/([\\w-]+)\\/(\\w+\\.js)$/.exec(name) ?? [];
  if (!game && !/^\\/\\w+\\.js$/.test(name)) return next(name, context);
  const places = game ? [new URL(own, GAMES[game])] : ROOTS.map((root) => new URL(name.slice(1), root));
  const found = places.find((url) => existsSync(url));
  return { url: found.href, format: "module", shortCircuit: true };
}
export async function load(url, context, next) {
  return next(url, [...ROOTS, ...Object.values(GAMES)].some((root) => url.startsWith(root)) ? { ...context, format: "module" } : context);
}
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

/** One of the page's scripts, with what the page came with in its element `about`. */
export async function script(name, about = { words: {}, language: "en" }) {
  globalThis.location ??= /** @type {any} */ ({ pathname: "/", search: "", hash: "" });
  globalThis.document ??= { getElementById: () => ({ textContent: JSON.stringify(about) }) };
  return import(`/${name}.js`);
}
