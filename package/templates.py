"""Further boards on one machine: the template units `boardumpire@`, made from the units of the first board.

Each further board has folders of its own, below folders in which root alone may write: nobody else can put
a link in their place. The first board alone chooses the version; the others follow it.
"""

from __future__ import annotations

import re

CHANGES = (
    (r"^Description=.*", r"\g<0> %i"),
    (r"\bboardumpire(-config|-backup)?\.(service|path)\b", r"boardumpire\1@%i.\2"),
    (r"(?:^#.*\n)?^Exec\w+=.*/update .*\n", ""),
    (r"^Environment=BOARDUMPIRE_HOME=.*", r"\g<0> BOARDUMPIRE_VERSION_LINK=current BOARDUMPIRE_BOARD=%i"),
    # Whoever wrote the port into its folder has made that folder, perhaps for root alone.
    (r"^ExecStart=\S+/boardumpire run", r"ExecStartPre=+chmod 2770 /etc/boardumpire\n\g<0>"),
    (r"^(State|Configuration)Directory=boardumpire$", r"\g<0>-boards/%i"),
    (r"(/etc|/var/lib)/boardumpire\b", r"\g<0>-boards/%i"),
    (r"(^RuntimeDirectory=|%t/)boardumpire$", r"\g<0>-%i"),
)
"""What is replaced in a unit of the first board: a regular expression of lines, and what takes its place."""
FOR_ALL_BOARDS = ("boardumpire-update.service",)
"""Units that have no template."""


def template_unit(text: str) -> str:
    """The template for further boards, made from `text`, the unit of the first one."""
    for pattern, instead in CHANGES:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text
