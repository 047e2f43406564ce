"""Games of a journal as people may read them: what is sealed stays sealed until the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from boardumpire.journal import Store


def listing(store: Store) -> Iterator[str]:
    """A line for each game: number, when it began, what was played, how it ended."""
    for game in store.games():
        begun = datetime.fromtimestamp(game.begun_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        end = "goes on"
        if game.outcome is not None:
            end = f"{game.outcome.winner or 'nobody'} won ({game.outcome.reason})"
        yield f"{game.number}  {begun}  {game.game} on {game.board}: {end}"
