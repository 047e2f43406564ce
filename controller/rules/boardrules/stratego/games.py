"""The five games: boards, armies and what differs in their defaults. All else is one and the same code."""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from boardrules.core import Event, OptionError, Seat, Space, State, View
from boardrules.marks import Mark
from boardrules.package import (
    BoardMismatch,
    GamePackage,
    Message,
    OptionOffer,
    PieceAppearance,
    PrintedBoard,
    Sentences,
)
from boardrules.ranges import OptionRange
from boardrules.stratego import setup_suggestions
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import board_by_name
from boardrules.stratego.option_offers import OFFERS
from boardrules.stratego.options import OPTIONS, read_options
from boardrules.stratego.pieces import RANK_BY_SIGN
from boardrules.stratego.presets import presets_of
from boardrules.stratego.printed_board import printed_board_mismatch
from boardrules.stratego.refusals import RULES_BY_CODE
from boardrules.stratego.rules import StrategoRules
from boardrules.stratego.schema import SCHEMA
from boardrules.stratego.sentences import SENTENCES
from boardrules.stratego.setup import SetupState, begin_play
from boardrules.stratego.teaching.help import HELP
from boardrules.stratego.teaching.lessons import LESSONS

if TYPE_CHECKING:
    from boardrules.art import GameArt
    from boardrules.encoding import GameEncoding
    from boardrules.notations import Notation
    from boardrules.players import Chance, GamePlayers
    from boardrules.teaching import HelpChapter, Lesson

_DUEL_ARMY: Final = {"F": 1, "B": 2, "S": 1, "2": 2, "3": 2, "9": 1, "10": 1}  # Q02
_BARRAGE_ARMY: Final = {"F": 1, "B": 1, "S": 1, "2": 2, "3": 1, "9": 1, "10": 1}  # Q03
_CLASSIC_ARMY: Final = {
    "F": 1, "B": 6, "S": 1, "2": 8, "3": 5, "4": 4, "5": 4, "6": 4, "7": 3, "8": 2, "9": 1, "10": 1,
}  # V1  # fmt: skip
_EITHER_SIDE_DEFAULTS: Final = {"no_move": "either_side"}  # V3


_RANK_NAMES: Final = {
    "10": "Field Marshal", "9": "General", "8": "Colonel", "7": "Major", "6": "Captain", "5": "Lieutenant",
    "4": "Sergeant", "3": "Miner", "2": "Scout", "S": "Spy", "B": "Bomb", "F": "Flag", "?": "hidden",
}  # fmt: skip


class Stratego(GamePackage):
    """One of the games of Stratego."""

    family = "Stratego"
    rulebook_options = MappingProxyType({"shuttle_scout": "same_endpoints", "chase_undo_exception": False})

    def __init__(
        self, game_id: str, title: str, board_name: str, army: Mapping[str, int], defaults: Mapping[str, Any]
    ) -> None:
        self.id = game_id  # type: ignore[misc]
        self.title = title  # type: ignore[misc]
        self.board_name = board_name
        self.army = army
        self.defaults = defaults
        self._latest: StrategoRules | None = None  # most games begin by the rules of the one before

    def rules_for(self, options: Mapping[str, Any]) -> StrategoRules:
        """The rules that these options make. Raises `OptionError`."""
        printed = board_by_name(self.board_name)
        read = read_options(self.id, options, self.defaults, printed, sum(self.army.values()))
        if self._latest is None or self._latest.options != read:
            self._latest = StrategoRules(self.id, printed, self.army, read)
        return self._latest

    def new(self, options: Mapping[str, Any]) -> State:
        """The empty board: both seats set up."""
        return SetupState(self.rules_for(options))

    def read_position(self, text: str, options: Mapping[str, Any]) -> State:
        """StraDoS3: a letter a square, the side to move, the number of the next turn."""
        from boardrules.stratego import positions  # a table never needs it

        return positions.read_position(self.rules_for(options), text)

    def write_position(self, state: State) -> str:
        """The same, with all that is hidden."""
        from boardrules.stratego import positions

        return positions.write_position(state)

    def resample(self, view: View, chance: Chance) -> State:
        """The other army drawn by chance, by all that the seat was told."""
        from boardrules.stratego import positions

        return positions.resample(view, chance)

    def encoding(self, options: Mapping[str, Any]) -> GameEncoding:
        """Planes of squares."""
        from boardrules.stratego.encoding import StrategoEncoding  # a table never needs it

        return StrategoEncoding(self.rules_for(options))

    def sentences(self) -> Sentences:
        """One set for all the games of Stratego."""
        return SENTENCES

    def about(self) -> Message:
        """How many pieces, on how large a board."""
        size = board_by_name(self.board_name).size
        return Message("about", {"pieces": sum(self.army.values()), "size": size}, self.id)

    def event_message(self, event: Event) -> Message:
        """A battle is told by who stands afterwards, with the ranks or without."""
        if event.kind != "battle":
            return super().event_message(event)
        data = dict(event.data)
        kind = "battle" if "attacker" in data else "silent"
        return Message(f"event {kind} {data.pop('result')}", data, self.id)

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        return SCHEMA

    def refusals(self) -> Mapping[str, str]:
        """Its closed codes."""
        return RULES_BY_CODE

    def help(self) -> tuple[HelpChapter, ...]:
        """What beats what, and what each piece does."""
        return HELP

    def lessons(self) -> Mapping[Seat, Lesson]:
        """For Duel, one for each army."""
        return LESSONS if self.id == "stratego-quick-duel" else {}

    def ranges(self, options: Mapping[str, Any]) -> Mapping[str, OptionRange]:
        """All but the mask can be listed."""
        return {name: option.range for name, option in OPTIONS.items()}

    def option_offers(self) -> tuple[OptionOffer, ...]:
        """What families like to change."""
        return OFFERS

    def piece_appearance(self) -> PieceAppearance:
        """Ranks by their names; a bomb and a flag are drawn."""
        return PieceAppearance(
            _RANK_NAMES, context="stratego", drawings={"B": "bomb", "F": "flag"}, presets=presets_of(self.id)
        )

    def suggest_setup(
        self, options: Mapping[str, Any], seat: Seat, preset: str, kept: Mapping[Space, str], chance: Chance
    ) -> Mapping[Space, str]:
        """One that is ready, or one drawn by people's habits and good sense."""
        return setup_suggestions.suggested_setup(self.rules_for(options), seat, preset, kept, chance)

    def board_mismatch(self, board: PrintedBoard, options: Mapping[str, Any]) -> BoardMismatch | None:
        """Whether the board has its squares and its lakes."""
        return printed_board_mismatch(board, self.rules_for({}).board)

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """Squares, lakes and labels."""
        from boardrules.stratego.art import StrategoArt  # a table prints nothing

        return StrategoArt(board_by_name(self.board_name), self.army, _RANK_NAMES)

    def marks(self) -> Mapping[str, Mark]:
        """Whose turn it is."""
        return {
            "turn-red": Mark("red", "dim steady", "it is Red's turn"),
            "turn-blue": Mark("blue", "dim steady", "it is Blue's turn"),
        }

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """Nothing more: whose turn it is has marks of its own."""
        return {}

    def simulated_people_kind(self) -> str:
        """Two armies of hidden pieces."""
        return "armies"

    def armies(self) -> Mapping[Seat, Mapping[str, int]]:
        """Both alike."""
        return dict.fromkeys(SEATS, self.army)

    def players(self) -> GamePlayers:
        """Four levels, and three to measure by."""
        from boardrules.stratego.players.levels import PLAYERS  # a table where people play needs none

        return PLAYERS

    def notations(self) -> tuple[Notation, ...]:
        """The JSON of game collections, and Gravon's letters."""
        from boardrules.stratego.gravon_files import GRAVON_GSN, GRAVON_XML
        from boardrules.stratego.gravon_notation import GRAVON  # a table never needs them
        from boardrules.stratego.neutral_notation import NEUTRAL

        return NEUTRAL, GRAVON, GRAVON_XML, GRAVON_GSN


QUICK_DUEL: Final = Stratego("stratego-quick-duel", "Stratego Quick Battle: Duel", "8x8", _DUEL_ARMY, {})
QUICK_BARRAGE: Final = Stratego(
    "stratego-quick-barrage", "Stratego Quick Battle: Barrage", "8x8", _BARRAGE_ARMY, {}
)
CLASSIC: Final = Stratego(
    "stratego-classic", "Stratego", "10x10", _CLASSIC_ARMY, {**_EITHER_SIDE_DEFAULTS, "shuttle": 5}
)
BARRAGE: Final = Stratego(
    "stratego-barrage", "Stratego Barrage", "10x10", _BARRAGE_ARMY, _EITHER_SIDE_DEFAULTS
)
DUEL: Final = Stratego("stratego-duel", "Stratego Duel", "10x10", _DUEL_ARMY, _EITHER_SIDE_DEFAULTS)

GAMES: Final = (QUICK_DUEL, QUICK_BARRAGE, CLASSIC, BARRAGE, DUEL)


def rules_of(game_id: str, options: Mapping[str, Any]) -> StrategoRules:
    """The rules of the game with that id."""
    return next(game for game in GAMES if game.id == game_id).rules_for(options)


def make_position(
    game_id: str,
    red: Mapping[str, str],
    blue: Mapping[str, str],
    options: Mapping[str, Any] | None = None,
    to_move: str = "red",
) -> State:
    """A position made up of any pieces (square -> rank) on any squares, as study and tests need it.

    Raises `OptionError`, or `ValueError` naming what stands where it can't.
    """
    rules = rules_of(game_id, options or {})
    taken = set()
    for square, rank in (*red.items(), *blue.items()):
        known = square in rules.board.squares and not rules.board.mask_of_names((square,)) & rules.board.lakes
        if not known or square in taken or rank not in RANK_BY_SIGN:
            raise ValueError(f"{square}={rank}: no such square or rank, a lake, or two pieces on a square")
        taken.add(square)
    if to_move not in ("red", "blue"):
        raise ValueError(f"{to_move!r} can't move; expected red or blue")
    return begin_play(rules, red, blue, side=("red", "blue").index(to_move))[0]


__all__ = ["GAMES", "OptionError", "Stratego", "make_position", "rules_of"]
