"""Runs the examples of a page, in its order and as one session: `python guide.py PAGE`.

It needs nothing but the standard library, so a bare environment can run it.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path


def examples(page: Path) -> str:
    """All examples, each in the line that it has on the page."""
    text = page.read_text(encoding="utf-8")
    kept = [""] * (text.count("\n") + 1)
    for block in re.finditer(r"^```pycon\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block.group(1).splitlines()):
            kept[first + number] = line
    return "\n".join(kept)


def main(page: Path) -> int:
    parsed = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed)
    print(f"{found.attempted} examples, {found.failed} failed")
    return int(found.failed > 0 or found.attempted == 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
