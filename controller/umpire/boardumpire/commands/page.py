"""`boardumpire page`: the page over a simulated board, with links for everybody, on this machine alone."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import boardrules
from boardrules import option_words as given_options
from boardrules import registry
from boardrules.core import NO_SEAT, OptionError, Seat
from boardrules.rule_sets import RULEBOOK_SET, RULES_OPTION
from boardumpire.commands.computer_players import check_machine_seats, playable_levels
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.unreadable_files import read_or_set_aside, set_aside_unreadable
from boardumpire.errors import BoardumpireError, ConfigError, UnreachableAddress, UnreadableFileError
from boardumpire.journal.journal import GameHeader, Store
from boardumpire.journal.sealing import load_or_make_key
from boardumpire.messages import players
from boardumpire.service.config import (
    SPECTATOR_DELAY_MAX,
    BoardSection,
    Config,
    ControlSection,
    DriversSection,
    GameSection,
    JournalSection,
    MachineSection,
    PageSection,
    TrackerSection,
    parse_clock_section,
    parse_listen_address,
)
from boardumpire.service.next_game import apply_game_changes
from boardumpire.service.notify import Notifier
from boardumpire.service.own_certificate import with_own_certificate
from boardumpire.service.process import handle_signals
from boardumpire.supervision import start_task
from boardumpire.table.opening import NewGameSettings, open_table
from boardumpire.table.table import Table
from boardumpire.web.seat_links import TABLE_LINK, SeatLinks
from boardumpire.web.served_page import VirtualBoard
from boardumpire.web.teaching.lesson_partner import LessonPartner, lesson_dice
from boardware.description import board_names, load_board, readable_boards
from boardware.errors import BoardFileError, install_hint
from boardware.files import replace_file

if TYPE_CHECKING:
    from boardumpire.web.start_page import GameChoice, StartPage

VIRTUAL_BOARD_GROUP = "boardumpire.virtual"
CARRIED = TrackerSection(slides=False)
"""The patience with fingers on the page: they carry pieces, until one pushes some (`Daemon`)."""
JOURNAL_PATH, KEY_PATH, LINKS_PATH, MACHINES_PATH = (
    Path("journal.sqlite"),
    Path("key", "board.key"),
    Path("key", "links.json"),
    Path("machines.json"),
)
"""Where they are in the folder of a simulated board. The last has by seat the level of the machine there."""
PICO_DRIVERS = DriversSection("pico-sim", "pico-lamps-sim", "pico-console-sim")
HEADER_DRIVERS = DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")
LISTEN_PORTS = range(8017, 8037)
"""The first free one of them is taken, where `--listen` is not given: several may play on one machine."""


def run(given: argparse.Namespace) -> None:
    """Serve until interrupted. Raises `BoardumpireError`."""
    with _state_directory(given.state) as state:
        asyncio.run(_serve(given, state))


def simulated_config(given: argparse.Namespace, state: Path) -> Config:
    """The configuration of a board that is simulated."""
    _listen_address(given)
    if not 0 <= given.spectator_delay <= SPECTATOR_DELAY_MAX:
        raise ConfigError(
            f"--spectator-delay {given.spectator_delay}: not a delay; try 0 to {SPECTATOR_DELAY_MAX} actions"
        )
    name = _default_board(given.game) if given.board is None else given.board
    game = given.game or load_board(name).games[0]
    board, drivers = _board_for_driver(name, given.driver)
    return Config(
        board=BoardSection(board),
        drivers=drivers,
        game=GameSection(
            game,
            options=MappingProxyType({RULES_OPTION: RULEBOOK_SET, **_parse_options(given.option)}),
            machines=MappingProxyType(_parse_machine_levels(given.machine)),
        ),
        journal=JournalSection(state / JOURNAL_PATH, state / KEY_PATH),
        control=ControlSection(state / "control.sock"),
        page=PageSection(
            listen=given.listen,
            links=state / LINKS_PATH,
            spectator_delay=given.spectator_delay,
            https=given.https,
        ),
        tracker=CARRIED,
        machine=MachineSection(power_off=""),  # under a simulated board it is somebody's own computer
    )


def _listen_address(given: argparse.Namespace) -> tuple[str, int]:
    where = parse_listen_address(given.listen)
    if where is None:
        raise ConfigError(f"--listen {given.listen!r}: not ADDRESS:PORT; try 127.0.0.1:9000")
    return where


def _open_listening_socket(given: argparse.Namespace) -> socket.socket:
    """A socket that listens where it was said, else at the first free port. Raises `ConfigError`."""
    from boardumpire.web.server import listen  # its libraries, only where a socket listens

    if given.listen:
        return listen(*_listen_address(given))
    for port in LISTEN_PORTS:
        try:
            found = listen("127.0.0.1", port)
        except UnreachableAddress:
            continue
        given.listen = f"127.0.0.1:{port}"
        return found
    raise UnreachableAddress(
        f"ports {LISTEN_PORTS[0]} to {LISTEN_PORTS[-1]} of this machine are all taken; try --listen"
        " 127.0.0.1:0"
    )


def _parse_options(words: Sequence[str]) -> dict[str, Any]:
    """The options that were given as words like `name=value`. Raises `ConfigError`."""
    try:
        return given_options.parse_options(words)
    except OptionError as error:
        raise ConfigError(str(error)) from None


def _parse_machine_levels(words: Sequence[str]) -> dict[Seat, str]:
    """The seats that were given as words like `blue=3`. Raises `ConfigError`."""
    found: dict[Seat, str] = {}
    for word in words:
        seat, equals, level = word.partition("=")
        if not (seat and equals and level):
            raise ConfigError(f"--machine {word}: not SEAT=LEVEL; try blue=2")
        found[Seat(seat)] = level
    return found


def _board_for_driver(name: str, driver: str) -> tuple[str, DriversSection]:
    """The board as it is wired for this driver, with a Pico under it if there is such a one; its drivers.
    A board that is wired in one way alone has the drivers for that."""
    if driver == PICO_DRIVERS.sensors and f"{name}-pico" in board_names():
        name = f"{name}-pico"
    return name, PICO_DRIVERS if load_board(name).picos else HEADER_DRIVERS


def virtual_board(
    config: Config, seed: int, *, powered: bool = True, mistake: str = ""
) -> tuple[Config, VirtualBoard]:
    """A simulated board with a box of pieces, and the configuration of the drivers over it.

    `powered`: whether Picos under it are in their cables; `mistake`: what its maker did wrong. Raises
    `ConfigError`.
    """
    found = registry.installed_entry_points(VIRTUAL_BOARD_GROUP)
    if not found:
        raise BoardumpireError(f"there is no virtual board here: {install_hint('sim')}")
    try:
        state = boardrules.new(config.game.id, config.game.options)
    except (OptionError, boardrules.UnknownGame) as error:
        raise ConfigError(f"[game] {error}") from None
    box = boardrules.package(config.game.id).box(state)
    made = load_board(config.board.name)
    try:
        board: VirtualBoard = next(iter(found)).load()(
            made,
            state.seats,
            seed=seed,
            crew=box.piece_counts,
            named=box.named_pieces,
            keep=config.journal.path.with_name("pieces.json"),
            powered=powered,
            mistake=mistake,
        )
    except ValueError as error:
        if not mistake:
            raise
        raise ConfigError(f"--mistake {mistake[:40]!r}: {error}") from None
    over = board.driver_settings
    return replace(config, sensors=over, lamps=over, console=over), board


async def _serve(given: argparse.Namespace, state: Path) -> None:
    """Serve the game that was named or goes on there; where there is none, have one chosen."""
    begun = _unfinished_game(state)
    with contextlib.closing(_open_listening_socket(given)) as listening:
        if begun is not None and given.game in (None, begun.game):
            if given.game is None and given.board is None:
                given = _args_with_game(given, begun.game, begun.board)
            config = _resumed_config(simulated_config(given, state), begun, state)
            await _serve_game(config, NO_SEAT, given, listening, begin=False)
        elif given.game is not None or given.board is not None:
            await _serve_game(simulated_config(given, state), NO_SEAT, given, listening)
        elif given.option:
            raise ConfigError(f"--option {given.option[0]}: no game has it yet; try --game, too")
        elif given.machine:
            raise ConfigError(f"--machine {given.machine[0]}: no game has that seat yet; try --game, too")
        else:
            chosen = await _wait_for_choice(given, state, listening)
            if chosen is not None:
                await _serve_game(*chosen, given, listening)


async def _serve_game(
    config: Config,
    learner: Seat,
    given: argparse.Namespace,
    listening: socket.socket,
    *,
    begin: bool = True,
) -> None:
    """Serve a game; `learner`: the seat whose first one it is; `begin`: whether it was asked for."""
    config, board = virtual_board(config, given.seed, mistake=given.mistake)
    lesson = boardrules.package(config.game.id).lessons()[learner] if learner else None

    def opening(**table: Any) -> Table:
        dice = {} if lesson is None else {"dice": lesson_dice(lesson)}
        return open_table(**{**table, **dice})

    daemon = Daemon(config, Notifier({}), board, opening, listening=listening, begin_new=begin)
    partner: LessonPartner | None = None
    try:
        _save_machine_levels(config)
        await daemon.start()
        if lesson is not None and daemon.page is not None:
            partner = LessonPartner(daemon, board, learner, lesson, daemon.set_player_responding)
            daemon.page.page.partner = partner
            partner.start()
        _print_links(daemon)
        await daemon.run()
    finally:
        if partner is not None:
            partner.stop()
        daemon.stop()
        board.stop()
        await daemon.wait_closed()
        if board.mistakes:
            print(f"Built in: {', '.join(board.mistakes)}", flush=True)


def _save_machine_levels(config: Config) -> None:
    """Write down where the machine plays, for when the game goes on. Raises `ConfigError`."""
    path = config.journal.path.with_name(MACHINES_PATH.name)
    try:
        replace_file(path, json.dumps(dict(config.game.machines)).encode(), 0o644)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; make it writable for the umpire") from None


# Choosing a game


def playable_games() -> tuple[str, ...]:
    """The games that a shipped board carries, those on the smallest board first. One whose package fails is
    left out."""
    boards = sorted(readable_boards().values(), key=lambda board: len(board.spaces))
    sound = registry.games()
    return tuple(dict.fromkeys(game for board in boards for game in board.games if game in sound))


def _default_board(game: str) -> str:
    """The shipped board for a game, without what makers add to it: it has the shortest name.

    Raises `ConfigError` for a game without one.
    """
    for name in sorted(board_names(), key=len):  # the others are not read: each takes 20 ms
        with contextlib.suppress(BoardFileError):
            if game in load_board(name).games:
                return name
    raise ConfigError(
        f"--game {game}: no shipped board has this game; try one of {', '.join(playable_games())}"
    )


def _args_with_game(given: argparse.Namespace, game: str, board: str = "") -> argparse.Namespace:
    """What was given, with that game, on that board or the one for it."""
    return argparse.Namespace(**{**vars(given), "game": game, "board": board or _default_board(game)})


def _unfinished_game(state: Path) -> GameHeader | None:
    """The game that goes on there. Raises as `Store.open`."""
    if not (state / JOURNAL_PATH).exists():
        return None
    with contextlib.closing(Store.open(state / JOURNAL_PATH, load_or_make_key(state / KEY_PATH))) as store:
        return store.unfinished_game()


def _resumed_config(config: Config, begun: GameHeader, state: Path) -> Config:
    """The configuration for a game that goes on: with its options, and the machine at the seats where it was
    unless others were named. Raises `ConfigError`."""
    machines = config.game.machines
    if not machines:
        read_or_set_aside(state / MACHINES_PATH, lambda path: _load_machine_levels(path, begun))
        machines = _load_machine_levels(state / MACHINES_PATH, begun)
    game = replace(
        config.game, options=MappingProxyType(begun.options), machines=MappingProxyType(dict(machines))
    )
    return replace(config, game=game)


def _load_machine_levels(path: Path, begun: GameHeader) -> dict[Seat, str]:
    """By seat the level of the machine that played that game. Raises `ConfigError`."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror}; make it readable for the umpire, or remove it"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(
            f'{path}: {error}; remove it, or write levels by seats, such as {{"blue": "2"}}'
        ) from None
    if not (isinstance(found, dict) and all(isinstance(level, str) for level in found.values())):
        raise UnreadableFileError(f'{path}: remove it, or write levels by seats, such as {{"blue": "2"}}')
    try:
        return check_machine_seats(begun.game, begun.options, found)
    except ConfigError as error:
        raise UnreadableFileError(f"{path}: {error}") from None


def _config_of_choice(config: Config, choice: GameChoice) -> Config:
    """The configuration with what was chosen. Raises `BoardumpireError` for what can't be played."""
    options, machines = dict(choice.options), dict(choice.machine_levels)
    people = {name: options.pop(name) for name in ("players",) if name in options}
    try:
        boardrules.new(config.game.id, people)
    except OptionError as error:
        raise ConfigError(f"new game: {error}") from None
    wanted = {"options": options, "clock": choice.clock}
    apply_game_changes(NewGameSettings(config.game.id, people), wanted, load_board(config.board.name))
    every = {**people, **options}
    seats = boardrules.new(config.game.id, every).seats
    machines = check_machine_seats(
        config.game.id, every, {seat: level for seat, level in machines.items() if seat in seats}
    )
    called = {seat: name for seat, name in choice.player_names.items() if seat in seats}
    game = GameSection(
        config.game.id,
        options=MappingProxyType(every),
        machines=MappingProxyType(machines),
        players=MappingProxyType(players.clean_names(called, seats, config.game.id)),
    )
    return replace(config, game=game, clock=parse_clock_section(choice.clock))


def start_page(
    given: argparse.Namespace,
    state: Path,
    on_choice: Callable[[Config, Seat], None],
    listening: socket.socket | None = None,
) -> StartPage:
    """The page on which somebody chooses a game: `on_choice` gets its configuration, and the seat that learns
    it.

    `given`: what the command line says; `listening`: as `StartPage`.
    """
    from boardumpire.web.start_page import StartPage

    def lead(choice: GameChoice) -> str:
        config = _config_of_choice(simulated_config(_args_with_game(given, choice.game), state), choice)
        on_choice(config, choice.learner_seat)
        seats = boardrules.new(config.game.id, config.game.options).seats
        people = [seat for seat in seats if seat not in config.game.machines]
        alone = people[0] if len(people) == 1 else TABLE_LINK  # nobody else would sit down at the table
        path = SeatLinks.open(config.page.links, people).paths()[choice.learner_seat or alone]
        return f"{path}/all" if choice.is_passed_round and len(people) > 1 else path

    set_aside_unreadable(simulated_config(_args_with_game(given, playable_games()[0]), state))
    section = PageSection(listen=given.listen, links=state / LINKS_PATH, https=given.https)
    return StartPage(with_own_certificate(section), playable_games(), lead, listening, playable_levels)


async def _wait_for_choice(
    given: argparse.Namespace, state: Path, listening: socket.socket
) -> tuple[Config, Seat] | None:
    """The configuration of what somebody chooses on a page, and the seat that learns it; `None` once the
    program shall end."""
    found: list[tuple[Config, Seat]] = []
    page = start_page(given, state, lambda config, learner: found.append((config, learner)), listening)
    ended = asyncio.Event()
    with handle_signals(ended.set):
        await page.start()
        print(
            f"Boardumpire on a simulated board. Choose a game: {page.origin}\nCtrl+C ends it.\n", flush=True
        )
        prepared = start_task(asyncio.to_thread(_prepare, state), "what every game needs")
        waits = [start_task(event.wait(), "the start page") for event in (page.choice_made, ended)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for each in waits:
            each.cancel()
        await asyncio.wait([prepared])
        await page.stop()
    return found[-1] if page.choice_made.is_set() else None


def _prepare(state: Path) -> None:
    """Load and create what every game needs while somebody chooses one: seats are there sooner."""
    for point in registry.installed_entry_points(VIRTUAL_BOARD_GROUP):
        point.load().load_pico_modules()
    Store.open(state / JOURNAL_PATH, load_or_make_key(state / KEY_PATH)).close()
    from boardumpire.web.assets import Assets  # as the start page's own libraries

    Assets("boardumpire.web").prepare(playable_games())


def _print_links(daemon: Daemon) -> None:
    assert daemon.page is not None
    print("Boardumpire on a simulated board. Ctrl+C ends it.\n", flush=True)
    print(f"  PIN    {daemon.page.pin} (settings)\n", flush=True)
    for name, link in daemon.page.links().items():
        print(f"  {name:<6} {link}", flush=True)
    print(
        "\nOpen each in a browser window of its own; a seat stays with the device that sits down first.",
        flush=True,
    )


@contextlib.contextmanager
def _state_directory(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        try:
            wanted.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"--state {wanted}: {error.strerror}; try another folder") from None
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="boardumpire-") as made:
        yield Path(made)
