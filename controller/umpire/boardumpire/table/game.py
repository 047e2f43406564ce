"""What one game on a board is made of, as it is opened: new, or as the journal has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from boardrules.core import Seat, Space
from boardrules.history import GameHistory
from boardumpire.journal.merge import LostActions
from boardumpire.ruling.clocks import GameClocks
from boardumpire.ruling.dice import Dice, RealDice
from boardumpire.ruling.umpire import QuietMoves
from boardumpire.table.pending import PendingWrites
from boardumpire.table.unfelt_moves import UnfeltMove
from boardumpire.tracking.open_doubts import OpenDoubts
from boardumpire.tracking.timing import TrackerTiming


class ResumedBoard(NamedTuple):
    """What the journal says of one board of a game."""

    blind: frozenset[Space] = frozenset()
    """Spaces that the seats agreed to play by hand."""
    exchange: Space | None = None
    """Where the last battle left a winner to be set down, and nothing says yet that he was."""
    turned: bool = False
    """Whether the board is played turned half round."""
    doubts: OpenDoubts = OpenDoubts()
    """What was in doubt, and nobody has said yet."""
    battle: tuple[Space, Space] | None = None
    """Between which spaces (origin, target) the action that carried a piece last was a battle."""
    arrived: Mapping[Space, bool] = {}
    """Where the pieces stand that came there last, of each side by a move (false) and by a battle that it won
    (true), the latest first."""
    bound: str = ""
    """Which tag is which piece, as `TagAudit.bindings_text` says it."""
    changed_sides: frozenset[Space] = frozenset()
    """Where a piece of another side belongs than before, since the board was in order last."""
    unfelt_moves: tuple[UnfeltMove, ...] = ()
    """What was to be carried there unfelt, and nobody has said yet that it was."""
    is_continued: bool = False
    """Whether the game began before this start: what stands on the board was stood in it."""


class ResumedGame(NamedTuple):
    """What the journal says of a game beside its state."""

    boards: Mapping[str, ResumedBoard] = {}
    """By the names of its boards; the only one has none."""
    quiet_moves: QuietMoves | None = None
    """The moves that their owners may put back; `None`: nothing was played before."""
    clocks: GameClocks | None = None
    """What each seat has left; `None`: nobody's time is limited."""
    has_actions: bool = False
    """Whether anything was done in this game before."""
    has_begun: bool = False
    """Whether anything was done in it since all were set up."""
    players: Mapping[Seat, str] = {}
    """By seat the name of who sits there: those that gave one."""
    was_journal_repaired: bool = False
    """Whether the journal was damaged and is whole again."""
    journal_losses: tuple[LostActions, ...] = ()
    """What damage took, and nobody has agreed to go on without yet."""


def at_board(name: str) -> str:
    """How a note begins that is about one of several boards; about the only one of a table it is empty."""
    return f"at {name}: " if name else ""


def split_board(text: str) -> tuple[str, str]:
    """The board that a note is about (`at_board`), and the rest of it."""
    head, found, rest = text.partition(": ")
    word, _, name = head.partition(" ")
    return (name, rest) if found and word == "at" else ("", text)


class TableGame(NamedTuple):
    """One game: its rules, how patiently hands are followed, where it is written down."""

    history: GameHistory
    timing: TrackerTiming
    pending_writes: PendingWrites
    export_record: Callable[[], str]
    """Writes down the game so far as everybody may read it."""
    resumed_game: ResumedGame = ResumedGame()
    dice: Dice = RealDice()
    """Throw for chance; with `RealDice` people do, and say what real ones show."""
