"""What the doctor saw: facts, no explanations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from boardumpire.makers.bare_board import ContactId, LampNumber


class ChainInspection(NamedTuple):
    """A closer look at a chain whose lamps are not as they should be, while it blinks."""

    is_one_colour: bool
    """Whether all its lamps have one colour, though perhaps the wrong one."""
    colours_jump: bool
    """Whether colours jump from lamp to lamp."""
    first_is_steady: bool
    """Whether its first lamp has one colour whenever it shines."""
    fades_along_chain: bool
    """Whether the lamps farthest from where it is fed are darker or more yellow than the first, in white."""
    wrong_colours: tuple[str, ...] = ()
    """The colours that it shows wrong, unless they jump."""

    @property
    def shows_fault(self) -> bool:
        """Whether anything is wrong with the chain."""
        return bool(self.wrong_colours) or self.colours_jump or self.fades_along_chain


class StrongMagnetTest(NamedTuple):
    """What a reed made of a strong, bare magnet, and of a piece that is pushed about."""

    closes_by_magnet: bool
    """Closed by the magnet."""
    closes_when_turned: bool
    """Closed by it once it was turned over."""
    closes_by_one_piece: bool = False
    """Of two pieces that were put there once more one closed it."""
    changes_by_pushed_piece: int | None = None
    """How often it closed and opened under a piece pushed round its middle; `None`: nobody was asked."""

    @property
    def closes(self) -> bool:
        """Closed by the magnet, one way up or the other."""
        return self.closes_by_magnet or self.closes_when_turned


class OpenedByPieces(NamedTuple):
    """What two pieces in one column opened of a bank that seems closed on the empty board."""

    under: bool
    """Whether a contact under them opened."""
    beside: bool
    """Whether another one opened."""


class FullRowTest(NamedTuple):
    """What came of a row whose pieces are each sensed alone, with all of them on it."""

    stood: int
    """How many stood on it."""
    sensed: int
    """How many of them were sensed."""
    unsensed_alone: frozenset[ContactId] = frozenset()
    """Those that were not sensed either once the others were gone."""
    elsewhere: frozenset[ContactId] = frozenset()
    """Contacts of other rows that closed."""


class TagTest(NamedTuple):
    """What readers made of a tag at one of them."""

    readers: frozenset[str]
    """Those that read it."""
    read_when_raised: bool | None
    """Whether it was read from a finger's width above; `None`: that was not tried."""


@dataclass
class Observations:
    """What was seen: facts, no explanations."""

    absent_picos: dict[str, bool | None] = field(default_factory=dict)
    """Pico that never answered -> whether its own small lamp shines (`None`: nobody was asked)."""
    closed_when_empty: frozenset[ContactId] = frozenset()
    """Closed on the empty board."""
    opened_by_pieces: dict[str, OpenedByPieces] = field(default_factory=dict)
    """Bank of which all seems closed on the empty board -> what opened when two pieces came."""
    chattering_contacts: frozenset[ContactId] = frozenset()
    """Changing on the empty board."""
    button_presses: dict[str, str | None] = field(default_factory=dict)
    """Button asked for -> button told (`None`: nothing)."""
    buzzer_heard: bool | None = None
    colours_right: dict[str, bool] = field(default_factory=dict)
    """Colour asked for -> whether every lamp that shines had it, of all chains."""
    lamps_even: bool | None = None
    """Whether all lamps are equally white and bright; `None`: nobody was asked."""
    chain_inspections: dict[str, ChainInspection] = field(default_factory=dict)
    """Chain -> a closer look at it."""
    dark_lamps: list[tuple[LampNumber, bool]] = field(default_factory=list)
    """Lamps that are dark, and whether lamps behind them in the chain are lit all the same."""
    white: set[str] = field(default_factory=set)
    """Chains whose first lamp shines instead of the second: they take more bytes than they are sent."""
    grouped: set[str] = field(default_factory=set)
    """Chains of which several lamps shine where one should."""
    odd_lamp: LampNumber | None = None
    """The first that is not white where the others are."""
    lamps_lit_alone: set[LampNumber] = field(default_factory=set)
    """Lamps that are dark among all, and shine alone."""
    sensed_contacts: dict[ContactId, ContactId | None] = field(default_factory=dict)
    """Contact under the piece, as the board file has it -> the contact that closed."""
    also_closed: dict[ContactId, frozenset[ContactId]] = field(default_factory=dict)
    """Contact under the piece -> other contacts that closed with it."""
    slower_helps: dict[str, bool] = field(default_factory=dict)
    """Bank that was read more slowly -> whether pieces were sensed on one row alone then."""
    lamps_elsewhere: dict[LampNumber, ContactId] = field(default_factory=dict)
    """Lamps that blinked on another space than the board file says, and the contact felt there."""
    stuck_closed: set[ContactId] = field(default_factory=set)
    """Contacts that stayed closed when the piece was taken away."""
    hidden_by_sensed: dict[ContactId, ContactId] = field(default_factory=dict)
    """Contacts under which a piece hid another one in their column -> the hidden one."""
    hidden_by_unsensed: dict[ContactId, ContactId] = field(default_factory=dict)
    """Contacts under which a piece is not felt, and hides another one in their column -> the hidden one."""
    disturbed_by: dict[ContactId, set[ContactId]] = field(default_factory=dict)
    """Contact under a piece that stood still -> where pieces were put when it opened or was hidden."""
    bounce_counts: Counter[ContactId] = field(default_factory=Counter)
    """Contact under a piece that stood still, as the board file has it -> how often what it closes opened."""
    magnet_tests: dict[ContactId, StrongMagnetTest] = field(default_factory=dict)
    """Contacts that did not feel a piece, tried with a strong magnet."""
    rings_right: dict[ContactId, bool] = field(default_factory=dict)
    """Contact of a bank or column where nothing is felt -> whether its diode's ring points to the column."""
    full_rows: dict[tuple[str, int], FullRowTest] = field(default_factory=dict)
    """Bank and row -> what came of a piece on each of its squares."""
    misplaced_spaces: set[str] = field(default_factory=set)
    """Spaces whose lamp does not shine where their name is printed."""
    sagged: tuple[bool, bool] | None = None
    """Whether the Pi had too little voltage before all lamps were white, and while they were."""
    pieces: list[frozenset[ContactId]] = field(default_factory=list)
    """What closed under each piece that was put on one square, one after the other."""
    unopened_readers: str = ""
    """Why the readers of tags could not be opened."""
    mute_readers: frozenset[str] = frozenset()
    """Readers that don't answer."""
    tag_tests: dict[str, TagTest] = field(default_factory=dict)
    """Reader -> what came of a tag at it."""
    has_walked: bool = False
    """Whether a piece was led over the board."""
