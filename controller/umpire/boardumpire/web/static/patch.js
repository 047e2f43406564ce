// Puts what a panel shows now into what it showed before. Whatever is the same stays the very same element: with what
// was typed into it, whether it is open, how far it is scrolled, and the focus. So nobody loses anything of it because
// somebody else did something.

/** Where an element keeps what it does, by kind of event: a game's own script is sent with a copy of this one. */
const ACTS = Symbol.for("acts");
/** What is not taken over as an attribute: a person opens parts, and the page's policy allows no inline style. */
const APART = new Set(["open", "style"]);
/** @type {Map<string, boolean>} Which parts were open when they went: they come back so. */
const opened = new Map();

/** Have an element do something; what it did at such an event before, it does no more. */
export function listen(element, kind, act) {
  const acts = (element[ACTS] ??= {});
  if (!acts[kind]) element.addEventListener(kind, (event) => acts[kind](event));
  acts[kind] = act;
}

/**
 * Have `element` hold these nodes. An element with `data-whole` is always replaced; what is inside one with
 * `data-own` is its own affair.
 * @param {Element} element
 * @param {(Node | string)[]} nodes
 */
export function patch(element, nodes) {
  const old = [...element.childNodes];
  const kept = nodes.map((node) => {
    const place = old.findIndex((one) => alike(one, node));
    return place < 0 ? null : old.splice(place, 1)[0];
  });
  for (const gone of old) {
    for (const part of foldable(gone)) opened.set(part.dataset.part, part.open);
    gone.remove();
  }
  let next = element.firstChild;
  nodes.forEach((node, number) => {
    const had = kept[number];
    if (had) renew(had, node);
    else for (const part of foldable(node)) part.open = opened.get(part.dataset.part) ?? part.open;
    if (had && had === next) next = next.nextSibling;
    else element.insertBefore(had ?? asNode(node), next);
  });
}

/** Parts that can be opened, in a node. */
const foldable = (node) =>
  node.nodeType === 1
    ? [node, ...node.querySelectorAll("details[data-part]")].filter((one) =>
        one.matches("details[data-part]"),
      )
    : [];

const asNode = (node) => (typeof node === "string" ? document.createTextNode(node) : node);

/** By what an element is known among those beside it. */
const keyOf = (element) => element.dataset?.key ?? element.dataset?.part ?? element.id ?? "";

/** Whether what is there may become what is wanted. */
function alike(one, node) {
  if (typeof node === "string" || node.nodeType !== 1) return one.nodeType === 3;
  return (
    one.nodeType === 1 &&
    one.tagName === node.tagName &&
    keyOf(one) === keyOf(node) &&
    (keyOf(node) !== "" || one.classList[0] === node.classList[0]) &&
    one.type === node.type &&
    !("whole" in (node.dataset ?? {}))
  );
}

/** Have an element that stays be what is wanted now. */
function renew(had, node) {
  if (had.nodeType === 3) {
    const text = typeof node === "string" ? node : node.nodeValue;
    if (had.nodeValue !== text) had.nodeValue = text;
    return;
  }
  const before = { value: had.getAttribute("value"), checked: had.defaultChecked, chosen: preset(had) };
  for (const { name } of [...had.attributes])
    if (!node.hasAttribute(name) && !APART.has(name)) had.removeAttribute(name);
  for (const { name, value } of node.attributes)
    if (!APART.has(name) && had.getAttribute(name) !== value) had.setAttribute(name, value);
  if (had.style.cssText !== node.style.cssText) had.style.cssText = node.style.cssText;
  for (const [kind, act] of Object.entries(node[ACTS] ?? {})) listen(had, kind, act);
  const chosen = had.tagName === "SELECT" ? had.value : null;
  if (!("own" in (node.dataset ?? {})) && had.tagName !== "TEXTAREA") patch(had, [...node.childNodes]);
  entered(had, node, before, chosen);
}

/** What a person entered stays, unless the page itself wants something else there than it did. */
function entered(had, node, before, chosen) {
  if (had.tagName === "INPUT") {
    const wanted = node.getAttribute("value");
    if (wanted !== before.value && had.type !== "checkbox" && had.value !== wanted) had.value = wanted ?? "";
    if (node.defaultChecked !== before.checked) had.checked = node.defaultChecked;
  } else if (had.tagName === "SELECT") {
    const wanted = preset(node);
    if (wanted !== before.chosen) had.value = wanted;
    else if ([...had.options].some(({ value }) => value === chosen)) had.value = chosen;
  }
}

/** What a list has chosen for a person who has not. */
const preset = (list) =>
  list.tagName === "SELECT"
    ? ([...list.options].find((one) => one.defaultSelected) ?? list.options[0])?.value
    : null;
