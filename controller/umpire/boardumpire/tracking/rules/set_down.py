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
from boardumpire.tracking.questions import AttackHere, CameFrom, ThatPiece, WhoStands
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import UNFINISHED, Outcome, captured, move, moved_after_all
from boardumpire.tracking.situation import MAX_ASKED, Situation


def _own(s: Situation) -> list[Home]:
    """The pieces that are up and may be moved; of a side that one alone may move, that one: others wait."""
    own = s.own(s.up.keys() - s.awaiting_answer)
    return [home for home in own if home in s.position.steps] or own if len(s.position.steps) == 1 else own


def _unexplained(s: Situation) -> list[Place]:
    """Where something stands that nobody was seen to lift."""
    return sorted(space for space, homes in s.strays.items() if not homes)


def _own_stands(s: Situation) -> tuple[Home, Place] | None:
    """The one piece of the mover's that is up, and where it stands for certain."""
    own = _own(s)
    return (own[0], s.certain[own[0]]) if len(own) == 1 and own[0] in s.certain else None


# Several pieces in one step, and pieces that are all alike


def captures(s: Situation) -> TrackerEvent | None:
    """The mover's piece is in the place of one that it takes; what stands elsewhere is an early reply."""
    own = _own(s)
    taken = captured(s, own)
    if taken is None or any(
        own[0] in homes and space in s.steps(own[0]) for space, homes in s.strays.items()
    ):
        return None
    return move(s, own[0], taken)


def moves_together(s: Situation) -> Outcome:
    """Pieces that move together in one step are up: they count once all stand where it leads."""
    own = set(_own(s))
    for (origin, target), others in s.position.also.items():
        targets = {target, *(to for _, to in others)}
        if own == {origin, *(home for home, _ in others)} and s.strays.keys() <= targets:
            return move(s, origin, target) if s.strays.keys() == targets else UNFINISHED
    return None


def moves_one_of_alike(s: Situation) -> Outcome:
    """Pieces are alike, and several stand elsewhere: the one set down first counts first."""
    own, strays = _own(s), s.strays
    if not s.position.alike or not own or len(strays) > len(s.up):
        return None
    rests = sorted(strays, key=lambda space: (s.pieces.set_down_at(space), space))
    waiting = attacks.blocking(s)
    if waiting is not None:
        return _withdraws_attack(s, waiting.spaces[0], rests) or UNFINISHED
    for space in rests:
        known = [home for home in own if home in strays[space]] or own
        known = [*known, *s.own(s.pieces.replaced_at(space))]
        may = [home for home in known if s.may_go(home, space)]
        others = [home for home in may if shared_spaces.space_of(home) != shared_spaces.space_of(may[0])]
        if others:  # what it costs may differ
            return ThatPiece(may[0], space, others[0], s.owner(may[0]))
        if may:
            return move(s, may[0], space)
    # None may go there; of those that may have come, also where another has to go on first, it is
    # likeliest the one that was lifted last.
    known = [home for home in s.own(s.up.keys()) if home in strays[rests[0]]] or own
    return move(s, max(known, key=s.up.__getitem__), rests[0])


def _withdraws_attack(s: Situation, home: Home, rests: list[Place]) -> TrackerEvent | None:
    """An attack of the piece of `home` waits, and others of its side are up: what rests elsewhere may be
    that piece, or one that was moved early. Nothing else is judged before the attack is answered."""
    for space in rests:
        up = s.own(s.strays[space])
        if home in up and s.may_go(home, space):
            others = [other for other in up if other != home]
            return ThatPiece(home, space, others[0], s.owner(home)) if others else move(s, home, space)
    return None


# What nobody was seen to lift


def moves_after_all(s: Situation) -> TrackerEvent | None:
    """The mover's piece seemed to stand where it may not go, and now stands where it may."""
    stands = _own_stands(s)
    return moved_after_all(s, *stands) if stands is not None and _unexplained(s) else None


def _stranger(s: Situation) -> Place | None:
    """The first space where something stands that nobody was seen to lift, unless the mover has made a move
    beside which it was set down: it is too far away to be the same piece, or was there before."""
    spaces, stands = _unexplained(s), _own_stands(s)
    if not spaces:
        return None
    if stands is not None and s.may_go(*stands):
        home, moved = stands
        if all(
            s.position.apart(moved, space) or s.pieces.set_down_at(space) < s.up[home] for space in spaces
        ):
            return None
    return spaces[0]


def winner_beside(s: Situation) -> WhoStands | None:
    """A piece that has won a battle was set down, and something beside it at once: that may be the winner."""
    space = _stranger(s)
    home = None if space is None else s.pieces.straddled_space(space, s.position)
    if space is None or home is None or home not in s.winners:
        return None
    return WhoStands(home, space, s.owner(home))


def stands_between(s: Situation) -> BoardFault | None:
    """Two neighbouring spaces feel a piece, and nothing was seen to come to one of them."""
    space = _stranger(s)
    if space is None:
        return None
    spaces, resting = _unexplained(s), sorted(s.certain.values())
    middle = s.pieces.straddled_space(space, s.position) if len(spaces) == 1 else None
    if middle is not None:
        return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({middle, *spaces})))
    if len(spaces) == len(resting) == 1 and not s.position.apart(space, resting[0]):
        # A piece that rests on two sensors closed the second without anything being lifted.
        return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({*spaces, *resting})))
    return None


def dropped(s: Situation) -> TrackerEvent | None:
    """A piece was set down where one from beside the board may go."""
    space = _stranger(s)
    if space is None or s.up or len(_unexplained(s)) != 1 or space in s.pieces.strangers:
        return None
    trays = [tray for tray in sorted(s.position.trays) if s.may_go(tray, space)]
    if len(trays) == 1:
        return move(s, trays[0], space)
    asked = (CameFrom(tray, space, s.position.trays[tray]) for tray in trays)
    return next((question for question in asked if question not in s.declined), None)


def moves_from_deaf_space(s: Situation) -> TrackerEvent | None:
    """A piece was set down that can only have come from a space whose sensor says nothing."""
    space = _stranger(s)
    if space is None or s.up or len(_unexplained(s)) != 1:
        return None
    deaf = s.own((s.position.blind | s.position.shared) & s.position.owners.keys())
    origins = [home for home in deaf if space in s.steps(home)]
    if len(origins) != 1:
        return None
    if origins[0] in s.position.shared:  # it stood among others: by the turn it is that one
        return move(s, origins[0], space)
    return CameFrom(origins[0], space, s.owner(origins[0]))


def moves_by_tag(s: Situation) -> TrackerEvent | None:
    """A piece was set down that was not seen lifted, and its tag says which: its own sensor sticks."""
    space = _stranger(s)
    home = None if space is None else s.pieces.named.get(space)
    return move(s, home, space) if home is not None and space is not None and home in s.own_felt else None


def sensor_sticks(s: Situation) -> SuspectSpace | None:
    """A piece must have left one space twice, and the sensor there never opened."""
    suspects = s.stuck_sensors.suspects(s.unopened()) if _stranger(s) is not None else []
    return SuspectSpace(suspects[0]) if len(suspects) == 1 else None


def may_have_come(s: Situation) -> CameFrom | None:
    """A piece was set down that was not seen lifted, and one of the mover's may have gone there."""
    space = _stranger(s)
    if space is None:
        return None
    unopened = s.unopened()
    possible = s.stuck_sensors.suspects(unopened)
    if not possible and s.pieces.set_down_at(space) > s.layout_since and space not in s.pieces.strangers:
        possible = s.position.by_distance(space, sorted(unopened))
    asked = (CameFrom(home, space, s.owner(home)) for home in possible[:MAX_ASKED])
    return next((question for question in asked if question not in s.declined), None)


def set_down_late(s: Situation) -> WhoStands | None:
    """A piece was set down where the one that moved last could have gone: that one may still have been up
    when another was set down elsewhere."""
    space = _stranger(s)
    if space is None or s.last_moved is None:
        return None
    home, others = s.last_moved
    if space not in others or home not in s.pieces.felt & s.position.owners.keys():
        return None
    return WhoStands(home, space, s.owner(home))


def extra_piece(s: Situation) -> BoardFault | None:
    """A piece was set down that was not seen lifted."""
    return None if _stranger(s) is None else BoardFault(FaultCode.EXTRA_PIECE, tuple(_unexplained(s)))


# What was lifted


def may_be_pushed_by_turn(s: Situation) -> ThatPiece | None:
    """Something stands where the one piece that has the turn may go, and it may be another: both are up, or
    the piece left others on its sensor and one of them was lifted at once."""
    if len(s.position.steps) != 1 or len(s.strays) != 1:
        return None
    ((origin, steps),), ((target, homes),) = s.position.steps.items(), s.strays.items()
    others = sorted(homes - {origin})
    hidden = origin == s.position.hidden() and target in s.pieces.pushed
    if target in steps and others and (hidden or origin in homes):
        return ThatPiece(origin, target, others[0], s.owner(origin))
    return None


def captured_beside(s: Situation) -> AttackHere | None:
    """The mover's piece seems to stand where it may not go: that may be one which it has captured."""
    stands = _own_stands(s)
    if stands is None or s.position.alike or stands[1] in s.steps(stands[0]):
        return None
    home = stands[0]
    taken = s.position.attackable(home, s.pieces.came_home_while_up(home))
    return AttackHere(home, taken[0], s.owner(home)) if len(taken) == 1 else None


def may_be_another(s: Situation) -> ThatPiece | None:
    """The mover's piece seems to stand where it may go, and another one may stand there instead."""
    stands = _own_stands(s)
    if stands is None:
        return None
    theirs = _theirs_at(s, *stands)
    other = theirs[0] if theirs else s.pieces.unsure.get(stands[1])
    return None if other is None else ThatPiece(*stands, other, s.owner(stands[0]))


def _theirs_at(s: Situation, home: Home, space: Place) -> list[Home]:
    """The pieces of the other side that may be what stands where the one of `home` may go.

    They were up when that came to stand there. That they seem to be somewhere else by now proves nothing:
    their owner may have set another piece there, to move for the thinker.
    """
    if s.position.alike or not s.may_go(home, space):
        return []
    taken = s.position.takes.get((home, space), frozenset())
    others = s.pieces.contested.get(space, frozenset()) - {home} - s.corrections.tidied.keys() - taken
    owners = s.position.owners
    return sorted(other for other in others if other in owners and owners[other] not in s.position.movers)


def puts_back(s: Situation) -> MovePutBack | None:
    """The last move is put back though its side is still to act: no move leads there."""
    home, space = _own_stands(s) or (NOWHERE, NOWHERE)
    legal = space in s.steps(home)
    return MovePutBack(space, home) if home and s.position.last == (space, home) and not legal else None


def moves(s: Situation) -> TrackerEvent | None:
    """The mover's piece, up alone, stands elsewhere."""
    stands = _own_stands(s)
    return None if stands is None else move(s, *stands)


def moves_out_of_turn(s: Situation) -> TrackerEvent | None:
    """A piece of the side that is not to move stands elsewhere."""
    own = _own(s)
    others = sorted(home for home in s.certain if home not in own)
    if own or not others:
        return None
    home, space = others[0], s.certain[others[0]]
    if s.position.last == (space, home) and (s.nothing_lifted or s.position.waiting):
        return MovePutBack(space, home)
    return BoardFault(FaultCode.NOT_YOUR_TURN, (home, space))


def moves_likely(s: Situation) -> TrackerEvent | None:
    """Pieces are up together, and something stands where one of the mover's may go.

    Another one that is up may stand there, legally or not; one of the other side may have been put there to
    move for the mover, however long it was gone. Of his own the mover knows: one that had long been gone when
    that came to stand there is not thought of, unless it may go there as well.
    """
    may = [
        (home, space)
        for space, homes in sorted(s.strays.items())
        for home in _own(s)
        if home in homes and s.may_go(home, space)
    ]
    if len({space for _, space in may}) != 1:
        return None  # two of them moved
    home, space = may[0]
    others = [other for other, _ in may[1:]]
    if not others and len(s.strays) < len(s.up):
        fresh = s.strays[space] - {*s.own(s.long_away)} - {home}
        fresh -= s.position.takes.get((home, space), frozenset())
        own = s.own(fresh)
        others = [*own, *sorted(fresh - set(own))]
    others = others or _theirs_at(s, home, space)
    return ThatPiece(home, space, others[0], s.owner(home)) if others else move(s, home, space)


def muddle(s: Situation) -> BoardFault:
    """Several pieces moved, and no single move accounts for it."""
    return BoardFault(FaultCode.MUDDLE, tuple(sorted(s.pieces.differing_spaces())))
