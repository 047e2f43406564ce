"""Games played over the simulated Pico, and what to hold against them."""

from boardrules.record import parse
from boardsim.bench.bench import Bench, BenchSettings
from boardsim.people.play_record import RecordPlayer, difference
from boardumpire.commands.table_factory import TableFactory

QUIET = "pico-sim"


def setting(**more):
    return BenchSettings(driver=QUIET, **more)


def played(record, setting, on=Bench):
    """The player after the whole game; close its bench."""
    player = RecordPlayer(setting._replace(game=record.game, options=record.options), TableFactory(), on)
    player.play(record.actions)
    return player


def same(record, player):
    """How the umpire's record differs from the one that was played; `None` if it does not."""
    return difference(record, parse(player.bench.table.export_record()))


def cable(bench, pico=None):
    """The host's end of a Pico's cable."""
    cables = {each.plan.pico: each for each in bench.table.ports.lamps._hub.cables}
    return cables[pico] if pico else next(iter(cables.values()))
