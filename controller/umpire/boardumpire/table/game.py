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
from boardumpire.tracking.open_doubts import OpenDoubts
from boardumpire.tracking.tracker import Tracker


class ResumedGame(NamedTuple):
    """What the journal says of a game beside its state."""

    hand_played_spaces: frozenset[Space] = frozenset()
    """Spaces that the seats agreed to play by hand."""
    winner_space: Space | None = None
    """Where the last battle left a winner to be set down, and nothing says yet that he was."""
    quiet_moves: QuietMoves | None = None
    """The moves that their owners may put back; `None`: nothing was played before."""
    is_turned: bool = False
    """Whether the board is played turned half round."""
    open_doubts: OpenDoubts = OpenDoubts()
    """What was in doubt, and nobody has said yet."""
    last_battle: tuple[Space, Space] | None = None
    """Between which spaces (origin, target) the action that carried a piece last was a battle."""
    latest_arrivals: Mapping[Space, bool] = {}
    """Where the pieces stand that came there last, of each side by a move (false) and by a battle that it won
    (true), the latest first."""
    clocks: GameClocks | None = None
    """What each seat has left; `None`: nobody's time is limited."""
    has_actions: bool = False
    """Whether anything was done in this game before."""
    has_begun: bool = False
    """Whether anything was done in it since all were set up."""
    tag_bindings: str = ""
    """Which tag is which piece, as `TagAudit.bindings_text` says it."""
    players: Mapping[Seat, str] = {}
    """By seat the name of who sits there: those that gave one."""
    was_journal_repaired: bool = False
    """Whether the journal was damaged and is whole again."""
    spaces_changing_side: frozenset[Space] = frozenset()
    """Where a piece of another side belongs than before, since the board was in order last."""
    journal_losses: tuple[LostActions, ...] = ()
    """What damage took, and nobody has agreed to go on without yet."""


class TableGame(NamedTuple):
    """One game: its rules, who follows the hands, where it is written down."""

    history: GameHistory
    tracker: Tracker
    pending_writes: PendingWrites
    export_record: Callable[[], str]
    """Writes down the game so far as everybody may read it."""
    resumed_game: ResumedGame = ResumedGame()
    dice: Dice = RealDice()
    """Throw for chance; with `RealDice` people do, and say what real ones show."""
