"""Something stands where nothing should."""

from __future__ import annotations

from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import (
    BoardFault,
    FaultCode,
    MovePutBack,
    SuspectSpace,
    TrackerEvent,
)
from boardumpire.tracking.model import NOWHERE, Home, Place
from boardumpire.tracking.questions import (
    AttackHereQuestion,
    CameFromQuestion,
    ThatPieceQuestion,
    WhoStandsQuestion,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import (
    UNFINISHED_GESTURE,
    RuleResult,
    capture_place,
    judge_move,
    judge_second_set_down,
)
from boardumpire.tracking.situation import QUESTION_CANDIDATES_MAX, Situation


def _movable_lifted_pieces(situation: Situation) -> list[Home]:
    """The pieces that are up and may be moved; of a side that one alone may move, that one: others wait."""
    own = situation.movable_pieces(situation.lifted_at.keys() - situation.places_awaiting_answer)
    return (
        [home for home in own if home in situation.position.steps] or own
        if len(situation.position.steps) == 1
        else own
    )


def _unexplained_places(situation: Situation) -> list[Place]:
    """Where something stands that nobody was seen to lift."""
    return sorted(space for space, homes in situation.stray_candidates.items() if not homes)


def _mover_and_its_place(situation: Situation) -> tuple[Home, Place] | None:
    """The one piece of the mover's that is up, and where it stands for certain."""
    own = _movable_lifted_pieces(situation)
    return (
        (own[0], situation.certain_places[own[0]])
        if len(own) == 1 and own[0] in situation.certain_places
        else None
    )


# Several pieces in one step, and pieces that are all alike


def detect_capture(situation: Situation) -> TrackerEvent | None:
    """The mover's piece is in the place of one that it takes; what stands elsewhere is an early reply."""
    own = _movable_lifted_pieces(situation)
    taken = capture_place(situation, own)
    if taken is None or any(
        own[0] in homes and space in situation.steps(own[0])
        for space, homes in situation.stray_candidates.items()
    ):
        return None
    return judge_move(situation, own[0], taken)


def detect_joint_move(situation: Situation) -> RuleResult:
    """Pieces that move together in one step are up: they count once all stand where it leads."""
    own = set(_movable_lifted_pieces(situation))
    for (origin, target), others in situation.position.companion_moves.items():
        targets = {target, *(to for _, to in others)}
        if own == {origin, *(home for home, _ in others)} and situation.stray_candidates.keys() <= targets:
            return (
                judge_move(situation, origin, target)
                if situation.stray_candidates.keys() == targets
                else UNFINISHED_GESTURE
            )
    return None


def detect_first_of_alike(situation: Situation) -> RuleResult:
    """Pieces are alike, and several stand elsewhere: the one set down first counts first."""
    own, strays = _movable_lifted_pieces(situation), situation.stray_candidates
    if not situation.position.has_alike_pieces or not own or len(strays) > len(situation.lifted_at):
        return None
    rests = sorted(strays, key=lambda space: (situation.piece_tracker.set_down_time(space), space))
    waiting = attacks.blocking_attack_question(situation)
    if waiting is not None:
        return _detect_attack_withdrawal(situation, waiting.spaces[0], rests) or UNFINISHED_GESTURE
    for space in rests:
        known = [home for home in own if home in strays[space]] or own
        known = [*known, *situation.movable_pieces(situation.piece_tracker.possibly_replaced_pieces(space))]
        may = [home for home in known if situation.can_move_quietly(home, space)]
        others = [home for home in may if shared_spaces.space_of(home) != shared_spaces.space_of(may[0])]
        if others:  # what it costs may differ
            return ThatPieceQuestion(may[0], space, others[0], situation.owner(may[0]))
        if may:
            return judge_move(situation, may[0], space)
    # None may go there; of those that may have come, also where another has to go on first, it is
    # likeliest the one that was lifted last.
    known = [
        home for home in situation.movable_pieces(situation.lifted_at.keys()) if home in strays[rests[0]]
    ] or own
    return judge_move(situation, max(known, key=situation.lifted_at.__getitem__), rests[0])


def _detect_attack_withdrawal(situation: Situation, home: Home, rests: list[Place]) -> TrackerEvent | None:
    """An attack of the piece of `home` waits, and others of its side are up: what rests elsewhere may be
    that piece, or one that was moved early. Nothing else is judged before the attack is answered."""
    for space in rests:
        up = situation.movable_pieces(situation.stray_candidates[space])
        if home in up and situation.can_move_quietly(home, space):
            others = [other for other in up if other != home]
            return (
                ThatPieceQuestion(home, space, others[0], situation.owner(home))
                if others
                else judge_move(situation, home, space)
            )
    return None


# What nobody was seen to lift


def detect_corrected_move(situation: Situation) -> TrackerEvent | None:
    """The mover's piece seemed to stand where it may not go, and now stands where it may."""
    stands = _mover_and_its_place(situation)
    return (
        judge_second_set_down(situation, *stands)
        if stands is not None and _unexplained_places(situation)
        else None
    )


def _first_stranger_place(situation: Situation) -> Place | None:
    """The first space where something stands that nobody was seen to lift, unless the mover has made a move
    beside which it was set down: it is too far away to be the same piece, or was there before."""
    spaces, stands = _unexplained_places(situation), _mover_and_its_place(situation)
    if not spaces:
        return None
    if stands is not None and situation.can_move_quietly(*stands):
        home, moved = stands
        if all(
            situation.position.is_apart(moved, space)
            or situation.piece_tracker.set_down_time(space) < situation.lifted_at[home]
            for space in spaces
        ):
            return None
    return spaces[0]


def ask_about_winner_beside(situation: Situation) -> WhoStandsQuestion | None:
    """A piece that has won a battle was set down, and something beside it at once: that may be the winner."""
    space = _first_stranger_place(situation)
    home = None if space is None else situation.piece_tracker.straddled_space(space, situation.position)
    if space is None or home is None or home not in situation.winner_places:
        return None
    return WhoStandsQuestion(home, space, situation.owner(home))


def detect_piece_between_spaces(situation: Situation) -> BoardFault | None:
    """Two neighbouring spaces feel a piece, and nothing was seen to come to one of them."""
    space = _first_stranger_place(situation)
    if space is None:
        return None
    spaces, resting = _unexplained_places(situation), sorted(situation.certain_places.values())
    middle = situation.piece_tracker.straddled_space(space, situation.position) if len(spaces) == 1 else None
    if middle is not None:
        return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({middle, *spaces})))
    if len(spaces) == len(resting) == 1 and not situation.position.is_apart(space, resting[0]):
        # A piece that rests on two sensors closed the second without anything being lifted.
        return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({*spaces, *resting})))
    return None


def dropped(s: Situation) -> TrackerEvent | None:
    """A piece was set down where one from beside the board may go."""
    space = _first_stranger_place(s)
    if (
        space is None
        or s.lifted_at
        or len(_unexplained_places(s)) != 1
        or space in s.piece_tracker.reported_extra_places
    ):
        return None
    trays = [tray for tray in sorted(s.position.trays) if s.can_move_quietly(tray, space)]
    # It is asked where the piece of the last move may have come down late, and of a reed that closed in an
    # earlier turn: that may stick.
    put_back = s.position.last_quiet_move is not None and space == s.position.last_quiet_move[0]
    if len(trays) == 1 and not put_back and s.piece_tracker.set_down_time(space) > s.layout_since:
        return judge_move(s, trays[0], space)
    asked = (CameFromQuestion(tray, space, s.position.trays[tray]) for tray in trays)
    return next((question for question in asked if question not in s.declined_events), None)


def detect_move_from_unsensed(situation: Situation) -> TrackerEvent | None:
    """A piece was set down that can only have come from a space whose sensor says nothing."""
    space = _first_stranger_place(situation)
    if space is None or situation.lifted_at or len(_unexplained_places(situation)) != 1:
        return None
    deaf = situation.movable_pieces(
        (situation.position.hand_played_places | situation.position.shared_places)
        & situation.position.owners.keys()
    )
    origins = [home for home in deaf if space in situation.steps(home)]
    if len(origins) != 1:
        return None
    if origins[0] in situation.position.shared_places:  # it stood among others: by the turn it is that one
        return judge_move(situation, origins[0], space)
    return CameFromQuestion(origins[0], space, situation.owner(origins[0]))


def detect_move_by_tag(situation: Situation) -> TrackerEvent | None:
    """A piece was set down that was not seen lifted, and its tag says which: its own sensor sticks."""
    space = _first_stranger_place(situation)
    home = None if space is None else situation.piece_tracker.homes_by_tag.get(space)
    return (
        judge_move(situation, home, space)
        if home is not None and space is not None and home in situation.movable_pieces_felt
        else None
    )


def detect_stuck_sensor(situation: Situation) -> SuspectSpace | None:
    """A piece must have left one space twice, and the sensor there never opened."""
    suspects = (
        situation.stuck_sensors.suspects(situation.possible_unsensed_origins())
        if _first_stranger_place(situation) is not None
        else []
    )
    return SuspectSpace(suspects[0]) if len(suspects) == 1 else None


def ask_where_from(situation: Situation) -> CameFromQuestion | None:
    """A piece was set down that was not seen lifted, and one of the mover's may have gone there."""
    space = _first_stranger_place(situation)
    if space is None:
        return None
    unopened = situation.possible_unsensed_origins()
    possible = situation.stuck_sensors.suspects(unopened)
    if (
        not possible
        and situation.piece_tracker.set_down_time(space) > situation.layout_since
        and space not in situation.piece_tracker.reported_extra_places
    ):
        possible = situation.position.sort_by_distance(space, sorted(unopened))
    asked = (
        CameFromQuestion(home, space, situation.owner(home)) for home in possible[:QUESTION_CANDIDATES_MAX]
    )
    return next((question for question in asked if question not in situation.declined_events), None)


def ask_about_late_arrival(situation: Situation) -> WhoStandsQuestion | None:
    """A piece was set down where the one that moved last could have gone: that one may still have been up
    when another was set down elsewhere."""
    space = _first_stranger_place(situation)
    if space is None or situation.last_move_alternatives is None:
        return None
    home, others = situation.last_move_alternatives
    if (
        space not in others
        or home not in situation.piece_tracker.felt_places & situation.position.owners.keys()
    ):
        return None
    return WhoStandsQuestion(home, space, situation.owner(home))


def detect_extra_piece(situation: Situation) -> BoardFault | None:
    """A piece was set down that was not seen lifted."""
    return (
        None
        if _first_stranger_place(situation) is None
        else BoardFault(FaultCode.EXTRA_PIECE, tuple(_unexplained_places(situation)))
    )


# What was lifted


def ask_which_piece_moved(situation: Situation) -> ThatPieceQuestion | None:
    """Something stands where the one piece that has the turn may go, and it may be another: both are up, or
    the piece left others on its sensor and one of them was lifted at once."""
    if len(situation.position.steps) != 1 or len(situation.stray_candidates) != 1:
        return None
    ((origin, steps),), ((target, homes),) = (
        situation.position.steps.items(),
        situation.stray_candidates.items(),
    )
    others = sorted(homes - {origin})
    hidden = origin == situation.position.hidden_mover() and target in situation.piece_tracker.pushed_arrivals
    if target in steps and others and (hidden or origin in homes):
        return ThatPieceQuestion(origin, target, others[0], situation.owner(origin))
    return None


def ask_about_capture_beside(situation: Situation) -> AttackHereQuestion | None:
    """The mover's piece seems to stand where it may not go: that may be one which it has captured."""
    stands = _mover_and_its_place(situation)
    if stands is None or situation.position.has_alike_pieces or stands[1] in situation.steps(stands[0]):
        return None
    home = stands[0]
    taken = situation.position.attackable_pieces(home, situation.piece_tracker.homes_refilled_while_up(home))
    return AttackHereQuestion(home, taken[0], situation.owner(home)) if len(taken) == 1 else None


def ask_whether_another_piece(situation: Situation) -> ThatPieceQuestion | None:
    """The mover's piece seems to stand where it may go, and another one may stand there instead."""
    stands = _mover_and_its_place(situation)
    if stands is None:
        return None
    theirs = _opposing_candidates(situation, *stands)
    other = theirs[0] if theirs else situation.piece_tracker.excluded_homes.get(stands[1])
    return None if other is None else ThatPieceQuestion(*stands, other, situation.owner(stands[0]))


def _opposing_candidates(situation: Situation, home: Home, space: Place) -> list[Home]:
    """The pieces of the other side that may be what stands where the one of `home` may go.

    They were up when that came to stand there. That they seem to be somewhere else by now proves nothing:
    their owner may have set another piece there, to move for the thinker.
    """
    if situation.position.has_alike_pieces or not situation.can_move_quietly(home, space):
        return []
    taken = situation.position.captures_by_step.get((home, space), frozenset())
    others = (
        situation.piece_tracker.initial_candidates.get(space, frozenset())
        - {home}
        - situation.corrections.refilled_at.keys()
        - taken
    )
    owners = situation.position.owners
    return sorted(
        other for other in others if other in owners and owners[other] not in situation.position.seats_to_move
    )


def detect_put_back(situation: Situation) -> MovePutBack | None:
    """The last move is put back though its side is still to act: no move leads there."""
    home, space = _mover_and_its_place(situation) or (NOWHERE, NOWHERE)
    legal = space in situation.steps(home)
    return (
        MovePutBack(space, home)
        if home and situation.position.last_quiet_move == (space, home) and not legal
        else None
    )


def detect_move(situation: Situation) -> TrackerEvent | None:
    """The mover's piece, up alone, stands elsewhere."""
    stands = _mover_and_its_place(situation)
    return None if stands is None else judge_move(situation, *stands)


def detect_out_of_turn(situation: Situation) -> TrackerEvent | None:
    """A piece of the side that is not to move stands elsewhere."""
    own = _movable_lifted_pieces(situation)
    others = sorted(home for home in situation.certain_places if home not in own)
    if own or not others:
        return None
    home, space = others[0], situation.certain_places[others[0]]
    if situation.position.last_quiet_move == (space, home) and (
        situation.nothing_lifted or situation.position.is_waiting_for_answer
    ):
        return MovePutBack(space, home)
    return BoardFault(FaultCode.NOT_YOUR_TURN, (home, space))


def detect_likely_move(situation: Situation) -> TrackerEvent | None:
    """Pieces are up together, and something stands where one of the mover's may go.

    Another one that is up may stand there, legally or not; one of the other side may have been put there to
    move for the mover, however long it was gone. Of his own the mover knows: one that had long been gone when
    that came to stand there is not thought of, unless it may go there as well.
    """
    may = [
        (home, space)
        for space, homes in sorted(situation.stray_candidates.items())
        for home in _movable_lifted_pieces(situation)
        if home in homes and situation.can_move_quietly(home, space)
    ]
    if len({space for _, space in may}) != 1:
        return None  # two of them moved
    home, space = may[0]
    others = [other for other, _ in may[1:]]
    if not others and len(situation.stray_candidates) < len(situation.lifted_at):
        fresh = (
            situation.stray_candidates[space]
            - {*situation.movable_pieces(situation.long_lifted_pieces)}
            - {home}
        )
        fresh -= situation.position.captures_by_step.get((home, space), frozenset())
        own = situation.movable_pieces(fresh)
        others = [*own, *sorted(fresh - set(own))]
    others = others or _opposing_candidates(situation, home, space)
    return (
        ThatPieceQuestion(home, space, others[0], situation.owner(home))
        if others
        else judge_move(situation, home, space)
    )


def report_unclear_moves(situation: Situation) -> BoardFault:
    """Several pieces moved, and no single move accounts for it."""
    return BoardFault(FaultCode.UNCLEAR_MOVES, tuple(sorted(situation.piece_tracker.differing_spaces())))
