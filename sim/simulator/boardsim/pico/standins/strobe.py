"""Stands in for the firmware's `strobe`: a look each millisecond at what the world says pins read."""

import simwire

LOOK_US = 1000

levels = {}
"""What the pins were seen to read, by the row that was high; emptied when anything on the bench changes."""


class Looks:
    """What pins read, row after row, as `boardwire.station` wants it."""

    def __init__(self, banks, buttons):
        self.gpios = [gpio for bank in banks for gpio in bank[1]]
        self.diodes = not [bank for bank in banks if not bank[4]]
        for gpio in buttons:
            simwire.tell("pull", gpio, 1)
        self.words = [0] * max(1, len(self.gpios))
        self.rows = 0
        self.row_us = 0
        self.half_us = LOOK_US // 2
        self.at = 0
        self._look()

    def sync(self):
        """Looks keep time here."""

    def rebase(self, by):
        """Count moments from a start that is `by` later."""
        self.at -= by

    def differs(self):
        """Whether one is due that may differ."""
        return simwire.now() >= self.at

    def next(self, until):
        """Look, if a look is due; when it was, if it differs. Below 0: it doesn't."""
        if until < self.at:
            return -1
        before = list(self.words)
        self._look()
        self.rows = sum([1 << place for place in range(len(before)) if before[place] != self.words[place]])
        return until if self.rows else -1

    def _look(self):
        every = sum([1 << gpio for gpio in self.gpios])
        for place in range(len(self.words)):
            row = 1 << self.gpios[place] if self.gpios else 0
            if row not in levels:
                levels[row] = simwire.ask("read", every if self.diodes else row, row)[0]
            self.words[place] = levels[row]
        self.at = (simwire.now() // LOOK_US + 1) * LOOK_US
