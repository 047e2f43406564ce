"""A table that only listens: what the real drivers feel, and marks shown as told."""

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.lamps.legend import BOARD_LEGEND
from boardware.ports import SensorChanged


class Listener:
    """Turns its ports as a table does and keeps what they felt."""

    def __init__(self, ports, now):
        self.ports = ports
        self.marks = {}
        self.legend = BOARD_LEGEND
        self.events = []
        self.step(now)

    def step(self, now):
        self.events += self.ports.sensors.step(now)
        self.events += self.ports.console.step(now)
        self.ports.lamps.show(self.lights, now)
        self.ports.lamps.step(now)
        return self.ports.lamps.due()

    @property
    def lights(self):
        return self.legend.to_lights(self.marks)

    def say(self, seat, text, now):
        raise ValueError(f"{seat} is not listened to")

    def take_messages(self):
        return ()

    def close(self):
        self.ports.close()


def listening(*, jump=True, **setting):
    """A bench whose table is a `Listener`, started."""

    def factory(board, game, options, ports, journal, settings, now):
        return Listener(ports, now)

    bench = Bench(BenchSettings(**setting), factory, jump=jump)
    bench.start()
    return bench


def felt(bench):
    """What was sensed so far, as (ms, slot, present), times rounded down."""
    return [(e.at // 1000, e.slot, e.present) for e in bench.table.events if isinstance(e, SensorChanged)]


def changes(bench):
    """What was sensed so far, without its times."""
    return [(slot, present) for _, slot, present in felt(bench)]
