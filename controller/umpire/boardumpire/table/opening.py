"""Opens a table: begins a game on a board, or goes on with the one that was not finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from boardrules import registry
from boardrules.core import CLOCK, NO_SEAT, BadText, IllegalAction, OptionError, Seat, Space, State
from boardrules.history import GameHistory
from boardumpire.errors import JournalError
from boardumpire.journal.journal import GameHeader, JournalEntry, Store
from boardumpire.journal.writer import JournalWriter, SyncJournalWriter
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.messages import players
from boardumpire.ruling import clocks
from boardumpire.ruling.clocks import ClockTerms, GameClocks
from boardumpire.ruling.dice import SYSTEM_DICE, Dice
from boardumpire.ruling.umpire import (
    QuietMoves,
    battle_winner_space,
    carried_move,
    move_of_action,
    spaces_changing_side,
)
from boardumpire.table.board_match import find_board_difference
from boardumpire.table.game import ResumedBoard, ResumedGame, TableGame, split_board
from boardumpire.table.match import (
    BINDINGS_NOTE_PREFIX,
    DOUBT_NOTE_PREFIX,
    IN_ORDER_NOTE,
    SETTLED_NOTE_PREFIX,
    TURNED_NOTE,
)
from boardumpire.table.pending import PendingWrites
from boardumpire.table.table import Table
from boardumpire.table.table_board import FurtherBoard
from boardumpire.table.timekeeper import CLOCK_TERMS_NOTE_PREFIX, TIME_LEFT_NOTE_PREFIX, clocks_after_events
from boardumpire.table.unfelt_moves import BoardSenses, UnfeltMove, unfelt_moves_after
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.open_doubts import NO_DOUBTS, parse_open_doubts
from boardumpire.tracking.timing import TrackerTiming
from boardware.parts import BoardDescription
from boardware.ports import MS, Micros, Ports

_Read = TypeVar("_Read")


class NewGameSettings(NamedTuple):
    """The game to begin where the journal holds none to go on with."""

    game: str
    options: Mapping[str, Any]
    clock_terms: ClockTerms = ClockTerms()
    """What is agreed about time."""
    players: Mapping[Seat, str] = {}
    """By seat the name of who sits there: those that gave one."""
    replaced_configuration: str = ""
    """Where people chose it at the table: what was configured then (`configuration_line`)."""


BOARDS = "boards"
"""The note that begins with this names the boards of a game beside its first one."""
CHOSEN_NOTE_PREFIX = "chosen"
"""The note that begins with this says that people chose this game at the table, and instead of what."""


def configuration_line(settings: NewGameSettings) -> str:
    """The game and the options that the configuration names, in one line."""
    if settings.replaced_configuration:
        return settings.replaced_configuration
    options = registry.new(settings.game, settings.options).options
    return f"{settings.game} {json.dumps(dict(options), sort_keys=True)}"


def game_to_continue(
    store: Store, board: BoardDescription, settings: NewGameSettings, *, begin: bool
) -> GameHeader | None:
    """The game to open: one that goes on, or the end of the last one; `None` where another one begins.

    It begins where there is no last one, where it shall `begin`, and where the last one can't be asked for
    once more: it stood on another board, damage took a part of it, the rules have changed, or another game is
    configured since.
    """
    games = store.games()
    last = games[-1] if games else None
    if last is None or last.outcome is None:
        return last
    if begin or last.board != board.id or store.unaccepted_losses():
        return None
    try:
        replay_game(store, last)
    except JournalError:
        return None
    played = _replaced_configuration(store, last.number) or configuration_line(
        NewGameSettings(last.game, last.options)
    )
    return last if played == configuration_line(settings) else None


def next_game_settings(store: Store, number: int, settings: NewGameSettings) -> NewGameSettings:
    """What is played after the game of that number: the same, if people chose it at the table and nothing
    else is configured since; or else `settings`."""
    instead = _replaced_configuration(store, number)
    if not instead or instead != configuration_line(settings):
        return settings
    header = store.header(number)
    again = NewGameSettings(header.game, header.options, replaced_configuration=instead)
    for entry in _public_notes(store, number):
        if entry.text.partition(" ")[0] == CLOCK_TERMS_NOTE_PREFIX:
            again = again._replace(
                clock_terms=_parse_note(entry, CLOCK_TERMS_NOTE_PREFIX, clocks.parse_terms)
            )
        elif entry.text.partition(" ")[0] == players.NOTE_PREFIX:
            again = again._replace(players=_parse_note(entry, players.NOTE_PREFIX, players.from_note))
    return again


def _replaced_configuration(store: Store, number: int) -> str:
    """What was configured when people chose that game at the table; empty where they didn't."""
    notes = (entry.text.partition(" ") for entry in _public_notes(store, number))
    return next((what for word, _, what in notes if word == CHOSEN_NOTE_PREFIX), "")


def _public_notes(store: Store, number: int) -> Iterator[JournalEntry]:
    return (entry for entry in store.public_entries(number) if entry.kind == "note")


def open_table(
    *,
    board: BoardDescription,
    wanted: NewGameSettings,
    ports: Ports,
    store: Store,
    now: Micros,
    wall_ms: int,
    timing: TrackerTiming | None = None,
    writer: Callable[[Store], JournalWriter] = SyncJournalWriter,
    make: Callable[..., Table] = Table,
    roster: TagRoster = TagRoster(),  # noqa: B008 - immutable
    dice: Dice = SYSTEM_DICE,
    begin: bool = True,
    further: Sequence[FurtherBoard] = (),
) -> Table:
    """A table ready to be turned.

    `wall_ms` is the wall clock, in milliseconds since 1970, at the moment `now`; `make` is called as `Table`
    would be; `roster` says which tag is in which piece, `dice` throw for chance or are `RealDice`; where the
    last game is over another shall `begin`, or else its end is shown until people ask for one
    (`game_to_continue`). `further` are boards beside the first one, which is `board` with its `ports`.
    Raises `OptionError` for a game or an option that there is not, and `JournalError` where the journal holds
    a game that this board or these rules can't go on with.
    """
    header = game_to_continue(store, board, wanted, begin=begin)
    resumed = ResumedGame()
    if header is not None:
        _check_board(header, board)
        for each in further:
            _check_fits(header, each.description)
        names = [each.name for each in further]
        senses = _board_senses(header, board, further)
        fold, resumed = replay_game(store, header, senses)
        if _has_other_boards(header, resumed, names) and store.has_no_actions(header.number):
            _note_boards(store, header.number, names, wall_ms)
            fold, resumed = replay_game(store, header, senses)
        _check_names(header, resumed, names)
        if header.outcome is None and fold.state.outcome is not None:
            # the power went between the last action and the ending
            store.finish_game(header.number, fold.state.outcome, wall_ms)
            header = game_to_continue(store, board, wanted, begin=begin)
    if header is None:
        fold = GameHistory(registry.new(wanted.game, wanted.options))
        if wanted.clock_terms.has_limit and not fold.state.table_actions(CLOCK):
            raise OptionError(
                f'{wanted.game} knows no clock; try kind = "none" rather than {wanted.clock_terms.kind}'
            )
        if wanted.game not in board.games:
            raise JournalError(
                f"board {board.id} carries {', '.join(board.games)}: not {wanted.game}; try another board"
            )
        _player_names(wanted, fold.state.seats)  # raises before anything is begun
        number = store.begin_game(wanted.game, fold.state.options, board.id, wall_ms)
        resumed = _begin_new_game(store, number, fold.state, wanted, wall_ms, [each.name for each in further])
    else:
        number = header.number
    losses = tuple(store.unaccepted_losses())
    resumed = resumed._replace(
        was_journal_repaired=store.take_repair_notice() and not losses, journal_losses=losses
    )
    game = TableGame(
        fold,
        timing or TrackerTiming(),
        PendingWrites(writer(store), number, wall_ms - now // MS),
        partial(_export_record, store, number),
        resumed,
        dice,
    )
    table = make(board, ports, game, roster, further)
    if timing is not None and timing.limited:
        table.answer_deadlines.enable_limit()
    table.step(now)
    return table


def _export_record(store: Store, number: int) -> str:
    """The game so far, as everybody may read it."""
    from boardumpire.journal import records  # what reads and writes records, only where one is asked for

    return records.export(store, number)


def _begin_new_game(
    store: Store,
    number: int,
    state: State,
    wanted: NewGameSettings,
    at_ms: int,
    boards: Collection[str],
) -> ResumedGame:
    """What a game begins with beside its state: its clocks, who plays, and on which further `boards`. All of
    it is noted down."""
    for text in opening_notes(wanted, state.seats):
        store.append_entry(number, kind="note", seat=NO_SEAT, text=text, secret=False, events=(), at_ms=at_ms)
    if boards:
        _note_boards(store, number, boards, at_ms)
    timed = clocks.begin_clocks(wanted.clock_terms, state.seats) if wanted.clock_terms.has_limit else None
    return ResumedGame(clocks=timed, players=_player_names(wanted, state.seats))


def _note_boards(store: Store, number: int, boards: Collection[str], at_ms: int) -> None:
    """Note down on which further boards a game is played from now on."""
    text = " ".join((BOARDS, *boards))
    store.append_entry(number, kind="note", seat=NO_SEAT, text=text, secret=False, events=(), at_ms=at_ms)


def opening_notes(settings: NewGameSettings, seats: Collection[Seat]) -> Iterator[str]:
    """The first entries of a game that begins. Raises `BoardumpireError` for a name that none can have."""
    if settings.clock_terms.has_limit:
        yield f"{CLOCK_TERMS_NOTE_PREFIX} {settings.clock_terms}"
    if called := _player_names(settings, seats):
        yield players.to_note(called)
    if settings.replaced_configuration:
        yield f"{CHOSEN_NOTE_PREFIX} {settings.replaced_configuration}"


def _player_names(wanted: NewGameSettings, seats: Collection[Seat]) -> dict[Seat, str]:
    given = {seat: name for seat, name in wanted.players.items() if seat in seats}
    return players.clean_names(given, seats, wanted.game)


def _has_other_boards(header: GameHeader, resumed: ResumedGame, names: Collection[str]) -> bool:
    """Whether a game that goes on has other further boards than those."""
    return header.outcome is None and {*resumed.boards} - {""} != {*names}


def _check_names(header: GameHeader, resumed: ResumedGame, names: Collection[str]) -> None:
    """What is noted of a board belongs to no other: a game goes on with the boards with which it began."""
    if _has_other_boards(header, resumed, names):
        had = {*resumed.boards} - {""}
        played, found = (", ".join(sorted(each)) or "none" for each in (had, names))
        raise JournalError(
            f"game {header.number} of the journal has the further boards {played}: found {found};"
            " name them [boards.NAME] as before, and change them between two games"
        )


def _check_board(header: GameHeader, board: BoardDescription) -> None:
    if header.board != board.id:
        raise JournalError(
            f"game {header.number} of the journal stands on board {header.board}: found board {board.id}"
        )
    _check_fits(header, board)


def _check_fits(header: GameHeader, board: BoardDescription) -> None:
    other = find_board_difference(board, header.game, header.options)
    if other is not None:
        raise JournalError(f"game {header.number} of the journal: {other}")


def _board_senses(
    header: GameHeader, board: BoardDescription, further: Sequence[FurtherBoard]
) -> Mapping[str, BoardSenses]:
    """By board what it feels and who is at home there; on a single board nothing has to be asked."""
    if not further:
        return {}
    seats = frozenset(registry.new(header.game, header.options).seats)
    elsewhere = frozenset[Seat]().union(*(each.home_seats for each in further))
    homes = [("", board, seats - elsewhere)]
    homes += [(each.name, each.description, each.home_seats) for each in further]
    return {name: BoardSenses(home, BoardOrientation(made).slot_counts) for name, made, home in homes}


def replay_game(
    store: Store, header: GameHeader, senses: Mapping[str, BoardSenses] = {}
) -> tuple[GameHistory, ResumedGame]:
    """A game from its entries, with what they say beside its state; `senses` of each of several boards.

    Raises `JournalError` naming the entry that can't be replayed.
    """
    fold = GameHistory(registry.new(header.game, header.options))
    boards = {"": _BoardNotes(senses.get(""))}
    moves = QuietMoves()
    timed: GameClocks | None = None
    begun = False
    called: Mapping[Seat, str] = {}
    for entry in store.entries(header.number):
        word, _, about = entry.text.partition(" ")
        if entry.kind == "action":
            begun = begun or not fold.state.unchecked_spaces()
            before = fold.state
            way = move_of_action(before, entry.seat, entry.text, moves.last_move, secret=entry.secret)
            _push_entry(fold, entry, f"game {header.number}, entry {entry.seq}")
            fought = _note_move(moves, before, entry, fold.turn_count)
            for board in boards.values():
                board.played(before, entry, fold.state, way, fought)
            if timed is not None:
                timed = clocks_after_events(timed, json.loads(entry.public_events), fold.state)
        elif word == CLOCK_TERMS_NOTE_PREFIX:
            timed = clocks.begin_clocks(
                _parse_note(entry, CLOCK_TERMS_NOTE_PREFIX, clocks.parse_terms), fold.state.seats
            )
        elif timed is not None and word == TIME_LEFT_NOTE_PREFIX:
            timed = _parse_note(entry, TIME_LEFT_NOTE_PREFIX, partial(clocks.from_note, timed))
        elif word == players.NOTE_PREFIX:
            called = _parse_note(entry, players.NOTE_PREFIX, players.from_note)
        elif word == BOARDS:
            boards = {"": boards[""], **{name: _BoardNotes(senses.get(name)) for name in about.split()}}
        else:
            name, text = split_board(entry.text)
            if name in boards:
                boards[name].noted(text)
    return fold, ResumedGame(
        {name: board.resumed(fold.state) for name, board in boards.items()},
        moves,
        timed,
        fold.state != fold.start,
        begun,
        called,
    )


class _BoardNotes:
    """What a journal says of one board, as its entries are read."""

    def __init__(self, senses: BoardSenses | None) -> None:
        self._senses = senses
        self._unfelt: tuple[UnfeltMove, ...] = ()
        self._blind: set[Space] = set()
        self._turned = False
        self._doubts = NO_DOUBTS
        self._battle: tuple[Space, Space] | None = None
        self._latest: tuple[State, JournalEntry] | None = None
        self._bound = ""
        self._changed: frozenset[Space] = frozenset()
        self._came: dict[tuple[Seat, bool], Space] = {}

    def played(
        self,
        before: State,
        entry: JournalEntry,
        after: State,
        way: tuple[Space, Space] | None,
        fought: tuple[Space, Space] | _Unchanged | None,
    ) -> None:
        """An action led from `before` to `after`: a piece was carried this `way`, and `fought` so."""
        self._latest = before, entry
        self._doubts = self._doubts.after_move(shared_spaces.first_places_of_way(way))
        if not isinstance(fought, _Unchanged):
            self._battle = fought
        if way is not None:
            _note_arrival(self._came, after, way[1], won=self._battle is not None)
        self._changed |= spaces_changing_side(before, after)
        if self._senses is not None:
            senses = self._senses._replace(hand_played_spaces=self._blind)
            self._unfelt = unfelt_moves_after(self._unfelt, before.layout(), after.layout(), way, senses)

    def noted(self, text: str) -> None:
        """A note was made that is about this board, or about none."""
        word, _, about = text.partition(" ")
        if text.startswith("agreed by-hand "):
            self._blind.add(Space(text.removeprefix("agreed by-hand ")))
        elif text.startswith("agreed by-reed "):
            self._blind.discard(Space(text.removeprefix("agreed by-reed ")))
        elif text == IN_ORDER_NOTE:
            self._latest, self._changed, self._unfelt = None, frozenset(), ()
        elif text == TURNED_NOTE:
            self._turned = not self._turned
        elif word == BINDINGS_NOTE_PREFIX:
            self._bound = about
        elif word == DOUBT_NOTE_PREFIX:
            self._doubts = parse_open_doubts(about)
        elif word == SETTLED_NOTE_PREFIX:
            settled = about.split()
            self._came = {whose: space for whose, space in self._came.items() if space not in settled}

    def resumed(self, state: State) -> ResumedBoard:
        """What comes of it in the last state of the game."""
        return ResumedBoard(
            frozenset(self._blind),
            _find_winner_space(*self._latest, state) if self._latest else None,
            self._turned,
            self._doubts,
            self._battle,
            {space: won for (_, won), space in reversed(self._came.items())},
            self._bound,
            self._changed,
            self._unfelt if state.outcome is None else (),
            is_continued=True,
        )


def _parse_note(entry: JournalEntry, what: str, read: Callable[[str], _Read]) -> _Read:
    try:
        return read(entry.text.partition(" ")[2])
    except ValueError as error:
        raise JournalError(f"entry {entry.seq}: {what}: {error}") from None


def _push_entry(fold: GameHistory, entry: JournalEntry, place: str) -> None:
    try:
        fold.push_text(entry.seat, entry.text)
    except (BadText, IllegalAction) as error:
        text = "a sealed action" if entry.secret else repr(entry.text)
        reason = "" if entry.secret else f": {error}"
        raise JournalError(f"{place}: {text} can't be replayed{reason}") from None


def _note_arrival(came: dict[tuple[Seat, bool], Space], state: State, space: Space, *, won: bool) -> None:
    """Note, by side and by whether it `won` a battle there, where the piece stands that came there last."""
    for piece in state.layout().get(space, ()):
        whose = piece.seat, won
        came.pop(whose, None)
        came[whose] = space


class _Unchanged:
    """That no piece was carried by hands: what was noted of the last one holds."""


def _note_move(
    moves: QuietMoves, before: State, entry: JournalEntry, turns: int
) -> tuple[Space, Space] | _Unchanged | None:
    """Note the move of an entry, which its owner may put back. Returns (origin, target) where it was a
    battle, and nothing where it was another move."""
    battle = any(event["kind"] == "battle" for event in json.loads(entry.public_events))
    hands = None if entry.secret else carried_move(before, entry.seat, entry.text)
    battle = battle or not before.trays().keys().isdisjoint(hands or ())
    moves.note_accepted(entry.text, hands or (), turns, battle=battle)
    return _Unchanged() if hands is None else hands if battle else None


def _find_winner_space(before: State, entry: JournalEntry, after: State) -> Space | None:
    return battle_winner_space(before, after, carried_move(before, entry.seat, entry.text))
