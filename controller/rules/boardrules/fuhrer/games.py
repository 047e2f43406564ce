"""Fall of the Führer with all that belongs to it. Each part is loaded when it is needed, as memory is
short."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from boardrules.art import GameArt
from boardrules.core import Seat, State, View
from boardrules.encoding import GameEncoding
from boardrules.fuhrer.actions import HITLER, PIECES
from boardrules.fuhrer.ends import ALLIES, side_of_seat
from boardrules.fuhrer.lamps import MARKS, finale
from boardrules.fuhrer.lamps import lamp_marks as shown
from boardrules.fuhrer.maps import ORIGINAL, map_by_text
from boardrules.fuhrer.option_offers import OFFERS
from boardrules.fuhrer.options import OPTION_RANGES, OPTION_VALUES, read_options
from boardrules.fuhrer.play import initial_state
from boardrules.fuhrer.printed_board import map_mismatch
from boardrules.fuhrer.refusals import RULES_BY_CODE
from boardrules.fuhrer.rules import rules_of
from boardrules.fuhrer.schema import SCHEMA
from boardrules.fuhrer.sentences import SENTENCES
from boardrules.fuhrer.teaching.help import HELP
from boardrules.fuhrer.teaching.lessons import LESSONS
from boardrules.marks import Mark
from boardrules.package import (
    BoardMismatch,
    ConfigFile,
    GameBox,
    GamePackage,
    Message,
    OptionOffer,
    PieceAppearance,
    PrintedBoard,
    Sentences,
    SimplePlayers,
)
from boardrules.players import Chance, GamePlayers
from boardrules.ranges import OptionRange
from boardrules.teaching import HelpChapter, Lesson


class FallOfTheFuhrer(GamePackage):
    """Two to four players: one hides, the others look for him with three pieces."""

    id = "fall-of-the-fuhrer"
    title = "Fall of the Führer"
    player_counts = (2, 3, 4)
    rulebook_options = MappingProxyType({"tank_roll": "always", "start_cities": "any"})
    highlight_kinds = frozenset({"ticket", "flight", "liberated", "recaptured", "captured"})

    def about(self) -> Message:
        """Who hides, and who looks for him."""
        return Message("about", {}, self.id)

    def new(self, options: Mapping[str, Any]) -> State:
        """The empty board: the Allies set up first (F03)."""
        return initial_state(rules_of(read_options(self.id, options)))

    def resample(self, view: View, chance: Chance) -> State:
        """With a sheet that leads to all that was told."""
        from boardrules.fuhrer import resampling  # a table never needs it

        return resampling.resample(view, chance)

    def count_consistent(self, view: View) -> int:
        """The sheets that lead to all that was told."""
        from boardrules.fuhrer import resampling

        return resampling.count_consistent(view)

    def encoding(self, options: Mapping[str, Any]) -> GameEncoding:
        """Rows of cities."""
        from boardrules.fuhrer.encoding import FuhrerEncoding  # a table never needs it

        return FuhrerEncoding(rules_of(read_options(self.id, options)))

    def sentences(self) -> Sentences:
        """What the game says."""
        return SENTENCES

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        return SCHEMA

    def refusals(self) -> Mapping[str, str]:
        """Its closed codes."""
        return RULES_BY_CODE

    def help(self) -> tuple[HelpChapter, ...]:
        """What each piece, ticket and question does."""
        return HELP

    def lessons(self) -> Mapping[Seat, Lesson]:
        """One for each side."""
        return LESSONS

    def ranges(self, options: Mapping[str, Any]) -> Mapping[str, OptionRange]:
        """All but the map can be listed."""
        return OPTION_RANGES

    def option_offers(self) -> tuple[OptionOffer, ...]:
        """The readings of the rules that groups differ about."""
        return OFFERS

    def marks(self) -> Mapping[str, Mark]:
        """Flags, the token, the calendar, tickets and the die."""
        return MARKS

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """What they show of everybody's view."""
        return shown(view)

    def finale(self, view: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """His way, round by round."""
        return finale(view)

    def winning_seats(self, winner: str, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        """Hitler, or all who play the Allies."""
        return tuple(seat for seat in seats if side_of_seat(seat) == winner)

    def config_files(self) -> tuple[ConfigFile, ...]:
        """A map of one's own."""
        return (ConfigFile("map", "map", "a map"),)

    def piece_appearance(self) -> PieceAppearance:
        """Three pieces by their names, their silhouettes and colours, and whoever hides."""
        from boardrules.fuhrer.drawing.silhouettes import (
            HITLER_SIGN,
            PIECE_COLOURS,
            SILHOUETTES,
            silhouette_path,
        )

        return PieceAppearance(
            {"tank": "Tank", "spy": "Spy", "infantry": "Infantry"},
            drawings={HITLER_SIGN if name == HITLER else name: silhouette_path(name) for name in SILHOUETTES},
            colours={piece: PIECE_COLOURS[piece] for piece in PIECES},
            picture=True,
            scene="hunt",
        )

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """The map, its calendar, tickets and flags."""
        from boardrules.fuhrer.drawing.art import MapArt

        return MapArt(map_by_text(str(options.get("map", ORIGINAL))))

    def box(self, state: State) -> GameBox:
        """Three pieces with their names."""
        return GameBox({}, state.view(None).json()["owners"])

    def board_mismatch(self, board: PrintedBoard, options: Mapping[str, Any]) -> BoardMismatch | None:
        """Whether the board was made of another map."""
        return map_mismatch(board, str(options["map"]))

    def simulated_people_kind(self) -> str:
        """Few pieces that everybody knows, and one player without any."""
        return "hunters"

    def simple_players(self) -> SimplePlayers:
        """He hides where they look least, they go where he may be."""
        from boardrules.fuhrer.simple_players import IRRELEVANT_OPTIONS, choose_or_roll

        return SimplePlayers(
            choose_or_roll, HITLER, ALLIES, "Allies", OPTION_VALUES, itemgetter("round"), IRRELEVANT_OPTIONS
        )

    def players(self) -> GamePlayers:
        """He asks himself what they believe; they plan by what they believe."""
        from boardrules.fuhrer.bots.levels import PLAYERS

        return PLAYERS


GAME: Final = FallOfTheFuhrer()
