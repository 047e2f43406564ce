"""The player: it guesses the other army many times, and does what is best on average over all guesses."""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh
from typing import Any, Final

from boardrules.core import NO_SEAT, Action, Seat
from boardrules.players import Chance, Player, PlayerLevel, SearchBudget
from boardrules.stratego.actions import AGREE_DRAW, SEATS, StrategoMove, TableAction
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import StrategoFacts
from boardrules.stratego.pieces import IMMOVABLE_RANKS, UNKNOWN
from boardrules.stratego.players.behaviour import Behaviour
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.players.flag_race import FlagRace
from boardrules.stratego.players.guess_search import WIN_WORTH, GuessSearch, OutOfBudgetError
from boardrules.stratego.players.hidden_battles import WINNING_LEAD, hidden_gains
from boardrules.stratego.players.piece_values import RANK_WORTH, PieceValues
from boardrules.stratego.players.quick_games import QuickGames
from boardrules.stratego.players.setup_generator import sensible_setup
from boardrules.stratego.setup import SetupView
from boardrules.stratego.views import StrategoView

REPETITION_COST: Final = 0.8
QUIET_TURNS_BEFORE_BATTLE: Final = 30
DRAW_AGREED_QUIET_TURNS: Final = 40
"""After so many turns of both sides without a battle it agrees to a draw."""
HOPELESS_SHARE: Final = 0.25
"""Who has less than this share of what the other side has that can move is far behind."""
HOPELESS_TURNS: Final = 10
MAX_GUESSES: Final = 100
"""For one move: dealing a guess takes time that playouts don't count."""
QUICK_GAME_PLAYOUTS: Final = 90
"""What a quick game counts as: it takes about as long."""
SMALL_ARMY: Final = 10
"""With more pieces quick games would end long before a Flag is near, and `WINNING_LEAD` is another one."""
MAX_MOVES_PLAYED_ON: Final = 6
"""So many of the best moves are played on with quick games ..."""
MAX_GAP_PLAYED_ON: Final = 12.0
"""... that are at most so much worse than the best, in points."""
MOVE_NOISE: Final = 0.05
"""How far apart two moves may be and still be the same to it."""


class SamplingPlayer(Player):
    """Plays a seat. A playout is a move that it looks at in a guess."""

    __slots__ = (
        "_battles", "_behaviour", "_deep", "_errs", "_forgets", "_forgot", "_heard", "_hopeless_turns",
        "_knows_habits", "_quick_games", "_seen", "_sees_runs", "_side", "_weighs_odds", "_worlds",
    )  # fmt: skip

    def __init__(self, seat: Seat, level: PlayerLevel) -> None:
        self._deep: int = level.settings["deep"]
        """How many moves ahead it looks at most."""
        self._worlds: int = level.settings["worlds"]
        """How many guesses it wants at least: it looks less far where the budget has no room for them."""
        self._errs: float = level.settings["errs"]
        """How often it does what comes to its mind, unless it knows a piece that it can take."""
        self._forgets: float = level.settings["forgets"]
        """How likely it forgets a rank that was told."""
        self._knows_habits: bool = level.settings["knows_habits"]
        """Whether it knows how people set up."""
        self._heard: set[int] = set()
        self._forgot: set[int] = set()
        self._sees_runs: bool = level.settings["sees_runs"]
        """Whether it sees who reaches a Flag that nobody defends in time."""
        self._weighs_odds: bool = level.settings["weighs_odds"]
        """Whether it takes the mean of chances to win, not of points, and minds who knows what."""
        self._quick_games: int = level.settings["quick_games"]
        """How many games it plays on in its mind before it decides."""
        self._side = SEATS.index(seat)
        self._behaviour = Behaviour() if level.settings["watches"] else None
        self._seen: dict[bytes, int] = {}
        self._battles = 0
        self._hopeless_turns = 0

    def observe_view(self, view: Any) -> None:
        """Remember the positions since the last battle."""
        if not isinstance(view, StrategoView):
            return
        facts = view.facts
        if self._behaviour is not None:
            self._behaviour.observe_facts(facts, self._side)
        if len(facts.revealed.battles) != self._battles:
            self._battles = len(facts.revealed.battles)
            self._seen.clear()
        self._seen[facts.square_by_piece] = self._seen.get(facts.square_by_piece, 0) + 1

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        """A set-up, or a move."""
        if isinstance(view, SetupView):
            return sensible_setup(view.rules, view.seat or NO_SEAT, chance)
        moves = [move for move in legal if isinstance(move, StrategoMove)]
        self._remember_ranks(view.facts, chance)
        self._count_hopeless_turns(view)
        errs = chance.random() < self._errs and not any(self._takes_known(view, move) for move in moves)
        if len(moves) == 1 or errs:
            return moves[chance.randrange(len(moves))]
        beliefs = Beliefs(view, self._behaviour, self._forgot, knows_habits=self._knows_habits)
        games = self._quick_games if _has_small_armies(view.facts) else 0
        kept = min(2 * meter.remaining // 3, games * QUICK_GAME_PLAYOUTS)
        meter.remaining -= kept
        totals = self._mean_values(view, beliefs, moves, chance, meter)
        meter.remaining += kept
        if games:
            totals = self._play_on(view.facts, beliefs, moves, totals, chance, meter)
        scored = [
            (
                total
                - REPETITION_COST * self._repetition_count(view.facts, move)
                + MOVE_NOISE * chance.random(),
                place,
            )
            for place, (total, move) in enumerate(zip(totals, moves, strict=True))
        ]
        return moves[max(scored)[1]]

    def _remember_ranks(self, facts: StrategoFacts, chance: Chance) -> None:
        """Forget some of the ranks that were told since and are hidden again."""
        for piece, rank in enumerate(facts.revealed.announced_ranks):
            if rank != UNKNOWN and piece not in self._heard:
                self._heard.add(piece)
                shown = facts.revealed.visible_ranks[piece] != UNKNOWN
                if not shown and chance.random() < self._forgets and facts.owner_side(piece) != self._side:
                    self._forgot.add(piece)

    def _takes_known(self, view: StrategoView, move: StrategoMove) -> bool:
        """Whether a move takes a piece that it knows that it beats."""
        facts, told = view.facts, view.facts.revealed.announced_ranks
        target = facts.piece_on(move.target_square)
        if target < 0 or target in self._forgot or told[target] == UNKNOWN:
            return False
        rank = view.own_ranks[facts.piece_on(move.origin_square)]
        return facts.rules.battle_table[rank][told[target]] == "attacker"

    def _count_hopeless_turns(self, view: StrategoView) -> None:
        """Count its turns in which it is far behind."""
        facts, told = view.facts, view.facts.revealed.announced_ranks
        army = [RANK_WORTH[rank] for rank in facts.rules.sorted_ranks if rank not in IMMOVABLE_RANKS]
        own, other = 0.0, sum(army)
        for piece, place in enumerate(facts.square_by_piece):
            if facts.owner_side(piece) == self._side:
                if place != CAPTURED_SQUARE and view.own_ranks[piece] not in IMMOVABLE_RANKS:
                    own += RANK_WORTH[view.own_ranks[piece]]
            elif place == CAPTURED_SQUARE and told[piece] not in IMMOVABLE_RANKS:
                other -= RANK_WORTH[told[piece]] if told[piece] != UNKNOWN else sum(army) / len(army)
        self._hopeless_turns = self._hopeless_turns + 1 if own < HOPELESS_SHARE * other else 0

    def is_hopeless(self) -> bool:
        """Whether what it has that can move has been worth far less for ten turns."""
        return self._hopeless_turns >= HOPELESS_TURNS

    def answer_offer(self, view: Any, table: Sequence[Action], chance: Chance) -> Action | None:
        """It agrees to a draw once there was no battle for long: all know that, so it tells nothing."""
        if isinstance(view, StrategoView):
            facts = view.facts
            if facts.ply - facts.revealed.last_battle_ply >= DRAW_AGREED_QUIET_TURNS:
                for action in table:
                    if isinstance(action, TableAction) and action.words == AGREE_DRAW:
                        return action
        return super().answer_offer(view, table, chance)

    def _repetition_count(self, facts: StrategoFacts, move: StrategoMove) -> int:
        """How often the position has stood that a quiet move would bring."""
        if facts.enemy_squares & move.target_mask:
            return 0
        return self._seen.get(facts.square_by_piece.replace(move.origin_byte, move.target_byte), 0)

    def _mean_values(
        self,
        view: StrategoView,
        beliefs: Beliefs,
        moves: list[StrategoMove],
        chance: Chance,
        meter: SearchBudget,
    ) -> list[float]:
        """By move what it comes to, on average over as many guesses as the budget has room for."""
        facts, side = view.facts, SEATS.index(view.seat or NO_SEAT)
        bold = (
            1.0
            + max(0, facts.ply - facts.revealed.last_battle_ply - QUIET_TURNS_BEFORE_BATTLE)
            / QUIET_TURNS_BEFORE_BATTLE
        )
        weighs_odds = self._weighs_odds and _has_small_armies(facts)
        hidden = hidden_gains(facts, beliefs, view.own_ranks) if weighs_odds else None
        deep = self._affordable_depth(len(moves), meter.remaining)
        totals, guesses = [0.0] * len(moves), 0
        while guesses < MAX_GUESSES:
            ranks = beliefs.deal_ranks(chance)
            worth = PieceValues(facts, ranks, side, beliefs.known_ranks, bold)
            try:
                found = GuessSearch(facts, ranks, worth, meter, hidden).root_values(moves, side, deep)
            except OutOfBudgetError:
                if guesses:
                    return [total / guesses for total in totals]
                return GuessSearch(facts, ranks, worth, None).root_values(moves, side, 1)
            if self._sees_runs:
                race = FlagRace(facts, ranks, side)
                found = [value + race.worth_after(move) for value, move in zip(found, moves, strict=True)]
            if weighs_odds:
                found = winning_gains(worth.balance(), found)
            totals = [total + value for total, value in zip(totals, found, strict=True)]
            guesses += 1
        return [total / guesses for total in totals]

    def _play_on(
        self,
        facts: StrategoFacts,
        beliefs: Beliefs,
        moves: list[StrategoMove],
        totals: list[float],
        chance: Chance,
        meter: SearchBudget,
    ) -> list[float]:
        """By move what it comes to once the best are played on: in each guess all of them."""
        best = max(totals)
        order = sorted(range(len(moves)), key=totals.__getitem__, reverse=True)[:MAX_MOVES_PLAYED_ON]
        order = [place for place in order if totals[place] > best - MAX_GAP_PLAYED_ON]
        if len(order) == 1:
            return totals
        won, guesses = [0.0] * len(moves), 0
        for _ in range(self._quick_games // len(order)):
            if not meter.try_spend(QUICK_GAME_PLAYOUTS * len(order)):
                break
            games = QuickGames(facts, beliefs.deal_ranks(chance), self._side)
            for place in order:
                won[place] += games.play(moves[place], chance)
            guesses += 1
        if not guesses:
            return totals
        found = [best - WIN_WORTH] * len(moves)
        for place in order:
            found[place] = totals[place] + 2 * WINNING_LEAD * won[place] / guesses
        return found

    def _affordable_depth(self, moves: int, budget: int) -> int:
        """As deep as the budget has room for with all the guesses that it wants."""
        deep = self._deep
        while deep > 1 and self._worlds * moves**deep > budget:
            deep -= 1
        return deep


def _has_small_armies(facts: StrategoFacts) -> bool:
    return len(facts.rules.sorted_ranks) <= SMALL_ARMY


def winning_gains(balance: float, gains: Sequence[float]) -> list[float]:
    """How much each of these gains changes the chance to win, in points of an even position.

    On average of all guesses a Flag that is there once in a hundred would else be worth a Scout.
    """
    now = tanh(balance / WINNING_LEAD)
    return [WINNING_LEAD * (tanh((balance + gain) / WINNING_LEAD) - now) for gain in gains]
