"""Somebody who knows of a page only what can be read on it: headings, buttons, what squares are called."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error, Page

_LINE = re.compile(r"( *)- '?([a-z]+)(?: \"((?:[^\"\\]|\\.)*)\")?([^:]*)(?::\s*(.*))?$")
MAY_GO, MAY_ATTACK, MAY_CHOOSE = "a piece may move here", "a piece may attack or arrest here", "may be chosen"
LOOK_MS, PRESS_MS = 200, 20_000
FIRST = (
    r"Sit down as .*",
    r"The guards are posted|End the turn now",
    r"Go to the new game",
    r"Keep the tune",
    r"Let the hands do it",
    r"Yes|Accept|I accept|Attack",
    r"Roll the di(e|ce)",
    r"Ready",
    r"Random",
)
"""What is pressed as soon as it can be read, the dearest first."""
LAST = (r"End the turn.*", r"Pass.*", r"Roll again.*", r"Keep.*")
"""What is pressed once nothing else is left to do."""
WAITS = re.compile(
    r".* to (move|play|answer|decide|choose|tidy up the board).*"
    r"|.*: (guards to post|a trade to think about|an Equipment card to give up|who lines up .*)"
    r"|.*: (men (on the way|go back) .*|a guard has to leave .*|markers to look at)"
    r"|Wait.*|You are ready|You (win|lose).*|The game.*|"
)
"""Headings that ask nothing of who reads them."""
NEVER = re.compile(
    r"(Resign|Offer|Take back|No(?!, let it pass)|Don't|Change|Watch|New game|Rematch|Withdraw|Mirror|Save"
    r"|Check|Clear|Sound|The pieces|Play .* by hand|Why not|Cancel|Not|Cards:).*"
)
"""What nobody presses who wants the game to go on."""


@dataclass(frozen=True)
class Line:
    """One line of what a page says: its part of the page, role, name and what is said of it."""

    region: str
    role: str
    name: str
    state: str
    group: str
    dialog: bool


def read(page: Page) -> list[Line]:
    """What a page says, from top to bottom, as a screen reader reads it; what is closed away isn't there."""
    said, region, group, dialog, deep = [], "", "", False, 0
    within = 0
    for text in page.locator("body").aria_snapshot().splitlines():
        found = _LINE.match(text.replace("''", "'"))
        if found is None:
            continue
        indent, role, name, state, rest = found.groups()
        if (role == "region" and len(indent) <= 2) or role == "banner":
            region = name or role
        if dialog and len(indent) <= deep:
            dialog = False
        if len(indent) <= within:
            group = ""
        if role == "group":
            group, within = name or "", len(indent)
        if role == "dialog":
            dialog, deep = True, len(indent)
        whole = (name if name is not None else (rest or "")).strip("'\"").replace('\\"', '"')
        said.append(Line(region, role, whole, state or "", group, dialog))
    return said


def _within(box: Any, frame: Any) -> bool:
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return bool(
        frame["x"] <= x <= frame["x"] + frame["width"] and frame["y"] <= y <= frame["y"] + frame["height"]
    )


class Reader:
    """One person at a window of one device."""

    def __init__(self, page: Page, name: str, seed: int, *, touch: bool) -> None:
        self.page, self.name, self.touch = page, name, touch
        self.draws = random.Random(seed)
        self.did: list[str] = []
        self.stuck = 0
        self._tried: set[str] = set()

    def point(self, box: dict[str, float] | Any) -> None:
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def press(self, name: str, role: str = "button") -> None:
        """Press the button of that name as a finger or a mouse does it; it must not be covered."""
        button = self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        self.did.append(f"{role} {name}")
        try:
            button.tap(timeout=PRESS_MS) if self.touch else button.click(timeout=PRESS_MS)
        except Error as error:
            if button.evaluate_all("all => all.some((one) => !one.disabled)"):  # else it is done meanwhile
                raise AssertionError(f"{self.name} can't press {name!r}: {str(error)[:3000]}") from None

    def square(self, name: str) -> None:
        """Point at a place of the board by what it is called; a place out of sight is brought into sight."""
        place = name.partition(", ")[0]
        spot = self.page.get_by_role("button", name=re.compile(f"^{re.escape(place)}, ")).first
        board = self.page.get_by_role("region", name="The board").bounding_box()
        box = spot.bounding_box()
        assert box is not None, name
        assert board is not None, name
        whole = self.page.get_by_role("button", name="The whole board")
        if whole.count() and not _within(box, board):
            self.press("The whole board")
            self.page.wait_for_timeout(LOOK_MS)
        self.page.evaluate("scrollTo(0, 0)")  # as a thumb does: the board lies at the top
        box = spot.bounding_box()
        assert box is not None, name
        self.did.append(f"place {name}")
        self.point(box)

    def heading(self, said: Sequence[Line]) -> str:
        return next(
            (line.name for line in said if line.role == "heading" and line.region == "What is happening"), ""
        )

    def act(self) -> bool:
        """Do one thing that the page asks for. Whether there was anything."""
        said = read(self.page)
        dialog = [line for line in said if line.dialog]
        if dialog:
            buttons = [line.name for line in dialog if line.role == "button" and line.name != "Cancel"]
            self.press(buttons[-1])
            return True
        free = self._free(said)
        for wish in FIRST:
            found = [name for name in free if re.fullmatch(wish, name)]
            if wish == r"Random" and any(re.fullmatch("Ready", name) for name in free):
                continue
            if found and found[0] not in self._tried:
                self._tried = {found[0]} if found[0] in ("Let the hands do it",) else set()
                self.press(found[0])
                return True
        heading = self.heading(said)
        if WAITS.fullmatch(heading):
            return False
        if self._count(said) or self._place(said):
            return True
        found = [n for n in free if not NEVER.fullmatch(n) and not any(re.fullmatch(w, n) for w in LAST)]
        fresh = [name for name in found if name not in self._tried]
        if fresh:
            name = self.draws.choice(fresh)
            self._tried.add(name)
            self.press(name)
            return True
        last = [name for name in free if any(re.fullmatch(w, name) for w in LAST)]
        if last:
            self._tried.clear()
            self.press(last[0])
            return True
        self._tried.clear()
        return False

    def _count(self, said: Sequence[Line]) -> bool:
        """Where a group says how many there are of how many, press one of its buttons."""
        for line in said:
            counted = re.search(r"(\d+) of (\d+)", line.group)
            if counted and int(counted[1]) < int(counted[2]) and line.role == "button" and not line.state:
                self.press(line.name)
                return True
        return False

    def _come_up(self, said: Sequence[Line]) -> None:
        """Press one of the buttons that have come up since."""
        before = set(self._free(said))
        new = [
            name for name in self._free(read(self.page)) if name not in before and not NEVER.fullmatch(name)
        ]
        if new:
            self.press(self.draws.choice(new))

    def _free(self, said: Sequence[Line]) -> list[str]:
        here = [line for line in said if line.region in ("What is happening", "")]
        return [line.name for line in here if line.role == "button" and "disabled" not in line.state]

    def _places(self, said: Sequence[Line]) -> list[str]:
        return [
            line.name
            for line in said
            if line.region == "The board" and line.role == "button" and ", " in line.name
        ]

    def _goals(self, said: Sequence[Line]) -> list[str]:
        places = self._places(said)
        attacks = [name for name in places if MAY_ATTACK in name]
        return attacks or [name for name in places if MAY_GO in name or MAY_CHOOSE in name]

    def _place(self, said: Sequence[Line]) -> bool:
        """Tap a marked place, or a piece of one's own and then a marked place."""
        goals = self._goals(said)
        if goals:
            self.square(self.draws.choice(goals))
            self.page.wait_for_timeout(LOOK_MS)
            self._come_up(said)
            return True
        own = [name for name in self._places(said) if re.search(f", {re.escape(self.name)}('s|:) ", name)]
        self.draws.shuffle(own)
        for name in own:
            self.square(name)
            self.page.wait_for_timeout(LOOK_MS)
            goals = self._goals(read(self.page))
            if goals:
                self.square(self.draws.choice(goals))
                self.page.wait_for_timeout(LOOK_MS)
                return True
            if self.heading(read(self.page)) != self.heading(said):
                return True
        return False


def evening(people: Sequence[Reader], over: Callable[[], bool], most: int, idle: int = 60) -> int:
    """Have people do what their pages ask for until `over`, at most `most` things. How many they did. After
    `idle` looks in which nobody is asked for anything it is said to hang: machines that play need more."""
    waited = done = 0
    while not over():
        acted = False
        for person in people:
            if person.act():
                acted, done = True, done + 1
        waited = 0 if acted else waited + 1
        assert done < most, "it doesn't end"
        assert waited < idle, "nobody is asked for anything:\n" + "\n".join(
            f"== {each.name}: {each.did[-4:]}\n{each.page.locator('body').inner_text()[:700]}"
            for each in people
        )
        people[0].page.wait_for_timeout(LOOK_MS)
    return done
