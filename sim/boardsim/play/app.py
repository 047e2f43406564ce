"""The terminal: the board, what to do, what the lamps mean, what happened, and a line to type in."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Footer, Input, Static

from boardsim.play import drawing, words
from boardsim.play.drawing import COMPACT, ROOMY, Look, Scene
from boardsim.play.session import Line, Session
from boardsim.play.typed import Unclear, at_cursor, obey
from boardware.ports import Micros

FRAME = 1 / 20
"""Seconds between two pictures."""
PANEL = 28
"""The least width of the panels beside the board."""
BELOW = 2
"""Rows under the board: the line to type in, and the keys."""


def needed(session: Session) -> tuple[int, int]:
    """The least columns and rows that a terminal must have."""
    width, height = drawing.size(session.board, COMPACT)
    return width + PANEL, height + BELOW


class PlayApp(App[None]):
    """Plays sessions until it is left. Time comes from `clock`; without one only `turn` lets it pass."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { background: #16181c; color: #e8e8e2; layers: below above; }
    #room { height: 1fr; }
    #board { padding: 0 1 0 0; }
    #panels { width: 1fr; min-width: 27; }
    .panel { border: round #3a3f47; border-title-color: #9aa0a8; padding: 0 1; }
    #todo { height: auto; min-height: 5; }
    #lamps { height: auto; min-height: 3; }
    #log { height: 1fr; min-height: 3; }
    #help { height: 1fr; display: none; }
    .helped #help { display: block; }
    .helped #lamps, .helped #log, .helped #todo { display: none; }
    #line { height: 1; border: none; padding: 0 1; background: #202329; }
    #small { display: none; width: 100%; height: 100%; content-align: center middle; text-align: center; }
    .small #small { display: block; }
    .small #room, .small #line { display: none; }
    Footer { background: #202329; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "type('help')", "help", priority=True),
        Binding("enter", "touch", "lift/put"),
        Binding("space", "touch", show=False),
        Binding("up", "go(0, 1)", show=False),
        Binding("down", "go(0, -1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("escape", "leave_line", show=False),
        Binding("ctrl+r", "type('random')", "set up", priority=True),
        Binding("ctrl+y", "type('yes')", "yes", priority=True),
        Binding("ctrl+t", "type('tidy')", "tidy up", priority=True),
        Binding("ctrl+o", "eyes", show=False, priority=True),
        Binding("ctrl+w", "type('watch')", show=False, priority=True),
        Binding("ctrl+k", "type('kill')", show=False, priority=True),
        Binding("ctrl+q", "quit", "quit", priority=True),
    ]

    def __init__(
        self,
        begin: Callable[[], Session],
        *,
        clock: Callable[[], Micros] | None = None,
        speed: int = 1,
        last: Micros | None = None,
    ) -> None:
        """`begin` makes a session that is not started yet. The app ends at `last` of the clock, if given."""
        super().__init__()
        self.session = begin()
        self.seen: frozenset[str] = frozenset(self._people() or self.session.state.seats)
        self.cursor = next(iter(self.session.board.spaces))
        self.facing = self._people()[:1] == ["blue"]
        self._begin = begin
        self._clock = clock
        self._speed = speed
        self._last = last
        self._before: Micros = 0
        self._drawn: tuple[Scene, Look] | None = None
        self._shown: dict[str, Text] = {}
        self._help_page: int | None = None
        """Which page of the help stands where the panels are; `None`: none does."""

    # Textual

    def compose(self) -> ComposeResult:
        """The widgets, once."""
        with Container(id="room"), Horizontal():
            yield Static(id="board")
            with Vertical(id="panels"):
                titles = {"todo": "What to do", "lamps": "Lamps", "log": "So far", "help": "Help"}
                for name, title in titles.items():
                    panel = Static(id=name, classes="panel")
                    panel.border_title = title
                    yield panel
        yield Static(id="small")
        yield Input(
            id="line", placeholder="type a move (a3-a4), a verb (lift a3) or help", select_on_focus=False
        )
        yield Footer()

    def on_mount(self) -> None:
        """Power on."""
        self.session.start()
        self._before = self._clock() if self._clock else 0
        if self._clock is not None:
            self.set_interval(FRAME, self._tick)
        self.draw()

    def on_unmount(self) -> None:
        """Power off, lamps dark."""
        self.session.close()

    def on_resize(self, event: events.Resize) -> None:
        """Say so if the terminal is too small; else draw as large as it goes."""
        self.call_after_refresh(self.draw)

    def on_key(self, event: events.Key) -> None:
        """Whatever can be typed goes into the line."""
        line = self.query_one("#line", Input)
        if self.focused is not line and event.is_printable and event.character not in (None, " "):
            self.set_focus(line)
            line.insert_text_at_cursor(event.character or "")
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted goes into the line; what ends with its line is done at once."""
        line = self.query_one("#line", Input)
        first, _, more = event.text.lstrip().partition("\n")
        event.stop()
        if event.text.lstrip() != first or more:
            line.post_message(Input.Submitted(line, line.value + first.rstrip()))
        elif first:
            self.set_focus(line)
            line.insert_text_at_cursor(first)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line was typed."""
        event.input.clear()
        self.set_focus(None)
        self.action_type(event.value)

    # Time

    def _tick(self) -> None:
        assert self._clock is not None
        now = self._clock()
        if self._last is not None and now >= self._last:
            self.exit()
            return
        self.turn(self.session.now + (now - self._before) * self._speed)
        self._before = now

    def turn(self, until: Micros) -> None:
        """Let time pass up to `until`, and draw."""
        self.session.run(until)
        self.draw()

    # Seats

    def _people(self) -> list[str]:
        return [seat for seat in self.session.state.seats if seat not in self.session.players]

    @property
    def me(self) -> str | None:
        """The seat that the person at the keyboard acts for now."""
        people = self._people()
        acting = [
            seat for seat in people if seat in self.session.to_act or self.session.workers[seat].hands.held
        ]
        return next(iter(acting or people), None)

    # Doing

    def action_go(self, right: int, up: int) -> None:
        """Move the cursor."""
        sign = -1 if self.facing else 1
        here = self.session.board.spaces[self.cursor].position
        near = [
            (abs(place.position.x - here.x) + abs(place.position.y - here.y), space)
            for space, place in self.session.board.spaces.items()
            if _ahead((place.position.x - here.x, place.position.y - here.y), (sign * right, sign * up))
        ]
        if near:
            self.cursor = min(near)[1]
            self.draw()

    def action_touch(self) -> None:
        """Lift or put at the cursor, unless something was typed."""
        line = self.query_one("#line", Input)
        if line.value:
            line.post_message(Input.Submitted(line, line.value))
        elif self.me is not None:
            at_cursor(self.session, self.me, self.cursor)

    def action_leave_line(self) -> None:
        """Back to the board, without help."""
        self._help_page = None
        self.query_one("#line", Input).clear()
        self.set_focus(None)

    def action_eyes(self) -> None:
        """Read the next side's pieces: red, blue, both, none."""
        seats = self.session.state.seats
        order = [*(frozenset((seat,)) for seat in seats), frozenset(seats), frozenset[str]()]
        self.seen = order[(order.index(self.seen) + 1) % len(order)] if self.seen in order else order[0]
        self.draw()

    def action_type(self, text: str) -> None:
        """Do what a person typed."""
        try:
            self._do(text.strip())
        except Unclear as error:
            self._say("error", str(error))
        self.draw()

    def _do(self, text: str) -> None:
        session = self.session
        match text.lower().split():
            case ["help" | "?"]:
                self._help_page = 0 if self._help_page is None else self._help_page + 1
            case ["quit" | "exit" | "q"]:
                self.exit()
            case ["kill"]:
                session.kill()
            case ["see", who]:
                seats = session.state.seats
                self.seen = frozenset(seats if who == "both" else (who,)) & frozenset(seats)
            case ["turn"]:
                self.facing = not self.facing
            case ["speed", factor] if factor.isdecimal() and 0 < int(factor) <= 100:
                self._speed = int(factor)
            case ["watch"]:
                self._watch()
            case ["new"]:
                self._again()
            case _ if self.me is None:
                raise Unclear("simulated hands play both sides: type watch to take part")
            case _:
                obey(session, self.me, text)

    def _watch(self) -> None:
        session = self.session
        people = self._people()
        if people:
            for seat in people:
                session.hand_over(seat)
        else:
            for seat in session.state.seats:
                if seat not in session.setting.simulated or session.setting.simulated == set(
                    session.state.seats
                ):
                    session.take_over(seat)

    def _again(self) -> None:
        if self.session.over is None:
            raise Unclear("this game is not over: resign ends it")
        self.session.close()
        self.session = self._begin()
        self.session.start()

    def _say(self, kind: str, text: str) -> None:
        self.session.log.append(Line(self.session.now, kind, text))

    # Drawing

    def draw(self) -> None:
        """Everything as it is now."""
        width, height = self.size
        least = needed(self.session)
        small = width < least[0] or height < least[1]
        self.set_class(small, "small")
        if small:
            self.query_one("#small", Static).update(
                f"The board needs a terminal of {least[0]} columns and {least[1]} rows.\n"
                f"This one has {width} and {height}: please make it larger."
            )
            return
        look = self._look(width, height)
        scene = self._scene()
        if (scene, look) != self._drawn:
            self._drawn = (scene, look)
            board = self.query_one("#board", Static)
            board.styles.width = drawing.size(self.session.board, look)[0] + 1
            board.update(drawing.picture(scene, look))
        self._draw_help()
        self._show("#todo", words.what_to_do(self.session, self.me))
        lamps, log = (self.query_one(name, Static).size for name in ("#lamps", "#log"))
        self._show("#lamps", words.lamps(self.session, lamps.width))
        lines = list(self.session.log)[-log.height :] if log.height else []
        self._show("#log", words.history(lines, log.width, max(1, log.height)))

    def _draw_help(self) -> None:
        """The help takes the place of the panels, never of the board."""
        panel = self.query_one("#help", Static)
        room = self.query_one("#panels", Vertical).size
        pages = words.help_pages(room.width - 4, room.height - 2)
        if self._help_page is not None and self._help_page >= len(pages):
            self._help_page = None
        self.set_class(self._help_page is not None, "helped")
        if self._help_page is not None:
            then = "F1: more" if self._help_page + 1 < len(pages) else "F1: close"
            panel.border_title = f"Help {self._help_page + 1}/{len(pages)} · {then}"
            self._show("#help", pages[self._help_page])

    def _show(self, name: str, text: Text) -> None:
        """Change a panel, if it changes at all: a board at rest costs next to nothing."""
        if self._shown.get(name) != text:
            self._shown[name] = text
            self.query_one(name, Static).update(text)

    def _look(self, width: int, height: int) -> Look:
        wide, high = drawing.size(self.session.board, ROOMY)
        return ROOMY if width >= wide + PANEL and height >= high + BELOW else COMPACT

    def _scene(self) -> Scene:
        session = self.session
        return Scene(
            session.board,
            session.blocked,
            session.lamps(),
            session.world.standing(),
            session.world.fallen(),
            self.seen,
            self.cursor if self._people() else None,
            self.facing,
        )


def _ahead(way: tuple[float, float], wanted: tuple[int, int]) -> bool:
    """Whether `way` leads straight in the direction wanted."""
    along = way[0] * wanted[0] + way[1] * wanted[1]
    aside = abs(way[0] * wanted[1]) + abs(way[1] * wanted[0])
    return along > 0 and aside < 1
