"""A picture of a game for the documents: played without a screen, in virtual time, drawn as SVG."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from pathlib import Path

from boardrules.core import Step
from boardsim.play.app import PlayApp
from boardsim.play.session import Session
from boardware.ports import MS, SECOND, Micros

SIZE = (108, 31)
RULINGS = 24
"""How far into the game the picture is taken."""
PATIENCE: Micros = 600 * SECOND


def take(begin: Callable[[], Session], path: Path) -> None:
    """Play some turns, have a piece in hand with its squares lit, and write the picture to `path`."""
    path.write_text(asyncio.run(_draw(begin)), encoding="utf-8")


async def _draw(begin: Callable[[], Session]) -> str:
    app = PlayApp(begin)
    async with app.run_test(size=SIZE) as pilot:
        session = app.session
        me = app.me
        assert me is not None, "somebody has to hold the piece"
        session.hand_over(me)
        while not _ready(session, me):
            if session.over is not None or session.now > PATIENCE:
                raise ValueError(f"no picture: {session.over or 'nobody came near'}; try another --seed")
            session.run(session.now + 20 * MS)
        session.take_over(me)
        session.run(session.now + 2 * SECOND)
        app.cursor = _choice(session, me)
        app.action_touch()
        app.turn(session.now + 1500 * MS)
        await pilot.pause()
        svg = app.export_screenshot(title="boardumpire play")
    # The picture brings no font from anywhere: whoever shows it has a monospaced one.
    svg = re.sub(r"@font-face\s*{[^}]*}\s*", "", svg)
    return re.sub(r'(<text [^>]*x=")([0-9.]+)(" [^>]*textLength=")([0-9.]+)("[^>]*>)([^<]*)', _trimmed, svg)


def _trimmed(text: re.Match[str]) -> str:
    """A run of text without the blanks at its ends, which not every viewer keeps."""
    before, x, between, length, after, words = text.groups()
    blank = "&#160;"
    count = len(html.unescape(words))
    one = float(length) / count if count else 0.0
    bare = words
    while bare.startswith(blank):
        bare, x = bare.removeprefix(blank), f"{float(x) + one:.1f}"
    while bare.endswith(blank):
        bare = bare.removesuffix(blank)
    return f"{before}{x}{between}{one * len(html.unescape(bare)):.1f}{after}{bare}"


def _ready(session: Session, me: str) -> bool:
    """Whether it is the turn of `me` some way into the game, with an attack to be made."""
    if session.rulings < RULINGS or me not in session.to_act or session.chores or session.over:
        return False
    return not session.workers[me].hands.held and any(step.attack for step in _steps(session, me))


def _choice(session: Session, me: str) -> str:
    """The piece with the most squares to go to, enemies counting more."""
    worth: dict[str, int] = {}
    for step in _steps(session, me):
        worth[step.origin] = worth.get(step.origin, 0) + (4 if step.attack else 1)
    return max(sorted(worth), key=lambda space: worth[space])


def _steps(session: Session, me: str) -> list[Step]:
    """What hands of `me` may do now."""
    legal = set(session.state.legal_actions(me))
    return [
        step
        for step in session.state.steps()
        if session.state.hand_action(me, step.origin, step.target) in legal
    ]
