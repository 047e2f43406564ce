"""What the seats do, as texts that read back: `munich-berlin`, `ask bonn`, `go ulm ticket`, `roll 2`.

Actions are interned: there is one object for a seat and a text on a map (`interned_action`), so comparing is
`is`. Only the sheet that a paper game ends with is not.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from boardrules.core import CHANCE, CLOCK, Action, Event, Seat
from boardrules.fuhrer.maps import CityMap

HITLER: Final = Seat("hitler")
TANK: Final = 0
SPY: Final = 1
INFANTRY: Final = 2
PIECES: Final = ("tank", "spy", "infantry")
"""F05: the Allied pieces in the order of their turns. A piece is the index of its name here."""

Origins = tuple[int, ...]
"""The flights of a turn in order: by flight the airport it left from, or `UNTOLD_ORIGIN`."""
UNTOLD_ORIGIN: Final = -1

RESIGN: Final = "resign"
ASK_TAKE_BACK: Final = "ask-take-back"
AGREE_TAKE_BACK: Final = "agree-take-back"
DECLINE_TAKE_BACK: Final = "decline-take-back"
WITHDRAW_TAKE_BACK: Final = "withdraw-take-back"
ASK_THROW: Final = "ask-throw-again"
AGREE_THROW: Final = "agree-throw-again"
DECLINE_THROW: Final = "decline-throw-again"
TABLE_WORDS: Final = (
    RESIGN, ASK_TAKE_BACK, AGREE_TAKE_BACK, DECLINE_TAKE_BACK, WITHDRAW_TAKE_BACK,
    ASK_THROW, AGREE_THROW, DECLINE_THROW,
)  # fmt: skip
"""What a seat may say about the game, in the order in which it is listed."""
ROLL: Final = "roll"
STAY: Final = "stay"
LIBERATE: Final = "liberate"
DONE: Final = "done"
YES: Final = "yes"
NO: Final = "no"
RECAPTURE: Final = "recapture"
GAME_WORDS: Final = (ROLL, STAY, LIBERATE, DONE, YES, NO)
"""The game's own actions of one word."""


class FuhrerAction(Action):
    """An action made by `interned_action`, which gives it its text and how it is made again."""

    __slots__ = ("construction_args", "seat", "written_text")
    written_text: str
    construction_args: tuple[Any, ...]
    """What `interned_action` makes it of: kind, map, seat and parts."""

    def __init__(self, seat: Seat, *parts: Any) -> None:
        self.seat = seat

    def text(self, board: CityMap) -> str:
        """How it is written; asked once, when it is made."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.written_text

    def __repr__(self) -> str:
        return "a secret" if self.secret else self.written_text

    def __reduce__(self) -> tuple[Any, ...]:
        return interned_action, self.construction_args


_Kind = TypeVar("_Kind", bound=FuhrerAction)


def interned_action(kind: type[_Kind], board: CityMap, seat: Seat, *parts: Any) -> _Kind:
    """The one action of that kind, seat and parts on that map."""
    key = (kind, seat, *parts)
    found = board.interned_actions.get(key)
    if found is None:
        found = board.interned_actions[key] = kind(seat, *parts)
        found.written_text = found.text(board)
        found.construction_args = (kind, board, seat, *parts)
    return found


class WordAction(FuhrerAction):
    """An action of one or two words that names no city: `stay`, `resign`, `time hitler`."""

    __slots__ = ()

    def __init__(self, seat: Seat, words: str) -> None:
        super().__init__(seat)
        self.written_text = words

    def text(self, board: CityMap) -> str:
        """As written."""
        return self.written_text


class DieFace(FuhrerAction):
    """Of chance, thrown by the umpire or read off a real die: what the die shows, `roll 2` (F06)."""

    __slots__ = ("face",)

    def __init__(self, seat: Seat, face: int) -> None:
        super().__init__(seat)
        self.face = face

    def text(self, board: CityMap) -> str:
        """As written."""
        return f"{ROLL} {self.face}"


class PlacePiece(FuhrerAction):
    """A piece is set up: `tank munich` (F03)."""

    __slots__ = ("city", "piece")

    def __init__(self, seat: Seat, piece: int, city: int) -> None:
        super().__init__(seat)
        self.piece, self.city = piece, city

    def text(self, board: CityMap) -> str:
        """As written."""
        return f"{PIECES[self.piece]} {board.ids[self.city]}"


class MovePiece(FuhrerAction):
    """The piece whose turn it is goes from city to city: `munich-berlin`. Only the ends count (G20)."""

    __slots__ = ("events_by_piece", "origin", "target", "target_mask")

    def __init__(self, seat: Seat, at: int, to: int) -> None:
        super().__init__(seat)
        self.origin, self.target = at, to
        self.target_mask = 1 << to
        self.events_by_piece: tuple[tuple[Event, ...], ...] = ()
        """By piece the events of the move."""

    def text(self, board: CityMap) -> str:
        """As written; the events are made beside it."""
        origin, target = board.ids[self.origin], board.ids[self.target]
        self.events_by_piece = tuple(
            (Event("went", (("piece", piece), ("from", origin), ("to", target))),) for piece in PIECES
        )
        return f"{origin}-{target}"


class SpyQuestion(FuhrerAction):
    """The Spy investigates: `ask munich`, or both at once, `ask munich berlin` (F09)."""

    __slots__ = ("cities",)

    def __init__(self, seat: Seat, *cities: int) -> None:
        super().__init__(seat)
        self.cities = cities

    def text(self, board: CityMap) -> str:
        """As written."""
        return " ".join(("ask", *(board.ids[city] for city in self.cities)))


class ChooseStart(FuhrerAction):
    """Hitler chooses where he starts: `hide munich` (F03). Nobody else may read it."""

    __slots__ = ("city",)
    secret = True

    def __init__(self, seat: Seat, city: int) -> None:
        super().__init__(seat)
        self.city = city

    def text(self, board: CityMap) -> str:
        """As written."""
        return f"hide {board.ids[self.city]}"


class HitlerTurn(FuhrerAction):
    """Hitler's turn as one action (X12): the city where it ends and the tickets it takes, `go ulm ticket`.

    Where the airports of departure are told: `go ulm ticket=bonn`. Nobody else may read it.
    """

    __slots__ = ("city", "city_mask", "origins")
    secret = True

    def __init__(self, seat: Seat, city: int, origins: Origins) -> None:
        super().__init__(seat)
        self.city, self.origins = city, origins
        self.city_mask = 1 << city

    def text(self, board: CityMap) -> str:
        """As written."""
        return " ".join(("go", board.ids[self.city], *_ticket_words(board, self.origins)))


class Recapture(FuhrerAction):
    """Hitler stays and re-captures his city: `recapture` (F17). All hear of it, but of no vain attempt."""

    __slots__ = ()
    secret = True

    def text(self, board: CityMap) -> str:
        """As written."""
        return RECAPTURE


class SheetEntry(FuhrerAction):
    """Hitler has written an entry on paper: `written ticket token=munich` says what of it is public.

    `recapture` and `token` are cities, or `None`. Before the first round it stands for the choice of a start.
    """

    __slots__ = ("origins", "recapture", "token")

    def __init__(self, seat: Seat, origins: Origins, recapture: int | None, token: int | None) -> None:
        super().__init__(seat)
        self.origins, self.recapture, self.token = origins, recapture, token

    def text(self, board: CityMap) -> str:
        """As written."""
        words = ["written", *_ticket_words(board, self.origins)]
        for name, city in (("recapture", self.recapture), ("token", self.token)):
            if city is not None:
                words.append(f"{name}={board.ids[city]}")
        return " ".join(words)


def _ticket_words(board: CityMap, origins: Origins) -> tuple[str, ...]:
    return tuple("ticket" if city == UNTOLD_ORIGIN else f"ticket={board.ids[city]}" for city in origins)


class EnteredSheet(Action):
    """The sheet of a paper game, entered when it is over: `sheet munich ulm ulm ...`, a city a round."""

    __slots__ = ("entries", "seat")

    def __init__(self, seat: Seat, entries: tuple[str, ...]) -> None:
        self.seat, self.entries = seat, entries

    def __str__(self) -> str:
        return " ".join(("sheet", *self.entries))

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnteredSheet) and (self.seat, self.entries) == (other.seat, other.entries)

    def __hash__(self) -> int:
        return hash((self.seat, self.entries))

    def __reduce__(self) -> tuple[Any, ...]:
        return EnteredSheet, (self.seat, self.entries)


def word_action(board: CityMap, seat: Seat, words: str) -> WordAction:
    """The one action of these words."""
    return interned_action(WordAction, board, seat, words)


def die_faces(board: CityMap) -> tuple[DieFace, ...]:
    """F06: the faces of the die."""
    return tuple(interned_action(DieFace, board, CHANCE, face) for face in (1, 2, 3))


def table_word_actions(board: CityMap, seat: Seat, seats: tuple[Seat, ...]) -> tuple[WordAction, ...]:
    """Every table action of a seat, said now or not."""
    found: tuple[WordAction, ...] | None = board.interned_actions.get((table_word_actions, seat, seats))
    if found is None:
        known: tuple[str, ...] = TABLE_WORDS if seat in seats else ()
        if seat == CLOCK:
            known = tuple(f"time {other}" for other in seats)
        found = board.interned_actions[table_word_actions, seat, seats] = tuple(
            word_action(board, seat, words) for words in known
        )
    return found
