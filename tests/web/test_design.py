"""How screens look (docs/understand/design.md), measured in Chromium on phones and desks, light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from boardware.description import load_board
from web.castle import PositionDesk
from web.photograph import reached_asking, reached_rolled
from web.served import DUEL, MOVES, PHONE, Screen, Served, play
from web.test_axe import too_small, violations
from web.test_frame import Toy
from web.test_looks import INK
from web.test_start import Started

SIDE_PX = 320
LEAST_LETTER_PX = 11
MOST_SHIFT = 0.1
"""What a page may have of Cumulative Layout Shift to be called good."""
SIZES = {"phone": (390, 844), "lying phone": (844, 390), "desk": (1280, 800), "large desk": (1920, 1080)}
LEAST_BOARD_PX = {"phone": 350, "lying phone": 290, "desk": 690, "large desk": 960}
"""How high and wide a square board is at least, with pieces beside it: there are 374, 316, 726 and 1006."""

BOXES = """() => Object.fromEntries(
    Object.entries({ board: '.board .frame', table: '#table', side: '#side', piece: '.piece .block',
        space: '.board .space' })
    .map(([name, what]) => [name, document.querySelector(what)?.getBoundingClientRect()])
    .filter(([, box]) => box))"""
SMALL_LETTERS = """(least) => [...document.querySelectorAll('svg.board text')].filter((one) =>
    one.textContent.trim() && one.checkVisibility()).map((one) => {
        const { a, b } = one.getScreenCTM();
        return [one.textContent, parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b)];
    }).filter(([, size]) => size < least - .05)"""
"""The letters of a board that are smaller than that, with their sizes in pixels."""
NAMES_OVER = """() => {
    const seen = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
        .map((one) => [one.textContent, one.getBoundingClientRect()]);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const others = seen('.board :is(.spot, .feet)');
    return seen('.board .room-name').flatMap(([name, box]) =>
        others.filter(([, other]) => over(box, other)).map(([text]) => `${name}, ${text}`));
}"""
"""Names of rooms that lie over what a circle or a drop says."""
SHIFTS = """(() => {
    window.worst = 0;
    window.moved = [];
    let sum = 0, first = -1e9, last = -1e9, moved = [];
    new PerformanceObserver((list) => {
        for (const one of list.getEntries().filter((each) => !each.hadRecentInput)) {
            const same = one.startTime - last < 1000 && one.startTime - first < 5000;
            [sum, first, last] = same ? [sum + one.value, first, one.startTime]
                : [one.value, one.startTime, one.startTime];
            if (!same) moved = [];
            moved.push(one.sources.map(({ node, previousRect: was, currentRect: is }) =>
                `${node?.nodeName} ${node?.className} ${was.y}+${was.height} to ${is.y}+${is.height}`));
            if (sum > window.worst) [window.worst, window.moved] = [sum, [...moved]];
        }
    }).observe({ type: 'layout-shift', buffered: true });
})()"""
"""Keeps Cumulative Layout Shift as web.dev defines it, the worst session of at most 5 s, and what moved."""
STYLE = """([what, name]) => getComputedStyle(document.querySelector(what))[name]"""
TOAST = """() => {
    const box = document.querySelector('#toast') ?? document.body.appendChild(document.createElement('div'));
    box.id = 'toast';
    box.innerHTML = '<p>Something is said for a moment, in a sentence that is rather long.</p>';
}"""
"""Says something as `toast` of dom.js does."""
IN_SIGHT = """() => [...document.querySelectorAll('#side :is(button, select, input, summary)')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight).length"""

Opener = Callable[..., Screen]


def sized(screen: Screen, size: str) -> dict[str, dict[str, float]]:
    """Where things are on a screen of that size."""
    width, height = SIZES[size]
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.wait_for_timeout(400)  # the board is arranged, and pieces have gone where they lie now
    found: Any = screen.page.evaluate(BOXES)
    return dict(found)


@pytest.mark.slow
def test_the_start_page_has_a_card_with_a_face_for_each_family(tmp_path: Path, screen: Opener) -> None:
    started = Started(tmp_path)
    try:
        _looks_at_cards(screen(None), started)
    finally:
        started.close()


def _looks_at_cards(person: Screen, started: Started) -> None:
    page = person.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(started.origin)
    cards = page.locator(".card.game").all()
    assert len(cards) == 3
    for card in cards:
        assert card.locator("img").evaluate("one => one.decode().then(() => one.naturalWidth)") == 320
        assert card.locator("button, a").first.inner_text() == "Learn by playing"
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800, "all games are seen at once"
    assert page.get_by_role("link", name="Stratego Barrage").count() == 1
    assert violations(person, "the start page") == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert too_small(person) == []
    page.get_by_role("button", name="Learn by playing").first.click()
    person.live()
    page.wait_for_selector(".guide")
    assert person.errors == []


@pytest.mark.nightly
def test_a_duel_has_the_board_as_its_largest_thing(playing: dict[str, Screen]) -> None:
    red = playing["red"]
    for size, least in LEAST_BOARD_PX.items():
        at = sized(red, size)
        board, side = at["board"], at["side"]
        assert min(board["width"], board["height"]) >= least, size
        assert red.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
        assert red.page.evaluate(SMALL_LETTERS, LEAST_LETTER_PX) == [], size
        if size != "phone":
            assert side["width"] == SIDE_PX, size
            assert board["x"] + board["width"] <= side["x"], size
            assert side["x"] - board["x"] - board["width"] < SIDE_PX / 2, f"{size}: one stands by the other"
    filled = at["piece"]["width"] / at["space"]["width"]
    assert filled == pytest.approx(0.85, abs=0.02)
    assert red.page.evaluate(IN_SIGHT) <= 8
    for size in ("lying phone", "desk", "large desk"):
        board = sized(red, size)["board"]
        red.page.evaluate(TOAST)
        toast = red.page.locator("#toast").bounding_box()
        assert toast is not None
        assert toast["x"] >= board["x"] + board["width"], f"{size}: nothing is said over the board"
    assert not red.page.get_by_text("The bench").is_visible()
    red.open("More")
    assert red.page.get_by_text("The bench").is_visible()
    assert red.errors == []


@pytest.mark.nightly
def test_the_colour_of_a_seat_is_the_accent_of_its_page(playing: dict[str, Screen]) -> None:
    for seat, screen in playing.items():
        for scheme in ("light", "dark"):
            screen.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            own = screen.page.evaluate(f"getComputedStyle(document.body).getPropertyValue('--{seat}')")
            accent = screen.page.evaluate("getComputedStyle(document.body).getPropertyValue('--accent')")
            assert accent == own, (seat, scheme)
            assert screen.page.evaluate(INK, ".who") >= 4.5, (seat, scheme)


@pytest.mark.nightly
def test_targets_are_filled_and_attacks_are_red(playing: dict[str, Screen]) -> None:
    play(playing, MOVES[:2])
    red = playing["red"]
    red.until_todo("Your turn")
    red.drag(red.square("d4"), let_go=False)
    red.page.wait_for_selector("rect.hint.attack")
    assert red.page.evaluate(STYLE, ["rect.hint.attack", "stroke"]) == "rgb(255, 68, 56)"
    assert red.page.evaluate(STYLE, ["g.hint .dot", "fill"]) == "rgb(244, 239, 223)"
    assert red.page.locator("rect.hint").count() == 1
    red.lead(red.square("d4"), red.square("d4"))


@pytest.mark.nightly
def test_nothing_moves_by_itself_while_others_play(served: Served, screen: Opener) -> None:
    """From the set-up to the Flag, at a desk and on a phone: what shifts there isn't what a person did."""
    seats = {"red": screen(served.links["red"]), "blue": screen(served.links["blue"], **PHONE)}
    for seat, army in DUEL.items():
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    for each in seats.values():
        each.page.evaluate(SHIFTS)
    seats["red"].page.mouse.click(5, 300)
    assert seats["red"].page.get_by_role("button", name="Keep the tune").is_visible()
    play(seats, MOVES, lambda move: _heard_rightly(seats.values()))
    for seat, each in seats.items():
        each.until_todo("Red has captured the Flag and wins.")
        assert each.page.evaluate("worst") < MOST_SHIFT, seat
    _heard_rightly(seats.values())
    assert not seats["red"].page.get_by_role("button", name="Keep the tune").is_visible(), "no turn comes"


def _heard_rightly(seats: Iterable[Screen]) -> None:
    """Of a lamp only what it means now is read out on a square: nobody has resigned."""
    for each in seats:
        words = each.page.locator(".board [data-space]").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
        assert len(words) == 64
        assert not [one for one in words if "resign" in one or "end of the game" in one]


@pytest.mark.slow
def test_nothing_moves_while_the_table_opens(served: Served, screen: Opener) -> None:
    table = screen(None, **PHONE)
    table.page.add_init_script(SHIFTS)
    table.page.goto(served.links["table"])
    table.page.get_by_role("button").first.click()
    table.live()
    for size in SIZES:
        width, height = SIZES[size]
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.reload()
        table.page.wait_for_selector(".free .row a")
        table.page.wait_for_timeout(400)
        assert table.page.evaluate("worst") < MOST_SHIFT, size
        seats = [link.bounding_box() for link in table.page.locator(".free .row a").all()]
        bar = table.page.locator(".now").bounding_box()
        assert bar is not None
        if size == "phone":
            assert all(at is not None and at["y"] + at["height"] <= bar["y"] for at in seats), (
                "none is covered"
            )
            assert table.page.locator(".banner").inner_text() == "Stratego Quick Battle: Duel"
    red = screen(served.links["red"], **PHONE)
    red.page.wait_for_selector(".free .row a")
    free, bar = (red.page.locator(one).bounding_box() for one in (".free .row a", ".now"))
    assert free is not None
    assert bar is not None
    assert free["y"] + free["height"] <= bar["y"], "nor while somebody sets up"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seat", "reached"),
    [("escape-from-colditz", "american", reached_rolled), ("fall-of-the-fuhrer", "tank-spy", reached_asking)],
)
def test_maps_are_whole_on_a_desk_and_have_no_small_letters(
    game: str, seat: str, reached: Callable[[], PositionDesk], screen: Opener
) -> None:
    toy = Toy(reached())
    wide, high = load_board(game).size
    try:
        person = screen(toy.link(seat))
        for size in SIZES:
            at = sized(person, size)
            assert person.page.evaluate(SMALL_LETTERS, LEAST_LETTER_PX) == [], size
            assert person.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
            assert person.page.evaluate(NAMES_OVER) == [], size
            if "desk" not in size:
                continue
            assert at["side"]["width"] == SIDE_PX
            person.page.locator('[data-key="whole"]').click()
            board, table = person.page.evaluate(BOXES)["board"], at["table"]
            assert board["x"] >= table["x"] - 1, "nothing is cut"
            assert board["x"] + board["width"] <= table["x"] + table["width"] + 1
            fits = min(table["width"] / wide, (table["height"] - 46) / high)
            assert board["width"] >= 0.93 * fits * wide, size
        assert violations(person, game) == []
        assert person.errors == []
    finally:
        toy.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"])
def test_a_game_can_be_begun_without_scrolling(game: str, tmp_path: Path, screen: Opener) -> None:
    """And of the machine's levels only one that somebody has chosen is described."""
    started = Started(tmp_path)
    try:
        page = screen(None, **PHONE).page
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{started.origin}/?game={game}")
            begin = page.get_by_role("button", name="Begin").bounding_box()
            assert begin is not None
            assert begin["y"] + begin["height"] <= height, size
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
        seats = page.get_by_role("group", name="Who plays?")
        levels = page.locator("#help-levels")
        assert levels.inner_text() == ""
        seats.get_by_role("combobox").first.select_option("The machine, level 2")
        assert levels.inner_text().startswith("Level 2")
        assert "Level 3" not in levels.inner_text()
        page.set_viewport_size({"width": 390, "height": 844})
        page.reload()
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector(".free .row a")
        page.wait_for_timeout(400)
        bar = page.locator(".now").bounding_box()
        assert bar is not None
        for link in page.locator(".free .row a").all():
            at = link.bounding_box()
            assert at is not None
            assert at["y"] + at["height"] <= bar["y"], "whoever begins sees how to sit down"
    finally:
        started.close()
