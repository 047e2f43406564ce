// The foot of a screen: its language, its sounds and lights, and the way to the other screens.

import { h } from "/dom.js";
import { BOARDS, LOOKS, boardLook, wear, wearBoard, worn } from "/looks.js";
import { about, seat } from "/place.js";
import { _, language } from "/words.js";

/**
 * What stands at the foot.
 * @param {import("./sounds.js").Sounds} sounds
 * @param {import("./curtain.js").Curtain | null} curtain
 */
export function foot(sounds, curtain) {
  return [
    h(
      "div.row",
      {},
      spoken(),
      h(
        "label.toggle",
        {},
        h("input", {
          type: "checkbox",
          "data-key": "sounds",
          checked: sounds.on,
          onchange: ({ target }) => sounds.set(target.checked),
        }),
        _("Sounds"),
      ),
      seat
        ? h(
            "label.toggle",
            {},
            h("input", {
              type: "checkbox",
              "data-key": "tune",
              checked: sounds.tune,
              onchange: ({ target }) => sounds.setTune(target.checked),
            }),
            _("A tune when it is my turn"),
          )
        : null,
      looks(),
      boards(),
      curtain?.toggle(),
      about.joins
        ? h(
            "button.quiet",
            { type: "button", "data-key": "settings", onclick: settings },
            _("The table's settings …"),
          )
        : null,
    ),
    elsewhere(),
    plain()
      ? h(
          "p.faint",
          {},
          _(
            "This connection isn't encrypted: anyone on the same Wi-Fi could read what is on this screen, and the screen may go dark during a game. To change that, put https = true in section [page] of the configuration.",
          ),
        )
      : null,
  ];
}

/**
 * What is asked once on each device, after somebody has touched it: before that a browser lets no page sound.
 * @param {import("./sounds.js").Sounds} sounds
 * @param {() => void} answered
 */
export function offer(sounds, answered) {
  const choose = (on) => () => {
    sounds.setTune(on);
    answered();
  };
  return h(
    "p.row",
    {},
    _("A tune tells you when it is your turn."),
    h("button.quiet", { type: "button", "data-key": "tune-yes", onclick: choose(true) }, _("Keep the tune")),
    h("button.quiet", { type: "button", "data-key": "tune-no", onclick: choose(false) }, _("No tune")),
  );
}

/** Whether others on the Wi-Fi could read along. */
function plain() {
  return location.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** The other screens. */
function elsewhere() {
  return h(
    "nav",
    { "aria-label": _("Other screens") },
    seat ? h("a", { href: "/" }, _("The table")) : null,
    h("a", { href: "/replay" }, _("Finished games")),
    about.makers ? h("a", { href: "/makers" }, _("For makers")) : null,
  );
}

/** The language of this screen, to choose. */
function spoken() {
  const choose = ({ target }) => {
    document.cookie = `boardumpire-language-${seat ?? "table"}=${target.value}; path=/; max-age=31536000; samesite=lax`;
    location.reload();
  };
  return h(
    "label.language",
    {},
    _("Language"),
    " ",
    h(
      "select",
      { "data-key": "language", onchange: choose },
      Object.entries(about.languages).map(([code, name]) =>
        h("option", { value: code, lang: code, selected: code === language }, name),
      ),
    ),
  );
}

/** What needs the PIN is fetched once somebody wants it. */
async function settings() {
  (await import("/tabletop.js")).settings();
}

/** What the board looks like, to choose. */
function boards() {
  const now = boardLook();
  return h(
    "label.language",
    {},
    _("Board"),
    " ",
    h(
      "select",
      { "data-key": "board", onchange: ({ target }) => wearBoard(target.value) },
      Object.entries(BOARDS).map(([look, called]) =>
        h("option", { value: look, selected: look === now }, called),
      ),
    ),
  );
}

/** A switch for each look of the page. */
function looks() {
  return Object.entries(LOOKS).map(([look, called]) =>
    h(
      "label.toggle",
      {},
      h("input", {
        type: "checkbox",
        "data-key": look,
        checked: worn(look),
        onchange: ({ target }) => wear(look, target.checked),
      }),
      called,
    ),
  );
}
