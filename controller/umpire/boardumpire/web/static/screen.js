// The screens of the table and of the seats: what is known is drawn, what a person does is passed on.

import { acts, asides, sayable } from "/acts.js";
import { actionBar, byId, fill, h, named, refill, toast } from "/dom.js";
import { Attention } from "/attention.js";
import { Banner } from "/banner.js";
import { Board } from "/board.js";
import { atTheEnd, drafted, ofDraft, spokenOf, viewed } from "/drawn.js";
import { foot, offer } from "/foot.js";
import { lost, seats, spectators } from "/join.js";
import { kindOf } from "/pieces.js";
import { evening, history, legend, lineOf, meaning, nameSpaces, once, parts, standing } from "/parts.js";
import { about, far, notes, seat, watching } from "/place.js";
import { Sounds } from "/sounds.js";
import { State } from "/state.js";
import { todo } from "/todo.js";
import { explain, prepare, rules, whyNot } from "/why.js";
import { _, call, counted } from "/words.js";

/** How long a seat sees what came of its turn before its phone goes to the next one. */
const HAND_OVER_MS = 1200;
/** How long nothing is marked while hands carry a piece. */
const GOES_MS = 3000;
/** The panels in the order of use, after what is asked now. The table's screen begins with who may sit down. */
const PANELS = seat
  ? ["history", "hand", "parts", "asides", "join"]
  : ["join", "history", "hand", "parts", "asides"];
/** What is seldom needed stands behind one menu. */
const MENU = ["lamps", "bench", "lost", "foot"];
/** Where board and panels stand side by side, as in `style.css`. */
const BESIDE = matchMedia("(min-width: 60rem), (min-width: 36rem) and (max-height: 30rem)");

/** Where the end of a game has a row of its own. */
const WIDE = matchMedia("(min-width: 60rem)");

/** Panels that look like what is said now. @type {Record<string, string>} */
const KINDS = { hand: "hand.acts", asides: "asides.acts", lost: "lost-phones" };

export class Screen {
  state = new State();
  /** Simulated hands, where the board is simulated, too. @type {any} */
  hands = null;
  /** What leads through a first game, where this is one. @type {any} */
  guide = null;
  /** The clocks, once a game has some. @type {import("./clock.js").Clocks | null} */
  clocks = null;
  #timed = false;
  /** Whether a game was seen here, and not its set-up alone. */
  #hasPlayed = false;
  attention = new Attention(() => this.sounds.turn());
  #title = "";
  /** What is asked now, and what may be done. @type {any} */
  #bar = null;
  /** Frames of the next game, while this seat still looks at the end of the last one. @type {any[]} */
  #next = [];
  /** Whether this seat wants another game. */
  #leaves = false;

  /**
   * @param {import("./line.js").Line} line
   * @param {any} scene  what the game's own script draws and says (`scene.js`); most games have none
   * @param {typeof import("./curtain.js").Curtain | null} Curtain  of a device that has several seats
   */
  constructor(line, scene, Curtain) {
    this.line = line;
    this.scene = scene;
    scene?.sit?.(seat);
    this.board = new Board(about.printed, seat !== null && seat === far(), scene);
    /** This seat's own set-up, in games that have one; the table's screen never asks for it. @type {any} */
    this.setup = null;
    this.sounds = new Sounds(about.tunes);
    this.banner = new Banner(scene);
    /** @type {Record<string, HTMLElement>} */
    this.sides = Object.fromEntries(
      ["todo", "told", "acts", "offer", ...PANELS, ...MENU].map((name) => [
        name,
        h(`div.${KINDS[name] ?? name}`),
      ]),
    );
    this.curtain = Curtain ? new Curtain(seat, about.mine, () => this.draw()) : null;
    nameSpaces(about.printed.spaces);
    this.#furnish();
  }

  /** Begin: with `bench`, a promise of the module of simulated hands, once those are there. */
  async open(bench) {
    if (bench) {
      const { Hands } = await bench;
      this.hands = new Hands(this.board, this.draw, this.line);
      this.hands.addEventListener("refused", ({ detail }) => toast(detail));
    }
    this.#listen();
    this.line.open();
    if (about.lesson) await this.#learn();
  }

  /** Lead through a first game. */
  async #learn() {
    const { begin } = await import("/guide.js");
    this.guide = await begin(this);
    if (!this.guide) return;
    this.sides.todo.before(this.guide.element);
    this.draw();
  }

  /** Put title, board and panels onto the page. */
  #furnish() {
    this.#entitle();
    byId("line").before(h("button.quiet.rules", { "data-key": "rules", onclick: () => rules() }, _("Rules")));
    document.body.dataset.seat = seat ?? "table";
    const { sides } = this;
    byId("table").append(this.board.element);
    const bar = (this.#bar = actionBar(sides.todo, sides.told, sides.acts));
    const panels = [sides.offer, ...PANELS.map((name) => sides[name])];
    byId("side").append(bar, ...panels, menu(MENU.map((name) => sides[name])));
    // Beside the board it takes none of the board's height.
    const told = () => (BESIDE.matches ? bar : byId("table")).prepend(this.banner.element);
    BESIDE.addEventListener("change", told);
    WIDE.addEventListener("change", this.draw);
    told();
  }

  /** The end is told over the whole width, where there is that much. */
  #stand() {
    const wide = WIDE.matches && Boolean(this.state.view.outcome);
    if (this.#bar.classList.contains("ended") === wide) return;
    this.#bar.classList.toggle("ended", wide);
    if (wide)
      byId("room").append(this.#bar); // below the board: that stays where it is
    else byId("side").prepend(this.#bar);
  }

  /** Say whose screen it is. */
  #entitle() {
    const whose = watching ? _("Spectators") : _("The table");
    this.#title = `${seat ? named(seat) : whose} · Boardumpire`;
    this.#attend();
    byId("who").replaceChildren(seat ? _("You are {seat}", { seat: named(seat) }) : whose);
  }

  /** Whether this seat is waited for, where its person may not look. */
  #attend() {
    const { view } = this.state;
    const goes = Boolean(view && !view.outcome);
    const turn = goes && view.phase !== "setup" && seat !== null && this.state.waitedFor().includes(seat);
    this.attention.show(this.#title, turn, goes);
  }

  #listen() {
    const { board, line } = this;
    line.addEventListener("up", () => lineIs(_("connected"), "live"));
    line.addEventListener("down", ({ detail }) => this.#lost(detail));
    line.addEventListener("frame", ({ detail }) => this.#take(detail));
    if (seat && this.sounds.unasked) addEventListener("click", this.#offer, { once: true });
    board.addEventListener("choose", ({ detail }) => this.#choose(detail));
    board.addEventListener("grab", (event) => {
      if (!this.#mayGrab(event.detail)) event.preventDefault();
    });
    board.addEventListener("lead", ({ detail }) => {
      if (!ofDraft(detail.key)) this.hands?.lead(detail.key, detail.at);
    });
    board.addEventListener("drop", ({ detail }) => this.#drop(detail));
    board.addEventListener("arrange", this.draw);
  }

  /** Whoever has touched this screen may hear his turn, and is asked whether he wants to. */
  #offer = () => {
    fill(
      this.sides.offer,
      offer(this.sounds, () => fill(this.sides.offer)),
    );
  };

  // What comes in

  #lost({ code, ended }) {
    if (ended) this.#leave();
    else lineIs(code === 1012 || code === 1013 ? _("connection lost …") : _("reconnecting …"), "lost");
  }

  /** The seat is another device's: what it hides goes at once, with or without the umpire's word; then the page is asked for anew. */
  #leave() {
    this.state.forget();
    this.scene?.forget?.();
    this.hands?.close();
    this.setup?.forget();
    this.banner.retell([]);
    try {
      localStorage.removeItem(notes);
    } catch {
      /* a device that keeps nothing */
    }
    document.body.replaceChildren(
      h(
        "main.plain",
        {},
        h("h1", {}, _("This seat has a new link.")),
        h(
          "p",
          {},
          _("Its screen opens only on the device that has this seat. Open the seat's own link to sit down."),
        ),
      ),
    );
    location.replace(location.pathname);
  }

  /** @param {import("../../../../../tests/scripts/wire.js").Frame} frame */
  #take(frame) {
    if (this.#later(frame)) return;
    const { state } = this;
    const told = frame.kind === "board" ? frame.board.clocks : "clocks" in frame ? frame.clocks : undefined;
    if (told || this.#timed) this.#time(told);
    const ended = Boolean(state.view?.outcome);
    state.take(frame);
    if (ended && !state.view?.outcome) scrollTo({ top: 0 }); // a new game begins at its board
    if (frame.kind === "here") return;
    if (frame.kind === "snapshot") {
      call(frame.players);
      this.#entitle();
      this.#begin();
      this.banner.retell(state.told, state.view);
      this.guide?.met();
    }
    if (frame.kind === "told") {
      this.guide?.hear(frame.told);
      this.#hear(frame.told);
      this.sounds.play(frame.sound);
    }
    const unarmed = this.#unarmed;
    if (unarmed) this.#arm();
    if (state.view) this.setup?.meet(state.view, state.may);
    if (!state.view?.outcome) [state.bared, state.evening] = [null, []];
    else if (!state.bared) this.#bare();
    clearTimeout(state.handed);
    state.handed = setTimeout(() => this.#handOver(), HAND_OVER_MS);
    this.draw();
    this.#attend();
    if (frame.kind === "snapshot" && !unarmed) performance.mark("usable");
    this.hands?.look(state.board);
  }

  /**
   * Whether a frame waits: the end of a game stays on a seat's screen until its person goes on, whoever begins the
   * next game meanwhile. A first game begins again because its person asked for it.
   * @param {import("../../../../../tests/scripts/wire.js").Frame} frame
   */
  #later(frame) {
    const { state } = this;
    const anew = frame.kind === "snapshot";
    if (anew && (!seat || this.guide || this.#leaves || !state.view?.outcome || frame.view.outcome)) {
      this.#next = [];
      this.#leaves = false;
      return false;
    }
    if (!anew && !this.#next.length) return false;
    if (anew) this.#next = [];
    this.#next.push(frame);
    state.board = { ...state.board, chores: [], proposals: [], question: null };
    this.draw();
    return true;
  }

  /** Whether the next game goes on behind the end of the last one. */
  get ahead() {
    return this.#next.length > 0;
  }

  /** Go on to the game that has begun, or to the one that this person asks for. */
  leave = () => {
    const waiting = this.#next;
    this.#next = [];
    this.#leaves = true;
    for (const frame of waiting) this.#take(frame);
  };

  /** What the umpire says of the clocks now. */
  async #time(told) {
    if (told === undefined) return;
    this.#timed = true;
    const at = performance.now();
    const { Clocks } = await import("/clock.js");
    if (!this.clocks) {
      this.clocks = new Clocks();
      byId("table").prepend(this.clocks.element);
    }
    this.clocks.set(told, at);
  }

  /** Whether this seat has an army, and what it is set up with isn't there yet. */
  get #unarmed() {
    return Boolean(seat && this.state.view?.army && !this.setup);
  }

  /** This seat has an army: what it is set up with is there now, too. */
  async #arm() {
    const { state } = this;
    const { Setup } = await import("/setup.js");
    if (this.setup || !state.view) return;
    this.setup = new Setup(/** @type {string} */ (seat), this.line, about.printed);
    this.setup.addEventListener("change", this.draw);
    this.setup.meet(state.view, state.may);
    this.draw();
    performance.mark("usable");
  }

  /** The game is over, and what was sealed is open: the other army is shown, too. */
  async #bare() {
    const { state } = this;
    state.bared = {};
    const from = async (path) => {
      const answer = await fetch(path);
      return answer.ok ? answer.json() : {};
    };
    const { games = [] } = await from("/games.json");
    state.evening = evening(games);
    const game = games.length ? `/games/${games[0].number}.json?first=` : "";
    const { count } = game ? await from(`${game}0`) : {};
    const { steps = [] } = count ? await from(`${game}${count - 1}`) : {};
    if (!state.view?.outcome || !steps.length) return;
    state.bared = steps[steps.length - 1].truth.board ?? {};
    this.draw();
  }

  /** All is known: a screen with a ground of its own begins near its own men. */
  #begin() {
    if (!this.scene?.ground || this.state.near) return;
    this.state.near = true;
    this.#lookFirst();
  }

  /** A small screen begins near its own men. */
  #lookFirst() {
    const own = Object.entries(this.state.view.places ?? {})
      .filter(([, names]) => names.some((name) => name.startsWith(`${seat}:`)))
      .map(([space]) => this.board.place(space))
      .filter(Boolean);
    const middle = (key) => own.reduce((sum, spot) => sum + spot[key], 0) / own.length;
    if (own.length) this.board.follow({ x: middle("x"), y: middle("y") });
  }

  /** A small screen goes with the pawn in hand: where it was taken up, and where it was set down. */
  #follow() {
    const { chosen } = this.state;
    const here = chosen ?? this.state.moved;
    if (here === this.state.followed) return;
    this.state.followed = here;
    const at = here && this.board.place(here);
    if (at) this.board.follow(at);
  }

  #hear(message) {
    this.banner.hear(message, this.state.view, true);
    this.state.hear(message);
    if (!this.curtain?.closed) this.banner.moment(message, this.board.element);
    for (const { kind, seat: by, to } of message.events ?? [])
      if (kind === "move" && by === seat) this.state.moved = to;
    const told = this.curtain?.closed
      ? []
      : once(this.state.told)
          .slice(-1)
          .filter((last) => last === message);
    for (const [kind, text] of told.flatMap(lineOf)) {
      byId("said").textContent = text;
      if (["refused", "fault", "private", "reminder"].includes(kind))
        toast(text, kind, whyNot(message.refusal?.rule));
    }
    this.hands?.heard(message);
  }

  /** A phone that is passed round goes to the next seat, once its own has seen what came of its turn. */
  #handOver() {
    const { board, view } = this.state;
    if (view && !view.outcome && !board.chores.length) this.curtain?.follow(this.state.waitedFor());
  }

  // What a person does

  /** Whether this seat works on its set-up. */
  get drafting() {
    const { view } = this.state;
    return Boolean(!this.#led && this.setup && view?.army && view.phase === "setup" && this.setup.editing);
  }

  /** Whether a first game sets this seat's pieces up. */
  get #led() {
    return this.guide ? !this.guide.over : about.lesson;
  }

  /** Say something to the umpire, or have it checked; a refusal is shown. Whether it was accepted. */
  say = async (verb, text) => {
    this.guide?.says(text);
    if (verb === "say" && ["new-game", "yes new-game"].includes(text)) this.#leaves = true;
    const answer = await this.line.say(verb, text === undefined ? {} : { text });
    if (!answer.ok) toast(answer.text, "refused", whyNot(answer.rule));
    else if (verb === "check") toast(_("This set-up is fine."), "good");
    return answer.ok;
  };

  /** Say something to the umpire. */
  tell = (text) => this.say("say", text);

  /** Say that a set-up is ready; where hands are simulated they put the pieces there first. */
  ready = async (text) => {
    const { hands, setup } = this;
    if (hands && !(await this.line.say("check", { text })).ok) {
      await this.say("check", text);
      return;
    }
    setup.editing = false;
    setup.picked = null;
    await hands?.layOut(seat, [...setup.draft.keys()].sort()); // in no order that tells of ranks
    if (await this.tell(text)) scrollTo({ top: 0, behavior: "smooth" });
    else setup.editing = true;
    this.draw();
  };

  /** Say an act of the game; the place that it was about is chosen no more. */
  act = async (text) => {
    // A yes or no to the game itself says so: something else may be asked by the time a thumb comes down.
    const said = text === "yes" || text === "no" ? `${text} game` : text;
    if (await this.tell(said)) this.state.chosen = null;
    this.draw();
  };

  #mayGrab({ key, space, lift, keyboard }) {
    if (this.scene?.pencil) return false;
    if (ofDraft(key)) return this.drafting && !keyboard;
    // Where a piece stands that is not this seat's to move, keys choose the place.
    const { may } = this.state;
    if (keyboard && may && !may.moves[space] && sayable(may).at.has(space)) return false;
    return Boolean(this.hands?.grab(key, lift, keyboard, this.#judged(space)));
  }

  /**
   * Whether this screen knows more than everybody of where the piece on a space may go: it is this seat's own, in
   * its place, in the middle of a game. What is impossible for it is refused here, before hands carry it: a refusal
   * at the board would tell everybody what the piece is not.
   */
  #judged(space) {
    const { board, may, view } = this.state;
    if (!seat || !may || !space || view.outcome || ["setup", "place"].includes(view.phase)) return false;
    const asked = [...board.chores.map((chore) => chore.space), ...(board.question?.spaces ?? [])];
    const there = [view.board?.[space] ?? standing(view)[space] ?? []].flat();
    return !asked.includes(space) && there.some((piece) => piece.seat === seat);
  }

  /** Whether a piece of this seat's may be carried there by all that this screen knows. */
  #possible(origin, target) {
    const [from, to] = this.banner.way ?? [];
    const back = origin === to && target === from; // whoever puts his last move back asks to take it back
    return !this.#judged(origin) || back || Boolean(this.state.may.moves[origin]?.includes(target));
  }

  /** Ask the umpire in private about a move that is not known to be possible. Hands carry it if it is; else this screen alone says why not. */
  async #inquire(origin, target) {
    const before = this.state.may;
    const answer = await this.line.say("check", { text: `${origin}-${target}` });
    if (!answer.ok) toast(answer.text, "refused", whyNot(answer.rule));
    else if (this.state.may === before) this.hands?.carry(origin, target, this.state.view.piece);
  }

  #drop({ key, space, far: moved }) {
    if (ofDraft(key)) {
      if (moved) this.setup.put(key, space);
      this.draw();
    } else {
      if (moved) this.state.chosen = null;
      const origin = this.hands?.leadFrom();
      const away = Boolean(moved && space !== origin);
      const goes = !this.hands?.quiet || this.#possible(origin, space);
      this.hands?.drop(key, !(goes && moved));
      if (!away) return;
      if (!goes) {
        if (space) this.#inquire(origin, space);
        return;
      }
      this.guide?.goes();
      this.hands?.unfelt(origin, space, this.state, this.tell);
    }
  }

  #choose({ space, key }) {
    const { state } = this;
    if (this.drafting) {
      this.setup.choose(ofDraft(key) ? key : null, space);
      return;
    }
    if (this.scene?.tapped?.(state.view, seat, space)) {
      this.draw();
      return;
    }
    const before = state.chosen ?? (this.hands ? this.#only(space) : null);
    state.chosen = before === space ? null : space;
    const goes = before && space && before !== space && !this.#another(before, space);
    if (goes && this.#carried(before, space)) state.chosen = null;
    this.draw();
  }

  /** What could be done as hands began to carry a piece: until that has changed, or nothing came of it, nothing is marked. */
  #goes = null;

  /** The one piece that may move, where it is the only one; with `space`: if that is all that this space is there for. */
  #only(space = null) {
    const { may } = this.state;
    const [origin, ...more] = Object.keys(may?.moves ?? {});
    if (this.drafting || !origin || more.length || this.#goes === may) return null;
    return space === null || (may.moves[origin].includes(space) && !sayable(may).at.has(space))
      ? origin
      : null;
  }

  /** Whether another piece of this seat's is chosen instead: one that the first may not go to. */
  #another(origin, space) {
    const { may, view } = this.state;
    if (may?.moves?.[origin]?.includes(space)) return false;
    const there = [view.board?.[space] ?? standing(view)[space] ?? []].flat();
    return Boolean(may?.moves?.[space]) || there.some((piece) => piece.seat === seat);
  }

  /** Tap a piece, then a square: hands carry it; on a real board only where that space is played by hand. */
  #carried(origin, target) {
    const { hands, state } = this;
    const mine = state.may?.moves?.[origin]?.includes(target);
    if (hands && mine) {
      this.#goes = state.may;
      setTimeout(() => {
        this.#goes = null;
        this.draw();
      }, GOES_MS);
    }
    // Where places are tapped for other things too, to ask about them, say, a tap carries what may go there alone.
    if (hands?.standing(origin).length && !state.view.pieces && !this.#possible(origin, target)) {
      this.#inquire(origin, target);
      return true;
    }
    if (hands && (mine || !state.view.pieces)) {
      hands.unfelt(origin, target, state, this.tell);
      this.guide?.goes();
      return hands.carry(origin, target, state.view.piece);
    }
    if (hands || !mine) return false;
    this.tell(`${origin}-${target}`);
    return true;
  }

  // What is drawn

  /** Draw what is known: the board at once, what can wait a moment later. */
  draw = () => {
    const { board, hands, state } = this;
    if (!state.view || this.#unarmed || this.curtain?.closed) return;
    const lying = Boolean(
      hands && ((!this.scene?.ground && !state.view.pieces) || state.view.phase === "place" || hands.lying()),
    );
    board.setTrays(lying || this.drafting, lying);
    board.setMarks(state.board.marks, !hands?.lit);
    if (hands?.lit) board.setLit(hands.lit);
    // Who sets up needs the room. In a next game it keeps its place, and so does the board below it.
    if (!this.drafting) this.#hasPlayed = true;
    this.banner.element.hidden = this.drafting && !this.#hasPlayed;
    this.#drawPieces();
    this.#drawHints();
    if (this.scene?.ground) this.#follow();
    this.#drawSides();
    this.guide?.draw();
    if (byId("room").hasAttribute("aria-busy")) {
      this.#drawRest(); // what comes first comes whole: nothing is pushed away
      byId("room").removeAttribute("aria-busy");
      return;
    }
    state.later ||= setTimeout(() => {
      state.later = undefined;
      this.#drawRest();
    });
  };

  #drawPieces() {
    const { board, hands, scene, setup, state } = this;
    const pieces = this.drafting ? drafted(setup, board) : [];
    const hide = this.drafting ? seat : null; // one's own army is drawn as it is drafted
    const near = seat ?? about.seats[0];
    if (hands && state.view.outcome && isSingle(state.view.board))
      pieces.push(...atTheEnd(state.view, state.bared, board, near));
    else if (hands)
      pieces.push(
        ...hands.pieces(state, { seat, near, hide }),
        ...(scene?.beside?.(state.view, board) ?? []),
      );
    else {
      const shown =
        state.bared && state.view.board
          ? { ...state.view, board: { ...state.view.board, ...state.bared } }
          : state.view;
      const seen = viewed(shown, board, state.keys, Boolean(scene?.ground), scene?.stands?.(state.view));
      state.keys = seen.keys;
      pieces.push(...seen.pieces.filter((piece) => !(hide && piece.seat === hide)));
    }
    board.setPieces(pieces);
    board.setScene(state.view);
    state.spoken = spokenOf(pieces, this.drafting ? setup.draft : []);
  }

  #drawHints() {
    const { hands, scene, setup, state } = this;
    const lifted = Object.entries(state.board.marks)
      .filter(([, mark]) => mark === "lifted")
      .map(([space]) => space);
    const origin =
      hands?.leadFrom() ?? lifted.find((space) => state.may?.moves?.[space]) ?? state.chosen ?? this.#only();
    const picked = setup?.picked?.startsWith("draft:") ? setup.picked.slice(6) : null;
    const targets = this.drafting ? null : state.may?.moves?.[origin];
    this.board.setHints(
      this.drafting && setup.picked
        ? [...setup.zone].filter((space) => !setup.draft.has(space))
        : (targets ?? (scene?.ground ? [] : [...sayable(state.may).at.keys()])),
      this.drafting ? picked : state.chosen,
      state.view.possible,
      this.drafting ? null : this.banner.way,
      this.drafting ? [...setup.zone] : [],
      (targets ?? []).filter((space) => this.#attacked(space)),
      Boolean(targets),
    );
  }

  /** Whether this seat's piece would attack or arrest somebody there. */
  #attacked(space) {
    const { view } = this.state;
    const there = [view.board?.[space] ?? standing(view)[space] ?? []].flat();
    const foe = this.scene?.foe ?? ((one, other) => one !== other);
    return there.some((piece) => foe(seat, piece.seat));
  }

  /** The panels that a person acts on. Each is made anew only where something that it shows has changed. */
  #drawSides() {
    const { scene, setup, sides } = this;
    const { board, chosen, may, view } = this.state;
    this.#stand();
    sides.offer.hidden = Boolean(view.outcome); // there is no turn to be told of
    refill(
      sides.todo,
      [
        ...[
          view,
          may,
          board.waits,
          board.silent,
          board.chores,
          board.window,
          board.question,
          board.proposals,
          this.state.away,
          this.state.devices,
        ],
        this.hands && !this.hands.power,
        [this.ahead, this.state.evening],
        setup && [setup.editing, [...setup.draft], setup.picked, setup.kept()],
        this.drafting,
      ],
      () => todo(this),
    );
    const said = [...[may, board.proposals, view.phase, chosen, board.over], scene?.kept?.(view)];
    refill(sides.acts, said, () => acts(this));
    refill(sides.hand, said, () => scene?.hold?.(may, view, seat, this.tell, this.draw) ?? []);
    refill(sides.asides, said, () => asides(this));
    const [place, pieces] = this.#touched();
    refill(sides.told, [place, pieces, place && board.marks[place]], () => this.#explained(place, pieces));
    refill(sides.parts, [view], () => scene?.parts?.(view, seat, this.tell, notes) ?? parts(view));
  }

  /** The place that is chosen, and the pieces there as this screen knows them. @returns {[string | null, any[]]} */
  #touched() {
    const { setup, state } = this;
    const [kind, what] = this.drafting ? (setup.picked?.split(":") ?? []) : [];
    if (kind) return [what, [{ seat, rank: kind === "army" ? what : setup.draft.get(what) }]];
    const { chosen, view } = state;
    const there =
      chosen && !this.drafting ? [view.board?.[chosen] ?? standing(view)[chosen] ?? []].flat() : [];
    return [chosen, there.map((piece) => ({ ...piece, rank: kindOf(piece) ?? null }))];
  }

  /** What a touched place and its pieces are, in a few words. */
  #explained(place, pieces) {
    if (!place) return [];
    const box = h("div.explained", { role: "status" });
    const mark = this.state.board.marks[place]?.split("+")[0];
    const lamp = meaning(
      about.printed.legend.find((entry) => entry.mark === mark),
      this.state.board.over,
    );
    const lake = about.printed.spaces.some(({ id, outline }) => id === place && outline === "lake");
    explain(box, pieces, [
      ...(this.scene?.explain?.(place) ?? []),
      ...(lake ? [_("A lake: no piece goes there.")] : []),
      ...(lamp ? [lamp] : []),
    ]);
    return box;
  }

  /** What can wait until the board has been drawn: words for those who listen, history, legend, bench. */
  #drawRest() {
    const { board: shown, chosen, heard, spoken, told } = this.state;
    const { sides } = this;
    this.board.setWords(spoken, shown.over);
    const list = () => sides.history.querySelector("ol");
    const before = list();
    const atEnd = !before || before.scrollTop + before.clientHeight > before.scrollHeight - 8;
    const begun = this.state.view.phase !== "setup";
    refill(sides.history, [heard, told.length, begun], () =>
      begun || told.flatMap(lineOf).length
        ? h(
            "details.part",
            { "data-part": "history", open: true },
            h("summary", {}, _("What happened")),
            history(told, whyNot),
          )
        : [],
    );
    const after = list();
    if (after && atEnd) after.scrollTop = after.scrollHeight; // whoever reads further up goes on reading
    refill(sides.join, [shown.free, about.joins], () => joining(shown.free ?? []));
    refill(sides.lost, [shown.free, about.joins], () =>
      about.joins ? [lost(about.seats, shown.free ?? []), spectators()] : [],
    );
    refill(sides.lamps, shown.marks, () =>
      h(
        "details.part",
        { "data-part": "lamps", open: matchMedia("(min-width: 60rem)").matches },
        h("summary", {}, _("What the lights mean")),
        legend(about.printed, shown.marks),
      ),
    );
    if (this.hands) this.hands.panel(sides.bench, chosen);
    refill(sides.foot, [1], () => foot(this.sounds, this.curtain));
    prepare();
  }
}

/** What opens and closes on these panels. */
function menu(panels) {
  return h("details.part.menu", { "data-part": "menu" }, h("summary", {}, _("More")), ...panels);
}

/** Whether a board holds one piece a space at most. */
function isSingle(board) {
  return Boolean(board) && !Object.values(board).some(Array.isArray);
}

/** Say how the line to the umpire is. */
function lineIs(text, kind) {
  const shown = byId("line");
  if (shown.textContent !== text) shown.textContent = text;
  shown.className = `line ${kind}`;
}

/** The ways back to the seats of this device. */
function ownSeats() {
  if (seat || !about.mine.length) return null;
  const back = (own) =>
    h("a.button", { href: `/seat/${encodeURIComponent(own)}` }, _("Seat: {seat}", { seat: named(own) }));
  return h("nav.row", { "aria-label": _("Your seats") }, about.mine.map(back));
}

/** Codes of the free seats; to who has no link, how to sit down, and how late this screen sees the game. */
function joining(free) {
  if (about.joins && !watching) return [ownSeats(), seats(free)];
  return [
    h(
      "p.faint",
      {},
      _("You are watching. To play, scan a seat's code on the table's screen, or open the seat's link."),
    ),
    about.late
      ? h(
          "p.faint.late",
          {},
          counted(
            "You see the game one action late, and its end at once.",
            "You see the game {n} actions late, and its end at once.",
            about.late,
          ),
        )
      : null,
  ];
}
