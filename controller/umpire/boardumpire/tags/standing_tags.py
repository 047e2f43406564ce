"""Which tags stand where, as far as they were read or shown. Pure."""

from __future__ import annotations

from boardrules.core import Space
from boardware.ports import MS, Micros, TagId

TAG_LEAD_MAX_US: Micros = 100 * MS
"""A tag that was read so shortly before its space was sensed is that of what is sensed: no hand is faster."""


class StandingTags:
    """Tags by space. What is lifted is forgotten: something else may come to stand there."""

    def __init__(self) -> None:
        self.unchecked_spaces: set[Space] = set()
        """Spaces where something was learnt that nobody has looked at yet."""
        self.lifted_tags: set[TagId] = set()
        """Tags that were read where they were lifted, and not since."""
        self._on: dict[Space, set[TagId]] = {}
        self._early: dict[Space, tuple[Micros, set[TagId]]] = {}
        """What was read where nothing was sensed, and when last: reeds say so a little later than readers."""

    def note_lifted(self, space: Space) -> None:
        """What stood there is up."""
        self.lifted_tags |= self._on.pop(space, set())
        self.unchecked_spaces.discard(space)

    def note_placed(self, space: Space, at: Micros) -> None:
        """Something stands there."""
        read_at, tags = self._early.pop(space, (at - TAG_LEAD_MAX_US, set()))
        if at < read_at + TAG_LEAD_MAX_US:
            self._on.setdefault(space, set()).update(tags)
            self.lifted_tags -= tags
            self.unchecked_spaces.add(space)

    def note_read(self, space: Space, tag: TagId, at: Micros, *, felt: bool) -> None:
        """A tag was read there; `felt`: whether anything is sensed there."""
        if felt:
            self._on.setdefault(space, set()).add(tag)
            self.lifted_tags.discard(tag)
            self.unchecked_spaces.add(space)
        else:
            read_at, tags = self._early.get(space, (at, set()))
            self._early[space] = at, {tag} | (tags if at < read_at + TAG_LEAD_MAX_US else set())

    def note_gone(self, space: Space, tag: TagId) -> None:
        """A tag is not read there any more."""
        tags = self._on.get(space)
        if tags and tag in tags:
            tags.discard(tag)
            self.unchecked_spaces.add(space)

    def note_identified(self, space: Space, tag: TagId) -> None:
        """What came to stand there is the piece with this tag, and so it stands nowhere else."""
        for tags in self._on.values():
            tags.discard(tag)
        self._on[space] = {tag}
        self.unchecked_spaces.add(space)

    def note_in_hand(self, tag: TagId) -> None:
        """The piece with this tag is in somebody's hand."""
        for tags in self._on.values():
            tags.discard(tag)

    def tags_on(self, space: Space) -> frozenset[TagId]:
        """The tags on a space."""
        return frozenset(self._on.get(space, ()))

    def single_tag(self, space: Space) -> TagId | None:
        """The tag on a space, if there is exactly one and it is read nowhere else."""
        tags = self._on.get(space, ())
        if len(tags) != 1:
            return None
        (tag,) = tags
        return tag if sum(tag in other for other in self._on.values()) == 1 else None

    def mark_all_unchecked(self) -> None:
        """Everything is to be looked at once more."""
        self.unchecked_spaces.update(space for space, tags in self._on.items() if tags)
