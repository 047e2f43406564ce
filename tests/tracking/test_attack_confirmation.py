"""The sign of an attack: the attacker tapped at home while its target is up. And reeds that never open."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from boardumpire.tracking.attack_confirmation import AttackConfirmation
from boardumpire.tracking.stuck_sensors import StuckSensorDetector

LEAST, MOST = 20, 50
AIR = {"a": 100, "x": 200}
"""The attacker and its target are up since then."""


def tapped(
    air: Mapping[str, int] = AIR, *, at: int = 300, up: int = 310, known: bool = True, targets: str = "x"
) -> tuple[str, str] | None:
    """The sign that is given where a comes home at `at` and is up again at `up`."""
    signs = AttackConfirmation(LEAST, MOST)
    signs.note_set_down("a", at, air, target_known=known)
    signs.note_lift("a", up, lambda home: [each for each in targets if each in air], {**air, "a": up})
    return signs.signed_attack


def test_a_tap_at_home_while_the_target_is_up_is_the_sign() -> None:
    assert tapped() == ("a", "x")


@pytest.mark.parametrize(
    ("at", "up", "given"),
    [(100 + LEAST, 130, False), (250, 250 + MOST, True), (250, 251 + MOST, False)],
)
def test_a_bump_or_a_rest_is_none(at: int, up: int, given: bool) -> None:
    assert (tapped(at=at, up=up) is not None) is given


def test_a_piece_has_to_be_up_for_a_while_before() -> None:
    for at, given in ((100 + LEAST, ("a", "x")), (99 + LEAST, None)):
        assert tapped({"a": 100, "x": 50}, at=at, up=at + 10) == given


def test_it_has_to_be_the_piece_that_was_up() -> None:
    assert tapped({"x": 200}) is None
    assert tapped(known=False) is None
    signs = AttackConfirmation(LEAST, MOST)
    signs.note_set_down("a", 300, AIR)
    signs.note_lift("b", 310, lambda home: ["x"], AIR)
    assert signs.signed_attack is None
    signs.note_lift("a", 320, lambda home: ["x"], AIR)
    assert signs.signed_attack is None, "a tap is the next thing that happens, or none"


def test_the_target_was_up_before_and_is_the_only_one() -> None:
    assert tapped({"a": 100, "x": 300}) is None, "it came up with the tap"
    assert tapped({"a": 100, "x": 299}) == ("a", "x")
    assert tapped({"a": 100, "x": 200, "y": 200}, targets="xy") is None
    assert tapped(targets="") is None
    signs = AttackConfirmation(LEAST, MOST)
    signs.note_set_down("a", 300, {"a": 100})
    signs.note_lift("a", 310, lambda home: ["x"], {"a": 310, "x": 200})
    assert signs.signed_attack is None, "it was not up when the piece came home"


def test_a_sign_holds_until_its_piece_comes_home_or_elsewhere() -> None:
    for space, given in (("a", None), ("z", None), ("x", ("a", "x"))):
        signs = AttackConfirmation(LEAST, MOST)
        signs.signed_attack = "a", "x"
        signs.note_set_down(space, 900, AIR)
        assert signs.signed_attack == given


def test_another_turn_knows_no_tap() -> None:
    signs = AttackConfirmation(LEAST, MOST)
    signs.signed_attack = "a", "x"
    signs.note_set_down("x", 290, AIR)
    signs.note_set_down("a", 300, AIR)
    signs.forget()
    assert signs.signed_attack is None
    signs.note_lift("a", 310, lambda home: ["x"], AIR)
    assert signs.signed_attack is None


def test_a_reed_is_suspected_the_second_time() -> None:
    suspicions = StuckSensorDetector()
    assert suspicions.suspects(["a", "b"]) == []
    suspicions.count_missed(["b", "a"])
    assert suspicions.suspects(["b", "a", "c"]) == ["a", "b"]


def test_a_reed_that_opened_or_was_named_is_clear() -> None:
    suspicions = StuckSensorDetector()
    suspicions.count_missed(["a", "b", "c"])
    suspicions.note_opened("a")
    suspicions.restart_count("b")
    assert suspicions.suspects(["a", "b", "c"]) == ["c"]
    suspicions.note_opened("never seen")
