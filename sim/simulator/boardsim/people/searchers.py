"""People who look after the pieces on a map: few, known to all, several on a space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any

from boardrules import registry
from boardsim.bench.bench import BenchSettings
from boardsim.bench.scene import BenchScene, Space
from boardsim.bench.table import BenchTableFactory
from boardsim.hands.hands import space_of
from boardsim.judging.truth import GroundTruth
from boardsim.people.players import RULING_WAIT_US, TablePeople
from boardsim.people.rates import CLUMSY, ErrorRates
from boardsim.world.world import Piece
from boardware.ports import Micros

BESIDE_RING_RATE = 0.25
"""How often a second piece comes to stand beside the ring, where no reed feels it ..."""
BESIDE_RING_MM = 19.0
"""... and how far from its middle."""


class MapPlayers(TablePeople):
    """Obeys and answers until the board is in order and all that was done is ruled on."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        seed: str,
        rates: ErrorRates = CLUMSY,
        **more: Any,
    ) -> None:
        """`more` as `TablePeople`."""
        scene = BenchScene(setting._replace(table={**setting.table, "dice": "real"}), factory)
        super().__init__(
            scene, GroundTruth(scene, registry.new(setting.game, setting.options)), seed, rates, **more
        )
        self.pieces: dict[str, Piece] = {}
        self.early_piece = ""
        """The piece that somebody has taken up before its turn, who now waits; or none."""
        self.forgotten: set[str] = set()
        """The pieces that nobody thinks of before the umpire does: said, but not set up or moved."""

    # -- where pieces are ----------------------------------------------------------------------------------

    def expected_spaces(self) -> dict[str, Space]:
        """By piece the space where it truly belongs."""
        return dict(self.state.view(None).json()["pieces"])

    def misplaced(self) -> list[str]:
        """The pieces that don't stand where they belong."""
        fallen = self.scene.world.fallen()
        return [
            name
            for name, space in self.expected_spaces().items()
            if (self.scene.space_of_piece(self.pieces[name]) != space or self.pieces[name] in fallen)
            and not self._is_allowed_elsewhere(name)
        ]

    def _is_allowed_elsewhere(self, name: str) -> bool:
        """Whether it is no matter yet where a piece is: in a hand before its turn, or not set up so far."""
        unset = name in self.forgotten and bool(self.state.unchecked_spaces())
        return unset or (
            name == self.early_piece and self.pieces[name] not in self.scene.physics.resting_slots
        )

    def piece_to_move(self) -> str:
        """The piece whose turn it is."""
        return str(self.state.view(None).json()["piece"])

    def lone_pieces(self) -> list[str]:
        """The pieces that stand alone where they belong."""
        where = self.expected_spaces()
        return sorted(name for name, space in where.items() if list(where.values()).count(space) == 1)

    def put(self, name: str, space: Space) -> None:
        """Set a piece down on a space: in its middle, or beside the ring where another has that."""
        scene, piece = self.scene, self.pieces[name]
        self.forgotten.discard(name)
        taken = [
            other for other in self.pieces.values() if other != piece and scene.space_of_piece(other) == space
        ]
        slots = scene.world.board.spaces[space].slots
        free = [slot.id for slot in slots if not scene.world.pieces_on(slot.id)]
        if piece not in scene.physics.positions:
            scene.run_until(scene.hands.place_from_box(piece, free[0] if free else space, scene.now))
        elif free and len(slots) > 1:
            scene.run_until(scene.hands.put(piece, free[0], scene.now))
        elif taken and self.dice.random() < BESIDE_RING_RATE:
            scene.run_until(
                scene.hands.put_between(piece, space, *self._roomiest_direction(space), scene.now)
            )
        else:
            scene.run_until(scene.hands.put(piece, space, scene.now))

    def nearest(self, space: Space) -> Space:
        """The space beside another that is nearest to it."""
        spaces = self.scene.world.board.spaces
        x, y = spaces[space].position
        far = {
            other: (place.position.x - x) ** 2 + (place.position.y - y) ** 2
            for other, place in spaces.items()
        }
        return min((other for other in far if other != space), key=far.__getitem__)

    def _roomiest_direction(self, space: Space) -> tuple[Space, float]:
        """Where there is most room beside a ring: towards which space, and how much of the way there."""
        spaces = {name: place.position for name, place in self.scene.world.board.spaces.items()}
        x, y = spaces.pop(space)

        def share(other: Space) -> float:
            return BESIDE_RING_MM / hypot(spaces[other].x - x, spaces[other].y - y)

        def room(other: Space) -> float:
            left, down = (spaces[other].x - x) * share(other), (spaces[other].y - y) * share(other)
            return min(hypot(place.x - x - left, place.y - y - down) for place in spaces.values())

        other = max(spaces, key=room)
        return other, share(other)

    def lift(self, name: str) -> None:
        """Take a piece up that stands or lies on the board."""
        if self.pieces[name] in self.scene.physics.resting_slots:
            self.scene.run_until(self.scene.hands.lift(self.pieces[name], self.scene.now))

    def bring_home(self, *names: str) -> None:
        """Take pieces up, wherever they are, and set them down where they belong."""
        for name in names:
            self.lift(name)
        for name in names:
            self.put(name, self.expected_spaces()[name])

    # -- mending -------------------------------------------------------------------------------------------

    def _meant_action(self, asked: Mapping[str, Any]) -> str | None:
        waiting = self.judge.unruled_actions
        return waiting[0][1] if asked["code"] == "moved-where" and waiting else None

    def _is_yes_true(self, asked: Mapping[str, Any]) -> bool:
        code, spaces, waiting = asked["code"], asked["spaces"], self.judge.unruled_actions
        if waiting and code in ("moved-here", "that-piece", "came-from"):
            return waiting[0][1] == f"{spaces[0]}-{spaces[1]}"
        if code == "in-hand":
            return bool(self.scene.held_pieces())
        where = self.expected_spaces()
        astray = any(where[name] in spaces for name in self.misplaced())
        return code == "who-stands" or (code == "same-places" and not astray)

    def _do_correction(self) -> bool:
        """Do a chore: pieces go where they belong, one that belongs there is pushed to the middle."""
        scene = self.scene
        if not scene.listener.chores:
            return False
        self.pause(300, 2500)
        self.early_piece = ""  # what is up goes back, as lamps say
        wrong = self.misplaced()
        if wrong:
            self.bring_home(*wrong)
            scene.wait(200)
            return True
        for chore in scene.listener.chores:
            here = [name for name, space in self.expected_spaces().items() if space == chore["space"]]
            if here and chore["do"] in ("put", "centre", "ring"):
                self._centre_pieces(here)
                scene.wait(500)
                return True
        off = {chore["space"] for chore in scene.listener.chores if chore["do"] == "take"}
        here = [name for name, space in self.expected_spaces().items() if space in off]
        if (
            here and not self.judge.unruled_actions
        ):  # somebody said that it may be another: off it comes, and on again
            self.bring_home(*here)
            return True
        return self._redo_move()

    def _centre_pieces(self, names: Sequence[str]) -> None:
        """Stand those on one space each in the middle of a ring, as far as there are rings."""
        slots = {name: self.scene.physics.resting_slots[self.pieces[name]] for name in names}
        space = self.scene.world.board.spaces[space_of(slots[names[0]])]
        doubled = [name for name in names if list(slots.values()).count(slots[name]) > 1]
        if doubled and len(set(slots.values())) < len(space.slots):
            self.bring_home(doubled[0])
            return
        for name in names if len(space.slots) > 1 else names[:1]:
            self.scene.run_until(self.scene.hands.centre(self.pieces[name], slots[name], self.scene.now))

    def _redo_move(self) -> bool:
        """Lead the piece back whose move wasn't understood, and move it again."""
        waiting = self.judge.unruled_actions
        origin, _, target = waiting[0][1].partition("-") if waiting else ("", "", "")
        name = next((name for name, space in self.expected_spaces().items() if space == target), None)
        if name is None or not {origin, target} & {chore["space"] for chore in self.scene.listener.chores}:
            return False
        self.lift(name)
        self.scene.run_until(self.scene.hands.put(self.pieces[name], origin, self.scene.now))
        self.scene.wait(1000)
        self.bring_home(name)
        self.scene.wait(1000)
        return True

    def _check_unruled_move(self, idle: Micros) -> bool:
        """Nothing comes of a move: it is said, where the board may not feel it."""
        if idle < RULING_WAIT_US or not self.judge.unruled_actions or self.scene.listener.chores:
            return False
        seat, text, _ = self.judge.unruled_actions[0]
        origin, _, target = text.partition("-")
        if not target:
            return False
        wrong = self.misplaced()
        if wrong:
            self.bring_home(wrong[0])
            return True
        where = list(self.expected_spaces().values())
        if where.count(target) > 1 or origin in where:
            if self.dice.random() < 0.3:  # by the buttons
                return self._choose_by_buttons(target)
            self.scene.say(seat, text)
            self.scene.wait(300)
            return True
        name = next(name for name, space in self.expected_spaces().items() if space == target)
        self.scene.run_until(self.scene.hands.centre(self.pieces[name], target, self.scene.now))
        return True

    def _choose_by_buttons(self, target: Space) -> bool:
        for _ in range(40):
            self.scene.press("choose")
            if target in self.scene.lamps_with_mark("asks"):
                self.scene.wait(1000)  # a press that comes sooner may be for what alternated before
                self.scene.press("confirm")
                self.scene.wait(300)
                return True
        return False

    def _fix_unprompted(self, idle: Micros) -> bool:
        """Set right what people see themselves."""
        wrong = [name for name in self.misplaced() if name not in self.forgotten]
        if idle < RULING_WAIT_US or not wrong or self.scene.listener.chores:
            return False
        self.bring_home(wrong[0])
        return True
