"""Jumping over quiet time changes nothing: the same events at the same times as looking every period."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.bench.runner import wrong_lamps
from boardsim.hands.hands import PACES, HandsError
from boardsim.people.play_record import RecordPlayer
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.sounds import SOUNDS
from boardware.ports import MS
from lit import RED, lit
from sim.bench import listening
from sim.games import random_record

SPACE = st.sampled_from(["a1", "a2", "a3", "b2", "c3", "d4"])
ACT = st.one_of(
    st.tuples(st.just("stand"), SPACE),
    st.tuples(st.just("lift"), SPACE),
    st.tuples(st.just("place"), SPACE),
    st.tuples(st.just("slide"), SPACE, SPACE),
    st.tuples(st.just("tap"), SPACE, SPACE),
    st.tuples(st.just("knock"), SPACE),
    st.tuples(st.just("press"), st.sampled_from(["confirm", "turn"])),
    st.tuples(st.just("hold"), st.sampled_from(["confirm", "turn"]), st.integers(0, 3000)),
    st.tuples(st.just("sound"), st.sampled_from(sorted(SOUNDS))),
    st.tuples(st.just("wait"), st.integers(0, 700)),
    st.tuples(st.just("mark"), SPACE, st.sampled_from(["put", "lifted", "may-go", "asks"])),
)


def act(bench, verb, *args):
    hands, now = bench.hands, bench.now
    match verb:
        case "wait":
            bench.wait(args[0] * MS + 137)
        case "hold":
            bench.run_until(hands.hold(args[0], args[1] * MS, now))
        case "sound":
            bench.table.ports.console.sound(SOUNDS[args[0]].tones, now)
        case "mark":
            bench.table.marks = dict([args])
            bench.runner._step_table(now)  # as a message from a phone would
        case "stand":
            bench.run_until(hands.stand("red", args[0], now))
        case "slide":
            bench.run_until(hands.slide(args, now))
        case _:
            bench.run_until(getattr(hands, verb)(*args, now=now))


def play(acts, seed, pace, *, jump):
    bench = listening(seed=seed, pace=PACES[pace], jump=jump)
    frames = []
    for each in acts:
        try:
            act(bench, *each)
        except HandsError:
            continue
        frames.append((bench.now, bench.world.copper.lamps()))
    bench.wait(500 * MS)
    felt = [(type(event), event) for event in bench.table.events]
    present = bench.table.ports.sensors.present()
    bench.close()
    return felt, present, frames, bench.world.standing(), bench.world.buzzer_tones


@settings(max_examples=settings.default.max_examples * 6 // 10)
@given(st.lists(ACT, max_size=8), st.integers(0, 5), st.sampled_from(sorted(PACES)))
def test_jumping_changes_nothing(acts, seed, pace):
    assert play(acts, seed, pace, jump=True) == play(acts, seed, pace, jump=False)


class EveryScan(Bench):
    """A bench that visits every moment of every grid."""

    def __init__(self, setting, factory, **hooks):
        super().__init__(setting, factory, **hooks, jump=False)


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_is_told_the_same_with_and_without_jumps(seed):
    def told(bench):
        player = RecordPlayer(BenchSettings(seed=seed), TableFactory(), bench)
        messages = []
        player.bench.runner._told = lambda message: (messages.append(message), player.tellings(message))
        player.play(random_record(seed, longest=25).actions)
        player.bench.close()
        # each commitment has a salt of its own
        return [
            message._replace(data={key: each for key, each in message.data.items() if key != "commitment"})
            for message in messages
        ]

    assert told(Bench) == told(EveryScan)


def test_a_quiet_minute_is_jumped_over():
    bench = listening()
    turns = []
    step = bench.table.step
    bench.table.step = lambda now: turns.append(now) or step(now)
    bench.wait(60_000 * MS)
    assert turns == []
    bench.run_until(bench.hands.stand("red", "a1", bench.now))
    bench.wait(60_000 * MS)
    assert 0 < len(turns) < 12
    bench.close()


def test_a_killed_table_sees_nothing_and_a_new_one_sees_the_board():
    bench = listening()
    bench.run_until(bench.hands.stand("red", "a1", bench.now))
    bench.kill()
    assert bench.table is None
    bench.run_until(bench.hands.stand("red", "b1", bench.now))
    bench.wait(100 * MS)
    bench.start()
    assert bench.table.events == []
    assert bench.table.ports.sensors.present() == {"a1", "b1"}
    bench.close()


def test_lamps_that_show_what_they_were_not_told_are_found():
    bench = listening()
    bench.table.marks = {"a1": "may-go", "a2": "put"}
    bench.runner._step_table(bench.now)
    assert wrong_lamps(bench.world, bench.table.lights) == {}
    assert set(wrong_lamps(bench.world, lit({"a1": RED}))) == {"a1", "a2"}
    bench.close()
