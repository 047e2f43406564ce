"""Why an action is not allowed: closed codes, each with the rule it rests on.

What rests on hidden cards is told to their owner alone; everybody else hears `colditz/not-allowed`.
"""

from __future__ import annotations

from typing import Final

from boardrules.core import Refusal

RULES_BY_CODE: Final = {
    "colditz/over": "R026",
    "colditz/unknown-action": "R022",
    "colditz/not-allowed": "R095",
    "colditz/not-your-turn": "R021",
    "colditz/not-asked": "R068",
    "colditz/wait": "R068",
    "colditz/nothing-open": "R068",
    "colditz/out": "G18",
    "colditz/not-now": "R022",
    "colditz/roll-first": "R022",
    "colditz/no-piece": "R031",
    "colditz/no-points": "R031",
    "colditz/in-transit": "R045",
    "colditz/stranded": "R045",
    "colditz/no-way": "R032",
    "colditz/occupied": "R033",
    "colditz/not-liable": "R081",
    "colditz/place": "R163",
    "colditz/doubling-back": "A23",
    "colditz/daring": "do_or_die",
    "colditz/no-rope": "R112",
    "colditz/no-key": "R110",
    "colditz/no-pass": "R111",
    "colditz/no-cutter": "R113",
    "colditz/no-kit": "A13",
    "colditz/no-marker": "R044",
    "colditz/no-way-back": "R121",
    "colditz/room": "R116",
    "colditz/safe": "A4",
    "colditz/target": "R140",
    "colditz/tunnel-closed": "R130",
    "colditz/tunnel-undetected": "R134",
    "colditz/post-only": "R041",
    "colditz/post-zone": "R019",
    "colditz/posts-first": "R019",
    "colditz/no-release": "R050",
    "colditz/release-circle": "R052",
    "colditz/hand-full": "R063",
    "colditz/hand-fits": "R063",
    "colditz/no-such-card": "R065",
    "colditz/card-when": "R065",
    "colditz/appel-when": "R066",
    "colditz/card-target": "R068",
    "colditz/no-refusers": "R073",
    "colditz/moved": "R073",
    "colditz/not-refusable": "R072",
    "colditz/diagram": "R018",
    "colditz/no-pair": "R091",
    "colditz/empty-pile": "R094",
    "colditz/not-in-room": "R092",
    "colditz/appel-circle": "R092",
    "colditz/has-kit": "R100",
    "colditz/kit-rooms": "R102",
    "colditz/kit-cards": "R103",
    "colditz/trade-when": "R093",
    "colditz/trade-with": "R093",
    "colditz/traded": "R093",
    "colditz/trade-goods": "R093",
    "colditz/no-equipment": "R087",
    "colditz/marker-there": "R117",
    "colditz/go-down": "R118",
    "colditz/no-do-or-die": "do_or_die",
    "colditz/chance": "R005",
}

SECRET_CODES: Final = frozenset(
    (
        "colditz/no-rope", "colditz/no-key", "colditz/no-pass", "colditz/no-cutter", "colditz/stranded",
        "colditz/no-way", "colditz/no-such-card", "colditz/card-when", "colditz/card-target",
        "colditz/kit-cards", "colditz/kit-rooms", "colditz/appel-when", "colditz/trade-goods",
        "colditz/no-equipment",
    )
)  # fmt: skip
"""Those that may rest on hidden cards."""


def make_refusal(code: str, *, public: bool = False, **params: str) -> Refusal:
    """The refusal of that code. `public`: this time its reason rests on nothing that is hidden."""
    secret = code in SECRET_CODES and not public
    return Refusal(
        code, RULES_BY_CODE[code], tuple(params.items()), "colditz/not-allowed" if secret else None
    )
