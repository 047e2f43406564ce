"""How a connection begins: by a session with the shared key, or by pairing with a code.

    session   satellite  HELLO "S" nonce name          pairing   satellite  HELLO "P" share
              host       nonce sealed("host")                    host       share confirmation name
              satellite  its first sealed message                satellite  confirmation
                                                                 host       "OK"

A host answers a name that it doesn't know as one that it knows, with a key that nobody has. Where it refuses
to answer at all it sends one byte, which says why.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable

from boardumpire.errors import BoardumpireError
from boardumpire.satellite.channel import NONCE_BYTES, ChannelError, SecureChannel
from boardumpire.satellite.keys import SatelliteKey
from boardumpire.satellite.line import LineError, MessageStream, receive_within
from boardumpire.satellite.pairing import CONFIRMATION_BYTES, SHARE_BYTES, PairingError, PairingSide

HELLO = b"boardumpire 1 "
SESSION, PAIRING = b"S", b"P"
ANSWER_S = 5.0
"""Seconds for each answer of the other end; a line across the world takes one, with what is sent again."""
NAME_MAX_BYTES = 63
_HOST_PROOF, _DONE = b"host", b"OK"

REFUSALS = {
    b"V": "it speaks another version; bring both machines up to date",
    b"C": "no code is open there, or it is too old or was tried too often; ask for a new one",
    b"M": "too many attempts from this address; try again in a minute",
}
"""By what a host sends instead of an answer."""


class RefusedError(BoardumpireError):
    """The host doesn't want this satellite, or the satellite this host: trying again changes nothing."""


# The satellite's end


async def begin_session(stream: MessageStream, key: SatelliteKey) -> SecureChannel:
    """Begin a session with the host. Raises `LineError`, `RefusedError`."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    stream.send(HELLO + SESSION + nonce + key.name.encode())
    answer = await _answer(stream)
    channel = SecureChannel(key.key, nonce, answer[:NONCE_BYTES], is_host=False)
    try:
        proof = channel.open(answer[NONCE_BYTES:])
    except ChannelError:
        proof = b""
    if proof != _HOST_PROOF:
        raise RefusedError(f"the host has no such key for {key.name!r}: pair again")
    return channel


async def pair(stream: MessageStream, code: str) -> SatelliteKey:
    """The key that host and satellite have from now on. Raises `LineError`, `RefusedError`."""
    side = PairingSide(code, is_host=False)
    stream.send(HELLO + PAIRING + side.share)
    answer = await _answer(stream)
    share, rest = answer[:SHARE_BYTES], answer[SHARE_BYTES:]
    confirmation, name = rest[:CONFIRMATION_BYTES], rest[CONFIRMATION_BYTES:]
    try:
        result = side.finish(share)
    except PairingError as error:
        raise RefusedError(str(error)) from None
    if not hmac.compare_digest(confirmation, result.host_confirmation):
        raise RefusedError("the host shows another code")
    stream.send(result.satellite_confirmation)
    if await receive_within(stream, ANSWER_S) != _DONE:
        raise RefusedError("the host did not accept the code")
    return SatelliteKey(name.decode(errors="replace"), result.key)


async def _answer(stream: MessageStream) -> bytes:
    answer = await receive_within(stream, ANSWER_S)
    if len(answer) == 1:
        raise RefusedError(REFUSALS.get(answer, "it refuses, and this version doesn't know why"))
    return answer


# The host's end


async def accept_session(
    stream: MessageStream, hello: bytes, find_key: Callable[[str], bytes | None]
) -> tuple[str, SecureChannel]:
    """A session with a satellite, given its hello without what all hellos begin with; its name, and the
    channel. The satellite has proven nothing before its first message opens. Raises `LineError`."""
    satellite_nonce, name = hello[:NONCE_BYTES], hello[NONCE_BYTES:]
    if len(satellite_nonce) < NONCE_BYTES or len(name) > NAME_MAX_BYTES:
        raise LineError("what came is no hello")
    text = name.decode(errors="replace")
    key = find_key(text) or secrets.token_bytes(32)
    nonce = secrets.token_bytes(NONCE_BYTES)
    channel = SecureChannel(key, satellite_nonce, nonce, is_host=True)
    stream.send(nonce + channel.seal(_HOST_PROOF))
    return text, channel


async def accept_pairing(stream: MessageStream, share: bytes, code: str, name: str) -> SatelliteKey:
    """The key of the satellite that knows the code, which becomes `name`. It is told once the key is stored:
    by `finish_pairing`. Raises `LineError`, `PairingError`."""
    side = PairingSide(code, is_host=True)
    result = side.finish(share)
    stream.send(side.share + result.host_confirmation + name.encode())
    confirmation = await receive_within(stream, ANSWER_S)
    if not hmac.compare_digest(confirmation, result.satellite_confirmation):
        raise PairingError("pairing: the satellite has another code")
    return SatelliteKey(name, result.key)


def finish_pairing(stream: MessageStream) -> None:
    """Tell the satellite that its key is stored."""
    stream.send(_DONE)
