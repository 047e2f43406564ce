// Where this page is: whose screen it shows, and what the umpire sent along with it.

const path = location.pathname.split("/").filter(Boolean);

/** The seat that this screen belongs to; none on the table's and the spectators' screens. */
export const seat = path[0] === "seat" ? decodeURIComponent(path[1]) : null;
export const watching = path[0] === "watch";
export const replaying = path[0] === "replay";

export const about = JSON.parse(document.getElementById("about")?.textContent ?? "{}");
/** Fetch what is printed on the board: a file of its own, which the browser keeps. A saved game holds it itself. */
export async function unroll() {
  if (about.board) Object.assign(about.printed, await (await fetch(about.board)).json());
}

/** The seat on the far side of a board with two sides, whose screen shows it turned round. A map is read upright by all. */
export const far = () =>
  about.seats.length === 2 && !about.printed.scenery && !about.printed.lines?.length ? about.seats[1] : null;

/** Where the socket of this screen is. */
export const socket = seat ? `/socket/${encodeURIComponent(seat)}` : watching ? "/watch/socket" : "/socket";

/** Under which name this device keeps a seat's notes. */
export const notes = `boardumpire notes ${seat}`;
