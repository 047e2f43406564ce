"""What buttons mean in the hunt and the castle: nothing unseen, and harmless as the board says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardsim.bench.bench import BenchSettings
from boardsim.people.pawn_players import seeded_dice
from boardsim.script.script import ScriptOutput, read_script, run_script
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board

HUNT, CASTLE = "fall-of-the-fuhrer", "escape-from-colditz"
DRIVERS = {HUNT: "gpio-sim", CASTLE: "pico-sim"}
STOOD = """\
stand allies ulm tank
say allies tank ulm
stand allies augsburg spy
say allies spy augsburg
stand allies munich infantry
say allies infantry munich
say hitler {hidden}
wait 1500
"""


def run(text: str, board: str, seats: tuple[str, ...], **options: Any) -> list[dict[str, Any]]:
    lines: list[str] = []
    setting = BenchSettings(
        board=board, game=board, options=options, driver=DRIVERS[board], bounce=False, seed=3
    )
    commands = read_script(text, "answers.hands", load_board(board), seats)
    factory = TableFactory().with_dice(seeded_dice("e"))
    assert run_script(commands, setting, factory, lines.append, ScriptOutput(lamps=True))
    return [json.loads(line) for line in lines]


def hunt(text: str, hidden: str = "hide cottbus", **options: Any) -> list[dict[str, Any]]:
    return run(STOOD.format(hidden=hidden) + text, HUNT, ("hitler", "allies"), **options)


def actions(told: list[dict[str, Any]], seat: str = "allies") -> list[str]:
    return [
        each["action"] for each in told if each["kind"] == "ruling" and each["ok"] and each["seat"] == seat
    ]


def lit(told: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [each["on"] for each in told if each["kind"] == "lamps"]


def test_a_button_pressed_twice_does_one_thing() -> None:
    told = hunt("press turn\npress turn\nwait 2500\n")
    assert actions(told)[3:] == ["stay"]
    assert any(each.get("code") == "press-changed" for each in told)
    assert any("refused" in word for on in lit(told) for word in on.values())


def test_nobody_stays_by_a_button_while_his_piece_is_in_the_hand() -> None:
    told = hunt(
        "say allies roll\nwait 1500\nlift ulm\nwait 1000\npress turn\nwait 2000\nplace stuttgart\nwait 3000\n"
    )
    assert actions(told)[3:] == ["roll", "ulm-stuttgart"]


def test_where_a_piece_is_among_others_is_said_by_buttons() -> None:
    stays = "press turn\nwait 1500\n" * 3
    told = hunt(
        f"{stays}lift munich\nplace ulm\nwait 22000\n"
        "press choose\nwait 2000\npress choose\nwait 2000\npress confirm\nwait 2000\n"
    )
    assert actions(told)[-1] == "munich-ulm"
    assert any(on.get("augsburg") == "asks" for on in lit(told))


def test_turn_as_the_board_says_makes_no_piece_stay() -> None:
    """A piece that was put back on a deaf square: `turn` and `choose` go there, whichever is pressed."""
    for button in ("turn", "choose"):
        told = hunt(
            "say allies stay\nwait 1500\nlift augsburg\nplace kiel\nwait 1500\nreed augsburg open\n"
            f"lift kiel\nplace augsburg\nwait 7000\npress {button}\nwait 1500\npress confirm\nwait 3000\n"
        )
        assert actions(told)[3:] == ["stay"], "the Tank's alone"
        (said,) = [each["text"] for each in told if each.get("code") == "unfelt"]
        assert "choose button" in said
        proposed = [each["thing"] for each in told if each["kind"] == "proposal"]
        assert proposed == ["by-hand augsburg"]


@pytest.mark.parametrize(
    ("text", "lamps"),
    [
        (
            "hold cancel 2500\nwait 500\n",
            {"turn-tank", "turn-spy", "turn-infantry", "ulm", "augsburg", "munich"},
        ),
        ("say hitler adjourn\nwait 500\n", {"turn-tank", "turn-spy", "turn-infantry"}),
        ("say allies adjourn\nwait 500\n", {"turn-hitler"}),
    ],
)
def test_what_a_yes_would_do_is_seen_in_the_hunt(text: str, lamps: set[str]) -> None:
    asks = [{lamp for lamp, word in on.items() if word == "asks"} for on in lit(hunt(text))]
    assert lamps in asks


def test_an_open_resignation_takes_no_later_yes() -> None:
    told = hunt(
        "hold cancel 2300\nwait 3000\nsay allies roll\nwait 500\nlift ulm\nplace augsburg\nwait 3000\n"
        "press choose\nwait 1500\npress confirm\nwait 2000\n"
    )
    assert "resign" not in actions(told)
    assert [each["answer"] for each in told if each["kind"] == "proposal"] == ["open", "lapsed"]


def test_a_take_back_by_button_is_asked_for_by_those_who_moved_last() -> None:
    told = hunt("say allies stay\nwait 2000\nsay allies stay\nwait 2000\nhold turn 2500\nwait 1000\n")
    assert actions(told)[-1] == "ask-take-back"


GUARDED = (
    "".join(f"stand american {at}\n" for at in ("a8", "a9", "a10", "a11", "a22", "a23", "a24", "a25"))
    + "stand security barracks\n" * 6
    + "wait 3000\n"
    + "".join(f"lift barracks\nplace {post}\nwait 1500\n" for post in ("c3", "n4", "n14"))
    + "press turn\nwait 2000\n"
)


@pytest.mark.slow
def test_an_open_resignation_is_seen_in_the_castle_and_takes_no_later_yes() -> None:
    told = run(
        GUARDED + "hold cancel 2500\nwait 3000\npress choose\nwait 2000\npress confirm\nwait 3000\n",
        CASTLE, ("security", "american"), players=2,
    )  # fmt: skip
    assert actions(told, "american") == ["roll"]
    asks = [{lamp for lamp, word in on.items() if word == "asks"} for on in lit(told)]
    assert {"turn-american", "a8", "a9", "a10", "a11", "a22", "a23", "a24", "a25"} in asks
