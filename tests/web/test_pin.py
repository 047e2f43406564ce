"""The table's PIN: guesses are bounded, each and all together, and it is kept where nobody else reads it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from boardumpire.errors import ConfigError
from boardumpire.web.table_pin import (
    PROOF_VALID_S,
    TRIES_AFTER_PROOF,
    TRIES_MAX,
    TRIES_PER_HOLDER,
    TablePin,
    TooManyAttempts,
    WrongPin,
    load_or_make_pin,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def wrong(pin: TablePin, address: str, holder: str = "table") -> str:
    with pytest.raises(WrongPin) as error:
        pin.check_pin("0000", holder, address)
    return str(error.value)


def test_the_right_one_is_taken_however_often() -> None:
    pin = TablePin("493021", Clock())
    for _ in range(1000):
        pin.check_pin("493021", "red", "192.0.2.1")


@pytest.mark.parametrize("given", ["", "\0", "\ud800", "\U0001f0a1", "4930210"])
def test_what_is_no_pin_at_all_is_a_wrong_one(given: str) -> None:
    pin = TablePin("493021", Clock())
    with pytest.raises(WrongPin, match="isn't the table's"):
        pin.check_pin(given, "red", "192.0.2.1")


@pytest.mark.parametrize("holder", ["red", "table"])
def test_a_thousand_wrong_ones_from_one_device_are_refused_and_only_the_first_are_looked_at(
    holder: str,
) -> None:
    clock = Clock()
    pin = TablePin("493021", clock)
    said = [wrong(pin, "192.0.2.1", holder) for _ in range(1000)]
    assert said[:TRIES_PER_HOLDER] == ["That isn't the table's PIN."] * TRIES_PER_HOLDER
    assert all("Too many wrong PINs" in word for word in said[TRIES_PER_HOLDER:])
    with pytest.raises(WrongPin, match="Too many"):
        pin.check_pin("493021", holder, "192.0.2.1")
    pin.check_pin("493021", "blue", "192.0.2.1")  # somebody else is not kept out by it
    pin.check_pin("493021", "table", "192.0.2.2")
    clock.now += 61
    pin.check_pin("493021", holder, "192.0.2.1")


def test_one_seat_at_many_addresses_gets_no_further_and_keeps_nobody_out() -> None:
    pin = TablePin("493021", Clock())
    said = [wrong(pin, f"192.0.2.{number % 250}", "red") for number in range(1000)]
    assert sum("That isn't the table's PIN" in word for word in said) == TRIES_PER_HOLDER
    for holder in ("blue", "table"):
        pin.check_pin("493021", holder, "198.51.100.1")


def test_many_addresses_with_the_tables_link_together_get_no_further() -> None:
    clock = Clock()
    pin = TablePin("493021", clock)
    pin.check_pin("493021", "table", "203.0.113.1")
    said = [wrong(pin, f"192.0.2.{number % 250}") for number in range(1000)]
    assert sum("That isn't the table's PIN" in word for word in said) == TRIES_MAX
    pin.check_pin("493021", "table", "203.0.113.1")  # who knew it before is not kept out by others
    with pytest.raises(WrongPin, match="Too many"):
        pin.check_pin("493021", "table", "203.0.113.2")
    clock.now += 3600
    assert sum("not the" in wrong(pin, f"198.51.100.{number % 250}") for number in range(1000)) <= TRIES_MAX


def test_whoever_is_at_the_board_may_try_whatever_others_have_used_up() -> None:
    clock = Clock()
    pin = TablePin("493021", clock)
    for number in range(250):
        wrong(pin, f"192.0.2.{number}")
    with pytest.raises(TooManyAttempts):
        pin.check_pin("493021", "table", "203.0.113.1")
    pin.note_presence_proof()
    said = [wrong(pin, f"192.0.2.{number % 250}") for number in range(1000)]
    assert sum("isn't the table's" in word for word in said) <= TRIES_AFTER_PROOF * 250, (
        "and so few of each address"
    )
    pin.check_pin("493021", "table", "203.0.113.1")
    clock.now += PROOF_VALID_S
    for number in range(5):
        wrong(pin, f"192.0.3.{number}")
    with pytest.raises(TooManyAttempts):
        pin.check_pin("493021", "table", "203.0.114.1")


def test_it_is_made_once_and_kept_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key" / "pin"
    made = load_or_make_pin("", path).text
    assert made.isdecimal()
    assert len(made) == 6
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_make_pin("", path).text == made
    assert load_or_make_pin("2468", path).text == "2468"
    path.write_text("secret\n")
    with pytest.raises(ConfigError, match="holds no PIN"):
        load_or_make_pin("", path)
