"""What an effect of a card has to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from boardrules.colditz.deck.cards import Card
from boardrules.colditz.moving.arrest import record_trail
from boardrules.colditz.state.answer_windows import Arrest, PlayedCard, sides_clockwise
from boardrules.colditz.state.facts import ReadablePosition
from boardrules.colditz.state.position_draft import PositionDraft

AimWords = tuple[str, ...]
"""The words that follow a card's name."""


class CardEffect:
    """What a card does."""

    is_answer: ClassVar[bool] = False
    """Whether it answers what somebody does (R065), and isn't played in one's own turn."""
    playable_phases: ClassVar[tuple[str, ...] | None] = None
    """When in the turn it may be played; `None`: before the roll and after it."""
    aims_depend_on_position: ClassVar[bool] = False
    """Whether its aims depend on where pawns stand: these are listed last."""
    is_uninterruptible: ClassVar[bool] = False
    """Whether nobody may interrupt it."""

    def possible_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """All that it may be aimed at now, in a fixed order; nothing if it can't be played."""
        yield ()

    def listed_aims(self, position: ReadablePosition, side: int, card: Card) -> Iterator[AimWords]:
        """Those of the aims that are listed: where they differ by a free circle alone, the first one."""
        return self.possible_aims(position, side, card)

    def can_answer(
        self, position: ReadablePosition, side: int, card: Card, event: Arrest | PlayedCard
    ) -> bool:
        """Whether it answers this."""
        return False

    def interrupters(self, position: ReadablePosition, side: int, args: AimWords) -> tuple[int, ...]:
        """Who may interrupt it (R068): the Security Officer, or the officers clockwise."""
        if self.is_uninterruptible:
            return ()
        return (0,) if side else sides_clockwise(position, tuple(position.rules.officers))

    def play(self, draft: PositionDraft, side: int, card: Card, args: AimWords) -> None:
        """Carry it out."""
        raise NotImplementedError

    def apply_answer(self, draft: PositionDraft, side: int, card: Card, event: Arrest | PlayedCard) -> None:
        """Carry out an answer; for most, that what was to come doesn't is all."""

    def apply_throw(self, draft: PositionDraft, side: int, purpose: tuple[object, ...], total: int) -> None:
        """The dice that it asked for are thrown."""


def tunnel_by_name(position: ReadablePosition, name: str) -> int:
    """The tunnel of that name."""
    return next(n for n, tunnel in enumerate(position.rules.board.tunnels) if tunnel.name == name)


def set_tunnel(draft: PositionDraft, name: str, state: int) -> None:
    """A tunnel is closed, open or detected."""
    states = list(draft.table.tunnels)
    states[tunnel_by_name(draft, name)] = state
    draft.change_table(tunnels=tuple(states))


def move_directly(draft: PositionDraft, man: int, target: int) -> None:
    """A man is moved without points (R036)."""
    seat = draft.rules.seats[draft.rules.owner[man]]
    draft.add_event(
        "send",
        **{"seat": seat, "from": draft.space_name(draft.node_by_pawn[man]), "to": draft.space_name(target)},
    )
    record_trail(draft, man)
    draft.move_pawn(man, target)
