"""What people do when lamps and messages ask them to: slowly, and one time in ten not at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardsim.bench.scene import Space
from boardsim.judging.doers import BOTH
from boardsim.judging.judge import AttemptedAction
from boardsim.people.answers import QuestionAnswerer
from boardsim.people.sitting import SeededGame
from boardsim.world.world import Piece
from boardware.ports import MS, SECOND, Micros

SLICE_MS = 150
"""How often people look at the board."""
UMPIRE_TIMEOUT_US: Micros = 200 * SECOND
"""How long people wait for the umpire to say something before they call it stuck."""
REDO_DELAY_US: Micros = 3 * SECOND
"""How long people look at a board in order before they do what they had to undo again."""
REDOS_MAX = 4
"""How often they do so."""
RULING_WAIT_US: Micros = 8 * SECOND
"""How long people wait for the umpire to hear a move before they look where its piece stands."""
DEAD_REED_WAIT_US: Micros = 25 * SECOND
"""How long before they agree that its square feels nothing."""
FAULT_REPORT_MAX_US: Micros = 130 * SECOND
"""How long pieces may stand wrong before the umpire has to have said so: it waits 120 s at most."""
TAG_REPORT_MAX_US: Micros = 30 * SECOND
"""The same where tags are read: readers look at each square every 16 s, and a fault waits for 5 s."""
CORRECTION_WAIT_US: Micros = 12 * SECOND
"""How long a chore may go on after it was done before people take the square for one that feels nothing."""


class CorrectionBehaviour:
    """Obeys and answers until the board is in order and everything tried has been ruled on."""

    def __init__(self, sitting: SeededGame, again: Callable[[AttemptedAction], None]) -> None:
        """`again` does once more what the umpire had undone before it was ruled on."""
        self.sitting, self.redo_attempt = sitting, again
        self.scene = sitting.scene
        self.judge = sitting.judge
        self.answers = QuestionAnswerer(sitting, self.play_by_hand)
        self.postpones_loser = False
        """Whether the loser of this battle is left for later."""
        self.hand_played_spaces = self.judge.hand_played_spaces
        self._session = False
        self._tried: tuple[AttemptedAction | None, int] = None, 0
        """What was done again last, and how often."""
        self._done: dict[Space, Micros] = {}

    def settle(self, patience: Micros = UMPIRE_TIMEOUT_US) -> None:
        """Wait, obey and answer until the umpire has ruled and the board is in order."""
        scene, judge = self.scene, self.judge
        scene.hands.acting_person = BOTH
        begun = wrong_since = scene.now
        while not judge.findings:
            if self._do_next_task(scene.now - begun):
                begun = wrong_since = scene.now
                continue
            if self._is_settled():
                wrong = self.sitting.misplaced()
                if not wrong:
                    break
                if self._check_unreported(wrong, scene.now - wrong_since):
                    wrong_since = scene.now
                    continue
            if scene.now - begun > patience:
                judge.report_stuck(f"nothing more was said for {patience // SECOND} s")
                return
            scene.wait(SLICE_MS)
        if self._session:
            self._session = False
            judge.count["mended"] += 1
        self.postpones_loser = False
        judge.check_violations_noticed()

    def _do_next_task(self, idle: Micros) -> bool:
        """Do the next thing that there is to do; false if people just look on."""
        return (
            self.answers.answer()
            or self._do_corrections()
            or self._put_held_away()
            or self._follow_reminders()
            or self._check_unruled_move(idle)
            or self._put_held_home(idle)
            or self._redo_undone(idle)
        )

    def _is_settled(self) -> bool:
        ears, state = self.scene.listener, self.sitting.state
        if ears.over or state.outcome is not None:
            return ears.over and self.judge.is_all_ruled()
        waits = ears.to_act == state.seats_to_act() and self.judge.is_all_ruled()
        return waits and not ears.chores and not self.answers.open_question() and ears.offer is None

    def _check_unreported(self, wrong: list[Space], span: Micros) -> bool:
        """Pieces stand wrong and the umpire says nothing: could it know? People see it themselves at last."""
        scene, judge = self.scene, self.judge
        if scene.listener.over:
            return self._fix_unprompted(wrong)
        if (
            scene.closed_reed_spaces() - judge.untrusted_spaces
            != set(judge.expected_pieces) - judge.untrusted_spaces
        ):
            if span > FAULT_REPORT_MAX_US:
                judge.find("missed", f"{' '.join(wrong)} stand wrong, can be felt, and nobody is told")
            return False
        if span < (REDO_DELAY_US if scene.bench.tags is None else TAG_REPORT_MAX_US):
            return False
        if judge.were_held_together(wrong):
            judge.find("missed", f"{' '.join(wrong)} were off their squares together, and nobody was asked")
            return False
        judge.count["unfelt"] += 1
        return self._fix_unprompted(wrong)

    def _fix_unprompted(self, wrong: list[Space]) -> bool:
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
        while not self.judge.is_all_ruled() and self.scene.now < end and not self.judge.findings:
            if not self.answers.answer():
                self.scene.wait(SLICE_MS)

    def _redo_undone(self, span: Micros) -> bool:
        """The umpire had pieces put back that were part of something legal: it is done once more."""
        tried = self.judge.undone_attempts()
        ears = self.scene.listener
        idle = not (
            ears.chores
            or self.scene.held_pieces()
            or self.sitting.misplaced()
            or self.answers.open_question()
        )
        if not tried or not idle or span < REDO_DELAY_US:
            return False
        self.judge.count["again"] += 1
        if tried[0] != self._tried[0]:
            self._tried = tried[0], 0
        if self._tried[1] == REDOS_MAX:
            self.judge.report_stuck(f"undone {REDOS_MAX} times")
            return True
        self._tried = tried[0], self._tried[1] + 1
        self.redo_attempt(tried[0])
        return True

    def _put_held_home(self, span: Micros) -> bool:
        """A piece is in a hand still since the umpire had pieces put back: it goes home, to begin anew; one
        that has fallen goes beside the board."""
        held = self.scene.held_pieces()
        if (
            not held
            or span < DEAD_REED_WAIT_US
            or self.scene.listener.chores
            or not self.judge.undone_attempts()
        ):
            return False
        home = next((space for space, piece in self.judge.expected_pieces.items() if piece == held[0]), None)
        if home is not None:
            return self._put(home)
        self.scene.put_beside_board(held[0])
        return True

    def _follow_reminders(self) -> bool:
        """Put back what the umpire reminded people of, unless it has come back since."""
        late = self.scene.listener.reminded_spaces
        wrong = [space for space in late if space in self.sitting.misplaced()]
        late.clear()
        if not self.judge.is_all_ruled():  # what a child has taken is looked for at once
            beside = self.scene.beside
            wrong = [space for space in wrong if self.judge.expected_pieces.get(space) in beside]
        return bool(wrong) and self._fix_unprompted(wrong)

    def _check_unruled_move(self, span: Micros) -> bool:
        """Nothing comes of a move: people see that the piece stands badly, and push it to the middle."""
        if span < RULING_WAIT_US or self.judge.is_all_ruled():
            return False
        tried = next(tried for tried in self.judge.unruled_attempts if tried.legal)
        if self._raise_sensed_piece():
            return True
        origin, _, target = tried.text.partition("-")
        dark = [
            *([origin] if self._is_lift_unnoticed(origin) else []),
            *([target] if self._is_arrival_unnoticed(origin, target) else []),
        ]
        if span > DEAD_REED_WAIT_US and dark:
            self.play_by_hand(dark[0])
            self.judge.hand_attribution.note_said_attack(tried.seat, tried.text)
            self.scene.say(tried.seat, tried.text)
            return True
        piece = self.scene.top_piece_on(target) if target in self.scene.world.board.spaces else None
        if piece is None or not self._is_badly_sensed(piece):
            return False
        self.scene.run_until(self.scene.hands.centre(piece, target, self.scene.now))
        return True

    # -- chores --------------------------------------------------------------------------------------------

    def _do_corrections(self) -> bool:
        """Do what the chores say, if there are any; false if nothing could be done."""
        scene = self.scene
        chores = scene.listener.chores
        if not chores:
            self._done.clear()
            return False
        if not self._session:
            self._session = True
            self._wait_first()
            return True
        for chore in sorted(chores, key=lambda each: str(each["do"]) != "take"):
            if self._do_correction(chore):
                scene.wait(120)
                return True
        return self._agree_on_dead_reed(chores)

    def _wait_first(self) -> None:
        """People are slow, and one time in ten they do something else first."""
        dice = self.sitting.dice
        if self.postpones_loser or dice.random() < 0.1:
            self.sitting.pause(6000, 30_000)
        else:
            self.sitting.pause(300, 2500)

    def _do_correction(self, chore: Mapping[str, Any]) -> bool:
        space = str(chore["space"])
        right = self.judge.expected_pieces.get(space)
        match chore["do"]:
            case "take":
                return self._take(space) or self._set_held_down_once(space)
            case "centre":
                return self._centre(space)
            case "put" if right is not None and self.scene.top_piece_on(space) != right:
                return self._put(space)
            case "put" if right is not None and space not in self._done:
                self._done[space] = self.scene.now
                self.scene.run_until(self.scene.hands.centre(right, space, self.scene.now))
                return True
        return False

    def _take(self, space: Space) -> bool:
        """Take what rests on a square up, or beside the board if it has no place on it."""
        scene = self.scene
        piece = scene.top_piece_on(space)
        if piece is None:
            return self._raise_sensed_piece() or self._centre(space)
        stands = self.judge.expected_pieces
        if piece == stands.get(space) and self._is_badly_sensed(piece):
            return self._centre(space)
        if piece in stands.values() and piece.owner != "nobody":
            scene.run_until(scene.hands.lift(piece, scene.now))
        else:
            scene.put_beside_board(piece)
        return True

    def _set_held_down_once(self, space: Space) -> bool:
        """A piece that belongs there is in the hand already, and the board wants it lifted there: it is set
        down, once."""
        right = self.judge.expected_pieces.get(space)
        if right not in self.scene.held_pieces() or space in self._done:
            return False
        self._done[space] = self.scene.now
        return self._put(space)

    def _put(self, space: Space) -> bool:
        """Set the piece that belongs on a square down there, wherever it is now."""
        scene = self.scene
        piece = self.judge.expected_pieces.get(space)
        if piece is None:
            return False
        there = scene.top_piece_on(space)
        while there is not None and there != piece:
            if there in self.judge.expected_pieces.values():
                scene.run_until(scene.hands.lift(there, scene.now))
            else:
                scene.put_beside_board(there)
            there = scene.top_piece_on(space)
        scene.bring_to_space(piece, space)
        return True

    def _raise_sensed_piece(self) -> bool:
        """A piece in the hand is so low that a reed feels it still: people take it higher."""
        scene = self.scene
        for piece in scene.held_pieces():
            if scene.physics.sensors_closed_by(piece):
                scene.run_until(scene.hands.raise_out_of_reach(piece, scene.now))
                return True
        return False

    def _is_badly_sensed(self, piece: Piece) -> bool:
        felt = self.scene.physics.sensors_closed_by(piece)
        return len(felt) != 1

    def _centre(self, space: Space) -> bool:
        """Push the piece that this square's reed feels too to the middle of its own."""
        scene = self.scene
        for near in (space, *self.sitting.neighbours(space, 1.5)):
            piece = scene.top_piece_on(near)
            if piece is None or self.judge.expected_pieces.get(near) != piece:
                continue
            felt = scene.physics.sensors_closed_by(piece)
            if (felt and (len(felt) > 1 or near not in felt)) or (near == space and not felt):
                scene.run_until(scene.hands.centre(piece, near, scene.now))
                return True
        return False

    def _agree_on_dead_reed(self, chores: Any) -> bool:
        """A chore that was done and goes on: its reed feels nothing, or always something."""
        scene = self.scene
        for chore in chores:
            space = str(chore["space"])
            right, there = self.judge.expected_pieces.get(space), scene.top_piece_on(space)
            lifted = there is None and right in scene.held_pieces() and chore["do"] == "take"
            if there != right and not lifted:
                continue
            since = self._done.setdefault(space, scene.now)
            if scene.now - since > CORRECTION_WAIT_US and space not in self.hand_played_spaces:
                self.play_by_hand(space)
                return True
        return False

    def _is_lift_unnoticed(self, origin: Space) -> bool:
        """Whether the board shows nothing where a piece was lifted: its reed sticks."""
        scene = self.scene
        gone = origin in scene.world.board.spaces and scene.top_piece_on(origin) is None
        return gone and origin not in self.hand_played_spaces and scene.is_meant_dark(origin)

    def _is_arrival_unnoticed(self, origin: Space, target: Space) -> bool:
        """Whether the board shows nothing where a piece from a tray was put: its reed sticks."""
        scene, board = self.scene, self.scene.world.board.spaces
        came = origin not in board and target in board and scene.top_piece_on(target) is not None
        unfelt = target not in scene.closed_reed_spaces() and target not in self.hand_played_spaces
        return came and unfelt and scene.is_meant_dark(target)

    def play_by_hand(self, space: Space) -> None:
        """Agree on the phones to play a square without its reed."""
        scene = self.scene
        self.hand_played_spaces.add(space)
        first, *others = self.sitting.state.seats
        scene.say(first, f"by-hand {space}")
        scene.wait(1500)
        for seat in others or [first]:  # who plays alone is asked again
            scene.say(seat, f"yes by-hand {space}")
            scene.wait(200)

    def _put_held_away(self) -> bool:
        """What is left in the hands once everything tried is ruled on goes where it belongs."""
        scene, judge = self.scene, self.judge
        if not judge.is_all_ruled() or (scene.listener.chores and not scene.listener.over):
            return False
        for piece in scene.held_pieces():
            home = next((space for space, other in judge.expected_pieces.items() if other == piece), None)
            if home is None:
                self.sitting.pause(200, 1500)
                scene.put_beside_board(piece)
            else:
                self.sitting.pause(200, 1500)
                self._put(home)  # nobody sets a piece upon a beaten one
            return True
        return False
