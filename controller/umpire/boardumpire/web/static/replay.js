// Games that are over: they play by themselves or step by step, as each seat saw them and as they truly were, with
// the lamps of the board.

import { actionBar, byId, fill, h, named, refill } from "/dom.js";
import { Board } from "/board.js";
import { held } from "/drawn.js";
import { legend, nameSpaces, outcome, parts, placed } from "/parts.js";
import { called, kindOf } from "/pieces.js";
import { sceneOf } from "/scene.js";
import { _, call, language } from "/words.js";

const CHUNK = 60;

/** Say what is shown: it needs no line to the umpire. */
export function entitle() {
  byId("who").textContent = _("Replay");
  byId("line").textContent = "";
}

export async function start(about) {
  document.title = `${_("Finished games")} · Boardumpire`;
  entitle();
  const room = byId("room");
  room.removeAttribute("aria-busy");
  const { games, dated } = await (await fetch("/games.json")).json();
  const wanted = Number(new URLSearchParams(location.search).get("game")) || games[0]?.number;
  const side = byId("side");
  call({}); // who sits here now may not have played those games
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
          `${game.number} · ${new Date(game.begun_ms).toLocaleString(language)} · ${outcome(game, about.ends, about.seats)}`,
        ),
      ),
    ),
    dated ? [] : h("li.faint", {}, _("Dates may be wrong: no network has set the clock of this board.")),
  );
  if (!wanted) {
    fill(
      side,
      h("h2", {}, _("No game is finished yet")),
      h("p", {}, h("a", { href: "/" }, _("To the table"))),
    );
    return;
  }
  await show(about, wanted, side, list);
}

async function show(about, number, side, list) {
  const load = async (first) => {
    const response = await fetch(`/games/${number}.json?first=${first}`);
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  try {
    const Scene = await sceneOf(about.printed);
    new Replay(about, Scene && new Scene(about.printed), await load(0), load).open(side, [
      h(
        "p.part",
        {},
        h("a", { href: `/games/${number}.html`, download: true }, _("Save this game as a file")),
        " ",
        h("small", {}, _("It opens in any browser, without the board and without internet.")),
      ),
      h("details.part", {}, h("summary", {}, _("All games")), list),
      h(
        "details.part",
        { "data-part": "statistics", ontoggle: ({ target }) => target.open && tallied(target) },
        h("summary", {}, _("Statistics of this table")),
      ),
    ]);
  } catch (error) {
    fill(side, h("h2", {}, error instanceof Error ? error.message : String(error)), list);
  }
}

/** Who won how often, over all evenings: fetched once somebody wants to see it. @param {HTMLElement} part */
async function tallied(part) {
  if (part.querySelector("table")) return;
  const { tallies } = await (await fetch("/statistics.json")).json();
  const head = [_("Game"), _("Player"), _("Played"), _("Won"), _("Drawn")];
  part.append(
    h(
      "table.seats",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h(
        "tbody",
        {},
        tallies.map(({ title, player, seat, played, won, drawn }) =>
          h(
            "tr",
            {},
            [title, player || seat, played, won, drawn].map((value) => h("td", {}, String(value))),
          ),
        ),
      ),
    ),
    h("p", {}, h("a", { href: "/statistics.csv", download: true }, _("Save as a table"))),
  );
}

/** How long a step is shown at each speed, in ms. */
const PACES = { "½": 3200, 1: 1600, 2: 800, 4: 400 };

/** One game, of which `game` holds the first steps and `load` gives those from another one on. */
export class Replay {
  #steps = new Map();
  #place = 0;
  #eyes = "truth";
  #pace = PACES[1];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #playing;
  #text = h("p.step", { "aria-live": "polite" });
  #more = h("div.parts");
  #advice = h("div.part", { "data-part": "advice", "aria-live": "polite" });
  /** @type {Map<number, any>} */
  #advised = new Map(); // by step what the machine would have done there
  #lamps = h("div");
  #tabs = h("div.row.tabs", { role: "group", "aria-label": _("Seen by") });
  #slider = h("input", {
    type: "range",
    min: 0,
    value: 0,
    "aria-label": _("Step"),
    oninput: () => this.#chosen(Number(this.#slider.value)),
  });
  #play = h("button.main", { "data-key": "play", onclick: () => this.#start(!this.#playing) }, "");

  /**
   * @param {any} about
   * @param {any} scene
   * @param {any} game
   * @param {((first: number) => Promise<any>) | null} load  none where `game` holds all steps
   */
  constructor(about, scene, game, load = null) {
    this.about = about;
    this.scene = scene;
    if (scene) scene.replaying = true;
    this.game = game;
    this.load = load;
    call(game.players);
    this.board = new Board(about.printed, false, scene);
    nameSpaces(about.printed.spaces);
    this.#take(game);
  }

  /** Show it, at the moment before the first move. */
  open(side, below = []) {
    const { board, game } = this;
    byId("table").append(board.element);
    this.#slider.max = game.count - 1;
    for (const [key, label] of [
      ["truth", _("Everything revealed")],
      ...game.seats.map((seat) => [seat, named(seat)]),
      ["", _("The table")],
    ])
      this.#tabs.append(h("button", { "data-eyes": key, onclick: () => this.#look(key) }, label));
    const button = (label, sign, to) =>
      h("button", { "aria-label": label, title: label, onclick: () => this.#chosen(to()) }, sign);
    const moment = (way) => this.#moment(way);
    fill(
      side,
      actionBar(
        h("h2", { id: "todo", tabindex: -1 }, _("Game {number}", { number: game.number })),
        this.#tabs,
        this.#text,
        this.#slider,
        h(
          "div.row",
          {},
          this.#play,
          button(_("First step"), "|‹", () => 0),
          button(_("Previous key moment"), "«", () => moment(-1)),
          button(_("Previous step"), "‹", () => this.#place - 1),
          button(_("Next step"), "›", () => this.#place + 1),
          button(_("Next key moment"), "»", () => moment(1)),
          button(_("Last step"), "›|", () => game.count - 1),
          h(
            "label.toggle",
            {},
            _("Speed"),
            " ",
            h(
              "select",
              { onchange: ({ target }) => (this.#pace = Number(target.value)) },
              Object.entries(PACES)
                .sort(([, one], [, other]) => other - one)
                .map(([name, ms]) => h("option", { value: ms, selected: ms === this.#pace }, `${name}×`)),
            ),
          ),
        ),
      ),
      this.#advice,
      this.#more,
      this.#lamps,
      sealed(game),
      ...below,
    );
    addEventListener("keydown", (event) => {
      // Arrows lead within the board, the slider and lists, too: that is no step then.
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.matches("input, select")) return;
      if (event.key === "ArrowRight") this.#chosen(this.#place + 1);
      if (event.key === "ArrowLeft") this.#chosen(this.#place - 1);
    });
    this.#start(false);
    return this.#go(game.opens);
  }

  #take(game) {
    game.steps.forEach((step, offset) => this.#steps.set(game.first + offset, step));
  }

  #look(eyes) {
    this.#eyes = eyes;
    this.#draw();
  }

  /** Somebody goes somewhere by hand: it plays no more by itself. */
  #chosen(to) {
    this.#start(false);
    return this.#go(to);
  }

  /** Play by itself, from the beginning where it has ended, or stop. */
  #start(plays) {
    clearTimeout(this.#playing);
    this.#playing = undefined;
    const label = plays ? _("Pause") : _("Play");
    this.#play.textContent = plays ? "❚❚" : "▶";
    this.#play.setAttribute("aria-label", label);
    this.#play.title = label;
    if (!plays) return;
    const next = async () => {
      await this.#go(this.#place + 1);
      if (!this.#playing) return;
      const told = this.#steps.get(this.#place)?.text.length; // of some steps there is nothing to tell
      if (this.#place < this.game.count - 1) this.#playing = setTimeout(next, told ? this.#pace : 0);
      else this.#start(false);
    };
    const over = this.#place >= this.game.count - 1;
    this.#playing = setTimeout(over ? () => this.#go(this.game.opens).then(next) : next, over ? 0 : 200);
  }

  /** The next key moment that way; the end or the beginning if there is none. */
  #moment(way) {
    const { count, moments } = this.game;
    return way > 0
      ? (moments.find((place) => place > this.#place) ?? count - 1)
      : (moments.findLast((place) => place < this.#place) ?? 0);
  }

  async #go(to) {
    this.#place = Math.max(0, Math.min(this.game.count - 1, to));
    this.#slider.value = this.#place;
    for (const place of [this.#place, Math.min(this.#place + 1, this.game.count - 1)])
      if (this.load && !this.#steps.has(place))
        this.#take(await this.load(Math.floor(place / CHUNK) * CHUNK));
    this.#draw();
  }

  /** Ask what the machine would have done next, and look on with the eyes of who did something. */
  async #ask(step, seat) {
    this.#start(false);
    this.#advised.set(step, { waits: true });
    this.#draw();
    try {
      const response = await fetch(`/games/${this.game.number}/advice.json?step=${step}`);
      this.#advised.set(step, response.ok ? await response.json() : { why: await response.text() });
      if (response.ok && this.#place === step - 1) this.#eyes = seat;
    } catch {
      this.#advised.delete(step); // the line is away: it may be asked again
    }
    this.#draw();
  }

  #drawAdvice() {
    const step = this.#place + 1;
    const next = this.load ? this.#steps.get(step) : null;
    const told = this.#advised.get(step);
    this.#advice.hidden = !next?.choice;
    refill(this.#advice, [step, next?.choice, told], () => {
      if (!next?.choice) return null;
      if (!told)
        return h(
          "button",
          { "data-key": "advice", onclick: () => this.#ask(step, next.seat) },
          _("What would the machine do here?"),
        );
      if (told.waits) return h("p", {}, _("The machine is thinking …"));
      return told.why ? h("p", {}, told.why) : advice(told);
    });
    return told?.choices ? told : null;
  }

  #draw() {
    const { board, scene } = this;
    const advised = this.#drawAdvice();
    const eyes = this.#eyes;
    const step = this.#steps.get(this.#place);
    if (!step) return;
    for (const tab of this.#tabs.children)
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
          ...standing(board, space, view.pieces ? among : 0),
          is: "stands",
        })),
      ),
    );
    board.setMarks(step.marks, true);
    const possible = eyes === "truth" || advised ? (step.truth.possible ?? []) : [];
    board.setHints([], null, possible, advised ? advised.choices[0].way : step.way);
    board.setScene(view);
    board.setWords(wordsOf(shown));
    this.#text.textContent = _("{step} of {steps}: {text}", {
      step: this.#place,
      steps: this.game.count - 1,
      text: step.text.join(" ") || (this.#place ? "…" : _("The beginning.")),
    });
    refill(this.#more, view, () => [
      ...(scene?.hands?.(view) ?? []),
      ...(scene?.parts?.(view, eyes) ?? parts(view)),
    ]);
    refill(this.#lamps, step.marks, () =>
      h(
        "details.part",
        {},
        h("summary", {}, _("What the lights mean")),
        legend(this.about.printed, step.marks),
      ),
    );
  }
}

/** What the machine would have done, how sure it was, and what was done. */
function advice({ seat, tries, played, choices: [first, ...others] }) {
  const action = inWords(first.action),
    times = first.times;
  return [
    h(
      "p",
      {},
      first.action === played
        ? _("The machine would have done the same: {action} ({times} of {tries} tries).", {
            action,
            times,
            tries,
          })
        : _("The machine would have chosen: {action} ({times} of {tries} tries).", { action, times, tries }),
    ),
    first.action === played ? null : h("p", {}, _("Played: {action}.", { action: inWords(played) })),
    first.score
      ? h("p", {}, _("It thought of {seat}: {score}.", { seat: named(seat), score: first.score }))
      : null,
    others.length
      ? h(
          "p.faint",
          {},
          _("In its other tries: {actions}.", {
            actions: others.map((one) => `${inWords(one.action)} (${one.times})`).join(" · "),
          }),
        )
      : null,
    h("p.faint", {}, _("It saw only what {seat} saw.", { seat: named(seat) })),
  ];
}

/** An action as it is written, with the names of its spaces. */
const inWords = (action) =>
  action
    .split(/([\s-]+)/)
    .map(placed)
    .join("");

/** Whether what was sealed before the game is what was played. */
function sealed(game) {
  return h(
    "details.part",
    {},
    h("summary", {}, _("Were the set-ups changed?")),
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
}

/** What is read out for each space. */
function wordsOf(shown) {
  const spoken = Object.entries(shown).filter(([, stand]) => [stand].flat()[0].seat !== "hidden");
  return Object.fromEntries(
    spoken.map(([space, stand]) => {
      const piece = [stand].flat()[0];
      const rank = kindOf(piece);
      const seat = named(piece.seat);
      return [
        space,
        rank ? _("{seat}'s {rank}", { seat, rank: called(rank) }) : _("{seat}: a piece", { seat }),
      ];
    }),
  );
}

/** Where the n-th piece of a space is drawn: in its slot, or beside the others where there is room for one. */
function standing(board, space, number) {
  const at = board.stand(space, number);
  return at === board.place(space) ? { ...at, x: at.x + 13 * number } : at;
}

/** While both set up, the truth holds armies rather than a board. */
function setUp(truth) {
  return Object.fromEntries(
    Object.entries(truth.setups).flatMap(([seat, army]) =>
      Object.entries(army ?? {}).map(([space, rank]) => [space, { seat, rank }]),
    ),
  );
}
