"""Where a simulated board begins: somebody chooses a game, how many sit down, its options and a clock.

GET  /            the games, each with a sentence of what it is about
GET  /?game=ID    what may be chosen for that one
POST /?game=ID    begins it, and leads to the table's screen, or to that of the one seat that a person
                  plays; `learn=SEAT` to that seat's first game;
                  `language=CODE` shows the form in that language, with all that was chosen

It needs no script. Whoever is quickest begins the game, and gets the table's link.
"""

from __future__ import annotations

import asyncio
import html
import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from boardrules import registry
from boardrules.baseline_players import SIMPLE
from boardrules.core import NO_SEAT, Seat
from boardrules.rule_sets import BALANCED_SET, CUSTOM_SET, RULEBOOK_SET, RULES_OPTION
from boardumpire.errors import BoardumpireError, public_error_text
from boardumpire.messages import announce, players
from boardumpire.messages.languages import LANGUAGES, Catalogue, catalogue, catalogues_by_game
from boardumpire.service.config import PageSection, parse_listen_address, parse_networks
from boardumpire.web.assets import CONTENT_TYPES, Assets
from boardumpire.web.error_pages import ErrorPages
from boardumpire.web.game_files import FACE, game_file_path, game_files
from boardumpire.web.limits import BODY_MAX_BYTES
from boardumpire.web.option_fields import offered_option_fields, rule_sets
from boardumpire.web.page_language import _, screen_language, seat_label
from boardumpire.web.request_guard import RequestGuard
from boardumpire.web.seat_links import TABLE_LINK
from boardumpire.web.server import Server

CLOCK_KIND_LABELS = {
    "none": _("no clock"),
    "fischer": _("Fischer: each turn adds time"),
    "bronstein": _("Bronstein: each turn gives back the time it used"),
    "turn": _("a limit for each turn"),
}
CLOCK_FIELDS = (
    ("base", _("Minutes for each seat"), 15, 1, 1440),
    ("extra", _("Seconds added each turn"), 10, 0, 3600),
    ("turn", _("Seconds for each turn"), 60, 5, 86400),
)
LEVEL_DESCRIPTIONS = {
    "1": _("Level 1: beginner, makes many mistakes."),
    "2": _("Level 2 thinks a little, and makes a mistake now and then."),
    "3": _("Level 3 plans ahead and hardly makes mistakes."),
    "4": _("Level 4 is the strongest: it thinks for up to two seconds before each move."),
    SIMPLE: _("The machine plays by a few simple rules."),
}
"""By level what to expect of the machine."""
STRONGEST_LEVEL = "4"
"""The level that is said to be the strongest; of games that have more nothing is said of it."""
OPTION_PREFIX, TEXT_PREFIX, SEAT_PREFIX, NAME_PREFIX = "option-", "text-", "seat-", "name-"
"""How the fields are called that hold the value of an option as JSON, one that is a text, and so on."""
PASSED_ROUND_FIELD = "all-here"
FORM_ID = "start"
"""The id of the form of a game."""
NAMES_COOKIE = "boardumpire-names"
"""The cookie by which a device remembers the names that were typed on it last."""
COOKIE_MAX_BYTES = 3800
"""Bytes that every browser keeps of one."""
COOKIE_AGE_S = 365 * 24 * 3600


class GameChoice(NamedTuple):
    """What somebody wants to play."""

    game: str
    options: Mapping[str, Any]
    clock: Mapping[str, Any]
    """As `boardumpire.service.config.parse_clock_section` takes it."""
    machine_levels: Mapping[Seat, str] = {}
    """By seat the level of the machine that plays it."""
    player_names: Mapping[Seat, str] = {}
    """By seat the name of who sits there, as it was typed."""
    learner_seat: Seat = NO_SEAT
    """Whose first game it is: the other seats are played."""
    is_passed_round: bool = False
    """Whether all people play on the device that chose."""


class StartPage:
    """The page before there is a table."""

    def __init__(
        self,
        section: PageSection,
        games: Sequence[str],
        lead: Callable[[GameChoice], str],
        listening: socket.socket | None = None,
        levels: Callable[[str], Sequence[str]] = lambda game: (),
    ) -> None:
        """`games`: those to choose from; `lead`: takes a choice, or raises `BoardumpireError`, and says the
        path of the table's link; `levels`: at which the machine plays a game, the weakest first;
        `listening`: as `Server`."""
        where = parse_listen_address(section.listen)
        assert where is not None, "the configuration was read"
        self._games, self._lead, self._levels, self._there = games, lead, levels, ""
        self._assets = Assets("boardumpire.web")
        self.choice_made = asyncio.Event()
        """Set once somebody's choice was taken, and the answer is on its way."""
        app = Starlette(
            routes=[
                Route("/", self._handle_request, methods=["GET", "POST"]),
                Route("/style.css", self._file),
                Route("/start.css", self._file),
                Route("/icon.svg", self._file),
                Route("/game/{game}/" + FACE, self._file),
                Route("/{path:path}", self._redirect_to_table, methods=["GET", "POST"]),
            ]
        )
        self.app = RequestGuard(
            ErrorPages(app), section.names.split(), lambda asks: None, parse_networks(section.proxy) or ()
        )
        """ASGI: all of it, behind its guard."""
        self._server = Server(self.app, *where, section.certificate, section.key, listening=listening)

    async def start(self) -> None:
        """Listen. Raises as `Server.start`."""
        await self._server.start()

    @property
    def origin(self) -> str:
        """Where it is found."""
        return self._server.origin

    async def stop(self) -> None:
        """Hang up, once whoever was being answered has heard of it."""
        self._server.stop()
        await self._server.wait_closed()

    async def _file(self, request: Request) -> Response:
        return self._assets.respond(request, request.url.path.removeprefix("/"))

    async def _handle_request(self, request: Request) -> Response:
        language, game = screen_language(request, TABLE_LINK), request.query_params.get("game", "")
        wanted = request.query_params.get("language", "")
        if wanted in LANGUAGES:
            return _set_language_cookie(RedirectResponse("/", 303), wanted)
        if game not in self._games:
            return _start_page_response(
                language, _("What do you want to play?"), _game_cards(self._games, language)
            )
        if request.method != "POST":
            return _start_page_response(
                language,
                registry.package(game).title,
                _game_form(game, _names_from_cookie(request), language, self._levels(game)),
                form=FORM_ID,
            )
        said = dict(parse_qsl((await request.body())[:BODY_MAX_BYTES].decode("utf-8", "replace")))
        wanted = said.get("language", "")
        if wanted in LANGUAGES:
            title = registry.package(game).title
            form = _game_form(game, said, wanted, self._levels(game), opened=True)
            return _set_language_cookie(_start_page_response(wanted, title, form, form=FORM_ID), wanted)
        try:
            # Who comes second is led to the game of the first.
            self._there = self._there or self._lead(_parse_choice(game, said))
        except BoardumpireError as error:
            why = announce.translate(public_error_text(error), language)
            return _start_page_response(
                language,
                registry.package(game).title,
                _game_form(game, said, language, self._levels(game), str(why)),
                409,
                form=FORM_ID,
            )
        self._server.stop_accepting()  # who follows the answer at once would be hung up on
        # 307: the browser posts there, and so sits down at the table's screen without another question.
        answer = RedirectResponse(self._there, 307, {"connection": "close"})
        if not said.get("learn"):
            _save_names_cookie(answer, said)
        answer.background = BackgroundTask(self._signal_choice)
        return answer

    async def _redirect_to_table(self, request: Request) -> Response:
        """Who follows to the table on a line that was kept alive is sent there anew, on another line."""
        if not self._there:
            return PlainTextResponse("there is nothing here\n", 404)
        where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(where, 307, {"connection": "close"})

    async def _signal_choice(self) -> None:
        self.choice_made.set()


def _parse_choice(game: str, form_values: Mapping[str, str]) -> GameChoice:
    """What a form says. Raises `BoardumpireError` for what no form of ours sends."""
    learner = Seat(form_values.get("learn", ""))
    if not learner:
        return GameChoice(
            game,
            _parse_options(form_values),
            _parse_clock(form_values),
            _parse_machine_levels(form_values),
            _parse_player_names(form_values),
            is_passed_round=bool(form_values.get(PASSED_ROUND_FIELD)),
        )
    lessons = registry.package(game).lessons()
    if learner not in lessons:
        raise BoardumpireError(f"learn: found {learner!r}; try one of {', '.join(lessons)}")
    return GameChoice(game, lessons[learner].options, {"kind": "none"}, learner_seat=learner)


def _parse_options(form_values: Mapping[str, str]) -> dict[str, Any]:
    """The options of a form. Raises `BoardumpireError` for what no form of ours sends."""
    options = {RULES_OPTION: RULEBOOK_SET}
    wanted = form_values.get(RULES_OPTION, "")
    if wanted in (RULEBOOK_SET, BALANCED_SET):  # nobody sees the fields of single options then
        form_values = {
            name: form_values[name] for name in (f"{OPTION_PREFIX}players",) if name in form_values
        }
        options[RULES_OPTION] = wanted
    elif wanted == CUSTOM_SET:
        options[RULES_OPTION] = BALANCED_SET  # a number that goes by the players may be left to the game
    elif wanted:
        raise BoardumpireError(
            f"{RULES_OPTION}: found {wanted!r}; try {RULEBOOK_SET}, {BALANCED_SET} or {CUSTOM_SET}"
        )
    for name, value in form_values.items():
        if name.startswith(OPTION_PREFIX) and value:  # an empty one leaves it to the game
            try:
                options[name.removeprefix(OPTION_PREFIX)] = json.loads(value)
            except (ValueError, RecursionError):
                raise BoardumpireError(f"{name}: found {value!r}; try JSON") from None
        elif name.startswith(TEXT_PREFIX) and value.strip():
            options[name.removeprefix(TEXT_PREFIX)] = value.strip()
    return options


def _parse_machine_levels(form_values: Mapping[str, str]) -> dict[Seat, str]:
    return {
        Seat(name.removeprefix(SEAT_PREFIX)): level
        for name, level in form_values.items()
        if name.startswith(SEAT_PREFIX) and level
    }


def _parse_player_names(form_values: Mapping[str, str]) -> dict[Seat, str]:
    return {
        Seat(name.removeprefix(NAME_PREFIX)): given
        for name, given in form_values.items()
        if name.startswith(NAME_PREFIX)
    }


def _names_from_cookie(request: Request) -> dict[str, str]:
    """The names that were typed on this device last, as a form says them."""
    try:
        found = json.loads(unquote(request.cookies.get(NAMES_COOKIE, "")))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {NAME_PREFIX + seat: name for seat, name in found.items() if isinstance(name, str)}


def _save_names_cookie(answer: Response, form_values: Mapping[str, str]) -> None:
    """Have the device remember these names."""
    found = {seat: name.strip() for seat, name in _parse_player_names(form_values).items() if name.strip()}
    kept = quote(json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    if found and len(kept) <= COOKIE_MAX_BYTES:
        answer.set_cookie(NAMES_COOKIE, kept, COOKIE_AGE_S, httponly=True, samesite="lax")
    else:
        answer.delete_cookie(NAMES_COOKIE)


def _parse_clock(form_values: Mapping[str, str]) -> dict[str, Any]:
    """The clock of a form. Raises `BoardumpireError` for what is no number."""
    kind = form_values.get("kind", "none")
    if kind == "none":
        return {"kind": kind}
    if kind == "turn":
        return {"kind": kind, "turn_s": _parse_number(form_values, "turn")}
    return {
        "kind": kind,
        "base_s": 60 * _parse_number(form_values, "base"),
        "extra_s": _parse_number(form_values, "extra"),
    }


def _parse_number(form_values: Mapping[str, str], name: str) -> int:
    text = form_values.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise BoardumpireError(f"{name}: found {text!r}; try a number")
    return int(text)


# What it looks like


def _game_cards(games: Sequence[str], language: str) -> str:
    """A card for each family of games. Those that can be learnt by playing come first, also within a card."""
    families: dict[str, list[str]] = {}
    for game in sorted(games, key=lambda game: not registry.package(game).lessons()):
        package = registry.package(game)
        families.setdefault(package.family or package.title, []).append(game)
    return f'<div class="games">{"".join(_game_card(*each, language) for each in families.items())}</div>'


def _game_card(title: str, family: Sequence[str], language: str) -> str:
    first = family[0]
    words, package = catalogue(language, first), registry.package(first)
    learn, play = (html.escape(words.gettext(text)) for text in (_("Learn by playing"), _("New game")))
    people = words.gettext(_("Players: {n}")).format(n=_player_count_text(package.player_counts))
    lesson = "".join(
        f'<form method="post" action="/?game={quote(first)}">'
        f'<button class="main" name="learn" value="{html.escape(seat)}">{learn}</button></form>'
        for seat in list(package.lessons())[:1]
    )
    links = [
        f'<a class="button" href="/?game={quote(game)}">{html.escape(name)}</a>'
        for game in family
        for name in [play if len(family) == 1 else registry.package(game).title]
    ]
    return (
        f'<section class="card game">{_face_image(first)}<h2>{html.escape(title)}</h2>'
        f"{_about_paragraph(first, language)}"
        f'<p class="faint">{html.escape(people)}</p>'
        f'<div class="ways">{lesson}{"".join(links)}</div></section>'
    )


def _about_paragraph(game: str, language: str) -> str:
    """What a game is about, where it says so."""
    about = registry.package(game).about()
    if about is None:
        return ""
    return f"<p>{html.escape(announce.to_sentence(about, catalogues_by_game(language)))}</p>"


def _face_image(game: str) -> str:
    """What stands for a game, where it has that."""
    path = game_file_path(game, FACE)
    return f'<img src="/{path}" alt="" width="320" height="180">' if path in game_files(game) else ""


def _player_count_text(seatings: Sequence[int]) -> str:
    low, high = min(seatings), max(seatings)
    return str(low) if low == high else f"{low}–{high}"


def _game_form(
    game: str,
    form_values: Mapping[str, str],
    language: str,
    levels: Sequence[str],
    why: str = "",
    *,
    opened: bool = False,
) -> str:
    """The form for a game, with the `form_values` sent before, and why they were refused. `opened`: with its
    rules and its clock in sight, as they were chosen already."""
    words = catalogue(language, game)
    package = registry.package(game)
    options = registry.new(game, {RULES_OPTION: RULEBOOK_SET}).options
    people = _player_count_field(package.player_counts, options, form_values, words)
    seats = list(_seat_fields(game, levels, form_values, words))
    more = [
        _option_field(
            field, form_values, open_=offer.depends_on_players, printed=offer.name in package.rulebook_options
        )
        for field, offer in zip(
            offered_option_fields({game: options}, language)[game], package.option_offers(), strict=True
        )
    ]
    sets = _rule_set_fields(game, form_values, language)
    clock = _clock_fields(form_values, words)
    refused = f'<p class="refused" role="alert">{html.escape(why)}</p>' if why else ""
    shown = " open" if why or opened else ""
    names = list(_name_fields(game, form_values, words))
    known = " open" if why or any(name.startswith(NAME_PREFIX) for name in form_values) else ""
    who, named, rules, time, begin, back = (
        html.escape(words.gettext(text))
        for text in (
            _("Who plays?"),
            _("Names"),
            _("Choose the rules"),
            _("Clock"),
            _("Begin"),
            _("Another game"),
        )
    )
    seated = f'<fieldset class="seats"><legend>{who}</legend>{"".join(seats)}</fieldset>' if seats else ""
    return (
        f'<div class="about">{_face_image(game)}{_about_paragraph(game, language)}'
        f"{_lesson_buttons(game, language)}</div>"
        f'<form method="post" class="start" id="{FORM_ID}">{refused}{"".join(people)}{seated}'
        f"{_passed_round_field(form_values, words)}"
        f"<details{known}><summary>{named}</summary>{''.join(names)}</details>"
        f'{sets}<details{" open" if sets else shown} class="set own"><summary>{rules}</summary>'
        f"{''.join(more)}</details>"
        f"<details{shown}><summary>{time}</summary>{''.join(clock)}</details>"
        f'<p class="row begin"><button class="main">{begin}</button><a href="/">{back}</a></p></form>'
    )


def _rule_set_fields(game: str, form_values: Mapping[str, str], language: str) -> str:
    """By which rules: of a set that is chosen stands here what it says; `start.css` hides the others."""
    sets = rule_sets(game, 0, language)
    if not sets:
        return ""
    words = catalogue(language)
    values = [(each["id"], each["label"]) for each in sets]
    choice = _select_field(
        RULES_OPTION, words.gettext(_("Rules")), values, form_values.get(RULES_OPTION, RULEBOOK_SET)
    )
    told = "".join(
        f'<p class="field set {each["id"]}"><small>{"<br>".join(map(html.escape, each["told"]))}</small></p>'
        for each in sets
        if each["told"]
    )
    return choice + told


def _lesson_buttons(game: str, language: str) -> str:
    """A button for each seat that has a first game."""
    lessons = registry.package(game).lessons()
    if not lessons:
        return ""
    title, about = (
        html.escape(catalogue(language).gettext(text))
        for text in (
            _("Learn by playing"),
            _("A first game of five moves. The page tells you what to do; the other side is played for you."),
        )
    )
    named = {seat: html.escape(seat_label(seat, language, game)) for seat in lessons}
    buttons = "".join(
        f'<button name="learn" value="{html.escape(seat)}">{name}</button>' for seat, name in named.items()
    )
    return (
        f'<form method="post" class="card learn"><h2>{title}</h2><p>{about}</p>'
        f'<p class="row">{buttons}</p></form>'
    )


def _player_count_field(
    seatings: Sequence[int], options: Mapping[str, Any], form_values: Mapping[str, str], words: Catalogue
) -> Iterator[str]:
    if len(seatings) > 1:
        name = f"{OPTION_PREFIX}players"
        values = [(str(number), str(number)) for number in seatings]
        yield _select_field(
            name,
            words.gettext(_("How many players?")),
            values,
            form_values.get(name, str(options["players"])),
        )


def _seat_fields(
    game: str, levels: Sequence[str], form_values: Mapping[str, str], words: Catalogue
) -> Iterator[str]:
    """For each seat whether somebody sits there or the machine plays it, and how well. `start.css` hides
    those that so many players don't have, and what is said of levels that nobody has chosen."""
    plain, numbered = words.gettext(_("The machine")), words.gettext(_("The machine, level {n}"))
    values = [("", words.gettext(_("A person at this table")))]
    values += [(level, numbered.format(n=level) if level.isdecimal() else plain) for level in levels]
    about = [
        f'<span class="level-{level}">{html.escape(words.gettext(LEVEL_DESCRIPTIONS[level]))}</span>'
        for level in levels
        if level in LEVEL_DESCRIPTIONS and (level != STRONGEST_LEVEL or level == levels[-1])
    ]
    for seat, people in player_counts_by_seat(game).items() if levels else ():
        name = words.gettext(announce.sentences(game).texts.get(f"seat {seat}", seat.capitalize()))
        yield _select_field(
            SEAT_PREFIX + seat,
            name,
            values,
            form_values.get(SEAT_PREFIX + seat, ""),
            by="help-levels" if about else "",
            sort=_seat_field_classes(people),
        )
    if about:
        yield f'<p class="field"><small id="help-levels">{" ".join(about)}</small></p>'


def _passed_round_field(form_values: Mapping[str, str], words: Catalogue) -> str:
    """Whether all people play on this device, one after the other."""
    label, help_ = (
        html.escape(words.gettext(text))
        for text in (
            _("All here, one after the other"),
            _("You hand this device on. It shows nothing until the next player taps."),
        )
    )
    checked = " checked" if form_values.get(PASSED_ROUND_FIELD) else ""
    name = PASSED_ROUND_FIELD
    field = f'<input type="checkbox" name="{name}" value="yes" aria-describedby="help-{name}"{checked}>'
    return (
        f'<p class="field"><label class="toggle">{field}{label}</label>'
        f'<small id="help-{name}">{help_}</small></p>'
    )


def _name_fields(game: str, form_values: Mapping[str, str], words: Catalogue) -> Iterator[str]:
    """For each seat a field for the name of who sits there; `start.css` hides some, as for `_seat_fields`."""
    for seat, people in player_counts_by_seat(game).items():
        word = words.gettext(announce.sentences(game).texts.get(f"seat {seat}", seat.capitalize()))
        name, now = NAME_PREFIX + seat, html.escape(form_values.get(NAME_PREFIX + seat, ""))
        field = (
            f'<input name="{name}" id="{name}" value="{now}" '
            f'maxlength="{2 * players.NAME_MAX_LENGTH}" dir="auto" '
            'autocomplete="off" spellcheck="false">'
        )
        yield _labelled_field(name, word, field, "", _seat_field_classes(people))
    help_ = words.gettext(_("Names are shown beside the seats. This device remembers them."))
    yield f'<p class="field"><small>{html.escape(help_)}</small></p>'


def _seat_field_classes(people: Sequence[int]) -> str:
    """Classes of a field that is there with so many players."""
    return f"seat {' '.join(f'of-{number}' for number in people)}"


def player_counts_by_seat(game: str) -> dict[Seat, list[int]]:
    """Every seat of a game, with how many players have it."""
    package = registry.package(game)
    found: dict[Seat, list[int]] = {}
    for number in package.player_counts:
        for seat in package.new({"players": number} if len(package.player_counts) > 1 else {}).seats:
            found.setdefault(seat, []).append(number)
    return found


def _clock_fields(form_values: Mapping[str, str], words: Catalogue) -> Iterator[str]:
    kinds = [(kind, words.gettext(text)) for kind, text in CLOCK_KIND_LABELS.items()]
    yield _select_field("kind", words.gettext(_("Clock")), kinds, form_values.get("kind", "none"))
    for name, label, value, low, high in CLOCK_FIELDS:
        yield _number_field(name, words.gettext(label), form_values.get(name, str(value)), low, high)


def _option_field(
    field: Mapping[str, Any], form_values: Mapping[str, str], *, open_: bool, printed: bool
) -> str:
    """`open_`: it may stay empty, and does at first unless its value is `printed` in the rulebook."""
    if "length" in field:
        name = TEXT_PREFIX + field["name"]
        now = html.escape(form_values.get(name, field["value"]))
        entry = (
            f'<input name="{name}" id="{name}" value="{now}" maxlength="{field["length"]}" '
            'autocomplete="off" spellcheck="false">'
        )
        return _labelled_field(name, field["label"], entry, field.get("help", ""))
    name = OPTION_PREFIX + field["name"]
    now = form_values.get(name, "" if open_ and not printed else json.dumps(field["value"]))
    if "values" in field:
        values = [(json.dumps(value), text) for value, text in field["values"]]
        return _select_field(name, field["label"], values, now, field.get("help", ""))
    help_ = field.get("help", "")
    return _number_field(name, field["label"], now, field["low"], field["high"], help_, required=not open_)


def _select_field(
    name: str,
    label: str,
    values: Sequence[tuple[str, str]],
    now: str,
    help_: str = "",
    by: str = "",
    sort: str = "",
) -> str:
    """`by`: the id of what helps with several of them; `sort`: classes that tell it from others."""
    options = "".join(
        f'<option value="{html.escape(value)}"{" selected" if value == now else ""}>'
        f"{html.escape(text)}</option>"
        for value, text in values
    )
    described = f' aria-describedby="{by}"' if by else _help_attribute(name, help_)
    field = f'<select name="{name}" id="{name}"{described}>{options}</select>'
    return _labelled_field(name, label, field, help_, sort)


def _number_field(
    name: str, label: str, now: str, low: int, high: int, help_: str = "", *, required: bool = True
) -> str:
    needed = " required" if required else ""
    field = (
        f'<input type="number" inputmode="numeric" name="{name}" id="{name}" value="{html.escape(now)}" '
        f'min="{low}" max="{high}"{needed}{_help_attribute(name, help_)}>'
    )
    return _labelled_field(name, label, field, help_)


def _help_attribute(name: str, help_: str) -> str:
    return f' aria-describedby="help-{name}"' if help_ else ""


def _labelled_field(name: str, label: str, field: str, help_: str, sort: str = "") -> str:
    said = f'<small id="help-{name}">{html.escape(help_)}</small>' if help_ else ""
    sorts = f"field {sort}".strip()
    return f'<p class="{sorts}"><label for="{name}">{html.escape(label)}</label>{field}{said}</p>'


def _set_language_cookie(answer: Response, language: str) -> Response:
    """Have the device remember the language of the table's screen."""
    answer.set_cookie(f"boardumpire-language-{TABLE_LINK}", language, COOKIE_AGE_S, samesite="lax")
    return answer


def _language_switch(code: str, name: str, form: str) -> str:
    """The way to another language; with the id of a `form` that sends all that was chosen along."""
    if not form:
        return f'<a href="/?language={code}" lang="{code}">{html.escape(name)}</a>'
    return (
        f'<button form="{form}" name="language" value="{code}" formnovalidate class="quiet" lang="{code}">'
        f"{html.escape(name)}</button>"
    )


def _start_page_response(
    language: str, title: str, body: str, status: int = 200, *, form: str = ""
) -> Response:
    """`form`: the id of the one in `body`, where there is one."""
    said = html.escape(catalogue(language).gettext(title))
    spoken = " ".join(
        _language_switch(code, name, form) for code, name in LANGUAGES.items() if code != language
    )
    page = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said} · Boardumpire</title>"
        '<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/style.css">'
        '<link rel="stylesheet" href="/start.css">'
        f'<body class="start"><main><h1>{said}</h1>{body}'
        f'<nav class="faint">{spoken}</nav></main></body></html>'
    )
    return Response(page, status, media_type=CONTENT_TYPES["html"])
