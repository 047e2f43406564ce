"""Looks at the matrix without Python: PIO strobes row after row, DMA keeps what all pins read during each.

Python finds in that ring what changed, and when: the strobe never waits for it. For RP2040 and RP2350.
"""

from array import array

import clock
import machine
import micropython
import rp2
from uctypes import addressof

SIZE_BITS = 13
"""The ring is 2 ** SIZE_BITS bytes: with 8 rows of 43 us some 87 ms that Python may be busy."""
_MEMORY = bytearray(2 << SIZE_BITS)
"""The ring lies in it, where its address is a multiple of its size. Taken before most else: MicroPython's
memory may have no such room in one piece any more once the rest is compiled."""
TRANSFERS = 0x0FFFFFFF
"""How often DMA goes on before it is told to go on: any large number."""
MACHINE = 0
"""Which state machine of the first PIO."""
NOTICED_US = 35
"""From a word that is there to the clock that was looked at then (counted on an emulated chip)."""
STEP_US = 5
"""A row settles for so long, or twice that, and so on."""
SYNCS = 5
"""After so many looks at the clock the moments are moved later, by the least that they were found late."""
AHEAD = 4
"""Rows in the queue of a state machine, which DMA keeps full (RP2040 data sheet, 3.2.4)."""
COUNT_TRIGGER, READ_TRIGGER = 7, 15
"""Registers of a DMA channel that start it when they are written to (RP2040 data sheet, 2.5.7)."""
_PIN_CONTROL = 0x50200000 + 0x0DC
"""Of that state machine (3.7)."""


def _program(diodes):  # type: ignore[no-untyped-def]
    """With diodes a row is driven high and all others low; without, all others float."""

    @rp2.asm_pio(
        autopull=True,
        pull_thresh=32,
        autopush=True,
        push_thresh=32,
        in_shiftdir=rp2.PIO.SHIFT_LEFT,
        out_shiftdir=rp2.PIO.SHIFT_RIGHT,
    )
    def strobe():  # type: ignore[no-untyped-def]
        wrap_target()  # type: ignore[name-defined]  # noqa: F821
        out(pins if diodes else pindirs, 32)  # type: ignore[name-defined]  # noqa: F821
        mov(x, y)  # type: ignore[name-defined]  # noqa: F821
        label("settling")  # type: ignore[name-defined]  # noqa: F821
        jmp(x_dec, "settling")[4]  # type: ignore[name-defined]  # noqa: F821  # STEP_US
        in_(pins, 32)  # type: ignore[name-defined]  # noqa: F821
        wrap()  # type: ignore[name-defined]  # noqa: F821

    return strobe


_NEVER = 1 << 29

# What `_search` goes by, in one array:
_RING, _MASK, _ROWS, _PLACE, _ROW, _CHANGED, _WRITTEN, _DIFFER, _WHOLE, _WENT, _FOUND = range(11)


@micropython.viper
def _search(state: ptr32, seen: ptr32, cares: ptr32) -> int:  # type: ignore[name-defined]  # noqa: F821
    """Go on to the next word that differs from `seen`, which becomes as that one is; whether there is one.

    Where looks are taken as a whole it goes on to the end of that look. What was found stays found until
    somebody takes it.
    """
    if state[10]:
        return 1
    ring = ptr32(state[0])  # type: ignore[name-defined]  # noqa: F821
    mask = state[1]
    rows = state[2]
    place = state[3]
    row = state[4]
    changed = state[5]
    written = ptr32(state[6])  # type: ignore[name-defined]  # noqa: F821
    end = ((written[0] - state[0]) >> 2) & mask
    whole = state[8]
    words = 0
    found = 0
    while place != end and not found:
        word = ring[place]
        if (word ^ seen[row]) & cares[row]:
            seen[row] = word
            changed |= 1 << row
        place = (place + 1) & mask
        words += 1
        row += 1
        if row == rows:
            row = 0
        if changed and (row == 0 or not whole):
            found = 1
    state[3] = place
    state[4] = row
    if found:
        state[7] = changed
        changed = 0
    state[5] = changed
    state[9] += words
    state[10] = found
    return found


@micropython.viper
def _copy(words: ptr32, seen: ptr32, rows: int):  # type: ignore[name-defined]  # noqa: F821
    for row in range(rows):
        words[row] = seen[row]


class Looks:
    """What pins read, row after row, as `boardwire.station` wants it."""

    def __init__(self, banks, buttons) -> None:  # type: ignore[no-untyped-def]
        """Banks and buttons as `pins.py` has them."""
        rows = [gpio for bank in banks for gpio in bank[1]]
        diodes = not [bank for bank in banks if not bank[4]]
        for gpio in buttons:
            machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_UP)
        cares = []
        for _, bank_rows, first, width, _, _ in banks:
            for gpio in range(first, first + width):
                machine.Pin(gpio, machine.Pin.IN, machine.Pin.PULL_DOWN)
            cares += [((1 << width) - 1) << first] * len(bank_rows)
        masks = [1 << gpio for gpio in rows]
        if not rows:  # buttons alone
            masks, cares = [0], [0]
        cares[0] |= sum([1 << gpio for gpio in buttons])
        settle = max([bank[5] for bank in banks] + [10])
        self._masks = array("I", masks)
        self._cares = array("I", cares)
        self.words = array("I", [0] * len(masks))
        self._seen = array("I", [0] * len(masks))
        """As `words`, of the look that was found last; whoever asks may still be at one before."""
        self.rows = 0
        """Which of these differ, as bits."""
        steps = (settle + STEP_US - 2) // STEP_US
        self._row_us = steps * STEP_US + 3
        """How long a row takes: out, mov, settle, in. A state machine does an instruction a microsecond."""
        self._whole = not diodes  # without them one row alone does not tell what is a ghost
        self.row_us = self._row_us if self._whole else 0
        self.half_us = len(masks) * self._row_us // 2
        strobe = self._machine(rows, diodes, steps)
        self._carry(strobe)
        strobe.active(1)
        self._at = clock.now()
        """When the search began from which _WENT counts."""
        self._late = _NEVER
        self._syncs = 0
        state, seen, minded = self._state, self._seen, self._cares

        def differs() -> bool:
            return bool(_search(state, seen, minded))

        self.differs = differs
        """Whether a look has come that differs from the one before. Allocates nothing."""
        while state[_WENT] < len(masks):  # the first look is what there is
            state[_FOUND] = 0
            differs()
        state[_FOUND] = 0
        _copy(self.words, self._seen, len(masks))

    def _machine(self, rows, diodes, steps):  # type: ignore[no-untyped-def]
        """The state machine, ready to begin."""
        every = sum(self._masks)
        strobe = rp2.StateMachine(MACHINE, _program(diodes), freq=1_000_000, in_base=machine.Pin(0))
        # Any pins, in any order: a word has a bit for each of the 32, and only rows hang on this PIO.
        kept = machine.mem32[_PIN_CONTROL] & ~(0x3F << 20 | 0x1F)
        machine.mem32[_PIN_CONTROL] = kept | 32 << 20
        first = (("out(pins, 32)", 0), ("out(pindirs, 32)", every))
        if not diodes:
            first = (("out(pindirs, 32)", 0), ("out(pins, 32)", every))
        for instruction, value in first + (("mov(y, osr)", steps - 1),):  # noqa: RUF005 - MicroPython
            strobe.put(value)
            strobe.exec("pull()")
            strobe.exec(instruction)
        strobe.exec("out(null, 32)")
        for gpio in rows:
            machine.Pin(gpio, machine.Pin.ALT, alt=machine.Pin.ALT_PIO0)
        return strobe

    def _carry(self, strobe) -> None:  # type: ignore[no-untyped-def]
        """Have DMA bring it row after row, for ever, and keep what it reads."""
        size = 1 << SIZE_BITS
        ring = (addressof(_MEMORY) + size - 1) & ~(size - 1)
        self._start = array("I", [addressof(self._masks)])
        self._again = array("I", [TRANSFERS])
        out, out_again, into, into_again = rp2.DMA(), rp2.DMA(), rp2.DMA(), rp2.DMA()
        out.config(
            read=self._masks,
            write=strobe,
            count=len(self._masks),
            ctrl=out.pack_ctrl(inc_write=False, treq_sel=MACHINE, chain_to=out_again.channel),
        )
        out_again.config(
            read=self._start,
            write=out.registers[READ_TRIGGER : READ_TRIGGER + 1],
            count=1,
            ctrl=out_again.pack_ctrl(inc_read=False, inc_write=False),
        )
        into.config(
            read=strobe,
            write=ring,
            count=TRANSFERS,
            ctrl=into.pack_ctrl(
                inc_read=False,
                ring_sel=True,
                ring_size=SIZE_BITS,
                treq_sel=MACHINE + 4,
                chain_to=into_again.channel,
            ),
        )
        into_again.config(
            read=self._again,
            write=into.registers[COUNT_TRIGGER : COUNT_TRIGGER + 1],
            count=1,
            ctrl=into_again.pack_ctrl(inc_read=False, inc_write=False),
        )
        self._channels = (out, out_again, into, into_again, strobe)
        self._most_us = (size // 4 - 2 * len(self._masks)) * self._row_us
        """For how long the ring holds what was not searched yet."""
        written = addressof(into.registers) + 4
        self._state = array(
            "I", [ring, size // 4 - 1, len(self._masks), 0, 0, 0, written, 0, self._whole, 0, 0]
        )
        """Since `_at` so many words have been searched: _WENT; what was found and not taken yet: _FOUND."""
        into.active(1)
        out.active(1)

    def mind(self, now: int) -> None:
        """Go on with the present if Python was away for longer than the ring holds, as on a wire that nobody
        reads: what was written over is lost, and which row a word is of, too."""
        state = self._state
        if now - self._at - state[_WENT] * self._row_us < self._most_us:
            return
        out = self._channels[0]
        rows = len(self._masks)
        written = coming = -1
        while written != machine.mem32[state[_WRITTEN]]:  # both at one moment
            written = machine.mem32[state[_WRITTEN]]
            coming = (out.registers[0] - self._start[0]) // 4
        # Beside the row that is strobed now AHEAD others are on their way to the state machine.
        state[_ROW] = (coming - AHEAD - 1) % rows
        state[_PLACE] = ((written - state[_RING]) // 4 - rows) & state[_MASK]
        # What was found and not taken has been written into `_seen`: no word would differ from that again.
        state[_CHANGED] = (1 << rows) - 1
        state[_WENT] = state[_FOUND] = 0
        self._at = now - rows * self._row_us

    def sync(self) -> None:
        """Hold the moments of looks against the clock: a strobe that waits for DMA falls behind."""
        state = self._state
        went = state[_WENT]
        while state[_WENT] == went and not self.differs():
            pass
        if state[_FOUND]:
            return
        at = self._at + state[_WENT] * self._row_us
        late = clock.now() - NOTICED_US - at
        state[_WENT] = 0
        self._at = at
        # Something else may have made Python late, nothing can have made it early.
        self._late = min(late, self._late)
        self._syncs += 1
        if late < 0 or self._syncs == SYNCS:
            self._at += self._late
            self._late = _NEVER
            self._syncs = 0

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._at -= by

    def next(self, until: int) -> int:
        """Go on to the next look that differs; when it ended. Below 0: none has, that ended by `until`."""
        if not self.differs():
            return -1
        state = self._state
        at = self._at + state[_WENT] * self._row_us
        if at > until:
            return -1
        self._at = at
        state[_WENT] = state[_FOUND] = 0
        self.rows = state[_DIFFER]
        _copy(self.words, self._seen, len(self.words))
        return int(at)
