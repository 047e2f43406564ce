// The board, drawn from the board file: spaces, lamps, pieces. Knows places and looks, no rules and no hands.

import { h, s } from "/dom.js";
import { meaning } from "/parts.js";
import { called, defs, face, seatClass } from "/pieces.js";
import { _ } from "/words.js";

const TRAY = 46;
const BLOCK = 32; // how wide a piece is drawn at scale 1
const FILLS = 0.85; // how much of a square a piece fills
const FAR = 0.6; // pixels a millimetre from which letters of a map have room ...
const DENSE = 1.2; // ... and those of lamps
const SMALL = 28; // of a mark: one that looks smaller calls for a look from nearer
const FINGER = 32; // pixels that a circle has to be wide to be touched ...
const POINTER = 24; // ... and to be clicked
const LETTERS = 14;
const A_ROW = 14;
const A_FEW_WAYS = 20; // a board with more is a map: to be looked at from near too
const LENSES = 46; // pixels that the buttons to zoom take, with the space below them
/** Whether this device looks at a board without two sides, such as a map, from the far one. */
const ROUND = "boardumpire turned";
const SIGN = {
  "may-go": "•",
  "may-attack": "✕",
  put: "▾",
  take: "▴",
  asks: "?",
  refused: "!",
  lifted: "○",
  token: "◇",
  "held-token": "◇",
  "is-here": "★",
  "not-here": "–",
};

export class Board extends EventTarget {
  #printed;
  #turned;
  #spaces = new Map();
  #glows = new Map();
  #signs = new Map();
  #pieces = new Map();
  #lensed;
  #scene;
  /** The scene, if it draws what is printed by itself. @type {any} */
  #ground;
  /** How a large board is looked at: `scale` pixels a millimetre, around a place; none: all of it. @type {{scale: number | null, x: number, y: number}} */
  #view = { scale: null, x: 0, y: 0 };
  /** By space how wide and high the place is that a finger has for it. @type {Map<string, {w: number, h: number}>} */
  #reach = new Map();
  /** How far apart circles are at least, in mm. */
  #pitch = Infinity;
  #touches = new Map();
  #legend;
  /**
   * What a finger or the keys have begun: on a piece (`key`), or on the board alone.
   * @type {{id?: number, key: string | null, start?: any, at?: any, space: any, far?: boolean, since?: number, keep?: boolean, keyboard?: boolean} | null}
   */
  #drag = null;
  #focus;
  #marks = {};
  #places = new Map();
  #looks = new Map();

  /**
   * @param {any} printed  what the board file says
   * @param {boolean} turned  whether the far side is below
   * @param {any} scene  what a game's own script draws and says (`scene.js`); most games have none
   */
  constructor(printed, turned, scene = null) {
    super();
    this.#printed = printed;
    this.#scene = scene;
    this.#ground = scene?.ground ? scene : null;
    const squares = this.#ground || printed.lines?.length ? [] : printed.spaces;
    const side = Math.min(...squares.map((space) => Math.min(space.w, space.h)));
    this.scale = this.#ground ? 0.68 : squares.length ? (FILLS * side) / BLOCK : 1;
    this.#frame = squares.length ? side / 2 - 1 : 21 * this.scale;
    this.#lensed = Boolean(this.#ground) || (printed.lines ?? []).length > A_FEW_WAYS;
    this.#turned = turned !== (this.#lensed && isRound());
    this.#legend = new Map(printed.legend.map((entry) => [entry.mark, entry]));
    const [width, height] = printed.size;
    this.svg = s("svg.board", {
      role: "group",
      "aria-label": scene?.title ?? _("The board"),
      tabindex: -1, // a browser stops at what listens for the keyboard's coming; its spaces are what it comes to
      preserveAspectRatio: "xMidYMin meet",
    });
    this.svg.classList.toggle("scene", Boolean(this.#ground));
    this.svg.classList.toggle("pictured", Boolean(printed.picture));
    this.layers = Object.fromEntries(
      ["print", "glow", "hints", "guide", "tray", "touch", "signs", "pieces"].map((name) => [
        name,
        s(`g.layer-${name}`, name === "pieces" || name === "signs" ? { "aria-hidden": "true" } : {}),
      ]),
    );
    this.tools = this.#lensed ? this.#lenses() : null;
    this.svg.append(
      defs(),
      s("rect.frame", { x: 0, y: 0, width, height, rx: 9 }),
      ...Object.values(this.layers),
    );
    if (printed.picture) this.#hang();
    if (this.#ground) this.layers.print.append(this.#ground.ground(this));
    this.#print();
    this.layers.print.append(...(scene?.print?.(this) ?? []));
    if (this.#ground) this.layers.print.append(this.#ground.signs(this));
    this.setTrays(false, false);
    this.element = h(printed.picture ? "div.view.mapped" : "div.view", {}, this.tools ?? "", this.svg);
    new ResizeObserver(() => this.#arrange()).observe(this.svg);
    this.#listen();
  }

  get size() {
    return this.#printed.size;
  }

  /** The buttons of the board, by id. */
  get buttons() {
    return this.#printed.buttons.map(({ id }) => id);
  }

  /** Where a place of the board file is drawn: the seat's own side is below. */
  at({ x, y }) {
    const [width, height] = this.#printed.size;
    return this.#turned ? { x: width - x, y: height - y } : { x, y };
  }

  place(space) {
    return this.#places.get(space);
  }

  /** Where the n-th piece of a space stands: in a slot of its own, where there are several. */
  stand(space, number) {
    return (number && this.#places.get(`${space}/${number + 1}`)) || this.place(space);
  }

  /** Draw what changes of the scene. */
  setScene(view) {
    this.#scene?.draw?.(this, view);
  }

  /** The picture of the whole board, which comes by itself and is kept by the browser. */
  #hang() {
    const [width, height] = this.#printed.size;
    const { picture, turned } = this.#printed; // a game that was saved brings both
    const href = this.#turned ? (turned ?? picture.replace(/\.svg$/, "-turned.svg")) : picture;
    this.layers.print.append(s("image", { href, width, height, preserveAspectRatio: "none" }));
  }

  #print() {
    this.#measure();
    const middles = new Map(this.#printed.spaces.map((space) => [space.id, this.at(space)]));
    for (const line of this.#ground || this.#printed.picture ? [] : (this.#printed.lines ?? [])) {
      const [one, other] = line.map((id) => middles.get(id));
      this.layers.print.append(s("line.way", { x1: one.x, y1: one.y, x2: other.x, y2: other.y }));
    }
    for (const space of this.#printed.spaces) {
      const { x, y } = this.at(space);
      this.#places.set(space.id, { x, y });
      for (const slot of space.slots) this.#places.set(slot.id, this.at(slot));
      const box = { x: x - space.w / 2, y: y - space.h / 2, width: space.w, height: space.h };
      const round = space.shape === "ellipse" ? { rx: space.w / 2, ry: space.h / 2 } : { rx: 2.5 };
      const odd = Math.round(space.x / space.w + space.y / space.h) % 2 ? "odd" : "even";
      if (!this.#ground || space.outline !== "circle")
        this.layers.print.append(s(`rect.space.${odd}.outline-${space.outline}`, { ...box, ...round }));
      if (space.slots.length > 4)
        this.layers.print.append(
          ...space.slots.map((slot) => s("circle.slot", { cx: this.at(slot).x, cy: this.at(slot).y, r: 9 })),
        );
      if (space.outline === "lake") {
        this.layers.print.append(
          s("path.wave", {
            d: `M${x - 15} ${y - 6}q5-5 10 0t10 0 10 0M${x - 15} ${y + 6}q5-5 10 0t10 0 10 0`,
          }),
        );
      }
      const inset = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4 };
      this.#glow(space.id, s("rect.glow", { ...inset, ...round }));
      const sign = s("text.sign", { x: x + space.w / 2 - 7, y: y - space.h / 2 + 11 });
      this.#signs.set(space.id, sign);
      if (!this.#ground) this.layers.signs.append(sign);
      const { w, h: high } = this.#reach.get(space.id) ?? space;
      const touch = s("rect.touch", {
        ...{ x: x - w / 2, y: y - high / 2, width: w, height: high },
        ...round,
        tabindex: -1,
        role: "button",
        "aria-label": space.name,
        "data-space": space.id,
      });
      this.#spaces.set(space.id, touch);
      this.layers.touch.append(touch);
    }
    for (const lamp of this.#printed.lamps) {
      const { x, y } = this.at(lamp);
      const [wide, high] = this.#printed.lines?.length ? [13, 13] : [30, 4.4];
      const box = { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 2 };
      this.layers.print.append(s("rect.socket", box));
      this.#glow(lamp.id, s(wide > high ? "rect.glow.bar" : "rect.glow", box));
      if (wide === high) this.layers.signs.append(s("text.lamp-name", { x, y: y + 2.6 }, lampName(lamp.id)));
    }
    this.#letter();
    this.#focus = this.#printed.spaces[0].id;
    this.#spaces.get(this.#focus).setAttribute("tabindex", 0);
  }

  /** Where a game draws its own ground a circle is touched anywhere in its cell, not on its print alone. */
  #measure() {
    const circles = this.#ground ? this.#printed.spaces.filter(({ outline }) => outline === "circle") : [];
    for (const one of circles)
      for (const other of circles)
        if (one !== other) this.#pitch = Math.min(this.#pitch, Math.hypot(one.x - other.x, one.y - other.y));
    for (const { id } of circles) this.#reach.set(id, { w: this.#pitch, h: this.#pitch });
  }

  /** Names on the frame where spaces are called by column and row (inside where it is narrow), else under each space. */
  #letter() {
    if (this.#ground || this.#printed.picture) return; // they bring their own
    const columns = new Map(),
      rows = new Map();
    for (const space of this.#printed.spaces) {
      const { x, y } = this.at(space);
      const left = x - space.w / 2,
        low = y + space.h / 2,
        framed = left >= LETTERS && this.#printed.size[1] - low >= LETTERS;
      const edge = framed
        ? { column: [x, low + 9.5], row: [left - 8.5, y + 4] }
        : { column: [x + space.w / 2 - 5.5, low - 3], row: [left + 5.5, y - space.h / 2 + 9] };
      const corner = { x, y, ...edge };
      const found = /^([a-z]+)(\d+)$/.exec(space.id);
      if (!found || this.#printed.spaces.length < 16) {
        const below = this.#printed.lines?.length ? 8 : -3;
        this.layers.signs.append(s("text.name", { x, y: y + space.h / 2 + below }, space.name));
        continue;
      }
      if (!columns.has(found[1]) || columns.get(found[1]).y < y) columns.set(found[1], corner);
      if (!rows.has(found[2]) || rows.get(found[2]).x > x) rows.set(found[2], corner);
    }
    for (const [
      text,
      {
        column: [x, y],
      },
    ] of columns)
      this.layers.print.append(s("text.edge", { x, y }, text));
    for (const [
      text,
      {
        row: [x, y],
      },
    ] of rows)
      this.layers.print.append(s("text.edge", { x, y }, text));
  }

  #glow(id, shape) {
    this.#glows.set(id, shape);
    this.#looks.set(id, " transparent ");
    if (!this.#ground) this.layers.glow.append(shape); // of many lamps those that have been lit are enough
  }

  /** Whether there is room for pieces beside the board, on this side and on the other. */
  setTrays(near, far) {
    this.#trays = [near, far];
    this.svg.classList.toggle("trayed", near || far);
    this.#arrange();
  }
  #trays = [false, false];
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  /** Whether the trays lie left and right of the board, where it is drawn larger so, not above and below it. */
  #aside = false;

  #arrange() {
    const [width, height] = this.#printed.size;
    const [near, far] = this.#trays.map((there) => (there ? TRAY : 0));
    const [wide, high] = [this.svg.clientWidth, this.svg.clientHeight];
    const fit = (across, down) => Math.min(wide / (width + 4 + across), high / (height + 4 + down));
    const aside = wide > high && fit(near + far, 0) > fit(0, near + far);
    const moved = aside !== this.#aside && near + far > 0;
    this.#aside = aside;
    const [left, top] = aside ? [far, 0] : [0, far];
    this.#whole = {
      ...{ x: -2 - left, y: -2 - top },
      width: width + 4 + (aside ? near + far : 0),
      height: height + 4 + (aside ? 0 : near + far),
    };
    const { style } = document.documentElement;
    const tall = this.#ground ? 2 : (height + 4 + near + far) / (width + 4); // what is looked at from near fills what there is
    style.setProperty("--tall", tall.toFixed(3));
    style.setProperty("--wide", ((width + 4 + near + far) / (height + 4)).toFixed(3));
    this.#look();
    if (moved) this.#tell("arrange", {});
  }

  // A large board is looked at through a lens

  /** Pixels a millimetre if all of it is seen. */
  #fit() {
    const { width, height } = this.#whole;
    const wide = this.svg.clientWidth || 800;
    return Math.min(wide / width, ((this.svg.clientHeight || Infinity) - this.#foot) / height);
  }

  /** Pixels below a board of which some circles would lie under the lenses. */
  get #foot() {
    return this.#ground ? LENSES : 0;
  }

  get #near() {
    return this.#view.scale !== null && this.#view.scale > this.#fit() * 1.01;
  }

  #look() {
    const { x, y } = this.#view,
      { width, height } = this.#whole;
    const fit = this.#fit(),
      scale = Math.max(fit, this.#view.scale ?? 0);
    const box = this.#lensed
      ? {
          width: (this.svg.clientWidth || 800) / scale,
          height: (this.svg.clientHeight || height * scale + this.#foot) / scale,
        }
      : { width, height };
    const within = (at, low, size, part) =>
      part >= size ? low + (size - part) / 2 : Math.min(Math.max(at - part / 2, low), low + size - part);
    box.x = within(x, this.#whole.x, width, box.width);
    box.y = within(y, this.#whole.y, height + this.#foot / scale, box.height);
    const seen = `${box.x} ${box.y} ${box.width} ${box.height}`;
    if (this.svg.getAttribute("viewBox") !== seen) this.svg.setAttribute("viewBox", seen);
    this.svg.classList.toggle("near", this.#near);
    const drawn = this.#lensed ? scale : this.#fit();
    this.svg.style.setProperty("--mm", (1 / drawn).toFixed(4)); // of the drawing, in a pixel: no letter is too small to be read
    this.svg.classList.toggle("far", this.#lensed && drawn < FAR);
    this.svg.classList.toggle("dense", this.#lensed && drawn < DENSE);
    this.#read(scale > 1.25);
  }

  #read(near) {
    this.svg.classList.toggle("read", near);
    if (!near || !this.#ground || this.#spots) return;
    this.#spots = this.#ground.spots(this);
    this.layers.print.append(this.#spots);
  }
  #spots = null;

  /** Look nearer (or from further away) at a place of the drawing. @param {number} factor @param {{x: number, y: number} | null} at */
  zoom(factor, at = null) {
    const fit = this.#fit(),
      old = Math.max(fit, this.#view.scale ?? 0),
      scale = Math.min(6 * fit, Math.max(fit, old * factor));
    const middle = this.#middle();
    const here = at ?? middle,
      keep = at ? old / scale : 1;
    this.#view = { scale, x: here.x + (middle.x - here.x) * keep, y: here.y + (middle.y - here.y) * keep };
    this.#look();
  }

  /** Look at this place, so near at least that a finger finds each circle. Where all of it is so large nothing changes, unless somebody has zoomed in elsewhere. A mouse finds small circles, too: once it has looked, only what is out of sight moves the board. */
  follow(at) {
    const mouse = matchMedia("(pointer: fine)").matches;
    const wide = mouse ? POINTER : FINGER;
    const needed = mouse && this.#view.scale ? 0 : (wide + 1) / this.#pitch;
    const large = this.#fit() >= needed;
    if (!this.svg.clientWidth || (large && (!this.#near || this.#sees(at)))) return;
    this.#view = { scale: Math.max(large ? 0 : needed, this.#view.scale ?? 0), x: at.x, y: at.y };
    this.#look();
  }

  /** Whether a place is in sight. */
  #sees({ x, y }) {
    const [left, top, wide, high] = this.#box();
    return x > left && x < left + wide && y > top && y < top + high;
  }

  /** What of the drawing is in sight. */
  #box() {
    return this.svg.getAttribute("viewBox").split(" ").map(Number);
  }

  #middle() {
    const [x, y, wide, high] = this.#box();
    return { x: x + wide / 2, y: y + high / 2 };
  }

  #pan(from, to) {
    const middle = this.#middle();
    this.#view = { ...this.#view, x: middle.x - (to.x - from.x), y: middle.y - (to.y - from.y) };
    this.#look();
  }

  #lenses() {
    const lens = (key, label, sign, act) =>
      h("button", { type: "button", "data-key": key, "aria-label": label, title: label, onclick: act }, sign);
    return h(
      "div.lenses",
      { role: "group", "aria-label": _("Zoom") },
      lens("nearer", _("Zoom in"), "+", () => this.zoom(1.5)),
      lens("further", _("Zoom out"), "−", () => this.zoom(1 / 1.5)),
      lens("whole", _("The whole board"), "▣", () => this.zoom(0)),
      lens("round", _("Turn the board"), "⟲", turnRound),
      this.#scene?.tools?.(lens) ?? [],
    );
  }

  /** The n-th place beside the board, and how large a piece is there: many lie in two rows. */
  beside(near, place, count) {
    const [width, height] = this.#printed.size;
    const [long, deep] = this.#aside ? [height, width] : [width, height];
    const rows = count > A_ROW ? 2 : 1,
      each = Math.ceil(count / rows),
      row = Math.floor(place / each);
    const here = Math.min(each, count - row * each);
    const gap = Math.min(38, (long - 24) / Math.max(1, each));
    const along = long / 2 + (place - row * each - (here - 1) / 2) * gap;
    const across = (near ? deep + TRAY / 2 + 1 : -TRAY / 2 - 1) + (rows > 1 ? (row - 0.5) * 22 : 0);
    const small = (rows > 1 ? 0.62 : Math.min(0.92, gap / 38)) / Math.max(1, this.scale);
    return this.#aside ? { x: across, y: along, small } : { x: along, y: across, small };
  }

  // Lamps

  /** Lamps by what they mean; patterns move by style. */
  setMarks(marks, moving) {
    this.#marks = marks;
    for (const id of this.#glows.keys()) {
      const entry = this.#legend.get((marks[id] ?? "").split("+")[0]);
      const pattern = entry && moving ? ` ${entry.class}` : "";
      if (moving) this.#light(id, entry ? ` on${pattern}` : "", entry ? shade(entry.rgb) : "transparent", "");
      const sign = this.#signs.get(id),
        word = entry ? (SIGN[entry.mark] ?? "") : "";
      if (sign && sign.textContent !== word) sign.textContent = word;
      if (word && sign && !sign.isConnected) this.layers.signs.append(sign);
    }
  }

  /** Lamps as they were sent down the wire. */
  setLit(lit) {
    for (const id of this.#glows.keys()) {
      const hex = lit[id];
      if (!hex) {
        this.#light(id, "", "transparent", "");
        continue;
      }
      const rgb = [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16));
      const bright = Math.max(...rgb);
      this.#light(
        id,
        " on",
        shade(rgb.map((part) => (part * 255) / bright)),
        0.3 + 0.7 * Math.sqrt(bright / 255),
      );
    }
  }

  /** One lamp; one that looks as before is left alone. */
  #light(id, how, colour, opacity) {
    const look = `${how} ${colour} ${opacity}`,
      shape = this.#glows.get(id);
    if (this.#looks.get(id) === look) return;
    this.#looks.set(id, look);
    if (!shape.isConnected) this.layers.glow.append(shape);
    shape.setAttribute("class", `glow${id.startsWith("turn-") ? " bar" : ""}${how}`);
    shape.style.setProperty("--lamp", colour);
    shape.style.opacity = opacity;
  }

  /**
   * For a seat's own screen: where exactly it may go, and where somebody may be by all that everybody knows.
   * @param {string[]} spaces
   * @param {string | null} chosen
   * @param {string[]} [possible]
   * @param {[string, string] | null} [way]  where the last piece went
   * @param {string[]} [own]  where this seat's pieces are set up
   * @param {string[]} [attacks]  those of `spaces` where it would attack or arrest
   * @param {boolean} [goes]  whether a piece may go to `spaces`; else something may be said of them
   */
  setHints(spaces, chosen, possible = [], way = null, own = [], attacks = [], goes = true) {
    const may = goes ? this.#legend.get("may-go")?.means : _("may be chosen");
    this.#goals = new Map(spaces.map((space) => [space, may]));
    for (const space of attacks) this.#goals.set(space, this.#legend.get("may-attack")?.means);
    const held = new Set([...this.#pieces.values()].map(({ what }) => what.space));
    const look = JSON.stringify([
      spaces,
      chosen,
      possible,
      way,
      own,
      attacks,
      spaces.filter((space) => held.has(space)),
    ]);
    if (this.#hinted === look) return;
    this.#hinted = look;
    const reach = 17.8 * this.scale,
      frame = this.#frame;
    const ends = [...(way ?? [])].filter((space) => this.place(space));
    const frames = (space) => {
      const { x, y } = this.place(space);
      return { x: x - frame, y: y - frame, width: 2 * frame, height: 2 * frame, rx: 4 };
    };
    this.layers.hints.replaceChildren(
      ...own.map((space) => s("rect.own", { ...frames(space), "data-own": space })),
      ...ends.map((space, end) =>
        s(end ? "rect.way-end" : "rect.way-start", { ...frames(space), "data-way": space }),
      ),
      ...spaces.map((space) => {
        const { x, y } = this.place(space);
        const kind = attacks.includes(space) ? "hint.attack" : "hint";
        if (held.has(space))
          return s(`rect.${kind}`, {
            x: x - reach,
            y: y - reach,
            width: 2 * reach,
            height: 2 * reach,
            rx: 6,
          }); // around it
        const size = Math.min(1, this.scale);
        return s(
          `g.${kind}`,
          {},
          ...[10, 6].map((r, inner) => s(inner ? "circle.dot" : "circle", { cx: x, cy: y, r: r * size })),
        );
      }),
      ...(chosen && this.place(chosen) ? [s("rect.chosen", frames(chosen))] : []),
      ...possible.map((space) =>
        s("circle.possible", { cx: this.place(space).x, cy: this.place(space).y, r: 14 }),
      ),
    );
    for (const [id, touch] of this.#spaces) {
      if (id === chosen) touch.setAttribute("aria-pressed", "true");
      else if (touch.hasAttribute("aria-pressed")) touch.removeAttribute("aria-pressed");
    }
  }

  #hinted = "";
  /** What is said of each space that is marked on this screen. @type {Map<string, string | undefined>} */
  #goals = new Map();
  /** Half of how wide the frame around a space is, in mm. */
  #frame = 21;

  /** Mark what somebody who learns is to touch now: the piece there, or the space. */
  setTouch(spaces) {
    const pieces = [...this.#pieces.values()].map(({ what }) => what);
    const spots = spaces
      .map((space) => ({ space, at: pieces.find((piece) => piece.space === space) ?? this.place(space) }))
      .filter(({ at }) => at)
      .map(({ space, at: { x, y } }) => ({ space, x, y }));
    const look = JSON.stringify(spots);
    if (this.#marked === look) return;
    this.#marked = look;
    const frame = 23 * this.scale,
      fit = this.#fit();
    this.layers.guide.replaceChildren(
      ...spots.map(({ space, x, y }) => {
        const box = { x: x - frame, y: y - frame, width: 2 * frame, height: 2 * frame, rx: 9 };
        return s("rect.touch-here", { ...box, "data-touch": space });
      }),
    );
    const [first] = spots;
    if (first && this.#lensed && !this.#ground && 2 * frame * fit < SMALL)
      this.zoom((2 * fit) / Math.max(fit, this.#view.scale ?? 0), first);
    else if (first) this.follow(first);
  }

  #marked = "[]";

  // Pieces

  /** Pieces by `key`: `{key, seat, rank, x, y, is, small, badge}` in places of the drawing. */
  setPieces(pieces) {
    const gone = new Set(this.#pieces.keys());
    for (const piece of pieces) {
      gone.delete(piece.key);
      let drawn = this.#pieces.get(piece.key);
      const look = `${piece.seat} ${piece.rank} ${piece.is} ${piece.badge ?? ""} ${piece.draft ?? ""} ${piece.moved} ${piece.known}`;
      if (!drawn) {
        drawn = { group: s("g.piece", { "data-piece": piece.key }), look: "", place: "" };
        this.#pieces.set(piece.key, drawn);
        this.layers.pieces.append(drawn.group);
      }
      if (drawn.look !== look) {
        drawn.look = look;
        drawn.group.setAttribute(
          "class",
          `piece ${seatClass(piece.seat)} is-${piece.is}${piece.draft ? " draft" : ""}${this.#drag?.key === piece.key ? " led" : ""}`,
        );
        drawn.group.replaceChildren(...face(piece));
      }
      const place = `translate(${piece.x.toFixed(1)}px, ${piece.y.toFixed(1)}px) scale(${((piece.small ?? 1) * this.scale).toFixed(3)})${piece.is === "lies" ? " rotate(72deg)" : ""}`;
      if (drawn.place !== place && this.#drag?.key !== piece.key) {
        drawn.place = place;
        drawn.group.style.transform = place;
      }
      drawn.what = piece;
    }
    for (const key of gone) {
      if (this.#drag?.keep && this.#drag.key === key) continue;
      this.#pieces.get(key).group.remove();
      this.#pieces.delete(key);
    }
  }

  /** Words for those who listen: by space what stands there. @param {any} words @param {boolean} [over]  whether the game is */
  setWords(words, over = false) {
    const names = new Map(this.#printed.spaces.map(({ id, name }) => [id, name]));
    const lakes = new Set(
      this.#printed.spaces.filter(({ outline }) => outline === "lake").map(({ id }) => id),
    );
    for (const [id, touch] of this.#spaces) {
      const entry = this.#legend.get((this.#marks[id] ?? "").split("+")[0]);
      const text = [
        this.#scene?.name?.(id) ?? names.get(id),
        words[id] ?? (lakes.has(id) ? _("a lake") : _("empty")),
        this.#goals.get(id),
        entry?.means === this.#goals.get(id) ? null : meaning(entry, over),
        this.#scene?.spoken?.(id, entry?.mark ?? "", this.#legend),
      ]
        .filter(Boolean)
        .join(", ");
      if (touch.getAttribute("aria-label") !== text) touch.setAttribute("aria-label", text);
    }
  }

  // Fingers and keys

  #point(event) {
    const matrix = this.svg.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x, y };
  }

  /** A place of the drawing in mm from the lower left corner, as Red sees it. */
  mm({ x, y }) {
    const [width, height] = this.#printed.size;
    return this.#turned ? { x: width - x, y } : { x, y: height - y };
  }

  drawn({ x, y }) {
    return this.at({ x, y: this.#printed.size[1] - y });
  }

  /** The space under a place of the drawing. */
  under({ x, y }) {
    for (const space of this.#printed.spaces) {
      const at = this.place(space.id),
        { w, h: high } = this.#reach.get(space.id) ?? space;
      if (Math.abs(at.x - x) <= w / 2 && Math.abs(at.y - y) <= high / 2) return space.id;
    }
    return null;
  }

  #tell(kind, detail) {
    return this.dispatchEvent(new CustomEvent(kind, { detail, cancelable: true }));
  }

  #listen() {
    this.svg.addEventListener("pointerdown", (event) => {
      if (this.#drag?.keyboard) this.#letGo(this.under(this.#drag.at));
      if (this.#pinched(event)) return;
      if (event.button !== 0 || this.#drag) return;
      const key = event.target.closest(".piece")?.dataset.piece ?? null;
      const at = this.#point(event);
      const stood = key === null ? null : this.#pieces.get(key)?.what.space;
      const space = stood ?? this.under(at); // a piece may look out over the edge of its place
      if (key === null || !this.#tell("grab", { key, space, at, lift: event.shiftKey })) {
        this.#drag = {
          id: event.pointerId,
          key: null,
          start: at,
          space,
          far: false,
          since: performance.now(),
        };
        return;
      }
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      const drawn = this.#pieces.get(key);
      drawn.group.classList.add("led");
      this.layers.pieces.append(drawn.group);
      this.#drag = {
        id: event.pointerId,
        key,
        start: at,
        at,
        space,
        far: false,
        keep: true,
        since: performance.now(),
      };
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (this.#pinches(event)) return;
      const drag = this.#drag;
      if (!drag || drag.id !== event.pointerId) return;
      const at = this.#point(event);
      drag.far ||= Math.hypot(at.x - drag.start.x, at.y - drag.start.y) > 5;
      if (drag.key === null) {
        if (drag.far && this.#near) this.#pan(drag.start, at);
        return;
      }
      drag.at = at;
      if (!drag.far) return;
      const drawn = this.#pieces.get(drag.key);
      drawn.place = "";
      drawn.group.style.transform = `translate(${at.x}px, ${at.y}px) scale(1.12)`;
      this.#tell("lead", { key: drag.key, at });
    });
    const end = (event, given) => {
      this.#touches.delete(event.pointerId);
      const drag = this.#drag;
      if (!drag || drag.id !== event.pointerId) return;
      this.#drag = null;
      if (drag.key !== null) {
        const drawn = this.#pieces.get(drag.key);
        drawn.group.classList.remove("led");
        drawn.place = "";
        this.#tell("drop", {
          key: drag.key,
          at: drag.at,
          space: this.under(drag.at),
          far: drag.far && given,
        });
      }
      if (!drag.far && given && performance.now() - (drag.since ?? 0) < 600)
        this.#tell("choose", { space: drag.space, key: drag.key });
    };
    this.svg.addEventListener("pointerup", (event) => end(event, true));
    this.svg.addEventListener("pointercancel", (event) => end(event, false));
    if (this.#lensed)
      this.svg.addEventListener(
        "wheel",
        (event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          this.zoom(Math.exp(-event.deltaY / 300), this.#point(event));
        },
        { passive: false },
      );
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => {
      if (event.target.dataset?.space) this.#rove(event.target.dataset.space, false);
    });
  }

  /** Two fingers on the board look nearer; what one of them had begun is left as it was. */
  #pinched(event) {
    if (!this.#lensed || event.pointerType !== "touch") return false;
    this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#touches.size < 2 || this.#drag?.key) return false;
    this.#drag = null;
    return true;
  }

  #pinches(event) {
    if (!this.#touches.has(event.pointerId)) return false;
    const others = [...this.#touches].filter(([id]) => id !== event.pointerId),
      before = this.#touches.get(event.pointerId);
    this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!others.length || this.#drag?.key) return false;
    const [, other] = others[0],
      far = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    this.zoom(
      far({ x: event.clientX, y: event.clientY }) / Math.max(1, far(before)),
      this.#point({ clientX: (event.clientX + other.x) / 2, clientY: (event.clientY + other.y) / 2 }),
    );
    return true;
  }

  /** Enter takes a piece and sets it down, arrows lead it (or the eye), Escape brings it home; Shift slides it. */
  #key(event) {
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const held = this.#drag?.keyboard ? this.#drag : null;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (held) this.#letGo(this.#focus);
      else if (!this.#drag && !this.#takeUp(this.#focus, !event.shiftKey))
        this.#tell("choose", { space: this.#focus, key: null });
    } else if (event.key === "Escape") {
      if (held) this.#letGo(held.space);
      else this.#tell("choose", { space: null, key: null });
    } else if (ways[event.key]) {
      event.preventDefault();
      const next = this.#towards(ways[event.key]);
      if (!next) return;
      this.#rove(next, true);
      if (held) this.#leadTo(next);
    }
  }

  #takeUp(space, lift) {
    const key = [...this.#pieces]
      .reverse()
      .find(([, { what }]) => what.space === space && what.is === "stands")?.[0];
    if (!key || !this.#tell("grab", { key, space, at: this.place(space), lift, keyboard: true }))
      return false;
    this.#drag = { key, space, at: this.place(space), keep: true, keyboard: true };
    this.#pieces.get(key).group.classList.add("led");
    this.layers.pieces.append(this.#pieces.get(key).group);
    return true;
  }

  #leadTo(space) {
    const drag = this.#drag,
      drawn = this.#pieces.get(drag?.key),
      at = this.place(space);
    if (!drag) return;
    drag.at = at;
    drawn.place = "";
    drawn.group.style.transform = `translate(${at.x}px, ${at.y}px) scale(1.12)`;
    this.#tell("lead", { key: drag.key, at });
  }

  #letGo(space) {
    const drag = this.#drag;
    if (!drag) return;
    if (space !== this.under(drag.at)) this.#leadTo(space);
    const { key, at } = drag;
    this.#drag = null;
    this.#pieces.get(key)?.group.classList.remove("led");
    this.#tell("drop", { key, at, space, far: true });
  }

  #towards([dx, dy]) {
    const here = this.place(this.#focus);
    /** @type {{id: string, far: number} | null} */
    let best = null;
    for (const space of this.#printed.spaces) {
      const { x, y } = this.place(space.id);
      const along = (x - here.x) * dx + (y - here.y) * dy;
      const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
      if (along > 1 && along >= aside && (!best || along + 2 * aside < best.far))
        best = { id: space.id, far: along + 2 * aside };
    }
    return best?.id;
  }

  #rove(space, move) {
    this.#spaces.get(this.#focus).setAttribute("tabindex", -1);
    this.#focus = space;
    const touch = this.#spaces.get(space);
    touch.setAttribute("tabindex", 0);
    if (move) touch.focus();
    if (move && this.#near) this.#pan(this.place(space), this.#middle());
  }
}

/** Whether this device turns such boards round; a device that keeps nothing doesn't. */
function isRound() {
  try {
    return localStorage.getItem(ROUND) === "yes";
  } catch {
    return false;
  }
}

/** Look from the other side: where its person sits, if the board lies between two. */
function turnRound() {
  localStorage.setItem(ROUND, isRound() ? "no" : "yes");
  location.reload();
}

/** What is printed beside a lamp: a number, or the first letter of what it stands for. */
function lampName(id) {
  const [what, which] = id.split("-");
  return { round: which, die: "⚀⚁⚂"[which - 1], ticket: "✈" }[what] ?? String(called(which))[0].toUpperCase();
}

/** A colour that glows on a dark board: full blue and red are lightened. */
function shade(/** @type {number[]} */ [red, green, blue]) {
  const lift = 0.18;
  return `rgb(${[red, green, blue].map((part) => Math.round(part + (255 - part) * lift)).join(" ")})`;
}
