"""Board and what is asked now are seen together, on a small phone too, in every phase of every game.

What the browser laid out is measured, in CSS pixels."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, State
from boardumpire.messages.disclosure import SeatMessage
from boardware.description import load_board
from web.castle import PositionDesk, played
from web.served import DUEL, MOVES, Screen
from web.test_frame import Toy

SIZES = ((360, 640), (390, 844), (1280, 800))
FINGER = 32
"""Pixels that a circle of the castle is wide at least, where a small screen looks at it."""
LAID_OUT = """() => {
    const at = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
        return [left, top, right, bottom]; };
    const bar = document.querySelector(".now");
    const asked = [...bar.querySelectorAll("button, select")].filter(
        (one) => one.offsetParent && !one.disabled);
    const touch = document.querySelector('[data-space]');
    return {
        size: [innerWidth, innerHeight],
        wide: document.documentElement.scrollWidth,
        bar: at(bar),
        board: at(document.querySelector(".board")),
        first: asked.length ? at(asked.find((one) => one.classList.contains("main")) ?? asked[0]) : null,
        circle: touch.getBoundingClientRect().width,
        cut: [...bar.querySelectorAll("h2, p, button, span")].filter(
            (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline",
        ).map((one) => one.textContent),
        lamps: [...document.querySelectorAll(".socket")].map(at),
    };
}"""


AT_REST = """() => {
    const bar = Math.ceil(document.querySelector(".now").getBoundingClientRect().height);
    const known = parseFloat(document.documentElement.style.getPropertyValue("--bar"));
    const look = JSON.stringify([bar, innerWidth, document.querySelector(".board").getAttribute("viewBox")]);
    const same = window.lookedSo === look && bar === known;
    window.lookedSo = look;
    return same;
}"""
"""Whether what follows a change of the window has followed: asked again at each frame."""


def amiss(laid: dict[str, Any]) -> list[str]:
    """What is not as it should be."""
    wide, high = laid["size"]
    bar, board, first = laid["bar"], laid["board"], laid["first"]

    def seen(box: list[float]) -> bool:
        return box[0] >= -1 and box[1] >= -1 and box[2] <= wide + 1 and box[3] <= high + 1

    beside = board[2] <= bar[0] + 1 or board[3] <= bar[1] + 1
    found = {
        "the page is too wide": laid["wide"] > wide,
        "what is asked is out of sight": not seen(bar),
        "the board is out of sight": not seen(board),
        "one hides the other": not beside,
        "the board is too small": min(board[2] - board[0], board[3] - board[1]) < 180,
        "the first button is out of sight": first is not None and not seen(first),
        f"cut: {laid['cut']}": bool(laid["cut"]),
    }
    return [what for what, wrong in found.items() if wrong]


def fuhrer() -> Iterator[State]:
    draws, state = random.Random(3), boardrules.new("fall-of-the-fuhrer", {"players": 3})
    while state.outcome is None:
        yield state
        (seat,) = state.seats_to_act()
        legal = [each for each in state.legal_actions(seat) if str(each) != "resign"]
        state, _ = state.apply(draws.choice(legal))
    yield state


def duel() -> Iterator[State]:
    state = boardrules.new("stratego-quick-duel", {})
    yield state
    said = [("red", f"setup {DUEL['red']}"), ("blue", f"setup {DUEL['blue']}")]
    said += [(("red", "blue")[number % 2], move) for number, move in enumerate(MOVES)]
    for seat, text in said:
        state, _ = state.apply(state.parse(text, seat))
        yield state
        if text == MOVES[0]:
            yield state.apply(state.parse("offer-draw", seat))[0]


def castle() -> Iterator[State]:
    for seed in range(7, 10):
        for state, _ in played(seed, rounds=25, do_or_die="classic"):
            yield state


ASKED = {
    "stratego-quick-duel": {"Red, set up your army", "Your turn: move a piece", "Red offered a draw."},
    "fall-of-the-fuhrer": {
        "Choose where your Tank starts",
        "Choose the city where you start",
        "What does your Tank do?",
        "Where should the Spy ask? 2 questions left",
        "Where should the Spy ask? One question left",
    },
    "escape-from-colditz": {"Post your guards", "Roll the dice", "Move your pawns: 7 points left"},
}
"""Some of what titles say, by game."""

LONG = SeatMessage(
    0,
    None,
    "ruling",
    {
        "ok": True,
        "seat": "red",
        "action": None,
        "events": [{"kind": "battle", "from": "a3", "to": "a8", "result": "attacker"}],
        "text": ["d4 attacks d5: a Lieutenant (5) beats a Sergeant (4) and takes its square."],
    },
)
"""As much as is told of one action."""

GAMES: dict[str, tuple[str, Callable[[], Iterator[State]]]] = {
    "stratego-quick-duel": ("quick-battle-8x8", duel),
    "fall-of-the-fuhrer": ("fall-of-the-fuhrer", fuhrer),
    "escape-from-colditz": ("escape-from-colditz", castle),
}


def moments(states: Iterator[State]) -> dict[tuple[str, ...], tuple[State, str]]:
    """By phase, what is open, who is asked and what kinds of things he may say: the first of each."""
    found: dict[tuple[str, ...], tuple[State, str]] = {}
    for state in states:
        seats = state.seats_to_act() or state.seats[:1]
        if seats == (CHANCE,):
            continue
        view = state.view(None).json()
        kinds = {str(each).split()[0] for each in state.legal_actions(seats[0]) if "-" not in str(each)}
        if view["phase"] == "setup":
            kinds = set()
        opened, asked = (view.get("open") or {}).get("what"), len(view.get("asked") or ())
        what = (view["phase"], str(opened), str(asked), str(view.get("offer")), seats[0], *sorted(kinds))
        found.setdefault(what, (state, seats[0]))
    return found


class Shown:
    """A page over one position after the other, with a phone for whoever is asked."""

    def __init__(self, game: str, screen: Callable[..., Screen], first: State) -> None:
        self.desk = PositionDesk(first, board=load_board(GAMES[game][0]))
        self.page = Toy(self.desk)
        self._screen, self.screens = screen, dict[str, Screen]()

    def show(self, state: State, seat: str) -> Screen:
        self.desk.state = state
        self.desk.history = [LONG]
        self.page.loop.call_soon_threadsafe(self.page.page.screen_hub.begin_table)
        if seat not in self.screens:
            wide, high = SIZES[0]
            size = {"width": wide, "height": high}
            self.screens[seat] = self._screen(
                self.page.link(seat), viewport=size, has_touch=True, is_mobile=True
            )
        shown = self.screens[seat]
        shown.until_view(self.desk.view(seat))
        return shown

    def close(self) -> None:
        self.page.close()
        assert [error for each in self.screens.values() for error in each.errors] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "each"),
    [
        ("stratego-quick-duel", 1),
        ("fall-of-the-fuhrer", 1),
        ("escape-from-colditz", 4),
        pytest.param("escape-from-colditz", 1, marks=pytest.mark.nightly),
    ],
)
def test_board_and_what_is_asked_are_seen_together(
    game: str, each: int, screen: Callable[..., Screen], record_property: Callable[[str, object], None]
) -> None:
    """At every moment, or at each fourth."""
    found = dict(list(moments(GAMES[game][1]()).items())[::each])
    at = Shown(game, screen, next(iter(found.values()))[0])
    wrong: list[str] = []
    titles: set[str] = set()
    try:
        for what, (state, seat) in found.items():
            shown = at.show(state, seat)
            titles.add(shown.page.inner_text("#todo"))
            for wide, high in SIZES:
                shown.page.set_viewport_size({"width": wide, "height": high})
                shown.page.wait_for_function(AT_REST)
                laid = shown.page.evaluate(LAID_OUT)
                assert laid["size"] == [wide, high]
                wrong += [f"{wide}x{high} {' '.join(what)}: {each}" for each in amiss(laid)]
                if state.printed_facts() and wide < 600 and laid["circle"] < FINGER:
                    wrong.append(f"{wide}x{high} {what}: a circle is {laid['circle']} pixels wide")
                if game == "fall-of-the-fuhrer" and wide > 600:
                    assert len(laid["lamps"]) > 24
                    assert max(box[3] for box in laid["lamps"]) <= high, "its lamps are seen with the board"
    finally:
        at.close()
    record_property("moments", len(found))
    assert wrong == []
    assert "Your turn" not in titles, "a title says what is asked"
    assert each > 1 or titles >= ASKED[game]


@pytest.mark.slow
def test_the_bar_stays_while_the_panels_are_read(screen: Callable[..., Screen]) -> None:
    """Whoever scrolls down on a phone still sees what is asked; what is rarely needed comes last."""
    states = list(duel())
    at = Shown("stratego-quick-duel", screen, states[6])
    try:
        phone = at.show(states[6], states[6].seats_to_act()[0])
        assert amiss(phone.page.evaluate(LAID_OUT)) == []
        phone.open("More")
        phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        phone.page.wait_for_timeout(50)
        _, top, _, bottom = phone.page.evaluate(LAID_OUT)["bar"]
        assert 300 < top < bottom <= 640
        foot = phone.place(".foot nav a")
        assert foot[1] < top, "and hides nothing of the end"
        order = phone.page.eval_on_selector_all(
            "#side details[data-part]", "all => all.map((one) => one.dataset.part)"
        )
        assert order[-1] == "watch"
        assert order.index("captured") < order.index("lamps")
    finally:
        at.close()


@pytest.mark.slow
def test_ones_own_rows_are_marked_before_a_piece_is_touched(screen: Callable[..., Screen]) -> None:
    at = Shown("stratego-quick-duel", screen, next(duel()))
    try:
        for seat, rows in (("red", "123"), ("blue", "678")):
            phone = at.show(next(duel()), seat)
            marked = phone.page.locator("rect[data-own]").evaluate_all(
                "all => all.map((one) => one.dataset.own)"
            )
            assert set(marked) == {f"{column}{row}" for column in "abcdefgh" for row in rows}
            assert amiss(phone.page.evaluate(LAID_OUT)) == []
    finally:
        at.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_long_name_makes_no_small_screen_too_wide(game: str, screen: Callable[..., Screen]) -> None:
    """Of one word, as wide as there are, wherever people read it."""
    state, seat = list(moments(GAMES[game][1]()).values())[2]
    at = Shown(game, screen, state)
    at.desk.players = dict.fromkeys(at.desk.seats, "W" * 24)
    try:
        page = at.show(state, seat).page
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        page.wait_for_function(
            "() => document.body.innerText.includes('WWWW') && document.querySelector('.watch')"
        )
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[0][0]
    finally:
        at.close()
