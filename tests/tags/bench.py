"""A bank of simulated MFRC522 under the firmware's own readers, in one process."""

from boardsim.readers.bank import BankPin, BankSpi, ManualClock, SimBank
from boardsim.readers.mfrc522 import SimMfrc522
from boardware.parts import ReaderBank
from boardwire.rfid import Bus, DemuxSelect, Readers, ShiftSelect

SHIFT = ReaderBank("bank", 64, "pico", (26, 27, 28), "shift", 20, (22,))
DEMUX = ReaderBank("bank", 16, "pico", (26, 27, 28), "demux", 20, (0, 1, 2, 3))


class Bench:
    """`over[number]` are the tags over a reader. Time goes on in the steps that the readers want."""

    def __init__(self, bank=SHIFT):
        self.over = {}
        self.clock = ManualClock()
        self.chips = [SimMfrc522(self._tags(number), str(number)) for number in range(bank.count)]
        self.bank = SimBank(bank, self.chips)
        spi = BankSpi(self.bank, self.clock)
        enable = BankPin(self.bank, bank.enable_pin)
        pins = [BankPin(self.bank, gpio) for gpio in bank.select_pins]
        if bank.select_method == "shift":
            select = ShiftSelect(spi, pins[0], enable, bank.count)
        else:
            select = DemuxSelect(pins, enable)
        self.readers = Readers(Bus(spi, select), bank.count, 0)
        self.events = []
        self.longest = 0

    def _tags(self, number):
        return lambda at: self.over.get(number, ())

    @property
    def now(self):
        return self.clock.now

    def step(self):
        """One step at the moment that it is due; what was told, with its time."""
        self.clock.now = begun = max(self.clock.now, self.readers.due())
        told = [(self.clock.now, *event) for event in self.readers.step(begun)]
        self.longest = max(self.longest, self.clock.now - begun)
        self.events += told
        return told

    def until(self, end):
        while self.readers.due() <= end:
            self.step()
        self.clock.now = max(self.clock.now, end)

    def settle(self):
        """Until all readers have been read once."""
        while self.readers.reads < len(self.chips):
            self.step()
        self.events.clear()

    def reads(self, count):
        end = self.readers.reads + count
        while self.readers.reads < end:
            self.step()

    def told(self):
        return [event[1:] for event in self.events]
