"""What people do when lamps and messages ask them to: slowly, and one time in ten not at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardsim.bench.scene import Space
from boardsim.judging.doers import BOTH
from boardsim.judging.judge import AttemptedAction
from boardsim.people.answers import QuestionAnswers
from boardsim.people.sitting import SeededGame
from boardsim.world.world import Piece
from boardware.ports import MS, SECOND, Micros

SLICE_MS = 150
"""How often people look at the board."""
PATIENCE: Micros = 200 * SECOND
"""How long people wait for the umpire to say something before they call it stuck."""
AGAIN: Micros = 3 * SECOND
"""How long people look at a board in order before they do what they had to undo again."""
AGAINS = 4
"""How often they do so."""
UNHEARD: Micros = 8 * SECOND
"""How long people wait for the umpire to hear a move before they look where its piece stands."""
UNSEEN: Micros = 25 * SECOND
"""How long before they agree that its square feels nothing."""
UNTOLD: Micros = 130 * SECOND
"""How long pieces may stand wrong before the umpire has to have said so: it waits 120 s at most."""
UNREAD: Micros = 30 * SECOND
"""The same where tags are read: readers look at each square every 16 s, and a fault waits for 5 s."""
DEAF: Micros = 12 * SECOND
"""How long a chore may go on after it was done before people take the square for one that feels nothing."""


class CorrectionBehaviour:
    """Obeys and answers until the board is in order and everything tried has been ruled on."""

    def __init__(self, sitting: SeededGame, again: Callable[[AttemptedAction], None]) -> None:
        """`again` does once more what the umpire had undone before it was ruled on."""
        self.sitting, self.again = sitting, again
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.answers = QuestionAnswers(sitting, self.play_by_hand)
        self.forgets = False
        """Whether the loser of this battle is left for later."""
        self.blind = self.judge.blind
        self._session = False
        self._tried: tuple[AttemptedAction | None, int] = None, 0
        """What was done again last, and how often."""
        self._done: dict[Space, Micros] = {}

    def settle(self, patience: Micros = PATIENCE) -> None:
        """Wait, obey and answer until the umpire has ruled and the board is in order."""
        scene, judge = self.scene, self.judge
        scene.hands.who = BOTH
        begun = wrong_since = scene.now
        while not judge.findings:
            if self._acts(scene.now - begun):
                begun = wrong_since = scene.now
                continue
            if self._calm():
                wrong = self.sitting.misplaced()
                if not wrong:
                    break
                if self._noticed(wrong, scene.now - wrong_since):
                    wrong_since = scene.now
                    continue
            if scene.now - begun > patience:
                judge.give_up(f"nothing more was said for {patience // SECOND} s")
                return
            scene.wait(SLICE_MS)
        if self._session:
            self._session = False
            judge.count["mended"] += 1
        self.forgets = False
        judge.calm()

    def _acts(self, idle: Micros) -> bool:
        """Do the next thing that there is to do; false if people just look on."""
        return (
            self.answers.answer()
            or self._obey()
            or self._tidy()
            or self._reminded()
            or self._unanswered(idle)
            or self._set_down(idle)
            or self._again(idle)
        )

    def _calm(self) -> bool:
        ears, state = self.scene.ears, self.sitting.state
        if ears.over or state.outcome is not None:
            return ears.over and self.judge.settled()
        waits = ears.to_act == state.seats_to_act() and self.judge.settled()
        return waits and not ears.chores and not self.answers.asked() and ears.offer is None

    def _noticed(self, wrong: list[Space], span: Micros) -> bool:
        """Pieces stand wrong and the umpire says nothing: could it know? People see it themselves at last."""
        scene, judge = self.scene, self.judge
        if scene.ears.over:
            return self._right(wrong)
        if scene.felt() - judge.deaf != set(judge.stands) - judge.deaf:
            if span > UNTOLD:
                judge.find("missed", f"{' '.join(wrong)} stand wrong, can be felt, and nobody is told")
            return False
        if span < (AGAIN if scene.bench.tags is None else UNREAD):
            return False
        if judge.apart(wrong):
            judge.find("missed", f"{' '.join(wrong)} were off their squares together, and nobody was asked")
            return False
        judge.count["unfelt"] += 1
        return self._right(wrong)

    def _right(self, wrong: list[Space]) -> bool:
        """Set right what nobody asks for."""
        self.sitting.pause(1500, 6000)
        for space in wrong:
            self._take(space)
        for space in wrong:
            self._put(space)
        return True

    def await_ruling(self, most_ms: int) -> None:
        """Hold still, and answer, until everything legal has been ruled on."""
        end = self.scene.now + most_ms * MS
        while not self.judge.settled() and self.scene.now < end and not self.judge.findings:
            if not self.answers.answer():
                self.scene.wait(SLICE_MS)

    def _again(self, span: Micros) -> bool:
        """The umpire had pieces put back that were part of something legal: it is done once more."""
        tried = self.judge.led_back()
        ears = self.scene.ears
        idle = not (ears.chores or self.scene.up() or self.sitting.misplaced() or self.answers.asked())
        if not tried or not idle or span < AGAIN:
            return False
        self.judge.count["again"] += 1
        if tried[0] != self._tried[0]:
            self._tried = tried[0], 0
        if self._tried[1] == AGAINS:
            self.judge.give_up(f"undone {AGAINS} times")
            return True
        self._tried = tried[0], self._tried[1] + 1
        self.again(tried[0])
        return True

    def _set_down(self, span: Micros) -> bool:
        """A piece is in a hand still since the umpire had pieces put back: it goes home, to begin anew; one
        that has fallen goes beside the board."""
        held = self.scene.up()
        if not held or span < UNSEEN or self.scene.ears.chores or not self.judge.led_back():
            return False
        home = next((space for space, piece in self.judge.stands.items() if piece == held[0]), None)
        if home is not None:
            return self._put(home)
        self.scene.aside(held[0])
        return True

    def _reminded(self) -> bool:
        """Put back what the umpire reminded people of, unless it has come back since."""
        late = self.scene.ears.late
        wrong = [space for space in late if space in self.sitting.misplaced()]
        late.clear()
        if not self.judge.settled():  # what a child has taken is looked for at once
            beside = self.scene.beside
            wrong = [space for space in wrong if self.judge.stands.get(space) in beside]
        return bool(wrong) and self._right(wrong)

    def _unanswered(self, span: Micros) -> bool:
        """Nothing comes of a move: people see that the piece stands badly, and push it to the middle."""
        if span < UNHEARD or self.judge.settled():
            return False
        tried = next(tried for tried in self.judge.waiting if tried.legal)
        if self._raise():
            return True
        origin, _, target = tried.text.partition("-")
        if span > UNSEEN and self._unseen(origin):
            self.play_by_hand(origin)
            self.judge.doers.says(tried.seat, tried.text)
            self.scene.say(tried.seat, tried.text)
            return True
        piece = self.scene.on(target) if target in self.scene.world.board.spaces else None
        if piece is None or not self._between(piece):
            return False
        self.scene.let(self.scene.hands.centre(piece, target, self.scene.now))
        return True

    # -- chores --------------------------------------------------------------------------------------------

    def _obey(self) -> bool:
        """Do what the chores say, if there are any; false if nothing could be done."""
        scene = self.scene
        chores = scene.ears.chores
        if not chores:
            self._done.clear()
            return False
        if not self._session:
            self._session = True
            self._wait_first()
            return True
        for chore in sorted(chores, key=lambda each: str(each["do"]) != "take"):
            if self._chore(chore):
                scene.wait(120)
                return True
        return self._by_hand(chores)

    def _wait_first(self) -> None:
        """People are slow, and one time in ten they do something else first."""
        dice = self.sitting.dice
        if self.forgets or dice.random() < 0.1:
            self.sitting.pause(6000, 30_000)
        else:
            self.sitting.pause(300, 2500)

    def _chore(self, chore: Mapping[str, Any]) -> bool:
        space = str(chore["space"])
        right = self.judge.stands.get(space)
        match chore["do"]:
            case "take":
                return self._take(space) or self._stand_once(space)
            case "centre":
                return self._centre(space)
            case "put" if right is not None and self.scene.on(space) != right:
                return self._put(space)
            case "put" if right is not None and space not in self._done:
                self._done[space] = self.scene.now
                self.scene.let(self.scene.hands.centre(right, space, self.scene.now))
                return True
        return False

    def _take(self, space: Space) -> bool:
        """Take what rests on a square up, or beside the board if it has no place on it."""
        scene = self.scene
        piece = scene.on(space)
        if piece is None:
            return self._raise() or self._centre(space)
        stands = self.judge.stands
        if piece == stands.get(space) and self._between(piece):
            return self._centre(space)
        if piece in stands.values() and piece.owner != "nobody":
            scene.let(scene.hands.lift(piece, scene.now))
        else:
            scene.aside(piece)
        return True

    def _stand_once(self, space: Space) -> bool:
        """A piece that belongs there is in the hand already, and the board wants it lifted there: it is set
        down, once."""
        right = self.judge.stands.get(space)
        if right not in self.scene.up() or space in self._done:
            return False
        self._done[space] = self.scene.now
        return self._put(space)

    def _put(self, space: Space) -> bool:
        """Set the piece that belongs on a square down there, wherever it is now."""
        scene = self.scene
        piece = self.judge.stands.get(space)
        if piece is None:
            return False
        there = scene.on(space)
        while there is not None and there != piece:
            if there in self.judge.stands.values():
                scene.let(scene.hands.lift(there, scene.now))
            else:
                scene.aside(there)
            there = scene.on(space)
        scene.fetch(piece, space)
        return True

    def _raise(self) -> bool:
        """A piece in the hand is so low that a reed feels it still: people take it higher."""
        scene = self.scene
        for piece in scene.up():
            if scene.physics.felt_by(piece):
                scene.let(scene.hands.raise_(piece, scene.now))
                return True
        return False

    def _between(self, piece: Piece) -> bool:
        felt = self.scene.physics.felt_by(piece)
        return len(felt) != 1

    def _centre(self, space: Space) -> bool:
        """Push the piece that this square's reed feels too to the middle of its own."""
        scene = self.scene
        for near in (space, *self.sitting.neighbours(space, 1.5)):
            piece = scene.on(near)
            if piece is None or self.judge.stands.get(near) != piece:
                continue
            felt = scene.physics.felt_by(piece)
            if (felt and (len(felt) > 1 or near not in felt)) or (near == space and not felt):
                scene.let(scene.hands.centre(piece, near, scene.now))
                return True
        return False

    def _by_hand(self, chores: Any) -> bool:
        """A chore that was done and goes on: its reed feels nothing, or always something."""
        scene = self.scene
        for chore in chores:
            space = str(chore["space"])
            right, there = self.judge.stands.get(space), scene.on(space)
            lifted = there is None and right in scene.up() and chore["do"] == "take"
            if there != right and not lifted:
                continue
            since = self._done.setdefault(space, scene.now)
            if scene.now - since > DEAF and space not in self.blind:
                self.play_by_hand(space)
                return True
        return False

    def _unseen(self, origin: Space) -> bool:
        """Whether the board shows nothing where a piece was lifted: its reed sticks."""
        scene = self.scene
        gone = origin in scene.world.board.spaces and scene.on(origin) is None
        return gone and origin not in self.blind and scene.dark(origin)

    def play_by_hand(self, space: Space) -> None:
        """Agree on the phones to play a square without its reed."""
        scene = self.scene
        self.blind.add(space)
        first, second = self.sitting.state.seats
        scene.say(first, f"by-hand {space}")
        scene.wait(1500)
        scene.say(second, f"yes by-hand {space}")
        scene.wait(200)

    def _tidy(self) -> bool:
        """What is left in the hands once everything tried is ruled on goes where it belongs."""
        scene, judge = self.scene, self.judge
        if not judge.settled() or (scene.ears.chores and not scene.ears.over):
            return False
        for piece in scene.up():
            home = next((space for space, other in judge.stands.items() if other == piece), None)
            if home is None:
                self.sitting.pause(200, 1500)
                scene.aside(piece)
            else:
                self.sitting.pause(200, 1500)
                self._put(home)  # nobody sets a piece upon a beaten one
            return True
        return False
