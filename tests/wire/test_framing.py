"""Frames: however bytes are cut and whatever lies between, exactly the whole frames come out."""

import itertools
from binascii import crc_hqx

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardwire.framing import LONGEST, MAX_PAYLOAD_LENGTH, SYNC, Deframer, crc16, frame

FRAME = st.tuples(st.integers(0, 255), st.binary(max_size=40))
SPOILT = st.tuples(FRAME, st.integers(1, 60))
"""A frame of which so many bytes are missing at its end."""
NOISE = st.binary(max_size=30).filter(lambda noise: not Deframer().receive(SYNC + noise + SYNC))
PIECE = st.one_of(
    st.tuples(st.just("whole"), FRAME), st.tuples(st.just("cut"), SPOILT), st.tuples(st.just("noise"), NOISE)
)


def test_the_checksum_is_the_one_that_is_named():
    for data in (b"", b"123456789", bytes(range(256))):
        assert crc16(data) == crc_hqx(data, 0xFFFF)
    assert crc16(b"123456789") == 0x29B1  # CRC-16/CCITT-FALSE's own check value


def stream(pieces):
    """What goes over the wire, and the frames in it that are whole."""
    data, whole = b"", []
    for kind, piece in pieces:
        if kind == "whole":
            data += frame(*piece)
            whole.append(piece)
        elif kind == "cut":
            (sequence, payload), missing = piece
            sent = frame(sequence, payload)
            data += sent[: max(1, len(sent) - 1 - missing)]
        else:
            data += piece
    return data + SYNC, whole


ENDS_IN_AN_ESCAPE = (255, b"_\xd3\xe7\xe2\xe7[\x02w\xc8\x9bt.6")
"""The last byte of its checksum is escaped."""


@example([("cut", (ENDS_IN_AN_ESCAPE, 1))], [])
@given(st.lists(PIECE, max_size=8), st.lists(st.integers(0, 400), max_size=10))
def test_exactly_the_whole_frames_come_out(pieces, cuts):
    data, whole = stream(pieces)
    deframer = Deframer()
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    came = [got for start, end in itertools.pairwise(edges) for got in deframer.receive(data[start:end])]
    assert came == whole


@given(st.lists(FRAME, max_size=4), st.binary(max_size=10))
def test_whole_or_byte_by_byte_or_with_more_behind_is_the_same(frames, more):
    data = b"".join(frame(*each) for each in frames)
    whole, slow, trailing = Deframer(), Deframer(), Deframer()
    assert whole.receive(data) == frames
    assert [got for byte in data for got in slow.receive(bytes([byte]))] == frames
    assert trailing.receive(data + more.replace(SYNC, b"")) == frames
    assert whole.noise_count == slow.noise_count == 0


@given(FRAME)
def test_a_frame_holds_no_sync_byte_and_none_that_interrupts(each):
    body = frame(*each)[1:-1]
    assert SYNC not in body
    assert b"\x03" not in body


@given(FRAME, st.data())
def test_a_spoilt_byte_spoils_its_frame_and_no_other(each, data):
    sent = bytearray(frame(*each))
    place = data.draw(st.integers(1, len(sent) - 2))
    sent[place] ^= data.draw(st.integers(1, 255))
    deframer = Deframer()
    assert each not in deframer.receive(bytes(sent) + frame(9, b"next"))[:-1]
    assert deframer.receive(frame(1, b"last"))[-1] == (1, b"last")


def test_the_longest_frame_fits_and_endless_noise_is_dropped():
    longest = (7, b"\x7e" * MAX_PAYLOAD_LENGTH)
    deframer = Deframer()
    assert deframer.receive(frame(*longest)) == [longest]
    for _ in range(100):
        assert deframer.receive(b"x" * LONGEST) == []
    assert len(deframer._held) <= 2 * LONGEST
    assert deframer.receive(frame(1, b"a")) == [(1, b"a")]
    assert deframer.noise_count


@pytest.mark.parametrize("lost", range(1, 4))
def test_half_an_escape_makes_no_frame(lost):
    """However little is missing at the end, and though what is left could be guessed."""
    sent = frame(*ENDS_IN_AN_ESCAPE)
    assert sent[-3:] == b"\x7d\x5d\x7e"
    deframer = Deframer()
    assert deframer.receive(sent[: -1 - lost] + SYNC) == []
    assert deframer.noise_count == 1


def test_an_escape_of_nothing_that_is_escaped_makes_no_frame():
    sent = frame(1, b"\x7d").replace(b"\x7d\x5d", b"\x7d\x41", 1)
    assert Deframer().receive(sent) == []
    raw = frame(1, b"\x7d").replace(b"\x7d\x5d", b"\x7d", 1)
    assert Deframer().receive(raw) == [], "what is escaped stands nowhere by itself"


@pytest.mark.parametrize("piece", [b"", b"\x7e", b"\x7e\x7e\x7e", b"\x7e\x04\x00\x7e"])
def test_short_pieces_are_no_frames(piece):
    assert Deframer().receive(piece) == []
