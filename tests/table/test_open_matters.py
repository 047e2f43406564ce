"""What an answer refers to: rule by rule, and over random interleavings of people at real tables."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import Any

import pytest

from boardsim.bench.bench import BARE, Bench, BenchSettings
from boardsim.hands.hands import HandsError
from boardumpire.commands.table_factory import TableFactory
from boardumpire.table import open_matters
from boardumpire.table.open_matters import (
    BOARD_PERSON,
    BUTTON_MATTER,
    GAME_MATTER,
    IMPLIED_MATTER,
    NO,
    OFFER_MATTER,
    PROPOSAL_MATTER,
    QUESTION_MATTER,
    SETTLING_TIME_US,
    SIGN_MATTER,
    YES,
    AnswerMeaning,
    OpenMatter,
    OpenMatters,
    PlayerInput,
    shown_matter,
)
from boardware.ports import MS, SECOND, ButtonHeld, ButtonPressed

SEATS = ("red", "blue")


def matter(kind: str, name: str, *may: str | None, no: tuple[str | None, ...] = ()) -> OpenMatter:
    yes = frozenset(may)
    return OpenMatter(kind, name, (kind, name), frozenset(s for s in may if s), (), yes, yes | frozenset(no))


THAT_PIECE = matter(QUESTION_MATTER, "that-piece e3 e4 d3", "red", BOARD_PERSON)
ATTACK = matter(SIGN_MATTER, "attack-pending h4 h5", "red", BOARD_PERSON)
DRAW = matter(OFFER_MATTER, "agree-draw", "red", BOARD_PERSON)
ADJOURN = matter(PROPOSAL_MATTER, "adjourn", "red", BOARD_PERSON)
ON_SCREENS = matter(PROPOSAL_MATTER, "move-seat red", "red", "blue", no=(BOARD_PERSON,))
TOUCH = matter(IMPLIED_MATTER, "attack-here a1 a2", "red", BOARD_PERSON)
STAY = OpenMatter(BUTTON_MATTER, "turn", ("turn", "stay", "tank"))
STAY_SPY = OpenMatter(BUTTON_MATTER, "turn", ("turn", "stay", "spy"))


class Open:
    """A list that is looked at whenever something comes or goes."""

    def __init__(self) -> None:
        self.now = 10 * SECOND
        self.open = OpenMatters()
        self.there: list[OpenMatter] = []

    def add(self, *matters: OpenMatter) -> None:
        self.there += matters
        self.open.update(self.there, SEATS, self.now)

    def drop(self, gone: OpenMatter) -> None:
        self.there.remove(gone)
        self.open.update(self.there, SEATS, self.now)

    def wait(self, ms: int) -> None:
        self.now += ms * MS

    def says(self, person: str | None, word: str, about: str = "") -> str:
        verdict = self.open.find_meaning(PlayerInput(person, word, about), self.now)
        return verdict.refusal if verdict.matter is None else verdict.matter.name


@pytest.mark.parametrize("word", [YES, NO])
@pytest.mark.parametrize("person", ["red", BOARD_PERSON])
def test_the_newest_takes_the_answer_once_it_is_a_second_old(person: str | None, word: str) -> None:
    table = Open()
    table.add(THAT_PIECE)
    table.wait(999)
    assert table.says(person, word) == "changed"
    table.wait(1)
    assert table.says(person, word) == THAT_PIECE.name
    table.add(DRAW)
    for _ in range(10):
        assert table.says(person, word) == "changed", "neither for the new one, nor for that of before"
        table.wait(100)
    assert table.says(person, word) == DRAW.name
    table.drop(DRAW)
    assert table.says(person, word) == "changed", "it may have been for the offer"
    table.wait(1000)
    assert table.says(person, word) == THAT_PIECE.name


def test_an_answer_that_names_its_question_is_for_that_alone_however_new() -> None:
    table = Open()
    table.add(THAT_PIECE)
    table.wait(2000)
    table.add(DRAW)
    assert table.says("red", YES, THAT_PIECE.name) == THAT_PIECE.name
    assert table.says("red", YES, DRAW.name) == DRAW.name
    assert table.says("red", YES, "adjourn") == "changed"
    assert table.says("blue", YES, DRAW.name) == "unasked"


def test_the_sign_of_an_attack_is_the_only_meaning_of_a_yes() -> None:
    table = Open()
    table.add(ADJOURN)
    table.wait(5000)
    table.add(ATTACK)
    assert table.says(BOARD_PERSON, YES) == "changed"
    table.wait(1000)
    table.add(DRAW)
    assert table.says(BOARD_PERSON, YES) == ATTACK.name, "whatever came since"
    assert table.says("red", YES) == ATTACK.name
    table.wait(3000)
    assert table.says(BOARD_PERSON, YES) == ATTACK.name
    assert table.says(BOARD_PERSON, NO) == DRAW.name
    assert shown_matter(table.open.matters) == table.open.matters[1]


def test_nobody_answers_what_he_is_not_asked() -> None:
    table = Open()
    table.add(THAT_PIECE)
    table.wait(2000)
    assert table.says("blue", YES) == "unasked"
    assert table.says("blue", YES, THAT_PIECE.name) == "unasked"


def test_the_board_says_no_yes_for_open_screens_and_passes_them_over() -> None:
    table = Open()
    table.add(ON_SCREENS)
    table.wait(2000)
    assert table.says(BOARD_PERSON, YES) == "own-screen"
    assert table.says(BOARD_PERSON, NO) == ON_SCREENS.name
    table.add(THAT_PIECE)
    table.wait(2000)
    assert table.says(BOARD_PERSON, YES) == THAT_PIECE.name


def test_what_is_only_implied_gives_way_to_what_is_asked() -> None:
    table = Open()
    table.add(ADJOURN)
    table.wait(2000)
    table.add(TOUCH)
    table.wait(2000)
    assert table.says(BOARD_PERSON, YES) == ADJOURN.name
    table.drop(ADJOURN)
    table.wait(1000)
    assert table.says(BOARD_PERSON, YES) == TOUCH.name


def test_a_button_counts_for_nothing_within_a_second_of_another_meaning() -> None:
    table = Open()
    table.add(STAY)
    assert table.says(BOARD_PERSON, "turn") == "turn", "it meant nothing before"
    table.drop(STAY)
    table.add(STAY_SPY)
    assert table.says(BOARD_PERSON, "turn") == "changed"
    table.wait(1000)
    assert table.says(BOARD_PERSON, "turn") == "turn"
    table.open.restart_settling("turn", table.now)
    assert table.says(BOARD_PERSON, "turn") == "changed", "pressed twice"
    table.drop(STAY_SPY)
    table.wait(500)
    table.add(STAY)
    assert table.says(BOARD_PERSON, "turn") == "changed", "it meant something half a second ago"
    assert table.says(BOARD_PERSON, "choose") == "unasked"


def test_a_yes_to_the_game_itself_is_an_action_as_any_other() -> None:
    table = Open()
    own = OpenMatter(
        GAME_MATTER, "game", (GAME_MATTER,), frozenset(("red",)), (), frozenset(("red",)), frozenset(("red",))
    )
    assert open_matters.find_answer_meaning(
        [own._replace(open_since=table.now)], {}, PlayerInput("red", NO), table.now
    ) == AnswerMeaning(own._replace(open_since=table.now))
    table.add(DRAW)
    both = [own._replace(open_since=0), *table.open.matters]
    assert (
        open_matters.find_answer_meaning(
            both, table.open.newest_changed_at, PlayerInput("red", NO), table.now
        ).refusal
        == "changed"
    )


# People at real tables

STRATEGO = (
    "setup a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9",
    "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9",
)
TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "stratego": ({}, ""),
    "hunt": (
        {"board": "fall-of-the-fuhrer", "game": "fall-of-the-fuhrer", "options": {"players": 3}},
        "tank-spy tank ulm, tank-spy spy augsburg, infantry infantry munich, hitler hide cottbus",
    ),
    "castle": (
        {"board": "escape-from-colditz", "game": "escape-from-colditz", "options": {"players": 6}},
        "",
    ),
}
TO_SEATS = (PROPOSAL_MATTER, OFFER_MATTER)
WORDS = ("adjourn", "by-hand {space}", "stands", "offer-draw", "ask-take-back", "yes", "no", "roll", "stay")


class Watched:
    """A table whose every answer is looked at: what it was taken by, and whether that may be."""

    def __init__(self, kind: str, seed: int) -> None:
        setting, said = TABLES[kind]
        self.dice = random.Random(f"{kind} {seed}")
        self.bench = Bench(BenchSettings(driver=BARE, bounce=False, seed=seed, **setting), TableFactory())
        self.bench.start()
        self.table: Any = self.bench.table
        self.commands = self.table.boards[0].commands
        self.seats = self.table.seats
        self.screens = {seat for seat in self.seats if self.dice.random() < 0.3}
        self.table.set_screen_check(lambda seat: seat in self.screens)
        self.machines = {seat for seat in self.seats[1:] if self.dice.random() < 0.2}
        for seat in self.machines:
            self.table.assign_machine(seat)
        self.count: Counter[str] = Counter()
        if kind == "stratego":
            for seat, text in zip(SEATS, STRATEGO, strict=True):
                self.bench.set_up(seat, text)
        for each in said.split(", ") if said else ():
            seat, _, text = each.partition(" ")
            _, _, city = text.partition(" ")
            if seat != "hitler":
                self.bench.run_until(
                    self.bench.hands.stand(seat, city, self.bench.now, text.partition(" ")[0])
                )
            self.bench.say(seat, text)
        self.bench.wait(2 * SECOND)
        self.watch()

    def watch(self) -> None:
        """Check each answer where it is carried out, by what was open before it was given."""
        real = self.commands.matters.open_matters.find_meaning
        matters = self.commands.matters

        def meant(answer: PlayerInput, now: int, *more: OpenMatter) -> AnswerMeaning:
            verdict: AnswerMeaning = real(answer, now, *more)
            found = verdict.matter
            self.count["answers"] += 1
            if found is None:
                self.count["refused"] += 1
                return verdict
            self.count[found.kind] += 1
            if found.kind == BUTTON_MATTER:
                said = self.table.full_state.button_actions().get(found.name)
                assert said is None or said.seat not in self.machines or found.meaning[1] == "steps"
                return verdict
            may = found.may_say_yes if answer.word == YES else found.may_say_no
            assert answer.person in may, f"not asked: {answer} {found}"
            if answer.matter_name:
                assert found.name == answer.matter_name
            elif found.kind != GAME_MATTER:
                assert now - found.open_since >= SETTLING_TIME_US, f"too young: {answer} {found}"
                rest = [
                    each
                    for each in matters.open_matters.matters
                    if answer.person in may and each.kind != BUTTON_MATTER
                ]
                newer = [
                    each
                    for each in rest
                    if each.open_since > found.open_since and answer.person in each.may_say_yes
                ]
                assert found.kind == SIGN_MATTER or not newer or answer.word == NO, f"not the newest: {newer}"
            if (
                answer.person is BOARD_PERSON
                and (answer.word == YES or found.kind == OFFER_MATTER)
                and found.kind in TO_SEATS
            ):
                shut = {seat for seat in found.seats if seat not in self.screens | self.machines}
                assert shut or not found.seats or self.own_wish(found), f"for an open screen: {found}"
            return verdict

        self.commands.matters.open_matters.find_meaning = meant

    def own_wish(self, found: OpenMatter) -> bool:
        return found.name in ("shut-down", "new-game", "try-pin")

    def run(self, steps: int) -> None:
        for _ in range(steps):
            if self.table.is_over:
                break
            self.step()
        self.check_lapsed()
        self.bench.close()

    def step(self) -> None:
        dice, bench = self.dice, self.bench
        ms = dice.choice((10, 60, 200, 400, 900, 1100, 2600, 6000))
        match dice.randrange(11):
            case 8:
                self.attacks()
            case 9 | 10:
                self.answers()
            case 0 | 1:
                button = dice.choice(("confirm", "cancel", "confirm", "turn", "choose"))
                if button in bench.board.buttons and dice.random() < 0.3:
                    self.hold(button)
                elif button in bench.board.buttons:
                    bench.run_until(bench.hands.press(button, bench.now))
            case 2 | 3:
                self.says()
            case 4:
                seat = dice.choice(self.seats)
                self.table.propose_request(
                    seat, f"move-seat {seat}", bench.now, all_of_them=seat in self.screens
                )
                bench.runner._step_table(bench.now)  # as the daemon does
            case 5:
                self.screens ^= {dice.choice(self.seats)}
                bench.runner._step_table(bench.now)
            case _:
                self.moves()
        bench.wait(ms * MS)
        self.check_shown()

    def hold(self, button: str) -> None:
        """Hold a button. The console of such a bench tells short presses alone."""
        console, now = self.table.ports.console, self.bench.now
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(console, "step", lambda at: [ButtonHeld(at, button)])
            self.bench.runner._step_table(now)

    def says(self) -> None:
        dice, seat = self.dice, self.dice.choice(self.seats)
        spaces = sorted(self.bench.board.spaces)
        text = dice.choice(WORDS).format(space=dice.choice(spaces))
        names = [
            each.name
            for each in self.commands.matters.open_matters.matters
            if each.kind not in (BUTTON_MATTER, IMPLIED_MATTER)
        ]
        if text in (YES, NO) and names and dice.random() < 0.5:
            text = f"{text} {dice.choice(names)}"
        with contextlib.suppress(ValueError):
            self.bench.say(seat, text)

    def answers(self) -> None:
        """Somebody says yes or no to something that is open, by its name or not."""
        dice, bench = self.dice, self.bench
        word, names = (
            dice.choice((YES, NO)),
            [each.name for each in self.commands.matters.open_matters.matters if each.seats],
        )
        if dice.random() < 0.4:
            bench.run_until(bench.hands.press("confirm" if word == YES else "cancel", bench.now))
            return
        text = f"{word} {dice.choice(names)}" if names and dice.random() < 0.5 else word
        with contextlib.suppress(ValueError):
            bench.say(dice.choice(self.seats), text)

    def attacks(self) -> None:
        """Both pieces of an attack go up, one after the other; its mover may tap his own."""
        dice, bench, hands = self.dice, self.bench, self.bench.hands
        standing = bench.world.standing()
        steps = self.table.full_state.steps()
        ways = [(each.origin, each.target) for each in steps if each.attack and each.origin in standing]
        if not ways or hands.held:
            return
        origin, target = dice.choice(ways)
        with contextlib.suppress(HandsError):
            bench.run_until(hands.lift(origin, bench.now))
            bench.wait(dice.choice((10, 300)) * MS)
            bench.run_until(hands.lift(target, bench.now))
            if dice.random() < 0.3:
                bench.wait(dice.choice((10, 300, 1200)) * MS)
                bench.run_until(hands.tap_own_square(origin, bench.now))

    def moves(self) -> None:
        dice, bench, hands = self.dice, self.bench, self.bench.hands
        standing = sorted(bench.world.standing())
        with contextlib.suppress(Exception):
            if hands.held and dice.random() < 0.6:
                home = hands.held[-1].origin
                space = dice.choice(sorted(bench.board.spaces)) if dice.random() < 0.4 else home
                bench.run_until(hands.place(space, bench.now))
            elif standing:
                bench.run_until(hands.lift(dice.choice(standing).partition(".")[0], bench.now))

    def check_shown(self) -> None:
        """What a yes at the board would do is seen: some lamp asks, or an attack waits."""
        found = shown_matter(self.commands.matters.open_matters.matters)
        if not self.table._match.pending_writes.is_writing_ruling:
            awaited = self.commands.matters.awaited_answer(self.bench.now)
            assert self.table.boards[0].view.awaited_answer == awaited, (
                f"the lamps show another matter than {found}"
            )
        marks = set(self.table.marks.values())
        if found is not None and found.may_say_yes and not self.table._match.pending_writes.is_writing_ruling:
            lit = marks & {"asks", "attack-waits", "attack-counts", "refused", "put", "take", "lifted"}
            assert lit, f"nothing shows {found}"

    def check_lapsed(self) -> None:
        self.bench.wait(21 * SECOND)
        assert not [each for each in self.table.proposals if each.kind() != "by-hand"], self.table.proposals


def interleave(kind: str, seeds: range, steps: int) -> Counter[str]:
    count: Counter[str] = Counter()
    for seed in seeds:
        watched = Watched(kind, seed)
        watched.run(steps)
        count += watched.count
    return count


@pytest.fixture(params=TABLES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.slow
def test_no_answer_is_taken_by_what_is_too_young_or_by_what_its_person_was_not_asked(kind: str) -> None:
    count = interleave(kind, range(60), 30)
    assert count["refused"] > 0
    assert count[PROPOSAL_MATTER] + count[QUESTION_MATTER] + count[OFFER_MATTER] > 0


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(10))
def test_no_answer_is_mistaken_over_many_interleavings(kind: str, number: int, record_property: Any) -> None:
    count = interleave(kind, range(3400 * number, 3400 * (number + 1)), 30)
    for name, value in sorted(count.items()):
        record_property(name, value)


def test_presses_are_told_as_they_come(kind: str) -> None:
    """The probe above looks at answers that reach the table: each press of a button is one."""
    watched = Watched(kind, 1)
    before = watched.count["answers"]
    watched.commands.buttons.press(ButtonPressed(watched.bench.now, "confirm"), watched.bench.now)
    assert watched.count["answers"] == before + 1
    watched.bench.close()
