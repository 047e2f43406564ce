"""Desks that are no daemon: over a bench in virtual time, and over the game that only tests have."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boardrules import registry
from boardrules.core import CHANCE, BadText, IllegalAction, visible
from boardrules.history import GameHistory
from boardsim.bench.bench import Bench
from boardumpire.drawing.screen import board_svg
from boardumpire.errors import BoardumpireError, JournalError
from boardumpire.history.statistics import Tally
from boardumpire.messages import disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.next_game import apply_game_changes
from boardumpire.table.opening import NewGameSettings
from boardumpire.web.board_description import board_as_json
from boardumpire.web.screen import AnswerMemory, ScreenSession
from boardumpire.web.screen_hub import ScreenHub
from boardware.description import load_board
from rules import toy
from web.wire import sized


class Ear:
    """A screen that writes down what it is sent."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.address, self.language = address, "en"
        self.texts: list[str] = []
        self.over: tuple[int, str] | None = None

    def send(self, text: str) -> None:
        self.texts.append(text)

    def hang_up(self, code: int, why: str) -> None:
        self.over = (code, why)


class Plain:
    """What every desk of these has alike."""

    has_table = True
    seats: tuple[str, ...] = ("red", "blue")
    game = "stratego-quick-duel"
    options: Mapping[str, Any] = {}
    players: Mapping[str, str] = {}

    def earlier_messages(self) -> Sequence[SeatMessage]:
        return ()

    def view(self, seat: str | None) -> dict[str, Any]:
        raise NotImplementedError

    def suggest_setup(self, seat: str, preset: str, text: str) -> Mapping[str, str]:
        raise ValueError("nothing to set up")

    def public_views(self, first: int) -> Sequence[dict[str, Any]]:
        return [self.view(None)]

    def board_picture(self, language: str, *, turned: bool = False) -> str:
        return ""

    machine_commands: tuple[str, ...] = ()
    is_sound_on = True

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def begin_game(self, wanted: Mapping[str, Any] | None = None) -> None:
        apply_game_changes(
            NewGameSettings("stratego-quick-duel", {}), wanted or {}, load_board("quick-battle-8x8")
        )
        raise BoardumpireError("this game is not over")

    def next_game_options(self) -> dict[str, Any]:
        clock = {"kind": "none", "base_s": 0, "extra_s": 0}
        return {"games": ["toy"], "game": "toy", "options": {"toy": {}}, "clock": clock}

    def clocks(self) -> dict[str, Any] | None:
        return None

    def answer_window(self) -> dict[str, Any] | None:
        return None

    def propose(self, by: str, thing: str, *, ask_everybody: bool = False) -> bool:
        self.asked.append((by, thing))
        return len(self.asked) == 1

    def further_board_choices(self) -> dict[str, Any] | None:
        return None

    def invite_board(self, board: str, seat: str) -> dict[str, Any]:
        raise BoardumpireError("one board")

    def remove_further_board(self) -> None:
        raise BoardumpireError("one board")

    def set_sound(self, on: bool) -> None:
        self.is_sound_on = on

    async def shut_down(self) -> None:
        raise BoardumpireError("nothing is configured")

    async def update(self) -> None:
        raise BoardumpireError("nothing is configured")

    def finished_games(self) -> list[dict[str, Any]]:
        return []

    def tallies(self) -> list[Tally]:
        return []

    def replay_steps(self, number: int, first: int, count: int) -> Mapping[str, Any]:
        raise JournalError("no game is over")

    async def analyse_move(self, number: int, step: int) -> Mapping[str, Any]:
        raise JournalError("no game is over")


class BenchDesk(Plain):
    """Over a table on a bench, as the daemon stands over its own."""

    def __init__(self, bench: Bench, seats: tuple[str, ...] = ("red", "blue")) -> None:
        super().__init__()
        self._bench = bench
        self.seats = seats

    @property
    def _table(self) -> Any:
        assert self._bench.table is not None
        return self._bench.table

    @property
    def game(self) -> str:
        game: str = self._table.game_id
        return game

    @property
    def options(self) -> Mapping[str, Any]:  # type: ignore[override]
        options: Mapping[str, Any] = self._table.options
        return options

    @property
    def players(self) -> Mapping[str, str]:  # type: ignore[override]
        players: Mapping[str, str] = self._table.players
        return players

    def submit_command(self, seat: str, text: str) -> None:
        self._bench.say(seat, text)

    def check_action(self, seat: str, text: str) -> None:
        self._table.check(seat, text)

    def suggest_setup(self, seat: str, preset: str, text: str) -> Mapping[str, str]:
        found: Mapping[str, str] = self._table.suggest_set_up(seat, preset, text)
        return found

    def view(self, seat: str | None) -> dict[str, Any]:
        view: dict[str, Any] = self._table.view(seat)
        return view

    def choices(self, seat: str) -> dict[str, Any]:
        choices: dict[str, Any] = self._table.choices(seat)
        return choices

    def status(self) -> dict[str, Any]:
        table = self._table
        guidance, proposed = (
            table.guidance,
            [disclosure.proposal_message(0, each).data for each in table.proposals],
        )
        return {
            **disclosure.corrections_message(0, guidance.corrections).data,
            "marks": dict(table.marks),
            "question": None
            if guidance.question is None
            else disclosure.question_message(0, guidance.question).data,
            "proposal": proposed[-1] if proposed else None,
            "proposals": proposed,
            "clocks": table.clocks(),
            "over": table.is_over,
        }

    def clocks(self) -> dict[str, Any] | None:
        clocks: dict[str, Any] | None = self._table.clocks(self._bench.now)
        return clocks

    def printed_board(self) -> dict[str, Any]:
        return board_as_json(self._bench.board)

    def board_picture(self, language: str, *, turned: bool = False) -> str:
        return board_svg(self._bench.board, self.game, self._table.options, language, turned=turned)


class _Heard(BenchDesk):
    def submit_command(self, seat: str, text: str) -> None:
        Bench.say(self._bench, seat, text)


class PhonedBench(Bench):
    """What is said goes through the page's own conversation, filled up as the page does it."""

    _desk: _Heard | None = None
    _room: ScreenHub | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.line: list[tuple[str, int, int]] = []
        """What whoever listens to the encrypted lines has seen: whose, bytes up, bytes down."""

    def say(self, seat: str, text: str) -> None:
        if self._desk is None or self._room is None:
            self._desk = _Heard(self, registry.new(self.setting.game, self.setting.options).seats)
            self._room = ScreenHub(self._desk)
        message = {"do": "say", "id": f"phone-{len(self.line)}", "text": text}
        up = len(sized(message))
        down = ScreenSession(self._desk, self._room, seat, AnswerMemory()).answer_message(message)
        self.line.append((seat, up, len(down)))
        answer = json.loads(down)
        if not answer["ok"]:
            raise ValueError(answer["text"])


registry.register(toy.Toy())
TRACK = Path(__file__).with_name("track.toml")


class ToyDesk(Plain):
    """The game that only tests have: dice, a hidden card, actions without hands, two pieces on a space."""

    seats = toy.SEATS
    game = "toy"

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._fold = GameHistory(toy.new("toy", {}))
        self._dice = random.Random(seed)
        self._new: list[SeatMessage] = []
        self._chance()

    def take_messages(self) -> list[SeatMessage]:
        taken, self._new = self._new, []
        return taken

    def _chance(self) -> None:
        while actions := self._fold.state.chance():
            self._do(self._dice.choices([a for a, _ in actions], [w for _, w in actions])[0])

    def _do(self, action: Any) -> None:
        events = visible(self._fold.push(action), None)
        texts = [
            f"{event.kind} {' '.join(str(value) for _, value in event.data)}".strip() for event in events
        ]
        data = {"ok": True, "seat": action.seat, "action": None, "events": [], "text": texts}
        self._new.append(SeatMessage(0, None, "ruling", data))

    def submit_command(self, seat: str, text: str) -> None:
        try:
            self._do(self._fold.state.parse(text, seat))
        except (BadText, IllegalAction) as error:
            raise ValueError(str(error)) from None
        if seat != CHANCE:
            self._chance()

    def check_action(self, seat: str, text: str) -> None:
        raise ValueError("nothing to check")

    def view(self, seat: str | None) -> dict[str, Any]:
        state = self._fold.state
        raw = state.view(seat).json()
        board: dict[str, Any] = {}
        for space, pieces in state.layout().items():
            board[space] = [{"seat": piece.seat, "rank": piece.name} for piece in pieces]
        view = {
            "game": "toy",
            "seat": seat,
            "to_act": raw["to_act"],
            "phase": "play",
            "board": board,
            "dice": [raw["die"]] if raw["die"] else [],
            "calendar": {"now": self._fold.turn_count, "end": 40},
            "notes": [f"{raw['walker']} wants to walk"] if raw["walker"] else [],
        }
        if raw["card"] is not None:
            view["hand"] = [raw["card"]]
        return view | ({"outcome": raw["outcome"]} if "outcome" in raw else {})

    def choices(self, seat: str) -> dict[str, Any]:
        acts = [str(action) for action in self._fold.state.legal_actions(seat)]
        return {"moves": {}, "acts": acts, "says": [], "zone": []}

    def status(self) -> dict[str, Any]:
        return {
            "chores": [],
            "text": [],
            "marks": {},
            "question": None,
            "proposal": None,
            "proposals": [],
            "over": self._fold.state.outcome is not None,
        }

    def printed_board(self) -> dict[str, Any]:
        return board_as_json(load_board(TRACK))
