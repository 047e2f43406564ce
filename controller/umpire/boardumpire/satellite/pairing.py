"""A key for host and satellite from a code of eight digits that a person carries from one to the other.

SPAKE2 (RFC 9382) over edwards25519 with SHA-512, HKDF and HMAC. Whoever reads along, or stands in between,
learns nothing by which codes can be tried elsewhere: each try is an attempt at the host, which counts them.
The host is A, the satellite is B.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from nacl import bindings
from nacl.exceptions import CryptoError

from boardumpire.errors import BoardumpireError

CODE_DIGITS = 8
SHARE_BYTES = 32
CONFIRMATION_BYTES = 64
KEY_BYTES = 32

# RFC 9382, section 6.
POINT_M = bytes.fromhex("d048032c6ea0b6d697ddc2e86bda85a33adac920f1bf18e1b0c6d166a5cecdaf")
POINT_N = bytes.fromhex("d3bfb518f44f3430f29d0c92af503865a1ed3281dc69b35dd868ba85f886c4ab")
_HOST, _SATELLITE = b"boardumpire host", b"boardumpire satellite"


class PairingError(BoardumpireError):
    """The other end has another code, or sent what is no share."""


class PairingResult(NamedTuple):
    """What both ends have if their codes are the same. The `repr` is redacted."""

    key: bytes
    host_confirmation: bytes
    satellite_confirmation: bytes

    def __repr__(self) -> str:
        return "<PairingResult: redacted>"


def make_code() -> str:
    """A new code."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


class PairingSide:
    """One end of one attempt: its share goes to the other end, whose share gives the result."""

    def __init__(self, code: str, *, is_host: bool) -> None:
        self._is_host = is_host
        mine, self._other = (POINT_M, POINT_N) if is_host else (POINT_N, POINT_M)
        # Not stretched: nobody can try codes without asking the host each time.
        digest = hashlib.sha512(b"boardumpire pairing code " + code.encode()).digest()
        self._w = bindings.crypto_core_ed25519_scalar_reduce(digest)
        self._secret = bindings.crypto_core_ed25519_scalar_reduce(secrets.token_bytes(64))
        blind = bindings.crypto_scalarmult_ed25519_noclamp(self._w, mine)
        public = bindings.crypto_scalarmult_ed25519_base_noclamp(self._secret)
        self.share = bindings.crypto_core_ed25519_add(blind, public)

    def finish(self, share: bytes) -> PairingResult:
        """The result, given the other end's share. Raises `PairingError` for what is no share."""
        try:
            if len(share) != SHARE_BYTES or not bindings.crypto_core_ed25519_is_valid_point(share):
                raise PairingError("pairing: what came is no share")
            blind = bindings.crypto_scalarmult_ed25519_noclamp(self._w, self._other)
            public = bindings.crypto_core_ed25519_sub(share, blind)
            shared = bindings.crypto_scalarmult_ed25519_noclamp(self._secret, public)
        except (CryptoError, ValueError):
            raise PairingError("pairing: what came is no share") from None
        shares = (self.share, share) if self._is_host else (share, self.share)
        parts = (_HOST, _SATELLITE, *shares, shared, self._w)
        transcript = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
        digest = hashlib.sha512(transcript).digest()
        key, confirming = digest[:32], digest[32:]
        confirmation_keys = _hkdf(confirming, b"ConfirmationKeys", 64)
        host_key, satellite_key = confirmation_keys[:32], confirmation_keys[32:]
        return PairingResult(
            _hkdf(key, b"boardumpire satellite key", KEY_BYTES),
            hmac.digest(host_key, transcript, "sha512"),
            hmac.digest(satellite_key, transcript, "sha512"),
        )


def _hkdf(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF (RFC 5869) with SHA-512 and without salt, for at most 64 bytes."""
    extracted = hmac.digest(bytes(64), key, "sha512")
    return hmac.digest(extracted, info + b"\x01", "sha512")[:length]
