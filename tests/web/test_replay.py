"""Games that are over: they play by themselves with the board's lamps, and can be kept as one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from house.test_commands import played
from web.served import DESKTOP, PHONE, Screen, Served
from web.test_axe import too_small
from web.wire import ask

BOARDS = {
    "stratego-quick-duel": "quick-battle-8x8",
    "fall-of-the-fuhrer": "fall-of-the-fuhrer",
    "escape-from-colditz": "escape-from-colditz",
}
GAMES = pytest.mark.parametrize("game", BOARDS)


@pytest.fixture
def over(tmp_path: Path, game: str) -> Iterator[Served]:
    """A board whose journal holds a short game that is over."""
    played(tmp_path, game, journal=tmp_path / "journal.sqlite", longest=30)
    served = Served(tmp_path, "--game", game, "--board", BOARDS[game])
    yield served
    served.close()


def at_least(person: Screen, step: int) -> None:
    """Wait until so many steps are shown."""
    person.until("([step]) => parseInt(document.querySelector('.step').textContent) >= step", step)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel"])
@pytest.mark.parametrize("dated", [True, False])
def test_dates_that_may_be_wrong_are_said_to_be(
    over: Served, game: str, dated: bool, screen: Callable[..., Screen]
) -> None:
    page = screen(over.links["table"]).page
    told = {**json.loads(ask(over.origin, "/games.json").body), "dated": dated}
    page.route("**/games.json", lambda route: route.fulfill(json=told))
    page.goto(f"{over.origin}/replay?game=1")
    page.wait_for_selector(".games li", state="attached")
    assert page.locator(".games").get_by_text("Dates may be wrong").count() == (not dated)


@GAMES
@pytest.mark.slow
def test_it_plays_by_itself_with_lamps_and_is_the_same_as_one_file(
    over: Served, game: str, screen: Callable[..., Screen], tmp_path: Path
) -> None:
    """The file is opened from the disk, by a browser that reaches nothing."""
    person = screen(over.links["table"], **PHONE)
    page = person.page
    page.goto(f"{over.origin}/replay?game=1")
    page.wait_for_selector(".step")
    told = json.loads(ask(over.origin, "/games/1.json").body)
    assert page.text_content(".step").startswith(f"{told['opens']} ")  # type: ignore[union-attr]
    page.select_option("label.toggle select", "400")
    page.get_by_role("button", name="Play", exact=True).click()
    at_least(person, told["opens"] + 2)
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("button", name="Last step", exact=True).click()
    at_least(person, told["count"] - 1)
    assert not too_small(person)
    file = tmp_path / "game.html"
    answer = ask(over.origin, "/games/1.html", Accept_Language="de")
    assert answer.headers["content-disposition"].startswith("attachment;")
    file.write_bytes(answer.body)
    assert len(answer.body) < 1_500_000
    alone = screen(None, **DESKTOP)
    alone.context.set_offline(True)
    alone.page.goto(file.as_uri())
    alone.page.wait_for_selector(".step")
    assert alone.page.locator("#who, #line").all_inner_texts() == ["Rückschau", ""]
    opened: Any = alone.page.text_content(".step")
    assert opened.startswith(f"{told['opens']} ")
    assert alone.page.evaluate("document.documentElement.lang") == "de"
    if game == "fall-of-the-fuhrer":  # its map is in the file, too, with the sheet that it wants
        inside = (
            "document.querySelector('.board image').getAttribute('href').startsWith('data:image/svg+xml')"
        )
        assert alone.page.evaluate(inside)
        assert alone.page.locator("[data-sheet='/game/fall-of-the-fuhrer/hunt.css']").count() == 1
    alone.page.get_by_role("button", name="Letzter Schritt", exact=True).click()
    last: Any = alone.page.text_content(".step")
    assert last.startswith(f"{told['count'] - 1} ")
    for eyes in [*told["seats"], ""]:
        alone.page.click(f'[data-eyes="{eyes}"]')
    assert not alone.errors


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fall-of-the-fuhrer"])
def test_steps_hold_what_the_lamps_showed_where_pieces_went_and_the_moments(over: Served) -> None:
    told = json.loads(ask(over.origin, "/games/1.json").body)
    steps = told["steps"]
    assert steps[told["opens"]]["way"] is None
    assert steps[told["opens"] + 1]["way"] is not None
    assert told["moments"][-1] == told["count"] - 1
    assert all(step["moment"] == (place in told["moments"]) for place, step in enumerate(steps))
    assert any(mark for step in steps for mark in step["marks"].values())
    assert all(set(step["truth"]["possible"]) for step in steps[told["opens"] :])


@GAMES
@pytest.mark.slow
def test_the_machine_says_what_it_would_have_done_with_the_eyes_of_who_did_it(
    over: Served, game: str, screen: Callable[..., Screen]
) -> None:
    told = json.loads(ask(over.origin, "/games/1.json").body)
    step = next(place for place, each in enumerate(told["steps"]) if each["choice"])
    for wrong in ("0", "x", "", "9" * 30, str(told["count"])):
        assert ask(over.origin, f"/games/1/advice.json?step={wrong}").status == 404
    assert ask(over.origin, f"/games/2/advice.json?step={step}").status == 404
    person = screen(over.links["table"], **PHONE)
    page = person.page
    page.goto(f"{over.origin}/replay?game=1")
    page.wait_for_selector(".step")
    page.get_by_role("button", name="First step", exact=True).click()
    for _ in range(step - 1):
        page.get_by_role("button", name="Next step", exact=True).click()
    page.get_by_role("button", name="What would the machine do here?").click()
    page.get_by_text("It saw only what").wait_for(timeout=120_000)
    said = page.locator("[data-part=advice]").inner_text()
    assert "tries)" in said
    seat = told["steps"][step]["seat"]
    assert page.get_attribute(f'[data-eyes="{seat}"]', "aria-pressed") == "true"
    assert not person.errors


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel"])
def test_arrow_keys_lead_through_the_game_but_not_while_they_lead_on_the_board_or_in_a_list(
    over: Served, screen: Callable[..., Screen]
) -> None:
    page = screen(over.links["table"]).page
    page.goto(f"{over.origin}/replay?game=1")
    page.wait_for_selector(".step")
    begun = page.text_content(".step")
    for elsewhere in ("label.toggle select", '.layer-touch [tabindex="0"]'):
        page.focus(elsewhere)
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)
        assert page.text_content(".step") == begun, elsewhere
    page.focus("#todo")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(begun) => document.querySelector('.step').textContent !== begun", arg=begun)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("(begun) => document.querySelector('.step').textContent === begun", arg=begun)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel"])
def test_who_won_how_often_is_shown_and_saved(over: Served, screen: Callable[..., Screen]) -> None:
    page = screen(over.links["table"]).page
    page.goto(f"{over.origin}/replay")
    page.get_by_text("Statistics of this table").click()
    page.wait_for_selector('[data-part="statistics"] tbody tr')
    rows = page.eval_on_selector_all(
        '[data-part="statistics"] tr',
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))",
    )
    assert rows[0] == ["Game", "Player", "Played", "Won", "Drawn"]
    assert sorted(row[1] for row in rows[1:]) == ["Blue", "Red"]
    assert all(row[2] == "1" for row in rows[1:])
    saved = ask(over.origin, "/statistics.csv")
    assert saved.headers["content-disposition"].startswith("attachment;")
    head, *lines = saved.text.splitlines()
    assert head == "game,player,seat,played,won,drawn"
    assert sorted(line.split(",")[:4] for line in lines) == [
        ["stratego-quick-duel", "", seat, "1"] for seat in ("blue", "red")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel"])
def test_a_game_that_goes_on_is_no_file(over: Served) -> None:
    """The board has begun another game: what it hides stays hidden."""
    for path in ("/games/2.html", "/games/3.html", "/games/x.html", f"/games/{'9' * 30}.html"):
        assert ask(over.origin, path).status == 404
    assert "not over" in ask(over.origin, "/games/2.html").text
