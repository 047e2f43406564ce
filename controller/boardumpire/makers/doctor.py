"""`boardumpire doctor`: looks at every reed, diode, row, column, lamp and button, with a person's help.

First without hands: what is closed or chatters on an empty board. Then buttons and buzzer, then lamps, then
pieces are led over every space. Where reeds have diodes a second piece stands in the column that is walked: a
shorted diode under either hides the other. What was seen is for `diagnosis` to explain.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from boardumpire.makers.bare import (
    ContactId,
    LampNumber,
    called,
    contact_id,
    contacts,
    lamp_number,
    ring,
    ring_of,
    space_of,
)
from boardumpire.makers.bare import lamps as all_lamps
from boardumpire.makers.guide import CANCEL, CONFIRM, REST, Ask, Reply, Seen, listed
from boardware.parts import Board, Chain
from boardware.ports import SECOND, LampId, Micros

WATCH: Micros = 3 * SECOND
"""How long the empty board is watched."""
CHATTER = 4
"""So many changes on an untouched board are a loose contact."""
SURE = 3
"""So many equal answers about what is crossed are taken for all the others."""
PUT, TAKE = "put", "take"
COLOURS = {"red": "may-attack", "green": "may-go", "blue": "turn-blue"}
"""A mark of each plain colour of the lamps."""

Talk = Generator[Ask, Reply, Reply]


@dataclass
class Observations:
    """What was seen: facts, no explanations."""

    idle: frozenset[ContactId] = frozenset()
    """Closed on the empty board."""
    chatter: frozenset[ContactId] = frozenset()
    """Changing on the empty board."""
    presses: dict[str, str | None] = field(default_factory=dict)
    """Button asked for -> button told (`None`: nothing)."""
    buzzer_heard: bool | None = None
    colours: dict[str, bool] = field(default_factory=dict)
    """Colour asked for -> whether every lamp had it; empty if lamps were dark."""
    dark: list[tuple[LampNumber, bool]] = field(default_factory=list)
    """Lamps that are dark, and whether lamps behind them in the chain are lit all the same."""
    felt: dict[ContactId, ContactId | None] = field(default_factory=dict)
    """Contact under the piece, as the board file has it -> the contact that closed."""
    beside: dict[ContactId, frozenset[ContactId]] = field(default_factory=dict)
    """Contact under the piece -> other contacts that closed with it."""
    elsewhere: dict[LampNumber, ContactId] = field(default_factory=dict)
    """Lamps that blinked on another space than the board file says, and the contact felt there."""
    kept: set[ContactId] = field(default_factory=set)
    """Contacts that stayed closed when the piece was taken away."""
    shorted: set[ContactId] = field(default_factory=set)
    """Contacts under which a piece hid another one in their column."""
    walked: bool = False
    """Whether a piece was led over the board."""


class Doctor:
    """One examination of a board; `check` is for a `Guide` over `bare(board)`."""

    def __init__(self, board: Board, *, hands: bool = True) -> None:
        """`hands=False`: only what needs none."""
        self.board = board
        self.seen = Observations()
        self._hands = hands
        self._buttons = False
        """Whether the buttons may answer."""
        self._standing: list[ContactId] = []
        """Where pieces stand, by the contacts that the board file has there, the latest last."""
        self._lamp_of = {
            contact_id(slot.sensor): lamp_number(board.lamps[space.id])
            for space in board.spaces.values()
            for slot in space.slots
            if slot.sensor is not None and space.id in board.lamps
        }
        self._over = dict(self._lamp_of)
        """By contact the lamp that was seen to shine there, or is believed to."""
        self._slot_of = {contact_id(at): slot for at, slot in board.contacts.items()}
        self._answers: list[bool] = []

    def check(self) -> Generator[Ask, Reply, Observations]:
        """Everything, one after the other."""
        if self._hands:
            yield from self._say(
                "Take every piece off the board, then answer yes.", Seen("emptied"), self._all(TAKE, ())
            )
        yield from self._watch()
        if self._hands:
            yield from self._press()
            yield from self._buzzer()
            yield from self._lamps()
            if all(self.seen.colours.values()):  # else lamps say "take" in the colour of "put"
                yield from self._walk()
        return self.seen

    # Without hands

    def _watch(self) -> Generator[Ask, Reply, None]:
        came = yield Ask("watch", "Nobody touches the board.", span=WATCH)
        self.seen.idle = came.closed
        self.seen.chatter = frozenset(contact for contact, count in came.changes.items() if count >= CHATTER)

    # Buttons, buzzer, lamps

    def _say(self, text: str, seen: Seen, marks: dict[LampNumber, str]) -> Talk:
        return (yield Ask("answer", text, marks, seen, buttons=self._buttons))

    def _press(self) -> Generator[Ask, Reply, None]:
        presses = self.seen.presses
        for button in self.board.buttons:
            came = yield Ask("press", f"Press the button {button}; answer yes if you did.", button=button)
            presses[button] = came.pressed
        self._buttons = all(presses.get(button) == button for button in (CONFIRM, CANCEL))

    def _buzzer(self) -> Generator[Ask, Reply, None]:
        if self.board.buzzer is not None:
            came = yield Ask(
                "answer",
                "Did the buzzer sound just now?",
                seen=Seen("heard"),
                sound="both-fall",
                buttons=self._buttons,
            )
            self.seen.buzzer_heard = came.answer

    def _all(self, mark: str, numbers: Iterable[LampNumber]) -> dict[LampNumber, str]:
        return dict.fromkeys(numbers, mark)

    def _lamps(self) -> Generator[Ask, Reply, None]:
        numbers = tuple(all_lamps(self.board))
        if not numbers:
            return
        if (yield from self._lit("any-dark", numbers, "Is any lamp of the board dark?")):
            for chain in self.board.chains.values():
                yield from self._dark(chain)
            return
        for colour, mark in COLOURS.items():
            came = yield from self._say(
                f"Is every lamp {colour}?", Seen(f"colour {colour}", numbers), self._all(mark, numbers)
            )
            self.seen.colours[colour] = bool(came.answer)

    def _lit(self, what: str, numbers: tuple[LampNumber, ...], text: str) -> Generator[Ask, Reply, bool]:
        """Light these lamps alone, and ask what is seen."""
        spaces = self._names(numbers)
        came = yield from self._say(text, Seen(what, numbers, spaces), self._all(COLOURS["green"], numbers))
        return bool(came.answer)

    def _dark(self, chain: Chain) -> Generator[Ask, Reply, None]:
        """Find the dark lamps of a chain: the first by halving, then whether any behind it is lit."""
        numbers = tuple(name for name, at in all_lamps(self.board).items() if at.chain == chain.id)
        first = 0
        while first < len(numbers):
            rest = numbers[first:]
            if not (yield from self._lit("any-dark", rest, self._which("Is any of these dark", rest))):
                return
            low, high = 0, len(rest) - 1  # the first dark one is in rest[low : high + 1]
            while low < high:
                half = (low + high) // 2
                part = rest[low : half + 1]
                if (yield from self._lit("any-dark", part, self._which("Is any of these dark", part))):
                    high = half
                else:
                    low = half + 1
            behind = rest[low + 1 :]
            lit = bool(behind) and (
                yield from self._lit("any-lit", behind, self._which("Is any of these lit", behind))
            )
            self.seen.dark.append((rest[low], lit))
            if not lit:
                return
            first += low + 1

    def _which(self, question: str, numbers: tuple[LampNumber, ...]) -> str:
        return f"{question}: {listed(self._names(numbers))}?"

    def _names(self, numbers: Iterable[LampNumber]) -> tuple[LampId, ...]:
        """Lamps as the board file calls them."""
        names = {lamp_number(at): lamp for lamp, at in self.board.lamps.items()}
        return tuple(names.get(number, number) for number in numbers)

    # Pieces

    def _walk(self) -> Generator[Ask, Reply, None]:
        """Lead pieces over every space that has a reed, column by column."""
        self.seen.walked = True
        for bank in self.board.banks.values():
            for column in range(len(bank.columns)):
                in_column = [
                    name
                    for name, at in contacts(self.board).items()
                    if (at.bank, at.column) == (bank.id, column) and name in self._slot_of
                ]
                yield from self._column([c for c in in_column if c not in self.seen.idle], bank.diodes)

    def _column(self, names: list[ContactId], diodes: bool) -> Generator[Ask, Reply, None]:
        base: ContactId | None = None
        for name in names:
            yield from self._visit(name, base)
            if self._standing[-1] != name:
                continue  # the lamp led elsewhere
            if base is not None and self.seen.felt[name] is None:
                yield from self._without(base, name)
                if self.seen.felt[name]:
                    base = name
            elif base is None and diodes and self.seen.felt[name] == name and name not in self.seen.beside:
                base = name

    def _visit(self, name: ContactId, base: ContactId | None) -> Generator[Ask, Reply, None]:
        """Have a piece put on a space; all others but the base leave the board."""
        came = yield self._place(name, base)
        if came.answer is False and name in self._lamp_of:
            self.seen.dark.append((self._lamp_of[name], True))
            came = yield self._place(name, base)
        stays = {base} if base else set()
        new = came.appeared - self.seen.idle
        if not new and name in came.closed:
            new = frozenset({name})  # felt already, from the space beside
        self._note_kept(came.closed, stays | new)
        if base and base in came.vanished and name in new:
            self.seen.shorted.add(name)
        self._standing = [*stays, name]
        if not new:
            self.seen.felt[name] = None
        elif name in new:
            self.seen.felt[name] = name
            if new - {name}:
                self.seen.beside[name] = new - {name}
        else:
            yield from self._crossed(name, min(new), base)

    def _place(self, name: ContactId, base: ContactId | None) -> Ask:
        lamp, unlit = self._lamp_of.get(name), self._dark_lamps()
        away = [stands for stands in self._standing if stands != base]
        # A lamp says one thing: where it shines over a ring that is to be left alone, words say the rest.
        busy = {lamp, self._over.get(base or "")}
        lit = [each for each in away if self._over.get(each) not in unlit | busy]
        marks = {self._over[stands]: TAKE for stands in lit}
        unseen = tuple(self._slot_of[stands] for stands in away if stands not in lit)
        dark = lamp in unlit
        if lamp is not None:
            marks[lamp] = PUT
        slot = self._slot_of[name]
        other = "the other piece" if base else "a piece"
        where = (
            f"on {self._called(slot)} (its lamp is dark)"
            if dark
            else f"where the lamp blinks blue: {self._called(slot)}"
        )
        off = f"where lamps blink amber{''.join(f', and off {self._called(each)}' for each in unseen)}"
        first = f"Take pieces off {off}. " if away else ""
        text = f"{first}Put {other} {where}. Nothing happens? Yes if it is there, no if no lamp is lit."
        ignore = frozenset({base} if base else ()) | self.seen.chatter
        gone = {felt for each in self._standing if each != base and (felt := self.seen.felt.get(each))}
        gone -= self.seen.idle | self.seen.kept | {name}
        return Ask(
            "place",
            text,
            marks,
            space=slot if dark else None,
            ring=ring_of(self.board, slot),
            take=unseen,
            ignore=ignore,
            gone=frozenset(gone),
            buttons=self._buttons,
        )

    def _called(self, slot: str) -> str:
        return called(self.board, slot)

    def _on(self, slot: str) -> str:
        where = ring(self.board, slot)
        return f", on {where}" if where else ""

    def _dark_lamps(self) -> set[LampNumber | None]:
        """The lamps that can't lead anybody."""
        found: set[LampNumber | None] = {None}
        for number, lit_behind in self.seen.dark:
            at = all_lamps(self.board)[number]
            found.add(number)
            if not lit_behind:
                found |= {
                    name
                    for name, other in all_lamps(self.board).items()
                    if other.chain == at.chain and other.index > at.index
                }
        return found

    def _note_kept(self, closed: frozenset[ContactId], stays: set[ContactId]) -> None:
        """What stays closed though its piece has gone."""
        self.seen.kept |= {
            name for name, felt in self.seen.felt.items() if felt in closed - stays - self.seen.idle and felt
        }

    def _crossed(
        self, name: ContactId, felt: ContactId, base: ContactId | None
    ) -> Generator[Ask, Reply, None]:
        """Another contact closed than the one under the lamp: is it the lamp or the reed that is crossed?"""
        slot = self._slot_of[name]
        if len(self._answers) < SURE or len(set(self._answers[-SURE:])) > 1:
            lamp = self._lamp_of.get(name)
            came = yield from self._say(
                f"Does the lamp blink on {space_of(slot)}, and does the piece stand there{self._on(slot)}?",
                Seen(f"blinks-at {slot}"),
                {lamp: PUT} if lamp else {},
            )
            self._answers.append(bool(came.answer))
        if self._answers[-1]:
            self.seen.felt[name] = felt
        else:
            self.seen.elsewhere[self._lamp_of[name]] = felt
            self._over[felt] = self._lamp_of[name]
            self.seen.felt[felt] = felt
            self._standing = [*({base} if base else ()), felt]

    def _without(self, base: ContactId, name: ContactId) -> Generator[Ask, Reply, None]:
        """A piece isn't felt beside the one in its column: is it once that one is gone?"""
        lamp = self._over.get(base)
        slot = self._slot_of[base]
        here = self._called(slot)
        text = f"Take the piece off {here}, where the lamp blinks amber; leave the other. Answer yes."
        yield from self._say(text, Seen(f"taken {slot}"), {lamp: TAKE} if lamp else {})
        came = yield Ask("watch", "A moment.", span=2 * REST)
        if name in came.closed:
            self.seen.shorted.add(base)
            self.seen.felt[name] = name
            self._standing = [name]
        else:
            text = f"Put it back on {here}, and answer yes."
            yield from self._say(text, Seen(f"back {slot}"), {lamp: PUT} if lamp else {})
