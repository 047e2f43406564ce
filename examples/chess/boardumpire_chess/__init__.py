"""Chess by the rules of python-chess: what follows puts its board into the words of `boardrules`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules import schema
from boardrules.art import GameArt
from boardrules.core import OptionError, Space, State
from boardrules.notations import Notation, NotationError
from boardrules.package import GamePackage, Message, OptionOffer, PieceAppearance, Sentences
from boardrules.players import GamePlayers
from boardumpire_chess.play import SIGNS, ChessState
from boardumpire_chess.start import OFFERS, board_of, read_options
from boardumpire_chess.texts import TEXTS


class Chess(GamePackage):
    """The game with all that belongs to it."""

    id = "chess"
    title = "Chess"

    def new(self, options: Mapping[str, Any]) -> State:
        """The first position: by the option `fen` any other than the usual one; `chess960`: castling
        by the rules of Chess960; `arrange`: hands first set up what position they like."""
        read = read_options(self.id, options)
        if read["arrange"]:
            from boardumpire_chess.arranging import ArrangingState  # few games begin so

            return ArrangingState.begin(board_of(read), read)
        return ChessState.begin(board_of(read), read)

    def option_offers(self) -> tuple[OptionOffer, ...]:
        """What the dialog for a new game asks."""
        return OFFERS

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """What the trays are called while a position is set up."""
        return {tray: Message(f"space {tray}", {}, self.id) for tray in state.trays()}

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        piece = schema.fields({"seat": schema.TEXT, "kind": schema.TEXT})
        return schema.view(
            {
                "board": schema.with_description(schema.by_name(piece), "by square the piece there"),
                "fen": schema.TEXT,
                "reached": schema.with_description(
                    schema.nullable(schema.TEXT), "where a pawn becomes another piece"
                ),
                "offer": schema.OFFER,
                "check": schema.BOOLEAN,
                "arranging": schema.with_description(schema.BOOLEAN, "a position is set up with the pieces"),
                "chess960": schema.with_description(
                    schema.BOOLEAN, "castling is from the king's square to the rook's"
                ),
            }
        )

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences(TEXTS, name_families={"piece": "piece"})

    def piece_appearance(self) -> PieceAppearance:
        """The pieces by their figurines."""
        return PieceAppearance(signs=SIGNS)

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """Dark and light squares."""
        from boardumpire_chess.art import Chequered  # a table prints nothing

        return Chequered()

    def read_position(self, text: str, options: Mapping[str, Any]) -> State:
        """Forsyth-Edwards notation."""
        try:
            return self.new({**options, "fen": text})
        except OptionError as error:
            raise NotationError(str(error)) from None

    def write_position(self, state: State) -> str:
        """The same."""
        return str(state.view(None).json()["fen"])

    def players(self) -> GamePlayers:
        """Three levels, and more where there is an engine."""
        from boardumpire_chess.players import players  # only a player's own process needs it

        return players()

    def notations(self) -> tuple[Notation, ...]:
        """PGN."""
        from boardumpire_chess.pgn import PGN  # a table never needs it

        return (PGN,)


GAME: Final = Chess()
