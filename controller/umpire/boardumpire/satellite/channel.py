"""Encrypted messages between two ends that share a key.

Each end adds a nonce of its own, and from these and the shared key come two keys, one for each direction. A
message is sealed (XSalsa20-Poly1305, libsodium's secret box) with its number as nonce. So what was changed,
repeated, left out, reflected or taken from another session does not open.
"""

from __future__ import annotations

import hashlib

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from boardumpire.errors import BoardumpireError

NONCE_BYTES = 32
"""Bytes that each end draws for a session."""


class ChannelError(BoardumpireError):
    """A message does not open: another key, or it was changed or repeated on the way."""


class SecureChannel:
    """One end of a session."""

    def __init__(self, key: bytes, satellite_nonce: bytes, host_nonce: bytes, *, is_host: bool) -> None:
        def derive(direction: bytes) -> SecretBox:
            nonces = satellite_nonce + host_nonce
            return SecretBox(hashlib.blake2b(direction + nonces, key=key, digest_size=32).digest())

        boxes = derive(b"host>satellite."), derive(b"satellite>host.")
        self._send_box, self._receive_box = boxes if is_host else (boxes[1], boxes[0])
        self._sent = self._received = 0

    def seal(self, text: bytes) -> bytes:
        """The next message to send."""
        sealed = self._send_box.encrypt(text, _numbered_nonce(self._sent)).ciphertext
        self._sent += 1
        return bytes(sealed)

    def open(self, sealed: bytes) -> bytes:
        """The next message that came. Raises `ChannelError`."""
        try:
            text = self._receive_box.decrypt(sealed, _numbered_nonce(self._received))
        except (CryptoError, ValueError):
            raise ChannelError("a message does not open: the keys differ, or it was changed") from None
        self._received += 1
        return bytes(text)


def _numbered_nonce(number: int) -> bytes:
    return number.to_bytes(SecretBox.NONCE_SIZE, "little")
