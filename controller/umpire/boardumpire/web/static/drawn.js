// Which pieces a view puts where, as things to draw: pure, so that it can be tested without a browser.

import { named } from "/dom.js";
import { standing } from "/parts.js";
import { called, kindOf } from "/pieces.js";
import { _ } from "/words.js";

/**
 * The pieces of a view, where no hands move them on a screen, with the keys that they are drawn under.
 *
 * Nothing says which piece went where. A piece that stands where one of its side stood keeps that one's key. Any
 * other takes the key of one of its side that is gone from its place: so a move is drawn as a move.
 * @param {any} view
 * @param {{place: (space: string) => any, stand: (space: string, number: number) => any}} board
 * @param {Map<string, string>} before  keys by place, `a3/0`, as they were drawn last
 * @param {boolean} crowded  whether the board itself has a spot for each piece of a space
 * @param {Record<string, any[]>} own  by space what the game's scene adds, for this screen alone
 * @returns {{pieces: any[], keys: Map<string, string>}}
 */
export function viewed(view, board, before, crowded, own = {}) {
  const keys = new Map();
  const pieces = [];
  /** @type {[string, any[]][]} */
  const spaces = Object.entries(held(view, own)).map(([space, stand]) => [space, [stand].flat()]);
  const taken = new Set(
    spaces.flatMap(([space, together]) => together.map((_piece, number) => `${space}/${number}`)),
  );
  const free = [...before].filter(([place]) => !taken.has(place));
  for (const [space, together] of spaces) {
    together.forEach((piece, number) => {
      const at = crowded ? board.stand(space, number) : board.place(space);
      if (!at) return;
      const place = `${space}/${number}`;
      let key = before.get(place);
      if (!key) {
        const match = free.findIndex(([, old]) => old.startsWith(`${piece.seat} `));
        key =
          match >= 0
            ? free.splice(match, 1)[0][1]
            : `${piece.seat} ${place} ${pieces.length} ${Math.random()}`;
      }
      keys.set(place, key);
      const spread = crowded ? 0 : (number - (together.length - 1) / 2) * 15;
      pieces.push({
        key,
        seat: piece.seat,
        rank: kindOf(piece),
        moved: piece.moved,
        known: piece.known,
        space,
        x: at.x + spread,
        y: at.y,
        is: "stands",
        small: together.length > 1 && !crowded ? 0.72 : 1,
      });
    });
  }
  return { pieces, keys };
}

/**
 * By space what stands there, with what the game's scene adds for this screen alone.
 * @param {any} view
 * @param {Record<string, any[]>} own
 */
export function held(view, own) {
  const shown = { ...(view.board ?? standing(view)) };
  for (const [space, pieces] of Object.entries(own))
    shown[space] = [...[shown[space] ?? []].flat(), ...pieces];
  return shown;
}

/**
 * How a game ended, as it was ruled: whatever hands have done to the board since. What was taken lies beside it.
 * @param {any} view
 * @param {any} bared  by space the pieces as they really were, once that is known
 * @param {{place: (space: string) => any, beside: (near: boolean, place: number, count: number) => any}} board
 * @param {string} near  the seat whose side is below
 */
export function atTheEnd(view, bared, board, near) {
  const pieces = [];
  for (const [space, piece] of Object.entries({ ...view.board, ...bared }))
    if (board.place(space))
      pieces.push({
        ...piece,
        key: `end:${space}`,
        rank: kindOf(piece),
        space,
        ...board.place(space),
        is: "stands",
      });
  for (const [seat, ranks] of Object.entries(view.captured ?? {}))
    ranks.forEach((rank, place) =>
      pieces.push({
        key: `end:${seat}:${place}`,
        seat,
        rank,
        ...board.beside(seat === near, place, ranks.length),
        is: "beside",
      }),
    );
  return pieces;
}

/** The pieces of a set-up that is being drafted: those on the board, and the rest in the tray. */
export function drafted(setup, board) {
  const pieces = [];
  for (const [space, rank] of setup.draft) {
    const at = board.place(space);
    if (at) pieces.push({ key: `draft:${space}`, seat: setup.seat, rank, ...at, is: "stands", draft: true });
  }
  const left = setup.left().filter(([, count]) => count > 0);
  left.forEach(([rank, count], place) =>
    pieces.push({
      key: `army:${rank}`,
      seat: setup.seat,
      rank,
      ...board.beside(true, place, left.length),
      is: "beside",
      badge: count > 1 ? count : null,
    }),
  );
  return pieces;
}

/** Whether what is drawn under that key is of a draft, not of the board. */
export function ofDraft(key) {
  return /^(army|draft):/.test(key);
}

/**
 * What a screen reader says of each space that has a piece.
 * @param {any[]} pieces
 * @param {Iterable<[string, string]>} draft  spaces with the ranks that this seat drafts there
 * @returns {Record<string, string>}
 */
export function spokenOf(pieces, draft) {
  /** @type {Record<string, string>} */
  const words = {};
  for (const { space, seat, rank, moved, known } of pieces) {
    const said = { seat: named(seat), rank: called(rank) };
    if (space && seat !== "hidden")
      words[space] = [
        rank && rank !== "?" ? _("{seat}'s {rank}", said) : _("{seat}: a piece", said),
        moved && _("has moved"),
        known && _("known to everybody"),
      ]
        .filter(Boolean)
        .join(", ");
  }
  for (const [space, rank] of draft) words[space] = _("your {rank}", { rank: called(rank) });
  return words;
}
