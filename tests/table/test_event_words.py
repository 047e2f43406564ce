"""Events have the names that their game gives them: nothing takes one for what it is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boardrules
from boardrules.core import Event
from boardumpire.lamps import policy
from boardumpire.makers.traces.timeline import message_summary
from boardumpire.messages.announce import message_sound
from boardumpire.messages.sounds import SOUNDS, Sound
from boardumpire.ruling.umpire import Ruling, battle_result, battle_spaces, space_answer
from boardware.ports import Tone

STATE = boardrules.new("stratego-quick-duel", {})


def ruled(event: Event) -> Ruling:
    return Ruling(STATE.parse("resign", "red"), STATE, (event,), None, (), None)


VALUES = st.one_of(st.none(), st.integers(), st.text(max_size=3), st.lists(st.integers(), max_size=2))
FIELDS = st.dictionaries(
    st.sampled_from(["result", "from", "to", "at", "thing", "seat"]),
    st.one_of(VALUES, st.sampled_from(["attacker", "defender", "both", "yes", "no", "a1"])),
)


@pytest.mark.slow
@given(st.sampled_from(["battle", "answer", "offer", "move"]), FIELDS)
def test_whatever_an_event_holds_it_can_be_shown_heard_and_listed(kind: str, data: dict[str, Any]) -> None:
    event = Event(kind, tuple(data.items()))
    told = {"ok": True, "action": "x", "events": [{**data, "kind": kind}]}
    policy.ruling_show(ruled(event), 0)
    policy.answers_show([event], 0)
    assert isinstance(message_sound("ruling", told), str)
    assert message_summary("ruling", told).startswith("ruled: x")


@pytest.mark.parametrize("result", ["attacker", "defender", "both"])
def test_a_battle_is_lit_and_heard(result: str) -> None:
    data = {"from": "a1", "to": "a2", "result": result}
    assert battle_result("battle", data) == result
    assert battle_spaces("battle", data) == ("a1", "a2")
    assert battle_result("take", data) is None
    show = policy.ruling_show(ruled(Event("battle", tuple(data.items()))), 0)
    assert show is not None
    assert set(show.marks) == {"a1", "a2"}
    assert space_answer("answer", {"at": "a1", "thing": "no"}) == ("a1", False)


@pytest.mark.parametrize("name", ["draw", "won"])
def test_a_sound_for_how_a_game_ends_is_one_line_of_the_table(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = {"draw": {"winner": None, "reason": "agreement"}, "won": {"winner": "red", "reason": "flag"}}
    monkeypatch.delitem(SOUNDS, "draw", raising=False)
    monkeypatch.delitem(SOUNDS, "won", raising=False)
    assert {message_sound("over", data) for data in ends.values()} == {"over"}
    monkeypatch.setitem(SOUNDS, name, Sound((Tone(880, 80), Tone(440, 400)), "so it ended"))
    assert {end for end, data in ends.items() if message_sound("over", data) == name} == {name}
