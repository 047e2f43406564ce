"""Files of games that were damaged, or made to do damage, give games, or errors that name their place.

A seed mutates every file in one of five ways: bytes flipped, cut short, a part twice, a key twice, or a value
of a wrong type. None may end in a traceback, and what is read of it must come back whole.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import record, registry
from boardumpire import cli
from rules import contract

FILES = 120
"""Mutated files of each kind."""
WRONG: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, "", "x", "\u2028", "red\nresult red flag", [], ["x"], [[]], {}, {"a": 1},
    [{}] * 30, "\ud800", 1e308,
)  # fmt: skip


def played(game: str, seed: int) -> record.Record:
    """A random game with all that a source may say of it."""
    state, rng = boardrules.new(game), random.Random(seed)
    actions = []
    while state.outcome is None and len(actions) < 40:
        action = contract.choose(state, rng)
        actions.append((action.seat, str(action)))
        state, _ = state.apply(action)
    digest = "5e" * 32
    whole = record.record_of(
        state, tuple(actions), seed=seed, board="b", date="2026-01-31", players={state.seats[0]: "Ann"},
        event="club", place="home", source="a book", tags={"id": [1, {"a": None}]},
        comments=(record.RecordComment(-1, "from the book"), record.RecordComment(3, "well")),
        commitments=(record.RecordedCommitment(1, state.seats[0], digest, "00ff"),),
    )  # fmt: skip
    return whole if whole.result else whole._replace(stated=record.StatedResult("draw", "agreed"))


def neutral(seed: int) -> list[dict[str, Any]]:
    (way,) = [each for each in registry.notations() if each.name == "neutral"]
    games = [played(game, seed)._replace(commitments=()) for game in sorted(way.games)]
    return [json.loads(way.write(game).text) for game in games]


def json_lines(seed: int, rng: random.Random) -> str:
    return "\n".join(json.dumps(game, indent=rng.choice((None, None, 1))) for game in neutral(seed))


def json_array(seed: int, rng: random.Random) -> str:
    return json.dumps(neutral(seed), indent=rng.choice((None, 1)))


def records(seed: int, rng: random.Random) -> str:
    return record.write_all([played(game, seed) for game in rng.sample(list(boardrules.games()), 3)])


def old_record(seed: int, rng: random.Random) -> str:
    bare = played(rng.choice(list(boardrules.games())), seed)
    return record.write(record.Record(bare.game, bare.options, bare.actions, seed, "b", None, bare.result))


def letters(seed: int, rng: random.Random) -> str:
    (way,) = [each for each in registry.notations() if each.name == "gravon"]
    return "".join(way.write(played(game, seed)).text for game in sorted(way.games))


KINDS: dict[str, Callable[[int, random.Random], str]] = {
    "lines": json_lines, "array": json_array, "records": records, "old": old_record, "gravon": letters,
}  # fmt: skip


def flipped(data: bytearray, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(data: bytearray, rng: random.Random) -> bytes:
    return bytes(data[: rng.randrange(len(data))])


def doubled(data: bytearray, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    return b"\n".join([*lines[: at + rng.randint(0, 3)], *lines[at:]])


def key_twice(data: bytearray, rng: random.Random) -> bytes:
    found = rng.choice([*re.finditer(rb'"(\w+)": ', data)] or [None])  # type: ignore[list-item]
    if found is None:
        return doubled(data, rng)
    return bytes(data[: found.start()] + found.group() + b"1, " + data[found.start() :])


def wrong_type(data: bytearray, rng: random.Random) -> bytes:
    """A value somewhere becomes another one."""
    places = [*re.finditer(rb'(?<=: )("[^"]*"|-?\d+|null|true|\[[^\[\]]*\])', data)]
    places += [*re.finditer(rb"(?<= )\S+$", data, re.MULTILINE)]
    if not places:
        return flipped(data, rng)
    found = rng.choice(places)
    return bytes(data[: found.start()] + json.dumps(rng.choice(WRONG)).encode() + data[found.end() :])


WAYS = (flipped, cut, doubled, key_twice, wrong_type)


def mutated(kind: str, seed: int) -> bytes:
    rng = random.Random(f"{kind} {seed}")
    text = KINDS[kind](seed % 7, rng)
    return WAYS[seed % len(WAYS)](bytearray(text.encode()), rng)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, list[str]]:
    code = cli.main(["record", "convert", *words])
    out, err = capsys.readouterr()
    return code, out, err.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_mutated_files_give_games_or_errors_that_name_their_place(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    kind: str,
    record_property: Callable[[str, object], None],
) -> None:
    path, again = tmp_path / "file", tmp_path / "again"
    named = 0
    for seed in range(FILES):
        data = mutated(kind, seed)
        path.write_bytes(data)
        code, out, err = said(capsys, str(path), "--skip")
        assert code in (0, 1, 2)
        bad = [line for line in err if ": BAD: " in line or line.startswith("boardumpire: ")]
        named += bool(bad)
        last = data.count(b"\n") + 1
        for line in bad:
            place = re.match(rf"(?:boardumpire: )?{re.escape(str(path))}:(\d+): (?:BAD: )?(.+)", line)
            assert place is not None, line
            assert 1 <= int(place[1]) <= last
            assert len(place[2]) < 1000
        if code == 0:
            assert not bad
        if out:
            again.write_text(out)
            assert said(capsys, str(again))[1] == out, "what was read is written, read and written the same"
    record_property("files with a named error", named)
    assert named > FILES / 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["records", "old"])
def test_verify_names_what_is_wrong_with_mutated_records(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "file"
    for seed in range(FILES):
        path.write_bytes(mutated(kind, seed))
        code = cli.main(["verify", str(path)])
        err = capsys.readouterr().err
        assert code in (0, 1, 2, 3)
        assert (code == 2) == err.startswith(f"boardumpire: {path}: ")
        assert err.count("\n") == (code == 2)


@pytest.mark.few(2)
@pytest.mark.parametrize("value", WRONG)
def test_no_value_of_any_key_makes_more_than_a_named_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, value: Any
) -> None:
    """Each key of a game, and each option of every game there is, with a value of another type."""
    path = tmp_path / "file"
    game = neutral(1)[0]
    for key in (*game, "result", "comments", "seed", "outcomes", "ranks", "last_refused"):
        for changed in (value, [value], {"winner": value, "red": value}):
            path.write_text(json.dumps({**game, key: changed}))
            assert said(capsys, str(path))[0] in (0, 1)
    for each in boardrules.games():
        for option in boardrules.new(each).options:
            path.write_text(
                f"boardumpire-record 1\ngame {each}\noption {option} {json.dumps(value)}\nactions\n"
            )
            code, _, err = said(capsys, str(path))
            assert code == 0 or re.match(rf"{path}:3: BAD: .*{option}", err[0]), err[0]
