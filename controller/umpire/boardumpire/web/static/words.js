// The words of this screen: what the page came with in its own language, else English as it stands in the code.

const told = document.getElementById("about");
const own = told ? JSON.parse(told.textContent) : {};
const words = own.words ?? {};

export const language = own.language ?? "en";

/** A sentence in the language of the screen; `{name}` in it stands for a value. Only whole sentences, one literal each. */
export function _(text, values = {}) {
  return filled(words[text] ?? text, values);
}

/** The same for one thing, or for `n`: which form it has is the language's own rule. */
export function counted(one, many, n, values = {}) {
  const forms = words[many] ?? { one, other: many };
  return filled(forms[new Intl.PluralRules(language).select(n)] ?? forms.other, { n, ...values });
}

/** Names as one does list them: "Red and Blue". */
export function listed(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}

/** What people call a seat, by its English name. */
export function seat(name) {
  return words[name] ?? name;
}

/** By seat what it is called where somebody sits there who gave a name: `Anna (Red)`. @type {Record<string, string>} */
export const called = { ...own.players };

/** By seat that the machine plays its level. @type {Record<string, string>} */
export const machines = own.machines ?? {};

/** Who sits where in the game that is shown now. @param {Record<string, string> | undefined} players */
export function call(players) {
  for (const id of Object.keys(called)) delete called[id];
  Object.assign(called, players);
}

function filled(text, values) {
  const whole = text.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
  // A player has brackets of its own, which aren't wanted between others: (Anna, Red), not (Anna (Red))
  return text.includes("({") ? whole.replace(/\(([^()]+)\s\(([^()]+)\)\)/g, "($1, $2)") : whole;
}
