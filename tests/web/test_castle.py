"""Escape from Colditz in a browser: on three seats' screens and the table's, whatever a turn may hold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardrules.core import CHANCE, Action, State
from boardumpire.messages import announce
from colditz.test_names import bare
from web.castle import CastleDesk, by_hand, played
from web.served import DESKTOP, PHONE, SMALL_PHONE, Screen, Served
from web.test_axe import too_small, violations
from web.test_frame import Toy

TEXTS = announce.sentences("escape-from-colditz").texts

SEATS = {"security": DESKTOP, "american": PHONE, "british": DESKTOP}
WANTED = (
    "ready",
    "draw",
    "play",
    "pass",
    "claim",
    "line-up",
    "arrest",
    "mark",
    "escape",
    "discard",
    "kit",
    "obey",
)
"""What is done on the screens: words that are said, or what comes of a pawn that is moved."""


def first_of_each() -> dict[str, tuple[State, Action]]:
    """A position and what is done in it, for each thing that is wanted."""
    found: dict[str, tuple[State, Action]] = {}
    for seed in range(8):
        for state, action in played(seed, rounds=25):
            if state.seats_to_act() == (CHANCE,):
                continue
            named = {str(action).split()[0], *(event.kind for event in state.apply(action)[1])}
            for kind in named & set(WANTED) - found.keys():
                found[kind] = state, action
        if set(WANTED) == found.keys():
            return found
    raise AssertionError(f"nobody did {set(WANTED) - found.keys()}")


class Castle(Toy):
    """A page over a position, and screens that look at it."""

    def __init__(self, state: State) -> None:
        super().__init__(CastleDesk(state))
        self.screens: dict[str, Screen] = {}
        self.desk.begun = self.page.screen_hub.begin_table

    def sit(self, screen: Callable[..., Screen]) -> None:
        for name, how in {**SEATS, "table": SMALL_PHONE}.items():
            self.screens[name] = screen(self.link(name), **how)

    def show(self, state: State) -> None:
        """Put everybody before another position."""
        self.desk.state, self.desk.events = state, []
        self.loop.call_soon_threadsafe(self.page.screen_hub.begin_table)
        for each in self.screens.values():
            each.until_frame(lambda frames: frames[-1].get("epoch") == self.page.screen_hub.epoch)

    def act(self, state: State, action: Action) -> list[str]:
        """Do it on the screen of whose turn it is: the kinds of events that come of it."""
        (seat,) = state.seats_to_act()
        self.screens[seat].until_view(self.desk.view(seat))
        by_hand(self.screens[seat], state, action)
        for _ in range(400):
            if self.desk.state is not state and not self.desk.state.chance():
                return list(self.desk.events)
            self.screens[seat].page.wait_for_timeout(25)
        raise AssertionError(f"{action} did nothing: {self.screens[seat].shown()}")


@pytest.fixture
def castle(screen: Callable[..., Screen]) -> Iterator[Castle]:
    state, _ = next((state, action) for state, action in played(1) if state.seats_to_act() != (CHANCE,))
    game = Castle(state)
    game.sit(screen)
    yield game
    game.close()


TITLES = """([wanted]) => wanted === JSON.stringify([...new Set([...document.querySelectorAll(".hold h3")]
    .map((one) => one.textContent.split(" × ")[0]))].sort())"""


def shows_its_hand(castle: Castle, name: str) -> None:
    """The cards that a screen comes to show as its hand are those of the hand of its seat."""
    state: Any = castle.desk.state
    cards = state.facts.rules.cards.cards
    held = () if name == "table" else state.secrets.hands[state.seats.index(name)]
    wanted = sorted({cards[card].title for card in held})
    castle.screens[name].until(TITLES, json.dumps(wanted, separators=(",", ":")))


@pytest.mark.nightly
def test_all_that_a_turn_holds_is_done_on_screens(castle: Castle) -> None:
    """One browser for all of it: it is the screens that take their time."""
    done = set()
    for kind, (state, action) in first_of_each().items():
        castle.show(state)
        events = castle.act(state, action)
        assert kind in {str(action).split()[0], *events}
        done.add(kind)
        for name in castle.screens:
            shows_its_hand(castle, name)
    assert done == set(WANTED)
    a_trade_is_put_together_offered_and_accepted(castle)
    who_stays_away_from_an_appel_is_ticked(castle)
    for each in castle.screens.values():
        assert each.errors == []


@pytest.mark.slow
def test_a_double_is_shown_to_everybody_before_its_thrower_decides(castle: Castle) -> None:
    state: Any = next(
        state
        for seed in range(8)
        for state, _ in played(seed, rounds=25)
        if (state.view(None).json()["open"] or {}).get("throws")
    )
    (seat,) = state.seats_to_act()
    thrown = ", ".join(f"{a} + {b}" for a, b in state.view(None).json()["open"]["throws"])
    castle.show(state)
    for name, each in castle.screens.items():
        each.until_todo(f"Dice: {thrown}")
        if name == seat:
            each.until_todo("A double! Once more?")
        assert each.errors == []


def a_trade_is_put_together_offered_and_accepted(castle: Castle) -> None:
    """Who is not asked sees that it is thought about, and how much, but not what it holds."""
    state, offer = next(
        (state, action)
        for seed in range(8)
        for state, _ in played(seed, rounds=25)
        for action in state.legal_actions("american")
        if str(action).startswith("trade british") and state.seats_to_act() == ("american",)
    )
    castle.show(state)
    assert castle.act(state, offer) == ["offer"]
    asked, other = castle.screens["british"], castle.screens["security"]
    asked.until_todo("A trade is offered to you")
    asked.until_todo("seconds left to answer")
    other.until_todo("British: a trade to think about")
    assert "Only the Escape Officers know" in other.page.inner_text(".todo")
    before = castle.desk.state
    asked.press("Accept the trade")
    castle.screens["american"].until("() => !/think about/.test(document.querySelector('.todo').textContent)")
    assert castle.desk.state is not before
    assert castle.desk.events[-1] == "trade"


def who_stays_away_from_an_appel_is_ticked(castle: Castle) -> None:
    state, action = next(
        (state, action)
        for seed in range(40)
        for state, _ in played(seed, rounds=25)
        if (open_ := state.view(None).json()["open"]) and open_["what"] == "appel"
        for action in state.legal_actions(state.seats_to_act()[0])
        if str(action).startswith("refuse")
    )
    castle.show(state)
    assert "refuse" in castle.act(state, action)


def moments() -> dict[str, State]:
    """An officer's turn that begins, men who have to go to the Appel area, and a hand that is too full."""
    found: dict[str, State] = {}
    for seed in range(7, 15):
        for state, action in played(seed, rounds=25, do_or_die="classic"):
            (seat,) = state.seats_to_act()
            if seat == "american" and str(action) == "roll":
                found.setdefault("before", state)
            elif seat == "american" and action in state.legal_actions("american"):
                if (state.view(None).json()["open"] or {}).get("what") == "muster":
                    found.setdefault("muster", state)
                elif any(str(each).startswith("discard") for each in state.legal_actions("american")):
                    found.setdefault("full", state)
            if len(found) == 3:
                return found
    raise AssertionError(f"only {found.keys()}")


@pytest.mark.slow
def test_a_phone_shows_every_guard_post_at_once_and_one_tap_posts_a_guard(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    """By simulated hands; how many are posted of how many stands above the posts."""
    served = Served(tmp_path, "--game", "escape-from-colditz", "--option", "players=2")
    try:
        phone = screen(served.links["security"], **PHONE)
        page = phone.page
        page.click('[data-key="tidy"]')
        posts = page.locator(".posts button")
        posts.last.wait_for()
        assert posts.count() == 22
        boxes = [post.bounding_box() for post in posts.all()]
        height = PHONE["viewport"]["height"]
        assert all(box and box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes)
        assert all(box and min(box["width"], box["height"]) >= 24 for box in boxes)
        page.get_by_text("Inside: 0 of 1 posted").wait_for()
        for post, now in (("c3", "Inside: 1 of 1"), ("n4", "Outside: 1 of"), ("n14", "Outside: 2 of 2 to 5")):
            page.get_by_role("button", name=f"Guard post {post}", exact=True).tap()
            page.get_by_text(now).wait_for()
            pressed = page.get_by_role("button", name=f"Guard post {post}", pressed=True)
            pressed.wait_for()
        page.get_by_role("button", name="The guards are posted").click()
        phone.until_todo("American")
        assert phone.errors == []
    finally:
        served.close()


@pytest.mark.slow
def test_a_phone_says_what_signs_mean_what_holds_a_turn_up_and_asks_before_it_is_too_late(
    screen: Callable[..., Screen],
) -> None:
    at = moments()
    castle = Castle(at["before"])
    try:
        phone = castle.screens["american"] = screen(castle.link("american"), **SMALL_PHONE)
        what_dares_or_leaves_is_asked(castle, phone)
        castle.show(at["muster"])
        phone.until_todo("send both men back to the Appel area")
        for kind in at["muster"].view(None).json()["open"]["rooms"]:
            rooms = [room for room, shows in at["muster"].printed_facts()["rooms"].items() if shows == kind]
            named = [f"{TEXTS[f'castle room {room}']} ({TEXTS[f'item {kind}']})" for room in rooms]
            assert any(name in phone.page.inner_text(".todo") for name in named)
        castle.show(at["full"])
        phone.until_todo("more than three cards")
        assert phone.page.get_by_role("button", name="End the turn").is_disabled()
        edges = "all => all.map((one) => one.getBoundingClientRect().right)"
        (group,) = phone.page.eval_on_selector_all('[data-part="hand"]', edges)
        assert max(phone.page.eval_on_selector_all(".hold > li", edges)) < group - 8
        phone.speak("de")
        assert phone.page.get_by_role("group", name="Der Plan der Burg").count() == 1
        key = opened(castle, "american").page.inner_text('[data-part="map"]')
        for sign, room in (("Seil", "Kapelle"), ("Drahtschere", "Küche"), ("Verkleidung", "Theater")):
            assert any(line.startswith(sign) and room in line for line in key.splitlines()), sign
        assert phone.errors == []
    finally:
        castle.close()


def what_dares_or_leaves_is_asked(castle: Castle, phone: Screen) -> None:
    """Who has a Do or Die card is seen by all; who says no to the question has done nothing."""
    page, before = phone.page, castle.desk.state
    assert page.locator('[data-part="standing"] thead').get_by_text("Do or Die").count() == 1
    page.locator('.acts [data-key="dare"]').click()
    assert "you are out of the game" in page.get_by_role("dialog").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    phone.press("Resign")
    assert "the others play on" in page.get_by_role("dialog").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert castle.desk.state is before
    by_hand(
        phone, before, next(each for each in before.legal_actions("american") if str(each).startswith("dare"))
    )
    phone.until_told("Do or Die")
    assert castle.desk.state is not before


def opened(castle: Castle, name: str) -> Screen:
    castle.screens[name].page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true"
    )
    return castle.screens[name]


@pytest.mark.nightly
def test_no_screen_of_it_has_a_violation(castle: Castle) -> None:
    """axe-core looks at some nine hundred shapes of the map as well: that takes it long."""
    found = []
    for kind in ("play", "claim"):
        castle.show(first_of_each()[kind][0])
        found += violations(opened(castle, "american"), f"american: {kind}")
    found += violations(opened(castle, "table"), "table")
    castle.screens["security"].speak("nl")  # long words
    found += too_small(opened(castle, "security"))
    castle.show(over(castle))
    for name in castle.screens:
        found += violations(castle.screens[name], f"{name}: over")
        found += too_small(castle.screens[name])
    castle.screens["american"].press("New game")
    castle.screens["american"].page.get_by_text("Choose the rules").click()
    castle.screens["american"].page.get_by_label("Rounds", exact=True).wait_for()
    found += violations(castle.screens["american"], "american: a new game")
    assert found == []


def over(castle: Castle) -> State:
    """A position in which everybody but the Security Officer has left."""
    state: State = castle.desk.state
    for seat in ("american", "british"):
        state, _ = state.apply(state.parse("resign", seat))
    assert state.outcome is not None
    return state


@pytest.mark.slow
def test_a_mouse_moves_the_castle_neither_from_where_it_looks_nor_from_the_whole(castle: Castle) -> None:
    """Whoever posts guards would lose the Barracks out of sight with each of them."""
    page = castle.screens["security"].page

    def looks() -> str | None:
        return page.get_attribute(".board", "viewBox")

    whole = looks()
    page.click('[data-key="nearer"]')
    page.wait_for_function(
        "(whole) => document.querySelector('.board').getAttribute('viewBox') !== whole", arg=whole
    )
    page.click('[data-key="whole"]')
    page.wait_for_function(
        "(whole) => document.querySelector('.board').getAttribute('viewBox') === whole", arg=whole
    )
    for space in ("barracks", "n14"):
        castle.screens["security"].tap(castle.screens["security"].place(f'[data-space="{space}"]'))
        page.wait_for_timeout(200)
    assert looks() == whole, "it was chosen"


@pytest.mark.nightly
def test_a_new_game_is_begun_by_options_that_are_chosen_on_a_phone(castle: Castle) -> None:
    """The options of the game are in the dialog with what is in force; what is chosen there is played."""
    castle.show(over(castle))
    phone = castle.screens["table"]
    phone.press("New game")
    page = phone.page
    page.get_by_text("Choose the rules").click()
    page.get_by_label("Rounds", exact=True).wait_for()
    wide = page.eval_on_selector("dialog", "box => [box.scrollWidth, box.clientWidth]")
    assert wide[0] <= wide[1]
    assert page.get_by_label("Rounds", exact=True).input_value() == "50"
    page.get_by_label("Rounds", exact=True).fill("12")
    page.get_by_label("Seconds to answer (0: no limit)").fill("0")
    for label, text in (
        ("Who wins", "men of all nations together: 3"),
        ("What lets you draw a card", "a total of 3, 7 or 11"),
        ("Do or Die", "a card for each officer"),
        ("Escape Kits", "none at the start"),
    ):
        page.get_by_label(label, exact=True).select_option(label=text)
    page.get_by_role("button", name="Begin").click()
    for name, each in castle.screens.items():
        if name != "table":
            each.press("Go to the new game")
        each.until("() => /Round 1 of 12/.test(document.querySelector('.parts')?.textContent ?? '')")
    chosen = {
        "rounds": 12,
        "common_target": 3,
        "draw_on": "classic-3-7-11",
        "do_or_die": "classic",
        "start_kits": False,
        "answer_seconds": 0,
        "players": 3,
    }
    assert chosen.items() <= castle.desk.state.options.items()


@pytest.mark.nightly
def test_a_whole_game_of_three_on_screens(
    castle: Castle, record_property: Callable[[str, object], None], tmp_path: Path
) -> None:
    """Every turn of a game of simple players, to its end, by taps on three seats' screens."""
    draws, acts, kinds = random.Random(5), 0, set()
    from boardrules import registry
    from boardrules.colditz.bots.simple_players import choose_by_odds

    state: Any = registry.new("escape-from-colditz", {"players": 3, "rounds": 12})
    castle.desk.state = state
    castle.desk.throw()
    castle.show(castle.desk.state)
    while castle.desk.state.outcome is None:
        state = castle.desk.state
        (seat,) = state.seats_to_act()
        castle.desk.events = []
        kinds |= set(castle.act(state, choose_by_odds(state.view(seat), state.legal_actions(seat), draws)))
        acts += 1
    castle.screens["table"].until_todo("wins")
    names = castle.desk.names
    said = castle.screens["table"].page.eval_on_selector_all(
        ".history li", "all => all.map((one) => one.textContent)"
    )
    assert [line for line in said if bare(line, names)] == []
    assert sum(name in line for line in said for name in names.values()) > acts / 4
    record_property("acts", acts)
    record_property("events", ", ".join(sorted(kinds)))
    record_property("end", castle.desk.state.outcome.reason)
    for each in castle.screens.values():
        assert each.errors == []
