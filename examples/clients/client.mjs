// Plays one seat of a game through `boardumpire referee`: each time any action that is legal.
//
//     node client.mjs SEAT [GAME]            the other seats play at random
//     node client.mjs SEAT --at SOCKET       at the table of a `boardumpire referee --host SOCKET`
//
// It needs node and nothing else. Its last line is how the game ended.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The referee in a process of its own, which tells what one seat may know. */
class Referee {
  constructor(seat, ...more) {
    const words = ["referee", "--seat", seat, ...more];
    this.process = spawn("boardumpire", words, { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.stdin.on("error", () => {}); // it has gone: its exit code says why
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** The answer to a request: its field `ok` is true, or it holds an `error` or a `refusal`. */
  async ask(request) {
    this.process.stdin.write(JSON.stringify(request) + "\n");
    const { value, done } = await this.lines.next();
    if (done) process.exit((await this.ended) || 1);
    return JSON.parse(value);
  }
}

const [seat, ...more] = process.argv.slice(2);
const hosted = more[0] === "--at";
const referee = new Referee(seat, ...(hosted ? more : []));
if (!hosted) {
  const begun = await referee.ask({ do: "new", game: more[0] ?? "stratego-quick-duel" });
  if (!begun.ok) throw new Error(begun.error.text);
}
let told = await referee.ask({ do: "events" });
while (!told.outcome) {
  for (const event of told.events) console.log(event.text);
  if (told.to_act.includes(seat)) {
    const { actions } = await referee.ask({ do: "legal" });
    await referee.ask({ do: "act", action: actions[Math.floor(Math.random() * actions.length)] });
  }
  told = await referee.ask({ do: "events" });
}
await referee.ask({ do: "quit" });
console.log(JSON.stringify(told.outcome));
