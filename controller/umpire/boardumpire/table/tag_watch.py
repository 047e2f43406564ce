"""What tags are good for at a table: armies learnt, pieces held to what they are, questions answered.

Turned with the crank, after what was sensed and before it is judged. A read says who stands somewhere; when
something happened, reeds say. So nothing that everybody can see comes sooner or later for what a piece is.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardrules.core import NO_SEAT, Space
from boardumpire.lamps import policy
from boardumpire.lamps.display import LightDisplay
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.table.game import ResumedBoard
from boardumpire.table.match import BINDINGS_NOTE_PREFIX, Match
from boardumpire.tags.army_learning import ArmyLearner
from boardumpire.tags.standing_tags import StandingTags
from boardumpire.tags.tag_audit import TagAudit
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking.shared_spaces import place_of
from boardware.parts import BoardDescription
from boardware.ports import (
    SECOND,
    HardwareTrouble,
    LampId,
    Micros,
    ReaderId,
    SlotId,
    TagGone,
    TagId,
    TagPort,
    TagSeen,
)

SHOWN_PIECE_MAX_US: Micros = 30 * SECOND
"""How long a piece that was shown to a pad counts as being in a hand."""


class TagWatch:
    """The tags at one board."""

    def __init__(
        self,
        port: TagPort,
        roster: TagRoster,
        board: BoardDescription,
        match: Match,
        display: LightDisplay,
        outbox: BoardOutbox,
        resumed: ResumedBoard,
        *,
        begun: bool,
    ) -> None:
        """`begun`: whether anything was done in the game since all were set up."""
        self._port = port
        self._roster = roster
        self._board = board
        self._match = match
        self._display = display
        self._outbox = outbox
        self._standing = StandingTags()
        self._read_slots = frozenset(board.slots_by_reader.values())
        patience = match.tracker.timing.ask
        self._armies = ArmyLearner(self._standing, roster, patience, self._has_reader)
        self._audit = TagAudit(self._standing, roster, match.tracker, resumed.bound, begun=begun)
        self._noted = len(self._audit)
        """How many bindings the journal has."""
        self._in_hand: tuple[TagId, frozenset[Space], Micros] | None = None
        """The piece shown to a pad last, in a game under way, the homes of those up then, and when."""
        self._watched: frozenset[ReaderId] | None = None
        self._mute: set[ReaderId] = set()

    def _has_reader(self, space: Space) -> bool:
        return self._match.orientation.single_slot(space) in self._read_slots

    # What comes in

    def note_sensed(self, space: Space, present: bool, at: Micros) -> None:
        """A space became empty or occupied."""
        self._armies.note_sensed(self._match.state, space, present, at)
        if not present:
            self._standing.note_lifted(space)
            self._audit.note_lifted(space)
            return
        self._standing.note_placed(space, at)
        slot = self._match.orientation.single_slot(space)
        if slot in self._read_slots and slot not in self._mute and self._match.state.layout():
            self._audit.note_placed(space, at)
        if self._in_hand is not None and not self._match.state.unchecked_spaces():
            tag, up, shown_at = self._in_hand
            if (
                at < shown_at + SHOWN_PIECE_MAX_US
                and up & self._audit.possible_homes(space)
                and self._matches_shown_owner(space, tag)
            ):
                self._in_hand = None
                self._standing.note_identified(space, tag)

    def _matches_shown_owner(self, space: Space, tag: TagId) -> bool:
        """Whether what came to stand there may be a piece of the seat whose piece was shown."""
        piece = self._roster.piece(tag)
        tracker = self._match.tracker
        homes = self._audit.possible_homes(space)
        return piece is not None and any(tracker.position.owners.get(home) == piece[0] for home in homes)

    def step(self, now: Micros) -> None:
        """Take what was read, and do what comes of it."""
        for event in self._port.step(now):
            if isinstance(event, TagSeen):
                self._handle_tag_seen(event, now)
            elif isinstance(event, TagGone):
                self._handle_tag_gone(event, now)
            else:
                self._handle_trouble(event, now)
        match = self._match
        if match.has_silent_bank:
            self._audit.note_unread()
        if not match.pending_writes.is_writing_ruling and match.state.outcome is None:
            self._learn_armies(now)
            self._audit.update_state(match.state)
            if match.state.layout():
                self._audit.check_tags(now)
                self._note_bindings(now)
        self._request_fast_reads()

    def _note_bindings(self, now: Micros) -> None:
        """Which tag is which piece outlives the power: else what is read first then would tell ranks."""
        if len(self._audit) != self._noted:
            self._noted = len(self._audit)
            self._match.note(NO_SEAT, f"{BINDINGS_NOTE_PREFIX} {self._audit.bindings_text}", now, secret=True)

    def _handle_trouble(self, event: HardwareTrouble, now: Micros) -> None:
        self._outbox.add(now, disclosure.trouble_message(now, event.code, event.where, event.detail))
        if event.code == "reader-mute":
            self._mute.add(event.where)
            self._audit.note_unread()
        else:
            self._mute.discard(event.where)

    def _handle_tag_gone(self, event: TagGone, now: Micros) -> None:
        if event.reader in self._board.pads:
            return
        space = self._match.orientation.space_of_slot(SlotId(event.reader))
        alone = self._standing.tags_on(space) == {event.tag}
        self._standing.note_gone(space, event.tag)
        if alone and self._match.state.layout():
            self._match.tracker.note_tag_lost(place_of(space), now)

    def _handle_tag_seen(self, event: TagSeen, now: Micros) -> None:
        if event.reader in self._board.pads:
            self._handle_pad_read(event.reader, event.tag, now)
            return
        space = self._match.orientation.space_of_slot(SlotId(event.reader))
        felt = space in self._match.tracker.piece_tracker.felt_places
        self._standing.note_read(space, event.tag, event.at, felt=felt)

    def _handle_pad_read(self, pad: ReaderId, tag: TagId, now: Micros) -> None:
        """A piece was shown to a pad. Everybody learns that, and whether it is one of a set that is known."""
        self._match.note_change()
        if self._match.state.unchecked_spaces():
            seat = self._armies.note_shown(tag)
        else:
            piece = self._roster.piece(tag)
            seat = None if piece is None else piece[0]
            up = frozenset(self._match.tracker.piece_tracker.lifted_at)
            _, home = self._audit.find_piece(tag, up)
            if home is not None:  # one that has no place on the board says nothing of others
                self._in_hand = tag, up, now
        if seat is None:
            self._display.add_show(policy.fault_show([pad], now))
        self._outbox.add(now, disclosure.tag_shown_message(now, pad, seat))

    def _learn_armies(self, now: Micros) -> None:
        state = self._match.state
        ready = self._armies.ready_setup(state, self._match.tracker.piece_tracker.felt_places, now)
        if ready is not None:
            seat, text = ready
            if seat not in self._match.home:
                return
            self._match.rule_action(state.parse(text, seat), (), now)

    # What goes out

    def _request_fast_reads(self) -> None:
        """Look often where something may come."""
        tracker, guidance = self._match.tracker, self._match.guidance
        pads: set[ReaderId] = set(self._board.pads)
        busy = (
            self._match.state.unchecked_spaces()
            or tracker.piece_tracker.lifted_at
            or tracker.doubtful_pairs
            or guidance.question
        )
        wanted = pads if busy else set()
        for space, attack in guidance.hints.items():
            slot = self._match.orientation.single_slot(space)
            if attack and slot in self._read_slots and slot is not None:
                wanted.add(slot)
        watched = frozenset(wanted)
        if watched != self._watched:
            self._watched = watched
            self._port.watch(watched)

    def marks(self) -> Mapping[LampId, str]:
        """What tags add to the lamps of this moment: the pads, and where a shown piece may be stood."""
        state = self._match.state
        zones = self._armies.zones(state)
        if not zones:
            asked = self._match.guidance.question
            asks = asked is not None and asked.code in ("same-places", "that-piece")
            return policy.pad_lights(self._board.pads if asks else (), {}, ())
        missing = [seat for seat in state.seats_to_act() if seat not in self._armies.shown_tags]
        pending = [zones[seat] for seat in self._armies.shown_tags if seat in zones]
        free = frozenset().union(*pending) - self._match.tracker.piece_tracker.felt_places
        return policy.pad_lights((), dict.fromkeys(self._board.pads, bool(missing)), sorted(free))

    def due(self) -> Micros | None:
        """When to be turned next."""
        state = self._match.state
        times = [self._port.due()]
        if not self._match.pending_writes.is_writing_ruling and state.outcome is None:
            times.append(self._armies.due(state, self._match.tracker.piece_tracker.felt_places))
            times.append(self._audit.due())
        return min((time for time in times if time is not None), default=None)
