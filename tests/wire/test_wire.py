"""Messages: what is encoded comes back; what the declaration does not allow is refused, with whose fault."""

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire import lights, sounds, wire
from boardwire.errors import LocalProtocolError, RemoteProtocolError

VALUES = {
    "u8": st.integers(0, 255),
    "u16": st.integers(0, 65535),
    "u32": st.integers(0, 2**32 - 1),
    "s": st.text(max_size=40),
    "b": st.binary(max_size=wire.MAX_TEXT_BYTES),
}
DECLARED = [
    (who, line.split()[0], [w.split("=%")[1] for w in line.split()[1:]]) for who, line, _ in wire.MESSAGES
]


@st.composite
def said(draw, speaker):
    _, name, codes = draw(st.sampled_from([each for each in DECLARED if each[0] == speaker]))
    return (name, *(draw(VALUES[code]) for code in codes))


@pytest.mark.parametrize("speaker", [wire.HOST, wire.PICO])
def test_messages_come_back_as_they_went_in(speaker):
    @given(st.lists(said(speaker), max_size=4))
    def check(messages):
        data = b"".join(wire.encode(*message) for message in messages)
        assert wire.decode(data, speaker) == messages

    check()


@given(st.binary(max_size=60), st.sampled_from([wire.HOST, wire.PICO]))
def test_any_bytes_are_messages_or_the_other_ends_fault(data, speaker):
    try:
        messages = wire.decode(data, speaker)
    except RemoteProtocolError:
        return
    assert b"".join(wire.encode(*message) for message in messages) == data


def test_a_message_is_refused_to_the_end_that_may_not_say_it():
    with pytest.raises(RemoteProtocolError, match="look is not for the pico to say"):
        wire.decode(wire.encode("look"), wire.PICO)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (("dance",), "no message 'dance'"),
        (("look", 1), "1 values, expected 0"),
        (("lifted", -1, 3), "lifted time: -1, expected u32"),
        (("lifted", 1, 1 << 16), "lifted contact: 65536, expected u16"),
        (("lifted", "now", 1), "expected u32"),
        (("log", 5), "log text: 5, expected text"),
        (("log", "x" * 201), "at most 200 bytes"),
        (("snapshot", 0, b"x" * 201), "at most 200 bytes"),
    ],
)
def test_what_can_not_be_said_is_our_own_fault(message, why):
    with pytest.raises(LocalProtocolError, match=why):
        wire.encode(*message)


@pytest.mark.parametrize("cut", range(1, 7))
def test_a_message_cut_short_is_refused(cut):
    with pytest.raises(RemoteProtocolError, match="cut short"):
        wire.decode(wire.encode("lifted", 1, 2)[:cut], wire.PICO)


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [
        (lights, "BEAT_US", 40_000),
        (lights, "CYCLIC_PATTERNS", ()),
        (lights, "LEVELS", {**lights.LEVELS, lights.DIM: (30,)}),
        (lights, "LEVELS", {**lights.LEVELS, 6: (30,)}),
        (sounds, "TIME_UNIT_MS", 20),
    ],
)
def test_what_a_pico_makes_of_lights_and_sounds_is_in_the_hash(module, name, value, monkeypatch):
    monkeypatch.setattr(module, name, value)
    spec = importlib.util.find_spec("boardwire.wire")
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again.DECLARATION_HASH != wire.DECLARATION_HASH


@given(st.sets(st.integers(0, 300), min_size=1))
def test_lamps_come_back_from_either_form(lamps):
    name, data = wire.lamps_message(sorted(lamps), 301)
    assert (list(data) if name == "light" else wire.numbers(data)) == sorted(lamps)
    assert len(data) <= max(len(lamps), 38) or max(lamps) > 255


@given(st.sets(st.integers(0, 99)))
def test_numbers_come_back_from_bits(numbers):
    assert wire.numbers(wire.bits(sorted(numbers), 100)) == sorted(numbers)
