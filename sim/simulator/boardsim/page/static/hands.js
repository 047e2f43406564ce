// Hands over the simulated board: what a finger does moves magnets, never the game.

import { h, refill, sure, toast } from "/dom.js";
import { unheard } from "/line.js";
import { placed } from "/parts.js";
import { kindOf } from "/pieces.js";
import { _ } from "/words.js";

const BUTTONS = {
  confirm: [_("Confirm"), _("Hold confirm")],
  cancel: [_("Cancel"), _("Hold cancel")],
  turn: [_("Turn"), _("Hold turn")],
  choose: [_("Choose"), _("Hold choose")],
};
const WAIT = 300;
const HOLD = 240;
const FELT = 250; // a piece that stands is felt a little later
const FRAME = 1000 / 60;
/** How long a move has to be felt before it is said instead. */
const UNFELT_MS = 1500;
/** How far apart the places are that are kept of a slide, in mm. */
const STEP_MM = 20;
const FINGERS = new Set(["grab", "lead", "drop"]);

/** @typedef {{ hears: boolean, probe: () => void }} Line */

export class Hands extends EventTarget {
  #board;
  #draw;
  /** @type {WebSocket | null} */
  #socket = null;
  #pieces = [];
  #leads = null;
  #last = 0;
  #late = 0;
  #ruled = 0;
  #mine = false;
  #wait = 250;
  #chores = [];
  #timer = 0;
  #ended = false;
  /** @type {Line | null} */
  #line = null;

  /**
   * @param {any} board
   * @param {() => void} draw
   * @param {Line | null} line  to the umpire: while it is broken, fingers begin nothing
   */
  constructor(board, draw, line = null) {
    super();
    this.#board = board;
    this.#draw = draw;
    this.#line = line;
    this.lit = null;
    this.power = true;
    this.stuck = {};
    this.diodes = {};
    this.slides = read("slides", "no") === "yes";
    this.tidies = read("tidies", "yes") === "yes";
    /** Whether a table says what is to be tidied up. */
    this.hasTable = true;
    this.#connect();
  }

  #connect() {
    const socket = (this.#socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/hands`,
    ));
    socket.onopen = () => {
      this.#wait = 250;
      for (const message of this.#unsent.splice(0)) this.#send(message);
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => {
      if (this.#ended) return;
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(4000, this.#wait * 1.7);
    };
  }

  /** This device has left its seat: its hands leave the board. */
  close() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#pieces = [];
    this.#socket?.close();
  }

  /**
   * Whether fingers may begin something now; if not, this says so. What is done while the network is away would be
   * carried out at some later moment, unseen. An umpire without power hears nothing, but hands are there.
   */
  #may() {
    const heard = !this.#line || this.#line.hears || !this.power;
    const there = heard && this.#socket?.readyState === WebSocket.OPEN;
    if (there) this.#line?.probe();
    else this.dispatchEvent(new CustomEvent("refused", { detail: unheard() }));
    return there;
  }

  /** Do something whole, if fingers may. */
  #do(message) {
    const may = this.#may();
    if (may) this.#send(message);
    return may;
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (FINGERS.has(message.do)) {
      if (message.do === "lead" && this.#unsent.at(-1)?.do === "lead") this.#unsent.pop(); // the last place is enough
      if (this.#unsent.length < 60) this.#unsent.push(message);
    }
  }
  #unsent = []; // what fingers did while the line was away: else a piece would stay in a hand that has let go

  #take(frame) {
    if (frame.kind === "world") {
      const { pieces, stuck, diodes, power } = frame;
      Object.assign(this, { stuck, diodes, power });
      this.#pieces = pieces;
      if (this.#of(this.#let)?.is !== "led") this.#let = null;
      // The board may be seen later than what was ruled on it: only now it is known what is in the hand.
      if (this.#chores.length || this.#ruled) this.#soon();
    } else if (frame.kind === "lamps") this.lit = frame.lit;
    else if (frame.kind === "hands") this.dispatchEvent(new CustomEvent("refused", { detail: frame.text }));
    this.#draw();
  }

  // Fingers

  #of(key) {
    return this.#pieces.find((piece) => `world:${piece.id}` === key);
  }

  /**
   * The fingers close on a piece. `other`: with Shift, which does what is not usual; keys hold it at once, and say
   * whether it is lifted. `quiet`: nothing of what the fingers do is shown before they let go, but that a piece
   * which is held still is lifted.
   */
  grab(key, other, keyboard = false, quiet = false) {
    const piece = this.#of(key);
    if (!piece || (piece.is === "led" && this.#leads !== key && this.#let !== key)) return false;
    if (!this.#may()) return false;
    this.#leads = key;
    this.#from = piece.slot?.split("/")[0] ?? null;
    this.#home = piece.slot ?? null;
    this.#mine = true;
    this.#started = false;
    this.#unseen = quiet ? [] : null;
    clearTimeout(this.#hold);
    this.#lifts = keyboard ? other : other === this.slides;
    if (keyboard) this.#begin(key, other);
    else
      this.#hold = setTimeout(() => {
        if (this.#leads === key) this.#begin(key, true, true);
      }, HOLD);
    return true;
  }
  #from = null;
  #home = null; // the place on it
  #started = false;
  #lifts = false;
  #next = null;
  #hold = 0;
  #let = null; // what was let go here last and is still shown at a finger: ours, not another's
  /** What the fingers have done and nobody is shown yet. @type {any[] | null} */
  #unseen = null;
  /** Whether others see that the piece was taken. */
  #seen = false;

  /** The hand closes: a piece is lifted; where pieces slide, only one that is held still for a moment. */
  #begin(key, lift, still = false) {
    if (this.#started) return;
    this.#started = true;
    clearTimeout(this.#hold);
    this.#seen = still || !this.#unseen;
    this.#lifted = lift;
    const message = { do: "grab", piece: Number(key.slice(6)), lift };
    if (this.#seen) this.#send(message);
    else this.#unseen?.push(message);
    this.#draw();
  }
  #lifted = false;

  /** Where the piece under the finger was taken from. */
  leadFrom() {
    return this.#leads ? this.#from : null;
  }

  /** Whether others are shown nothing of where the fingers lead a piece. */
  get quiet() {
    return this.#unseen !== null;
  }

  lead(key, at) {
    this.#begin(key, this.#lifts);
    this.#next = at;
    const now = performance.now();
    clearTimeout(this.#late);
    if (now - this.#last < FRAME) this.#late = setTimeout(() => this.#lead(key), FRAME);
    else this.#lead(key);
  }

  #lead(key) {
    if (!this.#next || this.#leads !== key) return;
    this.#last = performance.now();
    const message = { do: "lead", piece: Number(key.slice(6)), ...this.#board.mm(this.#next) };
    if (this.#unseen) this.#keep(message);
    else this.#send(message);
    this.#next = null;
  }

  /** Keep where a finger went: of a piece in the air the last place, of one that slides the way. */
  #keep(message) {
    const way = this.#unseen ?? [];
    const before = way.at(-2);
    const near = before?.do === "lead" && Math.hypot(message.x - before.x, message.y - before.y) < STEP_MM;
    if (way.at(-1)?.do === "lead" && (this.#lifted || near)) way.pop();
    way.push(message);
  }

  /** Let go. `refused`: the piece stays where it was taken from; nobody sees where else the fingers have been. */
  drop(key, refused = false) {
    clearTimeout(this.#hold);
    clearTimeout(this.#late);
    if (this.#started) {
      this.#lead(key);
      const back = refused || (this.#unseen !== null && !this.#may());
      const home = back && this.#unseen && this.#seen ? this.#board.place(this.#home) : null;
      if (!back) for (const message of this.#unseen ?? []) this.#send(message);
      // The board may have been away meanwhile, and not know any more where the hand is.
      if (home) this.#send({ do: "lead", piece: Number(key.slice(6)), ...this.#board.mm(home) });
      if (!back || this.#seen) {
        this.#send({ do: "drop", piece: Number(key.slice(6)) });
        this.#let = key;
      }
    }
    this.#leads = this.#from = this.#unseen = null;
    this.#ruled = 0;
    this.#draw();
  }

  /** Whether any piece lies beside the board. */
  lying() {
    return this.#pieces.some((piece) => piece.is === "beside");
  }

  /** The pieces that stand on a space. */
  standing(space) {
    return this.#pieces.filter(({ is, slot }) => is === "stands" && slot?.split("/")[0] === space);
  }

  /** A whole move at once. */
  carry(origin, target, name) {
    const here = this.standing(origin);
    const piece = here.find((each) => each.name === name) ?? here[0];
    if (!piece) return false;
    this.#mine = true;
    this.#ruled = 0;
    return this.#do({ do: "carry", piece: piece.id, space: target });
  }

  /** Stand pieces on these spaces; resolves once they stand, or after a while. */
  async layOut(seat, spaces) {
    this.#mine = true;
    if (!this.#do({ do: "lay-out", seat, spaces })) return;
    const wanted = new Set(spaces);
    const stand = () =>
      this.#pieces.filter(({ is, slot }) => is === "stands" && wanted.has(slot.split("/")[0])).length;
    for (let look = 0; look < 60 && stand() < wanted.size; look++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => setTimeout(resolve, FELT));
  }

  // Chores

  heard(message) {
    if (message.kind === "ruling") {
      this.#ruled = performance.now();
      this.#soon();
    }
  }

  look(board) {
    this.#chores = board?.chores ?? [];
    this.#soon();
  }

  /** No reed senses a piece that leaves others on it, or joins them: where hands do what this screen was told, it says so. */
  unfelt(origin, target, state, tell) {
    const shared = (space) =>
      Object.values(state.view.pieces ?? {}).filter((where) => where === space).length;
    if (!state.may?.moves?.[origin]?.includes(target) || (shared(origin) < 2 && !shared(target))) return;
    const moment = () => JSON.stringify([state.view.pieces, state.view.piece]);
    const before = moment();
    setTimeout(() => {
      if (before === moment()) tell(`${origin}-${target}`);
    }, UNFELT_MS);
  }

  /** All chores, with what lies beside the board too: somebody has asked for it. */
  tidyUp() {
    this.#mine = true;
    this.#do({ do: "tidy", beside: true, chores: this.#chores.slice(0, 100) });
    this.#soon();
  }

  #soon() {
    clearTimeout(this.#timer);
    if (this.hasTable && this.tidies && this.#mine) this.#timer = setTimeout(() => this.#tidy(), WAIT);
  }

  #tidy() {
    if (this.#leads) {
      this.#soon();
      return;
    }
    const held = this.#pieces.filter(({ is }) => is === "held");
    const canTake = this.#chores.filter((chore) => chore.do === "take");
    const canPut = this.#chores.filter(
      (chore) => chore.do === "put" && held.some(({ seat }) => chore.seat === null || seat === chore.seat),
    );
    const onRings = this.#chores.filter((chore) => chore.do === "ring");
    const can = [...canTake, ...canPut, ...onRings];
    if (can.length) this.#send({ do: "tidy", chores: can });
    else if (held.length && !this.#chores.length && this.#ruled) {
      this.#send({ do: "aside" });
      this.#ruled = 0;
    }
  }

  // What is seen

  /** The world's pieces as the board draws them; ranks are those the seat's own view has told of them. */
  pieces(state, { near, hide }) {
    const view = state.view.board ?? {};
    const marks = new Map();
    for (const { id, seat, is, slot, name } of this.#pieces) {
      if (name) state.learned.set(id, name);
      const there = slot ? view[slot.split("/")[0]] : null;
      if (is === "stands" && there?.seat === seat) marks.set(id, { moved: there.moved, known: there.known });
      if (
        is === "stands" &&
        there &&
        !Array.isArray(there) &&
        there.seat === seat &&
        there.rank !== "?" &&
        (there.kind || !state.learned.has(id))
      )
        state.learned.set(id, kindOf(there)); // where everybody knows the kind it may change, as a pawn's does
    }
    const taken = this.#taken(state);
    const beside = { true: [], false: [] };
    const held = this.#pieces.filter(({ is }) => is === "held");
    for (const piece of this.#pieces) if (piece.is === "beside") beside[piece.seat === near].push(piece);
    return this.#pieces
      .filter((piece) => piece.seat !== hide || !["beside", "stands", "lands"].includes(piece.is))
      .map((piece) => {
        const known = {
          key: `world:${piece.id}`,
          seat: piece.seat,
          rank: state.learned.get(piece.id) ?? taken.get(piece.id) ?? "?",
          ...marks.get(piece.id),
          is: piece.is,
        };
        if (piece.is === "led") return { ...known, ...this.#board.drawn(piece) };
        if (known.key === this.#leads && this.#started && !this.#seen)
          return { ...known, ...this.#board.place(piece.slot), is: "led" };
        if (piece.is === "held") {
          const [width, height] = this.#board.size;
          return {
            ...known,
            x: width - 26 - held.indexOf(piece) * 36,
            y: height / 2,
            small: 1.08,
            is: "led",
          };
        }
        if (piece.is === "beside") {
          const side = beside[piece.seat === near];
          return { ...known, ...this.#board.beside(piece.seat === near, side.indexOf(piece), side.length) };
        }
        const at = this.#board.place(piece.slot),
          upon = this.#pieces.filter(({ slot, id }) => slot === piece.slot && id < piece.id).length;
        return { ...known, ...at, x: at.x + upon * 13, space: piece.slot.split("/")[0] };
      });
  }

  /** The faces of taken pieces that this screen has not followed, after it was loaded anew, say: which is which of them does not matter. */
  #taken(state) {
    const faces = new Map();
    for (const [seat, ranks] of Object.entries(state.view.captured ?? {})) {
      const left = [...ranks];
      const off = this.#pieces.filter(
        (piece) => piece.seat === seat && ["beside", "held"].includes(piece.is),
      );
      for (const { id } of off) {
        const at = left.indexOf(state.learned.get(id));
        if (at >= 0) left.splice(at, 1);
      }
      for (const { id } of off) if (!state.learned.has(id) && left.length) faces.set(id, left.shift());
    }
    return faces;
  }

  /** What a bench has: ways to hold pieces, buttons, fumbles and faults. */
  panel(element, chosen) {
    refill(element, [this.slides, this.tidies, chosen, this.stuck, this.diodes, this.power], () => {
      const slot = chosen;
      const act = (label, message, key = label) =>
        h(
          "button",
          { "data-key": key, disabled: !slot, onclick: () => this.#do({ ...message, space: slot }) },
          label,
        );
      const toggle = (key, label, on, change) =>
        h(
          "label.toggle",
          {},
          h("input", {
            type: "checkbox",
            "data-key": key,
            checked: on,
            onchange: ({ target }) => {
              change(target.checked);
              this.#draw();
            },
          }),
          label,
        );
      const wrong = [
        ...Object.entries(this.stuck).map(([at, closed]) =>
          closed ? _("{at}: reed stuck", { at: placed(at) }) : _("{at}: reed dead", { at: placed(at) }),
        ),
        ...Object.entries(this.diodes).map(([at, how]) =>
          how === "broken"
            ? _("{at}: diode broken", { at: placed(at) })
            : _("{at}: diode shorted", { at: placed(at) }),
        ),
      ];
      return h(
        "details.part.bench",
        { "data-part": "bench", open: matchMedia("(min-width: 60rem)").matches },
        h("summary", {}, _("The bench")),
        h(
          "p.faint",
          {},
          _(
            "This is a simulated board. Drag a piece to lift and move it; the sensors notice it as on a real board. If pieces slide, hold one still to lift it.",
          ),
        ),
        toggle("slides", _("Slide pieces over the board"), this.slides, (on) => {
          this.slides = on;
          write("slides", on);
        }),
        this.hasTable
          ? toggle("tidies", _("Hands tidy up"), this.tidies, (on) => {
              this.tidies = on;
              write("tidies", on);
              this.#soon();
            })
          : null,
        h("p.label", {}, _("Buttons on the board")),
        ...[false, true].map((hold) =>
          h(
            "div.row",
            {},
            this.#board.buttons.map((button) =>
              h(
                "button",
                { "data-key": `${button} ${hold}`, onclick: () => this.#do({ do: "press", button, hold }) },
                BUTTONS[button][Number(hold)],
              ),
            ),
          ),
        ),
        h(
          "p.label",
          {},
          slot
            ? _("Cause a mishap on {space}", { space: placed(slot) })
            : _("Cause a mishap: choose a square first"),
        ),
        h(
          "div.row",
          {},
          act(_("Knock over / stand up"), { do: "knock" }),
          act(_("Reed sticks"), { do: "reed", is: "stuck" }),
          act(_("Reed is dead"), { do: "reed", is: "dead" }),
          act(_("Cut the diode"), { do: "diode", is: "broken" }),
          act(_("Short the diode"), { do: "diode", is: "shorted" }),
          h(
            "button",
            {
              "data-key": "mend",
              disabled: !slot,
              onclick: () => {
                this.#do({ do: "reed", space: slot, is: "fine" });
                this.#do({ do: "diode", space: slot, is: "fine" });
              },
            },
            _("Mend both"),
          ),
        ),
        wrong.length ? h("p.wrong", {}, wrong.join(" · ")) : null,
        h(
          "div.row",
          {},
          h(
            "button.danger",
            {
              "data-key": "kill",
              disabled: !this.power,
              onclick: async () => {
                if (await sure(_("Simulate a power cut now?"), _("Cut it"))) this.#do({ do: "kill" });
              },
            },
            _("Cut the power"),
          ),
        ),
      );
    });
  }
}

/**
 * Hands over a board alone, without a table: nobody tidies up, and pieces show what is printed on them.
 * @param {any} board
 * @param {(hands: Hands, chosen: string | null) => void} draw
 */
export function bareHands(board, draw) {
  let chosen = null;
  const hands = new Hands(board, () => draw(hands, chosen));
  hands.hasTable = false;
  hands.addEventListener("refused", ({ detail }) => toast(detail));
  board.setTrays(true, true);
  board.addEventListener("grab", (event) => {
    if (!hands.grab(event.detail.key, event.detail.lift, event.detail.keyboard)) event.preventDefault();
  });
  board.addEventListener("lead", ({ detail }) => hands.lead(detail.key, detail.at));
  board.addEventListener("drop", ({ detail }) => hands.drop(detail.key));
  board.addEventListener("choose", ({ detail }) => {
    chosen = detail.space;
    draw(hands, chosen);
  });
  return hands;
}

function read(name, otherwise) {
  try {
    return localStorage.getItem(`boardumpire ${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, on) {
  try {
    localStorage.setItem(`boardumpire ${name}`, on ? "yes" : "no");
  } catch {
    /* a device that keeps nothing */
  }
}
