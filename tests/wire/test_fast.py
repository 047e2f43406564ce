"""The Pico's machine code for frames, run as the Python that it is written in, does what `framing` does."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import boardwire
from boardwire import framing

SOURCE = Path(boardwire.__file__).parent / "boot" / "fast.py"


@pytest.fixture(scope="module")
def fast() -> Any:
    """The module; `viper` compiles nothing, and a pointer to bytes is the bytes."""
    micropython = ModuleType("micropython")
    micropython.viper = lambda function: function  # type: ignore[attr-defined]
    sys.modules["micropython"] = micropython
    try:
        found: dict[str, Any] = {"ptr8": bytes, "ptr16": list}
        exec(compile(SOURCE.read_text(), str(SOURCE), "exec"), found)
    finally:
        del sys.modules["micropython"]
    return SimpleNamespace(**found)


payloads = st.one_of(
    st.binary(max_size=framing.MAX_PAYLOAD_LENGTH),
    st.lists(st.sampled_from((0x03, 0x7D, 0x7E, 0x5D, 0)), max_size=framing.MAX_PAYLOAD_LENGTH).map(bytes),
)


@given(st.integers(0, 255), payloads)
@example(0x7E, bytes(framing.MAX_PAYLOAD_LENGTH))
@example(0x7D, b"\x7d" * framing.MAX_PAYLOAD_LENGTH)
def test_a_frame_is_made_and_read_alike(fast: Any, sequence: int, payload: bytes) -> None:
    made = fast.frame(sequence, payload)
    assert made == framing.frame(sequence, payload)
    assert fast.body(made[1:-1]) == framing._body(made[1:-1])


@given(payloads, st.integers(0, 600), st.integers(0, 255))
def test_what_was_spoilt_is_read_alike(fast: Any, payload: bytes, at: int, byte: int) -> None:
    piece = bytearray(framing.frame(1, payload)[1:-1])
    piece[at % len(piece)] = byte
    spoilt = bytes(piece).replace(b"\x7e", b"")
    assert fast.body(spoilt) == framing._body(spoilt)


@given(payloads)
def test_noise_is_read_alike(fast: Any, noise: bytes) -> None:
    assert fast.body(noise.replace(b"\x7e", b"")) == framing._body(noise.replace(b"\x7e", b""))
