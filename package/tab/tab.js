// The umpire in a worker, and the screen of a seat in a frame: what the screen asks of a server goes to the worker.
//
// A page from a folder (`file:`) may fetch nothing, has no service worker and loads no module. So every file comes
// as a script that holds it in base64, and the screen's document is put together here: its modules are blobs, its
// styles stand in it, and `location`, `fetch` and `WebSocket` are those below.

"use strict";

const GAME = "stratego-quick-duel";
const MACHINES = { blue: "2" };
const HOST = "127.0.0.1";
const ORIGIN = `http://${HOST}`;
const NOWHERE = "about:screen"; // the frame's base address: what no script takes over resolves to nothing
const MODULE = "screen:"; // before the path of a module
const OWN_SCRIPT = /"(\/(?:[\w-]+\/)*[\w-]+\.js)"/g;
const OWN_STYLE = /"(\/(?:[\w-]+\/)*[\w-]+\.css)"/g;

/** The files of this folder in base64, compressed: `files/*.js` put them there. @type {Record<string, string>} */
const packed = globalThis.boardumpireFiles;

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("screen"));
const cut = /** @type {HTMLButtonElement} */ (document.getElementById("cut"));
const about = /** @type {HTMLElement} */ (document.getElementById("about"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const say = (text) => (state.textContent = text);

/** One of the folder's files. @param {string} name */
async function file(name) {
  const bytes = Uint8Array.from(atob(packed[name]), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The way to the worker. */
class Umpire extends EventTarget {
  #worker;
  #answers = new Map();
  #sockets = new Map();
  #cookies = new Map();
  #count = 0;

  constructor(worker) {
    super();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#heard(data);
  }

  /** Ask for a path: status, headers and body of the answer. */
  request(method, path, headers = {}, text = "") {
    const id = ++this.#count;
    const sent = { ...this.#headers(), ...headers };
    this.#worker.postMessage({ ask: "request", id, method, path, headers: sent, text });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  /** Cut the power of the board; it is back after some seconds. */
  cut() {
    this.#worker.postMessage({ ask: "cut" });
  }

  open(socket, path) {
    const id = ++this.#count;
    this.#sockets.set(id, socket);
    this.#worker.postMessage({ ask: "open", id, path, headers: this.#headers() });
    return id;
  }

  say(id, text) {
    this.#worker.postMessage({ ask: "say", id, text });
  }

  close(id) {
    this.#worker.postMessage({ ask: "close", id });
    this.#sockets.delete(id);
  }

  /** Hang up all: their screen goes. */
  closeAll() {
    for (const id of [...this.#sockets.keys()]) this.close(id);
  }

  /** Keep a cookie. @param {string} text  as a header or a script sets it */
  keep(text) {
    const [name, value] = text.split(";")[0].split("=");
    this.#cookies.set(name, value);
  }

  #headers() {
    const cookies = [...this.#cookies].map((pair) => pair.join("="));
    return {
      "accept-language": navigator.languages.join(","),
      ...(cookies.length ? { cookie: cookies.join("; ") } : {}),
    };
  }

  #heard({ told, id, socket, text, code, status, headers, body }) {
    if (told === "answer") {
      for (const [name, value] of headers) if (name === "set-cookie") this.keep(value);
      this.#answers.get(id)({ status, headers, body });
      this.#answers.delete(id);
    } else if (socket === undefined) {
      this.dispatchEvent(new CustomEvent(told, { detail: text }));
    } else {
      this.#sockets.get(socket)?.heard(told, text, code);
      if (told === "close") this.#sockets.delete(socket);
    }
  }
}

/** A screen's `WebSocket`. */
class TabSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;

  readyState = TabSocket.CONNECTING;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror = null;
  #id;

  constructor(url) {
    this.#id = umpire.open(this, url.slice(url.indexOf(HOST) + HOST.length));
  }

  send(text) {
    umpire.say(this.#id, text);
  }

  close() {
    if (this.readyState >= TabSocket.CLOSING) return;
    umpire.close(this.#id);
    this.heard("close", "", 1005);
  }

  heard(told, text, code) {
    if (told === "open") this.readyState = TabSocket.OPEN;
    if (told === "close") this.readyState = TabSocket.CLOSED;
    this[`on${told}`]?.({ type: told, data: text, code, reason: text });
  }
}

/** A screen's `fetch`. */
async function answered(path, { method = "GET", headers = {}, body = "" } = {}) {
  const answer = await umpire.request(method, path, headers, body);
  const empty = method === "HEAD" || [204, 304].includes(answer.status);
  return new Response(empty ? null : answer.body, { status: answer.status, headers: answer.headers });
}

const textOf = async (path) => (await answered(path)).text();

/** A screen's `location`. */
function placeOf(path) {
  const { pathname, search, hash } = new URL(path, ORIGIN);
  return {
    protocol: "http:",
    host: HOST,
    hostname: HOST,
    origin: ORIGIN,
    href: ORIGIN + path,
    pathname,
    search,
    hash,
    assign: (there) => show(there),
    replace: (there) => show(there),
    reload: () => show(path),
  };
}

/** All that some scripts name, and what those name, by its path. */
async function named(pattern, texts, read) {
  const found = new Map();
  const waiting = [...texts];
  while (waiting.length) {
    for (const [, path] of waiting.pop().matchAll(pattern)) {
      if (found.has(path)) continue;
      found.set(path, await read(path));
      waiting.push(found.get(path));
    }
  }
  return found;
}

/** Show the page of a path in the frame. */
async function show(path, method = "GET") {
  let answer = await umpire.request(method, path);
  while (answer.status === 303) {
    path = answer.headers.find(([name]) => name === "location")[1];
    answer = await umpire.request("GET", path);
  }
  umpire.closeAll();
  const page = new DOMParser().parseFromString(new TextDecoder().decode(answer.body), "text/html");
  await dress(page);
  globalThis.screenOf = { location: placeOf(path), fetch: answered, WebSocket: TabSocket };
  frame.srcdoc = `<!doctype html>${page.documentElement.outerHTML}`;
  frame.onload = () => take(frame.contentDocument);
}

/** Put into a document what it would ask for. */
async function dress(page) {
  for (const link of page.querySelectorAll("link:not([rel=stylesheet], [rel=icon])")) link.remove();
  for (const image of page.querySelectorAll("img")) {
    image.src = `data:image/svg+xml,${encodeURIComponent(await textOf(image.getAttribute("src")))}`;
  }
  const begins = [...page.querySelectorAll("script[type=module]")];
  const starts = begins.map((script) => `"${script.getAttribute("src")}"`);
  const sees = page.getElementById("about")?.textContent ?? "";
  const scripts = await named(OWN_SCRIPT, [...starts, sees], textOf);
  const styles = await named(OWN_STYLE, [...scripts.values(), sees], textOf);
  for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
    styles.set(link.getAttribute("href"), await textOf(link.getAttribute("href")));
    link.remove();
  }
  for (const [path, text] of styles) page.head.append(made("style", { "data-sheet": path }, text));
  const imports = {};
  for (const [path, text] of scripts) {
    const own = text.replace(OWN_SCRIPT, `"${MODULE}$1"`);
    const blob = new Blob([`const { location } = screenOf;${own}`], { type: "text/javascript" });
    imports[MODULE + path] = URL.createObjectURL(blob);
  }
  for (const script of begins) script.remove();
  page.head.prepend(
    made("base", { href: NOWHERE }),
    made("script", {}, "var { screenOf } = parent; var { fetch, WebSocket } = screenOf;"),
    made("script", { type: "importmap" }, JSON.stringify({ imports })),
  );
  for (const start of starts) {
    page.head.append(made("script", { type: "module" }, `import ${start.replace("/", `${MODULE}/`)};`));
  }
}

function made(kind, attributes, text = "") {
  const found = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  found.textContent = text;
  return found;
}

/** Follow links and forms of the screen, and keep its cookies. */
function take(screen) {
  Object.defineProperty(screen, "cookie", {
    get: () => "",
    set(text) {
      umpire.keep(text);
    },
  });
  screen.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    const there = link.getAttribute("href").replace(ORIGIN, "");
    if (there.startsWith("#")) screen.getElementById(there.slice(1))?.scrollIntoView();
    else if (link.hasAttribute("download")) save(there);
    else if (there.startsWith("/")) show(there);
  });
  screen.addEventListener("submit", (event) => {
    if (event.target.method === "dialog") return;
    event.preventDefault();
    show(event.target.getAttribute("action") ?? globalThis.screenOf.location.pathname, "POST");
  });
}

/** Save a file of the umpire's on this device. */
async function save(path) {
  const body = await (await answered(path)).blob();
  const link = made("a", { href: URL.createObjectURL(body), download: path.split("/").at(-1) });
  link.click();
}

/** @type {Umpire} */
let umpire;

async function main() {
  const names = Object.keys(packed);
  const bytes = await Promise.all(names.map(file));
  const files = Object.fromEntries(names.map((name, at) => [name, bytes[at]]));
  const script = new TextDecoder().decode(files["worker.js"]);
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(script)}`, { type: "module" });
  umpire = new Umpire(worker);
  worker.onerror = ({ message }) => say(`This browser can't run it: ${message}`);
  umpire.addEventListener("failed", ({ detail }) => say(`It failed: ${detail}`));
  umpire.addEventListener("loaded", () => say("Opening the board …"));
  umpire.addEventListener("link", ({ detail }) => {
    show(detail, "POST").then(() => {
      say("");
      about.hidden = true;
      frame.hidden = false;
      cut.disabled = false;
    });
  });
  cut.onclick = () => {
    umpire.cut();
    say("The power is off. In two seconds it is back, and the journal tells how far the game was.");
    setTimeout(() => say(""), 6000);
  };
  say("Loading Python …");
  worker.postMessage({ files, game: GAME, machines: MACHINES });
}

main().catch((error) => say(`This browser can't run it: ${error}`));
