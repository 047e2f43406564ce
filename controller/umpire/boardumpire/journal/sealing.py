"""Encrypts secret actions with the board's key until a game is over.

A sealed part is encrypted with the key of this board (XSalsa20-Poly1305, by libsodium's secret box) together
with its place in the journal, so that no part can stand in for another. The moment it is sealed a commitment
is published: the SHA-256 of a random salt followed by the text. Once the game is over salt and text are told,
and `printf` and `sha256sum` are enough to check that nothing was changed.

The key is a file of its own, readable by its owner alone. It never enters the journal, a record or a backup.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from boardumpire.errors import KeyFileError, SealError

if TYPE_CHECKING:
    from nacl.secret import SecretBox

KEY_FORMAT = "boardumpire-key"
KEY_VERSION = 1
KEY_BYTES = 32
SALT_BYTES = 32

PADDING_MULTIPLE_BYTES = 256
"""Sealed parts are padded to a multiple of this many bytes: their size must not tell what they say."""


class SealedPart(NamedTuple):
    """An encrypted text with its commitment: what the journal stores before the game is over."""

    ciphertext: bytes
    commitment: str
    """Lower-case hexadecimal SHA-256."""


class OpenedPart(NamedTuple):
    """A decrypted text with the salt of its commitment. The `repr` is redacted."""

    salt: bytes
    text: str

    def __repr__(self) -> str:
        return "<Opened: redacted>"


def commitment(salt: bytes, text: str) -> str:
    """The SHA-256, in hexadecimal, of the salt's 32 bytes followed by the text in UTF-8."""
    return hashlib.sha256(salt + text.encode()).hexdigest()


class BoardKey:
    """The key of a board. Encrypts and decrypts; neither its `repr` nor its pickle shows the key."""

    __slots__ = ("_box", "_secret")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise KeyFileError(f"a board key of {len(secret)} bytes, expected {KEY_BYTES}")
        self._secret = secret
        self._box: SecretBox | None = None

    @classmethod
    def random(cls) -> BoardKey:
        """A random key, for a journal in memory."""
        return cls(os.urandom(KEY_BYTES))

    def __repr__(self) -> str:
        return "<BoardKey: redacted>"

    def __reduce__(self) -> str:
        raise TypeError("a board key is not to be copied")

    def _secret_box(self) -> SecretBox:
        """The box of libsodium, which is loaded with the first secret: some games have none."""
        if self._box is None:
            from nacl.secret import SecretBox

            self._box = SecretBox(self._secret)
        return self._box

    def seal(self, text: str, place: str) -> SealedPart:
        """Seal `text` for `place` (game, number and seat) under a fresh salt from the system's generator."""
        salt = os.urandom(SALT_BYTES)
        plain = json.dumps({"place": place, "salt": salt.hex(), "text": text}).encode()
        plain += b" " * (-len(plain) % PADDING_MULTIPLE_BYTES)
        return SealedPart(bytes(self._secret_box().encrypt(plain)), commitment(salt, text))

    def unseal(self, sealed: SealedPart, place: str) -> OpenedPart:
        """What was sealed for `place`. Raises `SealError` if key, place or commitment differ."""
        box = self._secret_box()
        from nacl.exceptions import CryptoError

        try:
            plain = json.loads(box.decrypt(sealed.ciphertext))
        except (CryptoError, ValueError):
            # `from None`: the context could hold bytes of what is secret.
            raise SealError(f"{place}: the seal does not open: another board's key, or changed") from None
        opened = OpenedPart(bytes.fromhex(plain["salt"]), plain["text"])
        if plain["place"] != place:
            raise SealError(f"{place}: the seal belongs to another place")
        if commitment(opened.salt, opened.text) != sealed.commitment:
            raise SealError(f"{place}: the sealed text is not the one that was committed to")
        return opened


def new_key(path: Path) -> BoardKey:
    """Make a key file that only its owner can read, in a directory that is made if need be.

    The file appears whole or not at all, and an existing one is never replaced. Raises `KeyFileError`.
    """
    if path.name in ("", ".."):
        raise KeyFileError(f"{path}: names no file; try board.key in a directory of its own")
    secret = os.urandom(KEY_BYTES)
    draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_directory(path.parent)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(f"{KEY_FORMAT} {KEY_VERSION}\n{secret.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        raise KeyFileError(
            f"{path}: exists already; a board keeps its key, or it loses its open games"
        ) from None
    except OSError as error:
        raise KeyFileError(f"{path}: can't make the key: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
    sync_directory(path.parent)
    return BoardKey(secret)


def load_key(path: Path) -> BoardKey:
    """Read a key file. Raises `KeyFileError` if it is missing, malformed or readable by others."""
    try:
        _check_directory(path.parent)
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(handle, "rb") as file:
            _check_file(path, os.fstat(file.fileno()))
            content = file.read(1024)
    except FileNotFoundError:
        raise KeyFileError(f"{path}: no such key; `boardumpire key new` makes one") from None
    except OSError as error:
        raise KeyFileError(f"{path}: can't read the key: {error.strerror}") from None
    return _parse_key(path, content)


def load_or_make_key(path: Path) -> BoardKey:
    """The key of `path`, made now if there is none."""
    return load_key(path) if os.path.lexists(path) else new_key(path)


def sync_directory(directory: Path) -> None:
    """Make the names in `directory` durable."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _parse_key(path: Path, content: bytes) -> BoardKey:
    """Never quotes `content`: a malformed key may still be most of a key."""
    words = content.decode("ascii", "replace").split()
    if len(words) < 2 or words[0] != KEY_FORMAT or not words[1].isdecimal():
        raise KeyFileError(f"{path}: not a key file; try `{KEY_FORMAT} {KEY_VERSION}` in its first line")
    if int(words[1]) > KEY_VERSION:
        raise KeyFileError(
            f"{path}: {KEY_FORMAT} version {words[1]} is newer than this program, which reads {KEY_VERSION}"
        )
    try:
        secret = bytes.fromhex(words[2]) if len(words) == 3 else b""
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise KeyFileError(f"{path}:2: malformed key; try {2 * KEY_BYTES} hexadecimal digits")
    return BoardKey(secret)


def _check_file(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise KeyFileError(f"{path}: not a regular file")
    if status.st_mode & 0o077:
        mode = stat.S_IMODE(status.st_mode)
        raise KeyFileError(
            f"{path}: has mode {mode:04o}: others could read the board's secrets; try chmod 600"
        )
    _check_owner(path, status)


def _check_directory(directory: Path) -> None:
    status = directory.stat()
    if status.st_mode & 0o022:
        mode = stat.S_IMODE(status.st_mode)
        raise KeyFileError(f"{directory}: has mode {mode:04o}: others could replace the key; try chmod 700")
    _check_owner(directory, status)


def _check_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid not in (os.geteuid(), 0):
        raise KeyFileError(f"{path}: belongs to user {status.st_uid}; try chown {os.geteuid()}")
