"""The secret box of NaCl: XSalsa20-Poly1305, with the nonce before the sealed bytes as PyNaCl has it."""

from __future__ import annotations

import os

import tweetnacl  # registered by worker.js
from pyodide.ffi import to_js

from nacl.exceptions import CryptoError

NONCE_BYTES = 24


class SecretBox:
    """Encrypts and authenticates with one key of 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._key = to_js(key)

    def encrypt(self, plain: bytes) -> bytes:
        """A fresh nonce and the sealed bytes."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + bytes(tweetnacl.secretbox(to_js(plain), to_js(nonce), self._key).to_bytes())

    def decrypt(self, sealed: bytes) -> bytes:
        """What was sealed. Raises `CryptoError`."""
        nonce, box = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        plain = tweetnacl.secretbox.open(to_js(box), to_js(nonce), self._key)
        if plain is None:
            raise CryptoError("the box does not open")
        return bytes(plain.to_bytes())
