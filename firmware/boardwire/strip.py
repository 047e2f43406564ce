"""Lights become pixels: patterns over time, brightness, and last of all the current cap.

Integers throughout. MicroPython subset.
"""

from boardwire.lights import BEAT_US, FULL, LEVELS, level, next_change_beat, rgb

LAMP_IDLE_MA = 1
"""What a dark WS2812B lamp draws."""
CHANNEL_MA = 20
"""What one colour of a WS2812B draws at full; data sheets name 12 to 20, the worst counts."""
WHITE_MA = 3 * CHANNEL_MA

DARK_PIXEL = (0, 0, 0)

MAX_CACHED_LIGHTS = 32
"""So many lights, and four times as many pixels, are kept worked out: more than a game shows."""


class Strip:
    """One chain of lamps. `show` says which light each has, `frame` what colour it is at a moment."""

    def __init__(self, length: int, limit_ma: int, brightness: int = 255) -> None:
        """`limit_ma` is what the whole chain may draw, its idle current included; `brightness` 1 to 255."""
        self.length = length
        self._budget = max(0, limit_ma - length * LAMP_IDLE_MA) * 255 // CHANNEL_MA
        self._brightness = brightness
        self.lights: dict[int, int] = {}
        """What each lamp shows, by its index; all others are dark."""
        self._since: dict[int, int] = {}
        self._still: list[tuple[int, int, int]] = [DARK_PIXEL] * length
        self._moving: dict[int, int] = {}
        self._changed = set(range(length))
        """The lamps that may look otherwise than when `changes` was asked last, those that move aside."""
        self._peak = 0
        self._looks: dict[int, tuple[int, tuple[int, int, int] | None]] = {}
        """By light what it draws at its brightest and, if it never moves, its pixel before the cap."""
        self._pixels: dict[int, tuple[int, int, int]] = {}
        """By light and level the pixel before the cap."""

    def show(self, shown: dict[int, int], now: int) -> None:
        """From `now` on show these lights by the index of their lamp; all other lamps are dark.

        A lamp that keeps its light keeps its phase; any other light begins at the start of its pattern.
        """
        altered: dict[int, int] = {lamp: 0 for lamp in self.lights if lamp not in shown}
        altered.update(shown)
        self.change_lights(altered, now)

    def change_lights(self, altered: "dict[int, int]", now: int) -> None:
        """From `now` on these lamps show these lights, 0 is none; all others stay as they are. As `show`."""
        shown = self.lights
        fresh = []
        # The cap is reckoned with every lamp at its brightest, lest the others flicker when one blinks.
        capped, peak, beat = self._capped_peak(), self._peak, now // BEAT_US
        for lamp in altered:
            light, before = altered[lamp], shown.get(lamp, 0)
            if light == before:
                continue
            if before:
                peak -= self.look(before)[0]
                self._moving.pop(lamp, None)
            self._changed.add(lamp)
            if not light:
                del shown[lamp]
                self._still[lamp] = DARK_PIXEL
            else:
                shown[lamp] = light
                peak += self.look(light)[0]
                self._since[lamp] = beat
                fresh.append(lamp)
        self._peak = peak
        if capped != self._capped_peak():  # all that is lit is dimmed otherwise
            self._changed.update(shown)
            fresh = list(shown)
        still, roomy = self._still, peak <= self._budget
        for lamp in fresh:
            light = shown[lamp]
            pixel = self.look(light)[1]
            if pixel is None:
                still[lamp] = DARK_PIXEL
                self._moving[lamp] = light
            else:
                still[lamp] = pixel if roomy else self._dim_by_cap(pixel)

    def frame(self, now: int) -> list[tuple[int, int, int]]:
        """The (red, green, blue) of every lamp, 0 to 255. It never draws more than the limit."""
        beat = now // BEAT_US
        pixels = list(self._still)
        for lamp, light in self._moving.items():
            pixels[lamp] = self._capped_pixel(light, level(light, beat - self._since[lamp]))
        return pixels

    def changes(self, now: int) -> "list[tuple[int, tuple[int, int, int]]]":
        """Lamps with their pixels, as in `frame`: all that differ from when this was asked last, and perhaps
        others."""
        beat, still, moving, since = now // BEAT_US, self._still, self._moving, self._since
        found = [(lamp, still[lamp]) for lamp in self._changed if lamp not in moving]
        light, began, pixel = 0, 0, DARK_PIXEL
        for lamp in moving:
            if moving[lamp] != light or since[lamp] != began:  # often many move alike
                light, began = moving[lamp], since[lamp]
                pixel = self._capped_pixel(light, level(light, beat - began))
            found.append((lamp, pixel))
        self._changed.clear()
        return found

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, a multiple of `BEAT_US`; patterns go on as they are.

        One may have begun before that start: it would have to go on for years to make that a large number.
        """
        for lamp in self._since:
            self._since[lamp] -= by // BEAT_US

    def room(self, shown: "list[tuple[int, list[int]]]") -> bool:
        """Whether all lamps of these lights may be lit beside what is shown, within the limit."""
        peak = self._peak
        for light, lamps in shown:
            peak += self.look(light)[0] * len(lamps)
        return peak <= self._budget

    def begins(self, light: int) -> "tuple[int, int, int]":
        """The pixel that a light begins with, before the cap."""
        pixel = self.look(light)[1]
        return self._uncapped_pixel(light, level(light, 0)) if pixel is None else pixel

    def mark_all_changed(self) -> None:
        """Have the next `changes` hold every lamp."""
        self._changed.update(range(self.length))

    def _capped_peak(self) -> int:
        """What all lit lamps draw at their brightest, where that is too much; else 0."""
        return self._peak if self._peak > self._budget else 0

    def next_change_us(self, now: int) -> int | None:
        """When `frame` differs next from that of `now`; `None` while everything is steady."""
        beat, moving, since = now // BEAT_US, self._moving, self._since
        first: int | None = None
        light, began = 0, 0
        for lamp in moving:
            if moving[lamp] == light and since[lamp] == began:
                continue
            light, began = moving[lamp], since[lamp]
            change = next_change_beat(light, beat - began)
            if change is not None and (first is None or began + change < first):
                first = began + change
        return None if first is None else first * BEAT_US

    def look(self, light: int) -> "tuple[int, tuple[int, int, int] | None]":
        """What a light draws at its brightest and, if it never moves, its pixel before the cap.

        Asked for a hint it is worked out before the lift.
        """
        look = self._looks.get(light)
        if look is None:
            if len(self._looks) >= MAX_CACHED_LIGHTS:
                self._looks.clear()
            bright = max(LEVELS[light & 15])
            draws = sum([self._channel_value(channel, bright) for channel in rgb(light)])
            pixel = (
                self._uncapped_pixel(light, level(light, 0)) if next_change_beat(light, 0) is None else None
            )
            look = self._looks[light] = (draws, pixel)
        return look

    def _capped_pixel(self, light: int, bright: int) -> tuple[int, int, int]:
        pixel = self._uncapped_pixel(light, bright)
        return pixel if self._peak <= self._budget else self._dim_by_cap(pixel)

    def _dim_by_cap(self, pixel: tuple[int, int, int]) -> tuple[int, int, int]:
        """By the cap."""
        budget, peak = self._budget, self._peak
        return pixel[0] * budget // peak, pixel[1] * budget // peak, pixel[2] * budget // peak

    def _uncapped_pixel(self, light: int, bright: int) -> tuple[int, int, int]:
        key = light << 8 | bright
        pixel = self._pixels.get(key)
        if pixel is None:
            if len(self._pixels) >= 4 * MAX_CACHED_LIGHTS:
                self._pixels.clear()
            red, green, blue = rgb(light)
            pixel = (
                self._channel_value(red, bright),
                self._channel_value(green, bright),
                self._channel_value(blue, bright),
            )
            self._pixels[key] = pixel
        return pixel

    def _channel_value(self, full: int, bright: int) -> int:
        """Rounded up, so that a colour keeps all its channels however dim it is."""
        return (full * bright * self._brightness + FULL * FULL - 1) // (FULL * FULL)


def frame_milliamps(frame: list[tuple[int, int, int]]) -> int:
    """What a frame draws by the model of the cap, rounded up."""
    return len(frame) * LAMP_IDLE_MA + (sum(sum(pixel) for pixel in frame) * CHANNEL_MA + 254) // 255
