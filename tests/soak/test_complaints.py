"""What users of other boards complain of, done to this one; complaints.toml lists them."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from boardlab.soak import one_game, soak
from boardsim.bench.bench import BenchSettings, parse_setup
from boardsim.bench.scene import BenchScene
from boardsim.people.people import StrategoPeople
from boardsim.people.rates import PROFILES
from boardsim.world.kits import KITS, MakerKit
from boardsim.world.physics import FootPosition, PathLeg
from boardsim.world.world import Piece
from boardumpire.commands.table_factory import TableFactory
from boardware.physics.design import SensorDesign
from boardware.ports import MS

ROOT = Path(__file__).resolve().parents[2]
COMPLAINTS = Path(__file__).with_name("complaints.toml")
RED = "setup a1=F b1=B a2=B c3=S d3=3 e2=2 a3=2 g3=3 e1=10 h3=9"
BLUE = "setup a8=F b8=B a7=B c6=S d6=3 e8=3 b6=2 h6=2 g7=10 g6=9"


class Sat:
    """Both armies stand with real magnets; what was told since."""

    def __init__(self, kit: MakerKit, **setting: Any) -> None:
        self.told: list[Any] = []
        self.scene = BenchScene(BenchSettings(kit=kit, **setting), TableFactory())
        self.scene.listeners.append(lambda message: self.told.append(message))
        self.scene.bench.start()
        for seat, text in {"red": RED, "blue": BLUE}.items():
            for space, label in parse_setup(text):
                piece = self.scene.world.new_piece(seat, label)
                self.scene.run_until(self.scene.hands.place_from_box(piece, space, self.scene.now))
            self.scene.wait(200)
            assert self.scene.say(seat, text) is None
        self.told.clear()

    def piece(self, space: str) -> Piece:
        found = self.scene.top_piece_on(space)
        assert found is not None
        return found

    def push(self, origin: str, target: str, mm_s: int) -> None:
        """Slide a piece straight, at one speed."""
        piece = self.piece(origin)
        here = self.scene.physics.positions[piece]
        x, y = self.scene.world.board.spaces[target].position
        far = abs(x - here.x) + abs(y - here.y)
        legs = [PathLeg(round(far * 1000 / mm_s) * MS, FootPosition(x, y))]
        self.scene.run_until(self.scene.physics.follow(piece, legs, self.scene.now))
        self.scene.wait(1200)

    def rulings(self) -> list[tuple[str, bool]]:
        """What was ruled, in public."""
        return [(m.data["action"], m.data["ok"]) for m in self.told if m.kind == "ruling" and m.seat is None]

    def faults(self) -> list[str]:
        return [m.data["code"] for m in self.told if m.kind == "fault"]


@pytest.mark.few(3)
@pytest.mark.parametrize("mm_s", [70, 120, 300])
@pytest.mark.parametrize("kit", ["usual", "strong", "flat", "hall"])
def test_a_slide_over_two_squares_is_one_move_however_slow_and_whatever_the_magnets(
    kit: str, mm_s: int
) -> None:
    sat = Sat(KITS[kit]._replace(odd_magnet_rate=0.0))
    sat.push("e2", "e5", mm_s)
    assert sat.rulings() == [("e2-e5", True)]
    assert sat.faults() == []
    sat.scene.close()


def test_no_lamp_flickers_while_a_piece_is_pushed_over_a_square() -> None:
    """The lamps of the squares that the piece may go to stay as they are until it rests."""
    sat = Sat(KITS["usual"]._replace(odd_magnet_rate=0.0))
    seen: list[set[str]] = []
    piece = sat.piece("e2")
    here = sat.scene.physics.positions[piece]
    end = sat.scene.physics.follow(
        piece, [PathLeg(600 * MS, FootPosition(here.x, here.y + 135))], sat.scene.now
    )
    while sat.scene.now < end:
        sat.scene.wait(10)
        seen.append(sat.scene.lamps_with_mark("may-go"))
    lit = [each for each in seen if each]
    assert all(lit[0] == each for each in lit[: len(lit) * 3 // 4])
    sat.scene.close()


def test_magnets_that_are_too_weak_to_be_felt_at_all_are_told_of_and_play_goes_on_by_hand() -> None:
    """Pieces that no reed feels are missing: asked for by chores or reminders rather than passed over."""
    people = StrategoPeople(
        BenchSettings(kit=MakerKit(SensorDesign("reed on end 25-30 AT", "5x2"), odd_magnet_rate=0.0), seed=3),
        TableFactory(),
        "weak",
        PROFILES["careful"],
        longest=12,
    )
    people.play()
    people.scene.close()
    assert not [finding for finding in people.judge.findings if finding.kind == "wrong"]


@pytest.mark.slow
def test_every_wrong_move_gets_an_answer() -> None:
    """Forbidden moves, out of turn, wrong squares: the board never just stands there."""
    plan = one_game.SoakPlan(profile="wild", longest=30, seed=8)
    report = soak.soak(plan, range(2), TableFactory())
    assert report.counts["missed"] == 0
    assert report.injected["illegal"] + report.injected["out_of_turn"] > 4


def test_a_fast_reply_begun_before_the_ruling_is_not_lost() -> None:
    sat = Sat(KITS["usual"])
    scene = sat.scene
    mine, yours = sat.piece("h3"), sat.piece("h6")
    scene.run_until(scene.hands.lift(mine, scene.now))
    down = scene.hands.put(mine, "h4", scene.now)
    scene.run_until(down - 100 * MS)
    scene.run_until(max(down, scene.hands.lift(yours, scene.now)))
    scene.run_until(scene.hands.put(yours, "h5", scene.now))
    scene.wait(1500)
    assert sat.rulings() == [("h3-h4", True), ("h6-h5", True)]
    scene.close()


def test_neighbours_do_not_hold_a_reed_whose_piece_was_lifted() -> None:
    """Strong magnets all around: the empty square is sensed as empty."""
    sat = Sat(KITS["strong"]._replace(odd_magnet_rate=0.0))
    scene = sat.scene
    for number, near in enumerate(("d1", "f1", "d2", "f2")):
        piece = scene.world.new_piece("nobody", str(number))
        scene.run_until(scene.hands.place_from_box(piece, near, scene.now))
    scene.run_until(scene.hands.lift(sat.piece("e1"), scene.now))
    scene.run_until(scene.hands.raise_out_of_reach(next(iter(scene.held_pieces())), scene.now))
    assert "e1" not in scene.closed_reed_spaces()
    scene.close()


def test_every_complaint_is_tried_by_a_test_that_is_there() -> None:
    complaints = tomllib.loads(COMPLAINTS.read_text())["complaint"]
    assert len(complaints) >= 25
    for complaint in complaints:
        functions = [test for test in complaint["tests"] if "::" in test]
        assert functions, complaint["what"]
        for test in complaint["tests"]:
            path, _, name = test.partition("::")
            assert (ROOT / path).exists(), test
            tree = ast.parse((ROOT / path).read_text()) if name else ast.Module([], [])
            defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert not name or name in defined, test
