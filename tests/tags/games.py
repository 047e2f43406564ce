"""Games whose armies are learnt from tags: hands show pieces to a pad, or stand them over readers."""

from boardrules.record import parse
from boardsim.bench.bench import Bench, BenchSettings, parse_setup
from boardsim.people.play_record import RecordPlayer, difference
from boardsim.readers.board import with_readers as _with_readers
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND

BARRAGE = "stratego-quick-barrage"
PADS = "quick-battle-8x8-pads"


def with_readers():
    """The path of the 8 x 8 board with a reader a square, its reeds on the header."""
    return _with_readers("quick-battle-8x8")


def setting(board, **more):
    return BenchSettings(board=board, tags=True, **more)


class TagPlayer(RecordPlayer):
    """Hands that say nothing on a phone: what is set up is known from its tags."""

    def _say(self, seat, text):
        if text.startswith("setup "):
            stand_army(self.bench, seat, text)
        else:
            super()._say(seat, text)


def stand_army(bench, seat, text):
    """Stand an army as people do where tags are read: over readers as it comes, else shown to a pad first."""
    for space, label in parse_setup(text):
        if bench.tags.pieces_over_pads:
            pad = f"pad-{seat}"
            bench.run_until(bench.tags.take_and_show(bench.hands, pad, seat, label, bench.now))
            bench.run_until(bench.hands.place(space, bench.now))
        else:
            bench.run_until(bench.hands.stand(seat, space, bench.now, label))
    bench.wait(6 * SECOND)


def play(record, board, **more):
    """The player after the whole game; close its bench."""
    player = TagPlayer(
        setting(board, game=record.game, options=record.options, **more), TableFactory(), Bench
    )
    player.play(record.actions)
    return player


def same(record, player):
    """How the umpire's record differs from the one that was played; `None` if it does not."""
    return difference(record, parse(player.bench.table.export_record()))


class Told:
    """A bench with tags whose messages are kept."""

    def __init__(self, board, **more):
        self.messages = []
        self.lit = []
        self.bench = Bench(
            setting(board, **more), TableFactory(), told=self.messages.append, turned=self._turned
        )
        self.bench.start()
        self.bench.wait(2 * SECOND)

    def _turned(self, now):
        table = self.bench.table
        if table is not None and (not self.lit or self.lit[-1][1] != table.marks):
            self.lit.append((now, dict(table.marks)))

    def army(self, seat, text):
        stand_army(self.bench, seat, text)

    def kinds(self):
        return [message.kind for message in self.messages]

    def faults(self):
        return [(m.data["code"], m.data["spaces"]) for m in self.messages if m.kind == "fault"]

    def questions(self):
        return [m.data["code"] for m in self.messages if m.kind == "question"]

    def lift(self, *spaces):
        for space in spaces:
            self.bench.run_until(self.bench.hands.lift(space, self.bench.now))

    def attack(self, origin, target):
        """Lift both pieces and give the sign."""
        self.lift(origin, target)
        self.bench.run_until(self.bench.hands.tap_own_square(origin, self.bench.now))

    def place(self, space, origin=None):
        self.bench.run_until(self.bench.hands.place(space, self.bench.now, origin))

    def wait(self, ms=1000):
        self.bench.wait(ms * MS)

    def show(self, pad, *origins):
        bench = self.bench
        bench.run_until(bench.tags.show(bench.hands, pad, bench.now, origins or (None,)))


__all__ = ["BARRAGE", "PADS", "SECOND", "Told", "play", "same", "setting", "stand_army", "with_readers"]
