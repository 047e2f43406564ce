"""What a match says of its players: the share of points, and the difference in Elo, with bounds.

A draw is half a point. The bounds are Wilson's for that share; they hold the true one in 95 of 100 matches,
and are somewhat too wide where there are draws. Elo's scale is where 400 points stand for odds of 10 to 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from boardlab.match.contest import GameResult
from boardlab.match.spent import ResourceUsage

Z = 1.96
"""Standard deviations to either side that hold 95 in 100."""


class MatchScore(NamedTuple):
    """What came of the games played so far, as the first of the two players sees it."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    first_seat: tuple[int, int] = (0, 0)
    """How often the first seat won, whoever had it, and how often the others did."""
    reasons: Mapping[str, int] = {}
    actions: int = 0
    resource_usages: tuple[ResourceUsage, ResourceUsage] = (ResourceUsage(), ResourceUsage())
    """By either player."""

    @property
    def losses(self) -> int:
        """How many the second player won."""
        return self.games - self.wins - self.draws

    @property
    def share(self) -> float:
        """Of the points."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


def tally(games: Iterable[GameResult]) -> MatchScore:
    """What these games come to."""
    found = MatchScore()
    reasons: Counter[str] = Counter()
    for game in games:
        reasons[game.reason] += 1
        at_first = game.winner is not None and game.winner == game.first
        others = game.winner is not None and not at_first
        found = found._replace(
            games=found.games + 1,
            wins=found.wins + (game.winner == 0),
            draws=found.draws + (game.winner is None),
            first_seat=(found.first_seat[0] + at_first, found.first_seat[1] + others),
            actions=found.actions + game.actions,
            resource_usages=(
                found.resource_usages[0].combined_with(game.spent[0]),
                found.resource_usages[1].combined_with(game.spent[1]),
            ),
        )
    return found._replace(reasons=dict(sorted(reasons.items())))


def wilson(points: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share, for 95 in 100."""
    if not games:
        return 0.0, 1.0
    share = points / games
    middle, width = (
        share + Z * Z / (2 * games),
        Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games)),
    )
    return max((middle - width) / (1 + Z * Z / games), 0.0), min((middle + width) / (1 + Z * Z / games), 1.0)


def elo(share: float) -> float:
    """The difference in Elo that such a share of the points stands for."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def score_as_json(found: MatchScore) -> dict[str, Any]:
    """All of it as one JSON object; an Elo without end is null."""
    low, high = wilson(found.wins + found.draws / 2, found.games)
    first, others = found.first_seat
    return {
        "games": found.games,
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "share": round(found.share, 4),
        "bounds": [round(low, 4), round(high, 4)],
        "elo": _finite(elo(found.share)),
        "elo_bounds": [_finite(elo(low)), _finite(elo(high))],
        "first_seat": {
            "wins": first,
            "losses": others,
            "bounds": [round(x, 4) for x in _win_interval(first, others)],
        },
        "reasons": dict(found.reasons),
        "actions": round(found.actions / found.games, 1) if found.games else 0,
        "players": [_usage_as_json(spent) for spent in found.resource_usages],
    }


def _win_interval(first: int, others: int) -> tuple[float, float]:
    return wilson(first, first + others)


def _usage_as_json(spent: ResourceUsage) -> dict[str, Any]:
    each = max(spent.actions, 1)
    return {
        "playouts": round(spent.playouts / each, 1),
        "ms": round(1000 * spent.seconds / each, 2),
        "slowest_ms": round(1000 * spent.slowest, 1),
        "refused": spent.refused,
    }


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None


def text(found: MatchScore, players: tuple[str, str]) -> str:
    """The same for people."""
    all_ = score_as_json(found)
    low, high = all_["bounds"]
    lines = [
        f"{players[0]} against {players[1]}: {found.wins} won, {found.draws} drawn, {found.losses} lost",
        f"share of the points {found.share:.1%}, 95 in 100: {low:.1%} to {high:.1%}",
        f"Elo {shown(elo(found.share))}, 95 in 100: {shown(elo(low))} to {shown(elo(high))}",
        f"the first seat won {found.first_seat[0]}, the others {found.first_seat[1]}",
        "ended by " + ", ".join(f"{reason} {count}" for reason, count in found.reasons.items()),
        f"{all_['actions']} actions a game",
    ]
    for player, each in zip(players, all_["players"], strict=True):
        refused = f", {each['refused']} choices refused" if each["refused"] else ""
        lines.append(
            f"{player}: {each['playouts']} playouts and {each['ms']} ms an action, {each['slowest_ms']} ms"
            f" at most{refused}"
        )
    return "\n".join(lines)


def shown(value: float) -> str:
    """A difference in Elo for people."""
    return f"{value:+.0f}" if math.isfinite(value) else ("+" if value > 0 else "-") + "∞"
