// The board, drawn from the board file: spaces, lamps, pieces. Knows places and looks, no rules and no hands.

import { h, s } from "./dom.js";

const TRAY = 46;
const FACES = { B: "bomb", F: "flag" };
const CREST = "M0-9 8-5 8 2Q8 8 0 11-8 8-8 2L-8-5Z";
const SIGN = { "may-go": "•", "may-attack": "✕", put: "▾", take: "▴", asks: "?", refused: "!", lifted: "○" };

/** What people call a rank. */
export const RANKS = {
  10: "Marshal", 9: "General", 8: "Colonel", 7: "Major", 6: "Captain", 5: "Lieutenant", 4: "Sergeant", 3: "Miner",
  2: "Scout", S: "Spy", B: "Bomb", F: "Flag", "?": "hidden",
};

export class Board extends EventTarget {
  #printed; #turned; #spaces = new Map(); #glows = new Map(); #signs = new Map(); #pieces = new Map();
  #legend; #drag = null; #focus; #trays = { near: false, far: false }; #marks = {}; #places = new Map();

  constructor(printed, turned) {
    super();
    this.#printed = printed;
    this.#turned = turned;
    this.#legend = new Map(printed.legend.map((entry) => [entry.mark, entry]));
    const [width, height] = printed.size;
    this.svg = s("svg.board", { role: "group", "aria-label": printed.name });
    this.layers = Object.fromEntries(["print", "glow", "hints", "tray", "touch", "signs", "pieces"].map((name) =>
      [name, s(`g.layer-${name}`, name === "pieces" || name === "signs" ? { "aria-hidden": "true" } : {})]));
    this.svg.append(defs(), s("rect.frame", { x: 0, y: 0, width, height, rx: 9 }), ...Object.values(this.layers));
    this.#print();
    this.setTrays(false, false);
    this.#listen();
  }

  get size() { return this.#printed.size; }

  /** Where a place of the board file is drawn: the seat's own side is below. */
  at({ x, y }) {
    const [width, height] = this.#printed.size;
    return this.#turned ? { x: width - x, y: height - y } : { x, y };
  }

  place(space) { return this.#places.get(space); }

  #print() {
    for (const space of this.#printed.spaces) {
      const { x, y } = this.at(space);
      this.#places.set(space.id, { x, y });
      for (const slot of space.slots) this.#places.set(slot.id, this.at(slot));
      const box = { x: x - space.w / 2, y: y - space.h / 2, width: space.w, height: space.h };
      const round = space.shape === "ellipse" ? { rx: space.w / 2, ry: space.h / 2 } : { rx: 2.5 };
      const odd = Math.round(space.x / space.w + space.y / space.h) % 2 ? "odd" : "even";
      this.layers.print.append(s(`rect.space.${odd}.outline-${space.outline}`, { ...box, ...round }));
      if (space.outline === "lake") {
        this.layers.print.append(s("path.wave", { d: `M${x - 15} ${y - 6}q5-5 10 0t10 0 10 0M${x - 15} ${y + 6}q5-5 10 0t10 0 10 0` }));
      }
      const inset = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 };
      this.#glow(space.id, s("rect.glow", { ...inset, ...round }));
      const sign = s("text.sign", { x: x + space.w / 2 - 7, y: y - space.h / 2 + 11 });
      this.#signs.set(space.id, sign);
      this.layers.signs.append(sign);
      const touch = s("rect.touch", { ...box, ...round, tabindex: -1, role: "button", "data-space": space.id });
      this.#spaces.set(space.id, touch);
      this.layers.touch.append(touch);
    }
    for (const lamp of this.#printed.lamps) {
      const { x, y } = this.at(lamp);
      this.layers.print.append(s("rect.socket", { x: x - 22, y: y - 2.2, width: 44, height: 4.4, rx: 2.2 }));
      this.#glow(lamp.id, s("rect.glow.bar", { x: x - 22, y: y - 2.2, width: 44, height: 4.4, rx: 2.2 }));
    }
    this.#letter();
    this.#focus = this.#printed.spaces[0].id;
    this.#spaces.get(this.#focus).setAttribute("tabindex", 0);
  }

  /** Names in the corners of the edge where spaces are called by column and row, else under each space. */
  #letter() {
    const columns = new Map(), rows = new Map();
    for (const space of this.#printed.spaces) {
      const { x, y } = this.at(space);
      const corner = { x, y, left: x - space.w / 2 + 5.5, top: y - space.h / 2 + 9, low: y + space.h / 2 - 3, right: x + space.w / 2 - 5.5 };
      const found = /^([a-z]+)(\d+)$/.exec(space.id);
      if (!found || this.#printed.spaces.length < 16) {
        this.layers.print.append(s("text.name", { x, y: y + space.h / 2 - 3 }, space.name));
        continue;
      }
      if (!columns.has(found[1]) || columns.get(found[1]).y < y) columns.set(found[1], corner);
      if (!rows.has(found[2]) || rows.get(found[2]).x > x) rows.set(found[2], corner);
    }
    for (const [text, { right, low }] of columns) this.layers.print.append(s("text.edge", { x: right, y: low }, text));
    for (const [text, { left, top }] of rows) this.layers.print.append(s("text.edge", { x: left, y: top }, text));
  }

  #glow(id, shape) {
    this.#glows.set(id, shape);
    this.layers.glow.append(shape);
  }

  /** Whether there is room for pieces beside the board, on this side and on the other. */
  setTrays(near, far) {
    const [width, height] = this.#printed.size;
    this.#trays = { near, far };
    const top = far ? TRAY : 0;
    this.svg.setAttribute("viewBox", `-2 ${-2 - top} ${width + 4} ${height + 4 + top + (near ? TRAY : 0)}`);
    this.svg.classList.toggle("trayed", near || far);
  }

  /** The n-th place beside the board. */
  beside(near, place, count) {
    const [width, height] = this.#printed.size;
    const gap = Math.min(38, (width - 30) / Math.max(1, count));
    return { x: width / 2 + (place - (count - 1) / 2) * gap, y: near ? height + TRAY / 2 + 1 : -TRAY / 2 - 1 };
  }

  // Lamps

  /** Lamps by what they mean; patterns move by style. */
  setMarks(marks, moving) {
    this.#marks = marks;
    for (const [id, shape] of this.#glows) {
      const entry = this.#legend.get((marks[id] ?? "").split("+")[0]);
      const pattern = entry && moving ? ` ${entry.class}` : "";
      if (moving) {
        shape.setAttribute("class", `glow${id.startsWith("turn-") ? " bar" : ""}${entry ? ` on${pattern}` : ""}`);
        shape.style.setProperty("--lamp", entry ? shade(entry.rgb) : "transparent");
        shape.style.opacity = "";
      }
      const sign = this.#signs.get(id);
      if (sign) sign.textContent = entry ? SIGN[entry.mark] ?? "" : "";
    }
  }

  /** Lamps as they were sent down the wire. */
  setLit(lit) {
    for (const [id, shape] of this.#glows) {
      const hex = lit[id];
      shape.setAttribute("class", `glow${id.startsWith("turn-") ? " bar" : ""}${hex ? " on" : ""}`);
      if (!hex) { shape.style.opacity = 0; continue; }
      const rgb = [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16));
      const bright = Math.max(...rgb);
      shape.style.setProperty("--lamp", shade(rgb.map((part) => (part * 255) / bright)));
      shape.style.opacity = 0.3 + 0.7 * Math.sqrt(bright / 255);
    }
  }

  /** Where exactly this seat may go: for its own screen. */
  setHints(spaces, chosen) {
    this.layers.hints.replaceChildren(...[...spaces].map((space) => {
      const { x, y } = this.place(space);
      return s("circle.hint", { cx: x, cy: y, r: 8 });
    }), ...(chosen && this.place(chosen) ? [s("rect.chosen", {
      x: this.place(chosen).x - 21, y: this.place(chosen).y - 21, width: 42, height: 42, rx: 4,
    })] : []));
  }

  // Pieces

  /** Pieces by `key`: `{key, seat, rank, x, y, is, small, badge}` in places of the drawing. */
  setPieces(pieces) {
    const gone = new Set(this.#pieces.keys());
    for (const piece of pieces) {
      gone.delete(piece.key);
      let drawn = this.#pieces.get(piece.key);
      const look = `${piece.seat} ${piece.rank} ${piece.is} ${piece.badge ?? ""} ${piece.draft ?? ""}`;
      if (!drawn) {
        drawn = { group: s("g.piece", { "data-piece": piece.key }), look: "", place: "" };
        this.#pieces.set(piece.key, drawn);
        this.layers.pieces.append(drawn.group);
      }
      if (drawn.look !== look) {
        drawn.look = look;
        drawn.group.setAttribute("class", `piece ${seatClass(piece.seat)} is-${piece.is}${piece.draft ? " draft" : ""}${this.#drag?.key === piece.key ? " led" : ""}`);
        drawn.group.replaceChildren(...face(piece));
      }
      const place = `translate(${piece.x.toFixed(1)}px, ${piece.y.toFixed(1)}px) scale(${piece.small ?? 1})${piece.is === "lies" ? " rotate(72deg)" : ""}`;
      if (drawn.place !== place && this.#drag?.key !== piece.key) {
        drawn.place = place;
        drawn.group.style.transform = place;
      }
      drawn.what = piece;
    }
    for (const key of gone) {
      if (this.#drag?.key === key && this.#drag.keep) continue;
      this.#pieces.get(key).group.remove();
      this.#pieces.delete(key);
    }
  }

  /** Words for those who listen: by space what stands there. */
  setWords(words) {
    for (const [id, touch] of this.#spaces) {
      const entry = this.#legend.get((this.#marks[id] ?? "").split("+")[0]);
      const text = [id, words[id] ?? "empty", entry?.means].filter(Boolean).join(", ");
      if (touch.getAttribute("aria-label") !== text) touch.setAttribute("aria-label", text);
    }
  }

  // Fingers and keys

  #point(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x, y };
  }

  /** A place of the drawing in mm from the lower left corner, as Red sees it. */
  mm({ x, y }) {
    const [width, height] = this.#printed.size;
    return this.#turned ? { x: width - x, y } : { x, y: height - y };
  }

  drawn({ x, y }) { return this.at({ x, y: this.#printed.size[1] - y }); }

  /** The space under a place of the drawing. */
  under({ x, y }) {
    for (const space of this.#printed.spaces) {
      const at = this.place(space.id);
      if (Math.abs(at.x - x) <= space.w / 2 && Math.abs(at.y - y) <= space.h / 2) return space.id;
    }
    return null;
  }

  #tell(kind, detail) { return this.dispatchEvent(new CustomEvent(kind, { detail, cancelable: true })); }

  #listen() {
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.#drag) return;
      const key = event.target.closest(".piece")?.dataset.piece ?? null;
      const at = this.#point(event);
      const space = this.under(at);
      if (key === null || !this.#tell("grab", { key, space, at, lift: event.shiftKey })) {
        this.#drag = { id: event.pointerId, key: null, start: at, space, far: false, since: performance.now() };
        return;
      }
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      const drawn = this.#pieces.get(key);
      drawn.group.classList.add("led");
      this.layers.pieces.append(drawn.group);
      this.#drag = { id: event.pointerId, key, start: at, at, space, far: false, keep: true, since: performance.now() };
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (this.#drag?.id !== event.pointerId) return;
      const at = this.#point(event);
      this.#drag.far ||= Math.hypot(at.x - this.#drag.start.x, at.y - this.#drag.start.y) > 5;
      if (this.#drag.key === null) return;
      this.#drag.at = at;
      if (!this.#drag.far) return;
      const drawn = this.#pieces.get(this.#drag.key);
      drawn.place = "";
      drawn.group.style.transform = `translate(${at.x}px, ${at.y}px) scale(1.12)`;
      this.#tell("lead", { key: this.#drag.key, at });
    });
    const end = (event, given) => {
      const drag = this.#drag;
      if (drag?.id !== event.pointerId) return;
      this.#drag = null;
      if (drag.key !== null) {
        const drawn = this.#pieces.get(drag.key);
        drawn.group.classList.remove("led");
        drawn.place = "";
        this.#tell("drop", { key: drag.key, at: drag.at, space: this.under(drag.at), far: drag.far && given });
      }
      if (!drag.far && given && performance.now() - drag.since < 600) this.#tell("choose", { space: drag.space, key: drag.key });
    };
    this.svg.addEventListener("pointerup", (event) => end(event, true));
    this.svg.addEventListener("pointercancel", (event) => end(event, false));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => {
      if (event.target.dataset?.space) this.#rove(event.target.dataset.space, false);
    });
  }

  #key(event) {
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#tell("choose", { space: this.#focus, key: null, keyboard: true });
    } else if (event.key === "Escape") {
      this.#tell("choose", { space: null, key: null });
    } else if (ways[event.key]) {
      event.preventDefault();
      const next = this.#towards(ways[event.key]);
      if (next) this.#rove(next, true);
    }
  }

  #towards([dx, dy]) {
    const here = this.place(this.#focus);
    let best = null;
    for (const space of this.#printed.spaces) {
      const { x, y } = this.place(space.id);
      const along = (x - here.x) * dx + (y - here.y) * dy;
      const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
      if (along > 1 && along >= aside && (!best || along + 2 * aside < best.far)) best = { id: space.id, far: along + 2 * aside };
    }
    return best?.id;
  }

  #rove(space, move) {
    this.#spaces.get(this.#focus).setAttribute("tabindex", -1);
    this.#focus = space;
    const touch = this.#spaces.get(space);
    touch.setAttribute("tabindex", 0);
    if (move) touch.focus();
  }
}

/** A colour that glows on a dark board: full blue and red are lightened. */
function shade([red, green, blue]) {
  const lift = 0.18;
  return `rgb(${[red, green, blue].map((part) => Math.round(part + (255 - part) * lift)).join(" ")})`;
}

export const seatClass = (seat) => (["red", "blue"].includes(seat) ? seat : "other");

function defs() {
  return s("defs", {},
    s("linearGradient", { id: "shine", x2: 0, y2: 1 },
      s("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.28 }),
      s("stop", { offset: 0.5, "stop-color": "#fff", "stop-opacity": 0.02 }),
      s("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0.26 })));
}

function face({ rank, is, badge }) {
  const parts = [
    s("rect.shade", { x: -16, y: -14, width: 32, height: 32, rx: 5 }),
    s("rect.block", { x: -16, y: -16, width: 32, height: 32, rx: 5 }),
    s("rect.shine", { x: -16, y: -16, width: 32, height: 32, rx: 5, fill: "url(#shine)" }),
  ];
  if (rank === undefined || rank === null || rank === "?") parts.push(s("path.crest", { d: CREST }));
  else if (FACES[rank] === "bomb") parts.push(s("circle.ink", { cy: 2, r: 7.5 }), s("path.fuse", { d: "M4-4Q7-9 11-10" }));
  else if (FACES[rank] === "flag") parts.push(s("path.ink", { d: "M-7-10H9L5-5 9 0H-4V11H-7Z" }));
  else parts.push(s("text.rank", { y: 6.6 }, String(rank)));
  if (badge) parts.push(s("circle.badge", { cx: 14, cy: -14, r: 7.5 }), s("text.count", { x: 14, y: -11 }, String(badge)));
  return parts;
}

/** A small piece for lists. */
export function chip(seat, rank, label) {
  return h("span.chip", { title: label ?? RANKS[rank] ?? rank, class: `chip ${seatClass(seat)}` }, rank === "?" ? "–" : String(rank));
}
