// The rules in a few words each, as a window over the page: whole, or opened at the rule of a refusal.
// All of it is asked for at once, so that nobody on the line sees which rule it was.

import { h, named, styled } from "/dom.js";
import { called, chip } from "/pieces.js";
import { seat } from "/place.js";
import { _ } from "/words.js";

/** What came of asking, once it came. @type {Promise<any> | null} */
let asked = null;

async function told() {
  const answer = await fetch(`/help.json${seat ? `?seat=${encodeURIComponent(seat)}` : ""}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

const all = () =>
  (asked ??= told()).catch((error) => {
    asked = null; // the next one asks again
    throw error;
  });

/** Until all of it has come. */
export const ready = async () => void (await all());

/**
 * What is known of some pieces, and what the signs of their place mean.
 * @param {{seat: string, rank: string | null, moved?: boolean, known?: boolean}[]} pieces
 * @param {string[]} signs  sentences
 */
export async function explained(pieces, signs) {
  const { chapters } = await all();
  const entries = chapters.flatMap((chapter) => chapter.entries);
  const rows = pieces.flatMap((piece) => {
    const about = [piece.rank ?? "", piece.moved && "moved", piece.known && "known", piece.seat];
    return entries
      .filter(({ explains = [] }) => explains.some((what) => about.includes(what)))
      .map(({ text }) => [piece.rank ? called(piece.rank) : named(piece.seat), text]);
  });
  const heads = [...new Set(rows.map(([name]) => name))];
  return [
    ...heads.map((name) =>
      h(
        "p",
        {},
        name === "?" ? null : h("strong", {}, `${name}: `),
        rows
          .filter(([other]) => other === name)
          .map(([, text]) => text)
          .join(" "),
      ),
    ),
    ...signs.map((text) => h("p", {}, text)),
  ];
}

/** Show the rules; with `rule` that one before all others. */
export async function open(rule = "") {
  const { chapters, face, goal } = await all();
  await styled("/help.css");
  const why = chapters.flatMap(({ entries }) => entries).find(({ rules }) => rules.includes(rule));
  const dialog = h(
    "dialog.help",
    {
      "aria-labelledby": "help-title",
      onclose: () => dialog.remove(),
      onclick: ({ target }) => target === dialog && dialog.close(),
    },
    h(
      "form.row",
      { method: "dialog" },
      h("h2", { id: "help-title", tabindex: -1, autofocus: true }, why ? _("Why not?") : _("Rules")),
      h("button.quiet", { "data-key": "close" }, _("Close")),
    ),
    why
      ? h("dl.why", {}, entry(why))
      : h(
          "div.goal",
          {},
          face ? h("img", { src: face, alt: "", width: 320, height: 180 }) : null,
          h("p", {}, goal),
        ),
    chapters.map(({ title, entries }) =>
      h("details", { open: !why }, h("summary", {}, h("h3", {}, title)), h("dl", {}, entries.map(entry))),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}

function entry({ name, piece, text }) {
  return h(
    "div.entry",
    {},
    name ? h("dt", {}, piece ? chip(piece[0], piece[1], name) : null, name) : null,
    h("dd", {}, text),
  );
}
