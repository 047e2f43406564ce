"""Somebody alone at a board who knows nothing of the game: lamps alone say what hands shall do.

Amber: lift that piece. Blue: put one there. White at a name, of a piece or a side: that one is meant. Blue
at a name, while several are in the hands: that one is to be put. White at a space: is it there now? Blue at a
ticket is no name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from boardumpire.lamps.legend import COLOURS, SHARED_MARKS
from boardware.ports import Light
from boardwire.lights import DIM
from evenings.service import Service

TAKE, PUT, ASKS = (SHARED_MARKS[name].colour for name in ("take", "put", "asks"))
"""Amber, blue and white."""
LOOKS_S = 0.3
"""How often lamps are looked at."""
REACTS_S = 0.8
"""What lamps have shown for so long is acted on."""
AGAIN_S = 10.0
"""Who has done what lamps ask for does it again only if they ask for so long."""
ANSWERS_S = 1.0
"""How often it answers what is asked again."""
HOME_ROWS = {"red": "123", "blue": "678"}
"""What is printed on a Stratego board: whose half is whose."""


class LampFollower:
    """One person."""

    def __init__(self, service: Service, halves: Mapping[str, str] = HOME_ROWS) -> None:
        self._drivers, self._board, self._halves = service.drivers, service.board, halves
        self._seen: tuple[object, float] = None, 0.0
        self._done: tuple[object, float] = None, 0.0
        self._carried_to, self._carrying, self._answered = "", 0, 0.0
        self.carried = self.stood = self.mended = 0
        """How often a piece was carried and stood, and how often chores were done."""

    async def obey(self) -> None:
        """Until it is stopped."""
        while True:
            await asyncio.sleep(LOOKS_S)
            lit = colours(self._drivers.lamps.lights)
            spaces = self._board.world.board.spaces
            take = tuple(space for space in lit if space in spaces and lit[space] == TAKE)
            put = tuple(space for space in lit if space in spaces and lit[space] == PUT)
            asks = sorted(lamp for lamp in lit if lamp.startswith("turn-") and lit[lamp] == PUT)
            if lit.get(self._carried_to) == ASKS:
                self._answer()
                continue
            moving = any(each["is"] in ("led", "lands") for each in self._board.fingers.pieces())
            if moving or not (take or put) or not self._is_new((take, put, asks)):
                continue
            self._do(take, put, {lamp for lamp, hue in lit.items() if hue == ASKS}, asks)

    def _answer(self) -> None:
        """White asks about the space where a piece was carried last: it stands there, or it doesn't."""
        now = asyncio.get_running_loop().time()
        if now - self._answered >= ANSWERS_S:
            self._answered = now
            there = any(each["id"] == self._carrying for each in self._on(self._carried_to))
            self._board.do_gesture({"do": "press", "button": "confirm" if there else "cancel"}, "people")

    def _is_new(self, shown: object) -> bool:
        """Whether this has been shown for a moment and isn't what was done last: who has done it waits until
        lamps say something else."""
        now = asyncio.get_running_loop().time()
        if shown != self._seen[0]:
            self._seen = shown, now
        if now - self._seen[1] < REACTS_S:
            return False
        if shown == self._done[0] and now - self._done[1] < AGAIN_S:
            return False
        self._done = shown, now
        return True

    def _do(self, take: tuple[str, ...], put: tuple[str, ...], white: set[str], asks: list[str]) -> None:
        standing = {space: self._on(space) for space in (*take, *put)}
        if len(take) == 1 and len(put) == 1 and standing[take[0]]:
            there = standing[take[0]]
            meant = [each for each in there if {f"turn-{each.get('name')}", f"turn-{each['seat']}"} & white]
            piece = (meant or there)[-1]
            self._board.do_gesture({"do": "carry", "piece": piece["id"], "space": put[0]}, "people")
            self._carried_to, self._carrying = put[0], piece["id"]
            self.carried += 1
        elif put and not take and not self._board.fingers.grips:
            self._stand([space for space in put if not standing[space]], white)
            self._set_apart([space for space in put if len(standing[space]) > 1])
        else:
            chores = [{"do": "take", "space": space} for space in take]
            puts = [{"do": "put", "space": space, **self._whose(asks)} for space in put]
            self._board.do_gesture({"do": "tidy", "chores": [*chores, *puts]}, "people")
            self.mended += 1

    def _whose(self, asks: list[str]) -> dict[str, str]:
        """Which piece is to be put, if blue says it at its name or its side's."""
        if not asks:
            return {}
        side = asks[0].removeprefix("turn-")
        piece = next((each for each in self._board.fingers.pieces() if each.get("name") == side), None)
        return {"seat": side} if piece is None else {"seat": piece["seat"], "name": side}

    def _stand(self, spaces: list[str], white: set[str]) -> None:
        if not spaces:  # another piece stands there, and that is all right
            return
        self.stood += len(spaces)
        named = [each for each in self._board.fingers.pieces() if f"turn-{each.get('name')}" in white]
        if named:
            self._board.do_gesture({"do": "carry", "piece": named[0]["id"], "space": spaces[0]}, "people")
            return
        for seat, rows in self._halves.items():
            own = [space for space in spaces if space[1:] in rows]
            if own:
                self._board.do_gesture({"do": "lay-out", "seat": seat, "spaces": own}, "people")

    def _set_apart(self, spaces: list[str]) -> None:
        """Blue where several pieces stand: each wants a place of its own."""
        if spaces:
            chores = [{"do": "ring", "space": space} for space in spaces]
            self._board.do_gesture({"do": "tidy", "chores": chores}, "people")
            self.mended += 1

    def _on(self, space: str) -> list[dict[str, Any]]:
        slots = {slot.id for slot in self._board.world.board.spaces[space].slots}
        return [
            each
            for each in self._board.fingers.pieces()
            if each["is"] in ("stands", "lands") and each["slot"] in slots
        ]


NAMES = {colour: name for name, colour in COLOURS.items()}


def colours(lights: Mapping[str, Light]) -> dict[str, str]:
    """By lamp the name of its colour. A faint blue light says whose turn it is and asks for nothing."""
    lit = {lamp: NAMES[light.code >> 4] for lamp, light in lights.items()}
    return {lamp: hue for lamp, hue in lit.items() if hue != PUT or lights[lamp].code & 15 != DIM}
