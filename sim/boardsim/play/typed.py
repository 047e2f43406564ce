"""What a person types about the game: hands' verbs, moves, and what is said to the umpire."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from boardsim.hands.hands import HandsError, space_of
from boardsim.play.session import Session
from boardsim.play.worker import Worker, pieces_on
from boardware.ports import Micros

MOVE = re.compile(r"([a-z]+\d+)\s*(?:[-\u2013\u2014\u2192]|to|x|\s)\s*([a-z]+\d+)[.,;]?")
"""A move as it is typed, or as it is copied from a page, where dashes are longer and sentences end."""

_VERBS = {"lift": (1,), "place": (1,), "put": (1,), "tap": (1, 2), "knock": (1,), "press": (1,)}
"""How many places or buttons each verb takes; `slide` takes any number, `aside` none."""


class Unclear(ValueError):  # noqa: N818
    """What was typed can't be done: what was found, what was expected."""


def obey(session: Session, me: str, text: str) -> None:
    """Do what `text` says for the seat `me`. Raises `Unclear`."""
    words = text.lower().split()
    if not words:
        return
    move = MOVE.fullmatch(" ".join(words))
    if move is not None:
        _known(session, *move.groups())
        session.carry(me, move[1], move[2])
    elif words[0] == "ready" or (words[0] == "yes" and session.may_be_ready(me)):
        session.ready(me)
    elif words[0] in ("yes", "no"):
        button = "confirm" if words[0] == "yes" else "cancel"
        hands = session.workers[me].hands
        session.workers[me].do(partial(hands.press, button))
    elif words[0] == "random":
        session.set_up_at_random(me)
    elif words[0] == "tidy":
        session.tidy(me)
    elif words[0] in _VERBS or words[0] in ("slide", "aside"):
        _by_hand(session, session.by_hand(me), words[0], words[1:])
    else:
        session.say(me, text.strip() if words[0] == "setup" else " ".join(words))


def at_cursor(session: Session, me: str, space: str) -> None:
    """What hands do at a chosen square: lift what stands there, or put down what they hold."""
    worker = session.by_hand(me)
    worker.do(partial(_touch, session, worker, space))


def _touch(session: Session, worker: Worker, space: str, now: Micros) -> Micros:
    hands = worker.hands
    owed = next((c for c in session.chores if c["do"] == "put" and c["space"] == space), None)
    verb = None if owed is None else worker.obeying(owed)
    if verb is not None:
        return verb(now)
    if pieces_on(session.world, space):
        if len(hands.held) == 1 and session.waits_for_set_up(worker.seat):
            return worker.exchange(space, now)
        if len(hands.held) < 2:
            return hands.lift(space, now)
        raise HandsError("both hands are full: put a piece down first, or type aside")
    if hands.held:
        home = any(held.origin is not None and space_of(held.origin) == space for held in hands.held)
        return hands.place(space, now, space if home else None)
    raise HandsError(f"nothing to lift on {space}")


def _by_hand(session: Session, worker: Worker, verb: str, names: list[str]) -> None:
    hands = worker.hands
    if verb == "aside":
        worker.do(hands.aside)
        return
    if verb == "slide":
        if len(names) < 2:
            raise Unclear("slide: expected two squares or more, as in slide a3 a5")
        _known(session, *names)
        worker.do(partial(hands.slide, names))
        return
    if len(names) not in _VERBS[verb]:
        expected = " or ".join(map(str, _VERBS[verb]))
        raise Unclear(f"{verb}: found {len(names)} names, expected {expected}")
    if verb == "press":
        worker.do(partial(hands.press, names[0]))
        return
    _known(session, *names)
    doing: dict[str, Callable[..., Micros]] = {
        "lift": hands.lift,
        "place": hands.place,
        "put": hands.place,
        "knock": hands.knock,
        "tap": hands.tap if len(names) == 2 else hands.sign,
    }
    worker.do(partial(doing[verb], *names))


def _known(session: Session, *spaces: str) -> None:
    for space in spaces:
        if space not in session.board.spaces:
            names = list(session.board.spaces)
            raise Unclear(f"no square {space!r} on this board: expected {names[0]} to {names[-1]}")
