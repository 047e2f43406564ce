"""Which tag is in which piece: the list that `boardumpire tags` makes, in a file for its owner alone.

Whoever has the list and a reader knows every rank on a board. So the file has mode 0600, and nothing here
shows an id in a message or a `repr`; a line that is wrong is named by its number alone.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from boardrules import registry
from boardrules.core import Seat
from boardumpire.errors import TagError, UnreadableTagsError
from boardware.files import replace_file
from boardware.ports import TagId

FORMAT = "boardumpire-tags"
VERSION = 1
FILE_MAX_BYTES = 1_000_000
_UID_SIZES_BYTES = (4, 7, 10)

Label = str
"""What is printed on a piece: `10`, `F`."""
NamedPiece = tuple[Seat, Label]
"""A piece by its seat and what is printed on it; an army may have several alike."""


def hand_set_armies(games: Iterable[str]) -> dict[str, Counter[NamedPiece]]:
    """The pieces that are set up by hand in each of these games; games without such pieces are left out."""
    known = {}
    for game in registry.usable_games(games):
        armies = registry.package(game).armies()
        pieces = Counter({(seat, label): n for seat, army in armies.items() for label, n in army.items()})
        if pieces:
            known[game] = pieces
    return known


def check_stable_id(tag: TagId) -> None:
    """Refuse what can't stay a piece's. Raises `TagError`."""
    if len(tag.uid) not in _UID_SIZES_BYTES:
        raise TagError(f"a tag with an id of {len(tag.uid)} bytes; use one with 4, 7 or 10")
    if len(tag.uid) == 4 and tag.uid[0] == 0x08:
        # ISO/IEC 14443-3, 6.5.4: phones and passports make up another one each time.
        raise TagError("a tag that makes up its id anew each time; use one that keeps it")


def safe_piece_name(piece: NamedPiece) -> str:
    """A piece's name for a message. What can't be one may be an id in a list that is mixed up."""
    shown = (word.isascii() and word.isalnum() and len(word) < 2 * min(_UID_SIZES_BYTES) for word in piece)
    return " ".join(word if show else "?" for word, show in zip(piece, shown, strict=True))


class TagRoster:
    """The list. It is never changed: what enrols gives a new one."""

    def __init__(self, pieces: Mapping[TagId, NamedPiece] | None = None) -> None:
        self._pieces = dict(pieces or {})

    def __repr__(self) -> str:
        return f"<Roster of {len(self._pieces)}>"

    def __len__(self) -> int:
        return len(self._pieces)

    def __iter__(self) -> Iterator[tuple[TagId, NamedPiece]]:
        """Every tag with its piece, pieces in order."""
        return iter(sorted(self._pieces.items(), key=lambda item: (item[1], item[0].uid)))

    def piece(self, tag: TagId) -> NamedPiece | None:
        """The piece that a tag is in; `None` for a stranger."""
        return self._pieces.get(tag)

    def counts(self) -> Counter[NamedPiece]:
        """How many there are of each piece."""
        return Counter(self._pieces.values())

    def with_piece(
        self, tag: TagId, piece: NamedPiece, armies: Mapping[str, Counter[NamedPiece]]
    ) -> TagRoster:
        """The list with one piece more. Raises `TagError` for a tag that is in another already (doubled), or
        a piece that is in none of these games, or one more than any of them has (foreign)."""
        check_stable_id(tag)
        name = safe_piece_name(piece)
        if tag in self._pieces:
            raise TagError(f"{name}: this tag is in another piece already; use one of its own")
        most = max((army[piece] for army in armies.values()), default=0)
        if not most:
            raise TagError(f"{name}: no such piece in {', '.join(armies) or 'the games of this board'}")
        if self.counts()[piece] >= most:
            raise TagError(f"{name}: {most} of them are enrolled already, and no game has more")
        return TagRoster({**self._pieces, tag: piece})

    def without_piece(self, piece: NamedPiece) -> TagRoster:
        """The list without the pieces of that name."""
        return TagRoster({tag: named for tag, named in self._pieces.items() if named != piece})

    def to_text(self) -> str:
        """As the file has it."""
        lines = [f"{tag.uid.hex()} {seat} {label}\n" for tag, (seat, label) in self]
        return (
            f"{FORMAT} {VERSION}\n# the id of a tag, the seat and the rank of the piece it is in\n"
            + "".join(lines)
        )


def parse(
    text: str, armies: Mapping[str, Counter[NamedPiece]], where: str, known: TagRoster | None = None
) -> TagRoster:
    """The list that a text holds, with what was `known` before.

    Raises `TagError`: `WHERE:LINE: what was found; try what`.
    """
    roster, seen = known or TagRoster(), False
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        place = f"{where}:{number}"
        if not seen:
            _check_format(words, place)
            seen = True
            continue
        try:
            if len(words) != 3:
                raise TagError(f"{len(words)} words; try an id, a seat and a rank")
            roster = roster.with_piece(_parse_tag(words[0]), (Seat(words[1]), words[2]), armies)
        except TagError as error:
            raise UnreadableTagsError(f"{place}: {error}") from None
    if not seen:
        raise UnreadableTagsError(f"{where}:1: nothing; try `{FORMAT} {VERSION}` first")
    return roster


def _check_format(words: list[str], place: str) -> None:
    if len(words) != 2 or words[0] != FORMAT or not re.fullmatch("[1-9][0-9]{0,8}", words[1]):
        raise UnreadableTagsError(f"{place}: no list of tags; try `{FORMAT} {VERSION}` first")
    if int(words[1]) > VERSION:
        raise TagError(
            f"{place}: {FORMAT} version {words[1]} is newer than this program, which reads {VERSION}"
        )


def _parse_tag(word: str) -> TagId:
    try:
        return TagId(bytes.fromhex(word))
    except ValueError:
        raise TagError("an id that is not in hexadecimal digits") from None


def load(path: Path, armies: Mapping[str, Counter[NamedPiece]]) -> TagRoster:
    """The list in the file `path`; an empty one if there is no file. Raises `TagError`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return TagRoster()
    except OSError as error:
        raise TagError(f"{path}: can't be read: {error.strerror}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise TagError(f"{path}: not a file; try a list of tags")
        if status.st_mode & 0o077:
            mode = stat.S_IMODE(status.st_mode)
            raise TagError(f"{path}: has mode {mode:04o}: others could read every rank; try chmod 600")
        with open(handle, "rb", closefd=False) as file:
            data = file.read(FILE_MAX_BYTES + 1)
    except OSError as error:
        raise TagError(f"{path}: can't be read: {error.strerror}") from None
    finally:
        os.close(handle)
    return parse(decode_list(data, str(path)), armies, str(path))


def decode_list(data: bytes, where: str) -> str:
    """A list's bytes as text. Raises `TagError`."""
    if len(data) > FILE_MAX_BYTES:
        raise UnreadableTagsError(f"{where}: more than {FILE_MAX_BYTES} bytes; try a list of tags")
    try:
        return data.decode("utf-8-sig")  # a byte order mark is what some editors put first
    except UnicodeDecodeError:
        raise UnreadableTagsError(f"{where}: not UTF-8; try a list of tags") from None


def save(path: Path, roster: TagRoster) -> None:
    """Write the list whole or not at all, for its owner alone. Raises `TagError`."""
    if not path.name:
        raise TagError(f"{path}: can't be written: it is a folder")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, roster.to_text().encode())
    except OSError as error:
        raise TagError(f"{path}: can't be written: {error.strerror}") from None
