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


_PARTS: "dict[str, tuple[str, int, tuple[int, ...], tuple[int, ...]]]" = {}
_WAITS: "dict[str, tuple[int, ...]]" = {}


def _waits(pattern: str) -> "tuple[int, ...]":
    """For each beat of a pattern how many go by to the next other level; 0: none comes."""
    waits = _WAITS.get(pattern)
    if waits is None:
        levels, found = LEVELS[pattern], []
        count = len(levels)
        for beat in range(count):
            wait = 0
            for later in range(beat + 1, beat + count if pattern in CYCLES else count):
                if levels[later % count] != levels[beat]:
                    wait = later - beat
                    break
            found.append(wait)
        waits = _WAITS[pattern] = tuple(found)
    return waits


def _parts(mark: str) -> "tuple[str, int, tuple[int, ...], tuple[int, ...]]":
    """Pattern, place in a sweep, levels and waits of a mark; worked out once."""
    parts = _PARTS.get(mark)
    if parts is None:
        pattern = marks.pattern(mark)
        parts = _PARTS[mark] = (pattern, marks.split(mark)[1], LEVELS[pattern], _waits(pattern))
    return parts


def level(mark: str, beat: int) -> int:
    """How bright a mark is, 0 to 255, that many beats after it was shown."""
    pattern, place, levels, _ = _parts(mark)
    if pattern == marks.SWEEP:
        return FULL if beat >= place * SWEEP_BEATS else 0
    if pattern == marks.ALTERNATE:
        beat += place * len(levels) // 2  # neighbours take turns
    if pattern in CYCLES:
        return levels[beat % len(levels)]
    return levels[min(beat, len(levels) - 1)]


def next_beat(mark: str, beat: int) -> int | None:
    """The first beat after `beat` at which the level of a mark changes; `None` if it never does again."""
    pattern, place, levels, waits = _parts(mark)
    count = len(levels)
    if pattern == marks.SWEEP:
        lit = place * SWEEP_BEATS
        return lit if beat < lit else None
    at = beat
    if pattern == marks.ALTERNATE:
        at += place * count // 2
    if pattern in CYCLES:
        at %= count
    elif at >= count:
        return None
    return beat + waits[at] if waits[at] else None


class Strip:
    """One chain of lamps. `show` says what each means, `frame` what colour each is at a moment."""

    def __init__(self, length: int, limit_ma: int, brightness: int = 255) -> None:
        """`limit_ma` is what the whole chain may draw, its idle current included; `brightness` 1 to 255."""
        self.length = length
        self._budget = max(0, limit_ma - length * IDLE_MA) * 255 // CHANNEL_MA
        self._brightness = brightness
        self.marks: dict[int, str] = {}
        """What each lamp shows, by its index; all others are dark."""
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
        altered: dict[int, str | None] = {lamp: None for lamp in self.marks if lamp not in shown}
        altered.update(shown)
        self.alter(altered, now)

    def alter(self, altered: "dict[int, str | None]", now: int) -> None:
        """From `now` on these lamps show these marks, or nothing; all others stay as they are. As `show`."""
        shown, looks = self.marks, self._looks
        fresh = []
        # The cap is reckoned with every lamp at its brightest, lest the others flicker when one blinks.
        capped, peak, beat = self._capped_at(), self._peak, now // BEAT_US
        for lamp in altered:
            mark, before = altered[lamp], shown.get(lamp)
            if mark == before:
                continue
            if before is not None:
                peak -= looks[before][0]
                self._moving.pop(lamp, None)
            self._changed.add(lamp)
            if mark is None:
                del shown[lamp]
                self._still[lamp] = DARK
            else:
                shown[lamp] = mark
                peak += self._look(mark)[0]
                self._since[lamp] = beat
                fresh.append(lamp)
        self._peak = peak
        if capped != self._capped_at():  # all that is lit is dimmed otherwise
            self._changed.update(shown)
            fresh = list(shown)
        still, roomy = self._still, peak <= self._budget
        for lamp in fresh:
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
        mark, began, pixel = "", 0, DARK
        for lamp in moving:
            if moving[lamp] is not mark or since[lamp] != began:  # often many move alike
                mark, began = moving[lamp], since[lamp]
                pixel = self._pixel(mark, level(mark, beat - began))
            found.append((lamp, pixel))
        self._changed.clear()
        return found

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, a multiple of `BEAT_US`; patterns go on as they are.

        One may have begun before that start: it would have to go on for years to make that a large number.
        """
        for lamp in self._since:
            self._since[lamp] -= by // BEAT_US

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
        beat, moving, since = now // BEAT_US, self._moving, self._since
        first: int | None = None
        mark, began = "", 0
        for lamp in moving:
            if moving[lamp] is mark and since[lamp] == began:
                continue
            mark, began = moving[lamp], since[lamp]
            change = next_beat(mark, beat - began)
            if change is not None and (first is None or began + change < first):
                first = began + change
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
