// The castle drawn: grounds, rooms, walls, what is special about a circle, and over it what changes in a game.

import { h, s } from "/dom.js";
import { initial, seatClass } from "/pieces.js";
import { _, listed } from "/words.js";

const CELL = 30;
const HALF = CELL / 2;
const LETTER = 6.4; // how wide one of a room's name is at most

/** What is printed on a circle, by its kind, around its middle. */
const GLYPHS = {
  post: () => s("rect.post", { x: -13, y: -13, width: 26, height: 26, rx: 3 }),
  safe: () => s("circle.safe", { r: 12.5 }),
  searchlight: () => s("path.beam", { d: "M-15-15 15-15 0 3ZM-15 15 15 15 0 3Z" }),
  walkway: () => s("path.planks", { d: "M-15-10H15M-15-3H15M-15 4H15M-15 11H15" }),
  door: () => s("path.key", { d: "M-8 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M0 0H9M6 0v4M9 0v3" }),
  inspection: () => s("path.paper", { d: "M-6-8H6V8H-6ZM-3-4H3M-3 0H3M-3 4H1" }),
  target: () => s("g.goal", {}, s("circle", { r: 13 }), s("circle.inner", { r: 8 }), s("circle", { r: 3.5 })),
  car: () =>
    s("path.auto", {
      d: "M-10 3V-1L-6-2-4-6H4L6-2 10-1V3ZM-7 3a2.2 2.2 0 1 0 4.4 0M2.6 3a2.2 2.2 0 1 0 4.4 0",
    }),
};

/** What the signs of the map mean. @type {Record<string, string>} */
const PRINTED = {
  post: _("Guard post: any man here may be arrested; guards come here from Barracks"),
  safe: _("Safe circle: nobody can be arrested here"),
  searchlight: _("Searchlight: men may not stay here"),
  walkway: _("Walkway: guards may not stay here"),
  door: _("Door: you need a Key"),
  inspection: _("Inspection Point: you need a Pass"),
  target: _("Target: a man who reaches it with an Escape Kit has escaped"),
  car: _("Staff car: with its card, you drive out"),
  drop: _("Drop: you need a Rope, or two if it is marked 60"),
  wire: _("Wire: you need a Wire Cutter"),
  tunnel: _("Tunnel: you open it with its card"),
  arrow: _("From the cells: where men who leave Solitary start"),
};

/** By what a room shows, its sign. */
const SYMBOLS = {
  rope: "M-5-2a5 3 0 1 0 10 0a5 3 0 1 0-10 0M-5 1a5 3 0 0 0 10 0M5 1V6",
  key: "M-6 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M0 0H7M5 0v3M7 0v2",
  pass: "M-5-6H5V6H-5ZM-2-3H2M-2 0H2",
  cutter: "M-5-6 4 5M5-6-4 5M-5 7a2 2 0 1 0 .1 0M5 7a2 2 0 1 0 .1 0",
  food: "M-6 2a6 5 0 0 1 12 0ZM-7 4H7",
  documents: "M-6-5H3V7H-6ZM-3-7H6V5",
  compass: "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M-2 2 3-3",
  disguise: "M-6-2H6V0A3 3 0 0 1 0 0A3 3 0 0 1-6 0ZM-2 6q2 2 4 0",
};

const EQUIPMENT = ["rope", "key", "pass", "cutter"],
  KIT = ["food", "documents", "compass", "disguise"];

const glyph = (kind) => GLYPHS[kind]?.();
const badge = (kind, transform) =>
  s("g.badge-of", { transform }, s("circle", { r: 8 }), s("path.symbol", { d: SYMBOLS[kind] ?? "" }));

/** Floors by area and room, and walls where nobody goes from one circle to the next. */
export function ground(scenery, lines, at) {
  const cells = new Map(
    Object.entries(scenery.circles).map(([id, circle]) => [id, { ...circle, ...at(id) }]),
  );
  const by = new Map([...cells].map(([id, cell]) => [`${cell.x},${cell.y}`, id]));
  const linked = new Set(
    [
      ...lines,
      ...Object.values(scenery.tunnels).flatMap((way) => way.slice(1).map((id, place) => [way[place], id])),
    ].map((pair) => [...pair].sort().join()),
  );
  const floors = new Map(),
    walls = [],
    circles = []; // few large shapes: a phone draws them at once
  for (const [id, { x, y, area, room, is }] of cells) {
    const floor = `floor ${area}${room ? " room" : ""}${is.includes("appel") ? " appel" : ""}`;
    floors.set(floor, `${floors.get(floor) ?? ""}M${x - HALF} ${y - HALF}h${CELL}v${CELL}h-${CELL}z`);
    circles.push(`M${x - 11} ${y}a11 11 0 1 0 22 0a11 11 0 1 0-22 0`);
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ]) {
      const other = by.get(`${x + dx * CELL},${y + dy * CELL}`);
      if (other && (dx + dy < 0 || linked.has([id, other].sort().join()))) continue;
      const [mx, my] = [x + dx * HALF, y + dy * HALF];
      walls.push(`M${mx - dy * HALF} ${my - dx * HALF}L${mx + dy * HALF} ${my + dx * HALF}`);
    }
  }
  const far = lines
    .filter((pair) => pair.every((id) => cells.has(id)))
    .map((pair) => pair.map((id) => cells.get(id)))
    .filter(([one, other]) => Math.hypot(one.x - other.x, one.y - other.y) > CELL + 1);
  return s(
    "g.castle",
    {},
    [...floors].map(([kind, d]) => s("path", { class: kind, d })),
    s("path.ring", { d: circles.join("") }),
    s("path.wall", { d: walls.join("") }),
    far.map(([one, other]) => s("line.way", { x1: one.x, y1: one.y, x2: other.x, y2: other.y })),
  );
}

const SIGNED = ["door", "inspection", "target", "car"];

/** What circles are called; where a sign fills the circle, below that. */
export function spots(scenery, at, short) {
  return s(
    "g.castle",
    { "aria-hidden": "true" },
    Object.entries(scenery.circles).map(([id, { is }]) => {
      const signed = is.some((kind) => SIGNED.includes(kind));
      const { x, y } = at(id);
      return s(signed ? "text.spot.signed" : "text.spot", { x, y: y + (signed ? 16 : 2.6) }, short(id));
    }),
  );
}

/** What is special about circles, rooms by name, ways that take Equipment, tunnels. */
export function signs(scenery, at, name) {
  const drawn = [];
  for (const [id, { is }] of Object.entries(scenery.circles))
    for (const kind of is) if (GLYPHS[kind]) drawn.push(put(glyph(kind), at(id)));
  for (const way of Object.values(scenery.tunnels))
    drawn.push(s("polyline.tunnel", { points: way.map((id) => `${at(id).x},${at(id).y}`).join(" ") }));
  for (const [cells, circle] of Object.entries(scenery.arrows))
    drawn.push(arrow(at(cells), at(circle), "arrow"));
  for (const [upper, lower, feet] of scenery.crossings) drawn.push(...crossing(at(upper), at(lower), feet));
  const rooms = Object.keys(scenery.rooms).map((room) => extent(scenery, room, at, name(`room ${room}`)));
  Object.values(scenery.rooms).forEach((shows, place) => drawn.push(title(rooms[place], shows, rooms)));
  for (const place of ["barracks", "office", "innercells", "outercells"])
    if (at(place))
      drawn.push(
        s(
          "text.room-name.beside",
          { x: Math.max(3, at(place).x - 30), y: at(place, true) - 3 },
          name(`place ${place}`),
        ),
      );
  return s("g.castle", { "aria-hidden": "true" }, drawn);
}

function put(shape, { x, y }) {
  shape.setAttribute("transform", `translate(${x} ${y})`);
  return shape;
}

/** Where the circles of a room lie, and what it is called. */
function extent(scenery, room, at, text) {
  const all = Object.entries(scenery.circles)
    .filter(([, circle]) => circle.room === room)
    .map(([id]) => at(id));
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  return {
    x: (Math.min(...xs) + Math.max(...xs)) / 2,
    y: (top + bottom) / 2,
    top,
    flat: top === bottom,
    wide: Math.max(...xs) - Math.min(...xs) + CELL,
    text,
  };
}

/**
 * Its sign and its name. That lies on the upper wall: numbers and men stay free. One that would touch the next room's
 * ends with its own room.
 */
function title(room, shows, rooms) {
  const { x, y, top, flat, text, wide } = room;
  const near = rooms.filter(
    (other) =>
      other !== room &&
      other.top === top &&
      text.length >= other.text.length &&
      Math.abs(other.x - x) < ((text.length + other.text.length) * LETTER) / 2,
  );
  const [left, right] = [near.some((other) => other.x < x), near.some((other) => other.x > x)];
  const words = text.split(" "),
    lines = left && right && words.length > 1 ? [words.slice(0, -1).join(" "), words.at(-1)] : [text];
  const aside = left === right ? 0 : right ? wide / 2 : -wide / 2;
  const label = s(
    `text.room-name${aside ? (right ? ".ends" : ".beside") : ""}`,
    { y: top - HALF + 3 },
    lines.map((line, number) =>
      s("tspan", { x: x + aside, dy: number ? "1em" : `${1 - lines.length}em` }, line),
    ),
  );
  return s("g", {}, put(badge(shows), { x, y: y + (flat ? 5.5 : 0) }), label);
}

function arrow(from, to, kind) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1,
    [dx, dy] = [(to.x - from.x) / far, (to.y - from.y) / far];
  const tip = { x: to.x - dx * 10, y: to.y - dy * 10 };
  return s(`path.${kind}`, {
    d: `M${from.x + dx * 10} ${from.y + dy * 10}L${tip.x} ${tip.y}M${tip.x - dx * 5 - dy * 4} ${tip.y - dy * 5 + dx * 4}L${tip.x} ${tip.y}L${tip.x - dx * 5 + dy * 4} ${tip.y - dy * 5 - dx * 4}`,
  });
}

function crossing(from, to, feet) {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  if (feet)
    return [arrow(from, to, "drop"), s("text.feet", { x: middle.x + 7, y: middle.y + 3 }, String(feet))];
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1,
    [dx, dy] = [-(to.y - from.y) / far, (to.x - from.x) / far];
  const at = (part) => `${middle.x + dx * part} ${middle.y + dy * part}`;
  const barbs = [-11, -5.5, 0, 5.5, 11]
    .map((part) => `M${middle.x + dx * part - 2} ${middle.y + dy * part - 2}l4 4m0-4l-4 4`)
    .join("");
  return [s("path.wire", { d: `M${at(-15)}L${at(15)}${barbs}` })];
}

const flag = (seat) =>
  s(
    "g",
    { class: `marker ${seatClass(seat)}` },
    s("path", { d: "M-4 7V-8H7L4-4 7 0H-4" }),
    s("text", { x: 0.6, y: -1.6 }, initial(seat)),
  );

/** What changes: markers, open and detected tunnels, men inside them. */
export function state(scenery, view, at) {
  const drawn = [];
  for (const [pair, seat] of Object.entries(view.markers ?? {})) {
    const [from, to] = pair.split("-").map((id) => at(id));
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const standing = s("g", { transform: "translate(0 -11) scale(1.6)" }, flag(seat));
    drawn.push(put(s("g", {}, standing), middle)); // above how deep the drop is
  }
  for (const [room, how] of Object.entries(view.tunnels ?? {})) {
    const way = scenery.tunnels[room];
    if (how === "closed" || !way) continue;
    drawn.push(
      s("polyline", { class: `tunnel ${how}`, points: way.map((id) => `${at(id).x},${at(id).y}`).join(" ") }),
    );
  }
  const inside = new Set(view.inside ?? []);
  for (const [space, names] of Object.entries(view.places ?? {}))
    if (names.some((name) => inside.has(name)))
      drawn.push(s("circle.below", { cx: at(space).x, cy: at(space).y, r: 13.5 }));
  return drawn;
}

/** The signs of the map, for who doesn't know them; rooms by what their signs give. */
export function keyOfMap(scenery, name) {
  const list = (rows) =>
    h(
      "ul.map-key",
      {},
      rows.map(([sign, ...text]) =>
        h(
          "li",
          {},
          s("svg", { viewBox: "-16 -16 32 32", "aria-hidden": "true" }, s("g.castle", {}, sign)),
          h("span", {}, text),
        ),
      ),
    );
  const room = (kind) => [
    badge(kind, "translate(0 -1) scale(1.4)"),
    h("strong", {}, name(`item ${kind}`)),
    " – ",
    listed(
      Object.keys(scenery.rooms)
        .filter((id) => scenery.rooms[id] === kind)
        .map((id) => name(`room ${id}`)),
    ),
  ];
  const [left, right] = [
    { x: -22, y: 3 },
    { x: 22, y: 3 },
  ];
  return h(
    "div",
    {},
    list([
      ...Object.keys(GLYPHS).map((kind) => [glyph(kind), PRINTED[kind]]),
      [[arrow(left, right, "drop"), s("text.feet", { x: 0, y: -2 }, "30")], PRINTED.drop],
      [crossing({ x: 0, y: -10 }, { x: 0, y: 10 }, 0), PRINTED.wire],
      [s("polyline.tunnel", { points: "-13,6 0,-5 13,6" }), PRINTED.tunnel],
      [arrow(left, right, "arrow"), PRINTED.arrow],
      [
        s("g", { transform: "scale(1.6)" }, flag("american")),
        _("Escape Attempt marker, with the letter of its nation: its men and the guards may follow there"),
      ],
    ]),
    h("p.label", {}, _("Two of your men in rooms with the same symbol: you take that card")),
    list(EQUIPMENT.map(room)),
    h(
      "p.label",
      {},
      _("One of your men in a room with each of these symbols: you put an Escape Kit together"),
    ),
    list(KIT.map(room)),
  );
}

/** What is printed on a circle and at its ways, and what its room gives. @returns {string[]} */
export function explained({ arrows, circles, crossings, rooms, tunnels }, id, name) {
  const circle = circles[id];
  if (!circle) return [];
  const way = crossings.find(([one, other]) => one === id || other === id);
  const shows = rooms[circle.room];
  return [
    ...circle.is.flatMap((kind) => PRINTED[kind] ?? []),
    ...(way ? [way[2] ? PRINTED.drop : PRINTED.wire] : []),
    ...(Object.values(tunnels).some((all) => all.includes(id)) ? [PRINTED.tunnel] : []),
    ...(Object.values(arrows).includes(id) ? [PRINTED.arrow] : []),
    ...(shows ? [`${name(`room ${circle.room}`)}: ${name(`item ${shows}`)}`] : []),
  ];
}
