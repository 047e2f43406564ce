"""Plays a sound: tones and the silences between them. What it means is known to the host alone.

A buzzer knows on and off only. MicroPython subset.
"""

from boardwire.moments import rebased, shift_optional_moment

TIME_UNIT_MS = 10
"""In this the wire counts how long tones and silences are."""
SOUND_PAUSE_MS = 100
"""The silence before a sound that follows another at once, so that the two don't run together."""


def declaration() -> str:
    """All of this that both ends have to understand alike."""
    return "tones of " + str(TIME_UNIT_MS) + " ms"


class SoundPlayer:
    """One buzzer over time: `play` says what it shall say, `step` brings `on` to a moment."""

    def __init__(self) -> None:
        self.on = False
        """Whether the buzzer sounds, as of the last call."""
        self._edges: list[int] = []
        self._silent_since: int | None = None

    def play(self, spans, now: int) -> None:  # type: ignore[no-untyped-def]
        """Cut what plays and begin this sound: at `now`, or `SOUND_PAUSE_MS` after the last tone's end.

        `spans` are tones and the silences between them in turn, in ms; the first and the last are tones.
        """
        if self.on:
            self.on = False
            self._silent_since = now
        at = now
        if self._silent_since is not None:
            at = max(now, self._silent_since + SOUND_PAUSE_MS * 1000)
        self._edges = [at]
        for span in spans:
            at += span * 1000
            self._edges.append(at)

    def step(self, now: int) -> None:
        """Let everything up to and including `now` happen."""
        while self._edges and self._edges[0] <= now:
            at = self._edges.pop(0)
            self.on = not self.on
            if not self.on:
                self._silent_since = at

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._edges = [rebased(at, by) for at in self._edges]
        self._silent_since = shift_optional_moment(self._silent_since, by)

    def due(self) -> int | None:
        """When a tone begins or ends next; `None` in silence that lasts."""
        return self._edges[0] if self._edges else None
