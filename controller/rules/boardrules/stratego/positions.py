"""Positions amid a game: as text (StraDoS3), and completed by chance from what one seat knows.

A text has a letter for each square from a1 row by row, as in `gravon_notation`, then `r` or `b` for the side
to move and the number of the next turn. A small letter is a piece whose rank everybody was told:

    AAMAALAAAABAAAAAAAAA...AAYAA r 57

What such a text doesn't say is as at the beginning of a game: nobody has gone back and forth, no battle is
known, and who stands in the own zone has not moved.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from boardrules.core import State, View
from boardrules.notations import NotationError
from boardrules.players import Chance
from boardrules.stratego.actions import SEATS
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import initial_hidden_ranks
from boardrules.stratego.gravon_notation import PIECES_BY_LETTER
from boardrules.stratego.moves import legal_moves
from boardrules.stratego.pieces import IMMOVABLE_RANKS, RANK_BY_SIGN, RANK_SIGNS
from boardrules.stratego.play import StrategoState
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.rules import StrategoRules
from boardrules.stratego.setup import SetupState, SetupView, begin_play, draw_setup
from boardrules.stratego.views import StrategoView

MAX_DEALS: Final = 200
"""How often an army is drawn anew that doesn't lead to the view."""
_SIDE_LETTERS: Final = "rb"
_POSITION_PATTERN: Final = re.compile(r"([A-Za-z_]+)(?: ([rb]) ([0-9]{1,6}))?")


def read_position(rules: StrategoRules, text: str) -> State:
    """The position that a text describes. Raises `NotationError`."""
    found = _POSITION_PATTERN.fullmatch(text.strip())
    squares = len(rules.board.names)
    if found is None or len(found[1]) != squares:
        raise NotationError(f"{text[:40]!r}; try {squares} letters, r or b, and the number of the next turn")
    armies = _read_armies(rules, found[1])
    side, turn = _SIDE_LETTERS.index(found[2] or "r"), int(found[3] or 1)
    if turn < 1:
        raise NotationError("turn 0; try 1 or more")
    state, _ = begin_play(rules, armies[0], armies[1], side=side)
    if not isinstance(state, StrategoState) or state.outcome is not None:
        raise NotationError("nobody can move; try a position that can be played")
    facts = state.facts
    told = bytearray(len(facts.square_by_piece))
    for piece, square in enumerate(facts.square_by_piece):
        if found[1][square].islower():
            told[piece] = state.hidden_ranks.ranks[piece]
    open_ = bytes(told) if rules.keeps_ranks_visible else bytes(len(told))
    revealed = facts.revealed._replace(
        announced_ranks=bytes(told), visible_ranks=open_, last_battle_ply=turn - 1
    )
    outside = (facts.red_squares & ~rules.board.zones[0]) | (facts.blue_squares & ~rules.board.zones[1])
    facts = replace(facts, revealed=revealed, ply=turn - 1, reached_squares=outside)
    return StrategoState(facts, state.hidden_ranks, legal_moves(facts, state.hidden_ranks))


def _read_armies(rules: StrategoRules, field: str) -> tuple[dict[str, str], dict[str, str]]:
    """By side its pieces by square."""
    board = rules.board
    armies: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for square, (name, letter) in enumerate(zip(board.names, field, strict=True)):
        lake = bool(board.lakes >> square & 1)
        if letter in "A_":
            if lake != (letter == "_"):
                raise NotationError(f"{letter!r} on {name}; try _ on a lake, and A on a square without piece")
            continue
        piece = PIECES_BY_LETTER.get(letter.upper())
        if piece is None or lake:
            raise NotationError(f"{letter!r} on {name}; try A to Y on squares, and _ on lakes")
        seat, rank = piece
        side = SEATS.index(seat)
        if RANK_BY_SIGN[rank] in IMMOVABLE_RANKS and not board.zones[side] >> square & 1:
            raise NotationError(f"a {rank} of {seat} on {name}; try it where {seat} sets up")
        armies[side][name] = rank
    for seat, army in zip(SEATS, armies, strict=True):
        for rank, count in Counter(army.values()).items():
            if count > rules.army.get(rank, 0):
                raise NotationError(f"{count} pieces {rank} of {seat}; try at most {rules.army.get(rank, 0)}")
        if "F" not in army.values():
            raise NotationError(f"no F of {seat}; try one")
    return armies


def write_position(state: State) -> str:
    """The text of a position, with all that is hidden. Raises `NotationError` amid the set-up."""
    if not isinstance(state, StrategoState):
        raise NotationError("a set-up; try a position after it")
    facts, board = state.facts, state.facts.rules.board
    letters = {piece: letter for letter, piece in PIECES_BY_LETTER.items()}
    field = ["_" if board.lakes >> square & 1 else "A" for square in range(len(board.names))]
    for piece, square in enumerate(facts.square_by_piece):
        if square != CAPTURED_SQUARE:
            letter = letters[SEATS[facts.owner_side(piece)], RANK_SIGNS[state.hidden_ranks.ranks[piece]]]
            field[square] = letter.lower() if facts.revealed.announced_ranks[piece] else letter
    return f"{''.join(field)} {_SIDE_LETTERS[facts.side]} {facts.ply + 1}"


def resample(view: View, chance: Chance) -> State:
    """A state that the seat of a view can't tell from the real one. Each is possible, not each as likely.

    Raises `ValueError` for a view of nobody's, or of a game that is over.
    """
    if view.seat is None or not isinstance(view, SetupView | StrategoView) or view.outcome is not None:
        raise ValueError("expected the view of a seat whose game goes on")
    if isinstance(view, SetupView):
        setups = [
            view.own_setup if seat == view.seat
            else draw_setup(view.rules, seat, chance) if ready
            else None
            for seat, ready in zip(SEATS, view.ready, strict=True)
        ]  # fmt: skip
        return SetupState(view.rules, (setups[0], setups[1]))
    beliefs, facts = Beliefs(view), view.facts
    fallen = tuple(piece for piece, square in enumerate(facts.square_by_piece) if square == CAPTURED_SQUARE)
    for _ in range(MAX_DEALS):
        ranks = _deal_ranks(beliefs, chance)
        if ranks is None:
            continue
        deal = initial_hidden_ranks(ranks, facts.revealed.red_count).without_pieces(fallen)
        legal = legal_moves(facts, deal)
        if legal:  # else the game would be over
            return StrategoState(facts, deal, legal)
    raise ValueError(f"no army was found in {MAX_DEALS} draws that leads to this view")


def _deal_ranks(beliefs: Beliefs, chance: Chance) -> bytes | None:
    """By piece a rank that it may have; `None` where the draw came to an end too early."""
    ranks, free = bytearray(beliefs.known_ranks), list(beliefs.hidden_pieces)
    fixed = [rank for rank in beliefs.remaining_ranks if rank in IMMOVABLE_RANKS]
    others = beliefs.remaining_ranks[len(fixed) :]
    for rank in fixed + chance.sample(others, len(others)):
        fitting = [piece for piece in free if beliefs.possible_ranks[piece] >> rank & 1]
        if not fitting:
            return None
        piece = fitting[chance.randrange(len(fitting))]
        free.remove(piece)
        ranks[piece] = rank
    return bytes(ranks)
