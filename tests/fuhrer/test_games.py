"""Whole hunts through simulated pins: every way to tell the umpire what happened gives the same game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from boardrules import record as records
from boardrules import registry
from boardumpire.history.verify import verify
from boardumpire.makers.traces import replaying, trace
from boardumpire.messages import disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.web.screen_hub import ScreenHub
from boardware.ports import MS, SECOND
from fuhrer.hunt import Hunt
from web.desks import BenchDesk, Ear

SLOTS = "fall-of-the-fuhrer-slots"


def played(seed: int, **given: Any) -> Hunt:
    hunt = Hunt(seed, **given)
    try:
        hunt.play()
        assert not hunt.public("fault"), hunt.public("fault")
        hunt.record = hunt.table.export_record()
    finally:
        hunt.bench.close()
    return hunt


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_hunt_with_one_reed_a_city_by_phones_and_one_by_buttons_are_the_same_game(seed: int) -> None:
    said, pressed = played(seed), played(seed, by_button=True)
    assert said.state.outcome == pressed.state.outcome is not None
    assert records.parse(said.record).actions == records.parse(pressed.record).actions
    assert said.ways.count("felt") > 20
    assert said.ways.count("said") > 5, "pieces met, which no reed feels"
    assert len(said.public("question")) == 0, "what is said needs no question"


@pytest.mark.slow
def test_with_slots_a_city_nothing_has_to_be_said_of_two_pieces() -> None:
    hunt = played(2, board=SLOTS)
    assert hunt.ways.count("felt") >= len(hunt.ways) - 2, "but where three stand together"


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize(
    "options",
    [
        {"players": 4, "liberation": "declared", "spy_questions": "both_first"},
        {"players": 3, "liberation": "full-round", "recapture": "round_end"},
        {"first_round": "hitler_too", "tank_roll": "always", "start_cities": "any"},
        {"sheet": "paper"},
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_hunts_by_other_rules_come_to_their_end(options: dict[str, Any]) -> None:
    hunt = played(3, options=options)
    assert hunt.state.outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("board", ["fall-of-the-fuhrer", SLOTS])
def test_a_hunt_on_the_firmware_of_a_pico(board: str) -> None:
    hunt = played(4, board=board, driver="pico-sim")
    assert hunt.state.outcome is not None


@pytest.mark.slow
def test_a_game_that_was_played_live_is_verified_and_a_changed_one_is_not() -> None:
    hunt = played(1)
    told = [data["commitment"] for data in hunt.rulings() if "commitment" in data]
    secret = [data for data in hunt.rulings() if data["action"] is None]
    assert len(told) == len(secret) > 10, "each hidden action is committed to when it is made"
    lines, right = verify(hunt.record)
    assert right
    assert [line.split(": ")[1].split()[0] for line in lines[1:-1]] == told, "by what was told then"
    last = next(line for line in reversed(hunt.record.splitlines()) if line.startswith("hitler go "))
    salt = hunt.record.index(" salt ") + len(" salt ")
    changed = hunt.record[:salt] + ("0" if hunt.record[salt] != "0" else "1") + hunt.record[salt + 1 :]
    assert last in changed
    assert not verify(changed)[1]


@pytest.mark.slow
@pytest.mark.parametrize("dice", ["umpire", "real"])
def test_the_trace_of_a_hunt_replays_with_the_same_dice(dice: str) -> None:
    lines: list[str] = []
    played(1, trace=lines.append, table={"dice": dice})
    written = "".join(lines)
    assert ("\nthrown " in written) == (dice == "umpire")
    read = trace.parse(written, "hunt")
    assert replaying.first_difference(written, replaying.replay(read)) is None
    if dice == "umpire":
        shown = next(line for line in lines if line.startswith("thrown "))
        for changed, expected in (("thrown 9\n", "less than"), ("thrown x\n", "less than")):
            with pytest.raises(trace.TraceError, match=expected):
                replaying.replay(trace.parse(written.replace(shown, changed, 1), "hunt"))


SETTING_UP = {"place", "hide"}
PHASES = {"place", "hide", "hitler", "tank", "roll", "move", "ask"}
PAPER_PHASES = {"place", "choose", "write", "tank", "roll", "move", "ask", "answer", "sheet"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("driver", "sheet", "phases"),
    [
        ("gpio-sim", "umpire", PHASES),
        ("gpio-sim", "paper", PAPER_PHASES),
        pytest.param("pico-sim", "umpire", PHASES, marks=pytest.mark.nightly),
    ],
)
def test_killed_in_each_phase_it_goes_on_with_token_calendar_and_flags_lit(
    driver: str, sheet: str, phases: set[str], tmp_path: Path
) -> None:
    """The power is cut in every phase of a game; it goes on to its end, and its record is verified."""
    options = {"sheet": sheet, "first_round": "hitler_too" if sheet == "paper" else "allies_only"}
    hunt = Hunt(
        5, driver=driver, options=options, journal=tmp_path / "journal.sqlite", table={"dice": "real"}
    )
    hunt.begin()
    left = set(phases)
    while hunt.state.outcome is None:
        phase = hunt.state.view(None).json()["phase"]
        # In round 6 there is a token and a flag; on paper, where he answers as he likes, it may end before.
        if phase in left and (sheet == "paper" or phase in SETTING_UP or hunt.state.facts.round >= 6):
            left.discard(phase)
            cut(hunt, tmp_path)
        hunt.turn()
    assert not left
    assert verify(hunt.table.export_record())[1]
    hunt.bench.close()


def cut(hunt: Hunt, kept: Path) -> None:
    """Cut the power, and see that all comes back as it was."""
    hunt.bench.wait(7 * SECOND)  # answers are shown for a while
    before, marks = hunt.table.view(None), dict(hunt.table.marks)
    own = hunt.table.view("hitler")
    lamps = hunt.bench.world.copper.lamps()
    hunt.bench.kill()
    raw = b"".join(path.read_bytes() for path in kept.iterdir() if path.is_file())
    assert b"hitlerhide" not in raw, "what Hitler did is sealed in the journal"
    assert b"hitlergo " not in raw
    hunt.bench.wait(700_000)
    hunt.bench.start()
    hunt.bench.wait(700_000)
    assert hunt.table.view(None) == before
    assert hunt.table.view("hitler") == own
    assert marks == dict(hunt.table.marks)
    assert not hunt.table.guidance.corrections
    if hunt.state.facts.round >= 6:
        assert {"now", "past", "held", "ticket"} <= set(marks.values())
        assert marks[before["token"]] in ("token", "held-token", "may-go"), (
            "a piece that may go there is lit above it"
        )
        assert lit(lamps) == lit(hunt.bench.world.copper.lamps())


def lit(lamps: Mapping[str, Any]) -> list[str]:
    """The lamps that are lit."""
    return sorted(str(lamp) for lamp, rgb in lamps.items() if any(rgb))


def say_all(hunt: Hunt, said: str) -> None:
    """Do these, one after the other; the die is a real one."""
    for text in said.split(", "):
        (seat,) = hunt.state.seats_to_act()
        if seat == "chance":
            hunt.bench.say(hunt.state.throwers()[0], text)
            hunt.await_rulings(1)
        else:
            hunt.act(hunt.state.parse(text, seat))


ROUND = "stay, roll 1, stay, done, roll 1, stay"
LINZ_FREED = f"tank linz, spy leipzig, infantry magdeburg, hide linz, {ROUND}, go linz, {ROUND}"
"""Two rounds in which nobody moves: Linz is liberated, and Hitler is there."""


def test_a_stray_press_does_not_answer_for_hitler() -> None:
    """On paper he alone says where he is: `confirm` at the board, pressed once too often, says nothing."""
    hunt = Hunt(0, options={"sheet": "paper"}, by_button=True, table={"dice": "real"})
    hunt.begin()
    say_all(hunt, "tank berlin, spy leipzig, infantry magdeburg, written, stay, roll 1, stay, done, roll 1")
    say_all(hunt, "magdeburg-leipzig")  # where the Spy stands: said by `confirm`
    assert hunt.ways == ["button"]
    assert hunt.state.view(None).json()["phase"] == "answer"
    heard = len(hunt.messages)
    for button in ("confirm", "cancel", "confirm"):
        hunt.press(button)
    assert [message.kind for message in hunt.messages[heard:]] == []
    assert not hunt.table.is_over
    say_all(hunt, "no")
    assert hunt.state.view(None).json()["round"] == 2
    hunt.bench.close()


def test_a_liberated_city_with_the_token_on_it_shows_both() -> None:
    """A mark of its own says both, so that no flag goes out where he was two rounds ago."""
    hunt = Hunt(0, table={"dice": "real"})
    hunt.begin()
    say_all(hunt, LINZ_FREED)
    before = hunt.table.marks["linz"]
    say_all(hunt, "go linz")
    hunt.bench.wait(7 * SECOND)
    view = hunt.table.view(None)
    assert (view["flags"], view["token"]) == (["linz"], "linz")
    assert (before, hunt.table.marks["linz"]) == ("held", "held-token")
    hunt.bench.close()


def test_both_cities_are_asked_about_by_buttons() -> None:
    """Where the Spy names both before an answer, `choose` comes to two cities as it comes to one."""
    hunt = Hunt(0, options={"spy_questions": "both_first"}, by_button=True, table={"dice": "real"})
    hunt.begin()
    say_all(hunt, "tank berlin, spy ulm, infantry kiel, hide linz, stay, roll 1, stay, ask stuttgart ulm")
    answers = [event for ruling in hunt.rulings() for event in ruling["events"] if event["kind"] == "answer"]
    assert [(event["at"], event["thing"]) for event in answers] == [("stuttgart", "no"), ("ulm", "no")]
    hunt.bench.close()


def test_help_is_shown_to_those_alone_who_asked_for_it() -> None:
    """H5: nobody is shown where he may be before a seat has switched it on, and then that seat alone."""
    hunt = Hunt(0, options={"players": 3}, table={"dice": "real"})
    hunt.begin()
    say_all(hunt, LINZ_FREED)
    screens = (None, *hunt.state.seats)
    assert [seat for seat in screens if "possible" in hunt.table.view(seat)] == []
    hunt.bench.say("infantry", "help on")
    assert [seat for seat in screens if "possible" in hunt.table.view(seat)] == ["infantry"]
    hunt.bench.say("infantry", "help off")
    assert [seat for seat in screens if "possible" in hunt.table.view(seat)] == []
    assert all("possible" not in message.data for message in hunt.messages)
    hunt.bench.close()


class Reopened(BenchDesk):
    """A table that was opened again: what was told before comes from its journal."""

    def __init__(self, hunt: Hunt) -> None:
        super().__init__(hunt.bench, hunt.state.seats)
        self._before = [each for each in hunt.messages if each.seat is None and each.kind == "ruling"]
        state = registry.new(hunt.state.game_id, hunt.state.options)
        self._seen = [disclosure.view_of(state, None)]
        for said in (*LINZ_FREED.split(", "), "go linz"):
            state, _ = state.apply(state.parse(said, *state.seats_to_act()))
            self._seen.append(disclosure.view_of(state, None))

    def earlier_messages(self) -> list[SeatMessage]:
        return self._before

    def public_views(self, first: int) -> list[dict[str, Any]]:
        return self._seen[first:]


def test_late_spectators_see_lamps_again_after_a_power_cut() -> None:
    """What they are shown is some actions old, and so are the lamps: calendar, tickets, flags, the token."""
    hunt = Hunt(0, table={"dice": "real"})
    hunt.begin()
    say_all(hunt, LINZ_FREED)
    hunt.bench.wait(7 * SECOND)
    lit = dict(hunt.table.marks)
    assert {"held", "past", "now", "ticket", "to-move"} <= set(lit.values())
    say_all(hunt, "go linz")
    hunt.bench.wait(7 * SECOND)
    room = ScreenHub(Reopened(hunt), delay=1)
    assert room.delayed_spectators is not None
    spectator = Ear()
    room.delayed_spectators.enter(None, spectator, None, 0)
    assert json.loads(spectator.texts[0])["board"]["marks"] == lit
    lit, heard = dict(hunt.table.marks), len(hunt.messages)
    say_all(hunt, "stay")
    room.send_messages(hunt.messages[heard:])
    boards = [json.loads(text)["board"]["marks"] for text in spectator.texts if '"kind":"board"' in text]
    assert boards == [lit]
    assert lit["linz"] == "held-token"
    hunt.bench.close()


def test_a_held_turn_button_does_not_end_the_turn_first() -> None:
    """Whoever holds `turn` wants the last move back; that a piece stays is a short press."""
    hunt = Hunt(3, by_button=True)
    try:
        hunt.begin()
        while "turn" not in hunt.state.button_actions():
            hunt.turn()
        before, said = hunt.rulings(), str(hunt.state.button_actions()["turn"])
        hunt.bench.run_until(hunt.bench.hands.hold("turn", 2500 * MS, hunt.bench.now))
        hunt.bench.wait(SECOND)
        assert all(ruling["action"] != said for ruling in hunt.rulings()[len(before) :])
        hunt.press("cancel")
        before = hunt.rulings()
        hunt.press("turn")
        assert hunt.rulings()[len(before)]["action"] == said
    finally:
        hunt.bench.close()
