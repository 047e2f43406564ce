"""Set-ups that a seat is offered: asked for and answered on its own line, and nobody sees which."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.web import limits
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.screen_hub import ScreenHub
from rules.test_board_and_setup import BLUE, RED
from web.desks import BenchDesk, Ear
from web.served import SMALL_PHONE, Served
from web.wire import sized

TOLD: list[Any] = []
PRESETS = ("fortress", "open-lanes", "decoy")


@pytest.fixture
def bench() -> Any:
    found = Bench(BenchSettings(), TableFactory(), told=TOLD.append)
    TOLD.clear()
    found.start()
    yield found
    found.close()


def asked(
    bench: Bench, seat: str | None, preset: str = "", text: str = "", **more: Any
) -> tuple[str, int, int]:
    """What is answered, with the bytes up and down."""
    desk = BenchDesk(bench)
    message = {"do": "suggest", "id": "x1", "preset": preset, "text": text, **more}
    up = len(sized(message))
    answer = ScreenSession(desk, ScreenHub(desk), seat, AnswerMemory()).answer_message(message)
    return answer, up, len(answer)


def test_a_seat_is_offered_a_set_up_that_the_umpire_takes(bench: Bench) -> None:
    for seat in ("red", "blue"):
        for preset in ("", *PRESETS):
            answer = json.loads(asked(bench, seat, preset)[0])
            text = " ".join(["setup", *(f"{space}={rank}" for space, rank in answer["setup"].items())])
            bench.table.check(seat, text)  # type: ignore[union-attr]
    first, second = (asked(bench, "red")[0] for _ in range(2))
    assert first != second, "by chance, not by a seed"


def test_what_stands_already_stays(bench: Bench) -> None:
    answer = json.loads(asked(bench, "red", text="setup b1=F c1=B e3=9")[0])
    assert {"b1": "F", "c1": "B", "e3": "9"}.items() <= answer["setup"].items()


def test_whoever_listens_to_the_line_sees_one_size(bench: Bench) -> None:
    draft = "setup a1=F b1=B c1=B a2=S b2=2"
    sizes = {asked(bench, seat, preset, text)[1:] for seat in ("red", "blue") for preset in ("", *PRESETS)
             for text in ("", draft, "setup a1=10")}  # fmt: skip
    message = {"do": "check", "id": "x1", "text": RED}
    desk = BenchDesk(bench)
    checked = ScreenSession(desk, ScreenHub(desk), "red", AnswerMemory()).answer_message(message)
    assert (
        sizes
        == {(limits.PADDED_MESSAGE_BYTES, len(checked))}
        == {(limits.PADDED_MESSAGE_BYTES, limits.PADDED_MESSAGE_BYTES)}
    )


def test_nobody_else_hears_of_it(bench: Bench) -> None:
    """Nor does the umpire keep it: what is asked for is no set-up yet."""
    desk = BenchDesk(bench)
    room = ScreenHub(desk)
    ears: dict[str | None, Ear] = {audience: Ear() for audience in (None, "red", "blue")}
    for audience, ear in ears.items():
        room.enter(audience, ear, None, None)
    before = {audience: len(ear.texts) for audience, ear in ears.items()}
    view = desk.view("red")
    ScreenSession(desk, room, "red", AnswerMemory()).answer_message(
        {"do": "suggest", "id": "x1", "preset": "decoy", "text": ""}
    )
    heard = len(TOLD)
    bench.wait(5_000_000)
    assert len(TOLD) == heard
    room.broadcast_status()
    assert {audience: len(ear.texts) for audience, ear in ears.items()} == before
    assert desk.view("red") == view


def test_what_is_no_such_question_is_refused(bench: Bench) -> None:
    def why(*given: Any, **more: Any) -> str:
        answer = json.loads(asked(bench, *given, **more)[0])
        assert not answer["ok"]
        assert "setup" not in answer
        return str(answer["text"])

    assert "hedgehog" in why("red", "hedgehog")
    assert "only a seat" in why(None)
    assert "preset" in why("red", preset=3)
    assert why("red", text="a3-a4 <b>")
    assert why("red", text="setup a1=F " * 50)
    for seat, text in (("red", RED), ("blue", BLUE)):
        bench.set_up(seat, text)
    assert why("red") == "There is nothing to set up now."


@pytest.mark.slow
def test_a_person_takes_one_mirrors_it_and_is_ready(served: Served, screen: Any) -> None:
    red = screen(served.links["red"], **SMALL_PHONE)
    red.open("Set-ups to begin with")
    red.press("Fortress")
    red.until("() => document.querySelectorAll('[data-piece^=\"draft:\"]').length === 10")
    drafted = """() => [...document.querySelectorAll('[data-piece^="draft:"]')].map(
        (one) => one.dataset.piece)"""
    stood = red.page.evaluate(drafted)
    assert "draft:a1" in stood
    red.press("Mirror")
    red.until("() => document.querySelector('[data-piece=\"draft:h1\"]')")
    assert len(red.page.evaluate(drafted)) == 10
    red.press("Random")
    red.page.wait_for_timeout(500)
    red.press("Decoy")
    red.press("Ready")
    red.until_told("Red has finished setting up")
    assert red.errors == []
    assert {len(text) % limits.PADDED_MESSAGE_BYTES for text in red.said} == {0}


@pytest.mark.slow
def test_a_draft_is_there_again_after_the_page_was_loaded_anew(served: Served, screen: Any) -> None:
    """Phones do so with what nobody has looked at for a while. Once it is ready nothing of it is kept."""
    red = screen(served.links["red"], **SMALL_PHONE)
    red.open("Set-ups to begin with")
    red.press("Decoy")
    drafted = """() => [...document.querySelectorAll('[data-piece^="draft:"]')].map(
        (one) => one.dataset.piece).sort()"""
    red.until("() => document.querySelectorAll('[data-piece^=\"draft:\"]').length === 10")
    stood = red.page.evaluate(drafted)
    for _ in range(2):
        red.page.reload()
        red.live()
        red.until("() => document.querySelectorAll('[data-piece^=\"draft:\"]').length === 10")
        assert red.page.evaluate(drafted) == stood
    red.press("Ready")
    red.until_told("Red has finished setting up")
    red.page.reload()
    red.live()
    assert red.page.evaluate("sessionStorage.getItem('boardumpire draft red')") is None
    assert red.errors == []
