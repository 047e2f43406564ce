"""How long hands may take, and how strict the table is with them."""

from __future__ import annotations

from typing import NamedTuple

from boardware.ports import MS, SECOND, Micros

ATTACK_BY_SIGN, ATTACK_BY_HOLD = "sign", "hold"
"""What may complete an attack (`TrackerTiming.attack`)."""


class TrackerTiming(NamedTuple):
    """How long hands may take, in microseconds, and how strict the table is with them."""

    settle: Micros = 350 * MS
    lifted: Micros = 100 * MS
    """The same for a piece that was carried for certain, and by public knowledge can't go on in that line.
    Never longer than `settle`."""
    slide: Micros = 800 * MS
    """The same for a piece that was pushed to where it may go further: hands are slow with those."""
    slides: bool = True
    """Whether pieces may be pushed over the board. Where hands are known to carry each of them, `lifted` is
    enough for every move."""
    straight: Micros = 2 * SECOND
    """A piece that stands again where it came from within this time was pushed there and back, where the game
    takes that for nothing."""
    touch: Micros = 200 * MS
    """A dip of a reed up to this long is a touch; a longer one was a piece lifted and set back."""
    tap: Micros = 350 * MS
    """A piece that comes home for no longer than this was tapped on its own space: the sign of an attack. No
    other hand sees it come home and has it up again so soon."""
    swap: Micros = SECOND
    """For so long after one question took the place of another an answer may have been meant for that one."""
    capture: Micros = 2500 * MS
    """How long a piece may be up before its owner is asked whether it attacked unfelt, or is in the hand."""
    attack: str = ATTACK_BY_SIGN
    """What completes an attack: a `sign` of the mover, or to `hold` both pieces up."""
    hold: Micros = 2 * SECOND
    """How long both pieces are held up for an attack, where that is enough."""
    away: Micros = 10 * SECOND
    """How long a piece whose side is not to move may be gone before the board says so."""
    ask: Micros = 5 * SECOND
    """How long something inexplicable may stand before the board says so."""
    unlikely: Micros = 2 * SECOND
    """How long two pieces of which none can attack the other may be up: the other may be straightened."""
    ask_where: Micros = 20 * SECOND
    """How long a piece may be up before the umpire asks whether it was set down unfelt among others."""
    adjourn: Micros = 10 * SECOND
    """How long the board may be empty before the umpire asks whether to adjourn."""
    remind: Micros = 120 * SECOND
    """How long a piece may be up, or chores left alone, before the board reminds of it."""
    touch_move: bool = False
    """Whether a piece that was touched has to be moved."""
    runs_ahead: bool = False
    """Whether a game goes on by one action before every other board of its table is in order."""
    limited: bool = False
    """Whether what a game asks a seat stays open only as long as the game's option says (`windows`)."""
