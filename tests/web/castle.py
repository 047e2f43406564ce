"""Positions behind a page without a board under it: what seats say is ruled on, dice are given."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import boardrules
from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.colditz.castle.actions import PawnStep
from boardrules.core import CHANCE, Action, BadText, State
from boardumpire.drawing.screen import board_svg
from boardumpire.messages import disclosure, space_names
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.ruling.umpire import judge_action
from boardumpire.service.next_game import apply_game_changes
from boardumpire.table.opening import NewGameSettings
from boardumpire.web.board_description import board_as_json, piece_looks
from boardware.description import load_board
from boardware.parts import BoardDescription
from web.desks import Plain
from web.served import Screen

GAME = "escape-from-colditz"
BOARD = load_board(GAME)


class PositionDesk(Plain):
    """One position after the other, of any game. What hands would move is said, as where no reed can be
    believed."""

    def __init__(self, state: State, seed: int = 0, board: BoardDescription = BOARD) -> None:
        super().__init__()
        self.state, self.seats, self.game, self._board = state, state.seats, state.game_id, board
        self.dice = random.Random(seed)
        self._new: list[SeatMessage] = []
        self.names = space_names.space_names(board, state)
        self.history: list[SeatMessage] = []
        """What was told before."""
        self.proposal: SeatProposal | None = None
        """What the table is asked."""
        self.events: list[str] = []
        """The kinds of events that everybody was told."""
        self.begun: Callable[[], None] = lambda: None
        """Called once a new game has begun."""

    def earlier_messages(self) -> Sequence[SeatMessage]:
        return self.history

    def take_messages(self) -> list[SeatMessage]:
        taken, self._new = self._new, []
        return [disclosure.with_space_names(message, self.names) for message in taken]

    def do(self, action: Action) -> None:
        ruling = judge_action(self.state, action)
        if ruling.refusal is not None:
            raise ValueError(disclosure.refusal_text(ruling.refusal, ruling.state))
        self.state = ruling.state
        self.events += [event.kind for event in ruling.events if event.audience is None]
        self._new += [
            *disclosure.accepted_messages(0, ruling, self.seats),
            disclosure.turn_message(0, self.state),
        ]

    def submit_command(self, seat: str, text: str) -> None:
        try:
            self.do(self.state.parse(text, seat))
        except BadText as error:
            raise ValueError(str(error)) from None
        self.throw()

    def throw(self) -> None:
        """What chance has to do, as often as it has."""
        while faces := self.state.chance():
            self.do(self.dice.choices([face for face, _ in faces], [weight for _, weight in faces])[0])

    def check_action(self, seat: str, text: str) -> None:
        raise ValueError("nothing to check")

    def view(self, seat: str | None) -> dict[str, Any]:
        return disclosure.view_of(self.state, seat)

    def choices(self, seat: str) -> dict[str, Any]:
        return disclosure.choices_of(self.state, seat)

    def answer_window(self) -> dict[str, Any] | None:
        return {"left_ms": 30_000, "runs": True} if self.state.legal_actions("clock") else None

    def status(self) -> dict[str, Any]:
        asked = None if self.proposal is None else disclosure.proposal_message(0, self.proposal).data
        nothing = {
            "marks": {},
            "question": None,
            "proposal": asked,
            "proposals": [asked] if asked else [],
            "over": self.state.outcome is not None,
        }
        return {**disclosure.corrections_message(0, ()).data, **nothing, "window": self.answer_window()}

    def board_picture(self, language: str, *, turned: bool = False) -> str:
        return board_svg(self._board, self.game, self.state.options, language, turned=turned)

    def printed_board(self) -> dict[str, Any]:
        scenery = self.state.printed_facts()
        shown = {**board_as_json(self._board, self.names), "looks": piece_looks(self.game)}
        return {**shown, "scenery": scenery} if scenery else shown


class CastleDesk(PositionDesk):
    """A game of Colditz, and the next one."""

    def next_game_options(self) -> dict[str, Any]:
        return {**super().next_game(), "games": [GAME], "game": GAME, "options": {GAME: self.state.options}}

    def begin_game(self, wanted: Mapping[str, Any] | None = None) -> None:
        before = NewGameSettings(GAME, self.state.options)
        self.state = boardrules.new(GAME, apply_game_changes(before, wanted or {}, BOARD).options)
        self.throw()
        self.take_messages()
        self.begun()


def played(seed: int, **options: Any) -> Iterator[tuple[State, Action]]:
    """A game of simple players: each position with what is done in it."""
    draws = random.Random(seed)
    state = boardrules.new(GAME, {"players": 3, **options})
    while state.outcome is None:
        (seat,) = state.seats_to_act()
        view: Any = state.view(None if seat == CHANCE else seat)
        action = choose_by_odds(view, state.legal_actions(seat), draws)
        yield state, action
        state, _ = state.apply(action)


def by_hand(screen: Screen, state: Any, action: Action) -> None:
    """Do on a screen what the action says: tap places, press buttons, fill in forms."""
    page = screen.page
    if isinstance(action, PawnStep):
        screen.tap(page.locator('[data-key="whole"]'))
        for node in (action.origin, action.target):
            space = state.facts.rules.board.spaces[node]
            screen.tap(screen.place(f'[data-space="{space}"]'))
        return
    text = str(action)
    head, *rest = text.split()
    button = page.locator(f'.acts [data-key="{text}"]')
    if head == "trade":
        _trade(screen, rest)
    elif head == "refuse":
        for man in rest[: rest.index("at")] if "at" in rest else rest:
            screen.tap(page.locator(f'[data-key="away {man}"]'))
            page.wait_for_selector(f'[data-key="away {man}"]:checked')
        screen.tap(page.locator('.acts [data-key="obey"]'))
    elif head == "obey":
        screen.tap(page.locator('.acts [data-key="obey"]'))
    elif head == "play" and not button.count():
        page.locator(f'[data-key="aim {rest[0]}"]').select_option(text)
        screen.tap(page.locator(f'.acts [data-key="play {rest[0]}"]'))
    elif head == "dare":
        if button.count():
            screen.tap(button)
        else:
            page.locator('[data-key="which dare"]').select_option(text)
            screen.tap(page.locator('.acts [data-key="dare"]'))
        screen.tap(page.locator("dialog .danger"))
    elif head == "end":  # it may have ended by itself
        button.evaluate_all("(all) => all.forEach((one) => one.click())")
    else:
        screen.tap(button)


def _trade(screen: Screen, rest: list[str]) -> None:
    page, split = screen.page, rest.index("for")
    screen.tap(page.locator('[data-part="trade"] summary'))
    page.locator('[data-key="trade with"]').select_option(rest[0])
    for side, goods in (("give", rest[1:split]), ("want", rest[split + 1 :])):
        for kind in sorted(set(goods)):
            field = page.locator(f'[data-key="{side} {kind}"]')
            field.fill(str(goods.count(kind)))
    screen.tap(page.locator('.acts [data-key="trade"]'))
