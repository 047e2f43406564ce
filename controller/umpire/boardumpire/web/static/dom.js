// Small tools for the document. Styles are set as properties only: the page's policy allows no inline style.

import { listen, patch } from "/patch.js";
import { _, called, machines, seat } from "/words.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("button.main", {onclick, "aria-label": "..."}, "text", child)`. */
export function h(what, attributes = {}, ...children) {
  return dressed(document.createElement(what.split(".")[0]), what, attributes, children);
}

/** The same in SVG. */
export function s(what, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, what.split(".")[0]), what, attributes, children);
}

function dressed(element, what, attributes, children) {
  const classes = what.split(".").slice(1);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined),
  );
}

/** Show what `make` makes, only when it changed. `key` says what it depends on. */
const shown = new WeakMap();
export function refill(element, key, make) {
  const text = JSON.stringify([key, called]);
  if (shown.get(element) === text) return;
  shown.set(element, text);
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const had = element.contains(focused) ? focused.dataset.key : null;
  patch(
    element,
    [make()].flat(Infinity).filter((child) => child !== null && child !== undefined),
  );
  if (had && !focused.isConnected)
    element.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus({ preventScroll: true });
}

/** What is asked of a person now: on a phone it stays in sight, and the board takes the room that it leaves. */
export function actionBar(...children) {
  const bar = h("div.now", {}, ...children);
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--bar", `${Math.ceil(bar.getBoundingClientRect().height)}px`),
  ).observe(bar);
  return bar;
}

/** The element of the page with that id. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** What people call a seat, and that the machine plays it. */
export function named(word) {
  const name = word ? (called[word] ?? seat(word[0].toUpperCase() + word.slice(1))) : "";
  const level = machines[word];
  return level === undefined
    ? name
    : /^\d+$/.test(level)
      ? _("{seat} (machine, level {n})", { seat: name, n: level })
      : _("{seat} (machine)", { seat: name });
}

/** Ask before something that can't be undone. */
export function sure(question, yes, no = _("Cancel")) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      {
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        h("div.row", {}, h("button", { value: "no" }, no), h("button.danger", { value: "yes" }, yes)),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Ask for a line of text. */
export function askFor(question, value, yes) {
  return new Promise((resolve) => {
    const field = h("input", { type: "text", value, maxlength: 40, "aria-label": question });
    const dialog = h(
      "dialog",
      {
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === "yes" ? field.value.trim() : null);
        },
      },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, question),
        field,
        h(
          "div.row",
          {},
          h("button", { value: "no", type: "button", onclick: () => dialog.close("no") }, _("Cancel")),
          h("button.main", { value: "yes" }, yes),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}

let clearing = 0;
/** Say something for a moment, also to those who listen; with a button it stays while somebody is about to press that. */
export function toast(text, kind = "", button = null) {
  const box = document.getElementById("toast") ?? h("div", { id: "toast", role: "status" });
  if (!box.isConnected) document.body.append(box);
  fill(box, h(`p${kind ? `.${kind}` : ""}`, {}, text, button ? [" ", button] : null));
  clearTimeout(clearing);
  const clear = () => {
    if (box.matches(":hover, :focus-within")) clearing = setTimeout(clear, 1000);
    else fill(box);
  };
  clearing = setTimeout(clear, button ? 15000 : 5000);
}

/** Has a sheet of styles that only some pages need; until it is there. A page that was saved has its own. @param {string} path */
export async function styled(path) {
  if (document.querySelector(`[data-sheet="${path}"]`)) return;
  await new Promise((there) => {
    const told = { onload: there, onerror: there };
    document.head.append(h("link", { rel: "stylesheet", href: path, "data-sheet": path, ...told }));
  });
}
