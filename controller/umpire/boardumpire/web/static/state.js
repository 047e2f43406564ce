// What a screen knows of the game, and what its person has begun on it.

import { seat } from "/place.js";

/** What everybody can see, at the board where this screen's seat is at home. @param {import("../../../../../tests/scripts/wire.js").Status} board */
const here = (board) => {
  const own = board.boards?.find(({ seats }) => seats.includes(seat ?? ""));
  return own ? { ...board, ...own } : board;
};

export class State {
  /** How the game stands for this screen; what is in it is the game's own affair. @type {any} */
  view = null;
  /** What this seat may do. @type {any} */
  may = null;
  /** What everybody can see on the board. */
  board = /** @type {import("../../../../../tests/scripts/wire.js").Status} */ (
    /** @type {unknown} */ (null)
  );
  /** The seats whose people have no screen open. @type {string[]} */
  away = [];
  /** On how many devices this seat is open. */
  devices = 1;
  /** The latest messages of the umpire. @type {any[]} */
  told = [];
  /** How many messages were heard: tells whether the history has to be drawn again. */
  heard = 0;
  /** Whether this screen has looked at its own men once. */
  near = false;
  /** The space that was tapped. @type {string | null} */
  chosen = null;
  /** By space the pieces as they really were, once the game is over. @type {any} */
  bared = null;
  /** How often each seat has won this evening, once a game is over. @type {[string, number][]} */
  evening = [];
  /** The space to which this seat moved last. @type {string | null} */
  moved = null;
  /** The place that a small screen has gone to. @type {string | null} */
  followed = null;
  /** Ranks that this screen has learnt, by piece. @type {Map<string, string>} */
  learned = new Map();
  /** The keys under which pieces were drawn last, by place: a piece that moved keeps its key. @type {Map<string, string>} */
  keys = new Map();
  /** What is read out for each space. @type {Record<string, string>} */
  spoken = {};
  /** Timers: of what is drawn later, and of handing the phone over. @type {ReturnType<typeof setTimeout> | undefined} */
  later = undefined;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  handed = undefined;

  /**
   * Take what a frame tells of the game; messages are for whoever draws the history.
   * @param {import("../../../../../tests/scripts/wire.js").Frame} frame
   */
  take(frame) {
    if ("away" in frame && frame.away) this.away = frame.away;
    if ("devices" in frame && frame.devices) this.devices = frame.devices;
    if (frame.kind === "snapshot") {
      this.board = here(frame.board);
      this.told = [...frame.told];
      this.heard += 1;
      if (!Object.keys(frame.view.board ?? {}).length) this.learned.clear();
    }
    if (frame.kind === "snapshot" || frame.kind === "view") {
      this.view = frame.view;
      this.may = frame.may ? { ...frame.may, moves: apart(frame.may.moves) } : null;
    } else if (frame.kind === "board") {
      this.board = here(frame.board);
    }
  }

  /** Note a message of the umpire; only the latest are kept. @param {any} message */
  hear(message) {
    this.heard += 1;
    this.told.push(message);
    if (this.told.length > LONGEST) this.told.shift();
  }

  /** The seats that the table waits for: to move, or to answer. @returns {string[]} */
  waitedFor() {
    const { proposals = [], question } = this.board;
    const asked = proposals.flatMap((each) => each.asked);
    return question?.seat ? [question.seat] : asked.length ? asked : this.view.to_act;
  }

  /** Nothing of this seat's stays on the device: all that it knew goes. */
  forget() {
    clearTimeout(this.later);
    clearTimeout(this.handed);
    Object.assign(this, new State());
  }
}

const LONGEST = 250;

/**
 * By origin its targets, which are sent named once for all origins (`feed.gathered`).
 * @param {{to: string[], by: Record<string, string>}} moves
 * @returns {Record<string, string[]>}
 */
export function apart({ to, by }) {
  const own = (digits) =>
    to.filter((_target, place) => parseInt(digits[place >> 2], 16) & (1 << (place & 3)));
  return Object.fromEntries(Object.entries(by).map(([origin, digits]) => [origin, own(digits)]));
}
