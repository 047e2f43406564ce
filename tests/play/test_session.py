"""A session over the real stack: simulated hands play to the end, and a power cut costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardsim.bench.bench import Setting as BenchSetting
from boardsim.hands.hands import PACES
from boardsim.play.session import DOWN, Session, Setting, water
from boardsim.play.typed import Unclear, obey
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from boardware.ports import MS, SECOND, Micros

HOUR: Micros = 3600 * SECOND
ARMY = "setup a3=2 b3=3 c3=10 d3=9 e3=S f3=3 g3=2 a1=F b1=B a2=B"


def session(journal: Path, *simulated: str, seed: int = 1) -> Session:
    bench = BenchSetting(journal=journal / "journal.sqlite", seed=seed, pace=PACES["fast"])
    return Session(Setting(bench, frozenset(simulated)), TableFactory())


def begun(journal: Path, seed: int = 1) -> Session:
    """Red's army is ARMY, Blue's at random; both stand, and it is Red's turn."""
    game = session(journal, "blue", seed=seed)
    game.start()
    assert game.say("red", ARMY)
    wait(game, lambda: "red" in game.to_act and not game.laying_out() and not game.chores)
    return game


def wait(game: Session, until: object, limit: Micros = 120 * SECOND) -> None:
    assert callable(until)
    end = game.now + limit
    while not until():
        assert game.now < end, list(game.log)
        game.run(game.now + 20 * MS)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("driver", "lamps"), [("gpio-sim", "neopixel-spi-sim"), ("rpigpio-sim", "neopixel-pwm-sim")]
)
def test_simulated_hands_play_a_game_to_its_end_through_either_way_to_pins_and_lamps(
    tmp_path: Path, driver: str, lamps: str
) -> None:
    bench = BenchSetting(
        journal=tmp_path / "j.sqlite", seed=1, pace=PACES["fast"], driver=driver, lamp_driver=lamps
    )
    game = Session(Setting(bench, frozenset(("red", "blue"))), TableFactory())
    game.start()
    wait(game, lambda: game.over is not None, HOUR)
    assert game.state.outcome is not None
    assert not [line for line in game.log if line.kind in ("refused", "fault", "error", "hands")]
    game.close()


@pytest.mark.slow
def test_a_power_cut_every_half_minute_loses_no_ruling_and_the_game_still_ends(tmp_path: Path) -> None:
    game = session(tmp_path, "red", "blue", seed=3)
    game.start()
    cuts = 0
    while game.over is None:
        assert game.now < HOUR
        game.run(game.now + 31 * SECOND)
        before = game.state
        if game.over is None:
            cuts += 1
            game.kill()
            game.run(game.now + DOWN + SECOND)
            # The restarted table goes on from the journal alone; its views equal those of the rulings told.
            assert game.bench.table is not None
            for seat in ("red", "blue", None):
                assert game.bench.table.view(seat) == game.state.view(seat).json()
        assert before.layout() or game.state.layout()
    assert cuts > 3
    game.close()


def test_a_typed_move_is_carried_by_hands_and_answered_by_the_simulated_side(tmp_path: Path) -> None:
    game = begun(tmp_path)
    before = game.rulings
    obey(game, "red", "a3-a4")
    wait(game, lambda: game.rulings == before + 1)
    assert game.state.layout()["a4"] == ("red:a3",)
    wait(game, lambda: game.rulings == before + 2)
    game.close()


@pytest.mark.parametrize("pace", sorted(PACES))
def test_simulated_players_complete_their_attacks_themselves_and_press_nothing_else(
    tmp_path: Path, pace: str
) -> None:
    """`confirm` beside an attack would offer a draw once it is ruled."""
    bench = BenchSetting(journal=tmp_path / "j.sqlite", seed=5, pace=PACES[pace])
    game = Session(Setting(bench, frozenset(("red", "blue"))), TableFactory())
    game.start()

    def attacks() -> int:
        return sum(line.kind == "ruling" and "attacks" in line.text for line in game.log)

    wait(game, lambda: game.over is not None or attacks() >= 4, HOUR)
    assert attacks() >= 4
    assert not [line for line in game.log if "draw" in line.text or line.kind in ("fault", "error")]
    game.close()


def test_a_typed_move_onto_a_lake_is_refused_and_the_hands_bring_the_piece_back(tmp_path: Path) -> None:
    game = begun(tmp_path)
    obey(game, "red", "c3-c4")
    wait(game, lambda: any(line.kind == "refused" for line in game.log))
    wait(game, lambda: "c3" in game.world.standing() and not game.chores)
    assert "c4" not in game.world.standing()
    assert "red" in game.to_act
    game.close()


def test_hands_that_a_person_leads_do_no_chore_until_they_are_told_to(tmp_path: Path) -> None:
    game = begun(tmp_path)
    obey(game, "red", "lift c3")
    obey(game, "red", "place d5")
    wait(game, lambda: bool(game.chores))
    game.run(game.now + 20 * SECOND)
    assert game.chores
    obey(game, "red", "tidy")
    wait(game, lambda: not game.chores and "c3" in game.world.standing())
    game.close()


def test_a_power_cut_with_a_piece_in_the_hand_asks_for_it_back(tmp_path: Path) -> None:
    game = begun(tmp_path)
    obey(game, "red", "lift b3")
    wait(game, lambda: game.marks().get("b3") == "lifted")
    game.kill()
    assert not game.alive
    game.run(game.now + DOWN + SECOND)
    assert [(chore["do"], chore["space"]) for chore in game.chores] == [("put", "b3")]
    game.close()


def test_the_lamps_of_a_lifted_piece_are_the_colours_that_came_down_the_wire(tmp_path: Path) -> None:
    game = begun(tmp_path)
    obey(game, "red", "lift b3")
    wait(game, lambda: game.marks().get("b4") == "may-go")
    red, green, blue = game.lamps()["b4"]
    assert green > 0
    assert red == blue == 0
    game.close()


def test_a_set_up_that_the_rules_refuse_is_said_and_may_be_entered_again(tmp_path: Path) -> None:
    game = session(tmp_path, "blue")
    game.start()
    assert not game.say("red", "setup a1=F")
    assert [line for line in game.log if line.kind == "error"]
    assert game.waits_for_set_up("red")
    assert game.say("red", ARMY)
    game.close()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("lift z9", "no square 'z9' on this board: expected a1 to h8"),
        ("a3-z9", "no square 'z9' on this board: expected a1 to h8"),
        ("lift", "lift: found 0 names, expected 1"),
        ("tap a3 a4 a5", "tap: found 3 names, expected 1 or 2"),
        ("slide a3", "slide: expected two squares or more, as in slide a3 a5"),
    ],
)
def test_what_can_not_be_done_is_said_with_what_was_expected(
    tmp_path: Path, text: str, complaint: str
) -> None:
    game = session(tmp_path, "blue")
    game.start()
    with pytest.raises(Unclear) as unclear:
        obey(game, "red", text)
    assert str(unclear.value) == complaint
    game.close()


def test_words_that_the_umpire_does_not_know_are_answered_in_the_log(tmp_path: Path) -> None:
    game = begun(tmp_path)
    obey(game, "red", "abracadabra")
    assert game.log[-1].kind == "error"
    game.close()


def test_the_lakes_of_a_board_are_water_and_a_game_without_lakes_has_none() -> None:
    assert water(load_board("quick-battle-8x8")) == {"c4", "c5", "f4", "f5"}
