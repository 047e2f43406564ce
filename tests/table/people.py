"""People at a board: they know their pieces, do what lamps and messages ask, and answer truthfully."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardsim.bench.bench import SENSING_DELAY_US, Bench
from boardsim.hands.hands import space_of
from boardsim.world.world import Piece
from boardumpire.ruling.umpire import seat_that_may_say
from boardware.ports import MS

Space = str


class People:
    """What the players know: which piece the game has where, by what was ruled, and what is asked of them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.stands: dict[Space, Piece] = {}
        """Where the game has each piece, since the armies stand."""
        self._before: list[dict[Space, Piece]] = []
        self.trail: list[str] = []
        self.declines = True
        """Whether they answer an open offer to take a move back; it holds up everything else."""
        """What hands did for the umpire: the last lines of a failure."""

    def hear(self, data: Mapping[str, Any]) -> None:
        """Take in a ruling that everybody hears."""
        for event in data.get("events", ()):
            if event["kind"] == "start":
                self.stands = self.standing()
            elif event["kind"] == "take-back":
                self.stands = self._before.pop()
            elif event["kind"] in ("move", "battle"):
                self._before.append(dict(self.stands))
                self._moved(event)

    def _moved(self, event: Mapping[str, Any]) -> None:
        piece = self.stands.pop(event["from"])
        result = event.get("result", "attacker")
        if result == "attacker":
            self.stands[event["to"]] = piece
        elif result == "both":
            del self.stands[event["to"]]

    # What the table asks

    @property
    def guidance(self) -> Any:
        assert self.bench.table is not None
        return self.bench.table.guidance  # type: ignore[attr-defined]

    def make_peace(self, patience: int = 60) -> bool:
        """Do what is asked until nothing is. False if that leads nowhere."""
        calm, chores = 0, False
        for _ in range(patience):
            self.bench.wait(SENSING_DELAY_US)
            if self.answer() or self.obey() or self.tidy():
                calm = 0
            else:
                calm = calm + 1 if bool(self.guidance.corrections) == chores else 1
                chores = bool(self.guidance.corrections)
                self.bench.wait(2000 * MS)
            if calm > (12 if chores else 3):
                break
        return not self.guidance.corrections

    def answer(self) -> bool:
        """Answer what is asked, truthfully; an unfinished gesture was not meant."""
        table: Any = self.bench.table
        asked, offered = self.guidance.question, table.newest_proposal
        if (
            self.declines
            and asked is None
            and offered is None
            and seat_that_may_say(table._match.state, "decline-take-back")
        ):
            offered = "a take-back"
        if offered is None and asked is None:
            return False
        yes = offered is None and self.true(asked)
        self.trail.append(f"{'confirm' if yes else 'cancel'} {asked or offered}")
        self.bench.run_until(self.bench.hands.press("confirm" if yes else "cancel", self.bench.now))
        return True

    def true(self, asked: Any) -> bool:
        """The truth about what the umpire asks."""
        standing = self.standing()
        match asked.code, asked.spaces:
            case "same-places", spaces:
                return all(standing.get(space) == self.stands[space] for space in spaces)
            case "that-piece" | "came-from" | "moved-here", (origin, target, *_):
                return standing.get(target) == self.stands[origin]
            case "in-hand", (origin,):
                return any(held.piece == self.stands[origin] for held in self.bench.hands.held)
            case "who-stands", (space, _):
                return standing.get(space) == self.stands.get(space)
            case "turned", _:
                opposite = self.bench.table._match.orientation._opposite  # type: ignore[union-attr]
                return all(standing.get(opposite[at]) == piece for at, piece in self.stands.items())
        return False

    def standing(self) -> dict[Space, Piece]:
        """The uppermost piece of each square, as the game names it."""
        return {
            self.named(space_of(slot)): pieces[-1] for slot, pieces in self.bench.world.standing().items()
        }

    def named(self, space: Space) -> Space:
        """A square of the game by the name it has on the board, and the other way round."""
        assert self.bench.table is not None
        return self.bench.table._match.orientation._board_space(space)  # type: ignore[attr-defined,no-any-return]

    def obey(self) -> bool:
        """Do the first chore that can be done, or put back a piece that the lamps say was lifted."""
        guidance = self.guidance
        for space in {chore.space for chore in guidance.corrections} | {*guidance.lifted_places}:
            if self.named(space) in self.bench.world.stuck_reeds():
                self.by_hand(space)
                return True
        chores = sorted(guidance.corrections, key=lambda chore: (chore.kind != "take", chore.space))
        for chore in chores:
            done = {"take": self.take, "put": self.put, "centre": self.centre}[chore.kind](chore.space)
            if done:
                self.trail.append(f"{chore.kind} {chore.space}")
                return True
        for space in guidance.lifted_places if not chores else ():
            if self.put(space):
                self.trail.append(f"back to {space}")
                return True
        return False

    def by_hand(self, space: Space) -> None:
        """Agree to play a square by hand: what its reed asks for can't be done."""
        self.trail.append(f"by hand {space}")
        self.bench.say("red", f"by-hand {space}")
        self.bench.say("blue", f"yes by-hand {space}")

    def take(self, space: Space) -> bool:
        """Take the piece off a square."""
        if space not in self.standing():
            return self.centre(space)
        self.bench.run_until(self.bench.hands.lift(self.named(space), self.bench.now))
        return True

    def centre(self, space: Space) -> bool:
        """Push the piece to the middle, or the one of a neighbour that is sensed here too."""
        hands, world = self.bench.hands, self.bench.world
        across = [
            slot for slot, (*_, piece) in world.standing().items() if piece in world.straddling_pieces()
        ]
        if not across:
            return False
        self.bench.run_until(hands.centre(across[0], self.bench.now))
        return True

    def put(self, space: Space) -> bool:
        """Set the piece that belongs on a square down there, wherever it is now."""
        bench, hands = self.bench, self.bench.hands
        piece = self.stands.get(space)
        while piece is not None and not any(held.piece == piece for held in hands.held):
            lying = [slot for slot, pieces in bench.world.standing().items() if piece in pieces]
            if piece in hands.beside:
                bench.run_until(hands.fetch(piece, bench.now))
            elif lying:
                bench.run_until(hands.lift(lying[0], bench.now))  # whatever stands upon it comes up first
            else:
                return False
        if piece is None:
            return False
        while space in self.standing():
            bench.run_until(hands.lift(self.named(space), bench.now))
        hands.held.sort(key=lambda held: held.piece == piece)
        bench.run_until(hands.place(self.named(space), bench.now))
        return True

    def tidy(self) -> bool:
        """Once the board is in order, what is left in the hands or stands upon others goes beside it."""
        hands, before = self.bench.hands, len(self.bench.hands.held)
        if self.guidance.corrections or self.guidance.lifted_places:
            return False
        for slot, pieces in self.bench.world.standing().items():
            if len(pieces) > 1 and pieces[-1] != self.stands.get(self.named(space_of(slot))):
                self.bench.run_until(hands.lift(slot, self.bench.now))
        while hands.held:
            last = hands.held[-1].piece
            home = next((space for space, piece in self.stands.items() if piece == last), None)
            if home is not None and self.standing().get(home) != self.stands[home]:
                self.put(home)  # nothing felt that it was gone, or that another stands there
            else:
                self.bench.run_until(hands.put_beside_board(self.bench.now))
        return before > 0
