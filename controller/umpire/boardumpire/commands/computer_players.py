"""Computer players: each in a process of its own, which gets what its seat may know.

What it says is said as from a phone. What hands have to do for it lamps show: which piece to lift, and where
to put it. On a simulated board hands of its own do that; on a real one, people do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import boardrules
from boardrules import baseline_players
from boardrules.core import Seat, Space, State
from boardrules.players import MAX_THINKING_S
from boardumpire.commands.player_process import (
    DEFAULT_TIME_BUDGET,
    LINE_MAX_CHARS,
    PlayerFailed,
    PlayerTooSlow,
    StartPlayer,
    TimeBudget,
    run_player,
)
from boardumpire.commands.referee import observation
from boardumpire.errors import BoardumpireError, ConfigError, SeatError, public_error_text
from boardumpire.messages import disclosure
from boardumpire.ruling.dice import SYSTEM_DICE
from boardumpire.ruling.proposals import SEATING_REQUESTS
from boardumpire.ruling.umpire import seat_that_may_say
from boardumpire.service.clock import loop_time_s, monotonic
from boardumpire.service.config import ConfigOrigin
from boardumpire.supervision import Backoff, keep_running
from boardumpire.table.errands import AssistedMove
from boardumpire.table.table import Table
from boardumpire.tracking.questions import NAMED_ANSWER_CODES, TrackerQuestion

POLL_INTERVAL_S = 0.5
"""How often a player looks at the table without a message."""
REACH_DELAY_S = 0.6
"""How long hands wait before they reach for a piece, so that people see whose turn it is."""
ACTION_TIME_STEP_S = 0.5
"""What it does comes on a beat: how long it has thought would tell of what it knows. Of what is hidden the
beat is as long as it may think at all."""
ANSWER_PAUSE_S = 0.4
"""For so long the board has asked something before it is answered: contacts that bounced as a piece was
lifted are at rest by then."""
SET_DOWN_PROMPT_S, SET_DOWN_MAX_S = 2.5, 8.0
"""Where nothing feels that a piece comes down: how long lamps ask for that once it is up, and where nothing
feels that either, in all. Then people are asked whether it stands there."""
RETRY_MIN_S, RETRY_MAX_S = 4.0, 60.0
"""After so long a piece that was put back is carried again, and a player that has ended is begun again; each
further time after twice as long, up to the most."""
TIDY_AFTER_POLLS = 3
"""After so many looks at chores that nobody does its hands do them: at the start of a game, and whenever the
machine plays all seats."""
NO_ORIGIN = ConfigOrigin()
"""The origin of settings that come from no file."""
_BOT_PROGRAM = "import sys; from boardumpire.cli import main; sys.exit(main())"
PIECE_POSITION_QUESTIONS = ("moved-here", "came-from", "that-piece", "same-places", "who-stands", "in-hand")
"""Questions about where pieces are: whoever looks at the board knows that, and no seat without hands."""
OFFER_ANSWERS = {"take-back": "agree", "throw-again": "agree"}
"""What it says to these offers: always the same, as anything else would tell how it thinks it stands. Draws
its program answers."""
_BENCHMARK_PLAYERS = ("greedy", baseline_players.RANDOM)
"""Players for benchmarks: not offered to people."""

log = logging.getLogger("boardumpire")


class ComputerHands(Protocol):
    """The computer players' hands over a simulated board."""

    def do_gesture(self, message: Mapping[str, Any], who: object) -> None:
        """Do what a finger does, as `boardsim.page` takes it."""

    def carry_piece(self, origin: Space, target: Space, *, seat: Seat, name: str, who: object) -> bool:
        """Carry a piece of a seat, the one of that name if there are several; whether there was one."""

    def is_home_piece_on(self, home: Space, space: Space) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling stands on `space`; `None` where hands
        don't know which it is."""

    def is_home_piece_held(self, home: Space) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling is in a hand; `None` as above."""

    def set_up_army(self, seat: Seat, prints: Mapping[Space, str], who: object) -> bool:
        """Stand pieces of a seat: by space what is printed on each. Whether all of them stand."""


class ComputerPlayersHost(Protocol):
    """The service that has the table."""

    @property
    def has_table(self) -> bool:
        """Whether there is a table."""

    @property
    def table(self) -> Table:
        """The table. Raises `BoardumpireError` while there is none."""

    def submit_command(self, seat: Seat, text: str) -> None:
        """A seat says something; the table is turned at once."""

    def wake_table(self) -> None:
        """Have the table turned at once."""

    def set_player_responding(self, seat: Seat, answers: bool) -> None:
        """Show whether the player of a seat answers."""


def playable_levels(game: str) -> tuple[str, ...]:
    """The names of those of a game's players that people may want to play against, the weakest first."""
    names = baseline_players.player_names(boardrules.package(game))
    numbered = [name for name in names if name.isdecimal()]
    return tuple(numbered or [name for name in names if name not in _BENCHMARK_PLAYERS])


def check_machine_seats(
    game: str,
    options: Mapping[str, Any],
    machines: Mapping[Seat, Any],
    place: Callable[..., str] = NO_ORIGIN.locate,
) -> dict[Seat, str]:
    """The seats that the machine plays, each with its level; `place` is where a seat stands.

    Raises `ConfigError`.
    """
    state = boardrules.new(game, options)
    seats, known = state.seats, baseline_players.player_names(boardrules.package(game))
    found: dict[Seat, str] = {}
    for seat, level in machines.items():
        if seat not in seats:
            raise ConfigError(
                f"{place('game', 'machines', seat)}: no such seat; try one of {', '.join(seats)}"
            )
        if str(level) not in known:
            raise ConfigError(
                f"{place('game', 'machines', seat)}: no player {level!r}; try one of {', '.join(known)}"
            )
        try:
            observation.check_readable(state, seat)
        except observation.BadObservation as problem:
            raise ConfigError(f"{place('game', 'machines', seat)}: {game}: {problem}") from None
        found[seat] = str(level)
    return found


async def start_player(game: str, seat: Seat, level: str, *more: str) -> asyncio.subprocess.Process:
    """A process of its own that plays a seat at that level, and asks on a pipe; `more` are further words of
    `boardumpire bot`."""
    words = ("bot", game, "--seat", seat, "--level", level, *more)
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", _BOT_PROGRAM, *words, stdin=pipe, stdout=pipe, stderr=pipe, limit=LINE_MAX_CHARS
    )


async def _start_player_that_resigns(game: str, seat: Seat, level: str) -> asyncio.subprocess.Process:
    return await start_player(game, seat, level, "--resign")


def choose_answer(
    question: TrackerQuestion,
    seat: Seat,
    errand: AssistedMove | None,
    text: str,
    hands: ComputerHands | None = None,
) -> str | None:
    """What a seat of the machine says to what the board asks it; `None` if it asks somebody else.

    `errand` and `text`: what hands shall do for it, and the action that this is. What its own `hands` don't
    know they are believed to have done, and nothing else.
    """
    if question.seat != seat:
        return None
    known = None if hands is None else _known_from_hands(question, hands)
    if known is not None:
        return f"{'yes' if known else 'no'} {question.answer_key()}"
    ends = (
        (errand.spaces_to_lift + errand.spaces_to_fill)
        if errand is not None and errand.spaces_to_lift
        else ()
    )
    if question.code in NAMED_ANSWER_CODES:
        meant = bool(ends) and question.spaces[0] == ends[0] and ends[1] in question.spaces
        return text if meant else f"no {question.answer_key()}"
    if len(question.spaces) > 1 and question.code not in ("same-places", "who-stands"):
        return f"{'yes' if question.spaces[:2] == ends else 'no'} {question.answer_key()}"
    return f"yes {question.answer_key()}"  # who is where, or that a piece is in a hand


def _known_from_hands(question: TrackerQuestion, hands: ComputerHands) -> bool | None:
    """What hands know of where the pieces are that a question is about."""
    match question.code, question.spaces:
        case "moved-here" | "came-from" | "that-piece", (origin, target, *_):
            return hands.is_home_piece_on(origin, target)
        case "who-stands", (space, *_):
            return hands.is_home_piece_on(space, space)
        case "same-places", spaces:
            stand = [hands.is_home_piece_on(space, space) for space in spaces]
            return None if None in stand else all(stand)
        case "in-hand", (origin,):
            return hands.is_home_piece_held(origin)
    return None


class ComputerPlayers:
    """All computer players of a table."""

    def __init__(
        self,
        host: ComputerPlayersHost,
        seats: Mapping[Seat, str],
        hands: ComputerHands | None,
        start: StartPlayer | None = None,
        budget: TimeBudget = DEFAULT_TIME_BUDGET,
        *,
        may_resign: bool = False,
    ) -> None:
        """`start` starts each player: a process of its own unless told otherwise; `budget`: how long one may
        take before it counts as stuck; `may_resign`: whether one that has had no hope for long gives up."""
        self.seats = dict(seats)
        """By seat the level."""
        self._host, self._hands = host, hands
        self._start = start or (_start_player_that_resigns if may_resign else start_player)
        self._budget = budget
        self._table: Table | None = None
        self._playing: list[_ComputerPlayer] = []
        self._ending: list[asyncio.Task[None]] = []

    def notify(self) -> None:
        """Wake the players: there is a message, or another table."""
        if not self.seats:
            return
        table = self._host.table if self._host.has_table else None
        if table is not self._table:
            self.stop()
            self._table = table
            if table is not None:
                self._playing = [
                    _ComputerPlayer(
                        self._host, table, seat, self.seats, self._hands, self._start, self._budget
                    )
                    for seat in table.seats
                    if seat in self.seats
                ]
        for machine in self._playing:
            machine.notify()

    def stop(self) -> None:
        """End all players."""
        for machine in self._playing:
            self._ending += machine.stop()
        self._playing, self._table = [], None

    async def wait_closed(self) -> None:
        """After `stop`: until no player is left."""
        await asyncio.gather(*self._ending, return_exceptions=True)
        self._ending.clear()


class _ComputerPlayer:
    """The computer player of one seat of one table."""

    def __init__(
        self,
        host: ComputerPlayersHost,
        table: Table,
        seat: Seat,
        machines: Mapping[Seat, str],
        hands: ComputerHands | None,
        start: StartPlayer,
        budget: TimeBudget,
    ) -> None:
        """`machines`: by seat the level of all that the machine plays."""
        self._host, self._table, self._seat, self._machines, self._hands = host, table, seat, machines, hands
        self._start, self._budget = start, budget
        self._news = asyncio.Event()
        self._first = table.full_state
        self._mine = False
        """Whether the board is as its own last action left it: chance may have acted since."""
        self._acted = False
        """Whether the player that runs has acted."""
        self._seen: object = None
        """The state that the player was told of last."""
        self._asked = 0.0
        """When the player began to think."""
        self._text = ""
        """The action that hands are doing for it."""
        self._question: tuple[TrackerQuestion | None, float] = None, 0.0
        """What the board asks, and since when."""
        self._left: tuple[object, int] = None, 0
        """The chores that nobody does, and for how many looks."""
        table.assign_machine(seat)
        again = Backoff(RETRY_MIN_S, RETRY_MAX_S)
        name = f"{seat}, which the machine plays,"
        self._tasks = [
            keep_running(self._run, name, again, lambda why: host.set_player_responding(seat, answers=False)),
            keep_running(self._housekeeping_loop, name, again),
        ]

    def notify(self) -> None:
        """Wake the player: something has changed."""
        self._news.set()

    def stop(self) -> list[asyncio.Task[None]]:
        """End it; what has still to end."""
        self._host.set_player_responding(self._seat, answers=True)  # what is no more is not missed
        for task in self._tasks:
            task.cancel()
        return self._tasks

    async def _wait_for_change(self) -> None:
        """Until something has changed, or a while has passed."""
        self._news.clear()
        with contextlib.suppress(TimeoutError):  # `wait_for` may swallow that the task is cancelled
            async with asyncio.timeout(POLL_INTERVAL_S):
                await self._news.wait()

    # What the player asks

    async def _run(self) -> None:
        """Until the game is over. A player that fails before is replaced by a new one, after a pause.

        After one that was too slow the next may take longer, until one acts: on a busy machine none is killed
        for ever.
        """
        again, pause, too_slow = Backoff(RETRY_MIN_S, RETRY_MAX_S), 0.0, 0
        while self._table.full_state.outcome is None:
            self._acted, self._seen = False, None
            try:
                await self._play_game(self._budget.multiplied_by(2 ** min(too_slow, 4)))
            except PlayerFailed as why:
                if self._table.full_state.outcome is not None:
                    return
                pause = again.next_pause(0.0 if self._acted else pause)
                too_slow = 0 if self._acted else too_slow + isinstance(why, PlayerTooSlow)
                log.warning("the player at %s: %s; a new one starts in %g s", self._seat, why, pause)
                self._host.set_player_responding(self._seat, answers=False)
                await asyncio.sleep(pause)

    async def _play_game(self, budget: TimeBudget) -> None:
        """One player, until it ends after the game is over. Raises `PlayerFailed` where it fails before."""
        table, name = self._table, f"the player at {self._seat}"
        before = ""
        level = self._machines[self._seat]
        async with run_player(lambda: self._start(table.game_id, self._seat, level), name, budget) as process:
            while True:
                asked = await process.read_request()
                if before == "sight":  # it has got through a look at the game, so it works
                    self._host.set_player_responding(self._seat, answers=True)
                before = asked["do"]
                await process.send_answer(await self._answer_request(asked))

    async def _answer_request(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        match asked:
            case {"do": "events"}:
                return await self._wait_for_events()
            case {"do": "sight"}:
                self._asked = loop_time_s()
                return {
                    "ok": True,
                    "sight": observation.encode(
                        observation.Observation(*self._table.player_observation(self._seat))
                    ),
                }
            case {"do": "act", "action": str(text)}:
                try:
                    await self._submit_action(text)
                    self._mine = self._acted = True
                except SeatError as refused:
                    return {
                        "ok": False,
                        "error": {"code": "refused", "text": str(public_error_text(refused))},
                    }
                return {"ok": True}
        return {"ok": False, "error": {"code": "unknown-verb", "text": "expected events, sight or act"}}

    async def _wait_for_events(self) -> dict[str, Any]:
        """Answered once there is something new, or something to do."""
        table = self._table
        while True:
            state = table.full_state
            if state.outcome is not None:
                return {"ok": True, "to_act": [], "events": [], "outcome": state.outcome._asdict()}
            to_act = [] if state.is_for_people_only else list(state.seats_to_act())
            if state is not self._seen:
                self._seen = state
                return {"ok": True, "to_act": to_act, "events": [{"kind": "changed"}]}
            if self._seat in to_act and self._can_act_now:
                return {"ok": True, "to_act": to_act, "events": []}
            await self._wait_for_change()

    @property
    def _can_act_now(self) -> bool:
        """Whether the board is in order, and asks this seat nothing."""
        asked = self._table.guidance.question
        return self._table.is_calm and (asked is None or asked.seat != self._seat)

    async def _submit_action(self, text: str) -> None:
        """Do it: by hands where hands do it. Raises `SeatError`."""
        table, state, errands = self._table, self._table.full_state, self._table.assisted_moves
        table.check(self._seat, text)
        await self._wait_for_beat(
            MAX_THINKING_S if errands.is_secret(self._seat, text) else ACTION_TIME_STEP_S
        )
        while not self._can_act_now and table.full_state is state:
            await self._wait_for_change()
        if table.full_state is not state:
            return  # it was meant for what stood then
        way, prints = errands.origin_and_target(self._seat, text), errands.placed_prints(self._seat, text)
        if way is not None:
            await self._carry_on_board(text, way)
            return
        if prints:
            await self._set_up_pieces(prints)
        self._host.submit_command(self._seat, text)
        while table.full_state is state and not table.is_calm:
            await self._wait_for_change()

    async def _wait_for_beat(self, beat: float) -> None:
        """Until a whole number of beats has passed since it began to think."""
        gone = loop_time_s() - self._asked
        await asyncio.sleep(max(1, math.ceil(gone / beat)) * beat - gone)

    async def _carry_on_board(self, text: str, way: tuple[Space, Space]) -> None:
        """Have a piece carried, and wait until hands have done something."""
        table, state, (origin, target) = self._table, self._table.full_state, way
        table.assisted_moves.request_move(self._seat, (origin,), (target,))
        self._text = text
        self._host.wake_table()
        if self._hands is not None:
            await asyncio.sleep(REACH_DELAY_S)
            self._reach_for_piece(text, way, state)
        await self._wait_until_carried(text, way, state)

    def _reach_for_piece(self, text: str, way: tuple[Space, Space], state: State) -> None:
        if self._hands is not None and self._table.full_state is state:
            name = self._table.assisted_moves.carried_piece_name(way, self._seat, text)
            try:
                self._hands.carry_piece(*way, seat=self._seat, name=name, who=self)
            except ValueError as problem:  # somebody holds the piece
                log.info("%s: %s", self._seat, problem)

    async def _wait_until_carried(self, text: str, way: tuple[Space, Space], state: State) -> None:
        """Wait until a piece was carried. Where that isn't felt its own hands say it, as from a phone, and
        people are asked: again after a while, if they say no. One that hasn't come is carried again:
        somebody held it, put it back, or took it away."""
        table, began, lifted = self._table, loop_time_s(), 0.0
        reached, again = began, 0.0
        leaves, comes = table.assisted_moves.unsensed_ends(way)
        while table.full_state is state:
            await self._wait_for_change()
            if table.full_state is not state:
                return
            now = loop_time_s()
            if now - reached >= RETRY_MIN_S and self._is_carry_unfinished(text, way):
                self._reach_for_piece(text, way, state)
                reached = now
            if not (leaves or comes):
                continue
            done = (leaves or table.assisted_moves.is_lifted(way[0])) and (
                comes or table.assisted_moves.are_occupied(way[1:])
            )
            lifted = (lifted or now) if done else 0.0
            if not (done and table.is_calm):
                continue
            since, long = (began, SET_DOWN_MAX_S) if leaves and comes else (lifted, SET_DOWN_PROMPT_S)
            if self._hands is not None and now - since >= ACTION_TIME_STEP_S:
                with contextlib.suppress(SeatError):  # hands have done something else meanwhile
                    self._host.submit_command(self._seat, text)
            ripe = self._hands is None and now - max(since, reached) >= max(long, again)
            if ripe and table.assisted_moves.ask_whether_carried(way, monotonic()):
                reached, again = now, min(2 * (again or long), RETRY_MAX_S)
                self._host.wake_table()

    def _is_carry_unfinished(self, text: str, way: tuple[Space, Space]) -> bool:
        """Whether a piece that was to be carried isn't where it should be, and nothing is open.

        Where its lift isn't felt only a piece with a name can be told from those that stood with it.
        """
        table, (origin, target) = self._table, way
        if not self._can_act_now or table.guidance.lifted_places:
            return False
        leaves, comes = table.assisted_moves.unsensed_ends(way)
        if not leaves:
            return table.assisted_moves.are_occupied([origin])
        named = bool(table.assisted_moves.carried_piece_name(way, self._seat, text))
        return named and not comes and not table.assisted_moves.are_occupied([target])

    async def _set_up_pieces(self, prints: Mapping[Space, str]) -> None:
        """Have pieces stood on these spaces, and wait until they are."""
        table, spaces = self._table, tuple(prints)
        table.assisted_moves.request_move(self._seat, (), spaces)
        self._host.wake_table()
        while not (self._place_army(prints) and table.assisted_moves.are_occupied(spaces)):
            await self._wait_for_change()

    def _place_army(self, prints: Mapping[Space, str]) -> bool:
        """Whether its hands have stood these pieces, if it has hands; others may take some off meanwhile."""
        if self._hands is None:
            return True
        try:
            return self._hands.set_up_army(self._seat, prints, self)
        except ValueError as problem:  # somebody holds a piece
            log.info("%s: %s", self._seat, problem)
            return False

    # What it does without being asked

    async def _housekeeping_loop(self) -> None:
        """Answer the board's questions to its seat, agree to what others propose, tidy up after its hands."""
        while True:
            await self._wait_for_change()
            try:
                self._do_housekeeping()
            except BoardumpireError as refused:  # somebody else was quicker
                log.info("%s: %s", self._seat, refused)

    def _do_housekeeping(self) -> None:
        table, seat = self._table, self._seat
        question = table.guidance.question
        if question != self._question[0]:
            self._question = question, loop_time_s()
        said = None
        ripe = question is not None and loop_time_s() - self._question[1] >= ANSWER_PAUSE_S
        if (
            question is not None
            and ripe
            and not (self._hands is None and self._is_question_for_people(question))
        ):
            said = choose_answer(
                question, seat, table.assisted_moves.requested_move(seat), self._text, self._hands
            )
        if said is not None:
            self._host.submit_command(seat, said)
        for proposal in table.proposals:
            if seat in proposal.seats_asked:
                yes = proposal.kind() not in (*SEATING_REQUESTS, "resign")
                self._host.submit_command(seat, f"{'yes' if yes else 'no'} {proposal.request}")
        for thing, said in OFFER_ANSWERS.items():
            if seat_that_may_say(table.full_state, f"agree-{thing}") == seat and table.is_calm:
                self._host.submit_command(seat, f"{said}-{thing}")
        self._throw_dice()
        if self._hands is not None:
            self._tidy_board()

    def _is_question_for_people(self, question: TrackerQuestion) -> bool:
        """Whether people who carry the pieces answer that: they know where they have put them. That one is in
        a hand still is believed where they are asked after a while whether it has come."""
        errand = self._table.assisted_moves.requested_move(self._seat)
        if question.code == "in-hand" and errand is not None and errand.spaces_to_lift:
            return not any(
                self._table.assisted_moves.unsensed_ends((errand.spaces_to_lift[0], errand.spaces_to_fill[0]))
            )
        return question.code in PIECE_POSITION_QUESTIONS

    def _throw_dice(self) -> None:
        """Throw a real die, where nobody else is there who could."""
        faces, throwers = self._table.full_state.chance(), self._table.full_state.throwers()
        if self._seat in throwers and self._machines.keys() >= set(throwers) and self._table.is_calm:
            open_ = self._table.choices(self._seat).get("throws", ())
            weights = [weight if str(face) in open_ else 0 for face, weight in faces]
            if any(weights):
                self._host.submit_command(self._seat, str(faces[SYSTEM_DICE(weights)][0]))

    def _tidy_board(self) -> None:
        """Do what its own action has left, also with pieces from beside the board; then empty the hands."""
        table, chores = self._table, self._table.guidance.corrections
        alone = self._machines.keys() >= set(table.seats)
        missed = table.guidance.overdue_pieces if alone and not chores else ()
        left = chores or missed
        self._left = left, self._left[1] + 1 if left == self._left[0] else 0
        if chores:
            listed = disclosure.corrections_message(0, chores).data["chores"]
            nobody = (alone or table.full_state is self._first) and self._left[1] >= TIDY_AFTER_POLLS
            beside = {"beside": True} if self._mine or nobody else {}
            self._do_gesture({"do": "tidy", "chores": listed, **beside})
        elif missed and self._left[1] >= TIDY_AFTER_POLLS:
            self._do_gesture({"do": "tidy", "chores": self._corrections_for_missing(missed), "beside": True})
        elif self._mine and table.is_calm:
            self._mine = False
            self._do_gesture({"do": "aside"})

    def _corrections_for_missing(self, spaces: Sequence[Space]) -> list[Mapping[str, Any]]:
        """The chores that bring back pieces which were lifted from these spaces and lie nobody knows where.

        Where several sides' pieces belong nothing says whose it is.
        """
        layout = self._table.full_state.layout()
        owners = {space: {piece.seat for piece in layout.get(space, ())} for space in spaces}
        return [
            {"do": "put", "space": space, "seat": seat}
            for space, seats in owners.items()
            for seat in seats
            if len(seats) == 1
        ]

    def _do_gesture(self, message: Mapping[str, Any]) -> None:
        assert self._hands is not None
        try:
            self._hands.do_gesture(message, self)
        except ValueError as problem:  # somebody holds the piece: what hands do is ruled on all the same
            log.info("%s: %s", self._seat, problem)
