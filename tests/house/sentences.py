"""The sentences of the documents, and how many words each has.

PYTHONPATH=tests python -m house.sentences [PAGE ...]    tells the sentences that are too long
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 40
"""Words a sentence may have. One idea a sentence needs far fewer."""

GENERATED = frozenset({"docs/proofs.md", "docs/protocol.md"})
"""Pages that a program writes: `tests/proofs.py` and `boardware.pico_protocol`."""

FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"!?\[([^]]*)\]\([^)\s]*\)")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s")
DOT = re.compile(r"\s+·\s+")
"""Between the entries of a list in one line, such as events or languages."""
APART = re.compile(r"^\s*(?:$|\||#|>\s*$)")
"""Lines that end what stood before them: empty ones, rows of tables and headings."""
ROW = re.compile(r"^\s*\|(.*)\|\s*$")

END = re.compile(r"(?<=[.?!])[\"')*_»”]*\s+(?=[\"'(*_«“]*[A-Z0-9`])|(?<=[.?!])[\"')*_]*$")
SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|No|St)\.$")


def pages() -> list[Path]:
    """The documents whose sentences are counted."""
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("", "decisions", "makers", "players", "players/en", "rules"):
        found += sorted((ROOT / "docs" / folder).glob("*.md"))
    return [page for page in found if page.relative_to(ROOT).as_posix() not in GENERATED]


def current(text: str) -> str:
    """A changelog without what was released before: its head and its first section."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return "".join(parts[:2])


def paragraphs(text: str) -> Iterator[str]:
    """What is read in one go: a paragraph, an item of a list, a cell of a table. Not code, not headings."""
    text = COMMENT.sub("", FENCE.sub("\n\n", text))
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if (APART.match(line) or ITEM.match(line)) and lines:
            yield " ".join(lines)
            lines = []
        if row := ROW.match(line):
            cells = re.split(r"\||<br>", CODE.sub("`code`", row[1]))
            yield from (cell for cell in cells if cell.strip(" -:"))
        if not APART.match(line):
            lines.append(ITEM.sub("", line).strip().removeprefix("> "))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page. What is in backticks counts as one word."""
    for plain in [
        entry
        for paragraph in paragraphs(text)
        for entry in DOT.split(LINK.sub(r"\1", CODE.sub("`code`", paragraph)))
    ]:
        start = 0
        for end in END.finditer(plain):
            sentence = plain[start : end.start()].strip()
            if SHORT.search(sentence):
                continue
            yield sentence
            start = end.end()
        if rest := plain[start:].strip():
            yield rest


def words(sentence: str) -> int:
    """How many words a sentence has: what has a letter or a digit and stands between spaces."""
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())


def too_long(page: Path) -> list[tuple[int, str]]:
    """The sentences of a page with more than `LONGEST` words, each with their number."""
    text = page.read_text()
    if page.name == "CHANGELOG.md":
        text = current(text)
    return [(count, one) for one in sentences(text) if (count := words(one)) > LONGEST]


def main(names: list[str]) -> int:
    """Tell the long sentences of the pages named, or of all."""
    found = 0
    for page in [Path(name).resolve() for name in names] or pages():
        for count, sentence in too_long(page):
            found += 1
            print(f"{page.relative_to(ROOT)}: {count} words: {sentence}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
