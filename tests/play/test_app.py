"""The terminal, by keys and by eye: textual's own pilot presses, the screen is read back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Static

from boardsim.bench.bench import Setting as BenchSetting
from boardsim.bench.bench import placements
from boardsim.hands.hands import PACES
from boardsim.play.app import PlayApp, needed
from boardsim.play.session import DOWN, Session, Setting
from boardsim.play.words import HELP
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND, Micros
from loops import run as run_alone

ARMY = "setup a3=2 b3=3 c3=10 d3=9 e3=S f3=3 g3=2 a1=F b1=B a2=B"
Play = Callable[[PlayApp, Pilot[None]], Awaitable[None]]


def play(path: Path, scene: Play, *simulated: str, size: tuple[int, int] = (80, 24), seed: int = 1) -> None:
    """Run `scene` on an app whose time passes only when the scene lets it."""
    games = iter(range(9))

    def begin() -> Session:
        journal = path / f"journal-{next(games)}.sqlite"
        bench = BenchSetting(journal=journal, seed=seed, pace=PACES["fast"])
        return Session(Setting(bench, frozenset(simulated)), TableFactory())

    async def run() -> None:
        app = PlayApp(begin)
        async with app.run_test(size=size) as pilot:
            await scene(app, pilot)

    run_alone(run())


async def until(
    app: PlayApp, pilot: Pilot[None], done: Callable[[], bool], limit: Micros = 120 * SECOND
) -> None:
    end = app.session.now + limit
    while not done():
        assert app.session.now < end, list(app.session.log)
        app.turn(app.session.now + 100 * MS)
    await pilot.pause()


def shown(app: PlayApp, name: str) -> str:
    """The text of a part of the screen."""
    return str(app.query_one(name, Static).render())


async def typed(pilot: Pilot[None], text: str) -> None:
    names = {"-": "minus", " ": "space", "=": "equals_sign"}
    await pilot.press(*(names.get(letter, letter) for letter in text), "enter")
    await pilot.pause()


async def begun(app: PlayApp, pilot: Pilot[None]) -> None:
    app.action_type(ARMY)
    session = app.session
    await until(
        app,
        pilot,
        lambda: (
            session.to_act == ("red",)
            and session.state.layout()
            and not session.laying_out()
            and not session.chores
        ),
    )


def test_a_whole_turn_by_keys_lights_the_board_is_ruled_and_answered(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "enter your set-up" in shown(app, "#todo")
        await begun(app, pilot)
        assert "Your turn, Red." in shown(app, "#todo")
        await pilot.press("right", "up", "up")
        assert app.cursor == "b3"
        await pilot.press("enter")
        await until(app, pilot, lambda: app.session.marks().get("b4") == "may-go")
        assert "a piece may move here" in shown(app, "#lamps")
        assert "In your hand: red 3." in shown(app, "#todo")
        await pilot.press("up", "space")
        rulings = app.session.rulings
        await until(app, pilot, lambda: app.session.rulings == rulings + 1)
        assert app.session.state.layout()["b4"] == ("red:b3",)
        assert "Blue is playing." in shown(app, "#todo")
        await until(app, pilot, lambda: app.session.rulings == rulings + 2)

    play(tmp_path, scene, "blue")


@pytest.mark.slow
def test_a_game_that_is_watched_comes_to_its_end_and_another_begins(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        end = app.session.now + 3600 * SECOND
        while app.session.over is None and app.session.now < end:
            app.turn(app.session.now + 10 * SECOND)
        assert app.session.over is not None
        await pilot.pause()
        assert app.session.over in shown(app, "#todo")
        first = app.session
        await typed(pilot, "new")
        assert app.session is not first
        assert app.session.over is None

    play(tmp_path, scene, "red", "blue")


def test_the_ranks_of_a_side_that_is_not_seen_are_nowhere_on_the_screen(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        board = shown(app, "#board")
        assert "10" in board
        assert board.count("?") == 10
        await typed(pilot, "see none")
        assert shown(app, "#board").count("?") == 20
        assert "10" not in shown(app, "#board")
        await typed(pilot, "see both")
        assert "?" not in shown(app, "#board")
        await pilot.press("ctrl+o")
        assert shown(app, "#board").count("?") == 20
        await pilot.press("ctrl+o")
        assert app.seen == {"red"}

    play(tmp_path, scene, "blue")


def test_the_kill_key_cuts_the_power_and_the_game_goes_on_from_its_journal(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        await typed(pilot, "b3-b4")
        rulings = app.session.rulings
        await until(app, pilot, lambda: app.session.rulings == rulings + 1)
        await pilot.press("ctrl+k")
        assert "The power is off." in shown(app, "#todo")
        app.turn(app.session.now + DOWN + SECOND)
        assert app.session.alive
        assert app.session.bench.table is not None
        assert app.session.bench.table.view("red") == app.session.state.view("red").json()
        await until(app, pilot, lambda: app.session.rulings == rulings + 2)

    play(tmp_path, scene, "blue")


def test_a_terminal_that_is_too_small_is_told_what_is_needed(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        columns, rows = needed(app.session)
        assert f"a terminal of {columns} columns and {rows} rows" in shown(app, "#small")
        await pilot.resize_terminal(columns, rows)
        await pilot.pause()
        assert not app.has_class("small")

    play(tmp_path, scene, "blue", size=(60, 20))


def test_the_board_fits_a_terminal_of_80_by_24(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        columns, rows = needed(app.session)
        assert columns <= 80
        assert rows <= 24

    play(tmp_path, scene, "blue")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "text", ["see red", "turn", "speed 4", "help", "watch", "lift z9", "random", "resign"]
)
def test_every_word_that_can_be_typed_leaves_a_game_that_goes_on(tmp_path: Path, text: str) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        await typed(pilot, text)
        app.turn(app.session.now + SECOND)
        assert (app.session.over is not None) == (text == "resign")

    play(tmp_path, scene, "blue")


def test_watching_and_playing_change_places_at_any_time(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        await pilot.press("ctrl+w")
        assert app.me is None
        rulings = app.session.rulings
        await until(app, pilot, lambda: app.session.rulings >= rulings + 4)
        await pilot.press("ctrl+w")
        assert app.me == "red"

    play(tmp_path, scene, "blue")


async def drafted(app: PlayApp, pilot: Pilot[None]) -> None:
    """A set-up at random stands, and is not entered yet."""
    await pilot.press("ctrl+r")
    session = app.session
    await until(
        app,
        pilot,
        lambda: len(session.world.standing()) == 20 and not session.workers["red"].busy(session.now),
    )
    assert session.to_act == ("red",)


def test_one_key_stands_a_set_up_at_random_and_another_says_that_it_is_ready(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "enter your set-up" in shown(app, "#todo")
        await drafted(app, pilot)
        assert not app.session.state.layout(), "nothing is entered before the person is ready"
        first = app.session.army("red")
        await drafted(app, pilot)
        assert app.session.army("red") != first
        await pilot.press("ctrl+y")
        await until(app, pilot, lambda: bool(app.session.state.layout()) and not app.session.chores)
        assert set(app.session.world.standing()) == set(app.session.state.layout())

    play(tmp_path, scene, "blue")


def test_a_set_up_is_made_by_moving_pieces(tmp_path: Path) -> None:
    """Two pieces change places, a third goes to an empty square; what is entered is what stands."""

    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await drafted(app, pilot)
        army = dict(app.session.army("red"))
        one, other, third = list(army)[:3]
        empty = next(space for space in app.session.board.spaces if space[1] in "123" and space not in army)
        await lifted(app, pilot, one)
        assert "change places" in shown(app, "#todo")
        await pilot.press("ctrl+y")
        assert not app.session.state.layout(), "with a piece in the hand nobody is ready"
        await lifted(app, pilot, other)
        app.turn(app.session.now + 2 * SECOND)
        await lifted(app, pilot, third, empty)
        wanted = {**army, one: army[other], other: army[one], empty: army[third]}
        del wanted[third]
        assert app.session.army("red") == wanted
        await typed(pilot, "ready")
        await until(app, pilot, lambda: bool(app.session.state.layout()) and not app.session.chores)
        table = app.session.bench.table
        assert table is not None
        mine = dict(placements(app.session.entered("red")))
        assert mine == wanted

    play(tmp_path, scene, "blue")


def test_a_set_up_that_is_typed_takes_the_place_of_what_stands(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await drafted(app, pilot)
        await begun(app, pilot)
        assert sum(owners.count("red") for owners in owners_standing(app)) == 10

    play(tmp_path, scene, "blue")


def owners_standing(app: PlayApp) -> list[list[str]]:
    """Whose pieces stand on each square."""
    return [[piece.owner for piece in pieces] for pieces in app.session.world.standing().values()]


@pytest.mark.parametrize(
    ("pasted", "waits"), [("b3-b4", True), ("b3\u2013b4.\n", False), ("b3 b4\r\n", False)]
)
def test_a_move_that_is_pasted_is_typed_and_with_its_line_end_done(
    tmp_path: Path, pasted: str, *, waits: bool
) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        rulings = app.session.rulings
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        if waits:
            assert app.query_one("#line", Input).value == "b3-b4"
            await pilot.press("enter")
        await until(app, pilot, lambda: app.session.rulings == rulings + 1)
        assert app.session.state.layout()["b4"] == ("red:b3",)

    play(tmp_path, scene, "blue")


def test_help_takes_the_place_of_the_panels_a_page_at_a_time_and_never_of_the_board(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        board = app.query_one("#board").region
        told = ""
        await pilot.press("f1")
        pages = int(str(app.query_one("#help", Static).border_title).split("/")[1].split()[0])
        for _ in range(pages):
            await pilot.pause()
            panel = app.query_one("#help", Static)
            assert panel.display
            assert not panel.region.overlaps(board)
            assert app.screen.region.contains_region(panel.region)
            assert len(shown(app, "#help").splitlines()) <= panel.content_size.height
            told += " " + " ".join(shown(app, "#help").split())
            await pilot.press("f1")
        assert " ".join(HELP.split()) == told.strip()
        assert not app.query_one("#help").display
        await pilot.press("f1", "escape")
        app.turn(app.session.now + SECOND)
        assert not app.has_class("helped")

    play(tmp_path, scene, "blue")


def an_attack(session: Session) -> tuple[str, str]:
    """Where from and where to Red may attack now."""
    legal = set(session.state.legal_actions("red"))
    return next(
        (step.origin, step.target)
        for step in session.state.steps()
        if step.attack and session.state.hand_action("red", step.origin, step.target) in legal
    )


async def lifted(app: PlayApp, pilot: Pilot[None], *spaces: str) -> None:
    """Press Enter at each, with a moment in between."""
    for space in spaces:
        app.cursor = space
        await pilot.press("enter")
        app.turn(app.session.now + 600 * MS)
    await pilot.pause()


def test_an_attack_by_keys_waits_for_its_key_is_judged_and_its_chores_are_done_by_keys(
    tmp_path: Path,
) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        session = app.session
        attack = an_attack(session)
        rulings = session.rulings
        await lifted(app, pilot, *attack)
        assert "Ctrl+Y" in shown(app, "#todo")
        assert "an attack is waiting" in shown(app, "#lamps")
        app.turn(session.now + 20 * SECOND)
        assert session.rulings == rulings, "nothing but its own sign completes it"
        await pilot.press("ctrl+y")
        await until(app, pilot, lambda: session.rulings == rulings + 1)
        assert any("attacks" in line.text for line in session.log)
        for chore in list(session.chores):
            assert chore["do"] == "put"
            app.cursor = chore["space"]
            await pilot.press("enter")
        await until(app, pilot, lambda: session.to_act == ("blue",))
        assert set(session.world.standing()) >= set(session.state.layout())

    play(tmp_path, scene, "blue", seed=2)


def test_an_attack_that_waits_is_taken_back_by_putting_both_down(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        session = app.session
        origin, target = an_attack(session)
        rulings, stood = session.rulings, session.world.standing()
        await lifted(app, pilot, origin, target)
        await lifted(app, pilot, origin, target)
        app.turn(session.now + 3 * SECOND)
        await pilot.pause()
        assert session.world.standing() == stood, "each on its own square again"
        assert session.rulings == rulings
        assert "Ctrl+Y" not in shown(app, "#todo")
        assert "Your turn, Red." in shown(app, "#todo")

    play(tmp_path, scene, "blue", seed=2)


def test_a_typed_tap_on_its_own_square_completes_an_attack_too(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        session = app.session
        origin, target = an_attack(session)
        rulings = session.rulings
        await lifted(app, pilot, origin, target)
        await typed(pilot, f"tap {origin}")
        await until(app, pilot, lambda: session.rulings == rulings + 1)
        assert any(line.kind == "ruling" and "attacks" in line.text for line in session.log)

    play(tmp_path, scene, "blue", seed=2)


def test_a_typed_attack_is_completed_by_the_hands(tmp_path: Path) -> None:
    async def scene(app: PlayApp, pilot: Pilot[None]) -> None:
        await begun(app, pilot)
        session = app.session
        rulings = session.rulings
        await typed(pilot, "-".join(an_attack(session)))
        await until(app, pilot, lambda: session.rulings == rulings + 1, 10 * SECOND)
        assert any(line.kind == "ruling" and "attacks" in line.text for line in session.log)
        await until(app, pilot, lambda: session.to_act == ("blue",))

    play(tmp_path, scene, "blue", seed=2)
