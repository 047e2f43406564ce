"""What the buttons say for those who have no phone at hand: short words, and one of several by stepping.

`choose` goes from one thing to the next; its lamp asks. While something has to be put in order, or the board
asks for one of several spaces, `turn` does so too, as not every board has a button to choose with; then
neither of them means anything in the game. `confirm` says it, `cancel` lets it be. All of it is public: an
action of the game that names a space, a face of a real die, a move that no reed can feel, one of the spaces
that the board asks about, a space that shall be played without its reed.

Where a game sets up one piece after the other in the open, the space on which a piece has come to stand asks
by itself: `confirm` says that the next piece begins there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from boardrules.core import Action, Space, State
from boardumpire.ruling.proposals import LAPSES_AFTER_US
from boardumpire.table.match import Match
from boardumpire.table.open_proposals import OpenProposals
from boardumpire.table.presence import BoardPresence
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.questions import NAMED_ANSWER_CODES
from boardware.ports import LampId, Micros


class ButtonOption(NamedTuple):
    """One thing that may be said, and the lamp that stands for it."""

    lamp: LampId
    """Of an action about several spaces all of theirs, with a space between."""
    action: Action | None
    """`None`: that this space be played by hand, as its reed does not feel what was done."""
    hand_move: tuple[Space, ...] = ()
    """(origin, target) of a move that nothing feels."""


class SetUpArrivals:
    """The spaces on which pieces have come to stand during a set-up, in that order."""

    def __init__(self, *, continued: bool = False) -> None:
        """`continued`: what stands when it is looked first was stood in this set-up."""
        self.arrival_order: list[Space] = []
        self._before: set[Space] = set()
        """Those that were occupied when it was looked first: nobody has stood a piece there since."""
        self._declined: set[Space] = set()
        self._looked = continued

    def update(self, occupied: Collection[Space]) -> None:
        """Take the spaces that hold a piece of which the game doesn't know yet."""
        new = sorted(set(occupied) - set(self.arrival_order))
        if not self._looked:
            self._looked, self._before = True, set(new)
        self.arrival_order = [space for space in self.arrival_order if space in occupied] + new
        self._before &= set(occupied)
        self._declined &= set(occupied)

    def decline_space(self, space: Space) -> None:
        """It was said that the next piece does not begin there: it asks no more until it is empty once."""
        self._declined.add(space)

    def asking_space(self, *, begun: bool) -> Space | None:
        """The space that asks by itself. What stood there before is asked about once a piece was placed."""
        silent = self._declined if begun else self._declined | self._before
        return next((space for space in self.arrival_order if space not in silent), None)


class ButtonCursor:
    """Where `choose` has come to in one match.

    What it points at is forgotten when the game goes on, and after as long as a proposal waits.
    """

    def __init__(self, match: Match, proposals: OpenProposals, presence: BoardPresence) -> None:
        self._match = match
        self._proposals = proposals
        self._presence = presence
        self._at = 0
        self.pressed_state: State | None = None
        """In which state `choose` was pressed."""
        self._since: Micros = 0
        """When it was pressed last."""
        self._stood = SetUpArrivals(continued=match.is_continued)
        self._places: tuple[State | None, Mapping[Space, Action]] = None, {}
        """By space what stands the next piece there, and in which state."""

    @property
    def placing_actions(self) -> Mapping[Space, Action]:
        """By space the action that stands the next piece of a set-up there; empty where nothing is set up so.

        Each of them stands one piece, in the open.
        """
        state = self._match.state
        if self._places[0] is not state:
            pointed = state.cursor_actions() if state.unchecked_spaces() else ()
            here = (each for each in pointed if each[1].seat not in self._presence.away)
            found = {Space(lamp): action for lamp, action in here if lamp in state.setup_placements(action)}
            self._places = state, found
        return self._places[1]

    @property
    def placing_question(self) -> tuple[str, Space] | None:
        """What is printed on the piece that is placed next, and the space that asks for it by itself."""
        space = self._asking_space()
        if space is None or self.pressed_state is self._match.state:
            return None
        return self._match.state.setup_placements(self.placing_actions[space])[space], space

    def _asking_space(self) -> Space | None:
        """The space that asks by itself whether the next piece of a set-up begins there."""
        places, state = self.placing_actions, self._match.state
        if not places:
            return None
        self._update_arrivals()
        if any(self._presence.answers_itself(action.seat) for action in places.values()):
            return None
        return self._stood.asking_space(begun=bool(state.layout()))

    def _update_arrivals(self) -> None:
        """See where pieces stand of which the game doesn't know yet."""
        tracker = self._match.tracker
        new = {
            shared_spaces.space_of(where)
            for where in tracker.piece_tracker.felt_places - tracker.position.owners.keys()
        }
        self._stood.update(new & self.placing_actions.keys())

    def _placing_options(self) -> list[ButtonOption]:
        """Where the next piece of a set-up may have been stood: where one is sensed, then beside others."""
        places = self.placing_actions
        if not places:
            return []
        self._update_arrivals()
        beside = [space for space in self._match.state.layout() if space in places]
        return [ButtonOption(at, places[at]) for at in dict.fromkeys((*self._stood.arrival_order, *beside))]

    @property
    def pointed_option(self) -> ButtonOption | None:
        """What `confirm` would say now: what `choose` has come to, or the space that asks by itself."""
        if self.pressed_state is not self._match.state:
            space = self._asking_space()
            return None if space is None else ButtonOption(space, self.placing_actions[space])
        found = self._options()
        return found[self._at % len(found)] if found else None

    @property
    def has_options(self) -> bool:
        """Whether there is anything to choose from."""
        return bool(self._options())

    def is_moved_by(self, button: str) -> bool:
        """Whether a press of this button goes on to the next thing, and means nothing in the game."""
        state = self._match.state
        said = state.button_actions().get(button)
        if said is not None and said.seat in state.possible_answers():
            return False  # others wait for that answer
        if button not in ("choose", "turn"):
            return False
        return bool(self._question_options() or self._unsensed_options()) or (
            button == "choose" and said is None
        )

    def due(self) -> Micros | None:
        """When what is pointed at is forgotten, as nobody has said it or gone on."""
        return self._since + LAPSES_AFTER_US if self.pressed_state is self._match.state else None

    def drop_expired(self, now: Micros) -> None:
        """Forget what is pointed at once it is due: lamps show again what it covers."""
        due = self.due()
        if due is not None and now >= due:
            self.pressed_state = None
            self._match.note_change()

    def press(self, now: Micros) -> None:
        """Go on to the next thing."""
        self._match.note_change()
        self._since = now
        asking = self._asking_space()
        if self.pressed_state is self._match.state:
            self._at += 1
        elif asking is None:
            self._at = 0
        else:  # that one asks already: the next one
            self._at = [each.lamp for each in self._placing_options()].index(asking) + 1
        self.pressed_state = self._match.state

    def answer(self, yes: bool, now: Micros) -> bool:
        """Say what is pointed at, or let it be. Whether it was: the board proposes one thing at a time."""
        pointed = self.pointed_option
        self.pressed_state = None
        if pointed is None:
            return False
        self._match.note_change()
        if not yes and pointed.lamp in self.placing_actions:
            self._stood.decline_space(Space(pointed.lamp))
        if yes and pointed.action is None:
            return self._proposals.propose_by_hand(Space(pointed.lamp), now, self._match)
        if yes and pointed.action is not None:
            self._match.rule_action(pointed.action, pointed.hand_move, now)
        return True

    def _unsensed_options(self) -> list[ButtonOption]:
        """Where reeds may not feel that a chore was done, or where a piece has gone that should come back."""
        guidance, position = self._match.guidance, self._match.tracker.position
        spaces = [chore.space for chore in guidance.corrections]
        spaces += guidance.overdue_pieces if len(guidance.overdue_pieces) == 1 else ()
        steps = position.steps
        for space in list(spaces):
            spaces += [target for target, attack in steps.get(space, {}).items() if not attack]
        felt = [space for space in spaces if space not in position.hand_played_places]
        return [ButtonOption(space, None) for space in dict.fromkeys(map(shared_spaces.space_of, felt))]

    def _question_options(self) -> list[ButtonOption]:
        """The spaces of which the board asks which one it is."""
        question, state = self._match.guidance.question, self._match.state
        if question is None or question.code not in NAMED_ANSWER_CODES or question.seat is None:
            return []
        origin, *targets = question.spaces
        ways = [(origin, target) for target in targets]
        trays = self._match.tracker.position.trays  # they have no lamp
        return [
            ButtonOption(origin if target in trays else target, state.hand_action(question.seat, *way), way)
            for way in ways
            for target in way[1:]
        ]

    def _options(self) -> list[ButtonOption]:
        match, state = self._match, self._match.state
        asked = self._question_options()
        if asked:
            return asked
        if self.placing_actions:
            return self._placing_options()
        found = self._unsensed_options()
        position = match.tracker.position
        ways = shared_spaces.steps_by_spaces(position)
        # Where the origin is sensed its piece has to be up before it can be anywhere.
        unfelt = {
            origin: position.unsensed_targets(origin)
            for origin in position.steps
            if origin in position.shared_places or origin in match.tracker.piece_tracker.lifted_at
        }
        for step in state.steps():
            hands = (step.origin, step.target)
            origin, target = ways.get(hands) or shared_spaces.first_places_of_spaces(hands)
            if target in unfelt.get(origin, ()):
                mover = state.hand_action(position.owners[origin], *hands)
                lamp = step.origin if target in position.trays else step.target
                found.append(ButtonOption(lamp, mover, hands))
        if match.possible_throws() and not self._presence.away.issuperset(state.throwers()):
            found += [
                ButtonOption(*pointed)
                for pointed in state.cursor_actions()
                if pointed[1] in match.possible_throws()
            ]
        acting = ({*state.seats_to_act()} & {*state.seats}).difference(self._presence.absent)
        return found + [
            ButtonOption(lamp, action)
            for lamp, action in state.cursor_actions()
            if action.seat in acting
            and not (self._presence.answers_itself(action.seat) and state.is_agreement(action))
        ]
