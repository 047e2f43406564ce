"""Compares every ruling with the truth: what people did and meant, judged against what reeds could feel.

The truth is a game of its own, played by what hands really did. A ruling is held against what was tried and
not yet ruled on, oldest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from boardrules.core import CHANCE, Action, Seat, State
from boardrules.history import GameHistory
from boardsim.bench.scene import PLAY_EVENTS, BenchScene, Space
from boardsim.bench.table import BenchMessage
from boardsim.hands.hands import space_of
from boardsim.judging.doers import LAG, HandAttribution
from boardsim.world.world import Piece
from boardware.ports import MS, SECOND, Micros, SlotId

PENDING_ATTACK_CODES = ("attack-pending", "attack-counting", "attack-which")
"""What is told of an attack that waits for its sign: it needs no answer, and is not counted as a question."""
HELD_PIECE_CODES = ("attack-here", "attack-where", "in-hand", "moved-here", "moved-where")
"""Questions about a piece that is up."""
WRONG, LOST, MISSED = "wrong", "lost", "missed"
SETTLE_TIME_US: Micros = 300 * MS
"""A little less than how long hands have to mean something before it is judged."""
SWAP_TIME_MIN_US: Micros = 180 * MS
"""Two pieces that were both off their squares for less can't have been swapped by hands."""
DECLINE_TAKE_BACK = "decline-take-back"
IDENTITY_DOUBT_US: Micros = 30 * SECOND
"""How long after another piece stood on a square the umpire may have to ask who stands there."""


READ_MM = 25.0
"""How far from the middle of a square a reader may read a tag that is held over it."""


class AttemptedAction(NamedTuple):
    """Something that people did with the pieces, or said, for the umpire to rule on."""

    seat: Seat
    text: str
    legal: bool
    at: Micros


class Discrepancy(NamedTuple):
    """What the umpire did wrong."""

    kind: str
    """`wrong`, `lost` or `missed`."""
    at: Micros
    what: str


class Judge:
    """Keeps the truth of one game and holds the umpire's words against it."""

    def __init__(self, scene: BenchScene, state: State) -> None:
        self.scene = scene
        self.truth = GameHistory(state)
        self.state_before_last = state
        """The truth before the last action."""
        self.actions: list[tuple[Seat, str]] = []
        """What was truly done, in order: it has to be the record."""
        self.expected_pieces: dict[Space, Piece] = {}
        """Where the game has each piece, as far as the umpire has ruled."""
        self.findings: list[Discrepancy] = []
        self.count: Counter[str] = Counter()
        self.unruled_attempts: list[AttemptedAction] = []
        self._flagged_at: Micros = -1
        self.has_umpire_objected = False
        """Whether the umpire has said anything against it since the last thing that was not allowed."""
        self.ambiguous_errors: set[str] = set()
        """The kinds of errors done just now that sensors may not be able to tell from something else."""
        self.hand_played_spaces: set[Space] = set()
        """Squares that the players agreed to play by hand: what their reeds say is not believed."""
        self.failed_slots: set[SlotId] = set()
        """Slots whose reed feels nothing new any more."""
        self._before: dict[Space, Piece] = {}
        self._off: dict[Space, Micros] = {}
        """By square since when its piece has not been sensed."""
        self._dipped: dict[Space, Micros] = {}
        """By square when its piece was last felt again."""
        self._came: dict[Space, Micros] = {}
        """By square that should be empty when something was last felt to come there."""
        self.asked: dict[Space, Micros] = {}
        """By square when a question was about it last."""
        self._apart: set[frozenset[Piece]] = set()
        self._strange: dict[Space, Micros] = {}
        """By square of a piece when another was sensed there, since the board was in order or nearly so."""
        self.hand_attribution = HandAttribution(scene)
        """Whose hands did what."""
        scene.listeners.append(self.check_message)
        scene.world.magnet_listeners.append(self._handle_reed_change)

    # -- what people do ------------------------------------------------------------------------------------

    def attempt_action(self, action: Action) -> bool:
        """People do, or say, something now; whether it is legal. If it is it has truly happened."""
        legal = self.truth.state.refusal(action) is None
        self.unruled_attempts.append(AttemptedAction(action.seat, str(action), legal, self.scene.now))
        if legal:
            self.state_before_last = self.truth.state
            self.actions.append((action.seat, str(action)))
            self.truth.push(action)
        else:
            self.has_umpire_objected = False
        return legal

    def state_before(self, tried: AttemptedAction) -> State:
        """The truth before something legal that has not been ruled on yet."""
        waiting = [each for each in self.unruled_attempts if each.legal]
        game = GameHistory(self.truth.start)
        for action in self.actions[: len(self.actions) - len(waiting) + waiting.index(tried)]:
            game.push_text(*action)
        return game.state

    def insert_before_last(self, seat: Seat, word: str) -> None:
        """Somebody says this before what was done last is ruled on: so it comes first."""
        done, at = self.actions[-1], len(self.unruled_attempts) - 1
        waits = self.unruled_attempts.pop(at)
        self._undo(1)
        self.attempt_action(self.truth.state.parse(word, seat))
        self.state_before_last = self.truth.state
        self.unruled_attempts.append(waits)
        self.actions.append(done)
        self.truth.push_text(*done)

    def _undo(self, count: int) -> None:
        """The last so many things didn't happen."""
        del self.actions[len(self.actions) - count :]
        self.truth = GameHistory(self.truth.start)
        for action in self.actions:
            self.truth.push_text(*action)

    def is_all_ruled(self) -> bool:
        """Whether all that was legal has been ruled on."""
        return not any(tried.legal for tried in self.unruled_attempts)

    def check_violations_noticed(self) -> None:
        """The board is in order, says the umpire: what was not allowed has to have been noticed."""
        for tried in self.unruled_attempts:
            if tried.legal or self.has_umpire_objected:
                continue
            if self._left_no_trace(tried):
                self.count["unfelt"] += 1
            else:
                self.find(MISSED, f"{tried.seat} {tried.text}, at {tried.at // MS} ms, went unnoticed")
        self.unruled_attempts = [tried for tried in self.unruled_attempts if tried.legal]
        past = self.scene.now - IDENTITY_DOUBT_US
        self._strange = {space: at for space, at in self._strange.items() if at > past}

    def _left_no_trace(self, tried: AttemptedAction) -> bool:
        """Whether no reed could tell: that of its origin has failed, and it is where another piece was."""
        origin, _, target = tried.text.partition("-")
        return origin in self.untrusted_spaces and target in self.expected_pieces

    def undone_attempts(self) -> list[AttemptedAction]:
        """What was legal and waits, though the umpire had pieces put back since: it has to be done again."""
        waiting = [tried for tried in self.unruled_attempts if tried.legal]
        return waiting if waiting and waiting[0].at < self._flagged_at else []

    def report_stuck(self, why: str) -> None:
        """The umpire waits and nobody knows for what."""
        legal = [tried for tried in self.unruled_attempts if tried.legal]
        what = f"{legal[0].seat} {legal[0].text}" if legal else "the board never came in order"
        self.find(LOST if legal else MISSED, f"{what}: {why}")

    def find(self, kind: str, what: str) -> None:
        """Note what the umpire did wrong."""
        self.findings.append(Discrepancy(kind, self.scene.now, what))

    # -- what the umpire says ------------------------------------------------------------------------------

    def check_message(self, message: BenchMessage) -> None:
        """Hold a message to everybody against the truth."""
        if message.seat is not None:
            return
        if message.kind == "ruling":
            self.count["rulings"] += 1
            self._check_ruling(message.data)
        elif message.kind == "question" and message.data["code"] in PENDING_ATTACK_CODES:
            self.count["pending"] += 1
        elif message.kind == "question":
            self.has_umpire_objected = True
            self.count["asked"] += 1
            self.asked.update(dict.fromkeys(message.data["spaces"], message.at))
            if self.is_question_needed(message.data["code"], message.data["spaces"]):
                self.count["forced"] += 1
        elif message.kind == "reminder":
            self._flagged_at = message.at
            self.has_umpire_objected = self.has_umpire_objected or self._has_unsensed_move(
                message.data.get("spaces", ())
            )
        elif message.data.get("spaces") or message.data.get("chores"):  # a fault, or chores
            self.has_umpire_objected = True
            self._flagged_at = message.at

    def _has_unsensed_move(self, spaces: Sequence[Space]) -> bool:
        """Whether one of these pieces went where it may not, and no reed can tell: the one there is not
        believed, or feels nothing of what stands so far off its middle. That it is missed is what can be
        said."""
        went = [tried.text.partition("-") for tried in self.unruled_attempts if not tried.legal]
        return any(
            origin in spaces and (target in self.untrusted_spaces or self._is_unsensed_at(origin, target))
            for origin, _, target in went
        )

    @property
    def untrusted_spaces(self) -> set[Space]:
        """The squares whose reed says nothing of what stands there: it is not believed, or has failed."""
        return self.hand_played_spaces | {space_of(slot) for slot in self.failed_slots}

    def _is_unsensed_at(self, origin: Space, target: Space) -> bool:
        """Whether the piece of `origin` has been set down on `target`, where nothing feels it."""
        piece, scene = self.expected_pieces.get(origin), self.scene
        rests = (
            piece is not None
            and scene.space_of_piece(piece) == target
            and not scene.physics.sensors_closed_by(piece)
        )
        return rests and target not in scene.closed_reed_spaces()

    def _was_attacker_readable(self, data: Mapping[str, Any]) -> bool:
        """Whether the attacker was brought to where a reader could read its tag: that is a sign, too."""
        origin, _, target = (data["action"] or "").partition("-")
        piece = self.expected_pieces.get(origin)
        if self.scene.bench.tags is None or piece is None or target not in self.scene.world.board.spaces:
            return False
        at, slot = self.scene.physics.positions.get(piece), self.scene.world.board.spaces[target].slots[0]
        return at is not None and hypot(at.x - slot.position.x, at.y - slot.position.y) < READ_MM

    def _check_ruling(self, data: Mapping[str, Any]) -> None:
        if data["ok"] and data["seat"] == CHANCE:
            self._adopt_throw(data)
            return
        told = f"{data['seat']} {data['action'] or 'a set-up'}"
        legal = [tried for tried in self.unruled_attempts if tried.legal]
        if (
            data["action"] == DECLINE_TAKE_BACK
            and len(legal) == 1
            and self._declines_by_playing(legal[0], data["seat"])
        ):
            self.insert_before_last(
                data["seat"], DECLINE_TAKE_BACK
            )  # who goes on playing doesn't give it back
            legal = self.unruled_attempts
        signed = self.hand_attribution.has_completed_attack(
            data["seat"], data["action"] or ""
        ) or self._was_attacker_readable(data)
        if self._attacks(data) and not signed:
            self.find(WRONG, f"ruled on {told}, which its hands had not completed")
            return
        if not data["ok"]:
            self.has_umpire_objected = True
            tried = [each for each in self.unruled_attempts if _same(each, data) and not each.legal]
            if not tried and self._is_own_trace(data):
                self.count["alike"] += 1
            elif not tried:
                self.find(WRONG, f"refused {told} ({data['refusal']['code']}), which nobody tried")
            return
        if (not legal or not _same(legal[0], data)) and self._is_own_trace(data):
            self._adopt_ruling(data)
        elif not legal or not _same(legal[0], data):
            expected = f"{legal[0].seat} {legal[0].text}" if legal else "nothing"
            self.find(WRONG, f"accepted {told}; people had done {expected}")
        else:
            self.unruled_attempts.remove(legal[0])
        if not {event["kind"] for event in data["events"]} <= {"offer", "withdraw", "decline"}:
            self.hand_attribution.forget_attack_signs()  # no word takes a sign away
        self._update_expected_pieces(data)

    def _adopt_throw(self, data: Mapping[str, Any]) -> None:
        """What the umpire has thrown counts, if by the truth a throw is due."""
        throw = self.truth.state.parse(data["action"], CHANCE)
        if self.truth.state.refusal(throw) is not None:
            self.find(WRONG, f"threw {data['action']}, and no throw was due")
            return
        self.actions.append((CHANCE, data["action"]))
        self.truth.push(throw)
        self._update_expected_pieces(data)

    def _declines_by_playing(self, tried: AttemptedAction, seat: Seat) -> bool:
        """Whether a seat that is asked for a take-back has done something else instead."""
        asked = any(str(word) == DECLINE_TAKE_BACK for word in self.state_before_last.table_actions(seat))
        return asked and tried.seat == seat and tried.text != DECLINE_TAKE_BACK

    def _attacks(self, data: Mapping[str, Any]) -> bool:
        """Whether that is an attack: a piece of another seat stands where it goes."""
        beaten = self.expected_pieces.get(str(data["action"]).partition("-")[2])
        return beaten is not None and beaten.owner != data["seat"]

    def _is_own_trace(self, data: Mapping[str, Any]) -> bool:
        """Whether the seat's own hands left exactly that action's trace in the reeds.

        Nobody could have known then. What another hand left is never excused, but that everybody sees a move
        refused for a reason that everybody knows: it tells nothing, and chores lead back.
        """
        if not self._matches_reed_trace(data):
            return False
        origin, _, target = data["action"].partition("-")
        public = not data["ok"] and data["refusal"]["rule"] is not None
        return (
            self._attacks(data)
            or public
            or self.hand_attribution.has_moved_alone(data["seat"], origin, target)
        )

    def _matches_reed_trace(self, data: Mapping[str, Any]) -> bool:
        """Whether reeds felt just what that action is, for the settle time, as of pieces that fall over."""
        unlikely = data["ok"] and not (self.ambiguous_errors or self.failed_slots)
        if unlikely or not data["action"]:
            return False
        origin = data["action"].partition("-")[0]
        since = self.scene.now - SETTLE_TIME_US
        away = {space for space, at in self._off.items() if at <= since} - self.hand_played_spaces
        # What the other side holds meanwhile is asked about, not moved.
        own = {space for space, piece in self.expected_pieces.items() if piece.owner == data["seat"]}
        off = away & (own | (away - self.expected_pieces.keys()))
        return self._attacks(data) or (off == {origin} and self._is_felt_at_target(data, since))

    def _felt_elsewhere(self) -> set[Space]:
        """Where something is felt and no piece should be."""
        return self.scene.closed_reed_spaces() - self.expected_pieces.keys() - self.hand_played_spaces

    def _is_felt_at_target(self, data: Mapping[str, Any], since: Micros) -> bool:
        """Whether something stands where the action leads, and nowhere else that should be empty."""
        target = data["action"].partition("-")[2]
        return self._felt_elsewhere() == {target} and self._came.get(target, self.scene.now) <= since

    def _adopt_ruling(self, data: Mapping[str, Any]) -> None:
        """What the board felt counts: people play on from there, and what it never felt didn't happen."""
        self.count["alike"] += 1
        self.count["taken over"] += 1
        undone = [tried for tried in self.unruled_attempts if tried.legal]
        if undone:
            self.unruled_attempts = [tried for tried in self.unruled_attempts if not tried.legal]
            self._undo(len(undone))
        self.actions.append((data["seat"], data["action"]))
        self.state_before_last = self.truth.state
        self.truth.push_text(data["seat"], data["action"])

    def match_alike_pieces(self) -> None:
        """Where people know of pieces that they are alike, any of them may stand where one of them should."""

    def _update_expected_pieces(self, data: Mapping[str, Any]) -> None:
        """What was accepted changes where the pieces belong."""
        for event in data["events"]:
            if event["kind"] == "start":
                self.expected_pieces = {
                    space: piece
                    for space in self.scene.world.board.spaces
                    if (piece := self.scene.top_piece_on(space))
                }
            elif event["kind"] == "take-back":
                self.expected_pieces = dict(self._before)
            elif (
                event["kind"] in PLAY_EVENTS
                and event.keys() >= {"from", "to"}
                and event["from"] in self.expected_pieces
            ):
                self._before = dict(self.expected_pieces)
                piece = self.expected_pieces.pop(event["from"])
                result = event.get("result", "attacker")
                if result == "attacker":
                    self.expected_pieces[event["to"]] = piece
                elif result == "both":
                    self.expected_pieces.pop(event["to"], None)
        self._off = {space: at for space, at in self._off.items() if space in self.expected_pieces}

    # -- questions -----------------------------------------------------------------------------------------

    def is_question_needed(self, code: str, spaces: Sequence[Space]) -> bool:
        """Whether no sensor could have told, so that somebody had to be asked."""
        if self._strange.keys() & set(spaces):
            return True
        if not self.scene.world.board.spaces.keys() >= {*spaces}:
            return True  # what lies beside the board nothing feels
        if code == "that-piece" and any(space in self._off for space in spaces[2:]):
            return True  # a piece of the other side is up that may stand there
        if code in ("same-places", "that-piece"):
            return self.were_held_together(spaces)
        if code in HELD_PIECE_CODES:
            # A piece that is up may be in a hand, or stand where an attack goes that no reed could feel.
            return spaces[0] in self._off or self._dipped.get(spaces[0], 0) > self.scene.now - LAG
        early = "early" in self.ambiguous_errors or spaces[-1] in self._off
        return code == "who-stands" and (
            early or spaces[-1] in self.scene.closed_reed_spaces() - self.expected_pieces.keys()
        )

    def were_held_together(self, spaces: Sequence[Space]) -> bool:
        """Whether two pieces that belong on these were in hands together, and nobody has asked since."""
        pieces = [self.expected_pieces[space] for space in spaces if space in self.expected_pieces]
        pairs = {frozenset((one, other)) for one in pieces for other in pieces if one is not other}
        return not pairs.isdisjoint(self._apart)

    def note_answer(self, code: str, spaces: Sequence[Space]) -> None:
        """The owner has said who is who."""
        told = {self.expected_pieces[space] for space in spaces if space in self.expected_pieces}
        if code in ("same-places", "that-piece", "who-stands"):
            self._strange = {space: at for space, at in self._strange.items() if space not in spaces}
        self._apart = {pair for pair in self._apart if not pair <= told}

    def note_reed_failed(self, slot: SlotId, closed: bool) -> None:
        """The reed of a slot sticks from now on."""
        self._handle_reed_change(slot, closed, self.scene.now)
        self.failed_slots.add(slot)

    def _handle_reed_change(self, slot: SlotId, felt: bool, at: Micros) -> None:
        """Note which pieces of one side are off their squares at the same time, as reeds feel it."""
        if slot in self.failed_slots:
            return
        space = space_of(slot)
        piece = self.expected_pieces.get(space)
        if piece is None:
            if felt:
                self._came[space] = at
            return
        if not felt:
            self._off[space] = at
            return
        if self.scene.physics.last_causes.get(slot, piece) != piece:
            self._strange[space] = at
        since = self._off.pop(space, at)
        self._dipped[space] = at
        for other, when in self._off.items():
            if {space, other} & self.hand_played_spaces:  # what their reeds say is not believed
                continue
            beside = self.expected_pieces.get(other)
            if (
                beside is not None
                and beside.owner == piece.owner
                and at - max(since, when) >= SWAP_TIME_MIN_US
            ):
                self._apart.add(frozenset((piece, beside)))


def _same(tried: AttemptedAction, data: Mapping[str, Any]) -> bool:
    if tried.seat != data["seat"]:
        return False
    return data["action"] == tried.text or (data["action"] is None and tried.text.startswith("setup"))
