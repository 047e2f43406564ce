// The way to the rules: whole, or from a refusal to the rule that it rests on. They are loaded when they are asked for.

import { h, toast } from "/dom.js";
import { _ } from "/words.js";

/** Show the rules in a few words each; with `rule` that one before all others. */
export async function rules(rule = "") {
  const { open } = await import("/help.js");
  await open(rule).catch((error) => toast(error.message, "fault"));
}

/** A button that asks for the rule of a refusal, where there is one. */
export function whyNot(rule) {
  return rule ? h("button.quiet.why", { type: "button", onclick: () => rules(rule) }, _("Why not?")) : null;
}
