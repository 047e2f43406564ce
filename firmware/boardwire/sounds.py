"""What the buzzer says: one rhythm a meaning, the same in every game, on every board.

The idea is that of the electronic board games of 1982: who won a battle is heard, which ranks met is not.
A buzzer knows on and off only, so sounds differ by how many tones they have and which of them are long. This
file is in the MicroPython subset: both ends of the wire read it.
"""

from boardwire.moments import rebased, rebased_if_any

BREAK_MS = 100
"""The silence before a sound that follows another at once, so that the two don't run together."""

_SHORT = 80
_LONG = 400
_GAP = 80
_REST = 200

# name: (tone, silence, tone ... in ms, what it means). The order is the order that people read.
SOUNDS = {
    "accepted": ((_SHORT,), "the umpire took it"),
    "attention": ((_SHORT, _GAP, _SHORT), "the umpire asks something"),
    "attack-waits": ((_SHORT, _GAP, _LONG), "an attack waits for its owner's sign"),
    "refused": ((_LONG,), "this is not allowed"),
    "fault": ((_LONG, _REST, _LONG), "something on the board is wrong: the lamps say what"),
    "attacker-stands": ((_SHORT, _GAP, _SHORT, _GAP, _LONG), "the attacker won"),
    "defender-stands": ((_LONG, _GAP, _SHORT, _GAP, _SHORT), "the defender won"),
    "both-fall": ((_SHORT, _GAP) * 5 + (_SHORT,), "both pieces leave the board"),
    "over": ((_LONG, _REST, _LONG, _REST, _LONG), "the game is over"),
}


def spans(name: str) -> tuple[int, ...]:
    """The tones and the silences between them, in ms; the first and the last are tones."""
    return SOUNDS[name][0]


def words(name: str) -> str:
    """What a person hears: `short short long`."""
    return " ".join("short" if tone == _SHORT else "long" for tone in spans(name)[::2])


class Player:
    """One buzzer over time: `play` says what it shall say, `step` brings `on` to a moment."""

    def __init__(self) -> None:
        self.on = False
        """Whether the buzzer sounds, as of the last call."""
        self._edges: list[int] = []
        self._silent_since: int | None = None

    def play(self, name: str, now: int) -> None:
        """Cut what plays and begin this sound: at `now`, or `BREAK_MS` after the last tone's end."""
        if self.on:
            self.on = False
            self._silent_since = now
        at = now
        if self._silent_since is not None:
            at = max(now, self._silent_since + BREAK_MS * 1000)
        self._edges = [at]
        for span in spans(name):
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
        self._silent_since = rebased_if_any(self._silent_since, by)

    def due(self) -> int | None:
        """When a tone begins or ends next; `None` in silence that lasts."""
        return self._edges[0] if self._edges else None
