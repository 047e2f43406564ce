"""The lamps of one board: the marks of this moment, results that are shown for a while, lifts foreseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from boardrules.core import Seat
from boardumpire.lamps import policy
from boardumpire.lamps.legend import Legend
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.tracking.events import BoardGuidance
from boardumpire.tracking.model import PublicPosition
from boardware.ports import LampId, LampPort, Light, Micros, SensorChanged, SensorEvent, SlotId


class LightDisplay:
    """Shows marks of `legend` through `lamps`, by the names that `surface` gives them."""

    def __init__(self, lamps: LampPort, surface: BoardOrientation, legend: Legend) -> None:
        self.marks: Mapping[LampId, str] = {}
        """What the lamps were told last, by the board's names ..."""
        self.lights: Mapping[LampId, Light] = {}
        """... and with how it looks."""
        self._legend = legend
        self._lamps = lamps
        self._surface = surface
        self._shows: list[policy.LightShow] = []
        self._begun = 0
        """How many of these had begun when they were looked at last."""
        self._hints: tuple[object, Mapping[SlotId, Mapping[LampId, Light]]] = None, {}
        """What was foreseen last: of what, and by the board's names."""
        self._ahead: Mapping[SlotId, Mapping[LampId, Light]] = {}
        """What the lamps show at once, on top of their marks, when the next piece is lifted."""

    def add_show(self, show: policy.LightShow | None) -> None:
        """Show this for its while, from the next frame on."""
        if show is not None:
            self._shows.append(show)
            self._begun += not show.since

    def add_shows(self, shows: Iterable[policy.LightShow]) -> None:
        """Show each of these for its while."""
        for show in shows:
            self.add_show(show)

    def clear_shows(self) -> None:
        """Show none of these any more: what they told was taken back."""
        self._shows = []

    def apply_precomputed_hints(self, events: Sequence[SensorEvent], now: Micros) -> None:
        """Light what was foreseen for a first lift before anything else is made of it."""
        event = events[0]
        if (
            len(events) == 1
            and isinstance(event, SensorChanged)
            and not event.present
            and event.slot in self._ahead
        ):
            self._send_lights({**self.lights, **self._ahead[event.slot]}, now)
            self._lamps.step(now)

    def drop_expired_shows(self, now: Micros) -> bool:
        """Drop what was shown long enough; whether there was any, or something begins."""
        if not self._shows:  # most turns
            self._begun = 0
            return False
        kept = [show for show in self._shows if now < show.until]
        begun = sum(show.since <= now for show in kept)
        changed = len(kept) != len(self._shows) or begun != self._begun
        self._shows, self._begun = kept, begun
        return changed

    def show_frame(
        self,
        guidance: BoardGuidance,
        to_act: Iterable[Seat],
        awaited: policy.AwaitedAnswer,
        now: Micros,
        first: policy.Marks = {},  # noqa: B006 - never changed
        last: policy.Marks = {},  # noqa: B006
    ) -> None:
        """Show what holds now; `first` lies beneath all else, `last` upon it."""
        marks = policy.frame_marks(guidance, to_act, awaited, self._shows, now, first, last)
        self._show_marks(self._surface.board_lamps(marks), now)

    def darken(self, now: Micros) -> None:
        """Show nothing at all."""
        self._show_marks({}, now)

    def _show_marks(self, marks: Mapping[LampId, str], now: Micros) -> None:
        lights = self._legend.to_lights(marks)
        if lights != self.lights:
            self._send_lights(lights, now)

    def _send_lights(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        self.lights = lights
        self.marks = {lamp: light.mark for lamp, light in lights.items()}
        self._lamps.show(lights, now)

    def precompute_hints(self, position: PublicPosition | None, guidance: BoardGuidance, now: Micros) -> None:
        """Prepare what lamps may show at once when a piece is lifted; no `position`: nothing."""
        self._ahead = {} if position is None or self._shows else self._hints_by_slot(position, guidance)
        self._lamps.prepare_hints(self._ahead, now)

    def _hints_by_slot(
        self, position: PublicPosition, guidance: BoardGuidance
    ) -> Mapping[SlotId, Mapping[LampId, Light]]:
        hints = policy.hints_after_lift(position, guidance)
        if (hints, self._surface.is_turned) == self._hints[0]:
            return self._hints[1]
        named = {
            slot: self._legend.to_lights(self._surface.board_lamps(marks))
            for space, marks in hints.items()
            if (slot := self._surface.single_slot(space)) is not None
        }
        self._hints = (hints, self._surface.is_turned), named
        return named

    def due(self) -> Micros | None:
        """When the next of the results shown for a while is to come or to go."""
        begun, coming = self._begun, [show.since for show in self._shows]
        return min((*sorted(coming)[begun:], *(show.until for show in self._shows)), default=None)
