// The makers' screen: doctor, calibration and traces. Asks for the workshop's state while something runs.

import { byId, h, refill, sure, toast } from "/dom.js";
import { Board } from "/board.js";

const SOON = 300,
  LATER = 3000;
let state,
  timer,
  drawn = null;

const about = await (await fetch("/about.json", { credentials: "same-origin" })).json();
const board = new Board(about.printed, false);
byId("table").append(board.element);
const side = byId("side");
const parts = Object.fromEntries(
  ["todo", "report", "traces", "picture", "faults", "bench", "foot"].map((name) => [name, h(`div.${name}`)]),
);
side.append(...Object.values(parts));
const nobody = { view: {}, learned: new Map() };
let hands = null,
  chosen = null;
if (about.hands) {
  const { bareHands } = await import("/hands.js");
  hands = bareHands(board, (_, space) => {
    chosen = space;
    draw();
  });
}
await look();

async function look() {
  clearTimeout(timer);
  try {
    const answer = await fetch("/makers/state.json");
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
  } catch (error) {
    byId("line").textContent = error instanceof Error ? error.message : String(error);
  }
  timer = setTimeout(look, state?.running ? SOON : LATER);
}

async function act(wanted) {
  const answer = await fetch("/makers/do", { method: "POST", body: JSON.stringify(wanted) });
  if (!answer.ok) {
    toast(await answer.text(), "bad");
    return;
  }
  const found = await answer.json();
  if (found.said) toast(found.said);
  show(found);
  clearTimeout(timer);
  timer = setTimeout(look, SOON);
}

function show(found) {
  state = found;
  byId("line").textContent = "";
  draw();
  refill(parts.todo, [state.running, state.ask], todo);
  refill(parts.report, state.report, () =>
    state.report
      ? h(
          "section",
          { "aria-label": "Report" },
          h("h2", {}, state.report.title),
          h(
            "ul",
            { class: "findings" },
            state.report.lines.map((line) => h("li", {}, line)),
          ),
          (state.report.power ?? []).map((line) => h("p.faint", {}, line)),
        )
      : [],
  );
  refill(parts.traces, [state.traces, state.tracing, state.running], traces);
  refill(parts.picture, drawn, () =>
    drawn
      ? h(
          "a",
          { href: drawn, target: "_blank" },
          h("img", { src: drawn, alt: "The trace over time", width: "100%" }),
        )
      : [],
  );
  refill(parts.faults, [1], faults);
  refill(parts.foot, [1], () =>
    h("nav", { "aria-label": "Other screens" }, h("a", { href: "/" }, "The table")),
  );
}

/** The lamps as they shine where they are simulated, else what they are told to show. */
function draw() {
  board.setMarks(state?.ask?.marks ?? {}, !hands?.lit);
  if (!hands) return;
  if (hands.lit) board.setLit(hands.lit);
  board.setPieces(hands.pieces(nobody, { near: about.seats[0], hide: null }));
  hands.panel(parts.bench, chosen);
}

function todo() {
  const head = (text, ...rest) => [h("h2", { id: "todo", tabindex: -1 }, text), ...rest];
  const { running, ask } = state;
  if (!running) {
    return head(
      "Is something wrong with the board?",
      h(
        "p",
        {},
        "While it is examined the game waits in its journal. It goes on afterwards, and you are led to put every piece back.",
      ),
      h(
        "div.row",
        {},
        h("button.main", { "data-key": "doctor", onclick: () => begin("doctor") }, "Find what is wrong"),
        h(
          "button",
          { "data-key": "doctor-no-hands", onclick: () => begin("doctor-no-hands") },
          "Only watch the empty board",
        ),
        h("button", { "data-key": "calibrate", onclick: () => begin("calibrate") }, "Learn the wiring"),
        h("button", { "data-key": "measure", onclick: () => begin("measure") }, "Measure with a ruler"),
      ),
    );
  }
  const stop = h("button.quiet", { "data-key": "stop", onclick: () => act({ do: "stop" }) }, "Stop");
  if (!ask || ["watch", "arrive"].includes(ask.kind))
    return head(ask?.text || "A moment …", h("div.row", {}, stop));
  const answer = (yes) => () => act({ do: "answer", yes, asked: ask.number });
  return head(
    "Please",
    h("p", { "aria-live": "polite" }, ask.text),
    h(
      "div.row",
      {},
      h("button.main", { "data-key": "yes", onclick: answer(true) }, "Yes"),
      h("button", { "data-key": "no", onclick: answer(false) }, "No"),
      stop,
    ),
    h("p.faint", {}, `Lamps: ${ask.power}`),
  );
}

/** What went wrong lately; it is asked for when somebody wants to read it. */
function faults() {
  const lines = h("pre", { tabindex: 0 }, "");
  const read = async ({ target }) => {
    if (target.open)
      lines.textContent = (await (await fetch("/makers/faults.txt")).text()) || "Nothing went wrong lately.";
  };
  return h("details.part", { ontoggle: read }, h("summary", {}, "What went wrong lately"), lines);
}

async function begin(what) {
  if (await sure("The table is put away meanwhile: all screens lose it until the end.", "Begin"))
    act({ do: "start", what });
}

function traces() {
  const button = state.tracing
    ? h(
        "button",
        { "data-key": "record", onclick: () => act({ do: "record", on: false }) },
        `End ${state.tracing}`,
      )
    : h(
        "button",
        {
          "data-key": "record",
          disabled: Boolean(state.running),
          onclick: () => act({ do: "record", on: true }),
        },
        "Record a trace",
      );
  return h(
    "details.part",
    { open: true },
    h("summary", {}, "Traces"),
    h(
      "p.faint",
      {},
      "All that the board senses, written down: replayed on any machine it makes the umpire rule the same again.",
    ),
    h("div.row", {}, button),
    h(
      "ul",
      {},
      state.traces.map((name) =>
        h(
          "li",
          {},
          `${name} `,
          h(
            "button.quiet",
            {
              "data-key": `show ${name}`,
              onclick: () => {
                drawn = `/makers/traces/${name.replace(/\.trace$/, "")}.svg?${Date.now()}`;
                show(state);
              },
            },
            "Show",
          ),
          h(
            "button.quiet",
            { "data-key": `replay ${name}`, onclick: () => act({ do: "replay", name }) },
            "Replay",
          ),
        ),
      ),
    ),
  );
}
