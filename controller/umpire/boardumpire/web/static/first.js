// The set-up of a board that has nothing configured yet: one question after the other, then the table.

import { byId, h, refill, toast } from "/dom.js";

const SOON = 400,
  LATER = 3000,
  REFUSED = 403;
const BUSY = {
  look: "Looks for what is there …",
  pair: "Pairs with the other board …",
  flash: "Puts the firmware on the Pico. That takes a minute …",
};
const side = byId("side");
const parts = Object.fromEntries(["todo", "report", "log"].map((name) => [name, h(`div.${name}`)]));
side.append(...Object.values(parts));
/** @type {any} */
let state = null;
let timer = 0;
await look();

async function look() {
  clearTimeout(timer);
  try {
    const answer = await fetch("/set-up/state.json");
    if (answer.status === REFUSED) return await ask();
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
  } catch (error) {
    if (state?.done) return gone();
    byId("line").textContent = error instanceof TypeError ? "no line to the board" : String(error);
  }
  timer = setTimeout(look, state?.busy || state?.doctor?.running || state?.done ? SOON : LATER);
}

/** The code that this device has to show first. */
async function ask() {
  if (state?.done) return gone();
  refill(parts.todo, "code", () => [
    h("h2", { id: "todo", tabindex: -1 }, "Which code does the board show?"),
    h(
      "p",
      {},
      "On the machine that the board hangs on, this shows it: ",
      h("kbd", {}, "sudo boardumpire status"),
    ),
    h(
      "form.row",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const field = /** @type {HTMLInputElement} */ (byId("code"));
          if (field.value.trim()) enter(field.value);
        },
      },
      h("label", { for: "code", class: "unseen" }, "The code"),
      h("input", { id: "code", inputmode: "numeric", autocomplete: "off", maxlength: 20, size: 16 }),
      h("button.main", { type: "submit" }, "Begin"),
    ),
  ]);
}

async function enter(code) {
  const answer = await fetch("/set-up/code", { method: "POST", body: JSON.stringify({ code }) });
  if (answer.ok) return look();
  toast(await answer.text(), "bad");
  return ask();
}

async function act(wanted) {
  const answer = await fetch("/set-up/do", { method: "POST", body: JSON.stringify(wanted) });
  if (!answer.ok) toast(await answer.text(), "bad");
  await look();
}

function show(found) {
  state = found;
  byId("line").textContent = "";
  refill(parts.todo, [state.busy, state.question, state.doctor, state.done, state.table], todo);
  refill(parts.report, [state.doctor?.report, state.done], () =>
    state.doctor?.report && !state.done
      ? h(
          "section",
          { "aria-label": "Report" },
          h("h2", {}, state.doctor.report.title),
          h(
            "ul",
            { class: "findings" },
            state.doctor.report.lines.map((line) => h("li", {}, line)),
          ),
        )
      : [],
  );
  refill(parts.log, state.log, () => state.log.map((line) => h("p.faint", {}, line)));
}

function head(text, ...rest) {
  return [h("h2", { id: "todo", tabindex: -1, "aria-live": "polite" }, text), ...rest];
}

function todo() {
  if (state.done) return done();
  if (state.busy) return head(BUSY[state.busy] ?? "A moment …");
  if (state.doctor?.running) return examined(state.doctor.ask);
  if (!state.question) return head("A moment …");
  const { id, text, notes, choices, entry } = state.question;
  return head(
    text,
    h(
      "ul",
      { class: "findings" },
      notes.map((note) => h("li", {}, note)),
    ),
    h(
      "div.answers",
      {},
      choices.map((choice, place) =>
        h(
          place ? "button" : "button.main",
          {
            "data-key": `${id} ${choice.value}`,
            onclick: () => act({ do: "answer", id, value: choice.value }),
          },
          choice.text,
          choice.note ? h("small", {}, choice.note) : [],
        ),
      ),
    ),
    entry ? typed(id, entry) : [],
    h(
      "div.row",
      {},
      state.answered.length
        ? h("button.quiet", { "data-key": "back", onclick: () => act({ do: "back" }) }, "Back")
        : [],
      h("button.quiet", { "data-key": "look", onclick: () => act({ do: "look" }) }, "Look again"),
    ),
  );
}

/** A field for an answer that nobody can offer. */
function typed(id, label) {
  return h(
    "form.row",
    {
      onsubmit: (event) => {
        event.preventDefault();
        const value = /** @type {HTMLInputElement} */ (byId("entry")).value.trim();
        if (value) act({ do: "answer", id, value });
      },
    },
    h("label", { for: "entry" }, label),
    h("input", { id: "entry", autocomplete: "off", maxlength: 200, size: 20 }),
    h("button.main", { type: "submit" }, "Go on"),
  );
}

function examined(asked) {
  const stop = h("button.quiet", { "data-key": "stop", onclick: () => act({ do: "stop" }) }, "Stop");
  if (!asked || ["watch", "arrive"].includes(asked.kind))
    return head(asked?.text || "A moment …", h("div.row", {}, stop));
  const say = (yes) => () => act({ do: "say", yes, asked: asked.number });
  return head(
    "Please",
    h("p", { "aria-live": "polite" }, asked.text),
    h(
      "div.row",
      {},
      h("button.main", { "data-key": "yes", onclick: say(true) }, "Yes"),
      h("button", { "data-key": "no", onclick: say(false) }, "No"),
      stop,
    ),
  );
}

function done() {
  if (state.host)
    return head(
      "This board is set up.",
      h(
        "p",
        {},
        `It belongs to the table at ${state.host} now. That has the page; lights on this board say what to do.`,
      ),
    );
  if (!state.table) return head("The board is set up.", h("p", {}, "It begins now. It has no page."));
  return head(
    "The board is set up.",
    h(
      "p",
      {},
      "The table opens here in a moment.",
      state.alone ? "" : " Phones photograph this to see it and to sit down:",
    ),
    state.alone ? [] : h("img.code", { src: "/set-up/table.svg", alt: state.table, width: 260, height: 260 }),
    h("p", {}, h("a", { href: state.table, "data-key": "table" }, state.table)),
  );
}

/** The set-up has made room for the table: go there once there is one, and say meanwhile what it waits for. */
async function gone() {
  clearTimeout(timer);
  if (!state.table) return;
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) return location.assign(new URL(state.table).pathname);
    byId("line").textContent = await answer.text();
  } catch {
    byId("line").textContent = ""; // between the two pages nobody listens
  }
  timer = setTimeout(gone, SOON);
}
