// What one person may do to everybody's table: begin a new game once one is over; and with the PIN silence the
// buzzer, bring the program up to date, shut the board down.

import { h } from "/dom.js";
import { sized } from "/frames.js";
import { about } from "/place.js";
import { _, seat } from "/words.js";

const KINDS = {
  none: _("no clock"),
  fischer: _("Fischer: each turn adds time"),
  bronstein: _("Bronstein: each turn gives back the time it used"),
  turn: _("a limit for each turn"),
};

const WRONG_PIN = 403;

// The screen's language is not always the browser's, nor that of the device's other screens.
const spoken = () => ({ "accept-language": document.documentElement.lang });

async function post(message) {
  return fetch("/table/do", {
    method: "POST",
    headers: { "content-type": "application/json", ...spoken() },
    body: sized(message),
  });
}

async function possible() {
  return (await fetch("/table.json", { headers: spoken() })).json();
}

function number(name, label, value, low, high) {
  const field = h("input", {
    type: "number",
    inputmode: "numeric",
    name,
    value,
    min: low,
    max: high,
    required: true,
    id: `wanted-${name}`,
  });
  return h("p.field", { "data-field": name }, h("label", { for: `wanted-${name}` }, label), field);
}

function choice(name, label, values, chosen) {
  return h(
    "p.field",
    {},
    h("label", { for: `wanted-${name}` }, label),
    h(
      "select",
      { name, id: `wanted-${name}` },
      values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** A field for the name of who sits at a seat. */
function nameField(id, players) {
  const name = `name-${id}`;
  return h(
    "p.field",
    {},
    h("label", { for: `wanted-${name}` }, seat(id[0].toUpperCase() + id.slice(1))),
    h("input", {
      name,
      id: `wanted-${name}`,
      value: players[id] ?? "",
      maxlength: 48,
      dir: "auto",
      autocomplete: "off",
    }),
  );
}

/** `known` is the PIN where this screen shows it, empty where it has to be typed, `null` where none is wanted. */
/** @param {(answer: any) => void} done is called with what comes back */
function dialog(title, fields, yes, send, known = null, done = () => {}) {
  const pin = h("input", {
    type: known ? "text" : "password",
    inputmode: "numeric",
    autocomplete: "off",
    name: "pin",
    maxlength: 12,
    required: true,
    id: "pin",
    value: known ?? "",
  });
  const why = h("p.refused", { role: "alert" }); // a toast would lie under the dialog
  const box = h("dialog.table", { "aria-labelledby": "table-title", onclose: () => box.remove() });
  const form = h(
    "form",
    {
      method: "dialog",
      onsubmit: async (event) => {
        event.preventDefault();
        why.textContent = "";
        const said = send(new FormData(form));
        if (!said) return box.close();
        const answer = await post(known === null ? said : { ...said, pin: pin.value });
        if (answer.ok) {
          box.close();
          return done(await answer.json());
        }
        why.textContent = (await answer.text()).trim();
        box.scrollTop = box.scrollHeight;
        if (answer.status === WRONG_PIN) {
          pin.value = "";
          pin.focus();
        }
      },
    },
    h("h2", { id: "table-title" }, title),
    fields,
    known === null ? null : h("p.field", {}, h("label", { for: "pin" }, _("The table's PIN")), pin),
    why,
    h(
      "div.row",
      {},
      h("button", { type: "button", onclick: () => box.close() }, _("Cancel")),
      h("button.main", {}, yes),
    ),
  );
  box.append(form);
  document.body.append(box);
  box.showModal();
}

function clockOf(data) {
  const kind = data.get("kind");
  if (kind === "none") return { kind };
  const base = Math.round(Number(data.get("base")) * 60);
  return kind === "turn"
    ? { kind, turn_s: Math.round(Number(data.get("turn"))) }
    : { kind, base_s: base, extra_s: Math.round(Number(data.get("extra"))) };
}

/** Ask what the next game shall be. `leave` is called as it is asked for: this screen goes there at once. */
export async function newGame(leave) {
  const { next } = await possible();
  const { clock } = next;
  const kind = choice("kind", _("Clock"), Object.entries(KINDS), clock.kind);
  const spans = [
    number(
      "base",
      _("Minutes for each seat"),
      clock.kind === "turn" || !clock.base_s ? 15 : clock.base_s / 60,
      1,
      1440,
    ),
    number("extra", _("Seconds added each turn"), clock.extra_s || 10, 0, 3600),
    number("turn", _("Seconds for each turn"), clock.kind === "turn" ? clock.base_s : 60, 5, 86400),
  ];
  const show = () => {
    const chosen = kind.querySelector("select").value;
    for (const field of spans)
      field.hidden = chosen === "none" || (field.dataset.field === "turn") !== (chosen === "turn");
  };
  kind.querySelector("select").addEventListener("change", show);
  show();
  const game =
    next.games.length > 1
      ? choice(
          "game",
          _("Game"),
          next.games.map((id) => [id, next.titles[id]]),
          next.game,
        )
      : null;
  const players = h(
    "details",
    { open: Object.keys(next.players ?? {}).length > 0 },
    h("summary", {}, _("Names")),
    about.seats.map((id) => nameField(id, next.players ?? {})),
  );
  const choices = h("div");
  const options = h("details", {}, h("summary", {}, _("Choose the rules")), choices);
  // A field that is closed away can't be shown to be wrong
  options.addEventListener("invalid", () => (options.open = true), true);
  const offer = () => {
    const wanted = game?.querySelector("select").value ?? next.game;
    const fields = (next.offers[wanted] ?? []).map(option);
    choices.replaceChildren(...setsOf(next.sets[wanted] ?? [], fields), ...fields);
    options.hidden = !choices.childElementCount;
    players.hidden = wanted !== next.game; // another game has other seats
  };
  game?.querySelector("select").addEventListener("change", offer);
  offer();
  dialog(_("A new game"), [game, players, options, kind, spans], _("Begin"), (data) => {
    leave();
    return {
      do: "new",
      wanted: {
        game: data.get("game") ?? next.game,
        options: optionsOf(data),
        clock: clockOf(data),
        ...(players.hidden ? {} : { players: namesOf(data) }),
      },
    };
  });
}

/** The sets of rules to choose from: one fills in the fields, and who changes a field has chosen himself. */
function setsOf(sets, fields) {
  if (!sets.length) return [];
  const inputs = fields
    .map((field) => field.querySelector("select, input"))
    .filter(({ name }) => name.startsWith("option-"));
  const said = (values, name) => JSON.stringify(values[name.slice("option-".length)]);
  const fits = ({ values }) => inputs.every(({ name, value }) => said(values, name) === value);
  const own = sets.at(-1);
  const field = choice(
    "rules",
    _("Rules"),
    sets.map(({ id, label }) => [id, label]),
    (sets.find((set) => set !== own && fits(set)) ?? own).id,
  );
  const list = field.querySelector("select");
  list.addEventListener("change", () => {
    const { values } = sets.find(({ id }) => id === list.value);
    if (list.value !== own.id) for (const input of inputs) input.value = said(values, input.name);
  });
  for (const input of inputs)
    input.addEventListener("input", () => {
      list.value = (sets.find((set) => set !== own && fits(set)) ?? own).id;
    });
  return [field];
}

/** A field for an option that the game offers. */
function option({ name, label, values, value, low, high, length, help }) {
  const field = length
    ? h(
        "p.field",
        {},
        h("label", { for: `wanted-text-${name}` }, label),
        h("input", {
          name: `text-${name}`,
          id: `wanted-text-${name}`,
          value,
          maxlength: length,
          autocomplete: "off",
          spellcheck: "false",
        }),
      )
    : values
      ? choice(
          `option-${name}`,
          label,
          values.map(([one, text]) => [JSON.stringify(one), text]),
          JSON.stringify(value),
        )
      : number(`option-${name}`, label, value, low, high);
  if (help) {
    const id = `help-${name}`;
    field.querySelector("select, input").setAttribute("aria-describedby", id);
    field.append(h("small", { id }, help));
  }
  return field;
}

function optionsOf(data) {
  const named = (prefix) => [...data].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries([
    ...named("option-").map(([name, value]) => [name.slice("option-".length), JSON.parse(value)]),
    ...named("text-").map(([name, value]) => [name.slice("text-".length), value.trim()]),
  ]);
}

/** By seat the name of who sits there. */
function namesOf(data) {
  return Object.fromEntries(
    [...data]
      .filter(([name]) => name.startsWith("name-"))
      .map(([name, value]) => [name.slice("name-".length), value]),
  );
}

/** Everything else that needs the PIN. */
export async function settings() {
  const { able, further, sound, pin } = await possible();
  const all = [
    [sound ? "mute" : "sound", sound ? _("Turn the board's sound off") : _("Turn the board's sound on")],
    ...(further ? [["invite", _("Play with another board")]] : []),
    ...(further?.removable ? [["one-board", _("Play at this board alone")]] : []),
    ...(able.includes("update") ? [["update", _("Update the program")]] : []),
    ...(able.includes("shut-down") ? [["shut-down", _("Shut the board down")]] : []),
  ];
  dialog(
    _("The table"),
    choice("what", _("What to do"), all, all[0][0]),
    _("Do it"),
    (data) => {
      const what = data.get("what");
      if (what === "invite") return invite(further, pin);
      return what === "mute" || what === "sound" ? { do: "sound", on: what === "sound" } : { do: what };
    },
    pin,
  );
}

/** Ask for a code by which the board of another machine comes to this table. */
function invite({ boards, seats }, pin) {
  const fields = [
    seats.length
      ? choice(
          "seat",
          _("Who sits at the other board?"),
          seats.map((one) => [one, seat(one)]),
          seats.at(-1),
        )
      : "",
    seats.length ? choice("board", _("Which board is it?"), Object.entries(boards), "") : "",
  ];
  dialog(
    _("Play with another board"),
    fields,
    _("Show the code"),
    (data) => ({ do: "invite", board: data.get("board") ?? "", seat: data.get("seat") ?? "" }),
    pin,
    showCode,
  );
}

function showCode({ code, address }) {
  const box = h("dialog.table", { "aria-labelledby": "table-title", onclose: () => box.remove() });
  box.append(
    h("h2", { id: "table-title" }, _("Play with another board")),
    h("p", {}, _("The other board asks for this code at its first start. It holds for ten minutes.")),
    h("p", {}, h("kbd", { id: "other-code" }, `${code.slice(0, 4)} ${code.slice(4)}`)),
    h("p.faint", {}, address),
    h("div.row", {}, h("button.main", { onclick: () => box.close() }, _("Close"))),
  );
  document.body.append(box);
  box.showModal();
}
