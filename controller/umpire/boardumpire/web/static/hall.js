// A hall's screen: a card for each board that the broker tells of. Asks for what has changed, and waits for it.

import { byId, h, refill } from "/dom.js";

const AGAIN = 3000,
  SOON = 300;
/** @type {Map<string, any>} */
const boards = new Map();
const cards = new Map();
const order = new Intl.Collator("en", { numeric: true });
let revision = 0;
await ask();

async function ask() {
  let pause = SOON;
  try {
    const answer = await fetch(`/boards.json?since=${revision}`);
    if (!answer.ok) throw new Error(await answer.text());
    take(await answer.json());
  } catch (error) {
    pause = AGAIN;
    byId("line").textContent = error instanceof TypeError ? "no line to the hall" : String(error);
  }
  setTimeout(ask, pause);
}

function take(found) {
  if (found.revision < revision) boards.clear();
  revision = found.revision;
  for (const board of found.boards) boards.set(board.name, board);
  for (const name of boards.keys()) if (!found.names.includes(name)) boards.delete(name);
  byId("line").textContent = found.broker ? "" : "the broker is away: this is how it was";
  draw();
}

function draw() {
  const names = [...boards.keys()].sort(order.compare);
  const list = byId("boards");
  for (const [name, card] of cards)
    if (!boards.has(name)) {
      card.remove();
      cards.delete(name);
    }
  names.forEach((name, place) => {
    if (!cards.has(name)) {
      const card = h("li", { "data-board": name });
      cards.set(name, card);
      list.insertBefore(card, list.children[place] ?? null);
    }
    const board = boards.get(name);
    const [is, kind] = how(board);
    const card = cards.get(name);
    card.className = kind;
    refill(card, board.revision, () => content(board, is));
  });
  const playing = names.filter((name) => how(boards.get(name))[1] === "plays").length;
  byId("count").textContent = names.length
    ? `${names.length} boards, ${playing} in play`
    : "No board has told anything yet.";
}

/** How a board is, in words, and which class that has. */
function how(board) {
  if (!board.online) return ["away", "away"];
  if (!board.table) return ["being examined", "todo"];
  if (board.over) return ["over", "over"];
  if (board.waits || board.todo) return ["something to put right", "todo"];
  return ["in play", "plays"];
}

function content(board, is) {
  return [
    h("h2", {}, h("span", {}, board.name), h("span.is", {}, is)),
    h("p.faint", {}, board.game),
    h(
      "p.seats",
      {},
      board.seats.map((seat) =>
        h(
          `span.seat${board.to_act.includes(seat) && !board.over ? ".moves" : ""}`,
          {},
          h("bdi", {}, own(board.players, seat) ?? seat),
          own(board.clocks, seat) === undefined ? "" : ` ${minutes(board.clocks[seat])}`,
        ),
      ),
    ),
    board.waits || board.todo ? h("p", {}, board.waits || board.todo) : [],
    board.said.length ? h("p", {}, board.said.at(-1)) : [],
    board.missed ? h("p.faint", {}, `${board.missed} messages never came`) : [],
  ];
}

/** What a table has by that name itself: a seat may be called `toString`. */
function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function minutes(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
