"""A bad cable, and one that is pulled: games stay right, nothing is lost or doubled, and players are told."""

import itertools
import random

import pytest

from boardrules.marks import Mark
from boardrules.record import parse
from boardsim.bench.bench import Bench, BenchSettings
from boardsim.people.play_record import SLICE, PlaybackStuck, RecordPlayer, difference
from boardsim.pico.faults import CableFaults
from boardumpire.commands.table_factory import TableFactory
from boardumpire.lamps import legend
from boardware.ports import MS, SECOND, ButtonHeld, ButtonPressed, HardwareTrouble, Tone
from sim.bench import Listener
from sim.games import random_record, standing, true_pieces

DOWN_AT = 304
"""When a finger is down, in ms from `press` on."""
BAD = CableFaults(flip=0.0005, lose=0.0002, double=0.0002, cut=0.0001, late_chunk_rate=0.001)
"""Together one byte in a thousand; and one chunk in a thousand is late."""
PULLS = 10

ASKS_SOON = {"ask_where_s": 3}


class PulledBench(Bench):
    """A bench whose cable is pulled at drawn moments, for a while; hands wait meanwhile, as people do."""

    def __init__(self, setting, factory, *, pulls=0, faults=BAD, **more):
        super().__init__(setting, factory, **more)
        dice = random.Random(f"pulls {setting.seed}")
        self.pulled = 0
        for pico in self.picos.picos_by_name.values():
            pico.to_host.faults = pico.to_pico.faults = faults
        pico = next(iter(self.picos.picos_by_name.values()))
        at = 3 * SECOND
        for _ in range(pulls):
            at += dice.randint(1500 * MS, 9 * SECOND)
            self.world.plan(at, pico.unplug)
            self.world.plan(at, self._count)
            at += dice.choice([20 * MS, dice.randint(100, 2500) * MS])
            self.world.plan(at, pico.plug)

    def _count(self, at):
        self.pulled += 1


class KilledBench(PulledBench):
    """A bench whose firmware's process is killed: while idle, having sent a report, when hints come to it."""

    def __init__(self, setting, factory, **more):
        super().__init__(setting, factory, **(more | {"pulls": 0, "faults": CableFaults()}))
        self._kinds = itertools.cycle(("idle", "report", "hint"))
        self._dice = random.Random(f"kills {setting.seed}")
        self._next, self._after = next(self._kinds), 0
        (self._pico,) = self.picos.picos_by_name.values()
        self._pico.on_timed_event = lambda what, at: self._kill("report") if what == "sent" else None
        arrive = self._pico._receive_host_bytes

        def arrived(data, at):
            if len(data) > 20:  # more than an acknowledgement
                self._kill("hint")
            arrive(data, at)

        self._pico._receive_host_bytes = arrived
        for second in range(1, 600):
            self.world.plan(second * SECOND, lambda at: self._kill("idle"))

    def _kill(self, when):
        firmware = self._pico._firmware
        if when != self._next or self.world.now < self._after or firmware is None or self.pulled >= PULLS:
            return
        firmware._process.kill()
        self.pulled += 1
        self._next = next(self._kinds)
        self._after = self.world.now + self._dice.randint(7, 13) * SECOND


class Patient(RecordPlayer):
    """Hands that do again what the umpire undid or never saw, and say so when it asks whether they attacked.

    After an outage the board is taken as a whole: one plain move that explains it counts as made, all else is
    put back by chores. A touch that fell into an outage was sensed by nobody, so the umpire asks.
    """

    def __init__(self, setting, on):
        super().__init__(setting, TableFactory(), on)
        self.asked = self.backs = self.attempted = self.actions = 0
        self._press_at, self._presses = None, 0
        tell = self.tellings

        def told(message):
            tell(message)
            if message.kind == "question":
                self.asked += 1
                self._press_at, self._presses = (
                    self.bench.now + 2 * SECOND,
                    0,
                )  # the first press may be on its way
            elif message.kind == "ruling":
                self._press_at = None
            elif message.kind == "fault":
                self.backs += message.data["code"] == "bank-back"

        self.bench.runner._told = told

    def accepted(self):
        return sum(ruling["ok"] for ruling in self.tellings.rulings) > self.actions

    def await_next_turn(self, turns, rulings):
        """Until the umpire named who is to move after a ruling, or an outage has undone the attempt."""
        bench, tellings = self.bench, self.tellings
        began = quiet = bench.now
        while tellings.chores or tellings.turns == turns or not self.has_ruled_since(rulings):
            if self.do_correction():
                quiet = bench.now
            else:
                bench.wait(SLICE)
            undone = self.backs > self.attempted or bench.now - began > 30 * SECOND
            if (
                undone
                and not tellings.chores
                and bench.now - quiet > 6 * SECOND
                and not self.has_ruled_since(rulings)
            ):
                break
            if bench.now - began > 300 * SECOND:
                raise PlaybackStuck(f"the umpire waits for something; it said last: {tellings.last}")
        self.put_held_aside()

    def put_held_aside(self):
        while not self.accepted() and self.bench.hands.held:
            self.bench.run_until(self.bench.hands.place(self.bench.hands.held[-1].origin, self.bench.now))
            self.bench.wait(SECOND)
        super().put_held_aside()

    def act(self, seat, text):
        action = self.state.parse(text, seat)
        after, _ = self.state.apply(action)
        while not self.accepted():
            self.attempted = self.backs
            turns, rulings = self.tellings.turns, len(self.tellings.rulings)
            step = self.step_of(action)
            if step is not None:
                self.carry(step)
            else:
                self._say(seat, text)
            self.await_next_turn(turns, rulings)
        self.actions += 1
        self.state = after

    def do_correction(self):
        if self._press_at is None or self.bench.now < self._press_at or self._presses == 2:
            return super().do_correction()
        self._presses += 1
        self._press_at = self.bench.now + 4 * SECOND  # once more, should the press be lost as well
        self.bench.run_until(self.bench.hands.press("confirm", self.bench.now))
        return True


def long_records(first):
    """Games from this seed on that last long enough to pull the cable ten times in."""
    for seed in itertools.count(first):
        record = random_record(seed, longest=60)
        if len(record.actions) > 40:
            yield seed, record


def bad_game(seed, record, bench=PulledBench):
    """Plays a game over a bad cable; how it differs from what was meant, bytes carried and bytes spoilt."""
    setting = BenchSettings(
        driver="pico-sim", seed=seed, game=record.game, options=record.options, table=ASKS_SOON
    )
    player = Patient(setting, lambda *given, **more: bench(*given, pulls=PULLS, **more))
    try:
        player.play(record.actions)
        came = parse(player.bench.table.export_record())
        assert player.bench.pulled == PULLS
        if record.actions[-1][1] == "resign":
            assert standing(player.bench.world) == true_pieces(player.state)
        pico = player.bench.picos.picos_by_name["pico"]
        wires = pico.to_host, pico.to_pico
        carried, spoilt = sum(wire.carried for wire in wires), sum(wire.spoilt for wire in wires)
        return difference(record, came), carried, spoilt
    finally:
        player.bench.close()


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 50])
def test_a_game_over_a_bad_cable_that_is_pulled_comes_out_right(first):
    differs, _, spoilt = bad_game(*next(long_records(first)))
    assert differs is None
    assert spoilt > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 50])
def test_a_game_on_a_pico_whose_process_is_killed_comes_out_right(first):
    differs, _, spoilt = bad_game(*next(long_records(first)), bench=KilledBench)
    assert differs is None
    assert spoilt == 0


@pytest.mark.nightly
def test_fifty_games_over_bad_cables(record_property):
    """One byte in a thousand spoilt and the cable pulled ten times in each: fifty games come out right."""
    games = list(itertools.islice(long_records(100), 50))
    played = {seed: bad_game(seed, record) for seed, record in games}
    wrong = {seed: differs for seed, (differs, _, _) in played.items() if differs is not None}
    record_property("games", len(games))
    record_property("seeds", " ".join(map(str, played)))
    record_property("actions", sum(len(record.actions) for _, record in games))
    record_property("cables pulled", PULLS * len(games))
    record_property("bytes carried", sum(carried for _, carried, _ in played.values()))
    record_property("bytes spoilt", sum(spoilt for _, _, spoilt in played.values()))
    record_property("games that differ", len(wrong))
    assert not wrong


# The driver alone


def listening(**more):
    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Bench(BenchSettings(driver="pico-sim", **more), factory)
    bench.start()
    return bench


def troubles(bench):
    return [event.code for event in bench.table.events if isinstance(event, HardwareTrouble)]


@pytest.fixture
def bench():
    bench = listening()
    yield bench
    bench.close()


def test_what_changed_while_the_cable_was_out_is_felt_when_it_is_back(bench):
    pico = bench.picos.picos_by_name["pico"]
    bench.run_until(bench.hands.stand("red", "a1", bench.now))
    bench.wait(100 * MS)
    assert bench.table.ports.sensors.present() == {"a1"}
    bench.world.plan(bench.now, pico.unplug)
    bench.wait(100 * MS)
    assert troubles(bench) == ["bank-silent"]
    bench.run_until(bench.hands.lift("a1", bench.now))
    bench.run_until(bench.hands.place("b1", bench.now))
    bench.wait(SECOND)
    bench.world.plan(bench.now, pico.plug)
    bench.wait(3 * SECOND)
    assert troubles(bench) == ["bank-silent", "bank-back"]
    assert bench.table.ports.sensors.present() == {"b1"}
    assert pico.boots == 2


def test_a_cable_that_carries_nothing_is_told_as_silence(bench):
    pico = bench.picos.picos_by_name["pico"]
    pico.to_host.faults = pico.to_pico.faults = CableFaults(lose=1.0)
    bench.wait(3 * SECOND)
    assert troubles(bench) == ["bank-silent"]
    pico.to_host.faults = pico.to_pico.faults = CableFaults()
    bench.wait(SECOND)
    assert troubles(bench) == ["bank-silent", "bank-back"]
    assert pico.boots == 1


# Presses of buttons: no snapshot can tell them later


def presses(bench):
    return [event for event in bench.table.events if isinstance(event, ButtonPressed)]


def test_a_press_while_the_cable_carries_nothing_is_told_when_it_is_back(bench):
    pico = bench.picos.picos_by_name["pico"]
    pico.to_host.faults = pico.to_pico.faults = CableFaults(lose=1.0)
    bench.wait(500 * MS)  # the cable is dead, and neither end knows it yet
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(3 * SECOND)
    bench.run_until(bench.hands.press("turn", bench.now))
    down = bench.now
    bench.wait(2 * SECOND)
    assert presses(bench) == []
    pico.to_host.faults = pico.to_pico.faults = CableFaults()
    bench.wait(SECOND)
    first, second = presses(bench)
    assert (first.button, second.button) == ("confirm", "turn")
    assert abs(second.at - down) < SECOND // 4  # when it was pressed, not when it was heard


def test_a_press_that_was_heard_is_told_once_though_the_pico_could_not_know(bench):
    pico = bench.picos.picos_by_name["pico"]
    pico.to_pico.faults = CableFaults(lose=1.0)
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.wait(5 * SECOND)
    pico.to_pico.faults = CableFaults()
    bench.wait(SECOND)
    assert troubles(bench) == ["bank-silent", "bank-back"]
    assert [event.button for event in presses(bench)] == ["confirm"]


@pytest.mark.slow
def test_what_was_pressed_before_the_program_was_there_is_not_for_it(bench):
    bench.kill()
    bench.wait(3 * SECOND)
    bench.run_until(bench.hands.press("confirm", bench.now))
    bench.start()
    bench.wait(SECOND)
    assert presses(bench) == []
    bench.run_until(bench.hands.press("turn", bench.now))
    bench.wait(100 * MS)
    assert [event.button for event in presses(bench)] == ["turn"]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_no_press_is_lost_or_told_twice_whatever_the_cable_does(seed):
    dice = random.Random(f"presses {seed}")
    bench = listening(seed=seed)
    try:
        pico, pressed = bench.picos.picos_by_name["pico"], []
        for _ in range(12):
            for wire in (pico.to_host, pico.to_pico):
                wire.faults = dice.choice([CableFaults(), BAD, CableFaults(lose=0.3), CableFaults(lose=1.0)])
            pressed.append(dice.choice(["confirm", "cancel", "turn"]))
            bench.run_until(bench.hands.press(pressed[-1], bench.now))
            bench.wait(dice.randint(0, 3000) * MS)
        pico.to_host.faults = pico.to_pico.faults = CableFaults()
        bench.wait(5 * SECOND)
        assert [event.button for event in presses(bench)] == pressed
    finally:
        bench.close()


@pytest.mark.slow
def test_the_lamps_of_a_silent_host_are_dimmed_then_dark_and_come_back(bench):
    bench.table.marks = {"a1": "may-go"}
    bench.runner._step_table(bench.now)
    bench.wait(50 * MS)
    lit = bench.world.copper.lamps()["a1"]
    bench.kill()
    bench.wait(3 * SECOND)
    dimmed = bench.world.copper.lamps()["a1"]
    assert 0 < dimmed[1] <= lit[1] // 4
    bench.wait(60 * SECOND)
    assert not any(bench.world.copper.lamps()["a1"])
    bench.start()
    bench.table.marks = {"a1": "may-go"}
    bench.runner._step_table(bench.now)
    bench.wait(50 * MS)
    assert bench.world.copper.lamps()["a1"] == lit


def test_another_colour_of_a_mark_reaches_a_pico_that_was_flashed_before(bench, monkeypatch):
    at = "a1"
    bench.table.marks = {at: "may-go"}
    bench.runner._step_table(bench.now)
    bench.wait(50 * MS)
    before = bench.world.copper.lamps()[at]
    monkeypatch.setitem(legend.SHARED_MARKS, "may-go", Mark("violet", "blink", "a piece may move here"))
    monkeypatch.setitem(legend.COLOURS, "violet", 0x80F)
    bench.table.legend = legend.Legend()
    bench.runner._step_table(bench.now)
    bench.wait(50 * MS)
    red, green, blue = bench.world.copper.lamps()[at]
    assert (blue, green) == (before[1], 0)
    assert abs(red - blue * 8 / 15) <= 1
    bench.wait(400 * MS)
    assert not any(bench.world.copper.lamps()[at]), "it blinks"
    assert bench.picos.picos_by_name["pico"].boots == 1


def test_lamps_are_shown_again_after_the_cable_was_out(bench):
    pico = bench.picos.picos_by_name["pico"]
    bench.table.marks = {"a1": "may-go", "turn-red": "asks"}
    bench.runner._step_table(bench.now)
    bench.world.plan(bench.now, pico.unplug)
    bench.world.plan(bench.now + 100 * MS, pico.plug)
    bench.wait(3 * SECOND)
    lit = {lamp for lamp, colour in bench.world.copper.lamps().items() if any(colour)}
    assert lit == {"a1", "turn-red"}


def test_a_byte_that_interrupts_does_not_interrupt(bench):
    pico = bench.picos.picos_by_name["pico"]
    pico._receive_host_bytes(b"\x03\x03", bench.now)
    bench.wait(2 * SECOND)
    assert pico.boots == 1
    assert troubles(bench) == []


@pytest.mark.few(2)
@pytest.mark.parametrize("after", [330, 400, 1000, 1900])
@pytest.mark.parametrize("unplugged", [True, False])
@pytest.mark.parametrize("length", [100, 600])
def test_a_cable_that_is_lost_makes_no_long_press_of_a_short_one(bench, after, unplugged, length):
    """A Pico that loses its power with a button down can't tell how long that was pressed: it is no press."""
    pico = bench.picos.picos_by_name["pico"]
    bench.hands.pace = bench.hands.pace._replace(press_us=length * MS)
    bench.hands.press("confirm", bench.now)
    bench.wait(after * MS)
    if unplugged:
        pico.unplug(bench.now)
    else:
        pico.to_host.faults = CableFaults(lose=1.0)
    bench.wait(1500 * MS)
    if unplugged:
        pico.plug(bench.now)
    bench.wait(3 * SECOND)
    pico.to_host.faults = CableFaults()
    bench.wait(5 * SECOND)
    told = [
        type(event).__name__ for event in bench.table.events if isinstance(event, ButtonPressed | ButtonHeld)
    ]
    assert told == ([] if unplugged and DOWN_AT + length > after else ["ButtonPressed"])


def test_a_button_held_while_the_cable_carries_nothing_is_held(bench):
    pico = bench.picos.picos_by_name["pico"]
    bench.hands.pace = bench.hands.pace._replace(press_us=4000 * MS)
    bench.hands.press("cancel", bench.now)
    bench.wait(500 * MS)
    pico.to_host.faults = CableFaults(lose=1.0)
    bench.wait(1200 * MS)
    pico.to_host.faults = CableFaults()
    bench.wait(5 * SECOND)
    told = [type(event).__name__ for event in bench.table.events]
    assert told == ["ButtonHeld"]


def test_a_held_button_and_a_sound(bench):
    bench.hands.pace = bench.hands.pace._replace(press_us=2500 * MS)
    bench.run_until(bench.hands.press("confirm", bench.now))
    told = [type(event).__name__ for event in bench.table.events]
    assert told == ["ButtonHeld"]
    bench.table.ports.console.sound([Tone(880, 80)], bench.now)
    bench.wait(500 * MS)
    assert [heard.is_on for heard in bench.world.buzzer_tones][-2:] == [True, False]


@pytest.mark.slow
def test_closing_leaves_the_lamps_dark(bench):
    bench.table.marks = {"a1": "may-go"}
    bench.runner._step_table(bench.now)
    bench.wait(50 * MS)
    assert any(bench.world.copper.lamps()["a1"])
    bench.table.close()
    bench.kill()
    bench.wait(50 * MS)
    assert not any(bench.world.copper.lamps()["a1"])
