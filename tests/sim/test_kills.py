"""The power is cut at random moments: no accepted action is lost, and chores lead the board back."""

import json
import random

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.people.play_record import RecordPlayer
from boardsim.script.script import read_script, run_script
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from boardware.ports import MS
from sim.games import random_record, standing, true_pieces

GAMES = 50
CUTS = 10
"""In each game; they come some virtual seconds apart, wherever hands and umpire are."""


class CutBench(Bench):
    """A bench whose power fails at moments drawn beforehand, for a while; hands go on meanwhile."""

    cuts = ()
    dark = restarted = None

    def run_until(self, end):
        while self.cuts and self.cuts[0][0] <= end:
            at, span = self.cuts.pop(0)
            self.runner.run(max(at, self.now))
            self.kill()
            self.dark()
            self.runner.run(self.now + span)
            self.start()
            self.restarted()
        super().run_until(max(end, self.now))

    def wait(self, span):
        self.run_until(self.now + span)


class Unlucky(RecordPlayer):
    """Plays on through power cuts: what the umpire had not accepted before is done again after."""

    def __init__(self, setting):
        super().__init__(setting, TableFactory(), CutBench)
        dice = random.Random(f"cuts {setting.seed}")
        at, cuts = 0, []
        for _ in range(CUTS):
            at += dice.randint(200 * MS, 9000 * MS)
            span = dice.choice([0, dice.randint(1, 3000 * MS)])
            cuts.append((at, span))
            at += span
        self.bench.cuts = cuts
        self.bench.dark = self.dark
        self.bench.restarted = self.restarted
        self.starts = 0
        self.chored = 0
        self.attempted = 0
        self.acted_at = 0
        self.actions = 0
        self.after = self.state

    def dark(self):
        self.tellings.chores = ()

    def restarted(self):
        """The new table must know every action that was told as accepted, and no other."""
        self.starts += 1
        self.acted_at = self.bench.now
        self.chored += bool(self.tellings.chores)
        expected = self.after if self.accepted() else self.state
        if expected.outcome is None:
            for seat in (None, *expected.seats):
                assert self.bench.table.view(seat) == expected.view(seat).json()

    def has_ruled_since(self, rulings):
        """After a cut hands try again once the umpire has had time to judge what they did."""
        waited = self.bench.now - self.acted_at
        return super().has_ruled_since(rulings) or (self.starts > self.attempted and waited > 1000 * MS)

    def accepted(self):
        return sum(ruling["ok"] for ruling in self.tellings.rulings) > self.actions

    def put_held_aside(self):
        """A piece still in the hands was beaten, or it goes home because the attempt came to nothing."""
        while not self.accepted() and self.bench.hands.held:
            held = self.bench.hands.held[-1]
            missing = true_pieces(self.state).items() - standing(self.bench.world).items()
            home = next(space for space, piece in missing if piece == (held.piece.owner, held.piece.label))
            self.bench.run_until(self.bench.hands.place(home, self.bench.now, held.origin))
        super().put_held_aside()

    def complete_attack(self, step):
        """A sign that is given after a cut is for nothing: the attack is made anew."""
        if self.starts == self.attempted:
            super().complete_attack(step)

    def act(self, seat, text):
        action = self.state.parse(text, seat)
        self.after, _ = self.state.apply(action)
        while not self.accepted():
            self.attempted = self.starts
            turns, rulings = self.tellings.turns, len(self.tellings.rulings)
            step = self.step_of(action)
            if step is not None:
                self.carry(step)
            else:
                self._say(seat, text)
            self.acted_at = self.bench.now
            self.await_next_turn(turns, rulings)
        self.actions += 1
        self.state = self.after
        if not action.secret and self.state.outcome is None:
            assert standing(self.bench.world) == true_pieces(self.state)


def long_record(seed):
    """A game that lasts long enough for all cuts."""
    records = (random_record(1000 * seed + number, longest=120) for number in range(100))
    return next(record for record in records if len(record.actions) > 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, GAMES))]
)
def test_cuts_at_any_moment_lose_no_accepted_action(seed, tmp_path):
    record = long_record(seed)
    player = Unlucky(BenchSettings(seed=seed, journal=tmp_path / "journal.db"))
    player.bench.start()
    for seat, text in record.actions:
        player.act(seat, text)
    assert player.starts == CUTS
    assert player.chored
    player.bench.close()


def test_a_cut_between_a_battle_and_its_chores_still_asks_for_the_exchange(tmp_path):
    told = []
    setups = """\
setup red a1=F b1=B a2=B c1=S d1=3 d2=3 e1=2 a3=2 f1=10 h3=9
setup blue a8=F b8=B a7=B c8=S d8=9 d7=3 e8=2 a6=2 f8=10 h6=3
lift h3
place h4
wait 1000
slide h6 h5
wait 1000
tap h4 h5
wait 1000
press confirm
wait 800
kill
start
wait 1000
"""
    commands = read_script(setups, "cut.hands", load_board("quick-battle-8x8"), ("red", "blue"))
    run_script(commands, BenchSettings(), TableFactory(), lambda line: told.append(json.loads(line)))
    chores = [line["chores"] for line in told if line["kind"] == "chores"]
    assert [(chore["do"], chore["space"]) for chore in chores[-1]] == [("take", "h5")]
    assert told[-1]["kind"] == "chores"
