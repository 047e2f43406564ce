"""Games with the same public history and other hidden places send the same bytes at the same moments."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from boardrules import registry
from boardrules.core import CHANCE, Action, BadText
from boardrules.fuhrer import simple_players
from boardrules.fuhrer.maps import original_map_text
from boardsim.bench.bench import SENSING_DELAY_US
from boardumpire.web.screen_hub import ScreenHub
from fuhrer.hunt import GAME, Hunt
from rules.fuhrer.brute import Guesses
from rules.fuhrer.test_secrecy import other_way
from table.twins import SALTED, reprs, unsealed
from web.desks import BenchDesk, Ear, PhonedBench

PAIRS = 24
ROUNDS = "fall-of-the-fuhrer", "fall-of-the-fuhrer-slots"
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 4},
    {"players": 3, "liberation": "full-round", "recapture": "round_end"},
    {"first_round": "hitler_too", "flight": "free"},
    {"trapped": "entered", "flight_tells": "origin"},
)


def pair(seed: int, options: dict[str, Any], longest: int) -> tuple[list[Action], list[Action]] | None:
    """The actions of a game that isn't over, and those of another that looks alike to everybody else."""
    dice = random.Random(seed)
    state = registry.new(GAME, options)
    guesses, played = Guesses({**state.options, "map": original_map_text()}), []
    while len(played) < longest and state.outcome is None:
        (seat,) = state.seats_to_act()
        action: Action
        if seat == CHANCE:
            action = dice.choice([face for face, _ in state.chance()])
        else:
            action = simple_players.choose(state.view(seat), state.legal_actions(seat), dice)
        state, events = state.apply(action)
        guesses.hear(events)
        played.append(action)
    if state.outcome is not None:
        return None
    ways = (other_way(state, played, guess) for guess in dice.sample(sorted(guesses.left), len(guesses.left)))
    others = [way for way in ways if [*map(str, way)] != [*map(str, played)]]
    return (played, others[0]) if others else None


TRIES = (
    *("go kiel", "go berlin", "go bonn", "go berlin ticket", "go innsbruck ticket=bonn"),
    *("recapture", "go linz ticket ticket", "hide kiel", "stay", "go kiel ticket ticket ticket"),
)


def refused_in_both(
    options: dict[str, Any], ours: list[Action], others: list[Action]
) -> dict[int, list[str]]:
    """By the number of Hitler's actions what is refused before it in both games, well-formed or not."""
    states, tried = [registry.new(GAME, options)] * 2, {}
    for number, both in enumerate(zip(ours, others, strict=True)):
        if both[0].seat == "hitler" and states[0].facts.round:
            tried[number] = [text for text in TRIES if all(refused(state, text) for state in states)]
        states = [state.apply(action)[0] for state, action in zip(states, both, strict=True)]
    return tried


def refused(state: Any, text: str) -> bool:
    """Whether Hitler may not say this."""
    try:
        return state.refusal(state.parse(text, "hitler")) is not None
    except BadText:
        return True


class Watched(Hunt):
    """A hunt with a page over it and a screen of each kind; all that leaves it is written down."""

    bench: PhonedBench

    def __init__(self, seed: int, **given: Any) -> None:
        self.room: ScreenHub | None = None
        self.told = 0
        self.lamps: list[str] = []
        self.traced: list[str] = []
        """What is written down while the game goes on, for makers."""
        super().__init__(
            seed,
            bench=PhonedBench,
            turned=self._turned,
            table={"dice": "real"},
            trace=self.traced.append,
            **given,
        )
        self.ears = {audience: Ear() for audience in (None, *self.state.seats)}
        self.late = Ear()
        """A spectator's, a round late."""

    def _turned(self, now: int) -> None:
        lit = f"{sorted(self.bench.world.copper.lamps().items())} {self.bench.world.buzzer_tones}"
        if not self.lamps or self.lamps[-1].partition(" ")[2] != lit:
            self.lamps.append(f"{now} {lit}")
        if self.room is None:
            self.room = ScreenHub(BenchDesk(self.bench, self.state.seats), epoch=lambda: "same", delay=8)
            for audience, ear in self.ears.items():
                self.room.enter(audience, ear, None, 0)
            assert self.room.delayed_spectators is not None
            self.room.delayed_spectators.enter(None, self.late, None, 0)
        self.room.send_messages(self.messages[self.told :])
        self.told = len(self.messages)

    def follow(self, actions: list[Action], tried: Mapping[int, list[str]]) -> None:
        """Play exactly these actions; before his turns Hitler tries what he may not do, by number of the
        action, an Ally switches help on or off, screens are away for a moment; a take-back is asked for."""
        self.begin()
        ally = self.state.seats[1]
        for number, action in enumerate(actions):
            if action.seat == CHANCE:
                self.bench.say(self.state.throwers()[0], str(action))
                self.await_rulings(1)
                continue
            for text in tried.get(number, ()):
                with pytest.raises(ValueError, match=r"."):
                    self.bench.say("hitler", text)
            if tried.get(number):
                self.bench.say(ally, "help off" if number % 3 else "help on")
                self.away(number)
            self.act(action)
            if self.state.facts.undo_seat == action.seat == "hitler" and self.state.facts.round > 1:
                self.bench.say("hitler", "ask-take-back")
                self.bench.wait(SENSING_DELAY_US)
                self.bench.say(ally, "decline-take-back")
                self.bench.wait(SENSING_DELAY_US)
                self.heard += 2

    def away(self, number: int) -> None:
        """Every screen but Hitler's goes, and comes back to what it has missed, or to everything."""
        assert self.room is not None
        for audience, ear in self.ears.items():
            if audience != "hitler":
                self.room.leave(audience, ear)
                last = [json.loads(text).get("n", 0) for text in ear.texts]
                self.room.enter(audience, ear, "same", max(last) if number % 2 else 0)

    def written(self) -> str:
        """The trace as it is while secrets are kept; here they are opened at once, in lines of their own."""
        lines = unsealed("".join(self.traced)).splitlines()
        return "\n".join(line for line in lines if not line.startswith("secret "))

    def outward(self) -> list[str]:
        """What else could leave: views, the record so far, the `repr` of every object."""
        others = [seat for seat in (None, *self.state.seats) if seat != "hitler"]
        views = [json.dumps(self.table.view(seat)) for seat in others]
        choices = [json.dumps(self.table.choices(seat)) for seat in others if seat is not None]
        record = [line for line in self.table.export_record().splitlines() if not line.startswith(SALTED)]
        return [*views, *choices, *record, *sorted(reprs(self.table).elements())]


def compare(seed: int, longest: int, caplog: pytest.LogCaptureFixture) -> bool:
    """Play a pair of games; whether there was one."""
    options = OPTIONS[seed % len(OPTIONS)]
    found = pair(seed, options, longest)
    if found is None:
        return False
    assert [str(one) for one in found[0]] != [str(other) for other in found[1]]
    tried = refused_in_both(options, *found)
    seen = []
    for actions in found:
        caplog.clear()
        hunt = Watched(seed, board=ROUNDS[seed % 2], options=options)
        with caplog.at_level(logging.DEBUG):
            hunt.follow(actions, tried)
        left, log = hunt.outward(), hunt.written() + caplog.text
        hunt.bench.close()
        seen.append((hunt, left, log))
    (one, left, log), (other, others_left, others_log) = seen
    for audience, ear in one.ears.items():
        sent = [[unsealed(text) for text in each.texts] for each in (ear, other.ears[audience])]
        if audience == "hitler":
            sent = [[f"{json.loads(text)['kind']} {len(text)}" for text in each] for each in sent]
        assert sent[0] == sent[1], audience
    late = [[unsealed(text) for text in hunt.late.texts] for hunt in (one, other)]
    assert late[0] == late[1]
    assert longest < len(late[0]) < len(one.ears[None].texts)
    told = [[unsealed(json.dumps(message.json())) for message in hunt.messages] for hunt in (one, other)]
    assert told[0] == told[1], "to the millisecond"
    assert one.bench.line == other.bench.line, "what each phone says and is answered, in bytes"
    assert len(one.bench.line) > longest // 4
    assert one.lamps == other.lamps
    assert len(one.lamps) > longest // 4
    assert left == others_left
    assert log == others_log
    assert any(tried.values())
    assert log.count(" hitler *") > 2, "what he did is in it, by number alone"
    return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_another_hidden_way_sends_the_same_bytes(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    assert compare(seed, 60, caplog)


@pytest.mark.nightly
def test_twin_hunts(record_property: Callable[[str, object], None], caplog: pytest.LogCaptureFixture) -> None:
    """Pairs of games through simulated pins, with the same public history and another hidden way: every byte
    to the Allied screens and the spectator's, every lamp and sound, logs, views, the record so far and every
    `repr` are equal, in virtual time; commitments, which have a salt of their own, aside. Hitler's own frames
    are as many, of the same kinds and as long."""
    seed, pairs = 100, 0
    while pairs < PAIRS:
        pairs += compare(seed, 30 + 5 * (seed % 25), caplog)
        seed += 1
    record_property("seeds", f"100 to {seed - 1}")
    record_property("pairs of games", pairs)


@pytest.mark.slow
def test_a_leak_would_be_seen(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard that is taken away is missed: here the lamps show where he is."""
    from boardumpire.lamps import view_marks
    from boardumpire.messages import disclosure

    true = disclosure.view_of

    def leaking(state: Any, seat: str | None) -> dict[str, Any]:
        shown = true(state, seat)
        at = state.truth()["sheet"]["at"]
        return {**shown, "token": at} if seat is None and at else shown

    assert view_marks is not None
    monkeypatch.setattr(disclosure, "view_of", leaking)
    with pytest.raises(AssertionError):
        compare(0, 30, caplog)
