// A game may have a script of its own, which its package brings and names (`PieceAppearance.scene`). It exports a
// class `Scene`, and may have styles in a sheet of the same name.

import { styled } from "/dom.js";

/**
 * What a scene may have; whatever is missing is done as for every other game.
 * @typedef {object} Scene
 * @property {string} [title]  what the board is called for those who listen
 * @property {Record<string, (place: string, rest: string[]) => string>} [labels]  what the words of acts are called
 * @property {(board: any) => Element} [ground]  draws what is printed, in place of the board file; then there are
 *   `signs` and `spots`, too
 * @property {(board: any) => Element} [signs]
 * @property {(board: any) => Element} [spots]
 * @property {(board: any, view: any) => void} [draw]  draws what changes, beside pieces and lamps
 * @property {(space: string) => string} [name]  what a space is called
 * @property {(space: string, mark: string, legend: Map<string, any>) => string | null | undefined} [spoken]  what is said
 *   of a space beside its piece and its lamp
 * @property {(space: string) => string[]} [explain]  what the signs of a space mean, for who touches it
 * @property {(view: any) => Record<string, any[]>} [stands]  pieces for this screen alone, by space
 * @property {(view: any, board: any) => any[]} [beside]  the same beside what simulated hands hold
 * @property {(one: string, other: string) => boolean} [foe]  whether a piece of one seat attacks or arrests where one of
 *   the other stands; without it, any other seat's
 * @property {(events: any[], view: any) => any[] | null} [met]  what is drawn beside what just happened: pieces as
 *   `met` of banner.js gives them, or elements
 * @property {(view: any, seat: string | null, space: string | null) => boolean} [tapped]  whether a tap was meant for it
 * @property {(may: any, view: any, seat: string, say: Function, redraw: Function) => any} [acts]  what a seat may say
 * @property {(may: any, view: any, seat: string | null, say: Function, redraw: Function) => any[]} [hold]  what a seat
 *   holds in its hand, with what may be done with it
 * @property {(view: any) => any} [strip]  what a small screen shows beside the title
 * @property {(view: any, seat: string, may: any, told: any[]) => any[] | null} [situation]  a title and sentences, where
 *   it has others than every game has
 * @property {(window: any) => any} [countdown]
 * @property {(view: any, seat: string | null) => string | Promise<string>} [leaving]  the question before somebody resigns
 * @property {(view: any, seat: string | null, say?: any, store?: string) => any[]} [parts]  what is known
 * @property {(view: any) => any[]} [hands]  all hands, in a replay
 * @property {(seat: string) => string} [side]  by whose win a seat wins, where that is not its own
 * @property {(seat: string | null) => void} [sit]  told at first whose screen this is
 * @property {(board: any) => Element[]} [print]  what is printed besides
 * @property {(lens: Function) => any} [tools]  buttons beside those that zoom
 * @property {boolean} [replaying]  set by a replay: what its script does by itself at the end is not done
 * @property {boolean} [pencil]  whether a tap is a note of its person's own, and takes up no piece
 * @property {() => void} [forget]  drops what its person has begun: the seat is another device's
 * @property {(view: any) => any} [kept]  what its panels rest on beside the view
 */

/** The class of this game's scene, with its styles there, or nothing. @returns {Promise<(new (printed: any) => Scene) | null>} */
export async function sceneOf(printed) {
  const { scene, style } = printed.looks ?? {};
  if (!scene) return null;
  const [{ Scene }] = await Promise.all([import(scene), style && styled(style)]);
  return Scene;
}
