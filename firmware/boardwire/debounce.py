"""Debounce of contacts read row by row. Times are integer microseconds, passed in. MicroPython subset."""

from boardwire.moments import rebased


class EagerLiftDeferredPlace:
    """A lift is told at once, a place once it has lasted.

    A lift only lights hints, so it may be early; a place is what a ruling rests on, so it must be sure.

        copper   ____|~|_|~~~~~~~~~~~~~~~~~|_|~|___________________
                       place_us >|         lockout_us >|
        told     _________________|~~~~~~~~|_______________________

    - A contact told open that closes is told closed when it was seen closed at every look for `place_us`;
      any open look in between starts that time anew.
    - A contact told closed that opens is told open by that very look. For `lockout_us` after it nothing is
      told of it again, so a reed that chatters while the magnet leaves is one lift.
    - A disturbance as short as one look is a lift and a place: the price of being eager.
    """

    def __init__(self, rows: int, place_us: int = 5000, lockout_us: int = 10000) -> None:
        self.told = [0] * rows
        """For each row the mask of contacts told closed."""
        self._place_us = place_us
        self._lockout_us = lockout_us
        self._waiting = [0] * rows
        self.pending_rows = 0
        """The rows of which a contact is closed and not told so yet, as bits."""
        self._closed_at: dict[tuple[int, int], int] = {}
        self._locked_until: dict[tuple[int, int], int] = {}

    def begin(self, row: int, mask: int) -> None:
        """Take `mask` as what the row holds, telling nothing: the first look at a board."""
        self.told[row] = mask

    def update(self, row: int, mask: int, now: int) -> int:
        """Take a look at one row; a closed contact is a 1. Returns the contacts whose state is now told
        to have changed; `told[row]` is what they are.
        """
        told = self.told[row]
        if mask == told and not self._waiting[row]:
            return 0
        changed = self._apply_lifts(row, told & ~mask, now)
        if mask & ~told or self._waiting[row]:
            changed |= self._apply_places(row, mask & ~told, now)
        self.told[row] = told ^ changed
        return changed

    def quiet(self) -> bool:
        """Whether no place is waiting: while the copper stays as it is, looking tells nothing."""
        return not self._closed_at

    def due(self) -> int | None:
        """When a place that waits is sure, if the copper stays as it is; `None` if none waits."""
        first: int | None = None
        if not self.pending_rows:
            return None
        for key, since in self._closed_at.items():
            at = max(since + self._place_us, self._locked_until.get(key, 0))
            if first is None or at < first:
                first = at
        return first

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        for moments in (self._closed_at, self._locked_until):
            for key in list(moments):
                moments[key] = rebased(moments[key], by)

    def _apply_lifts(self, row: int, lifted: int, now: int) -> int:
        left = lifted
        while left:
            bit = left & -left
            left ^= bit
            self._locked_until[row, bit] = now + self._lockout_us
        return lifted

    def _apply_places(self, row: int, closed: int, now: int) -> int:
        """`closed`: the contacts told open that are closed now."""
        was = self._waiting[row]
        sure = 0
        left = was | closed
        while left:
            bit = left & -left
            left ^= bit
            key = (row, bit)
            if not closed & bit:
                del self._closed_at[key]
                continue
            since = self._closed_at.setdefault(key, now)
            if now - since >= self._place_us and now >= self._locked_until.get(key, now):
                del self._closed_at[key]
                self._locked_until.pop(key, None)
                sure |= bit
        self._waiting[row] = closed & ~sure
        if self._waiting[row]:
            self.pending_rows |= 1 << row
        else:
            self.pending_rows &= ~(1 << row)
        return sure
