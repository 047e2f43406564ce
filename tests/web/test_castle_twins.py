"""Escape from Colditz: what another seat's screen and the table's are sent tells nothing of a hand.

Two positions that differ only in hidden cards are shown to a screen of each kind, then played alike. Whoever
may not know is sent the very same bytes; whose cards they are is sent as many, as often.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boardrules.core import CHANCE, BadText, State
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.screen_hub import ScreenHub
from rules import contract
from rules.colditz.test_properties import reached, swapped_gear, swapped_hands
from table.twins import unsealed
from web.castle import CastleDesk
from web.desks import Ear
from web.wire import sized

ACTIONS = 12


class Seen(CastleDesk):
    """A position with a page over it and a screen of each kind."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.room = ScreenHub(self, epoch=lambda: "same")
        self.ears = {audience: Ear() for audience in (None, *self.seats)}
        for audience, ear in self.ears.items():
            self.room.enter(audience, ear, None, 0)
        self.line: list[tuple[str, int, int]] = []
        """What whoever listens to the encrypted lines has seen: whose, bytes up, bytes down."""

    def do(self, action: Any) -> None:
        super().do(action)
        self.room.send_messages(self.take_messages())

    def submit_command(self, seat: str, text: str) -> None:
        try:
            self.do(self.state.parse(text, seat))
        except BadText as error:
            raise ValueError(str(error)) from None

    def phone(self, seat: str, text: str) -> bool:
        """Say it as the page does; whether it was done."""
        message = {"do": "say", "id": f"phone-{len(self.line)}", "text": text}
        up = len(sized(message))
        down = ScreenSession(self, self.room, seat, AnswerMemory()).answer_message(message)
        self.line.append((seat, up, len(down)))
        done: bool = json.loads(down)["ok"]
        return done


def play_alike(one: Seen, two: Seen, know: set[str], rng: random.Random) -> int:
    """Do in both what is legal in both and told alike to all who don't know."""
    done = 0
    while done < ACTIONS and one.state.outcome is None:
        (seat,) = one.state.seats_to_act()
        tries = [*one.state.legal_actions(seat), *two.state.legal_actions(seat)]
        rng.shuffle(tries)
        blind = [each for each in (None, *one.seats) if each not in know]
        fits = (
            action
            for action in tries[:60]
            if all(contract.told_alike(one.state, two.state, action, each) is not None for each in blind)
        )
        action = next(fits, None)
        if action is None:
            return done
        for game in (one, two):
            assert not game.phone(seat, f"{action} and more"), "there is no such act"
            if seat == CHANCE:
                game.do(action)
            else:
                assert game.phone(seat, str(action))
        done += 1
    return done


def sizes(ear: Ear) -> list[tuple[str, int]]:
    return [(json.loads(text)["kind"], len(text)) for text in ear.texts]


def compare(one: Seen, two: Seen, know: set[str], rng: random.Random) -> int:
    done = play_alike(one, two, know, rng)
    for audience in one.ears:
        sent = [[unsealed(text) for text in game.ears[audience].texts] for game in (one, two)]
        assert audience in know or sent[0] == sent[1], audience
        assert sizes(one.ears[audience]) == sizes(two.ears[audience]), audience
    assert one.line == two.line
    return done


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_is_its_own_seats_alone(seed: int) -> None:
    state, rng = reached(seed, 150)
    side = 1 + seed % (len(state.seats) - 1) if seed else 0
    twin = swapped_hands(state, side, rng)
    seat = state.seats[side]
    compare(Seen(state), Seen(twin), {seat}, rng)


@pytest.mark.parametrize("seed", range(2))
def test_kinds_of_equipment_are_the_officers_alone(seed: int) -> None:
    state, rng = reached(seed, 250)
    compare(Seen(state), Seen(swapped_gear(state, rng)), set(state.seats[1:]), rng)


def test_the_twins_see_something() -> None:
    """They differ, are played on, and the screen of whose cards they are shows it."""
    done = differ = own = 0
    for seed in range(3):
        state, rng = reached(seed, 150)
        twin = swapped_hands(state, 1, rng)
        one, two = Seen(state), Seen(twin)
        differ += state != twin
        done += compare(one, two, {state.seats[1]}, rng)
        own += one.ears[state.seats[1]].texts != two.ears[state.seats[1]].texts
    assert done >= ACTIONS
    assert differ
    assert own
    assert CHANCE not in state.seats
