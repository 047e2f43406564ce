import assert from "node:assert/strict";
import { test } from "node:test";

import { script } from "./page.js";

const { Scene, weight } = await script("game/escape-from-colditz/castle");
const { spent } = await script("game/escape-from-colditz/castletable");

const spaces = [
  { id: "canteen3", name: "Canteen 3" },
  { id: "a1", name: "Appel area a1" },
];
const scene = new Scene({ scenery: { names: {}, circles: {}, tunnels: {}, cards: {} }, spaces, lines: [] });
const view = { phase: "main", to_act: ["american"], open: null, points: 2 };
const asked = (moves, acts) => scene.situation(view, "american", { moves, acts });

test("who may not end the turn yet is told which pawn has to move on", () => {
  assert.deepEqual(asked({ canteen3: ["a1"] }, []), ["Canteen 3: no pawn may stay there, move it on"]);
  assert.equal(asked({ canteen3: ["a1"] }, ["end"])[0], "Move your pawns: 2 points left");
  assert.equal(asked({ canteen3: ["a1"], a1: ["canteen3"] }, [])[0], "Move your pawns: 2 points left");
  assert.match(asked({ canteen3: ["a1"] }, ["discard tunnel"])[1], /more than three cards/);
});

test("while guards are posted the others read that they will be", () => {
  const posting = { phase: "deploy", to_act: ["security"], turn: "security", open: null };
  assert.equal(scene.situation(posting, "american", null)[0], "Security: guards to post");
  assert.equal(scene.situation(posting, "security", null)[0], "Post your guards");
});

test("before the roll nobody reads of points, and the Security Officer nothing of trades", () => {
  const before = { ...view, phase: "before", points: 0, to_act: ["security"], turn: "security" };
  assert.doesNotMatch(scene.situation(before, "security", { moves: {}, acts: ["roll"] }).join(" "), /trade/);
  const officer = { ...before, to_act: ["american"] };
  assert.match(scene.situation(officer, "american", { moves: {}, acts: ["roll"] }).join(" "), /trade/);
  assert.equal(scene.strip(before), null);
});

test("who is asked without a card that fits reads so", () => {
  const open = { what: "answer", seat: "american", asked: ["american"], to: "arrest", at: "a1" };
  const asks = (acts) => scene.situation({ ...view, open }, "american", { moves: {}, acts });
  const [title, , why] = asks(["pass"]);
  assert.equal(title, "None of your cards fits");
  assert.match(why, /Everyone who holds a card is asked/);
  assert.equal(asks(["pass", "play hideaway canteen3"])[0], "Do you prevent the arrest?");
});

test("who gives up Equipment reads who was arrested where, or which card wants it", () => {
  const open = { what: "confiscate", seat: "american" };
  const why = (told) => scene.situation({ ...view, open }, "american", { moves: {}, acts: [] }, told)[1];
  const arrest = { events: [{ kind: "move" }, { kind: "arrest", seat: "american", at: "canteen3" }] };
  assert.equal(why([arrest, { kind: "turn" }]), "American: a man was arrested, on Canteen 3.");
  const search = { events: [{ kind: "play", seat: "security", card: "search" }] };
  assert.equal(why([arrest, search]), "Security played search.");
  assert.equal(why([]), "");
});

test("who posts guards reads how many stand inside and outside, of how many", () => {
  const post = (area) => ({ area, is: ["post"] });
  const circles = { n1: post("outer"), n2: post("outer"), c1: post("inner"), a1: { area: "inner", is: [] } };
  const castle = new Scene({ scenery: { names: {}, circles, tunnels: {}, cards: {} }, spaces, lines: [] });
  const places = {
    barracks: ["security:0", "security:1"],
    n1: ["security:2"],
    n2: ["american:0"],
    a1: ["security:3"],
  };
  const seats = { security: {}, american: {} };
  assert.deepEqual(
    castle.posts({ places, seats }).map(({ label, ids }) => [label, ids]),
    [
      ["Inside: 0 of 1 posted", ["c1"]],
      ["Outside: 1 of 2 to 3 posted", ["n1", "n2"]],
    ],
  );
});

test("ending the turn stands out only where no points are left", () => {
  assert.equal(weight("end", 1, 0), ".main");
  assert.equal(weight("end", 1, 3), ".quiet");
  assert.equal(weight("end", 4, 3), ".quiet");
  assert.equal(weight("roll", 4, 0), ".main");
  assert.equal(weight("search", 4, 0), "");
  assert.equal(weight("pass", 1, 3), ".main");
});

test("a turn ends by itself where everybody can see that nothing is left to do", () => {
  const seats = { american: { cards: 0, parts: 0 }, british: { cards: 2, parts: 0 } };
  const done = { ...view, points: 0, seats };
  const may = { moves: {}, acts: ["end"] };
  assert.equal(spent(done, "american", may), true);
  assert.equal(spent({ ...done, points: 1 }, "american", may), false);
  assert.equal(spent(done, "american", { ...may, acts: ["end", "kit"] }), false);
  assert.equal(spent(done, "american", { ...may, moves: { a1: ["canteen3"] } }), false);
  assert.equal(spent(done, "british", may), false, "that no card fits is nobody else's business");
});

test("who is asked about an arrest reads words of arrest", () => {
  const open = { what: "answer", seat: "american", asked: ["american"], to: "arrest", at: "canteen3" };
  const [title, about] = scene.situation({ ...view, open }, "american", {
    moves: {},
    acts: ["pass", "play hideaway canteen3"],
  });
  assert.equal(title, "Do you prevent the arrest?");
  assert.equal(about, "A guard comes to arrest a man: Canteen 3.");
  assert.equal(scene.passing({ open }), "Let him be arrested");
  assert.equal(scene.passing({ open: { ...open, to: "card" } }), "No, let it pass");
});

test("both sides of a trade read what they give and what they get", () => {
  const open = { what: "trade", from: "dutch", asked: ["american"] };
  const offered = { ...view, open, to_act: ["american"], offer: { give: ["rope"], want: ["key", "key"] } };
  const read = (seat) => scene.situation(offered, seat, { moves: {}, acts: [] })[1];
  assert.equal(read("american"), "You get: rope. You give: key and key.");
  assert.equal(read("dutch"), "You get: key and key. You give: rope.");
  assert.equal(read("british"), "Offer (Dutch): rope. In return: key and key.");
});

test("a touched circle says what is printed on it, at its ways, and what its room gives", () => {
  const scenery = {
    circles: {
      a1: { is: ["post", "door"], room: "" },
      b2: { is: ["safe"], room: "canteen" },
      c3: { is: [], room: "" },
    },
    crossings: [
      ["b2", "c3", 30],
      ["a1", "c3", 0],
    ],
    rooms: { canteen: "rope" },
    tunnels: { canteen: ["b2", "c3"] },
    arrows: { cells: "a1" },
    names: { "room canteen": "Canteen", "item rope": "Rope" },
  };
  const castle = new Scene({ scenery, spaces, lines: [] });
  assert.deepEqual(castle.explain("a1"), [
    "Guard post: any man here may be arrested; guards come here from Barracks",
    "Door: you need a Key",
    "Wire: you need a Wire Cutter",
    "From the cells: where men who leave Solitary start",
  ]);
  assert.deepEqual(castle.explain("b2"), [
    "Safe circle: nobody can be arrested here",
    "Drop: you need a Rope, or two if it is marked 60",
    "Tunnel: you open it with its card",
    "Canteen: Rope",
  ]);
  assert.deepEqual(castle.explain("nowhere"), []);
});
