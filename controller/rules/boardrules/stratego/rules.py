"""What is fixed for a whole game: the board, the army and how the options make the rules."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

from boardrules.stratego.board import StrategoBoard, board_by_name
from boardrules.stratego.ends import NO_MOVE_RULES
from boardrules.stratego.pieces import BATTLE_TABLES, RANK_BY_SIGN
from boardrules.stratego.repetition import (
    BoardRepeatRule,
    FreeResponder,
    NoChaseRule,
    NoShuttleRule,
    PairRepeatRule,
    ShuttleRule,
)

_CHASE_RULES: Final = {"board_repeat": BoardRepeatRule, "pair_repeat": PairRepeatRule, "off": NoChaseRule}
_SHUTTLE_RULES: Final = {"counts": ShuttleRule, "free": FreeResponder}
_COUNTED_MASKS: Final = {
    "border": attrgetter("crossed_borders"),
    "same_endpoints": attrgetter("end_pair_bit"),
}


class StrategoRules:
    """The rules of one game as its options make them. Equal for equal games with equal options."""

    __slots__ = (
        "_key",
        "announces_ranks",
        "army",
        "battle_table",
        "board",
        "chase_rule",
        "game_id",
        "keeps_ranks_visible",
        "no_move_rule",
        "options",
        "quiet_limit",
        "setup_masks",
        "shuttle_rule",
        "sorted_ranks",
    )  # fmt: skip

    def __init__(
        self, game_id: str, printed: StrategoBoard, army: Mapping[str, int], options: dict[str, Any]
    ) -> None:
        self.game_id = game_id
        self.board = printed
        self.army = army
        """Rank as written -> how many (Q02, Q03, V1, V2)."""
        self.sorted_ranks = sorted(RANK_BY_SIGN[rank] for rank, count in army.items() for _ in range(count))
        """The army as sorted rank numbers."""
        self.options: Mapping[str, Any] = MappingProxyType(options)
        self._key = (game_id, tuple(options.items()))
        mask = options["setup_mask"]
        allowed = printed.zones[0] if mask == "whole" else printed.mask_of_names(mask)
        self.setup_masks = (allowed, printed.rotated_mask(allowed))
        """By side the squares that its set-up may use (B4, B5)."""
        self.shuttle_rule = (
            NoShuttleRule()
            if options["shuttle"] == "off"
            else _SHUTTLE_RULES[options["shuttle_responder"]](
                options["shuttle"],
                _COUNTED_MASKS[options["shuttle_scout"]],
                options["shuttle_attack"] == "counts",
            )
        )
        self.chase_rule = _CHASE_RULES[options["chase"]](options["chase_undo_exception"])
        self.no_move_rule = NO_MOVE_RULES[options["no_move"]]()
        self.battle_table = BATTLE_TABLES[options["spy_vs_spy"]]
        self.announces_ranks = options["announce"] == "ranks"
        """Whether a battle's ranks are told (Q16)."""
        self.keeps_ranks_visible = options["reveal_after_battle"] == "stay_open"
        limit = options["quiet_limit"]
        self.quiet_limit: int | None = None if limit == "off" else limit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StrategoRules) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<rules of {self.game_id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_rules, (self.game_id, self.board.name, dict(self.army), dict(self.options))


def _unpickle_rules(game_id: str, name: str, army: dict[str, int], options: dict[str, Any]) -> StrategoRules:
    return StrategoRules(game_id, board_by_name(name), army, options)
