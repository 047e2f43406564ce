"""The map of a hunt on a screen: its picture, what stays marked on it, the pencil, and the finale."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import registry
from boardrules.core import CHANCE, Action
from boardumpire.messages.languages import LANGUAGES
from boardware.description import load_board
from web.castle import PositionDesk
from web.served import PHONE, Screen
from web.test_frame import Toy
from web.test_one_view import AT_REST, LAID_OUT, amiss

GAME = "fall-of-the-fuhrer"
LOW_PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


WALKED = """() => {
    window.walked = [];
    new MutationObserver((all) => {
        for (const { target } of all) walked.push(target.dataset.at);
    }).observe(document.body, { subtree: true, attributeFilter: ["data-at"] });
}"""
"""Notes each city that the finale comes to."""


class HuntDesk(PositionDesk):
    """A hunt of simple players, which ends so that its record can be asked for."""

    def __init__(self, seed: int, players: int = 2) -> None:
        self.truths: list[dict[str, Any]] = []
        super().__init__(boardrules.new(GAME, {"players": players}), seed, load_board(GAME))
        self._turn = registry.package(GAME).simple_players()
        self._draws = random.Random(seed)

    def do(self, action: Action) -> None:
        super().do(action)
        self.truths.append(self.state.truth())

    def play(self, until: Callable[[dict[str, Any]], bool]) -> None:
        """Play on until everybody's view fits, or the end."""
        assert self._turn is not None
        while self.state.outcome is None and not until(self.view(None)):
            (seat,) = self.state.seats_to_act()
            view = self.state.view(None if seat == CHANCE else seat)
            legal = [each for each in self.state.legal_actions(seat) if str(each) != "resign"]
            self.do(self._turn.choose_action(view, legal, self._draws))
        self.take_messages()

    def finished_games(self) -> list[dict[str, Any]]:
        return [{"number": 1}] if self.state.outcome is not None else []

    def replay_steps(self, number: int, first: int, count: int) -> Mapping[str, Any]:
        steps = [{"truth": truth} for truth in self.truths[first : first + count]]
        return {"steps": steps, "first": first, "count": len(self.truths)}


@pytest.fixture
def hunt() -> Iterator[tuple[HuntDesk, Toy]]:
    desk = HuntDesk(5)
    desk.play(lambda view: view["round"] > 5 and view["phase"] == "move" and bool(view["answers"]))
    page = Toy(desk)
    yield desk, page
    page.close()


def drawn(screen: Screen, what: str) -> list[str]:
    found: Any = screen.page.eval_on_selector_all(
        f".board [data-{what}]", f"all => all.map((one) => one.dataset.{what})"
    )
    return list(found)


@pytest.mark.slow
def test_the_map_is_upright_for_all_until_somebody_turns_it(
    hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen]
) -> None:
    """With two players, too: the picture, its cities and the pieces on them go together."""
    _, page = hunt
    for seat in ("allies", "hitler"):
        mine = screen(page.link(seat))
        north, south = mine.square("flensburg"), mine.square("innsbruck")
        assert north[1] < south[1], seat
        href = mine.page.get_attribute(".board image", "href")
        assert href == "/picture/en.svg"
    with mine.page.expect_response(lambda came: came.url.endswith("/picture/en-turned.svg")) as turned:
        mine.page.click('[data-key="round"]')
    assert turned.value.status == 200
    mine.live()
    assert mine.square("flensburg")[1] > mine.square("innsbruck")[1]
    assert mine.page.get_attribute(".board image", "href") == "/picture/en-turned.svg"
    assert mine.errors == []


@pytest.mark.slow
def test_a_picture_is_sent_once(hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen]) -> None:
    _, page = hunt
    mine = screen(None)
    statuses = []
    for _ in range(2):
        with mine.page.expect_response(lambda came: "/picture/" in came.url) as picture:
            mine.page.goto(f"{page.server.origin}/watch")
            mine.live()
        statuses.append(picture.value.status)
    assert statuses == [200, 304]


@pytest.mark.slow
def test_answers_and_his_way_stay_on_the_map(
    hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen]
) -> None:
    """What everybody was told, on every screen alike; only his own knows the last two rounds."""
    desk, page = hunt
    view = desk.view(None)
    asked = {answer["at"] for answer in view["answers"]}
    now = {answer["at"] for answer in view["answers"] if answer["round"] == view["round"]}
    for name in ("table", "allies"):
        mine = screen(page.link(name))
        assert set(drawn(mine, "clue")) == asked
        bright = mine.page.eval_on_selector_all(".clue.fresh", "all => all.map((one) => one.dataset.clue)")
        assert set(bright) == now
        assert set(drawn(mine, "visit")) == set(view["trail"])
        assert not mine.page.locator(".visit.secret").count()
        numbers = mine.page.eval_on_selector_all(".visit text", "all => all.map((one) => one.textContent)")
        assert sorted(int(each) for text in numbers for each in text.split()) == list(
            range(1, len(view["trail"]) + 1)
        )
    his = screen(page.link("hitler"))
    entries = desk.view("hitler")["sheet"]["entries"]
    assert set(drawn(his, "visit")) == set(entries)
    assert len(entries) == len(view["trail"]) + 1 or len(entries) == len(view["trail"]) + 2


@pytest.mark.slow
def test_pencil_marks_never_leave_the_device(
    hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen]
) -> None:
    """Nothing goes up or comes down by them, and no other screen draws them; a reload keeps them."""
    _, page = hunt
    mine, his = screen(page.link("allies"), **PHONE), screen(page.link("hitler"))
    mine.page.wait_for_timeout(500)
    assert screen(page.link("table")).page.locator('[data-key="pencil"]').count() == 0
    said, came, asked = len(mine.said), len(mine.frames), len(mine.answers)
    mine.page.click('[data-key="pencil"]')
    for city in ("ulm", "kiel", "kiel"):
        mine.page.touchscreen.tap(*mine.square(city))
    assert drawn(mine, "pencil") == ["ulm", "kiel"]
    assert mine.page.locator(".pencil.not").get_attribute("data-pencil") == "kiel"
    others = [text for text in mine.said[said:] if '"here"' not in text]
    assert others == []
    assert (len(mine.frames), len(mine.answers)) == (came, asked)
    assert mine.page.locator("[aria-pressed=true][data-space]").count() == 0, "nothing is chosen by it"
    assert drawn(his, "pencil") == []
    mine.page.reload()
    mine.live()
    assert sorted(drawn(mine, "pencil")) == ["kiel", "ulm"]
    mine.page.wait_for_selector('[data-space="ulm"][aria-label*="your pencil: perhaps here"]')
    mine.page.locator('[data-part="help"] summary').click()
    mine.page.locator('[data-key="rub-out"]').click()
    assert drawn(mine, "pencil") == []
    assert mine.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('marks'))") == []
    assert mine.errors == []


@pytest.mark.nightly
def test_the_finale_walks_his_whole_way_and_tells_how_near_they_were(
    hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen]
) -> None:
    desk, page = hunt
    mine = screen(page.link("allies"))
    mine.page.emulate_media(reduced_motion="no-preference")
    his = screen(page.link("hitler"))  # who wants nothing to move begins it by hand
    mine.page.evaluate(WALKED)
    desk.submit_command("allies", "resign")
    for each in (mine, his):
        each.page.wait_for_selector(".finale [data-near]")
    entries = desk.view(None)["sheet"]["entries"]
    mine.until("() => walked.length && !document.querySelector('.walker')")
    walked = mine.page.evaluate("walked")
    assert walked == entries, "round by round, also where he stayed"
    assert his.page.locator(".walker").count() == 0
    assert set(drawn(mine, "visit")) == set(entries)
    pieces = mine.page.locator(".board .piece:not(.hidden)").count()
    assert pieces == 3, "the Allies stand where they stood"
    near = mine.page.locator(".finale [data-near]").all_inner_texts()
    assert all(text.startswith("You were ") for text in near), near
    assert "from you" in his.page.inner_text(".finale") or "in your city" in his.page.inner_text(".finale")
    mine.page.click('[data-key="walk"]')
    mine.page.wait_for_selector(".walker")
    mine.page.click('[data-key="walk"]')
    mine.page.wait_for_selector(".walker", state="detached")
    assert mine.errors == his.errors == []


@pytest.mark.nightly
def test_the_map_keeps_its_room_beside_the_finale_in_every_language(
    hunt: tuple[HuntDesk, Toy], screen: Callable[..., Screen], tmp_path: Path
) -> None:
    """On the smallest phone, where the end, his way and how near everybody was are told at once."""
    desk, page = hunt
    desk.submit_command("hitler", "resign")
    here = screen(page.link("allies"), **LOW_PHONE)
    found: dict[str, object] = {}
    for language in LANGUAGES:
        here.speak(language)
        here.page.wait_for_selector(".finale [data-near]")
        here.page.wait_for_function(AT_REST)
        if wrong := amiss(here.page.evaluate(LAID_OUT)):
            found[language] = wrong
            here.page.screenshot(path=tmp_path / f"finale-{language}.png")
    assert not found
