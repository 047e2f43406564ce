// The way to the rules: whole, or from a refusal to the rule that it rests on. They are loaded after the board.

import { h, toast } from "/dom.js";
import { _ } from "/words.js";

/** Show the rules in a few words each; with `rule` that one before all others. */
export async function rules(rule = "") {
  const { open } = await import("/help.js");
  await open(rule).catch((error) => toast(error.message, "fault"));
}

/** Having here what is explained. @type {Promise<void> | null} */
let prepared = null;

/** Ask once for all that is explained: nobody on the line sees when this screen touches something first. */
export function prepare() {
  prepared ??= import("/help.js").then(({ ready }) => ready()).catch(() => {}); // a touch asks again
}

/** Say what a place and its pieces are: into `element`, once it is known. */
export async function explain(element, pieces, signs) {
  const { explained } = await import("/help.js");
  element.replaceChildren(...(await explained(pieces, signs).catch(() => [])));
}

/** A button that asks for the rule of a refusal, where there is one. */
export function whyNot(rule) {
  return rule ? h("button.quiet.why", { type: "button", onclick: () => rules(rule) }, _("Why not?")) : null;
}
