"""What games teach: help on every rule that refuses, and first games that can be played as they say."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardrules.core import CHANCE, Seat, State
from boardrules.teaching import Lesson, LessonStep, matches_any
from boardumpire.web.teaching.texts import help_chapters

DOCS = Path(__file__).resolve().parents[2] / "docs" / "play" / "rules"
PAGES = {"stratego": "stratego.md", "fall": "fall-of-the-fuhrer.md", "escape": "escape-from-colditz.md"}
TAUGHT = sorted(game for game, package in registry.games().items() if package.refusals())
LESSONS = [(game, seat) for game in TAUGHT for seat in registry.package(game).lessons()]


def test_the_games_of_this_house_teach() -> None:
    assert {game.partition("-")[0] for game in TAUGHT} == set(PAGES)
    assert LESSONS == [
        ("escape-from-colditz", "security"),
        ("escape-from-colditz", "american"),
        ("fall-of-the-fuhrer", "hitler"),
        ("fall-of-the-fuhrer", "allies"),
        ("stratego-quick-duel", "red"),
        ("stratego-quick-duel", "blue"),
    ]


def _offered_options(game: str) -> Iterator[Mapping[str, Any]]:
    """The options by which a game is played if nobody chooses, and with each choice that is offered."""
    usual = dict(registry.new(game).options)
    yield usual
    for offer in registry.package(game).option_offers():
        yield from ({**usual, offer.name: value} for value, _ in offer.values)


def _told(game: str, **options: Any) -> str:
    """All that the help of a game with these options says."""
    chapters = help_chapters(game, registry.new(game, options).options, "en")["chapters"]
    return " ".join(
        f"{entry.get('name', '')}: {entry['text']}" for each in chapters for entry in each["entries"]
    )


def test_the_help_tells_the_rules_in_force() -> None:
    duel, castle, hunt = "stratego-quick-duel", "escape-from-colditz", "fall-of-the-fuhrer"
    assert "reveals both ranks" in _told(duel)
    assert "only some squares" not in _told(duel)
    assert "reveals both ranks" not in _told(duel, announce="silent")
    assert "learns only who wins" in _told(duel, announce="silent")
    assert "the same squares 5 turns in a row" in _told(duel, shuttle=5)
    assert "doesn't go back" not in _told(castle)
    assert "doesn't go back" in _told(castle, doubling_back="forbidden")
    assert "win together with 4 escapes" in _told(castle, common_target=4)
    assert "A Tank that stays needn't roll." in _told(hunt)
    assert "needn't roll" not in _told(hunt, tank_roll="always")
    assert "Everyone hears from which airport he flies." in _told(hunt, flight_tells="origin")


def test_the_help_tells_what_was_agreed_on() -> None:
    told = _told("stratego-quick-duel", announce="silent", quiet_limit=60)
    assert "What everyone learns from a battle: only who wins" in told
    assert "After how many turns without a battle the game is a draw: 60" in told
    assert "Rounds: 33" in _told("escape-from-colditz", rounds=33)


@pytest.mark.parametrize("game", TAUGHT)
def test_every_rule_that_refuses_has_one_entry_and_every_entry_is_a_rule_of_the_page(game: str) -> None:
    package = registry.package(game)
    entries = [entry for chapter in package.help() for entry in chapter.entries]
    for options in _offered_options(game):
        held = [rule for entry in entries if entry.applies_to(options) for rule in entry.rules]
        assert len(held) == len(set(held)), f"a refusal leads to one entry: {options}"
    told = [rule for entry in entries for rule in entry.rules]
    assert set(package.refusals().values()) <= set(told)
    page = (DOCS / PAGES[game.partition("-")[0]]).read_text(encoding="utf-8")
    written = {rule for rule in told if f"**{rule}**" in page or f"| `{rule}` |" in page}
    assert set(told) == written


@pytest.mark.parametrize("game", TAUGHT)
def test_the_codes_are_those_that_have_a_sentence(game: str) -> None:
    """So no refusal is without a rule: its sentence would be missing, too."""
    package = registry.package(game)
    prefix = next(iter(package.refusals())).partition("/")[0]
    said = {name for name in package.sentences().texts if name.startswith(f"{prefix}/")}
    assert said == set(package.refusals())


class Pupil:
    """Plays a lesson as it says; whoever is not there plays as it says, too."""

    def __init__(self, game: str, seat: Seat) -> None:
        self.seat, self.lesson = seat, registry.package(game).lessons()[seat]
        self.state: State = registry.new(game, self.lesson.options)
        self.dice = deque(self.lesson.chance_choices)
        self.planned = {other: deque(texts) for other, texts in self.lesson.scripted_actions.items()}
        self._throw()
        for other, text in self.lesson.opening:
            self.do(other, text)

    def _throw(self) -> None:
        while self.state.seats_to_act() == (CHANCE,):
            may = [action for action, _ in self.state.chance()]
            self.state, _ = self.state.apply(may[self.dice.popleft() if self.dice else 0])

    def do(self, seat: Seat, text: str) -> None:
        self.state, _ = self.state.apply(self.state.parse(text, seat))
        self._throw()

    def wait(self) -> None:
        """The others play until it is this seat's turn."""
        while self.state.outcome is None and self.seat not in self.state.seats_to_act():
            other = self.state.seats_to_act()[0]
            planned = self.planned.get(other)
            if planned and self.state.refusal(self.state.parse(planned[0], other)) is None:
                self.do(other, planned.popleft())
            else:
                legal = [str(action) for action in self.state.legal_actions(other)]
                self.do(
                    other,
                    next(
                        x
                        for habit in self.lesson.fallback_patterns
                        for x in legal
                        if matches_any(x, (habit,))
                    ),
                )

    def may(self) -> Iterator[str]:
        yield from map(str, self.state.legal_actions(self.seat))
        for origin, targets in self.state.carry_actions(self.seat).items():
            yield from (f"{origin}-{target}" for target in targets)

    def take(self, step: LessonStep, choose: int) -> None:
        """Do what a step asks for; `choose`: which of what it allows."""
        for _ in range(step.times):
            self.wait()
            while not (fitting := sorted({text for text in self.may() if matches_any(text, step.does)})):
                self.do(self.seat, next(text for text in self.may() if matches_any(text, step.first)))
            self.do(self.seat, fitting[choose % len(fitting)])


@pytest.mark.parametrize("choose", [0, -1, 1])
@pytest.mark.parametrize(("game", "seat"), LESSONS)
def test_a_lesson_can_be_played_whatever_of_what_it_allows_is_chosen(
    game: str, seat: Seat, choose: int
) -> None:
    pupil = Pupil(game, seat)
    for step in pupil.lesson.steps:
        pupil.take(step, choose)
    assert not any(pupil.planned.values()) or pupil.state.outcome is None
    if (game, seat) in {("fall-of-the-fuhrer", "allies"), ("stratego-quick-duel", seat)}:
        assert pupil.state.outcome is not None
        assert pupil.state.outcome.winner == seat


@pytest.mark.parametrize(("game", "seat"), LESSONS)
def test_a_lesson_is_five_steps_whose_texts_name_what_the_board_has(game: str, seat: Seat) -> None:
    lesson: Lesson = registry.package(game).lessons()[seat]
    assert len(lesson.steps) == 5
    state = registry.new(game, lesson.options)
    spaces = set(state.layout()) | set(state.unchecked_spaces())
    for step in lesson.steps:
        assert {name for name in step.spaces if f"{{{name}}}" in step.ask} == set(step.spaces)
        assert step.ask.count("{") == len(step.spaces)
        assert spaces  # a board without spaces would prove nothing
    assert all(other != seat for other in lesson.scripted_actions)


TOLD = {
    "escape-from-colditz": (
        "arrested only if his officer holds Equipment; elsewhere, and on every post, always",
        "never arrested on a safe circle, in the Appel area, or in a tunnel that isn't detected",
        "An escape uses up the Escape Kit",
        "falls in at the end of any player's turn in which fewer than two men are in it",
        "A man who walks onto a guard's circle is arrested, too",
        "A General Search arrests every man who is no more circles from a guard than the roll shows",
        "Several may win together",
    ),
    "fall-of-the-fuhrer": (
        "if it ends its turn in his city",
        "With the Tank or the Spy he is safe, and in a city that is just being liberated, too",
    ),
    "stratego-quick-barrage": (
        "the same squares 3 turns in a row",
        "A battle reveals both ranks to everyone",
        "It loses only to a Spy that attacks it, and to a Bomb that it attacks",
        "Each army: 1 × Flag, 1 × Bomb, 1 × Spy, 2 × Scout, 1 × Miner, 1 × General, 1 × Field Marshal",
    ),
}
"""Rules that players were told nowhere."""


@pytest.mark.parametrize("game", TOLD)
def test_rules_that_players_missed_are_told(game: str) -> None:
    told = _told(game)
    assert [rule for rule in TOLD[game] if rule not in told] == []


def test_a_refused_arrest_leads_to_all_its_reasons_and_so_does_a_touched_man() -> None:
    castle = registry.package("escape-from-colditz")
    rule = castle.refusals()["colditz/not-liable"]
    (entry,) = [each for chapter in castle.help() for each in chapter.entries if rule in each.rules]
    assert "british" in entry.explains
    assert "Equipment" in entry.text
    assert "safe circle" in entry.text
