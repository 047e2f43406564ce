"""Read access to the table, journal and board of a service, for the page and the control socket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from boardrules.core import Seat, Space, joined_seats
from boardumpire.errors import BoardumpireError
from boardumpire.journal.journal import Store
from boardumpire.messages import announce, disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import monotonic
from boardumpire.table.seat_views import PublicPieces
from boardumpire.table.table import Table
from boardumpire.table.table_board import TableBoard
from boardware.parts import BoardDescription

if TYPE_CHECKING:
    from boardumpire.commands.analysis import MoveAnalyser
    from boardumpire.history.statistics import Statistics, Tally


class ServiceView:
    """The table, its journal and its board, as far as they are open. `Daemon` extends it."""

    _board: BoardDescription
    _store: Store

    def __init__(self, game: str) -> None:
        self.game = game
        """The id of the game that is played."""
        self.options: Mapping[str, Any] = {}
        """The options in force in that game."""
        self.players: Mapping[Seat, str] = {}
        """By seat the name of who sits there: those that gave one."""
        self._table: Table | None = None
        self._seats: tuple[Seat, ...] = ()
        self._space_names: Mapping[Space, str] = {}
        """Names of the board's spaces."""
        self._scenery: dict[str, Any] = {}
        self._resumed_number: int | None = None
        """The number of the game that the table found unfinished in the journal."""
        self._earlier_messages: Sequence[SeatMessage] = ()
        """The messages of that game so far."""
        self._analysis: MoveAnalyser | None = None
        self._statistics: Statistics | None = None
        self._silent_seats: frozenset[str] = frozenset()
        """The seats whose computer players don't answer."""

    def _remember_table(self, table: Table) -> None:
        """Remember what stays the same through a power cut."""
        self.game, self.options, self.players = table.game_id, table.options, table.players
        self._seats, self._space_names, self._scenery = table.seats, table.space_names, table.scenery()

    @property
    def table(self) -> Table:
        """The table. Raises `BoardumpireError` while there is none."""
        if self._table is None:
            raise BoardumpireError(announce.sentence_by_id("answer off"))
        return self._table

    @property
    def has_table(self) -> bool:
        """Whether there is a table."""
        return self._table is not None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""
        return self._seats

    def check_action(self, seat: Seat, text: str) -> None:
        """Raise what saying it would raise, and do nothing."""
        self.table.check(seat, text)

    def suggest_setup(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up for a seat, for its own screen alone."""
        return self.table.suggest_set_up(seat, preset, text)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What a seat may do now, for its own screen alone."""
        return self.table.choices(seat)

    def earlier_messages(self) -> Sequence[SeatMessage]:
        """What was told of this game before its table was opened."""
        return [
            disclosure.with_space_names(message, self._space_names, self.game, self.players)
            for message in self._earlier_messages
        ]

    def public_views(self, first: int) -> list[dict[str, Any]]:
        """What everybody could see once so many messages of `told` were told, and after each further one."""
        if self._resumed_number is None:
            return [self.view(None)]
        from boardumpire.history import replays

        return replays.public_views(self._store, self._resumed_number, first)

    def printed_board(self) -> dict[str, Any]:
        """What is printed on the board."""
        from boardumpire.web.board_description import board_as_json, piece_looks

        return {
            **board_as_json(self._board, self._space_names),
            "looks": piece_looks(self.game),
            **({"scenery": self._scenery} if self._scenery else {}),
        }

    def board_picture(self, language: str, *, turned: bool = False) -> str:
        """The picture of the board for screens."""
        from boardumpire.drawing.screen import board_svg

        return board_svg(self._board, self.game, self.table.options, language, turned=turned)

    def finished_games(self) -> list[dict[str, Any]]:
        """The games that are over, latest first."""
        from boardumpire.history import replays
        from boardumpire.history.statistics import Statistics

        self._statistics = known = self._statistics or Statistics()
        return [
            {**game, "results": known.results(self._store, game["number"])}
            for game in replays.list_finished_games(self._store)
        ]

    def tallies(self) -> list[Tally]:
        """Who played what how often and won."""
        from boardumpire.history.statistics import Statistics

        self._statistics = self._statistics or Statistics()
        return self._statistics.tallies(self._store)

    def replay_steps(self, number: int, first: int, count: int) -> dict[str, Any]:
        """Steps of a game that is over."""
        from boardumpire.history import replays

        steps = replays.replay_steps(self._store, number, first, count, self._board.lamps)
        game, players = steps["game"], steps["players"]
        placed: dict[str, Any] = announce.with_space_names(steps, self._space_names, game, players)
        return placed | {"players": announce.named_seats(players, game)}

    async def analyse_move(self, number: int, step: int) -> dict[str, Any]:
        """What the strongest player would have done at a step of a game that is over
        (`MoveAnalyser.analyse_step`)."""
        if self._analysis is None:
            from boardumpire.commands.analysis import MoveAnalyser  # where nobody asks none is needed

            self._analysis = MoveAnalyser(lambda: self._store)
        return await self._analysis.analyse_step(number, step)

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat (`None`: everybody) may know."""
        return self.table.view(seat)

    def public_pieces(self) -> PublicPieces:
        """Whose piece stands where, as everybody may see, and which may take which."""
        return self.table.pieces()

    def answer_window(self) -> dict[str, Any] | None:
        """How long what is open may still be answered, as of now; `None` where nothing is."""
        return self.table.answer_deadlines.json(monotonic())

    def status(self) -> dict[str, Any]:
        """What everybody can see on the board, and whether the game is over."""
        table = self.table
        guidance, proposed = (
            table.guidance,
            [disclosure.proposal_message(0, each).data for each in table.proposals],
        )
        status: dict[str, Any] = {
            **disclosure.corrections_message(0, guidance.corrections).data,
            "marks": dict(table.marks),
            "question": None
            if guidance.question is None
            else disclosure.question_message(0, guidance.question).data,
            "proposal": proposed[-1] if proposed else None,
            "proposals": proposed,
            "clocks": table.clocks(),
            "window": table.answer_deadlines.json(),
            "over": table.is_over,
            "waits": table.waiting_sentence,
            "silent": [
                announce.sentence_by_id("trouble player", seat=seat) for seat in sorted(self._silent_seats)
            ],
            "reeds": [suspect._asdict() for suspect in table.reed_health.suspects()],
        }
        if len(table.boards) > 1:
            status["boards"] = [self._status_at(board) for board in table.boards]
        named: dict[str, Any] = announce.with_space_names(status, self._space_names, self.game, self.players)
        return named

    def _status_at(self, board: TableBoard) -> dict[str, Any]:
        """What everybody can see at one of several boards, and whose hands act there."""
        match, guidance = board.match, board.match.guidance
        others = [other for other in self.table.boards if other is not board and not other.match.is_ready]
        waits = self.table.waiting_sentence
        if waits is None and others and match.is_ready and guidance.question is None:
            other = next((each for each in others if each.match.has_silent_bank), others[0])
            where = joined_seats(sorted(other.home)) or other.name
            why = "silent" if other.match.has_silent_bank else "waits"
            waits = announce.sentence_by_id(f"at board {why}", seat=where)
        return {
            "name": board.name,
            "seats": sorted(board.home),
            **disclosure.corrections_message(0, guidance.corrections).data,
            "marks": dict(board.display.marks),
            "question": None
            if guidance.question is None
            else disclosure.question_message(0, guidance.question).data,
            "waits": waits,
        }

    def standing_pieces(self) -> dict[str, Any]:
        """What is felt to stand where at this moment, in which game, and the clocks: public."""
        return {"game": self.game, "standing": self.table.standing_pieces(), "clocks": self.clocks()}

    def clocks(self) -> dict[str, Any] | None:
        """What each seat has left as of now; `None` where time is not limited."""
        return self.table.clocks(monotonic())
