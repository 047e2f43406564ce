// Games that are over, step by step: each seat's view of it, and the truth.

import { actionBar, byId, fill, h, named, refill } from "/dom.js";
import { Board } from "/board.js";
import { held } from "/drawn.js";
import { nameSpaces, outcome, parts } from "/parts.js";
import { called, kindOf } from "/pieces.js";
import { sceneOf } from "/scene.js";
import { _, language } from "/words.js";

const CHUNK = 60;

export async function start(about) {
  document.title = `${_("Games that are over")} · Boardumpire`;
  byId("who").textContent = _("Replay");
  byId("line").textContent = "";
  const room = byId("room");
  room.removeAttribute("aria-busy");
  const { games } = await (await fetch("/games.json")).json();
  const wanted = Number(new URLSearchParams(location.search).get("game")) || games[0]?.number;
  const side = byId("side");
  const list = h(
    "ul.games",
    {},
    games.map((game) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `/replay?game=${game.number}`, "aria-current": game.number === wanted ? "page" : false },
          `${game.number} · ${new Date(game.begun_ms).toLocaleString(language)} · ${outcome(game, about.ends)}`,
        ),
      ),
    ),
  );
  if (!wanted) {
    fill(side, h("h2", {}, _("No game is over yet")), h("p", {}, h("a", { href: "/" }, _("To the table"))));
    return;
  }
  await show(about, wanted, side, list);
}

async function show(about, number, side, list) {
  const scene = await sceneOf(about.printed);
  const board = new Board(about.printed, false, scene);
  nameSpaces(about.printed.spaces);
  byId("table").append(board.element);
  const steps = new Map();
  let /** @type {any} */ game = null,
    place = 0,
    eyes = "truth";
  const load = async (first) => {
    const response = await fetch(`/games/${number}.json?first=${first}`);
    if (!response.ok) throw new Error(await response.text());
    game = await response.json();
    game.steps.forEach((step, offset) => steps.set(game.first + offset, step));
  };
  const slider = h("input", {
    type: "range",
    min: 0,
    value: 0,
    "aria-label": _("Step"),
    oninput: () => go(Number(slider.value)),
  });
  const text = h("p.step", { "aria-live": "polite" });
  const more = h("div.parts");
  const tabs = h("div.row.tabs", { role: "group", "aria-label": _("Seen by") });
  const proof = h("details.part");

  try {
    await load(0);
  } catch (error) {
    fill(side, h("h2", {}, error instanceof Error ? error.message : String(error)), list);
    return;
  }
  slider.max = game.count - 1;
  for (const [key, label] of [
    ["truth", _("The truth")],
    ...game.seats.map((seat) => [seat, named(seat)]),
    ["", _("The table")],
  ]) {
    tabs.append(
      h(
        "button",
        {
          "data-eyes": key,
          onclick: () => {
            eyes = key;
            draw();
          },
        },
        label,
      ),
    );
  }
  fill(
    proof,
    h("summary", {}, _("What was sealed")),
    game.proofs.map((one) =>
      h(
        "p",
        {},
        one.holds
          ? _("{seat}'s set-up is the one that was sealed ✓", { seat: named(one.seat) })
          : _("{seat}'s set-up is NOT the one that was sealed", { seat: named(one.seat) }),
        h("br"),
        h("code", {}, one.sha256),
      ),
    ),
  );
  fill(
    side,
    actionBar(
      h("h2", { id: "todo", tabindex: -1 }, _("Game {number}", { number })),
      tabs,
      text,
      h(
        "div.row",
        {},
        h("button", { "aria-label": _("First step"), onclick: () => go(0) }, "«"),
        h("button", { "aria-label": _("Previous step"), onclick: () => go(place - 1) }, "‹"),
        slider,
        h("button", { "aria-label": _("Next step"), onclick: () => go(place + 1) }, "›"),
        h("button", { "aria-label": _("Last step"), onclick: () => go(game.count - 1) }, "»"),
      ),
    ),
    more,
    proof,
    h("details.part", {}, h("summary", {}, _("All games")), list),
  );
  addEventListener("keydown", (event) => {
    if (event.target === slider) return;
    if (event.key === "ArrowRight") go(place + 1);
    if (event.key === "ArrowLeft") go(place - 1);
  });
  draw();

  async function go(to) {
    place = Math.max(0, Math.min(game.count - 1, to));
    slider.value = place;
    if (!steps.has(place)) await load(Math.floor(place / CHUNK) * CHUNK);
    draw();
  }

  function draw() {
    const step = steps.get(place);
    if (!step) return;
    for (const tab of tabs.children)
      tab.setAttribute("aria-pressed", tab.dataset.eyes === eyes ? "true" : "false");
    const view = eyes === "truth" ? step.truth : step.views[eyes];
    const shown =
      eyes === "truth" && step.truth.setups ? setUp(step.truth) : held(view, scene?.stands?.(view) ?? {});
    board.setPieces(
      Object.entries(shown).flatMap(([space, stand]) =>
        [stand].flat().map((piece, among) => ({
          key: `${space}/${among}`,
          seat: piece.seat,
          rank: kindOf(piece),
          ...beside(board.stand(space, number), view.pieces ? among : 0),
          is: "stands",
        })),
      ),
    );
    board.setScene(view);
    const spoken = Object.entries(shown).filter(([, stand]) => [stand].flat()[0].seat !== "hidden");
    board.setWords(
      Object.fromEntries(
        spoken.map(([space, stand]) => {
          const { seat, ...piece } = [stand].flat()[0];
          const rank = kindOf(piece);
          return [
            space,
            rank
              ? _("{seat}'s {rank}", { seat: named(seat), rank: called(rank) })
              : _("{seat}: a piece", { seat: named(seat) }),
          ];
        }),
      ),
    );
    text.textContent = _("{step} of {steps}: {text}", {
      step: place,
      steps: game.count - 1,
      text: step.text.join(" ") || (place ? "…" : _("The beginning.")),
    });
    refill(more, view, () => [
      ...(scene?.hands?.(view) ?? []),
      ...(scene?.parts?.(view, eyes) ?? parts(view)),
    ]);
  }
}

/** Where the n-th piece of a space is drawn that has room for one. */
function beside(at, number) {
  return { ...at, x: at.x + 13 * number };
}

/** While both set up, the truth holds armies rather than a board. */
function setUp(truth) {
  return Object.fromEntries(
    Object.entries(truth.setups).flatMap(([seat, army]) =>
      Object.entries(army ?? {}).map(([space, rank]) => [space, { seat, rank }]),
    ),
  );
}
