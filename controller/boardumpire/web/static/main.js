// The screens of the table and of the seats: what is known is drawn, what a person does is passed on.

import { h, named, refill, sure, toast } from "/dom.js";
import { Board } from "/board.js";
import { Clocks } from "/clock.js";
import { Curtain } from "/curtain.js";
import { seats, spectators } from "/join.js";
import { RANKS } from "/pieces.js";
import { history, legend, lineOf, nameSpaces, outcome, parts, placed, standing } from "/parts.js";
import { Line } from "/line.js";
import { Setup } from "/setup.js";
import { Acts, helps, sheetOf, throws } from "/spaces.js";
import { Sounds } from "/sounds.js";
import { dimmed, newGame, settings } from "/tabletop.js";
import { _, counted, language, listed } from "/words.js";

const SAYINGS = {
  resign: [_("Resign"), _("Resign this game? The other side wins.")],
  "offer-draw": [_("Offer a draw"), _("Offer a draw?")],
  "agree-draw": [_("Agree to the draw"), _("Agree to the draw? The game is over then.")],
  "decline-draw": [_("Decline the draw")],
  "ask-take-back": [_("Take back …"), _("Ask to take your last move back? The other side has to agree.")],
  "agree-take-back": [_("Let it be taken back"), _("Let the other side take its last move back?")],
  "decline-take-back": [_("Don't let it be taken back")],
  "ask-throw-again": [_("Wrong throw …"), _("Ask to enter the throw again? The other side has to agree.")],
  "agree-throw-again": [_("Let it be entered again"), _("Let the other side enter the throw again?")],
  "decline-throw-again": [_("The throw stands")],
  "pass-always": [_("Let everything happen until I say otherwise")],
  "pass-ask": [_("Ask me again whether I answer")],
  "withdraw-take-back": [_("Don't take it back after all")],
};
const HAND_OVER_MS = 1200;
const notesOf = (seat) => `boardumpire notes ${seat}`;
const UNFELT_MS = 1500;
const MANY = 12;
const YES_NO = [_("Yes"), _("No")];
const WHETHER_ATTACK = [_("Attack"), _("Don't attack")];
/** What yes and no mean, where a question has words of its own for them. */
const ANSWERS = {
  "attack-pending": WHETHER_ATTACK,
  "attack-counting": WHETHER_ATTACK,
  "attack-here": WHETHER_ATTACK,
  "in-hand": [_("In my hand"), _("I have put it down")],
};
/** What it means to name none of those that are asked about. */
const NONE_OF_THEM = {
  "attack-which": WHETHER_ATTACK[1],
  "attack-where": WHETHER_ATTACK[1],
  "moved-where": ANSWERS["in-hand"][0],
};
/** By this an answer says which question it is for. */
const nameOf = (question) => [question.code, ...question.spaces].join(" ");
const TODO = { put: _("Put"), take: _("Take"), centre: _("Centre"), ring: _("Centre") };

const path = location.pathname.split("/").filter(Boolean);
const seat = path[0] === "seat" ? decodeURIComponent(path[1]) : null;
const watching = path[0] === "watch";
const line =
  path[0] === "replay"
    ? null
    : new Line(
        seat ? `/socket/${encodeURIComponent(seat)}` : watching ? "/watch/socket" : "/socket",
        seat ? location.pathname : null,
      );
const about = JSON.parse(document.getElementById("about").textContent);
const bench = about.hands && path[0] !== "replay" ? import("/hands.js") : null;
const castle = about.printed.scenery ? new (await import("/castle.js")).Castle(about.printed) : null;
const far = about.seats.length === 2 && !castle ? about.seats[1] : null;

if (path[0] === "replay") (await import("/replay.js")).start(about);
else start();

async function start() {
  const state = {
    view: null,
    may: null,
    board: null,
    told: [],
    heard: 0,
    later: 0,
    spoken: {},
    up: false,
    chosen: null,
    sheet: [],
    learned: new Map(),
  };
  const printed = about.printed;
  const board = new Board(printed, seat !== null && seat === far, castle);
  const setup = seat ? new Setup(seat) : null;
  nameSpaces(printed.spaces);
  const sides = sections();
  const sounds = new Sounds(about.tunes);
  const clocks = new Clocks();
  const curtain = new Curtain(seat, about.mine, () => draw());
  let hands = null;

  const whose = watching ? _("Spectators") : _("The table");
  document.title = `${seat ? named(seat) : whose} · Boardumpire`;
  document.getElementById("who").replaceChildren(seat ? _("Seat: {seat}", { seat: named(seat) }) : whose);
  document.body.dataset.seat = seat ?? "table";
  document.getElementById("table").append(clocks.element, board.tools ?? "", board.svg, sides.under);
  document
    .getElementById("side")
    .append(
      sides.todo,
      sides.acts,
      sides.join,
      sides.parts,
      sides.history,
      sides.lamps,
      sides.bench,
      sides.foot,
    );

  if (bench) {
    const { Hands } = await bench;
    hands = new Hands(board, () => draw());
    hands.addEventListener("refused", ({ detail }) => toast(detail));
  }

  line.addEventListener("up", () => {
    state.up = true;
    lineIs(_("live"), "live");
  });
  line.addEventListener("down", ({ detail }) => {
    state.up = false;
    if (detail.ended) {
      leave();
      return;
    }
    lineIs(
      detail.code === 1012 || detail.code === 1013
        ? _("the umpire is away …")
        : _("looking for the umpire …"),
      "lost",
    );
  });
  line.addEventListener("frame", ({ detail }) => take(detail));
  setup?.addEventListener("change", () => draw());
  board.addEventListener("choose", ({ detail }) => choose(detail));
  board.addEventListener("grab", (event) => {
    if (!mayGrab(event.detail)) event.preventDefault();
  });
  board.addEventListener("lead", ({ detail }) => {
    if (!drafted(detail.key)) hands?.lead(detail.key, detail.at);
  });
  board.addEventListener("drop", ({ detail }) => drop(detail));
  line.open();

  function lineIs(text, kind) {
    const shown = document.getElementById("line");
    if (shown.textContent !== text) shown.textContent = text;
    shown.className = `line ${kind}`;
  }

  /** The seat is another device's: what it hides goes at once, with or without the umpire's word; then the page is asked for anew. */
  function leave() {
    clearTimeout(state.later);
    clearTimeout(state.handed);
    for (const key of Object.keys(state)) delete state[key];
    hands?.close();
    setup?.forget();
    try {
      localStorage.removeItem(notesOf(seat));
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
          _("Its screen opens on the device that sits there. Open the seat's own link to sit down."),
        ),
      ),
    );
    location.replace(location.pathname);
  }

  // What comes in

  /** @param {import("../../../../tests/scripts/wire.js").Frame} frame */
  function take(frame) {
    const told = frame.kind === "board" ? frame.board.clocks : "clocks" in frame ? frame.clocks : undefined;
    if (told !== undefined) clocks.set(told);
    if (frame.kind === "here") return;
    if (frame.kind === "snapshot") {
      Object.assign(state, {
        view: frame.view,
        may: frame.may ?? null,
        board: frame.board,
        told: frame.told,
        heard: state.heard + 1,
      });
      if (!Object.keys(frame.view.board ?? {}).length) state.learned.clear();
      document.getElementById("room").removeAttribute("aria-busy");
      if (castle && !state.near) {
        state.near = true;
        lookFirst();
      }
    } else if (frame.kind === "view") {
      Object.assign(state, { view: frame.view, may: frame.may ?? null });
    } else if (frame.kind === "board") {
      state.board = frame.board;
    } else if (frame.kind === "told") {
      heard(frame.told);
      sounds.play(frame.sound);
    }
    if (setup && state.view) setup.meet(state.view, state.may);
    clearTimeout(state.handed);
    state.handed = setTimeout(handOver, HAND_OVER_MS);
    draw();
    if (frame.kind === "snapshot") performance.mark("usable");
    hands?.look(state.board, seat);
  }

  /** A phone that is passed round goes to the next seat, once its own has seen what came of its turn. */
  function handOver() {
    if (state.view && !state.view.outcome && !state.board.chores.length) curtain.follow(waitedFor());
  }

  /** The seats that the table waits for: to move, or to answer. */
  function waitedFor() {
    const { proposal, question } = state.board;
    return proposal ? proposal.asked : question?.seat ? [question.seat] : state.view.to_act;
  }

  /** A small screen begins near its own men. */
  function lookFirst() {
    const own = Object.entries(state.view.places ?? {})
      .filter(([, names]) => names.some((name) => name.startsWith(`${seat}:`)))
      .map(([space]) => board.place(space))
      .filter(Boolean);
    const middle = (key) => own.reduce((sum, at) => sum + at[key], 0) / own.length;
    if (own.length && board.svg.clientWidth < 600) board.lookAt({ x: middle("x"), y: middle("y") }, 1);
  }

  function heard(message) {
    state.heard += 1;
    state.told.push(message);
    if (state.told.length > 250) state.told.shift();
    for (const [kind, text] of curtain.closed ? [] : lineOf(message)) {
      document.getElementById("said").textContent = text;
      if (["refused", "fault", "private", "reminder"].includes(kind)) toast(text, kind);
    }
    hands?.heard(message);
  }

  // What a person does

  async function say(verb, text) {
    const answer = await line.say(verb, text === undefined ? {} : { text });
    if (!answer.ok) toast(answer.text, "refused");
    else if (verb === "check") toast(_("The umpire would accept this."), "good");
    return answer.ok;
  }

  /** Say that a set-up is ready; where hands are simulated they stand the pieces first. */
  async function ready(text) {
    if (hands && !(await line.say("check", { text })).ok) {
      await say("check", text);
      return;
    }
    setup.editing = false;
    setup.picked = null;
    await hands?.layOut(seat, [...setup.draft.keys()].sort()); // in no order that tells of ranks
    if (await say("say", text)) scrollTo({ top: 0, behavior: "smooth" });
    else setup.editing = true;
    draw();
  }

  /** Say an act of the game; the place that it was about is chosen no more. */
  async function act(text) {
    if (await say("say", text)) state.chosen = null;
    draw();
  }

  async function word(text) {
    const [label, asked] = SAYINGS[text] ?? [text],
      question = text === "resign" && castle ? castle.leaving(state.view, seat) : asked;
    if (!question || (await sure(question, label))) await say("say", text);
  }

  function drafted(key) {
    return typeof key === "string" && (key.startsWith("army:") || key.startsWith("draft:"));
  }
  function drafting() {
    return Boolean(setup && state.view?.army && state.view.phase === "setup" && setup.editing);
  }

  function mayGrab({ key, lift, keyboard }) {
    if (drafted(key)) return drafting() && !keyboard;
    return Boolean(hands?.grab(key, lift, keyboard));
  }

  function drop({ key, space, far: moved }) {
    if (drafted(key)) {
      if (moved) setup.put(key, space);
      draw();
    } else {
      if (moved) state.chosen = null;
      const origin = hands?.leadFrom();
      hands?.drop(key);
      if (moved) unfelt(origin, space);
    }
  }

  function choose({ space, key }) {
    if (drafting()) {
      setup.choose(drafted(key) ? key : null, space);
      return;
    }
    if (state.view.phase === "sheet" && space && state.view.to_act.includes(seat)) {
      state.sheet.push(space);
      draw();
      return;
    }
    const before = state.chosen;
    state.chosen = before === space ? null : space;
    if (before && space && before !== space && carried(before, space)) state.chosen = null;
    draw();
  }

  /** Tap a piece, then a square: hands carry it; on a real board only where that space is played by hand. */
  function carried(origin, target) {
    const mine = state.may?.moves?.[origin]?.includes(target);
    // Where places are tapped for other things too, to ask about them, say, a tap carries what may go there alone.
    if (hands && (mine || !state.view.pieces)) {
      unfelt(origin, target);
      return hands.carry(origin, target, state.view.piece);
    }
    if (hands || !mine) return false;
    say("say", `${origin}-${target}`);
    return true;
  }

  /** A piece that leaves or meets others on one reed is not felt: where hands do what this screen was told, it says so. */
  function unfelt(origin, target) {
    const shared = (space) => Object.values(state.view.pieces ?? {}).filter((at) => at === space).length;
    if (!state.may?.moves?.[origin]?.includes(target) || (shared(origin) < 2 && !shared(target))) return;
    const moment = JSON.stringify([state.view.pieces, state.view.piece]);
    setTimeout(() => {
      if (moment === JSON.stringify([state.view.pieces, state.view.piece])) say("say", `${origin}-${target}`);
    }, UNFELT_MS);
  }

  // What is drawn

  function draw() {
    if (!state.view || curtain.closed) return;
    const lying = Boolean(
      hands && ((!castle && !state.view.pieces) || state.view.phase === "place" || hands.lying()),
    );
    board.setTrays(lying || drafting(), lying);
    if (hands?.lit) {
      board.setMarks(state.board.marks, false);
      board.setLit(hands.lit);
    } else board.setMarks(state.board.marks, true);
    drawPieces();
    drawHints();
    drawSides();
    state.later ||= setTimeout(() => {
      state.later = 0;
      drawRest();
    });
  }

  function drawPieces() {
    const pieces = [];
    const draft = drafting();
    if (draft) {
      for (const [space, rank] of setup.draft) {
        const at = board.place(space);
        if (at) pieces.push({ key: `draft:${space}`, seat, rank, ...at, is: "stands", draft: true });
      }
      const left = setup.left().filter(([, count]) => count > 0);
      left.forEach(([rank, count], place) =>
        pieces.push({
          key: `army:${rank}`,
          seat,
          rank,
          ...board.beside(true, place, left.length),
          is: "beside",
          badge: count > 1 ? count : null,
        }),
      );
    }
    if (hands)
      pieces.push(
        ...hands.pieces(state, { seat, near: seat ?? about.seats[0], hide: draft ? seat : null }),
        ...hidden(state.view, board),
      );
    else pieces.push(...viewed(state.view, board, state).filter((piece) => !(draft && piece.seat === seat)));
    board.setPieces(pieces);
    board.setScene(state.view);
    const words = {};
    for (const piece of pieces) {
      if (piece.space && piece.seat !== "hidden")
        words[piece.space] =
          piece.rank && piece.rank !== "?"
            ? _("{seat}'s {rank}", { seat: named(piece.seat), rank: RANKS[piece.rank] ?? piece.rank })
            : _("{seat}: a piece", { seat: named(piece.seat) });
    }
    for (const [space, rank] of draft ? setup.draft : [])
      words[space] = _("your {rank}", { rank: RANKS[rank] ?? rank });
    state.spoken = words;
  }

  function drawHints() {
    const lifted = Object.entries(state.board.marks)
      .filter(([, mark]) => mark === "lifted")
      .map(([space]) => space);
    const origin = hands?.leadFrom() ?? lifted.find((space) => state.may?.moves?.[space]) ?? state.chosen;
    const picked = setup?.picked?.startsWith("draft:") ? setup.picked.slice(6) : null;
    board.setHints(
      drafting() && setup.picked
        ? [...setup.zone].filter((space) => !setup.draft.has(space))
        : (state.may?.moves?.[origin] ?? (castle ? [] : [...sayable(state.may).at.keys()])),
      drafting() ? picked : state.chosen,
      state.view.possible,
    );
  }

  function drawSides() {
    const { view, may, board: shown } = state;
    const wait = hands && !hands.power;
    refill(
      sides.todo,
      [
        view,
        shown.waits,
        shown.chores,
        shown.window,
        shown.question,
        shown.proposal,
        wait,
        setup?.editing,
        setup && [...setup.draft],
        setup?.picked,
        setup?.kept(),
        drafting(),
      ],
      () =>
        wait
          ? [
              h("h2", {}, _("The power is off")),
              h("p", {}, _("The umpire comes back in a moment; the game is safe in its journal.")),
            ]
          : todo(view, shown),
    );
    refill(
      sides.acts,
      [
        may,
        shown.proposal,
        view.phase,
        state.chosen,
        shown.over,
        state.sheet,
        castle && [view.hand, view.open, castle.trade, [...castle.away]],
      ],
      () => acts(may, view, shown),
    );
    refill(sides.parts, [view], () => [
      ...(castle ? castle.parts(view, seat) : parts(view)),
      seat && "month" in view ? helps(view, (text) => say("say", text), notesOf(seat)) : null,
    ]);
  }

  /** What can wait until the board has been drawn: words for those who listen, history, legend, bench. */
  function drawRest() {
    const { board: shown } = state;
    board.setWords(state.spoken);
    refill(sides.history, [state.heard, state.told.length], () =>
      state.told.length
        ? h("details.part", { open: true }, h("summary", {}, _("So far")), history(state.told))
        : [],
    );
    const list = sides.history.querySelector("ol");
    if (list) list.scrollTop = list.scrollHeight;
    refill(sides.join, [shown.free, about.joins], () =>
      about.joins
        ? [...seats(about.seats, shown.free ?? []), spectators()]
        : about.late
          ? [
              h(
                "p.faint.late",
                {},
                counted(
                  "You see the game one action late, and its end at once.",
                  "You see the game {n} actions late, and its end at once.",
                  about.late,
                ),
              ),
            ]
          : [],
    );
    refill(sides.lamps, shown.marks, () =>
      h(
        "details.part",
        { open: matchMedia("(min-width: 60rem)").matches },
        h("summary", {}, _("What the lamps mean")),
        legend(printed, shown.marks),
      ),
    );
    if (hands) hands.panel(sides.bench, state.chosen);
    refill(sides.foot, [1], () => foot());
  }

  function todo(view, shown) {
    const head = (text, ...rest) => [h("h2", { id: "todo", tabindex: -1 }, text), ...rest];
    if (shown.waits) return head(_("The game waits"), h("p", {}, shown.waits));
    if (view.outcome && !shown.proposal)
      return head(
        outcome(view.outcome),
        h(
          "div.row",
          {},
          about.joins ? h("button.main", { onclick: () => newGame() }, _("New game")) : null,
          seat && !shown.proposal
            ? h(
                "button",
                { "data-key": "again", onclick: () => say("say", "new-game") },
                _("Once more, if all agree"),
              )
            : null,
          h("a.button", { href: "/replay" }, _("Look at it again")),
        ),
      );
    if (shown.proposal)
      return head(
        _("The table is asked"),
        h("p", {}, shown.proposal.text),
        yesNo(shown.proposal.asked, shown.proposal.thing),
      );
    if (shown.question)
      return head(
        _("The umpire asks"),
        h("p", {}, shown.question.text),
        named_targets(shown.question) ??
          yesNo(
            shown.question.seat ? [shown.question.seat] : about.seats,
            nameOf(shown.question),
            ANSWERS[shown.question.code],
          ),
      );
    if (drafting()) return setup.panel(say, ready);
    if (view.phase === "setup" && seat && view.ready?.[seat] && view.army)
      return head(
        _("You are ready"),
        h(
          "p",
          {},
          view.to_act.length
            ? _("Waiting for {seats}.", { seats: listed(view.to_act.map(named)) })
            : _("Waiting for the pieces to stand."),
        ),
        h(
          "div.row",
          {},
          h(
            "button",
            {
              onclick: () => {
                setup.editing = true;
                draw();
              },
            },
            _("Change the set-up"),
          ),
        ),
      );
    if (shown.chores.length)
      return head(
        _("Put the board in order"),
        hands
          ? h(
              "div.row",
              {},
              h(
                "button.main",
                { "data-key": "tidy", onclick: () => hands.tidyUp() },
                _("Let the hands do it"),
              ),
            )
          : null,
        h(
          "ul.chores",
          {},
          shown.chores
            .slice(0, MANY)
            .map((chore, place) =>
              h(
                `li.do-${chore.do}`,
                {},
                h("strong", {}, TODO[chore.do] ?? chore.do),
                ` ${shown.text[place] ?? chore.space}`,
              ),
            ),
        ),
        shown.chores.length > MANY
          ? h("p.faint", {}, counted("and one more", "and {n} more", shown.chores.length - MANY))
          : null,
      );
    if (castle && !view.outcome) {
      const [title, ...told] = castle.situation(view, seat, state.may);
      return head(
        title,
        told.filter(Boolean).map((text) => h("p", {}, text)),
        castle.countdown(shown.window),
      );
    }
    if (view.phase === "setup" && setup?.draft.size)
      return head(
        _("Your pieces go onto the board"),
        h("p", {}, _("Then tell the umpire which piece is which. Nobody else sees it.")),
      );
    if (seat && view.to_act.includes(seat) && !Object.keys(state.may.moves).length && state.may.acts.length)
      return head(_("Your turn")); // what there is to say is said below
    if (seat && view.to_act.includes(seat))
      return head(
        _("Your turn"),
        h(
          "p",
          {},
          _(
            "Rings show where the piece you choose or lift may go; the lamps show only what everybody may know.",
          ),
        ),
      );
    const waited = listed(view.to_act.map(named));
    return head(
      !waited
        ? _("Wait a moment")
        : view.phase === "setup"
          ? _("{seats} set up", { seats: waited })
          : _("{seats} to move", { seats: waited }),
    );
  }

  function named_targets(question) {
    const none = NONE_OF_THEM[question.code];
    if (!none || question.seat !== seat) return null;
    const [origin, ...targets] = question.spaces;
    return h(
      "div.row",
      {},
      targets.map((target) =>
        h("button", { onclick: () => say("say", `${origin}-${target}`) }, placed(target)),
      ),
      h("button", { "data-key": "no", onclick: () => say("say", `no ${nameOf(question)}`) }, none),
    );
  }

  /** Buttons for whoever is asked; the others see who that is. `what` says which question they answer: by the time a thumb comes down another may be asked. */
  function yesNo(asked, what, [yes, no] = YES_NO) {
    return asked.includes(seat)
      ? h(
          "div.row",
          {},
          h("button.main", { "data-key": "yes", onclick: () => say("say", `yes ${what}`) }, yes),
          h("button", { "data-key": "no", onclick: () => say("say", `no ${what}`) }, no),
        )
      : h(
          "p.faint",
          {},
          _("Asked: {seats}. The buttons on the board answer, too.", { seats: listed(asked.map(named)) }),
        );
  }

  /** The way on where the board feels what is not so. */
  function asShown() {
    return h(
      "details",
      {},
      h("summary", {}, _("Is the board wrong?")),
      h(
        "p",
        {},
        _(
          "If all pieces stand as this screen shows them and all seats agree, the game goes on. The squares that the board feels wrongly are then played by hand.",
        ),
      ),
      h(
        "div.row",
        {},
        h(
          "button",
          { "data-key": "stands", onclick: () => say("say", "stands") },
          _("The pieces stand as shown"),
        ),
      ),
    );
  }

  function sayable(may) {
    return new Acts(may?.acts ?? [], printed);
  }

  function acts(may, view, shown) {
    if (!seat || !may) return [];
    const answers = may.says.filter((text) => /^(agree|decline)-/.test(text));
    const doubts = !view.outcome && view.phase !== "setup" && !shown.proposal;
    const rest = may.says.filter((text) => !answers.includes(text));
    const button = (text, kind = "") =>
      h(`button${kind}`, { "data-key": text, onclick: () => word(text) }, SAYINGS[text]?.[0] ?? text);
    return [
      answers.length && view.offer
        ? h(
            "div.card",
            {},
            h(
              "p",
              {},
              view.offer.thing === "draw"
                ? _("{seat} offers a draw.", { seat: named(view.offer.seat) })
                : view.offer.thing === "throw-again"
                  ? _("{seat} asks to enter the throw again: it was a wrong one.", {
                      seat: named(view.offer.seat),
                    })
                  : _("{seat} asks to take the last move back.", { seat: named(view.offer.seat) }),
            ),
            h(
              "div.row",
              {},
              answers.map((text) => button(text)),
            ),
          )
        : null,
      throws(may.throws ?? [], (text) => say("say", text)),
      view.phase === "sheet" && view.to_act.includes(seat)
        ? sheetOf(
            state.sheet,
            sayable(may),
            (text) => say("say", text),
            () => {
              state.sheet.pop();
              draw();
            },
          )
        : castle
          ? castle.acts(
              may,
              view,
              seat,
              (text) => say("say", text),
              () => draw(),
            )
          : sayable(may).buttons(state.chosen, (text) => act(text)),
      rest.length
        ? h(
            "div.row.says",
            {},
            rest.map((text) => button(text, text === "resign" ? ".quiet" : "")),
          )
        : null,
      doubts ? asShown() : null,
      doubts && state.chosen
        ? h(
            "details",
            {},
            h("summary", {}, _("Is the sensor of {space} wrong?", { space: placed(state.chosen) })),
            h(
              "p",
              {},
              _(
                "If everyone agrees, the umpire ignores this sensor, and whoever moves here says so on the phone.",
              ),
            ),
            h(
              "div.row",
              {},
              h(
                "button",
                { onclick: () => say("say", `by-hand ${state.chosen}`) },
                _("Play {space} by hand", { space: placed(state.chosen) }),
              ),
              h(
                "button",
                { onclick: () => say("say", `by-reed ${state.chosen}`) },
                _("Use the sensor again"),
              ),
            ),
            hands ? saidByHand(may.moves?.[state.chosen] ?? []) : null,
          )
        : null,
    ];
  }

  /** Where hands move pieces, a move that a space played by hand did not feel is said here. */
  function saidByHand(targets) {
    return targets.length
      ? [
          h("p", {}, _("Once it is, say where its piece went if the board did not feel it:")),
          h(
            "div.row",
            {},
            targets.map((target) =>
              h(
                "button",
                { "data-key": `said ${target}`, onclick: () => say("say", `${state.chosen}-${target}`) },
                `${placed(state.chosen)}–${placed(target)}`,
              ),
            ),
          ),
        ]
      : null;
  }

  function foot() {
    const plain =
      location.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    return [
      h(
        "div.row",
        {},
        spoken(),
        h(
          "label.toggle",
          {},
          h("input", {
            type: "checkbox",
            "data-key": "sounds",
            checked: sounds.on,
            onchange: ({ target }) => sounds.set(target.checked),
          }),
          _("Sounds"),
        ),
        dimmed(),
        curtain.toggle(),
        about.joins
          ? h(
              "button.quiet",
              { type: "button", "data-key": "settings", onclick: () => settings() },
              _("The table's settings …"),
            )
          : null,
      ),
      h(
        "nav",
        { "aria-label": _("Other screens") },
        seat
          ? h("a", { href: "/" }, _("The table"))
          : about.mine.map((own) =>
              h("a", { href: `/seat/${own}` }, _("Seat: {seat}", { seat: named(own) })),
            ),
        h("a", { href: "/replay" }, _("Games that are over")),
        about.makers ? h("a", { href: "/makers" }, _("For makers")) : null,
      ),
      plain
        ? h(
            "p.faint",
            {},
            _(
              "This line is not encrypted: anyone on the same Wi-Fi could read what is on this screen. A certificate in the configuration's section [page] changes that.",
            ),
          )
        : null,
    ];
  }
}

/** The language of this screen, to choose. */
function spoken() {
  const choose = ({ target }) => {
    document.cookie = `boardumpire-language-${seat ?? "table"}=${target.value}; path=/; max-age=31536000; samesite=lax`;
    dispatchEvent(new Event("leave"));
    location.reload();
  };
  return h(
    "label.language",
    {},
    _("Language"),
    " ",
    h(
      "select",
      { "data-key": "language", onchange: choose },
      Object.entries(about.languages).map(([code, name]) =>
        h("option", { value: code, lang: code, selected: code === language }, name),
      ),
    ),
  );
}

/** Where whoever hides is himself, beside what may stand there. */
function hidden(view, board) {
  const at = view.sheet?.at ? board.place(view.sheet.at) : null;
  return at
    ? [{ key: "hidden", seat: "hidden", rank: "★", x: at.x - 12, y: at.y - 12, is: "stands", small: 0.6 }]
    : [];
}

/** Pieces as a view tells them, where no hands move them on a screen. */
function viewed(view, board, state) {
  const before = state.keys ?? new Map();
  const now = new Map();
  const found = [];
  const spaces = Object.entries(view.board ?? standing(view));
  const free = [...before].filter(
    ([place]) =>
      !spaces.some(([space, held]) => [held].flat().some((_, number) => `${space}/${number}` === place)),
  );
  for (const [space, held] of spaces) {
    const list = [held].flat();
    list.forEach((piece, number) => {
      const at = castle ? board.stand(space, number) : board.place(space);
      if (!at) return;
      const place = `${space}/${number}`;
      let key = before.get(place);
      if (!key) {
        const match = free.findIndex(([, old]) => old.startsWith(`${piece.seat} `));
        key =
          match >= 0
            ? free.splice(match, 1)[0][1]
            : `${piece.seat} ${place} ${found.length} ${Math.random()}`;
      }
      now.set(place, key);
      const spread = castle ? 0 : (number - (list.length - 1) / 2) * 15;
      found.push({
        key,
        seat: piece.seat,
        rank: piece.rank,
        space,
        x: at.x + spread,
        y: at.y,
        is: "stands",
        small: list.length > 1 && !castle ? 0.72 : 1,
      });
    });
  }
  state.keys = now;
  return found;
}

function sections() {
  const names = ["under", "todo", "acts", "join", "parts", "history", "lamps", "bench", "foot"];
  return Object.fromEntries(names.map((name) => [name, h(`div.${name}`)]));
}
