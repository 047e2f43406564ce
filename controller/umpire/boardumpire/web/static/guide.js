// A first game that leads by the hand: what to do, what to touch, and what came of it. All that it goes by is what
// this seat's own screen is told.

import { sayable } from "/acts.js";
import { h, refill, styled } from "/dom.js";
import { placed } from "/parts.js";
import { seat } from "/place.js";
import { _ } from "/words.js";

const KEPT = "boardumpire first game";
/** More places are not marked: rings show them already. */
const MANY = 4;
/** How long a piece that hands carry is waited for. */
const GOES_MS = 3000;
/** How long the board has to be out of order before somebody who learns is told. */
const STAYS_MS = 2000;
/** What else may be asked of this person: the board is out of order, or the umpire has a question. */
const OTHER = '.todo :is([data-key="tidy"], [data-key="yes"], [data-key="no"])';

/** Lead this screen through its first game. @param {import("./screen.js").Screen} screen */
export async function begin(screen) {
  const lesson = fetch(`/lesson.json?seat=${encodeURIComponent(seat ?? "")}`);
  await styled("/guide.css");
  const answer = await lesson;
  return answer.ok ? new Guide(screen, await answer.json()) : null;
}

/** A pattern as a regular expression: `*` stands for anything, `?` for one letter. */
function pattern(text) {
  const quoted = text.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp("^" + quoted.replaceAll("*", ".*").replaceAll("?", ".") + "$");
}

/** Whether the text of an action is as one of the patterns. */
const fits = (text, patterns) => patterns.some((one) => pattern(one).test(text));

class Guide {
  element = h("section.guide", { "aria-label": _("First game") });
  /** How far it has come: the step, and how often it was done. */
  #at = { run: "", step: 0, done: 0 };
  /** Whether this seat did something that no step asks for. */
  #astray = false;
  /** What was said last and is not told yet: rulings on it don't repeat what is secret. */
  #saying = "";
  /** Whether the step can be done now: what comes before that is not this person's doing. */
  #asks = false;
  /** Whether this person has to put the board in order or to answer first. */
  #below = false;
  #soon = 0;
  /** Runs while a piece is on its way to where this person has sent it. */
  #going = 0;
  /** Whether the next snapshot is of a game that begins anew. */
  #anew = false;

  constructor(screen, lesson) {
    this.screen = screen;
    this.lesson = lesson;
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
      if (kept?.run === lesson.run) this.#at = kept;
    } catch {
      /* a device that keeps nothing */
    }
    document.body.classList.add("guided");
  }

  get #step() {
    return this.lesson.steps[this.#at.step];
  }

  /** Whether all steps are done. */
  get over() {
    return this.#at.step >= this.lesson.steps.length;
  }

  #go(step, done) {
    this.#at = { run: this.lesson.run, step, done };
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.#at));
    } catch {
      /* a device that keeps nothing */
    }
  }

  /** This seat is about to say something. */
  says(text) {
    this.#saying = text;
  }

  /** Hands carry a piece to where this person has sent it: nothing else is asked until the umpire has felt it. */
  goes() {
    clearTimeout(this.#going);
    this.#going = setTimeout(() => this.#arrived(), GOES_MS);
  }

  #arrived() {
    clearTimeout(this.#going);
    this.#going = 0;
    this.screen.draw();
  }

  /** The umpire told something. */
  hear(message) {
    if (this.#going && message.seat === seat) this.#arrived();
    if (message.kind !== "ruling" || !message.ok || message.seat !== seat) return;
    const text = message.action ?? this.#saying;
    const step = this.#step;
    if (!step || this.#anew) return;
    if (fits(text, step.does)) {
      const done = this.#at.done + 1;
      this.#go(this.#at.step + Number(done >= step.times), done >= step.times ? 0 : done);
      this.#astray = false;
      performance.mark(`guided ${this.#at.step}`);
    } else if (this.#asks && !fits(text, step.first)) this.#astray = true;
  }

  /** All is told anew: another game may have begun. */
  met() {
    if (!this.#anew) return;
    this.#anew = this.#astray = false;
    this.#go(0, 0);
  }

  #again = async () => {
    this.#anew = true;
    await fetch("/lesson/again", { method: "POST" }).catch(() => {
      this.#anew = false; // the line is away: it may be asked again
    });
  };

  #leave = () => {
    document.body.classList.remove("guided");
    this.screen.guide = null;
    this.element.remove();
    this.screen.draw();
  };

  /** Show what is asked now, and mark what to touch. */
  draw() {
    const wanted = this.#wanted();
    this.#asks = Boolean(wanted.spaces.length || wanted.buttons.size);
    const other = this.#asks || this.over ? null : document.querySelector(OTHER);
    this.#waits(Boolean(other));
    if (this.#below) wanted.buttons.add("tidy");
    refill(this.element, [this.#at, this.#astray, this.#anew, this.#asks, this.#below], () => this.#panel());
    this.screen.board.setTouch(wanted.spaces.slice(0, MANY));
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = document.querySelectorAll(".now [data-key], .hand [data-key]");
    for (const button of buttons)
      button.classList.toggle("touch", wanted.buttons.has(button.dataset.key ?? ""));
  }

  /** Something else is asked: hands often put a board in order by themselves, so only what stays is told. @param {boolean} asked */
  #waits(asked) {
    if (asked && (this.#below || this.#soon)) return;
    clearTimeout(this.#soon);
    this.#below = false;
    this.#soon = asked ? setTimeout(() => this.#stays(), STAYS_MS) : 0;
  }

  #stays() {
    this.#soon = 0;
    this.#below = true;
    this.screen.draw();
  }

  #panel() {
    const { steps, goal, end } = this.lesson;
    const { step } = this.#at;
    const before = step ? steps[step - 1].then : goal;
    const { over } = this;
    const again = _("Begin again");
    return [
      h(
        "div.row",
        {},
        h(
          "strong",
          {},
          over
            ? _("First game: done")
            : _("First game: {n} of {count}", { n: step + 1, count: steps.length }),
        ),
        h(
          "button.quiet",
          { "data-key": "once-more", "aria-label": again, title: again, onclick: this.#again },
          over || this.#astray ? again : "↺",
        ),
        h(
          "button.quiet",
          { "data-key": "leave-guide", "aria-label": _("Go on without help"), onclick: this.#leave },
          "✕",
        ),
      ),
      h(
        "div",
        { "aria-live": "polite" },
        this.#at.done ? null : h("p.then", {}, before),
        this.#astray ? h("p", {}, _("You could do that, but this lesson goes another way.")) : null,
        over || this.#asks
          ? h("p.ask", {}, over ? end : this.#asked())
          : this.#below
            ? h("p.ask", {}, _("First do what is asked below."))
            : h("p.faint", {}, _("Wait a moment")),
      ),
    ];
  }

  #asked() {
    const { ask, spaces } = this.#step;
    return ask.replace(/\{(\w+)\}/g, (whole, name) => (spaces[name] ? placed(spaces[name]) : whole));
  }

  /** What is to be touched now: spaces of the board, and buttons by their keys. */
  #wanted() {
    /** @type {{spaces: string[], buttons: Set<string>}} */
    const found = { spaces: [], buttons: new Set() };
    const { may, chosen, board } = this.screen.state;
    const step = this.#step;
    if (!step || !may || this.#going) return found;
    const lifted = Object.keys(board.marks).find((space) => board.marks[space] === "lifted");
    const held = this.screen.hands?.leadFrom() ?? lifted ?? chosen;
    const acts = sayable(may, this.screen.scene);
    for (const patterns of [step.does, step.first]) {
      const spaces = new Set();
      for (const [origin, targets] of Object.entries(may.moves)) {
        const to = targets.filter((target) => fits(`${origin}-${target}`, patterns));
        if (to.length) (origin === held ? to : [origin]).forEach((space) => spaces.add(space));
        if (to.length && origin === held) {
          found.spaces = to;
          return found;
        }
      }
      for (const act of may.acts.filter((text) => fits(text, patterns))) {
        const [place] = [...acts.at].find(([, said]) => said.includes(act)) ?? [];
        if (place && place !== chosen) spaces.add(place);
        else found.buttons.add(act);
      }
      found.spaces = [...spaces];
      if (found.spaces.length || found.buttons.size) return found;
    }
    return found;
  }
}
