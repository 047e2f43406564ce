"""What the page may ask of whoever runs the table. There is no way from here to a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from boardrules.core import Seat, Space
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.table.seat_views import PublicPieces

if TYPE_CHECKING:
    from boardumpire.history.statistics import Tally


class ScreenListener(Protocol):
    """A screen."""

    address: str
    language: str
    """What it is told in."""

    def send(self, text: str) -> None:
        """Send a frame, without waiting."""

    def hang_up(self, code: int, why: str) -> None:
        """End it."""


class TableApi(Protocol):
    """The daemon, or whatever else runs a table. What is refused is a `ValueError` or `BoardumpireError`."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""

    @property
    def game(self) -> str:
        """The id of the game that is played."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options in force in that game."""

    @property
    def players(self) -> Mapping[Seat, str]:
        """By seat the name of who sits there: those that gave one."""

    @property
    def has_table(self) -> bool:
        """Whether a table is running: after a power cut there is none for a while."""

    def submit_command(self, seat: Seat, text: str) -> None:
        """A seat says an action, `yes`, `no`, or a proposal. What is refused is for it alone."""

    def check_action(self, seat: Seat, text: str) -> None:
        """Ask for a seat what the umpire would say to it, without doing it."""

    def suggest_setup(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up for a seat, by space the print of each piece, for its own screen alone.

        `preset`: one that is ready; else by chance, around the set-up so far (`text`, or nothing).
        """

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat (`None`: everybody) may know."""

    def public_pieces(self) -> PublicPieces:
        """Whose piece stands where, as everybody may see, and which may take which."""

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What a seat may do now, for its own screen alone."""

    def status(self) -> dict[str, Any]:
        """What everybody can see on the board: `chores`, `marks`, `question`, `proposal`, `over`."""

    def earlier_messages(self) -> Sequence[SeatMessage]:
        """What was told in public of this game before the table was opened, from the journal."""

    def public_views(self, first: int) -> Sequence[dict[str, Any]]:
        """What everybody could see once so many messages of `told` were told, and after each further one."""

    def printed_board(self) -> dict[str, Any]:
        """What is printed on the board (`describe.printed`)."""

    def board_picture(self, language: str, *, turned: bool = False) -> str:
        """The picture of the board as SVG, with its names in that language; nothing where the game has none.

        `turned`: as it is seen from the far side.
        """

    def begin_game(self, changes: Mapping[str, Any] | None = None) -> None:
        """Begin another game, the same as before but for what is `changes`."""

    def next_game_options(self) -> dict[str, Any]:
        """What may be wanted of the next game: `games`, and at this moment `game`, `clock`, `players` and, by
        game, `options`."""

    def clocks(self) -> dict[str, Any] | None:
        """What each seat has left as of now; `None` where time is not limited."""

    def answer_window(self) -> dict[str, Any] | None:
        """How long what is open may still be answered, as of now (`left_ms`, `runs`); `None`: nothing is."""

    def propose(self, by: Seat, thing: str, *, ask_everybody: bool = False) -> bool:
        """Propose to the other seats, or to `ask_everybody`, what is for the service to do.

        `False` while something else is asked.
        """

    @property
    def machine_commands(self) -> tuple[str, ...]:
        """What the machine can be told to do: `shut-down`, `update`."""

    @property
    def is_sound_on(self) -> bool:
        """Whether the board's buzzer sounds."""

    def set_sound(self, on: bool) -> None:
        """Let the board's buzzer sound or not."""

    def further_board_choices(self) -> dict[str, Any] | None:
        """What there is to choose of a further board: `boards`, `seats`, and whether one that came
        is `removable`; `None`: none can come."""

    def invite_board(self, board: str, seat: str) -> dict[str, Any]:
        """A `code` by which another machine's board comes to the table, for how long it holds (`lasts_s`),
        and the `address` to type there. Raises `BoardumpireError`."""

    def remove_further_board(self) -> None:
        """Play without that board again. Raises `BoardumpireError`."""

    async def shut_down(self) -> None:
        """Have the machine shut down, then stop."""

    async def update_program(self) -> None:
        """Have the program brought up to date."""

    def finished_games(self) -> list[dict[str, Any]]:
        """The games that are over: number, when, what, how it ended, for whom."""

    def tallies(self) -> Sequence[Tally]:
        """Who played what how often and won, in all games that are over."""

    def replay_steps(self, number: int, first: int, count: int) -> Mapping[str, Any]:
        """Steps of a game that is over. Raises `JournalError` for one that is not, or is none."""

    async def analyse_move(self, number: int, step: int) -> Mapping[str, Any]:
        """What the strongest player would have done at a step of a game that is over.

        Raises `JournalError` as `replay` and where nobody chose, `BoardumpireError` where too many ask.
        """
