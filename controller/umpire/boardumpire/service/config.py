"""The configuration: TOML, read once at start, wrong keys refused with the line they stand on.

What the sections and keys mean stands in `systemd/boardumpire.toml`, which names each with its default.
Unless one file is named there are three layers, of which later ones win: that file as it is installed, in
/usr/share/boardumpire, which upgrades replace; /etc/boardumpire/boardumpire.toml, which the set-up writes;
and the owner's files in /etc/boardumpire/conf.d, in the order of their names.
Relative paths of the journal and the key lie in the state directory, that of the control socket in the
runtime directory; systemd names both in the environment.
"""

from __future__ import annotations

import ipaddress
import re
import shlex
import tomllib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, get_origin, get_type_hints

from boardrules import registry
from boardrules.core import Seat
from boardrules.rule_sets import RULEBOOK_SET, RULES_OPTION
from boardumpire.errors import ConfigError
from boardumpire.messages.languages import ENGLISH, LANGUAGES
from boardumpire.ruling import clocks
from boardware.ports import SECOND
from boardware.tomlfile import key_lines, quote_value

FORMAT = "boardumpire-config"
VERSION = 1
DEFAULT_PATH = Path("/etc/boardumpire/boardumpire.toml")
SHARE_DIRECTORY = Path("/usr/share/boardumpire")
OVERRIDES_FOLDER = "conf.d"
"""The folder beside the configuration with the owner's files."""
STATE_DIRECTORY = Path("/var/lib/boardumpire")
RUNTIME_DIRECTORY = Path("/run/boardumpire")

_OpenTable = Mapping[str, Any]
"""A table whose keys somebody else knows: a driver, a game."""
_KeyPath = tuple[str, ...]


def _key_field(default: Any, allowed: Callable[[Any], bool], expected: str) -> Any:
    """A key of a section: its default, which values are possible, and how to say that."""
    return field(default=default, metadata={"allowed": allowed, "expected": expected})


def _name_field(default: str, expected: str) -> Any:
    return _key_field(default, lambda value: value == value.strip() != "", expected)


def _number_field(default: int, low: int, high: int, unit: str) -> Any:
    return _key_field(default, lambda value: low <= value <= high, f"{low} to {high} {unit}")


_PATH_METADATA = {
    "allowed": lambda value: value.name != "" and "\0" not in str(value),
    "expected": "the path of a file",
}


class ConfigOrigin(NamedTuple):
    """Where a configuration was read."""

    path: Path | None = None
    lines: Mapping[_KeyPath, int] = MappingProxyType({})
    files: Mapping[_KeyPath, Path] = MappingProxyType({})
    """By key the file of its line, where that is another one than `path`."""
    layers: tuple[Path, ...] = ()
    """The files that were read, where there may be several."""
    board: str = ""
    """The further board whose sections stand for those of the first one (`Config.of_board`)."""

    def locate(self, *where: str) -> str:
        """`FILE:LINE: [section] key`, with the line of the nearest thing around it that has one."""
        if self.board and where[0] in _OF_BOARD:
            where = ("boards", self.board, *(where[1:] if where[0] == "board" else where))
        *section, key = where
        name = f"[{'.'.join(section)}] {key}" if section else key
        if self.path is None:
            return name
        around = (where[:length] for length in range(len(where), 0, -1))
        near = next((each for each in around if each in self.lines), None)
        if near is None:
            return f"{self.path}: {name}"
        return f"{self.files.get(near, self.path)}:{self.lines[near]}: {name}"


def _empty() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BoardSection:
    """Which board hangs on the machine."""

    name: str = _key_field(
        "quick-battle-8x8",
        lambda value: value == value.strip(),
        "the name of a shipped board, the path of a board file, or nothing",
    )
    """Nothing: none is chosen yet, and the set-up begins."""


@dataclass(frozen=True, slots=True)
class DriversSection:
    """Drivers by the names of their entry points (group `boardumpire.drivers`)."""

    sensors: str = _name_field("gpio", "the name of a driver of sensors")
    lamps: str = _name_field("neopixel", "the name of a driver of lamps")
    console: str = _name_field("console-gpio", "the name of a driver of buttons")
    tags: str = _key_field(
        "", lambda value: value == value.strip(), "the name of a driver of tags, or nothing"
    )


@dataclass(frozen=True, slots=True)
class FurtherBoardSection:
    """A board beside the first one, with the keys and sections that the first one has in `board`, `drivers`,
    `sensors`, `lamps` and `console`."""

    name: str = _name_field("quick-battle-8x8", "the name of a shipped board, or the path of a board file")
    seats: str = _key_field(
        "", lambda value: True, "the seats whose hands act there, with spaces between them"
    )
    drivers: DriversSection = field(default_factory=DriversSection)
    sensors: _OpenTable = field(default_factory=_empty)
    lamps: _OpenTable = field(default_factory=_empty)
    console: _OpenTable = field(default_factory=_empty)


_OF_BOARD = ("board", "drivers", "sensors", "lamps", "console")
"""The sections that are about one board."""


@dataclass(frozen=True, slots=True)
class GameSection:
    """What to begin when no game of the journal waits to go on."""

    id: str = _name_field("stratego-quick-duel", "the id of a game")
    dice: str = _key_field("umpire", lambda value: value in ("umpire", "real"), "umpire or real")
    options: _OpenTable = field(default_factory=_empty)
    machines: Mapping[Seat, Any] = field(default_factory=_empty)
    players: Mapping[Seat, Any] = field(default_factory=_empty)
    machines_resign: bool = _key_field(False, lambda value: True, "true or false")
    files: Mapping[str, str] = field(default_factory=_empty, compare=False)
    """By each key that the game itself declares (`GamePackage.config_files`) the path of its file."""


@dataclass(frozen=True, slots=True)
class ClockSection:
    """How much time seats have in a game that begins."""

    kind: str = _key_field("none", lambda value: value in clocks.KINDS, f"one of {', '.join(clocks.KINDS)}")
    base_s: int = _number_field(900, 5, 86400, "seconds")
    extra_s: int = _number_field(10, 0, 3600, "seconds")
    turn_s: int = _number_field(60, 5, 86400, "seconds")

    def to_terms(self) -> clocks.ClockTerms:
        """What is agreed, in microseconds."""
        match self.kind:
            case clocks.NONE:
                return clocks.ClockTerms()
            case clocks.TURN:
                return clocks.ClockTerms(clocks.TURN, self.turn_s * SECOND)
        return clocks.ClockTerms(self.kind, self.base_s * SECOND, self.extra_s * SECOND)


@dataclass(frozen=True, slots=True)
class TrackerSection:
    """How patient the board is with hands."""

    settle_ms: int = _number_field(350, 50, 5000, "milliseconds")
    lifted_ms: int = _number_field(100, 50, 5000, "milliseconds")
    slide_ms: int = _number_field(800, 50, 5000, "milliseconds")
    touch_ms: int = _number_field(200, 20, 2000, "milliseconds")
    straight_ms: int = _number_field(2000, 0, 10_000, "milliseconds")
    tap_ms: int = _number_field(350, 100, 3000, "milliseconds")
    capture_ms: int = _number_field(2500, 500, 60_000, "milliseconds")
    attack: str = _key_field("sign", lambda value: value in ("sign", "hold"), "sign or hold")
    hold_ms: int = _number_field(2000, 500, 10_000, "milliseconds")
    away_s: int = _number_field(10, 1, 3600, "seconds")
    ask_s: int = _number_field(5, 1, 600, "seconds")
    ask_where_s: int = _number_field(20, 1, 3600, "seconds")
    adjourn_s: int = _number_field(10, 1, 3600, "seconds")
    remind_s: int = _number_field(120, 5, 86400, "seconds")
    touch_move: bool = _key_field(False, lambda value: True, "true or false")
    slides: bool = _key_field(True, lambda value: True, "true or false")
    runs_ahead: bool = _key_field(False, lambda value: True, "true or false")


@dataclass(frozen=True, slots=True)
class PiecesSection:
    """The pieces that are played with."""

    tags: Path = field(default=Path("key/tags"), metadata=_PATH_METADATA)
    """The list of which tag is in which piece."""


@dataclass(frozen=True, slots=True)
class JournalSection:
    """Where games are kept, and where the key to what they hide."""

    path: Path = field(default=Path("journal.sqlite"), metadata=_PATH_METADATA)
    key: Path = field(default=Path("key/board.key"), metadata=_PATH_METADATA)


@dataclass(frozen=True, slots=True)
class ControlSection:
    """The local socket through which seats speak in private."""

    socket: Path = field(default=Path("control.sock"), metadata=_PATH_METADATA)


SPECTATOR_DELAY_MAX = 200
"""How many actions late spectators may be: some games have about as many."""


@dataclass(frozen=True, slots=True)
class PageSection:
    """The page: the board and a private screen for each seat, in a browser."""

    listen: str = _key_field(
        "", lambda value: value == "" or parse_listen_address(value) is not None, "ADDRESS:PORT, or nothing"
    )
    names: str = _key_field("", lambda value: True, "names of this machine, with spaces between them")
    certificate: str = _key_field("", lambda value: True, "the path of a certificate (PEM), or nothing")
    key: str = _key_field("", lambda value: True, "the path of its key (PEM), or nothing")
    https: bool = _key_field(False, lambda value: True, "true or false")
    links: Path = field(default=Path("key/links.json"), metadata=_PATH_METADATA)
    pin: str = _key_field("", lambda value: value == "" or is_pin(value), "4 to 12 digits, or nothing")
    confirm: bool = _key_field(False, lambda value: True, "true or false")
    spectator_delay: int = _key_field(
        0, lambda value: 0 <= value <= SPECTATOR_DELAY_MAX, f"0 to {SPECTATOR_DELAY_MAX} actions"
    )
    metrics: str = _key_field(
        "", lambda value: parse_networks(value) is not None, "addresses and networks, or nothing"
    )
    proxy: str = _key_field(
        "", lambda value: parse_networks(value) is not None, "addresses and networks, or nothing"
    )
    mdns: str = _key_field(
        "boardumpire", lambda value: value == "" or is_host_label(value), "a name, or nothing"
    )


@dataclass(frozen=True, slots=True)
class SatellitesSection:
    """Boards on other machines, which connect to this one."""

    listen: str = _key_field(
        "", lambda value: value == "" or parse_listen_address(value) is not None, "ADDRESS:PORT, or nothing"
    )
    keys: Path = field(default=Path("key/satellites.json"), metadata=_PATH_METADATA)


@dataclass(frozen=True, slots=True)
class SatelliteSection:
    """Where the table of this machine's board is, if that is another machine."""

    host: str = _key_field("", lambda value: value == value.strip(), "HOST:PORT, wss://HOST/PATH, or nothing")
    key: Path = field(default=Path("key/satellite.json"), metadata=_PATH_METADATA)


@dataclass(frozen=True, slots=True)
class MqttSection:
    """A broker that is told what spectators may see."""

    broker: str = _key_field(
        "", lambda value: value == "" or bool(_parse_broker(value)), "HOST or HOST:PORT, or nothing"
    )
    name: str = _key_field("", lambda value: value == "" or is_host_label(value), "a name, or nothing")
    user: str = _key_field("", lambda value: True, "a user of the broker, or nothing")
    password: str = _key_field("", lambda value: True, "the password, or nothing")
    password_file: str = _key_field("", lambda value: "\0" not in value, "the path of a file, or nothing")
    """Read when the configuration is: `password` has it then."""
    secure: bool = _key_field(False, lambda value: True, "true or false")
    discovery: str = _key_field(
        "", lambda value: value == "" or is_topic_prefix(value), "a topic, or nothing"
    )

    @property
    def address(self) -> tuple[str, int]:
        """The broker's host and port."""
        host, port = _parse_broker(self.broker) or ("", 0)
        return host, port or (8883 if self.secure else 1883)


def _parse_broker(text: str) -> tuple[str, int] | None:
    """Host and port, 0 where none is named; `None` for what is none."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?", text)
    if found is None or int(found[2] or 1) not in range(1, 65536):
        return None
    return found[1].strip("[]"), int(found[2] or 0)


def is_pin(text: str) -> bool:
    """Whether that can be a PIN: digits that a person types."""
    return text.isascii() and text.isdecimal() and 4 <= len(text) <= 12


def is_host_label(text: str) -> bool:
    """Whether that can be one part of a name in a network: letters, digits and hyphens."""
    return bool(re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", text))


def is_topic_prefix(text: str) -> bool:
    """Whether topics can begin so: words with slashes between them, without the signs that stand for any."""
    return bool(re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", text)) and len(text) <= 100


@dataclass(frozen=True, slots=True)
class MachineSection:
    """What the machine is told to do from the table."""

    power_off: str = _key_field(
        "systemctl poweroff", lambda value: is_command(value), "a command, or nothing"
    )
    update: str = _key_field("", lambda value: is_command(value), "a command, or nothing")


def is_command(text: str) -> bool:
    """Whether that can be run: words as a shell would part them."""
    try:
        words = shlex.split(text)
    except ValueError:
        return False
    return "\0" not in text and (bool(words) or not text)


@dataclass(frozen=True, slots=True)
class VoiceSection:
    """A voice that says aloud what everybody is told."""

    program: str = _key_field(
        "", lambda value: value in ("", "espeak-ng", "piper"), "espeak-ng, piper, or nothing"
    )
    language: str = _key_field(ENGLISH, lambda value: value in LANGUAGES, f"one of {', '.join(LANGUAGES)}")
    model: str = _key_field(
        "", lambda value: value == value.strip(), "the path of a voice for piper, or nothing"
    )
    player: str = _name_field("aplay", "the program that plays sounds")
    device: str = _key_field(
        "",
        lambda value: value == value.strip() and value[:1] != "-",
        "a sound card as aplay -L names it, or nothing",
    )
    battles: str = _key_field("words", lambda value: value in ("words", "tunes"), "words or tunes")


def parse_listen_address(text: str) -> tuple[str, int] | None:
    """`127.0.0.1:8080`, `[::]:8080` or `localhost:8080` as address and port; `None` for what is none."""
    address, _, port = text.rpartition(":")
    address = "127.0.0.1" if address == "localhost" else address.removeprefix("[").removesuffix("]")
    found = re.fullmatch(r"0*([0-9]{1,5})", port)
    try:
        scoped = getattr(ipaddress.ip_address(address), "scope_id", None)
    except ValueError:
        return None
    if scoped:
        return None  # no page can be reached by it
    return (address, int(found[1])) if found and int(found[1]) < 65536 else None


def parse_networks(text: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] | None:
    """`192.168.1.10 10.0.0.0/8` as networks; `None` for what is none."""
    try:
        return tuple(ipaddress.ip_network(word) for word in text.split())
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Config:
    """All of it. Paths are absolute once `load` has given it out."""

    board: BoardSection = field(default_factory=BoardSection)
    drivers: DriversSection = field(default_factory=DriversSection)
    sensors: _OpenTable = field(default_factory=_empty)
    """Settings of the driver named in `drivers`, which alone knows them. Likewise the next three."""
    lamps: _OpenTable = field(default_factory=_empty)
    console: _OpenTable = field(default_factory=_empty)
    tags: _OpenTable = field(default_factory=_empty)
    boards: Mapping[str, FurtherBoardSection] = field(default_factory=_empty)
    pieces: PiecesSection = field(default_factory=PiecesSection)
    game: GameSection = field(default_factory=GameSection)
    clock: ClockSection = field(default_factory=ClockSection)
    tracker: TrackerSection = field(default_factory=TrackerSection)
    journal: JournalSection = field(default_factory=JournalSection)
    control: ControlSection = field(default_factory=ControlSection)
    page: PageSection = field(default_factory=PageSection)
    satellites: SatellitesSection = field(default_factory=SatellitesSection)
    satellite: SatelliteSection = field(default_factory=SatelliteSection)
    mqtt: MqttSection = field(default_factory=MqttSection)
    voice: VoiceSection = field(default_factory=VoiceSection)
    machine: MachineSection = field(default_factory=MachineSection)
    origin: ConfigOrigin = field(default=ConfigOrigin(), compare=False, repr=False)
    """Not part of what it says."""

    @property
    def satellite_names(self) -> frozenset[str]:
        """The satellites on which boards hang."""
        settings = (self.sensors, *(each.sensors for each in self.boards.values()))
        return frozenset(str(each["satellite"]) for each in settings if each.get("satellite"))

    def of_board(self, name: str) -> Config:
        """The same with the further board of that name in place of the first one: for its drivers."""
        section = self.boards[name]
        return replace(
            self,
            board=BoardSection(section.name),
            drivers=section.drivers,
            sensors=section.sensors,
            lamps=section.lamps,
            console=section.console,
            boards=_empty(),
            origin=self.origin._replace(board=name),
        )


def default_path(environ: Mapping[str, str]) -> Path:
    """The file of the configuration where none is named. systemd tells its folder."""
    folder = environ.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    return Path(folder) / DEFAULT_PATH.name if folder else DEFAULT_PATH


def load(path: Path | None, environ: Mapping[str, str]) -> Config:
    """Read `path` alone; without, or where it is the usual one, all layers. What none has keeps its default.

    Raises `ConfigError`.
    """
    usual = default_path(environ)
    if path is not None and path != usual:
        found = read_file(path)
    else:
        found = _parse_layers(usual, _read_layers(usual, _read_text_if_present(usual), environ))
    return _resolve_paths(_load_password(_complete_options(found)), environ)


def load_text(text: str, path: Path, environ: Mapping[str, str]) -> Config:
    """As `load`, of what `path` would hold. Raises `ConfigError`."""
    usual = default_path(environ)
    found = parse(text, path) if path != usual else _parse_layers(usual, _read_layers(usual, text, environ))
    return _resolve_paths(_load_password(_complete_options(found)), environ)


def _read_text_if_present(path: Path) -> str | None:
    """What a file says. Raises `ConfigError`, also where nobody can tell whether it is there."""
    try:
        there = path.exists()
    except OSError:
        there = True  # reading it says why
    return read_text(path) if there else None


def _read_layers(usual: Path, text: str | None, environ: Mapping[str, str]) -> list[tuple[Path, str]]:
    """The files that are there with what they say, the first below the others; `text` is that of `usual`."""
    shipped = Path(environ.get("BOARDUMPIRE_SHARE", "") or SHARE_DIRECTORY) / usual.name
    found = [(shipped, read_text(shipped))] if shipped.exists() else []
    if text is not None:
        found.append((usual, text))
    own = sorted(usual.parent.joinpath(OVERRIDES_FOLDER).glob("*.toml"))
    return found + [(each, read_text(each)) for each in own]


def _parse_layers(usual: Path, layers: Sequence[tuple[Path, str]]) -> Config:
    """One configuration of several texts; a later one's keys count. Raises `ConfigError`."""
    if not layers:
        return Config()
    values: dict[str, Any] = {}
    lines: dict[_KeyPath, int] = {}
    files: dict[_KeyPath, Path] = {}
    for path, text in layers:
        reader, above = _read_toml(text, path)
        if path.parent.name == OVERRIDES_FOLDER:
            above = {"format": FORMAT, "version": VERSION, **above}
        reader.take_format_and_version(above)
        values = _merge_tables(values, above)
        lines |= reader.origin.lines
        files |= dict.fromkeys(reader.origin.lines, path)
    origin = ConfigOrigin(usual, lines, files, tuple(path for path, _ in layers))
    return _ConfigReader(origin).read_config(values)


def _merge_tables(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables with the keys of both."""
    found = dict(below)
    for key, value in above.items():
        had = found.get(key)
        found[key] = _merge_tables(had, value) if isinstance(had, dict) and isinstance(value, dict) else value
    return found


def read_file(path: Path) -> Config:
    """Read one file, its relative paths left as they are. Raises `ConfigError`."""
    return parse(read_text(path), path)


def read_text(path: Path) -> str:
    """What a configuration says. Raises `ConfigError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        hint = "the same command with sudo" if isinstance(error, PermissionError) else "--config FILE"
        raise ConfigError(f"{path}: can't read: {error.strerror}; try {hint}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8: {error.reason}; try a file of text") from None
    except ValueError as error:  # a path that no file can have
        raise ConfigError(f"{path}: can't read: {error}") from None


def parse(text: str, path: Path) -> Config:
    """The configuration that a text of the file `path` is. Raises `ConfigError`."""
    reader, values = _read_toml(text, path)
    reader.take_format_and_version(values)
    return reader.read_config(values)


def _read_toml(text: str, path: Path) -> tuple[_ConfigReader, dict[str, Any]]:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}; try [section] and key = value") from None
    except RecursionError:
        raise ConfigError(f"{path}: not TOML: nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits
        raise ConfigError(f"{path}: can't read: {error}") from None
    lines = dict(reversed(list(key_lines(text))))  # the first line of each key
    return _ConfigReader(ConfigOrigin(path, lines)), values


def parse_clock_section(values: Mapping[str, Any]) -> ClockSection:
    """A section `clock` from elsewhere than a file. Raises `ConfigError`: `[clock] key: ...`."""
    section = _ConfigReader(ConfigOrigin())._read_section(ClockSection, ("clock",), values)
    assert isinstance(section, ClockSection)
    return section


class _ConfigReader:
    """Turns what TOML holds into sections; complains with file and line."""

    def __init__(self, origin: ConfigOrigin) -> None:
        self.origin = origin

    def take_format_and_version(self, values: dict[str, Any]) -> None:
        """Take format and version out. Raises `ConfigError` where these are others."""
        name, version = values.pop("format", None), values.pop("version", None)
        if name != FORMAT:
            self._refuse(("format",), name, f"'{FORMAT}'")
        if type(version) is not int or version < 1:
            self._refuse(("version",), version, str(VERSION))
        if version > VERSION:
            newer = f"{FORMAT} version {version} is newer than this program, which reads {VERSION}"
            raise ConfigError(f"{self.origin.path}: {newer}")

    def read_config(self, values: dict[str, Any]) -> Config:
        """All sections."""
        self._check_numbers((), values)
        config = self._read_section(Config, (), values)
        assert isinstance(config, Config)
        return replace(config, origin=self.origin)

    def _check_numbers(self, where: _KeyPath, value: object) -> None:
        """Refuse integers that TOML doesn't promise; longer ones can't even be shown."""
        if isinstance(value, dict):
            for key, inner in value.items():
                self._check_numbers((*where, key), inner)
        elif isinstance(value, list):
            for inner in value:
                self._check_numbers(where, inner)
        elif isinstance(value, int) and value.bit_length() > 63:
            self._refuse(where, value, "a whole number of at most 64 bits")

    def _read_section(self, kind: type[Any], where: _KeyPath, values: Mapping[str, Any]) -> Any:
        """A dataclass from the table of the same keys; what the table lacks keeps its default."""
        known = {part.name: part for part in fields(kind) if part.compare}
        types_ = get_type_hints(kind)
        taken: dict[str, Any] = {}
        if kind is GameSection:
            taken["files"], values = self._read_game_files(where, values, known)
        for key, value in values.items():
            here = (*where, key)
            if key not in known:
                what = "key" if where else "section"
                expected = f"unknown {what}; try one of {', '.join(known)}"
                raise ConfigError(f"{self.origin.locate(*here)}: {expected}")
            if kind is Config and key == "boards":
                taken[key] = self._read_boards(here, self._check_type(here, value, dict, "sections"))
            elif is_dataclass(types_[key]):
                taken[key] = self._read_section(
                    types_[key], here, self._check_type(here, value, dict, "a section")
                )
            elif get_origin(types_[key]) is Mapping:
                taken[key] = MappingProxyType(self._check_type(here, value, dict, "a table"))
            else:
                taken[key] = self._read_value(types_[key], known[key], here, value)
        return kind(**taken)

    def _read_boards(self, where: _KeyPath, values: Mapping[str, Any]) -> Mapping[str, FurtherBoardSection]:
        """The sections of further boards by their names."""
        found = {}
        for name, value in values.items():
            here = (*where, name)
            if not is_host_label(name):
                self._refuse(here, name, "a name of small letters, digits and hyphens")
            section = self._check_type(here, value, dict, "a section")
            found[name] = self._read_section(FurtherBoardSection, here, section)
        return MappingProxyType(found)

    def _read_game_files(
        self, where: _KeyPath, values: Mapping[str, Any], known: Container[str]
    ) -> tuple[Mapping[str, str], Mapping[str, Any]]:
        """The files that a section `game` names by keys of its game, and what is left of the section.

        Raises `ConfigError` for a key that neither has.
        """
        others = [key for key in values if key not in known]
        if not others:
            return {}, values
        game = values.get("id", GameSection().id)
        try:
            declared = {file.key: file for file in registry.package(str(game)).config_files()}
        except registry.UnknownGame as error:
            raise ConfigError(f"{self.origin.locate(*where, 'id')}: {error}") from None
        keys = [part.name for part in fields(GameSection) if part.compare]
        for key in others:
            here = (*where, key)
            if key not in declared:
                expected = ", ".join((*keys, *declared))
                raise ConfigError(
                    f"{self.origin.locate(*here)}: unknown key for {game}; try one of {expected}"
                )
            expected = f"the path of {declared[key].file_description}, or nothing"
            if self._check_type(here, values[key], str, expected).strip() != values[key]:
                self._refuse(here, values[key], expected)
        files = {key: values[key] for key in others if values[key]}
        return MappingProxyType(files), {key: value for key, value in values.items() if key in known}

    def _read_value(self, kind: type[Any], part: Field[Any], here: _KeyPath, value: object) -> Any:
        expected = part.metadata["expected"]
        value = kind(self._check_type(here, value, kind if kind in (int, bool) else str, expected))
        if not part.metadata["allowed"](value):
            self._refuse(here, value, expected)
        return value

    def _check_type(self, here: _KeyPath, value: object, kind: type[Any], expected: str) -> Any:
        if type(value) is not kind:
            self._refuse(here, value, expected)
        return value

    def _refuse(self, here: _KeyPath, value: object, expected: str) -> NoReturn:
        found = "nothing" if value is None else quote_value(str(value) if isinstance(value, Path) else value)
        raise ConfigError(f"{self.origin.locate(*here)}: found {found}; try {expected}")


def _complete_options(config: Config) -> Config:
    """The same with a set of rules among the game's options, and what files hold. Raises `ConfigError`."""
    game, place = config.game, config.origin.locate
    beside = Path() if config.origin.path is None else config.origin.path.parent
    options = {RULES_OPTION: RULEBOOK_SET, **game.options}
    files = registry.package(game.id).config_files() if game.files else ()
    for key, option, what, load_file in files:
        if key not in game.files:
            continue
        if option in game.options:
            raise ConfigError(f"{place('game', key)}: found options.{option} too; keep one of the two")
        try:
            options[option] = load_file(beside / game.files[key], what)
        except ValueError as error:
            raise ConfigError(f"{place('game', key)}: {error}") from None
    return replace(config, game=replace(game, options=MappingProxyType(options)))


def _load_password(config: Config) -> Config:
    """The same with the password of its file. Raises `ConfigError`."""
    mqtt, place = config.mqtt, config.origin.locate
    if not mqtt.password_file:
        return config
    if mqtt.password:
        raise ConfigError(f"{place('mqtt', 'password_file')}: found password too; keep one of the two")
    beside = Path() if config.origin.path is None else config.origin.path.parent
    try:
        password = (beside / mqtt.password_file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        told = f"{place('mqtt', 'password_file')}: can't read {mqtt.password_file}: {why}"
        raise ConfigError(told) from None
    return replace(config, mqtt=replace(mqtt, password=password))


def state_directory(environ: Mapping[str, str]) -> Path:
    """Where the board keeps what stays. systemd may name several directories: the first is ours."""
    return Path(environ.get("STATE_DIRECTORY", "").split(":")[0] or STATE_DIRECTORY)


def _resolve_paths(config: Config, environ: Mapping[str, str]) -> Config:
    """The same with absolute paths."""
    state = state_directory(environ)
    runtime = Path(environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or RUNTIME_DIRECTORY)
    return replace(
        config,
        journal=JournalSection(state / config.journal.path, state / config.journal.key),
        pieces=PiecesSection(state / config.pieces.tags),
        control=ControlSection(runtime / config.control.socket),
        page=replace(config.page, links=state / config.page.links),
        satellites=replace(config.satellites, keys=state / config.satellites.keys),
        satellite=replace(config.satellite, key=state / config.satellite.key),
    )
