// Made of boardumpire.web.wire by `PYTHONPATH=tests python -m web.wire_types`. Not to be edited.

/** What the umpire asks. */
export interface Question {
  code: string;
  spaces: string[];
  seat:  | null;
  text: string;
}

/** What the table is asked, and who answers. */
export interface Proposal {
  seat:  | null;
  thing: string;
  asked: string[];
  answer: string;
  text: string;
}

/** The first message of a screen: the last frame it has, and its language. */
export interface HelloMessage {
  do: "hello";
  epoch: string | null;
  n: number;
  language: string;
}

/** What a seat says, or has checked. */
export interface SayMessage {
  do: "say" | "check";
  id: string;
  text: string;
}

/** A seat that sets up asks for a set-up: one that is ready, or by chance around what stands already. */
export interface SuggestMessage {
  do: "suggest";
  id: string;
  preset: string;
  text: string;
}

/** Is anybody there? */
export interface PingMessage {
  do: "here";
  id: string;
}

/** The answer to a message, by its id; the text says why it was refused, and by which rule. */
export interface Answer {
  kind: "answer";
  id: string | null;
  ok: boolean;
  text: string;
  rule?: string;
  setup?: Record<string, string>;
}

/** How long what is open may still be answered. */
export interface AnswerWindow {
  left_ms: number;
  runs: boolean;
}

/** What each seat has left, and whose clock runs. */
export interface Clocks {
  kind: string;
  base_ms: number;
  extra_ms: number;
  short_ms: number;
  left_ms: Record<string, number>;
  runs: string | null;
}

/** One message of the umpire; what else it has follows from its kind. */
export interface UmpireMessage {
  t: number;
  kind: string;
}

/** What everybody can see at one of several boards of a table. */
export interface BoardStatus {
  name: string;
  seats: string[];
  chores: Record<string, any>[];
  text: string[];
  marks: Record<string, string>;
  question: Question | null;
  waits: string | null;
}

/** What everybody can see on the board. */
export interface Status {
  chores: Record<string, any>[];
  text: string[];
  marks: Record<string, string>;
  question: Question | null;
  proposal: Proposal | null;
  proposals: Proposal[];
  clocks: Clocks | null;
  window: AnswerWindow | null;
  over: boolean;
  waits: string | null;
  silent?: string[];
  reeds?: Record<string, any>[];
  free: string[];
  boards?: BoardStatus[];
}

/** All that a screen needs that knows nothing yet. */
export interface Snapshot {
  kind: "snapshot";
  epoch: string;
  n: number;
  seats: [];
  players?: Record<string, string>;
  told: UmpireMessage[];
  board: Status;
  away?: [];
  devices?: number;
  clocks: Clocks | null;
  view: Record<string, any>;
  may?: Record<string, any>;
}

/** How the game stands for this screen. */
export interface ViewFrame {
  kind: "view";
  n: number;
  view: Record<string, any>;
  may?: Record<string, any>;
}

/** The board's state has changed. */
export interface BoardFrame {
  kind: "board";
  n: number;
  board: Status;
}

/** The umpire told something, perhaps with a sound. */
export interface AnnouncementFrame {
  kind: "told";
  n: number;
  told: UmpireMessage;
  sound?: string;
}

/** Nothing was missed up to frame `n`. */
export interface CaughtUpFrame {
  kind: "here";
  n: number;
  clocks: Clocks | null;
  away?: [];
  devices?: number;
}

/** Somebody has come or gone; it has no number, as only the present is of interest. */
export interface AwaySeatsFrame {
  kind: "away";
  away: [];
  devices?: number;
}

export type Frame = Snapshot | ViewFrame | BoardFrame | AnnouncementFrame | CaughtUpFrame | AwaySeatsFrame;

export type Message = HelloMessage | SayMessage | SuggestMessage | PingMessage;
