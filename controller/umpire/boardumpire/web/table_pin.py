"""The table's PIN: for what one person alone shall not do to everybody's table from a phone.

It is asked for a new game, settings, updates and shutting down. Guesses are counted by the seat whose device
makes them, whatever its address: whoever guesses uses up his own, and nobody else's. Devices that have no
more than the table's link, which many may have, are counted by address and all together. One that knew the
PIN before is not kept out by the others. Where those have used up what there is, whoever presses
`confirm` at the board may try all the same. The board's own buttons need no PIN: whoever can press them sits
at the table.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from boardumpire.errors import BoardumpireError, ConfigError, UnreadableFileError
from boardumpire.messages import announce
from boardumpire.service.clock import loop_time_s
from boardumpire.service.config import is_pin
from boardumpire.web.limits import ADDRESSES_MAX, RateLimiter, TokenBucket
from boardumpire.web.seat_links import TABLE_LINK
from boardware.files import replace_file

NEW_PIN_DIGITS = 6
"""Of a PIN that is made."""
TRIES_PER_HOLDER = 5
"""How many wrong PINs a seat, or an address with the table's link, may try at once ..."""
TRIES_MAX = 20
"""... and all such addresses together ..."""
TRIES_PER_S = 1 / 60
"""... and how many more a second: one a minute. One seat guesses a PIN of six digits in a year, on average;
two that do so together, with the table's link, in four months."""


PROOF_VALID_S = 60.0
"""How long `confirm` at the board holds ..."""
TRIES_AFTER_PROOF = 2
"""... and how many PINs of each address are looked at then."""


class WrongPin(BoardumpireError):  # noqa: N818 - what it is
    """The PIN is not that one, or too many were tried."""


class TooManyAttempts(WrongPin):
    """Others have tried too many; `confirm` at the board helps."""


class TablePin:
    """The PIN of one table."""

    def __init__(self, pin: str, clock: Callable[[], float] = loop_time_s) -> None:
        self._pin = pin.encode()
        self._each = RateLimiter(TRIES_PER_S, TRIES_PER_HOLDER, clock)
        self._all = TokenBucket(TRIES_PER_S, TRIES_MAX, clock)
        self._knew: set[str] = set()
        self._clock = clock
        self._proven_until = clock()
        self._tried: Counter[str] = Counter()
        """Since it was proven, by address."""

    @property
    def text(self) -> str:
        """The PIN itself, for whoever runs the machine."""
        return self._pin.decode()

    def check_pin(self, given: str, holder: str, address: str) -> None:
        """Raises `WrongPin` if that is not the PIN, or whoever asks has tried too often to be told.

        `holder`: the seat whose device asks, or `table`.
        """
        who = f"{holder} {address}" if holder == TABLE_LINK else holder
        together = holder == TABLE_LINK and who not in self._knew
        if not self._each.has_token(who):
            raise WrongPin(announce.sentence_by_id("answer pin-wait"))
        if together and not self._all.has_token() and not self._has_proof(who):
            raise TooManyAttempts(announce.sentence_by_id("answer pin-wait"))
        if not hmac.compare_digest(given.encode(errors="replace"), self._pin):
            self._each.take_token(who)
            if together:
                self._all.take_token()
            raise WrongPin(announce.sentence_by_id("answer pin-wrong"))
        if len(self._knew) < ADDRESSES_MAX:
            self._knew.add(who)

    def set_pin(self, pin: str) -> None:
        """From now on it is another one; what was guessed counts on."""
        self._pin = pin.encode()

    def note_presence_proof(self) -> None:
        """Somebody has pressed `confirm` at the board for it."""
        self._proven_until = self._clock() + PROOF_VALID_S
        self._tried.clear()

    def _has_proof(self, who: str) -> bool:
        if self._clock() >= self._proven_until or (
            who not in self._tried and len(self._tried) >= ADDRESSES_MAX
        ):
            return False
        self._tried[who] += 1
        return self._tried[who] <= TRIES_AFTER_PROOF


def load_or_make_pin(wanted: str, path: Path | None) -> TablePin:
    """The PIN that is wanted; else the one in the file, made if there is none. Raises `ConfigError`."""
    if wanted or path is None:
        return TablePin(wanted or _new_pin())
    kept = read_pin(path)
    if kept is not None:
        return kept
    made = _new_pin()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, f"{made}\n".encode(), 0o600)
    except OSError as error:
        raise ConfigError(f"[page] pin: can't use {path}: {error.strerror}") from None
    return TablePin(made)


def read_pin(path: Path) -> TablePin | None:
    """The PIN in the file, if there is one. Raises `ConfigError`."""
    try:
        if not path.exists():
            return None
        found = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ConfigError(f"[page] pin: can't use {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnreadableFileError(f"[page] pin: can't use {path}: not digits") from None
    if not is_pin(found):
        raise UnreadableFileError(f"[page] pin: {path} holds no PIN of 4 to 12 digits; remove it")
    return TablePin(found)


def _new_pin() -> str:
    return f"{secrets.randbelow(10**NEW_PIN_DIGITS):0{NEW_PIN_DIGITS}}"
