"""What a game brings. Whoever needs more than a state asks the game's package, and never which game it is.

Packages are found as entry points of the group `boardumpire.games`, each by the id of its game. Only `id`,
`title` and `new` have to be there; all else has a default that leaves something out. A sentence is then shown
by its
id, a lamp stays dark, a tool says that it can't do this for the game.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from boardrules import textfile
from boardrules.core import Action, Event, Seat, Space, State, View
from boardrules.identifiers import split_seats
from boardrules.marks import TO_MOVE_MARKS, Mark
from boardrules.ranges import OptionRange

if TYPE_CHECKING:  # what a board in service asks no game for is loaded by whoever asks
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from boardrules.art import GameArt
    from boardrules.encoding import GameEncoding
    from boardrules.notations import Notation
    from boardrules.players import Chance, GamePlayers
    from boardrules.random_source import RandomSource
    from boardrules.teaching import HelpChapter, Lesson


class Message(NamedTuple):
    """Something to tell, in no language yet: the id of a sentence and its parameters."""

    id: str
    params: Mapping[str, Any] = {}
    game: str = ""
    """The id of the game whose sentence it is; of none, a sentence of the board."""


class Sentences(NamedTuple):
    """The sentences of a game, in English. Other languages are catalogues that go by the sentence."""

    texts: Mapping[str, str] = {}
    """By the id of a message its sentence, with named parameters: `"event move": "{seat}: {from} to
    {to}."`."""
    singulars: Mapping[str, tuple[str, str]] = {}
    """Those that differ for one: by id the parameter that counts, and how it is said for one."""
    name_families: Mapping[str, str] = {}
    """Parameters whose values have names of their own: `"card": "card"` says `card relief` for the card
    `relief`."""
    literal_ids: frozenset[str] = frozenset()
    """Ids of messages whose parameters are shown as they are."""
    page_families: tuple[str, ...] = ()
    """Families whose names the page's scripts need, each without its family: `("castle",)`."""


class OptionOffer(NamedTuple):
    """One option of the dialog for a new game: values to choose from, each with what it is called, or a
    number."""

    name: str
    label: str
    values: tuple[tuple[Any, str], ...] = ()
    """`{n}` in what a value is called stands for the value."""
    number_range: tuple[int, int] = (0, 0)
    """The least and the greatest, where there are no values."""
    help: str = ""
    """What it changes for the players, in a sentence or two."""
    depends_on_players: bool = False
    """Whether its default goes by the number of players: who begins a game may then leave it empty."""
    text_length: int = 0
    """Where it has neither values nor numbers: it is a text of at most so many characters."""


class ConfigFile(NamedTuple):
    """A key of the section `game` of a configuration that names a file beside it."""

    key: str
    """The key, such as `map`."""
    option: str
    """The option of the game that gets what is read."""
    file_description: str
    """What it is a file of, for messages: `a map`."""
    load_file: Callable[[Path, str], Any] = textfile.read_text_file
    """Loads it, by its path and what it is. Raises `ValueError` with a message that names the file."""


class PrintedBoard(NamedTuple):
    """What is printed on a board, as far as a game may want to hold it against what it is played on."""

    slots: Mapping[Space, int]
    """By space how many pieces it has room for."""
    outlines: Mapping[Space, str]
    """By space the id of its outline."""
    lines: frozenset[frozenset[Space]]
    """The pairs of spaces that a line joins."""


def line_mismatch(board: PrintedBoard, links: Iterable[tuple[Space, Space]]) -> str:
    """What the lines of a board join otherwise than these links; nothing if they are the same."""
    wanted = {frozenset(link) for link in links}
    for said, differing in (("joins", board.lines - wanted), ("does not join", wanted - board.lines)):
        if differing:
            one, other = min(sorted(line) for line in differing)
            return f"{said} {one} to {other}"
    return ""


class BoardMismatch(NamedTuple):
    """How a board and a game differ."""

    option: str
    """The game's option that says another board; nothing: the game has one board only."""
    found: str
    """What the board has otherwise: `has no airport in bonn`."""
    expected: str
    """Which board would fit, and how one is made."""


class SimplePlayers(NamedTuple):
    """Simple programs that play a game to its end, all equally simple: `boardumpire lab balance` weighs
    sides by them."""

    choose_action: Callable[[Any, Any, RandomSource], Action]
    """Of the view of who is to act (chance: the spectator's), its legal actions and chance: what it does."""
    solo_seat: Seat
    """The seat that plays alone ..."""
    coalition_name: str
    """... and what the others are called in one word, whoever of them wins."""
    coalition_title: str
    """The same for a table's heading."""
    option_values: Mapping[str, tuple[Any, ...]]
    """By option all that it may be."""
    count_rounds: Callable[[Mapping[str, Any]], int]
    """How many rounds a game took, by the spectator's last view."""
    irrelevant_options: tuple[str, ...] = ()
    """Options that change nothing among them."""


class GameBox(NamedTuple):
    """The pieces that belong to a game, as they lie in its box."""

    piece_counts: Mapping[Seat, int]
    """By seat how many pieces it has that all look alike from behind."""
    named_pieces: Mapping[str, Seat] = {}
    """Pieces with a name on them that everybody sees, each with its seat."""


class PieceAppearance(NamedTuple):
    """How a screen draws and names the pieces of a game. What is missing is drawn as a plain block with its
    print."""

    names: Mapping[str, str] = {}
    """By print or kind what people call such a piece, in English."""
    context: str = ""
    """What tells these names from the same words in other games, for catalogues: one game's Spy is a woman in
    some languages, another's a man."""
    signs: Mapping[str, str] = {}
    """By print or kind the sign that is drawn instead of the print."""
    drawings: Mapping[str, str] = {}
    """By print the drawing that screens have for it: `bomb`, `flag`; or an SVG path within 28 x 28 around
    (0, 0)."""
    pawns: Mapping[Seat, str] = {}
    """The seats whose pieces are round pawns, each with the letter that is on them in every language ..."""
    guards: frozenset[Seat] = frozenset()
    """... and those of them whose pawns have the shape of a shield."""
    colours: Mapping[str, str] = {}
    """By print or kind the colour of such a piece, `#rrggbb`, where it isn't that of its seat."""
    picture: bool = False
    """Whether its art has a picture for screens (`GameArt.screen`)."""
    presets: Mapping[str, str] = {}
    """Set-ups that are ready (`GamePackage.suggest_setup`): by id what each is called, in English."""
    scene: str = ""
    """The script in the folder `page` of its package (`GamePackage.resources`) that draws and says what no
    other game has, without `.js`. Styles have the same name. Most games need none."""


class GameDefinition(ABC):
    """What a program needs of a game: its first state, its options, and who can play it."""

    id: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str] = ""
    """What it is called together with its variants, which are offered as one."""
    player_counts: ClassVar[tuple[int, ...]] = (2,)
    """How many people may sit down: what the option `players` may be."""
    rulebook_options: ClassVar[Mapping[str, Any]] = {}
    """By option what the printed rules say, where `new` has another default (`boardrules.rule_sets`)."""

    @abstractmethod
    def new(self, options: Mapping[str, Any]) -> State:
        """The first state. Raises `OptionError` naming the option, what was given and what is allowed."""

    def ranges(self, options: Mapping[str, Any]) -> Mapping[str, OptionRange]:
        """By option what it may be in a game with these options: what `new` takes, and nothing else."""
        return {
            offer.name: OptionRange(
                tuple(value for value, _ in offer.values)
                or tuple(range(offer.number_range[0], offer.number_range[1] + 1))
            )
            for offer in self.option_offers()
            if not offer.text_length
        }

    def option_offers(self) -> tuple[OptionOffer, ...]:
        """The options that the dialog for a new game has; others are said in the configuration."""
        return ()

    def refusals(self) -> Mapping[str, str]:
        """By each code that it refuses by the id of the rule that it rests on."""
        return {}

    def schema(self) -> Mapping[str, Any]:
        """What its views hold, as JSON Schema (`boardrules.schema`)."""
        return {}

    def record_line_prefixes(self) -> tuple[str, ...]:
        """How lines of a record begin that come neither from a seat nor from hands, such as `chance `."""
        return ()

    def notations(self) -> tuple[Notation, ...]:
        """Other ways to write its games down, beside records; games may share one."""
        return ()

    def read_position(self, text: str, options: Mapping[str, Any]) -> State:
        """The position that a text describes, with all that is hidden.

        Raises `NotationError` for a text that describes none, and where the game has no such texts.
        """
        from boardrules.notations import NotationError

        raise NotationError(f"{self.id} has no text for a position; expected a game that has one")

    def write_position(self, state: State) -> str:
        """The text of a position, which `read_position` reads. Raises `NotationError` as it does."""
        from boardrules.notations import NotationError

        raise NotationError(f"{self.id} has no text for a position; expected a game that has one")

    def resample(self, view: View, chance: Chance) -> State:
        """A random state that the seat of `view` can't tell from the real one: for search with hidden
        information.

        Without hidden information that is the real one. Raises `ValueError` where the game can't do it.
        """
        state = view.open_state()
        if state is not None:
            return state
        raise ValueError(f"{self.id} can't complete a view; expected a game that can")

    def count_consistent(self, view: View) -> int:
        """How many states the seat of `view` can't tell from the real one, which is among them.

        Without hidden information that is one. Raises `ValueError` where the game can't count them.
        """
        if view.open_state() is not None:
            return 1
        raise ValueError(f"{self.id} can't count what a view leaves open; expected a game that can")

    def encoding(self, options: Mapping[str, Any]) -> GameEncoding:
        """How a game with these options is written in numbers, for programs that learn.

        Raises `OptionError`, or `ValueError` where the game has no such numbers.
        """
        raise ValueError(f"{self.id} is not written in numbers; expected a game that is")

    def simple_players(self) -> SimplePlayers | None:
        """Programs that play it, if there are any."""
        return None

    def players(self) -> GamePlayers | None:
        """Programs worth playing against, in levels, if there are any."""
        return None


class BoardMapping:
    """What a board of real pieces needs of a game: what is in the box, what lights show, which board fits."""

    id: ClassVar[str]

    def config_files(self) -> tuple[ConfigFile, ...]:
        """The keys of the configuration that name files of this game; the first is the one its board is made
        of."""
        return ()

    def box(self, state: State) -> GameBox:
        """The pieces of a game that begins with this state: those of its layout, and those that are set up by
        hand."""
        each = dict.fromkeys(state.seats, 0)
        for pieces in state.layout().values():
            for piece in pieces:
                each[piece.seat] = each.get(piece.seat, 0) + 1
        for seat, army in self.armies().items():
            each[seat] = each.get(seat, 0) + sum(army.values())
        return GameBox(each)

    def armies(self) -> Mapping[Seat, Mapping[str, int]]:
        """By seat how many pieces of each print it sets up by hand; nothing where the layout comes from the
        box."""
        return {}

    def suggest_setup(
        self,
        options: Mapping[str, Any],
        seat: Seat,
        preset: str,
        kept: Mapping[Space, str],
        chance: Chance,
    ) -> Mapping[Space, str]:
        """A whole set-up for a seat that sets up by hand, by space the print of each piece.

        `preset`: one of `PieceAppearance.presets`, else it is drawn by chance around what is `kept`; of that
        stays what the rules take. Raises `ValueError` for a preset that there isn't.
        """
        raise ValueError(f"{self.id} has no set-up to suggest")

    def board_mismatch(self, board: PrintedBoard, options: Mapping[str, Any]) -> BoardMismatch | None:
        """How a board differs from what a game with these options is played on; `None` if it fits."""
        return None

    def board_limitations(self, state: State, lamps: Container[str]) -> tuple[str, ...]:
        """What a board with these named lamps can't show of the game, though it may be played on it."""
        return ()

    def marks(self) -> Mapping[str, Mark]:
        """The marks that its `lamps` and `finale` show, by name, beside those that every game has.

        One called `turn-SEAT` is shown by the lamp of that name when it is that seat's turn.
        """
        return TO_MOVE_MARKS

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """By space or named lamp the mark of what everybody's view shows, beside hands, rulings and whose
        turn it is.

        A lamp that the board hasn't got stays away by itself.
        """
        return {f"turn-{seat}": "to-move" for seat in view["to_act"]}

    def finale(self, view: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
        """What the lamps tell once more when a game has just ended: marks by space or named lamp, one after
        the other, each for a second. `view` is everybody's."""
        return ()

    def simulated_people_kind(self) -> str:
        """Which of the simulated people (entry points `boardumpire.people`) know how its pieces are
        played."""
        return "open"


class Presentation:
    """What people read and see of a game: sentences, help, lessons, how pieces look, what is printed."""

    id: ClassVar[str]
    highlight_kinds: ClassVar[frozenset[str]] = frozenset({"battle", "take"})
    """The kinds of events that whoever looks at a game again wants to jump to, beside its end."""

    def winning_seats(self, winner: str, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        """Of these seats those that won, by the winner of an outcome: those that it names, unless it names a
        side."""
        named = split_seats(winner)
        return tuple(seat for seat in seats if seat in named)

    def resources(self) -> Traversable | None:
        """The folder of its import package. Its `page/` has what screens need besides, its `locale/` the
        catalogues of its sentences. `None` for a game that is a module by itself."""
        from importlib.resources import files  # slow to load

        package = sys.modules[type(self).__module__].__package__
        return files(package) if package else None

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences()

    def about(self) -> Message | None:
        """What it is about, in a sentence, for who has to choose a game."""
        return None

    def help(self) -> tuple[HelpChapter, ...]:
        """Its rules in a few words each, for who asks why something is refused, or what a piece does."""
        return ()

    def lessons(self) -> Mapping[Seat, Lesson]:
        """By seat a first game that leads by the hand."""
        return {}

    def event_message(self, event: Event) -> Message:
        """The message of an event: `event KIND`, with what its `thing` is, and its data as parameters."""
        data = dict(event.data)
        thing = f" {data.pop('thing')}" if "thing" in data else ""
        return Message(f"event {event.kind}{thing}", data, self.id)

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """What people call the spaces whose ids they don't call them by."""
        return {}

    def piece_appearance(self) -> PieceAppearance:
        """How its pieces look, and what they are called."""
        return PieceAppearance()

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """How boards and cards are printed for a game with these options, which `new` takes."""
        from boardrules.art import GameArt

        return GameArt()


class GamePackage(GameDefinition, BoardMapping, Presentation):
    """A game with all that belongs to it.

    A game may write its three parts as three classes, and join them in this one.
    """
