"""The first evening: its chapter's commands over a simulated Pico, and Echo from the box to its end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardlab.soak.one_game import SoakPlan, play
from boardrules import record
from boardrules.core import CHANCE, Seat, Space
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from daemon.pico_service import PicoService
from examples.evening import Evening
from house.test_commands import shown
from rules import contract
from web.served import Served

pytestmark = pytest.mark.usefixtures("games")
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "build" / "first-evening.md"
BOARD, ENOUGH = "first-evening", 12
DOCTOR_ASKS = re.compile(r"where the lamp blinks blue: (\w+)")


def commands(program: str) -> list[list[str]]:
    """The words of the page's `console` lines that begin so."""
    typed = [each.typed.split() for each in shown(PAGE)]
    found = [words for words in typed if " ".join(words).startswith(program)]
    assert found, f"the page shows no {program}"
    return found


def config_of_page() -> str:
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    return str(text)


@pytest.fixture
def by_hand() -> Iterator[Evening]:
    """At a board over a Pico, as the board file has it."""
    evening = Evening("echo", BOARD, 3, driver="pico-sim")
    yield evening
    evening.bench.close()


def test_its_states_keep_the_contract() -> None:
    state = boardrules.new("echo")
    for number in range(40):
        contract.check_state(state, [state.parse(text, "player") for text in ("a1-b2", "b1-a1", "resign")])
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        state, _ = state.apply(list(state.legal_actions(seat))[number % 2])


def take_over(evening: Evening) -> None:
    """What the board has added."""
    ruling = evening.rulings()[-1]
    assert ruling["seat"] == CHANCE
    evening.state, _ = evening.state.apply(evening.state.parse(ruling["action"], CHANCE))


def go(evening: Evening, target: str) -> None:
    (origin,) = evening.state.layout()
    evening.lift(origin)
    evening.place(target, origin)
    evening.wait(1500)
    move = evening.state.hand_action(Seat("player"), origin, Space(target))
    evening.state, _ = evening.state.apply(move)


def test_the_board_shows_each_new_square_until_the_piece_leaves(by_hand: Evening) -> None:
    by_hand.begin()
    take_over(by_hand)
    first = by_hand.state.view(None).json()["new"]
    assert by_hand.lit() == {first: "remember"}
    go(by_hand, first)
    take_over(by_hand)
    second = by_hand.state.view(None).json()["new"]
    assert by_hand.lit() == {second: "remember"}, "the piece stands on the first one, and that counts"
    go(by_hand, second)
    take_over(by_hand)
    assert by_hand.state.view(None).json()["length"] == 3


def test_a_wrong_square_ends_it_and_the_chain_is_shown(by_hand: Evening) -> None:
    by_hand.begin()
    take_over(by_hand)
    first = by_hand.state.view(None).json()["new"]
    go(by_hand, first)
    take_over(by_hand)
    second = by_hand.state.view(None).json()["new"]
    go(by_hand, next(at for at in ("a1", "b1", "a2", "b2") if at not in (first, second)))
    assert by_hand.state.outcome == (None, "wrong")
    assert f"{second} was next" in str(by_hand.rulings()[-1]["text"])
    seen: list[str] = []
    for _ in range(40):
        by_hand.wait(100)
        seen += [at for at, mark in by_hand.lit().items() if mark == "remember" and [at] != seen[-1:]]
    assert seen == [first, second]
    table = by_hand.bench.table
    assert table is not None
    assert record.final_state(record.parse(table.export_record())) == by_hand.state


def test_the_model_finds_the_board_right(environment: Mapping[str, str]) -> None:
    (words,) = commands("boardumpire board check")
    program = Path(sys.executable).with_name(words[0])
    told = subprocess.run(
        [program, *words[1:]], env=dict(environment), capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert "sensing: " in told
    assert not re.search(r"refused|doubt", told)


def test_the_tables_of_the_page_join_what_the_board_file_joins() -> None:
    """Every hole of a breadboard is used once, and pins are those of the file."""
    text, board = PAGE.read_text(), load_board(BOARD)
    together = text.partition("## Plug it together")[2].partition("## Wake it up")[0]
    one, _, other = together.partition("Then, with the Pico")
    table = "".join(line for line in one.splitlines() if line.startswith("|"))
    holes = re.findall(r"\b[a-j]\d{1,2}\b", table)
    assert len(holes) == len(set(holes)) == 30
    gps = {int(number) for number in re.findall(r"\bGP(\d+)", other)}
    (bank,), (chain,) = board.banks.values(), board.chains.values()
    assert gps == {*bank.rows, *bank.columns, chain.gpio}
    strips = {hole: (hole[0] > "e", int(hole[1:])) for hole in holes}  # five holes in a column are joined
    joined: dict[tuple[bool, int], list[str]] = {}
    for hole, strip in strips.items():
        joined.setdefault(strip, []).append(hole)
    led_on = {strip for strip, those in joined.items() if len(those) == 1}
    assert led_on == {(False, number) for number in (3, 5, 15, 21, 26)}, "what the Pico or the other joins"


class FirstEvening(PicoService):
    """The configuration of the page, on a simulated Pico that is plugged in."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, BOARD)
        ports = re.findall(r"^\[sensors\]\n.*\n", self.config.read_text(), re.M)
        text = config_of_page().replace("127.0.0.1:8080", "127.0.0.1:0")
        self.config.write_text(text + 'mdns = ""\n' + "".join(ports))
        self.plug("pico")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[FirstEvening]:
    service = FirstEvening(tmp_path)
    yield service
    service.close()


@pytest.mark.slow
def test_echo_is_played_to_its_end_as_the_page_says(
    evening: FirstEvening, environment: Mapping[str, str]
) -> None:
    (words,), (exported,) = commands("boardumpire run"), commands("export")
    assert {word.partition("=")[0] for word in exported[1:]} == {"STATE_DIRECTORY", "RUNTIME_DIRECTORY"}
    evening.start([words[1]], PYTHONPATH=environment["PYTHONPATH"])
    evening.until(lambda: "over" in evening.status())
    (links,) = commands("boardumpire links")
    assert "player" in evening.ask(links[1], renew=None)["links"]
    evening.do(evening.hands.stand, "player", "a1")
    chain: list[str] = []

    def heard(kind: str) -> list[dict[str, Any]]:
        events = [event for each in evening.messages for event in each.get("events", ())]
        return [event for event in events if event["kind"] == kind]

    at = "a1"
    for length in range(1, ENOUGH + 1):
        evening.until(lambda length=length: len(heard("remember")) == length)
        chain.append(heard("remember")[-1]["at"])
        for target in chain[int(at == chain[0]) :]:
            gone = len(heard("right"))
            evening.do(evening.hands.lift, at)
            evening.do(evening.hands.place, target)
            evening.until(lambda gone=gone: len(heard("right")) > gone or bool(heard("over")))
            at = target
    evening.until(lambda: evening.messages[-1]["kind"] == "over")
    assert evening.messages[-1]["winner"] == "player"


@pytest.mark.slow
@pytest.mark.parametrize("stages", [["matrix", "lamps"], ["squares"]])
def test_the_doctor_of_the_page_finds_nothing_wrong(
    evening: FirstEvening, environment: Mapping[str, str], stages: list[str]
) -> None:
    (words,) = [each for each in commands("boardumpire doctor") if each[2:-2] == stages]
    asked, found = evening.directory / "asked", evening.directory / "found"
    command = [Path(sys.executable).with_name(words[0]), *words[1:-1], evening.config]
    with asked.open("w") as told, found.open("w") as out:
        doctor = subprocess.Popen(
            command, env=dict(environment), stdin=subprocess.PIPE, stdout=out, stderr=told, text=True
        )
    assert doctor.stdin is not None
    answered = 0
    with doctor.stdin as said:

        def goes_on() -> bool:
            nonlocal answered
            lines = asked.read_text().splitlines(keepends=True)
            while answered < len(lines) and lines[answered].endswith("\n"):
                answer(lines[answered])
                answered += 1
            return doctor.poll() is not None

        def answer(line: str) -> None:
            put = DOCTOR_ASKS.search(line)
            if put:
                for space in list(evening.world.standing()) if "Take pieces off" in line else ():
                    evening.do(evening.hands.lift, space)
                evening.do(evening.hands.stand, "player", put[1])
            elif "[yes/no]" in line:
                said.write("no\n" if "dark?" in line or " jump " in line else "yes\n")
                said.flush()

        evening.until(goes_on)
    assert "Nothing wrong was found." in found.read_text(), asked.read_text()
    assert doctor.returncode == 0


@pytest.mark.slow
def test_the_page_in_a_browser_offers_the_links_of_one_player(
    tmp_path: Path, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    (words,) = commands("boardumpire page")
    served = Served(tmp_path, *words[2:])
    try:
        assert set(served.links) == {"player", "table"}
    finally:
        served.close()


def test_who_pushes_pieces_as_a_round_ends_pushes_none_that_is_gone() -> None:
    played, _ = play(SoakPlan(game="echo", profile="pusher"), 4, TableFactory())
    assert played.counts["actions"] > 0
    assert played.counts["wrong"] == 0
