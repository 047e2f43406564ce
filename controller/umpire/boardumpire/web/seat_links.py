"""Unguessable links to the seats, each bound to the first device that sits down by it.

A device is known by a random secret in a cookie; here only its SHA-256 is kept. The file survives restarts,
so after a power cut everybody sits where they sat. Whoever runs the table may renew a seat's link, which
turns the old device out.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from boardrules.core import Seat
from boardumpire.errors import ConfigError, UnreadableFileError
from boardware.files import replace_file

FORMAT = "boardumpire-links"
FORMAT_VERSION = 1
TOKEN_MIN_LENGTH = 16
"""Characters of a token that can't be guessed."""
TABLE_LINK = "table"
"""Beside the seats: the link of the table's own screen, which any number of devices may open."""

WATCH_PATH = "watch"
"""The path of the spectators' screen, which needs no link: nobody sits there."""


class SeatTaken(Exception):  # noqa: N818 - what it is
    """Another device sits here already."""


@dataclass
class _SeatLink:
    token: str
    device: str | None = None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _new_token() -> str:
    return secrets.token_urlsafe(18)


class SeatLinks:
    """The links of one board."""

    def __init__(self, path: Path | None, links: dict[str, _SeatLink]) -> None:
        self._path = path
        self._links = links
        self.get_program_seats: Callable[[], Collection[str]] = tuple
        """The seats that the program itself plays for now, as those beside whoever learns: as long as it
        does, their links lead nowhere, and there are no others."""

    @classmethod
    def open(cls, path: Path | None, seats: Iterable[Seat]) -> SeatLinks:
        """Read the file, or make it; `None` keeps them in memory. Raises `ConfigError` for a broken file."""
        known: dict[str, _SeatLink] = {}
        if path is not None and path.exists():
            known = _read_links(path)
        links = cls(path, {name: known.get(name) or _SeatLink(_new_token()) for name in (*seats, TABLE_LINK)})
        if links._links != known:
            links._save()
        return links

    def token(self, name: str) -> str:
        """The secret part of the link of a seat, or of the table."""
        return self._links[name].token

    @property
    def board_tag(self) -> str:
        """A name for these links that anybody may know: which of a machine's boards they are of."""
        return hashlib.sha256(f"board {self._links[TABLE_LINK].token}".encode()).hexdigest()[:8]

    def paths(self) -> dict[str, str]:
        """By seat (and `table`) the path of its link."""
        return {name: f"/link/{link.token}" for name, link in self._links.items() if self.has_link(name)}

    def seat_of_token(self, token: str) -> str | None:
        """The seat (or `table`) that a link leads to."""
        found = None
        for name, link in self._links.items():  # all of them: how long it takes tells nothing
            if hmac.compare_digest(link.token.encode(), token.encode()):
                found = name
        return found if found is not None and self.has_link(found) else None

    def has_link(self, name: str) -> bool:
        """Whether there is a link to that seat; a seat that the machine plays has none."""
        return name in self._links and name not in self.get_program_seats()

    def is_taken(self, name: str) -> bool:
        """Whether a device sits there, or the machine."""
        return not self.has_link(name) or self._links[name].device is not None

    def bind_device(self, name: str) -> str:
        """Bind the link to a new device and return the device's secret. Raises `SeatTaken`.

        The table's screen is bound to nobody: every device gets the same secret.
        """
        link = self._links[name]
        if name == TABLE_LINK:
            return _digest(link.token)
        if link.device is not None:
            raise SeatTaken(name)
        secret = _new_token()
        link.device = _digest(secret)
        self._save()
        return secret

    def rebind_device(self, name: str) -> str:
        """Bind the link to a new device, whoever sat there before; the device's secret."""
        secret = _new_token()
        self._links[name].device = _digest(secret)
        self._save()
        return secret

    def is_seated(self, name: str, secret: str | None) -> bool:
        """Whether the device with that secret sits there."""
        if secret is None or not self.has_link(name):
            return False
        link = self._links[name]
        expected = _digest(_digest(link.token)) if name == TABLE_LINK else link.device
        return expected is not None and hmac.compare_digest(expected, _digest(secret))

    def renew_link(self, name: str) -> str:
        """A new link; the old one leads nowhere and its device has to leave."""
        self._links[name] = _SeatLink(_new_token())
        self._save()
        return self._links[name].token

    def _save(self) -> None:
        if self._path is None:
            return
        links = {name: asdict(link) for name, link in self._links.items()}
        text = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, "links": links}, indent=1)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._path, text.encode(), 0o600)
        except OSError as error:
            raise ConfigError(f"[page] links: can't write {self._path}: {error.strerror}") from None


def check_links_file(path: Path) -> None:
    """Raises `ConfigError` where a file of links is there and broken."""
    if path.exists():
        _read_links(path)


def _read_links(path: Path) -> dict[str, _SeatLink]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        match found:
            case {"format": str(form)} if form != FORMAT:
                raise ValueError(f"found format {form!r}, expected {FORMAT!r}")
            case {"format": str(), "version": int(version)} if version > FORMAT_VERSION:
                newer = f"{FORMAT} version {version} is newer than {FORMAT_VERSION}, the newest known"
                raise ConfigError(f"[page] links: {path}: {newer}; remove it to hand out new links")
            case {"format": str(), "version": int(), "links": dict(links)}:
                return _parse_links(links)
        raise ValueError(f"expected format, version and links of a {FORMAT}")
    except OSError as error:
        raise ConfigError(f"[page] links: can't read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"[page] links: {path}: {error}; remove it to hand out new links") from None


def _parse_links(links: Mapping[str, object]) -> dict[str, _SeatLink]:
    """Raises `ValueError`, which never quotes a link."""
    checked = {}
    for name, link in links.items():
        match link:
            case {"token": str(token), "device": str() | None as device} if len(token) >= TOKEN_MIN_LENGTH:
                checked[name] = _SeatLink(token, device)
            case _:
                raise ValueError(
                    f"link of {name!r}: expected a token of {TOKEN_MIN_LENGTH} characters, a device or null"
                )
    if len({link.token for link in checked.values()}) < len(checked):
        raise ValueError("two links with one token")
    return checked
