"""Marks become pixels: patterns over time, brightness, and last of all the current cap.

A pattern moves in beats of 50 ms of one common clock, so that a driver wakes at most 20 times a second
however many lamps move, and never while all are steady. Integers throughout. MicroPython subset.
"""

from boardwire import marks

BEAT_US = 50_000

IDLE_MA = 1
"""What a dark WS2812B lamp draws."""
CHANNEL_MA = 20
"""What one colour of a WS2812B draws at full; data sheets name 12 to 20, the worst counts."""
WHITE_MA = 3 * CHANNEL_MA

FULL = 255
LOW = 40
"""The level of `dim`, and the lower level of patterns that never go dark."""

DARK = (0, 0, 0)

SWEEP_BEATS = 3
"""How many beats after its neighbour a lamp of a sweep is lit."""

# A pattern as levels, one a beat. Those in CYCLES begin anew at the end, the others stay at their last level.
_RISE = tuple(LOW + (FULL - LOW) * beat // 19 for beat in range(20))
LEVELS = {
    marks.STEADY: (FULL,),
    marks.DIM: (LOW,),
    marks.PULSE: tuple(reversed(_RISE)) + _RISE,
    marks.BLINK: (FULL,) * 8 + (0,) * 8,
    marks.ALTERNATE: (FULL,) * 5 + (LOW,) * 5,
    marks.FLASHES: ((FULL,) * 3 + (0,) * 2) * 3,
    marks.SWEEP: (FULL,),
}
CYCLES = (marks.PULSE, marks.BLINK, marks.ALTERNATE)


_PARTS: "dict[str, tuple[str, int, tuple[int, ...]]]" = {}


def _parts(mark: str) -> "tuple[str, int, tuple[int, ...]]":
    """Pattern, place in a sweep, and levels of a mark; worked out once."""
    parts = _PARTS.get(mark)
    if parts is None:
        pattern = marks.pattern(mark)
        parts = _PARTS[mark] = (pattern, marks.split(mark)[1], LEVELS[pattern])
    return parts


def level(mark: str, beat: int) -> int:
    """How bright a mark is, 0 to 255, that many beats after it was shown."""
    pattern, place, levels = _parts(mark)
    if pattern == marks.SWEEP:
        return FULL if beat >= place * SWEEP_BEATS else 0
    if pattern == marks.ALTERNATE:
        beat += place * len(levels) // 2  # neighbours take turns
    if pattern in CYCLES:
        return levels[beat % len(levels)]
    return levels[min(beat, len(levels) - 1)]


def next_beat(mark: str, beat: int) -> int | None:
    """The first beat after `beat` at which the level of a mark changes; `None` if it never does again."""
    pattern, place, levels = _parts(mark)
    end = beat + len(levels) if pattern in CYCLES else len(levels) + place * SWEEP_BEATS
    now = level(mark, beat)
    for later in range(beat + 1, end + 1):
        if level(mark, later) != now:
            return later
    return None


class Strip:
    """One chain of lamps. `show` says what each means, `frame` what colour each is at a moment."""

    def __init__(self, length: int, limit_ma: int, brightness: int = 255) -> None:
        """`limit_ma` is what the whole chain may draw, its idle current included; `brightness` 1 to 255."""
        self.length = length
        self._budget = max(0, limit_ma - length * IDLE_MA) * 255 // CHANNEL_MA
        self._brightness = brightness
        self._marks: dict[int, str] = {}
        self._since: dict[int, int] = {}
        self._still: list[tuple[int, int, int]] = [DARK] * length
        self._moving: dict[int, str] = {}
        self._changed = set(range(length))
        """The lamps that may look otherwise than when `changes` was asked last, those that move aside."""
        self._peak = 0
        self._looks: dict[str, tuple[int, tuple[int, int, int] | None]] = {}
        """By mark what it draws at its brightest and, if it never moves, its pixel before the cap."""
        self._pixels: dict[tuple[str, int], tuple[int, int, int]] = {}
        """By mark and level the pixel before the cap."""
        for mark in marks.LEGEND:  # while there is time
            self._look(mark)

    def show(self, shown: dict[int, str], now: int) -> None:
        """From `now` on show these marks by the index of their lamp; all other lamps are dark.

        A lamp that keeps its mark keeps its phase; any other mark begins at the start of its pattern.
        """
        before = self._marks
        fresh = [lamp for lamp in shown if before.get(lamp) != shown[lamp]]
        gone = [lamp for lamp in before if lamp not in shown]
        if not fresh and not gone:
            return
        self._marks = dict(shown)
        # The cap is reckoned with every lamp at its brightest, lest the others flicker when one blinks.
        capped = self._capped_at()
        peak = self._peak
        for lamp in gone:
            peak -= self._looks[before[lamp]][0]
        for lamp in fresh:
            peak += self._look(shown[lamp])[0]
            if lamp in before:
                peak -= self._looks[before[lamp]][0]
        self._peak = peak
        self._changed.update(gone)
        if capped != self._capped_at():  # all that is lit is dimmed otherwise
            self._changed.update(shown)
            redrawn = list(shown)
        else:
            self._changed.update(fresh)
            redrawn = fresh
        beat = now // BEAT_US
        for lamp in gone:
            self._still[lamp] = DARK
            self._moving.pop(lamp, None)
        for lamp in fresh:
            self._since[lamp] = beat
            self._moving.pop(lamp, None)
        still, looks, roomy = self._still, self._looks, self._peak <= self._budget
        for lamp in redrawn:
            mark = shown[lamp]
            pixel = looks[mark][1]
            if pixel is None:
                still[lamp] = DARK
                self._moving[lamp] = mark
            else:
                still[lamp] = pixel if roomy else self._dimmed(pixel)

    def frame(self, now: int) -> list[tuple[int, int, int]]:
        """The (red, green, blue) of every lamp, 0 to 255. It never draws more than the limit."""
        beat = now // BEAT_US
        pixels = list(self._still)
        for lamp, mark in self._moving.items():
            pixels[lamp] = self._pixel(mark, level(mark, beat - self._since[lamp]))
        return pixels

    def changes(self, now: int) -> "list[tuple[int, tuple[int, int, int]]]":
        """Lamps with their pixels, as in `frame`: all that differ from when this was asked last, and perhaps
        others."""
        beat, still, moving, since = now // BEAT_US, self._still, self._moving, self._since
        found = [(lamp, still[lamp]) for lamp in self._changed if lamp not in moving]
        for lamp in moving:
            mark = moving[lamp]
            found.append((lamp, self._pixel(mark, level(mark, beat - since[lamp]))))
        self._changed.clear()
        return found

    def room(self, shown: "list[tuple[str, list[int]]]") -> bool:
        """Whether all lamps of these marks may be lit beside what is shown, within the limit."""
        peak = self._peak
        for mark, lamps in shown:
            peak += self._look(mark)[0] * len(lamps)
        return peak <= self._budget

    def begins(self, mark: str) -> "tuple[int, int, int]":
        """The pixel that a mark begins with, before the cap."""
        pixel = self._look(mark)[1]
        return self._uncapped(mark, level(mark, 0)) if pixel is None else pixel

    def redraw(self) -> None:
        """Have the next `changes` hold every lamp."""
        self._changed.update(range(self.length))

    def _capped_at(self) -> int:
        """What all lit lamps draw at their brightest, where that is too much; else 0."""
        return self._peak if self._peak > self._budget else 0

    def next_change(self, now: int) -> int | None:
        """When `frame` differs next from that of `now`; `None` while everything is steady."""
        beat = now // BEAT_US
        first: int | None = None
        for mark, since in {(mark, self._since[lamp]) for lamp, mark in self._moving.items()}:
            change = next_beat(mark, beat - since)
            if change is not None and (first is None or since + change < first):
                first = since + change
        return None if first is None else first * BEAT_US

    def _look(self, mark: str) -> tuple[int, tuple[int, int, int] | None]:
        look = self._looks.get(mark)
        if look is None:
            pixel = self._uncapped(mark, level(mark, 0)) if next_beat(mark, 0) is None else None
            look = self._looks[mark] = (self._brightest(mark), pixel)
        return look

    def _brightest(self, mark: str) -> int:
        bright = max(LEVELS[marks.pattern(mark)])
        return sum(self._channel(channel, bright) for channel in marks.colour(mark))

    def _pixel(self, mark: str, bright: int) -> tuple[int, int, int]:
        pixel = self._uncapped(mark, bright)
        return pixel if self._peak <= self._budget else self._dimmed(pixel)

    def _dimmed(self, pixel: tuple[int, int, int]) -> tuple[int, int, int]:
        """By the cap."""
        budget, peak = self._budget, self._peak
        return pixel[0] * budget // peak, pixel[1] * budget // peak, pixel[2] * budget // peak

    def _uncapped(self, mark: str, bright: int) -> tuple[int, int, int]:
        pixel = self._pixels.get((mark, bright))
        if pixel is None:
            red, green, blue = marks.colour(mark)
            pixel = (self._channel(red, bright), self._channel(green, bright), self._channel(blue, bright))
            self._pixels[(mark, bright)] = pixel
        return pixel

    def _channel(self, full: int, bright: int) -> int:
        """Rounded up, so that a colour keeps all its channels however dim it is."""
        return (full * bright * self._brightness + FULL * FULL - 1) // (FULL * FULL)


def milliamps(frame: list[tuple[int, int, int]]) -> int:
    """What a frame draws by the model of the cap, rounded up."""
    return len(frame) * IDLE_MA + (sum(sum(pixel) for pixel in frame) * CHANNEL_MA + 254) // 255
