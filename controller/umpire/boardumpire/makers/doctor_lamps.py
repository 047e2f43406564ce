"""The doctor's look at lamps: dark ones, wrong colours, colours that jump, a chain that fades."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from boardumpire.makers.bare_board import LampNumber, all_lamps, lamp_number
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps, YesNoSteps
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign, join_shortened
from boardumpire.makers.observations import ChainInspection
from boardware.parts import LampChain
from boardware.ports import LampId

COLOUR_MARKS = {"red": "plain-red", "green": "plain-green", "blue": "plain-blue"}
"""A mark of each plain colour of the lamps."""
BLINK_MARK = "plain-blink"
"""A red mark that blinks: every blink is sent anew."""
WHITE_MARK = "plain-white"
"""The mark that draws most."""


class LampRound(DoctorRound):
    """One look at all lamps."""

    def run_steps(self) -> RoundSteps:
        """Dark ones, then colours; a closer look where something is wrong."""
        numbers = tuple(all_lamps(self._board))
        if not numbers:
            return
        chains = list(self._board.chains.values())
        if (yield from self._light_and_ask("any-dark", numbers, "Is any lamp of the board dark?")):
            jumping = []
            for chain in chains:
                if (yield from self._takes_four(chain)):
                    self._seen.white.add(chain.id)
                elif (yield from self._ask_if_chain_jumps(chain)):
                    jumping.append(chain)
                else:
                    yield from self._find_dark_lamps(chain)
            for chain in jumping:
                yield from self._inspect_chain(chain, (), jumps=True)
            if jumping or self._seen.white:
                return
            yield from self._check_colours(numbers, "Is every lamp that shines")
            even, jumps = True, False
        else:
            # Where data is a little too low only some frames are garbled: several are looked at.
            jumps = yield from self._ask_if_jumping("All lamps", numbers)
            yield from self._check_colours(numbers, "Is every lamp")
            text = "Are all lamps equally white and equally bright, from the first of each chain to the last?"
            even = yield from self._ask_about(text, VisibleSign("even", numbers), WHITE_MARK)
            self._seen.lamps_even = even
        if jumps or not even or not all(self._seen.colours_right.values()):
            for chain in chains:
                jumps = yield from self._ask_if_chain_jumps(chain)
                wrong = () if jumps else (yield from self._wrong_colours(chain))
                if jumps or wrong or not even:
                    yield from self._inspect_chain(chain, wrong, jumps=jumps)
        if not even and not any(one.shows_fault for one in self._seen.chain_inspections.values()):
            question = "Is any of these not white"
            if (yield from self._ask_of_some("any-odd", question, numbers, WHITE_MARK)):
                at = yield from self._first_of("any-odd", question, numbers, WHITE_MARK)
                self._seen.odd_lamp = numbers[at]

    def _check_colours(self, numbers: tuple[LampNumber, ...], question: str) -> RoundSteps:
        for colour, mark in COLOUR_MARKS.items():
            right = yield from self._ask_about(
                f"{question} {colour}?", VisibleSign(f"colour {colour}", numbers), mark
            )
            self._seen.colours_right[colour] = right

    def _ask_about(self, text: str, sign: VisibleSign, mark: str) -> YesNoSteps:
        """The same with these lamps lit."""
        return (yield from self._ask_yes_no(text, sign, dict.fromkeys(sign.lamps, mark)))

    def _light_and_ask(self, what: str, numbers: tuple[LampNumber, ...], text: str) -> YesNoSteps:
        """Light these lamps alone, and ask what is seen."""
        return (
            yield from self._ask_about(
                text, VisibleSign(what, numbers, self._lamp_names(numbers)), COLOUR_MARKS["green"]
            )
        )

    # Wrong colours

    def _ask_if_chain_jumps(self, chain: LampChain) -> YesNoSteps:
        return (yield from self._ask_if_jumping(self._chain_title(chain), self._lamps_of(chain)))

    def _ask_if_jumping(self, title: str, numbers: tuple[LampNumber, ...]) -> YesNoSteps:
        text = f"{title} blink red. Do other colours, or dark lamps, jump from blink to blink?"
        return (yield from self._ask_about(text, VisibleSign("jumps", numbers), BLINK_MARK))

    def _takes_four(self, chain: LampChain) -> YesNoSteps:
        """The first byte of the second lamp is the white one of the first, if that takes four."""
        two = self._lamps_of(chain)[:2]
        if len(two) < 2:
            return False
        first, second = self._lamp_names(two)
        colour = next(name for name in COLOUR_MARKS if name[0].upper() == chain.colour_order[0])
        sign = VisibleSign("first-instead", two)
        text = f"One lamp should be {colour} now, {second}. Is {first} lit instead, in white?"
        return (yield from self._ask_yes_no(text, sign, {two[1]: COLOUR_MARKS[colour]}))

    def _wrong_colours(self, chain: LampChain) -> Generator[GuideRequest, GuideReply, tuple[str, ...]]:
        """The colours that a chain shows wrong, of those that some chain does."""
        doubted = tuple(colour for colour, right in self._seen.colours_right.items() if not right)
        if len(self._board.chains) == 1:
            return doubted
        numbers, wrong = self._working_lamps_of(chain), []
        for colour in doubted if numbers else ():
            text = f"Look at {self._chain_title(chain).lower()} alone: is every one that shines {colour}?"
            if not (
                yield from self._ask_about(
                    text, VisibleSign(f"colour {colour}", numbers), COLOUR_MARKS[colour]
                )
            ):
                wrong.append(colour)
        return tuple(wrong)

    def _inspect_chain(self, chain: LampChain, wrong: tuple[str, ...], *, jumps: bool) -> RoundSteps:
        numbers = self._working_lamps_of(chain)
        if not numbers:
            return
        first = self._lamp_names(numbers[:1])[0]
        steady = yield from self._ask_about(
            f"Look at the first of these lamps alone, {first}, for five seconds: has it the same colour at "
            "nearly every blink, and is it dark between?",
            VisibleSign("first-steady", numbers),
            BLINK_MARK,
        )
        alike = yield from self._ask_about(
            "Have all these lamps that shine the same colour, whichever it is?",
            VisibleSign("alike", numbers),
            COLOUR_MARKS["red"],
        )
        fades = False
        if not jumps:
            fades = yield from self._ask_about(
                f"White now: do lamps get darker, or yellow, from {first} on towards"
                f" {self._far_end_name(chain)}?",
                VisibleSign("fades", numbers),
                WHITE_MARK,
            )
        self._seen.chain_inspections[chain.id] = ChainInspection(alike, jumps, steady, fades, wrong)

    def _far_end_name(self, chain: LampChain) -> str:
        """Where least of the supply arrives: at the last lamp, or midway if that is fed as well."""
        numbers = self._working_lamps_of(chain)
        middle, last = self._lamp_names((numbers[len(numbers) // 2], numbers[-1]))
        return (
            last if chain.wires.feed_count == 1 else f"the middle of the chain, {middle}, or towards {last}"
        )

    # Dark ones

    def _find_dark_lamps(self, chain: LampChain) -> RoundSteps:
        """Find the dark lamps of a chain: the first by halving, then whether any behind it is lit."""
        numbers = self._lamps_of(chain)
        first = 0
        while first < len(numbers):
            rest = numbers[first:]
            question = "Is any of these dark"
            if not (yield from self._ask_of_some("any-dark", question, rest, COLOUR_MARKS["green"])):
                return
            low = yield from self._first_of("any-dark", question, rest, COLOUR_MARKS["green"])
            found = rest[low]
            alone = f"This lamp alone now: {self._lamp_names((found,))[0]}. Does it shine?"
            if (yield from self._light_and_ask("any-lit", (found,), alone)):
                self._seen.lamps_lit_alone.add(found)
                return  # what is dark depends on how much is lit
            behind = rest[low + 1 :]
            lit = bool(behind) and (
                yield from self._ask_of_some("any-lit", "Is any of these lit", behind, COLOUR_MARKS["green"])
            )
            self._seen.dark_lamps.append((found, lit))
            if not lit:
                return
            first += low + 1

    def _first_of(
        self, what: str, question: str, numbers: tuple[LampNumber, ...], mark: str
    ) -> Generator[GuideRequest, GuideReply, int]:
        """By halving the place of the first of these lamps of which somebody says yes."""
        low, high = 0, len(numbers) - 1  # it is in numbers[low : high + 1]
        while low < high:
            half = (low + high) // 2
            if (yield from self._ask_of_some(what, question, numbers[low : half + 1], mark)):
                high = half
            else:
                low = half + 1
        return low

    def _ask_of_some(
        self, what: str, question: str, numbers: tuple[LampNumber, ...], mark: str
    ) -> YesNoSteps:
        """Light these lamps alone, name them, and ask what is seen."""
        names = self._lamp_names(numbers)
        text = f"{question}: {join_shortened(names)}?"
        return (yield from self._ask_about(text, VisibleSign(what, numbers, names), mark))

    # Names

    def _lamps_of(self, chain: LampChain) -> tuple[LampNumber, ...]:
        return tuple(name for name, at in all_lamps(self._board).items() if at.chain == chain.id)

    def _working_lamps_of(self, chain: LampChain) -> tuple[LampNumber, ...]:
        """Those of a chain that are not known to be dark."""
        numbers = self._lamps_of(chain)
        for dark, lit_behind in self._seen.dark_lamps:
            if dark in numbers:
                at = numbers.index(dark)
                numbers = (*numbers[:at], *(numbers[at + 1 :] if lit_behind else ()))
        return numbers

    def _chain_title(self, chain: LampChain) -> str:
        return "All lamps" if len(self._board.chains) == 1 else f"The lamps of chain {chain.id}"

    def _lamp_names(self, numbers: Iterable[LampNumber]) -> tuple[LampId, ...]:
        """Lamps as the board file calls them."""
        names = {lamp_number(at): lamp for lamp, at in self._board.lamps.items()}
        return tuple(names.get(number, number) for number in numbers)
