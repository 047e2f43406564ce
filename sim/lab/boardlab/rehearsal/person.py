"""A person with two pieces who does what the makers' tools ask for: sees lamps, reads the text, has hands.

It knows the board as it is: where a lamp is lit, on which space a piece stands. The wiring it doesn't know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from boardlab.rehearsal import looks
from boardrules.identifiers import Seat
from boardsim.bench.runner import BenchRunner
from boardsim.hands.hands import HandPace, Hands
from boardsim.pico.picos import SimPicos
from boardsim.pins import drivers
from boardsim.world.copper import DARK, RGB, SolderedDiode
from boardsim.world.world import World
from boardumpire.lamps.legend import COLOURS, SHARED_MARKS
from boardumpire.makers.bare_board import bare_board
from boardumpire.makers.guide import CANCEL_BUTTON, CONFIRM_BUTTON, Check, Guide, GuideRequest
from boardware.parts import BoardDescription
from boardware.ports import MS, Micros, Ports, SlotId
from boardwire.lights import rgb

COMPARISONS = {
    "alike": looks.are_alike,
    "even": looks.is_evenly_bright,
    "fades": looks.fades_along_chain,
    "first-steady": looks.is_first_steady,
    "jumps": looks.colours_jump,
}
"""By the code of a sign what a person compares lamps by."""
COMPARED = ("first-steady", "even", "fades", "jumps")
"""Lamps are compared for as long as one of them needs to get bright and dark again."""
LOOK: Micros = 1000 * MS
"""How long a person looks before acting: longer than a lamp blinks dark."""
LONG: Micros = 5000 * MS
"""How long if asked to look for a while."""
PATIENCE: Micros = 1500 * MS
QUICK = HandPace(reach_us=120_000, lift_mm=20.0, speed_mm_s=500.0, square_us=45_000, press_us=80_000)


class Simple(Hands):
    """Hands whose pieces and strong magnets every reed feels, wherever on its space they are."""

    _magnet = ""

    def lay_magnet(self, space: str, now: Micros) -> Micros:
        """Lay a strong magnet on a space; when it lies there."""
        self._magnet = space
        return self.stand(Seat("anybody"), space, now, "magnet")

    def turn_magnet(self, now: Micros) -> Micros:
        """Turn it over."""
        return now

    def take_magnet(self, now: Micros) -> Micros:
        """Take it away."""
        now = self.lift(self._magnet, now)
        self.held.pop()
        return now

    def push_round(self, space: str, now: Micros, quarter: int) -> Micros:
        """Push the piece that stands there once round the middle, from that quarter on."""
        return now


class Led:
    """A guide, as a runner turns it."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self.ports = guide.ports
        self.step = guide.step
        self.close = guide.close

    @property
    def marks(self) -> Any:
        """What the lamps show."""
        return self.guide.marks

    def say(self, seat: str, text: str, now: Micros) -> None:
        """What a person answers."""
        self.guide.answer(text == "yes")

    def take_messages(self) -> Any:
        """Nothing is told of a game."""
        return ()


class Person:
    """One person before one board in virtual time. `board` is what the board file says of it."""

    def __init__(
        self,
        world: World,
        board: BoardDescription,
        check: Check,
        picos: SimPicos | None = None,
        pieces: int = 2,
        hands: Any = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`hands` are those of `Hands` if none are given, whose pieces every reed feels.

        `tell` is given what is asked for, and what is answered.
        """
        self._tell = tell
        self.world = world
        self.hands: Any = hands or Simple(world, pace=QUICK)
        self.pieces = pieces
        self.seen: dict[str, set[RGB]] = {}
        self.pictures: list[dict[str, RGB]] = []
        """What all lamps showed, one picture after the other."""
        self._picos = picos
        self._frames: tuple[int, ...] = ()
        self._shown = 0
        """How many pieces were put on one square, one after the other."""
        self._latest = ""
        """Where a piece was put last."""
        self._lag = 0 if picos is None else 100 * MS
        self.runner = BenchRunner(world, turned=self._look_at)
        self.guide: Guide
        self.asks: list[GuideRequest] = []
        self.run: list[str] = []
        """Lamps that were lit alone, one after the other."""
        wired = bare_board(board)
        if picos is not None:
            opened: Any = picos.open_drivers(board=wired, wait=False)
        else:
            opened = (
                drivers.open_sensors(wired, world=world),
                drivers.open_pwm_lamps(wired, world=world),
                drivers.open_console(wired, world=world),
            )

        def open_(ports: Ports, now: Micros) -> Any:
            self.guide = Guide(ports, check, now)
            return Led(self.guide)

        sensors, lamps, console = opened
        self.runner.start(sensors, lamps, console, open_)

    def obey(self, most: int = 2000) -> Any:
        """Do everything that is asked for; what the check found."""
        while not self.guide.is_done:
            assert len(self.asks) < most, self.asks[-3:]
            self.asks.append(self.guide.request)
            self._tell(f"{len(self.asks):>4}  {self.guide.request.text}")
            self._do(self.guide.request)
        self.guide.close()
        return self.guide.result

    # Eyes

    def _look_at(self, now: Micros) -> None:
        copper = self.world.copper
        frames = tuple(copper.frame_count(chain) for chain in copper.board.chains)
        if frames != self._frames:
            self._frames = frames
            self._note()

    def _note(self) -> None:
        shown = dict(self.world.copper.lamps())
        self.pictures.append(shown)
        lit = {lamp: colour for lamp, colour in shown.items() if colour != DARK}
        for lamp, colour in lit.items():
            self.seen.setdefault(lamp, set()).add(_hue(colour))
        if len(lit) == 1 and self.run[-1:] != list(lit):
            self.run += lit

    def _look(self, span: Micros = LOOK) -> None:
        """Look at the board for a while."""
        self.runner.run(self.runner.now + self._lag)
        self.seen = {}
        self.pictures = []
        self._note()
        self.runner.run(self.runner.now + span)

    def _lit(self, hue: RGB | None = None) -> list[str]:
        return [lamp for lamp, hues in self.seen.items() if hue is None or hue in hues]

    # Hands and voice

    def _let(self, end: Micros) -> None:
        self.runner.run(end)

    def _open(self, ask: GuideRequest) -> bool:
        return self.guide.request is ask and not self.guide.is_done

    def _say(self, ask: GuideRequest, yes: bool) -> None:
        self._tell(f"      {'yes' if yes else 'no'}")
        if ask.buttons_may_answer and ask.kind != "press":
            self._let(self.hands.press(CONFIRM_BUTTON if yes else CANCEL_BUTTON, self.runner.now))
            self._let(self.runner.now + 200 * MS)
        if self._open(ask):
            self.runner.say(Seat(""), "yes" if yes else "no")

    def _do(self, ask: GuideRequest) -> None:
        match ask.kind:
            case "watch" | "arrive":
                self._let(self.runner.now + max(ask.duration, MS))
            case "press":
                self._let(self.hands.press(ask.button, self.runner.now))
                self._let(self.runner.now + 300 * MS)
                if self._open(ask):
                    self._say(ask, True)
            case "answer":
                self._look(LONG if ask.expected_sign and ask.expected_sign.code in COMPARED else LOOK)
                if self._open(ask):
                    self._say(ask, self._answer(ask))
            case _:
                self._look()
                self._place(ask)

    def _answer(self, ask: GuideRequest) -> bool:
        assert ask.expected_sign is not None
        what, _, about = ask.expected_sign.code.partition(" ")
        match what:
            case "emptied":
                self._let(self.hands.clear(self.runner.now))
            case "heard":
                return any(heard.is_on for heard in self.world.buzzer_tones)
            case "any-dark":
                return any(lamp not in self.seen for lamp in self._named(ask.expected_sign.lamps))
            case "any-lit":
                return any(lamp in self.seen for lamp in self._named(ask.expected_sign.lamps))
            case "any-odd":
                return any(self.seen.get(lamp) != {WHITE} for lamp in self._named(ask.expected_sign.lamps))
            case "several":
                return len([each for each in self._named(ask.expected_sign.lamps) if each in self.seen]) > 1
            case "colour":
                wanted = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1)}[about]
                asked = self._named(ask.expected_sign.lamps)
                return all(hues == {wanted} for lamp, hues in self.seen.items() if lamp in asked)
            case "first-instead":
                numbers = {
                    at.index: lamp
                    for lamp, at in self.world.board.lamps.items()
                    if f"{at.chain}:{at.index}" in ask.expected_sign.lamps
                }
                first, second = (numbers[index] for index in sorted(numbers))
                return first in self.seen and second not in self.seen
            case "blinks-at":
                return about.partition("/")[0] in self.seen
            case "put-at":
                if about.partition("/")[0] not in self.seen:
                    return False
                if about not in self.world.standing():
                    self._let(self.hands.lift(self._latest, self.runner.now))
                    self._put(_exactly(about))
            case "stands-at":
                return about in self.world.standing()
            case "taken":
                if about in self.world.standing():
                    self._let(self.hands.lift(_exactly(about), self.runner.now))
            case "forgotten":
                if about not in self.world.standing():
                    return False
                self._let(self.hands.lift(_exactly(about), self.runner.now))
            case "next":
                self._shown += 1
                if self._shown > self.pieces:
                    return False
                self._let(self.hands.clear(self.runner.now))
                self._let(self.hands.stand(Seat("anybody"), _exactly(about), self.runner.now))
            case "pieces":
                return self.pieces >= int(about)
            case "filled":
                self._let(self.hands.clear(self.runner.now))
                for slot in about.split():
                    self._put(_exactly(slot))
            case "left":
                for slot in sorted(set(self.world.standing()) - set(about.split())):
                    self._let(self.hands.lift(_exactly(slot), self.runner.now))
            case "back":
                if about not in self.world.standing():
                    self._put(_exactly(about))
            case _ if what in COMPARISONS:
                return COMPARISONS[what](self._pictures_of(ask.expected_sign.lamps))
            case "pico-lamp":
                return self._shines(about)
            case "ring-right":
                return self.world.copper.diode(SlotId(about)) is not SolderedDiode.REVERSED
            case "strong":
                self._let(self.hands.lay_magnet(_exactly(about), self.runner.now))
            case "turned":
                self._let(self.hands.turn_magnet(self.runner.now))
            case "away":
                self._let(self.hands.take_magnet(self.runner.now))
            case "each":
                for _ in range(2):
                    self._put(_exactly(about))
                    self._let(self.hands.lift(_exactly(about), self.runner.now))
                    self.hands.beside.insert(0, self.hands.held.pop().piece)
            case "round":
                space, _, quarter = about.partition(" ")
                self._put(_exactly(space))
                self._let(self.hands.push_round(_exactly(space), self.runner.now, int(quarter)))
                self._let(self.hands.lift(_exactly(space), self.runner.now))
            case "in-order":
                return self._runs_in_order(ask.expected_sign.spaces)
            case "ready":
                self.run = []
            case "named":
                return about in self.seen
            case other:
                raise AssertionError(other)
        return True

    def _pictures_of(self, numbers: Collection[str]) -> list[list[RGB]]:
        """What these lamps showed, picture by picture. They are where a person finds them: on the board."""
        named = self._named(numbers)
        named.sort(key=lambda lamp: (self.world.board.lamps[lamp].chain, self.world.board.lamps[lamp].index))
        return [[picture[lamp] for lamp in named] for picture in self.pictures]

    def _named(self, numbers: Collection[str]) -> list[str]:
        """The lamps that are asked about."""
        wanted = set(numbers)
        return [lamp for lamp, at in self.world.board.lamps.items() if f"{at.chain}:{at.index}" in wanted]

    def _shines(self, pico: str) -> bool:
        """Whether the lamp on a Pico itself shines at least now and then."""
        assert self._picos is not None
        seen = False
        for _ in range(20):
            self.runner.run(self.runner.now + 100 * MS)
            seen = seen or self._picos.picos_by_name[pico].bench.led
        return seen

    def _runs_in_order(self, named: Collection[str]) -> bool:
        """Whether the lamps lit one after the other were those of the board, row by row, all named ones."""
        spaces = [space for space in self.world.board.spaces.values() if space.id in named]
        rows = sorted(spaces, key=lambda space: (space.position.y, space.position.x))
        run, self.run = self.run, []
        return run == [space.id for space in rows]

    def _place(self, ask: GuideRequest) -> None:
        taken = [lamp for lamp in self._lit(TAKE) if lamp in self.world.board.spaces]
        for slot in [
            *(slot.id for space in taken for slot in self.world.board.spaces[space].slots),
            *ask.slots_to_clear,
        ]:
            if slot in self.world.standing():
                self._let(self.hands.lift(_exactly(slot), self.runner.now))
        put = [lamp for lamp in self._lit(PUT) if lamp in self.world.board.spaces]
        where = _exactly(ask.space) if ask.space else self._ring(self._first(put), ask.ring) if put else None
        if where is None:
            self._say(ask, False)
            return
        if "leave it" not in ask.text or where.removesuffix("/1") not in self.world.standing():
            self._put(where)
        self._let(self.runner.now + PATIENCE)
        if self._open(ask):
            self._say(ask, True)

    def _first(self, lit: list[str]) -> str:
        """Of several the one nearest to the person, from there the leftmost."""
        spaces = self.world.board.spaces
        return min(lit, key=lambda space: (spaces[space].position.y, spaces[space].position.x))

    def _ring(self, space: str, number: int) -> str:
        """The ring of a space that words name; any where they name none."""
        slots = self.world.board.spaces[space].slots
        return _exactly(slots[max(0, min(number, len(slots)) - 1)].id)

    def _put(self, space: str) -> None:
        now = self.runner.now
        if not self.hands.held and len(self.world.standing()) >= self.pieces:
            self._let(self.hands.lift(self._latest, now))  # its lamp is dark: no amber says so
        if self.hands.held:
            self._let(self.hands.place(space, self.runner.now))
        elif self.hands.beside:
            self._let(self.hands.fetch(self.hands.beside[-1], now))
            self._let(self.hands.place(space, self.runner.now))
        else:
            self._let(self.hands.stand(Seat("anybody"), space, now))
        self._latest = space


def _exactly(slot: str) -> str:
    """A slot as hands take it: the name of a first slot alone is that of its space."""
    return slot if "/" in slot else f"{slot}/1"


def _hue(colour: RGB) -> RGB:
    """Which channels are lit: blue is (0, 0, 1), amber (2, 1, 0), white (1, 1, 1)."""
    red, green, blue = colour
    if red and green and not blue and green < red:
        return (2, 1, 0)
    return (int(red > 0), int(green > 0), int(blue > 0))


PUT, TAKE = (_hue(rgb(COLOURS[SHARED_MARKS[name].colour] << 4)) for name in ("put", "take"))
"""The hues that ask for a piece, and to take it off: blue and amber."""
WHITE = (1, 1, 1)
