"""Games that are over, looked at again: what the strongest player would have done, by what its seat knew.

The player is in a process of its own, as where it plays (`boardumpire bot`). It is shown what the seat saw up
to a move and chooses a few times, each time with other chance and within its level's counted budget. How
often it comes to the same is how sure it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import boardrules
from boardrules.core import Seat
from boardrules.history import GameHistory
from boardrules.players import MAX_THINKING_S
from boardumpire.commands.computer_players import playable_levels, start_player
from boardumpire.commands.player_process import (
    DEFAULT_TIME_BUDGET,
    PlayerFailed,
    PlayerProcess,
    StartPlayer,
    TimeBudget,
    run_player,
)
from boardumpire.commands.referee import observation
from boardumpire.errors import BoardumpireError, JournalError
from boardumpire.history.replays import is_choice
from boardumpire.journal.journal import Store
from boardumpire.messages import announce
from boardumpire.ruling.umpire import carried_move
from boardumpire.supervision import describe

TRIES_PER_MOVE = 5
"""How often it chooses."""
OBSERVATIONS_MAX = 60
"""How many of the seat's earlier views it is shown."""
QUEUED_REQUESTS_MAX = 3
"""How many may wait for an answer while another is worked out."""
CACHE_SIZE = 500
"""How many answers are remembered."""
ANALYSIS_TIMEOUT_S = 10 * MAX_THINKING_S * TRIES_PER_MOVE
"""A player that takes longer for all of it has got stuck."""
PLAYER_STARTS_MAX = 2
"""How many players are tried before who asks is told that none answers."""

log = logging.getLogger("boardumpire")


class AnalysedMove(NamedTuple):
    """Before a move."""

    game: str
    seat: Seat
    played_action: str
    """What was done."""
    observations: tuple[str, ...]
    """What the seat saw until then, oldest first."""
    table_action_texts: frozenset[str]
    """What it may say about the game: no move."""
    carried_moves: Mapping[str, tuple[str, str]]
    """By action from where to where hands carry a piece."""


def situation_before_step(store: Store, number: int, step: int) -> AnalysedMove:
    """The moment before a step of a game that is over (step 1 is the first action).

    Raises `JournalError` for a game that isn't over, or where nobody had to choose.
    """
    header = store.header(number)
    if header.outcome is None:
        raise JournalError(f"game {number} is not over: what it hides stays hidden until it is")
    entries = [entry for entry in store.public_entries(number) if entry.kind == "action"]
    fold = GameHistory(boardrules.new(header.game, header.options))
    if not 0 < step <= len(entries):
        raise JournalError(f"game {number} has {len(entries)} steps, not {step}")
    seat, played = entries[step - 1].seat, entries[step - 1].text
    seen = []
    for place, entry in enumerate(entries[:step], 1):
        if seat in fold.state.seats and place > step - OBSERVATIONS_MAX:
            seen.append(observation.encode(observation.observe(fold.state, seat)))
        if place < step:
            fold.push_text(entry.seat, entry.text)
    state = fold.state
    if not is_choice(state, seat, played):
        raise JournalError(f"game {number}: nobody has a choice at step {step}")
    texts = [str(action) for action in state.legal_actions(seat)]
    ways = {text: way for text in texts if (way := carried_move(state, seat, text)) is not None}
    words = frozenset(str(action) for action in state.table_actions(seat))
    return AnalysedMove(header.game, seat, str(state.parse(played, seat)), tuple(seen), words, ways)


class PlayerChoice(NamedTuple):
    """What a player chose once."""

    action: str
    score: str = ""
    """What it thinks of its position, in words of the game; nothing where it doesn't say."""


class MoveAnalyser:
    """Answers one question at a time."""

    def __init__(
        self,
        store: Callable[[], Store],
        budget: TimeBudget = DEFAULT_TIME_BUDGET,
        longest_s: float = ANALYSIS_TIMEOUT_S,
        start: StartPlayer | None = None,
    ) -> None:
        """`budget`: how long a player may take for one answer, `longest_s` for all of them; `start` starts
        it: a process of its own unless told otherwise."""
        self._store, self._budget, self._longest_s = store, budget, longest_s
        self._start = start or start_seeded_player
        self._one = asyncio.Lock()
        self._asking = 0
        self._known: dict[tuple[int, int], dict[str, Any]] = {}

    async def analyse_step(self, number: int, step: int) -> dict[str, Any]:
        """What the strongest player would have done at a step: `seat`, `level`, `tries`, what was `played`,
        and `choices`, the most frequent first, each with its `action`, `times`, `way` and, where the player
        says it, the `score` of the position.

        Raises `JournalError` as `moment`, `BoardumpireError` where too many ask or no player answers.
        """
        found = self._known.get((number, step))
        if found is not None:
            return found
        if self._asking > QUEUED_REQUESTS_MAX:
            raise BoardumpireError(announce.sentence_by_id("answer thinking"))
        self._asking += 1
        try:
            async with self._one:
                found = self._known.get((number, step)) or await self._compute_analysis(number, step)
        except BoardumpireError:
            raise
        except Exception as error:  # who looks back is told so, and the game that is played goes on
            log.error("step %d of game %d can't be analysed: %s", step, number, describe(error))
            raise BoardumpireError(announce.sentence_by_id("answer no-player")) from None
        finally:
            self._asking -= 1
        self._known[number, step] = found
        if len(self._known) > CACHE_SIZE:
            del self._known[next(iter(self._known))]
        return found

    async def _compute_analysis(self, number: int, step: int) -> dict[str, Any]:
        before = await asyncio.to_thread(situation_before_step, self._store(), number, step)
        level = playable_levels(before.game)[-1]
        chosen = await self._player_choices(before, level)
        scores = {choice.action: choice.score for choice in chosen if choice.score}
        return {
            "step": step,
            "seat": before.seat,
            "level": level,
            "tries": len(chosen),
            "played": before.played_action,
            "choices": [
                {"action": text, "times": times, "way": before.carried_moves.get(text)}
                | ({"score": scores[text]} if text in scores else {})
                for text, times in Counter(choice.action for choice in chosen).most_common()
            ],
        }

    async def _player_choices(self, before: AnalysedMove, level: str) -> Sequence[PlayerChoice]:
        """What the player chooses; one that fails is replaced. Raises `BoardumpireError` if none answers."""
        for _ in range(PLAYER_STARTS_MAX):
            try:
                async with asyncio.timeout(self._longest_s):
                    return await sample_player_choices(before, level, self._budget, self._start)
            except (PlayerFailed, TimeoutError) as error:
                log.warning("the player that analyses %s: %s", before.game, error or "it takes too long")
        raise BoardumpireError(announce.sentence_by_id("answer no-player"))


async def start_seeded_player(game: str, seat: Seat, level: str) -> PlayerProcess:
    """A player that chooses the same whenever it is asked the same, and says what it thinks."""
    return await start_player(game, seat, level, "--seed", "1", "--scores")


async def sample_player_choices(
    before: AnalysedMove,
    level: str,
    budget: TimeBudget = DEFAULT_TIME_BUDGET,
    start: StartPlayer = start_seeded_player,
    tries: int = TRIES_PER_MOVE,
) -> Sequence[PlayerChoice]:
    """What a player of that level chooses so many times. Raises `PlayerFailed`."""
    teller, chosen = _ObservationServer(before), list[PlayerChoice]()
    async with run_player(
        lambda: start(before.game, before.seat, level), f"the player that analyses {before.game}", budget
    ) as process:
        while len(chosen) < tries:
            asked = await process.read_request()
            if asked["do"] == "act" and asked["action"] not in before.table_action_texts:
                chosen.append(PlayerChoice(asked["action"], asked.get("score", "")))
            await process.send_answer(teller.answer_request(asked))
    return chosen


class _ObservationServer:
    """Shows a player what its seat saw, and then that it is its turn, again and again."""

    def __init__(self, before: AnalysedMove) -> None:
        self._before, self._shown = before, -1

    def answer_request(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What it is answered."""
        if asked["do"] == "sight":
            return {"ok": True, "sight": self._before.observations[self._shown]}
        if asked["do"] == "act":
            return {"ok": True}
        last = len(self._before.observations) - 1
        news = [{"kind": "changed"}] if self._shown < last else []
        self._shown = min(self._shown + 1, last)
        return {"ok": True, "to_act": [self._before.seat] if self._shown == last else [], "events": news}
