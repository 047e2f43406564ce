"""Names of players: given on the start page, shown wherever people read who is meant, always as text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.web.hall.board_list import BoardList
from boardumpire.web.mqtt import MqttScreen
from boardumpire.web.screen_hub import VIEW_PADDING_BYTES, ScreenHub
from rules.test_board_and_setup import BLUE, RED
from table.twins import setups
from web.desks import BenchDesk, Ear
from web.served import PHONE, Screen, Served
from web.test_start import DUEL, HUNT, Started
from web.wire import ask

EVIL = "<img src=x>\"&'{seat}"
PEOPLE = {"red": "Anna", "blue": EVIL}


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    program = Started(tmp_path)
    yield program
    program.close()


def fields(form: str) -> dict[str, str]:
    """By seat what stands in its field for a name."""
    found = re.findall(r'<input name="name-([\w-]+)" id="name-[\w-]+" value="([^"]*)"', form)
    return {seat: html.unescape(value) for seat, value in found}


def sent(page: str) -> dict[str, Any]:
    """What a screen comes with."""
    found = re.search(r'<script[^>]* id="about"[^>]*>(.*?)</script>', page)
    assert found is not None
    about: dict[str, Any] = json.loads(found[1])
    return about


@pytest.mark.slow
def test_each_seat_may_be_given_a_name_and_the_device_remembers_it(started: Started) -> None:
    form = ask(started.origin, f"/?game={DUEL}").text
    assert fields(form) == {"red": "", "blue": ""}
    assert "<details><summary>Names</summary>" in form, "closed where nobody had given one"
    assert "hitler" in fields(ask(started.origin, f"/?game={HUNT}").text)
    answer = started.choose(DUEL, name_red="  Anna ", name_blue=EVIL)
    assert answer.status == 307
    cookie = answer.headers["set-cookie"]
    assert cookie.endswith("; SameSite=lax")
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name == "boardumpire-names"
    assert json.loads(unquote(value.strip('"'))) == {"red": "Anna", "blue": EVIL}
    link = started.until(r"  table +http://[^/]+(\S+)")
    sits = ask(started.origin, link, "POST", b"", Origin=started.origin).headers["set-cookie"]
    about = sent(ask(started.origin, "/", Cookie=sits.partition(";")[0], Accept_Language="de").text)
    assert about["players"] == {"red": "Anna (Rot)", "blue": f"{EVIL} (Blau)"}
    page = ask(started.origin, "/", Cookie=sits.partition(";")[0]).text
    assert "<img src=x" not in page


def test_what_a_device_remembers_stands_in_the_form_as_text(started: Started) -> None:
    kept = quote(json.dumps({"red": EVIL, "hitler": "x" * 99}))
    form = ask(started.origin, f"/?game={DUEL}", Cookie=f"boardumpire-names={kept}").text
    assert fields(form) == {"red": EVIL, "blue": ""}
    assert "<img src=x" not in form
    assert "<details open><summary>Names</summary>" in form
    for broken in ("%7B", "[]", "3", "%22", quote('{"red": 3}'), "[" * 3000):
        assert fields(ask(started.origin, f"/?game={DUEL}", Cookie=f"boardumpire-names={broken}").text) == {
            "red": "",
            "blue": "",
        }


@pytest.mark.parametrize("name", ["x" * 25, "a\x1b[31mb", "a\u202eb"])
def test_a_name_that_none_can_have_is_refused_and_stays_in_the_form(started: Started, name: str) -> None:
    answer = started.choose(DUEL, name_red=name, name_blue="Ben")
    assert answer.status == 409
    assert "Name of Red: use at most 24 characters, and only ones that can be seen." in answer.text
    assert fields(answer.text)["blue"] == "Ben"
    assert "set-cookie" not in answer.headers


@pytest.mark.slow
def test_names_of_seats_that_do_not_play_are_left_out(started: Started) -> None:
    assert started.choose(HUNT, option_players=2, name_hitler="Otto", name_infantry="x", name_nobody="x" * 99)
    link = started.until(r"  table +http://[^/]+(\S+)")
    sits = ask(started.origin, link, "POST", b"", Origin=started.origin).headers["set-cookie"]
    about = sent(ask(started.origin, "/", Cookie=sits.partition(";")[0]).text)
    assert about["players"]["hitler"] == "Otto (Hitler)"
    assert set(about["players"]) <= set(about["seats"])


def bench_with(people: dict[str, str], told: list[Any]) -> Bench:
    bench = Bench(BenchSettings(table={"players": people}), TableFactory(), told=told.append)
    bench.start()
    return bench


def test_a_screen_and_a_broker_are_told_who_plays() -> None:
    told: list[Any] = []
    bench = bench_with(PEOPLE, told)
    room = ScreenHub(BenchDesk(bench))
    german, seat = Ear(), Ear()
    german.language = "de"
    watching = MqttScreen("board")
    for audience, ear in ((None, german), ("red", seat), (None, watching)):
        room.enter(audience, ear, None, None)
    assert json.loads(german.texts[0])["players"] == {"red": "Anna (Rot)", "blue": f"{EVIL} (Blau)"}
    assert json.loads(seat.texts[0])["players"] == {"red": "Anna (Red)", "blue": f"{EVIL} (Blue)"}
    for who, text in (("red", RED), ("blue", BLUE)):
        bench.set_up(who, text)
    room.send_messages(told)
    assert "Anna (Rot)" in " ".join(german.texts[1:])
    state = json.loads(
        next(
            out.payload
            for out in iter(watching.next_message, None)
            if watching.mark_published(out) or out.retain
        )
    )
    assert state["players"]["red"] == "Anna (Red)"
    boards = BoardList()
    boards.apply_payload("boardumpire/board/state", json.dumps(state).encode())
    (shown,) = boards.changes_since(0)["boards"]
    assert shown["players"] == {"red": "Anna (Red)", "blue": f"{EVIL} (Blue)"}
    hostile = {**state, "players": {"red": ["x"], "blue": "y" * 9999, "white": 3}}
    boards.apply_payload("boardumpire/board/state", json.dumps(hostile).encode())
    (shown,) = boards.changes_since(0)["boards"]
    assert shown["players"] == {"blue": "y" * 300}
    bench.close()


def test_a_board_without_names_tells_nothing_of_them() -> None:
    bench = bench_with({}, [])
    ear = Ear()
    ScreenHub(BenchDesk(bench)).enter(None, ear, None, None)
    assert "players" not in json.loads(ear.texts[0])
    bench.close()


def test_names_change_nothing_between_the_frames_of_twins() -> None:
    """Games of other hidden ranks and the same names: what each is sent first has one length."""
    long = {"red": "👩" * 24, "blue": "\u2068" + "ד" * 24 + "\u2069"}
    sizes = []
    for setup in setups(7):
        told: list[Any] = []
        bench = bench_with(long, told)
        for seat, text in setup.items():
            bench.set_up(seat, text)
        room = ScreenHub(BenchDesk(bench), epoch=lambda: "same")
        found = {}
        for audience in ("red", "blue"):
            ear = Ear()
            room.enter(audience, ear, None, None)
            room.send_messages(told)
            found[audience] = [len(text) for text in ear.texts]
        assert len(found["blue"]) > 3
        assert found["blue"][0] > VIEW_PADDING_BYTES
        sizes.append(found)
        bench.close()
    assert sizes[0] == sizes[1]


@pytest.mark.slow
def test_who_gave_names_reads_them_everywhere(started: Started, screen: Callable[..., Screen]) -> None:
    """From the start page to the end, a replay, and the start page of the next game."""
    table = screen(None, **PHONE)
    page = table.page
    page.goto(f"{started.origin}/?game={DUEL}")
    page.get_by_text("Names", exact=True).click()
    page.fill('[name="name-red"]', "Anna")
    page.fill('[name="name-blue"]', EVIL)
    page.get_by_role("button", name="Begin").click()
    table.live()
    links = {seat: started.until(rf"  {seat} +(http\S+)") for seat in ("red", "blue")}
    seats = {seat: screen(link) for seat, link in links.items()}
    assert seats["red"].page.inner_text("#who") == "You are Anna (Red)"
    assert seats["blue"].page.title() == f"{EVIL} (Blue) · Boardumpire"
    for one in seats.values():
        one.open("Set-ups to begin with")
        one.press("Fortress")
        one.press("Ready")
    seats["blue"].until_told(f"{EVIL} (Blue) has finished setting up")
    seats["blue"].page.get_by_text("Waiting for: Anna (Red)").or_(
        seats["blue"].page.get_by_text("Anna (Red) to")
    ).first.wait_for()
    seats["red"].speak("de")
    seats["red"].page.wait_for_function("() => document.body.innerText.includes('Anna (Rot)')")
    assert seats["red"].page.locator("img[src=x]").count() == 0
    seats["blue"].press("Resign")
    seats["blue"].page.locator("dialog").get_by_role("button", name="Resign").click()
    table.page.wait_for_function("() => document.body.innerText.includes('Anna (Red)')")
    page.goto(f"{started.origin}/replay")
    page.wait_for_selector('[data-eyes="red"]')
    assert page.inner_text('[data-eyes="red"]') == "Anna (Red)"
    assert not any(one.errors for one in (table, *seats.values()))


@pytest.mark.nightly
def test_names_typed_for_a_new_game_are_those_of_the_next_one(
    served: Served, screen: Callable[..., Screen]
) -> None:
    """On a small phone. What is typed stays while somebody else acts, and where a name can't be had."""
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    red, blue = screen(served.links["red"], **phone), screen(served.links["blue"])
    table = screen(served.links["table"])
    for one in (red, blue):
        one.open("Set-ups to begin with")
        one.press("Fortress")
        one.press("Ready")
    red.until_todo("Your turn")
    blue.press("Resign")
    blue.page.locator("dialog").get_by_role("button", name="Resign").click()
    red.until_todo("You win")
    red.press("New game")
    box = red.page.get_by_role("dialog")
    begin = box.get_by_role("button", name="Begin")
    end = begin.bounding_box()
    assert end is not None
    assert end["y"] + end["height"] <= 640, "it is in sight at once"
    box.get_by_text("Names", exact=True).tap()
    names = {seat: box.get_by_label(seat, exact=True) for seat in ("Red", "Blue")}
    names["Blue"].fill(EVIL)
    names["Red"].fill("x" * 30)
    blue.press("Rematch")
    red.until_todo("Blue would like to start a new game")
    assert names["Blue"].input_value() == EVIL
    assert red.page.evaluate("document.activeElement.name") == "name-red"
    begin.tap()
    box.get_by_text("Name of Red: use at most 24 characters, and only ones that can be seen.").wait_for()
    assert names["Blue"].input_value() == EVIL
    names["Red"].fill("Зоя")
    begin.tap()
    for one in (red, blue):
        one.until_todo("set up your army")
    assert red.page.inner_text("#who") == "You are Зоя (Red)"
    assert blue.page.inner_text("#who") == f"You are {EVIL} (Blue)"
    table.page.wait_for_function("() => document.querySelector('.todo').textContent.includes('Зоя (Red)')")
    for one in (red, blue, table):
        assert one.page.locator("img[src=x]").count() == 0
        assert [error for error in one.errors if "409" not in error and "400" not in error] == []
    table.page.goto(f"{served.origin}/replay")
    first = table.page.locator(".games li").first
    first.wait_for(state="attached")
    assert "Red" in (first.text_content() or "")
    assert "Зоя" not in (first.text_content() or ""), "she didn't sit there yet"
