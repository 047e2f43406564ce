"""What a pad makes of its reads, whoever asks its PN532. MicroPython subset.

A pad is asked for tags every `POLL_INTERVAL_US`, one question at a time; it answers after some 10 ms, or not
at all.
"""

from boardwire.moments import rebased
from boardwire.rfid import TagTracker

POLL_INTERVAL_US = 100_000
"""Between two questions while something lies there, or may come: a hand shows a piece for longer."""
IDLE_POLL_INTERVAL_US = 2_000_000
"""Between two questions else: a sign of life."""
ANSWER_TIMEOUT_US = 400_000
"""How long an answer may take: with `PN532_RETRIES` a PN532 needs 30 ms to find nothing."""
MUTE_WAIT_US = 1_000_000
"""How long a pad that is mute is left alone before it is woken again."""
PN532_RETRIES = 1
"""How often a PN532 itself calls tags again before it answers that there is none."""
MOST_TAGS = 2
MAX_GARBLED_ANSWERS = 5
"""Answers in a row that make no sense before a pad counts as mute: it may have lost what it was told."""

# Commands of the PN532 (NXP UM0701-02, 7) with their parameters, as they are sent to wake one: normal mode
# without a secure module, and how often it calls tags again.
SAM_CONFIGURATION, RF_CONFIGURATION, LIST_TARGETS = 0x14, 0x32, 0x4A
NORMAL_MODE = b"\x01\x14\x01"
RETRIES_PARAMETERS = bytes([0x05, 0xFF, 0x01, PN532_RETRIES])
TYPE_A = bytes([MOST_TAGS, 0x00])
WAKE_PREAMBLE = b"\x55\x55" + bytes(14)


def parse_tag_ids(answer: bytes) -> tuple[bytes, ...] | None:
    """The ids in an answer to `LIST_TARGETS`; `None` if it makes no sense."""
    if not answer or answer[0] > MOST_TAGS:
        return None
    tags = []
    at = 1
    for _ in range(answer[0]):
        # number of the target, two bytes ATQA, one SAK, the length of its id, the id, ATS if it has one
        if at + 5 > len(answer):
            return None
        end = at + 5 + answer[at + 4]
        tag = answer[at + 5 : end]
        if len(tag) not in (4, 7, 10) or len(tag) != answer[at + 4]:
            return None
        tags.append(bytes(tag))
        at = end + (answer[end] if answer[at + 3] & 0x20 and end < len(answer) else 0)
    return tuple(tags)


class Pad:
    """One pad: what to ask next and when, and what is told of the answers.

    `next_question(now)` is what to send now, if anything; `handle_answer`, `handle_garbled`, `step` and
    `lost` return events: (`tag` or `gone`, id), (`mute`,) and (`heard`,). A pad that was mute is told heard
    once it lists tags.
    """

    def __init__(self, now: int) -> None:
        self.tags = TagTracker()
        self.asked: int | None = None
        """The command that an answer is awaited of."""
        self.reads = 0
        """How many questions for tags were answered, for those who count."""
        self._watched = False
        self._next = SAM_CONFIGURATION
        self._at = now
        self._until = now
        self._garbled = 0
        """Answers in a row that made no sense."""
        self.is_mute = False
        """Whether it doesn't answer, or nothing that makes sense."""

    def watch(self, watched: bool, now: int) -> None:
        """Whether something may come."""
        if watched and not self._watched and self._next == LIST_TARGETS and self._at > now + POLL_INTERVAL_US:
            self._at = now
        self._watched = watched

    def due(self) -> int:
        """When to ask, or to give up waiting."""
        return self._at if self.asked is None else self._until

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._at = rebased(self._at, by)
        self._until = rebased(self._until, by)

    def next_question(self, now: int) -> tuple[int, bytes] | None:
        """The command to send now with its parameters; `SAM_CONFIGURATION` goes behind `WAKE_PREAMBLE`."""
        if self.asked is not None or now < self._at:
            return None
        self.asked = self._next
        self._until = now + ANSWER_TIMEOUT_US
        if self.asked == SAM_CONFIGURATION:
            return self.asked, NORMAL_MODE
        return self.asked, RETRIES_PARAMETERS if self.asked == RF_CONFIGURATION else TYPE_A

    def handle_answer(self, answer: bytes, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """The answer to what was asked."""
        if self.asked != LIST_TARGETS:
            self._next = RF_CONFIGURATION if self.asked == SAM_CONFIGURATION else LIST_TARGETS
            self.asked, self._at = None, now
            return []
        found = parse_tag_ids(answer)
        if found is None:
            return self.handle_garbled(now)
        self.asked = None
        self._garbled = 0
        events: list[tuple] = []  # type: ignore[type-arg]
        if self.is_mute:
            self.is_mute = False
            events.append(("heard",))
        self.reads += 1
        for event in self.tags.read(found):
            events.append(event)
        self._at = now + (POLL_INTERVAL_US if self._watched or self.tags.told else IDLE_POLL_INTERVAL_US)
        return events

    def handle_garbled(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """What came was no answer: it says nothing, and the question is asked again, if not for ever."""
        self._garbled += 1
        if self._garbled >= MAX_GARBLED_ANSWERS:
            return self.lost(now)
        self.asked = None
        self._at = now + POLL_INTERVAL_US
        return []

    def step(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """Give up waiting if it is time: wake the pad again."""
        if self.asked is None or now < self._until:
            return []
        return self.lost(now)

    def lost(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """It doesn't answer, or nothing that makes sense, or its cable is out."""
        self.asked = None
        self._garbled = 0
        self._next, self._at = SAM_CONFIGURATION, now + MUTE_WAIT_US
        if self.is_mute:
            return []
        self.is_mute = True
        return [("mute",)]
