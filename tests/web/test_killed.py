"""The page's whole process is killed while a finger holds a piece: board, game and finger go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardsim.page.board import VirtualBoard
from boardsim.page.fingers import PointerHands
from boardsim.page.kept import BoardSnapshotFile
from boardsim.world.world import World
from boardware.description import load_board
from boardware.files import take_files_set_aside
from web.served import DUEL, PHONE, Screen, Served
from web.test_bench import lit
from web.test_line import history

BOARD = load_board("quick-battle-8x8")


class Held:
    """A duel in which Red's finger holds the piece of e3, over f4, when the page's process is killed."""

    def __init__(self, state: Path) -> None:
        self.state, self.served = state, Served(state)
        self.port = self.served.origin.rpartition(":")[2]

    def begin(self, screen: Callable[..., Screen], red_has: dict[str, object], moves: list[str]) -> None:
        """Play these moves, take the piece up, and kill."""
        links = self.served.links
        self.seats = {"red": screen(links["red"], **red_has), "blue": screen(links["blue"])}
        for seat, army in DUEL.items():
            self.seats[seat].take_kept("stratego-quick-duel", seat, army)
        for seat, action in zip(("red", "blue"), moves, strict=False):
            self.seats[seat].until_todo("Your turn")
            self.seats[seat].move(action, lift=False)  # pushed: nothing is asked on a busy machine, either
        self.red, self.blue = self.seats["red"], self.seats["blue"]
        self.red.until_todo("Your turn")
        self.before = history(self.red)
        self.start, self.between = self.red.square("e3"), self.red.square("f4")
        self.red.drag(self.start, let_go=False)
        lit(self.blue, "e3", "lifted")
        self.red.carry_on(self.start, self.between)
        self.served.kill()

    def back(self) -> None:
        """The same board is served again where it was."""
        self.served = Served(self.state, "--listen", f"127.0.0.1:{self.port}")


@pytest.fixture
def held(tmp_path: Path, screen: Callable[..., Screen]) -> Iterator[Callable[..., Held]]:
    """Makes one, and ends its process."""
    made: list[Held] = []

    def make(*how: Any) -> Held:
        made.append(Held(tmp_path))
        made[-1].begin(screen, *how)
        return made[-1]

    yield make
    for each in made:
        each.served.close()


@pytest.mark.nightly
@pytest.mark.parametrize("has", [{}, PHONE], ids=["desktop", "phone"])
def test_a_move_is_finished_by_the_same_finger_after_the_daemon_was_killed(
    held: Callable[..., Held], has: dict[str, object]
) -> None:
    duel = held(has, ["d3-d4", "d6-d5"])
    red, blue = duel.red, duel.blue
    duel.back()
    for each in (red, blue):
        each.until_todo("Put these pieces on the board")
    assert history(red) == duel.before
    red.carry_on(duel.between, duel.start)
    red.lead(duel.start, duel.start)
    red.until_todo("Your turn")
    # Pushed: a piece that is in the air for long, as on a busy machine, is asked about.
    red.move("e3-e4", lift=False)
    blue.until_told("Red: e3 to e4.")
    blue.until_todo("Your turn")
    blue.move("e6-e5", lift=False)
    for each in (red, blue):
        each.until_told("Blue: e6 to e5.")
        assert history(each) == [*duel.before, "Red: e3 to e4.", "Blue: e6 to e5."]


@pytest.mark.nightly
@pytest.mark.parametrize("has", [{}, PHONE], ids=["desktop", "phone"])
def test_a_piece_that_is_let_go_while_the_line_is_away_is_set_down_when_it_is_back(
    held: Callable[..., Held], has: dict[str, object]
) -> None:
    duel = held(has, [])
    red = duel.red
    red.until("() => !document.querySelector('#line').classList.contains('live')")
    red.lead(duel.between, duel.start)
    duel.back()
    for each in duel.seats.values():
        each.live()
    red.until_todo("Your turn")
    red.move("e3-e4")
    duel.blue.until_told("Red: e3 to e4.")


def world(keep: Path) -> PointerHands:
    """A board whose pieces are where the file says."""
    board = World(BOARD, bounce=None)
    fingers = PointerHands(board, ["red", "blue"], lambda: board.now, crew={"red": 2, "blue": 2})
    BoardSnapshotFile(keep, BOARD.id).restore(fingers)
    return fingers


def test_pieces_are_where_they_were_and_those_in_a_hand_are_in_it_still(tmp_path: Path) -> None:
    keep = tmp_path / "pieces.json"
    before = world(keep)
    before.lay_out("red", ["a3", "b3"])
    before.lay_out("blue", ["a6", "b6"])
    before.world.advance(2_000_000)
    before.toggle_fallen("b3")
    before.world.advance(3_000_000)
    before.grab(3, lift=True)
    before.world.advance(4_000_000)
    BoardSnapshotFile(keep, BOARD.id).write(before.pieces())
    after = world(keep)
    after.world.advance(1)
    assert [(piece["id"], piece["is"], piece.get("slot")) for piece in after.pieces()] == [
        (1, "stands", "a3"), (2, "lies", "b3"), (3, "held", None), (4, "stands", "b6"),
    ]  # fmt: skip
    assert [slot for slot in BOARD.slots if after.world.copper.closed(slot)] == ["a3", "b6"]
    BoardSnapshotFile(keep, "another").restore(
        fresh := PointerHands(World(BOARD), ["red"], lambda: 0, crew={"red": 1})
    )
    assert [piece["is"] for piece in fresh.pieces()] == ["beside"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format":"cookbook","version":1}', '{"format":"boardumpire-pieces","version":2}']
    + [
        json.dumps({"format": "boardumpire-pieces", "version": 1, "board": BOARD.id, "pieces": [piece]})
        for piece in (
            {"id": 1},
            {"id": 1, "seat": "blue", "is": "beside"},
            {"id": 77, "seat": "red", "is": "beside"},
            {"id": 1, "seat": "red", "is": "stands", "slot": "z9"},
            {"id": 1, "seat": "red", "is": "flies"},
        )
    ],
)
def test_a_file_of_pieces_that_is_none_is_set_aside(tmp_path: Path, text: str) -> None:
    keep = tmp_path / "pieces.json"
    keep.write_text(text)
    board = VirtualBoard(BOARD, ["red", "blue"], crew={"red": 2, "blue": 2}, keep=keep)
    assert [(piece["seat"], piece["is"]) for piece in board.fingers.pieces()] == [
        ("red", "beside"), ("red", "beside"), ("blue", "beside"), ("blue", "beside"),
    ]  # fmt: skip
    assert (tmp_path / "pieces.json-unreadable-1").read_text() == text
    assert take_files_set_aside() == [tmp_path / "pieces.json-unreadable-1"]
