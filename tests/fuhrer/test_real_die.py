"""Real dice: only the side that throws says what was thrown, and a wrong throw is put right with consent."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardumpire.errors import SeatError
from boardware.ports import SECOND
from fuhrer.hunt import Hunt

BEGIN = (
    ("allies", "tank berlin"),
    ("allies", "spy leipzig"),
    ("allies", "infantry ulm"),
    ("hitler", "hide linz"),
    ("allies", "roll"),
)


def thrown(journal: Path | None = None, dice: str = "real") -> Hunt:
    """A game in which the Tank's die is to be entered."""
    hunt = Hunt(0, table={"dice": dice}, journal=journal)
    hunt.begin()
    for seat, text in BEGIN:
        hunt.act(hunt.state.parse(text, seat))
    return hunt


def die(hunt: Hunt) -> int | None:
    found: int | None = hunt.table.view(None)["die"]
    return found


def test_hitlers_phone_may_not_enter_the_allies_die() -> None:
    hunt = thrown()
    assert hunt.table.choices("allies")["throws"] == ["roll 1", "roll 2", "roll 3"]
    assert "throws" not in hunt.table.choices("hitler")
    with pytest.raises(SeatError, match="Somebody else has to enter that roll: The Allies"):
        hunt.bench.say("hitler", "roll 1")
    assert die(hunt) is None
    hunt.bench.say("allies", "roll 2")
    hunt.bench.wait(SECOND)
    assert die(hunt) == 2
    hunt.bench.close()


@pytest.mark.parametrize("agreed", [True, False])
def test_a_wrong_die_is_entered_again_if_hitler_agrees(agreed: bool, tmp_path: Path) -> None:
    hunt = thrown(tmp_path / "journal.sqlite")
    hunt.bench.say("allies", "roll 1")
    hunt.bench.wait(SECOND)
    with pytest.raises(SeatError):
        hunt.bench.say("hitler", "ask-throw-again")
    hunt.bench.say("allies", "ask-throw-again")
    hunt.bench.wait(SECOND)
    assert hunt.table.view(None)["offer"] == {"seat": "allies", "thing": "throw-again"}
    with pytest.raises(SeatError):
        hunt.bench.say("allies", "agree-throw-again")
    hunt.bench.say("hitler", "yes" if agreed else "no")
    hunt.bench.wait(SECOND)
    told = hunt.rulings()[-1]["text"][0]
    if not agreed:
        assert (told, die(hunt)) == ("Hitler said that the roll counts.", 1)
    else:
        assert (told, die(hunt)) == ("The roll is taken back. Please enter what the die shows.", None)
        hunt.bench.say("allies", "roll 3")
        hunt.bench.wait(SECOND)
        assert die(hunt) == 3
    before = hunt.table.view("hitler")
    hunt.bench.kill()
    hunt.bench.start()
    assert hunt.bench.table is not None
    assert hunt.bench.table.view("hitler") == before, "the journal says so too"
    hunt.bench.close()


def test_once_the_piece_has_moved_its_die_stands() -> None:
    hunt = thrown()
    hunt.bench.say("allies", "roll 1")
    hunt.bench.wait(SECOND)
    hunt.bench.say("allies", "stay")
    hunt.bench.wait(SECOND)
    with pytest.raises(SeatError, match="before its piece has moved"):
        hunt.bench.say("allies", "ask-throw-again")
    hunt.bench.close()


def test_the_umpires_own_die_is_never_entered_again() -> None:
    hunt = thrown(dice="umpire")
    hunt.bench.wait(SECOND)
    assert die(hunt) is not None
    assert "ask-throw-again" not in hunt.table.choices("allies")["says"]
    with pytest.raises(SeatError, match="real die"):
        hunt.bench.say("allies", "ask-throw-again")
    hunt.bench.close()


def test_confirm_at_the_board_agrees() -> None:
    hunt = thrown()
    hunt.bench.say("allies", "roll 1")
    hunt.bench.wait(SECOND)
    hunt.bench.say("allies", "ask-throw-again")
    hunt.bench.wait(SECOND)
    hunt.press("confirm")
    hunt.bench.wait(SECOND)
    assert die(hunt) is None
    hunt.bench.close()
