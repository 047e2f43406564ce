"""The daemon knows no game by its name: what is a game's stands in its package."""

from __future__ import annotations

import re
from pathlib import Path

import boardumpire

DAEMON = Path(boardumpire.__file__).parent
NAMES = re.compile(r"stratego|f(?:ü|u|ue)hrer|colditz|hitler|castle", re.IGNORECASE)
TEXTS = {".py", ".js", ".css", ".html", ".svg", ".po", ".json", ".toml"}
NAMED = {
    "service/config.py": ['id: str = _name_field("stratego-quick-duel", "the id of a game")'],
    "commands/parsers.py": [
        'example="bot stratego-quick-duel --seat blue --level 2",',
        'example="page --game stratego-quick-duel --listen 127.0.0.1:9000",',
    ],
    "commands/referee/command.py": [
        '{"do":"new","game":"stratego-quick-duel","seed":1}          begin a game',
        """' {"do":"new","game":"stratego-quick-duel"}'""",
        '"--host takes --game, and neither --seat nor --at; try --host SOCKET --game stratego-quick-duel"',
    ],
    "commands/referee/position_text.py": ['stratego-quick-duel {"announce":"silent"}'],
    "commands/record_conversion.py": [
        "games.jsonl:1: stratego-duel, 43 actions: stated red (flag captured), by the moves red (flag):"
        " as stated",
        "games.jsonl:2: BAD: action 7 of red is not allowed: stratego/lake (Q11)",
    ],
    "makers/traces/trace.py": ["game stratego-quick-duel"],
}
"""By file the lines that name one all the same: the game of a machine on which nobody has chosen any, and
examples in the help of commands and in descriptions of formats."""


def test_no_file_and_no_line_of_the_daemon_names_a_game() -> None:
    files = [path for path in sorted(DAEMON.rglob("*")) if path.suffix in TEXTS]
    assert len(files) > 200
    assert [path for path in files if NAMES.search(str(path.relative_to(DAEMON)))] == []
    found: dict[str, list[str]] = {}
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            if NAMES.search(line):
                found.setdefault(path.relative_to(DAEMON).as_posix(), []).append(line.strip())
    assert found == NAMED
