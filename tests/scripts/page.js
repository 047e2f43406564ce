// Lets node read the page's scripts: "/name.js" is what the page serves by that name, and `about` what it came with.

import { register } from "node:module";

const ROOTS = ["controller/umpire/boardumpire/web/static", "sim/simulator/boardsim/page/static"].map(
  (folder) => new URL(`../../${folder}/`, import.meta.url).href,
);
const hooks = `
import { existsSync } from "node:fs";
const ROOTS = ${JSON.stringify(ROOTS)};
export async function resolve(name, context, next) {
  if (!/^\\/\\w+\\.js$/.test(name)) return next(name, context);
  const found = ROOTS.map((root) => new URL(name.slice(1), root)).find((url) => existsSync(url));
  return { url: found.href, format: "module", shortCircuit: true };
}
export async function load(url, context, next) {
  return next(url, ROOTS.some((root) => url.startsWith(root)) ? { ...context, format: "module" } : context);
}
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

/** One of the page's scripts, with what the page came with in its element `about`. */
export async function script(name, about = { words: {}, language: "en" }) {
  globalThis.document ??= { getElementById: () => ({ textContent: JSON.stringify(about) }) };
  return import(`/${name}.js`);
}
