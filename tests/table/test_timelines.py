"""The timelines in docs/understand/images are what the program does today, whatever colours lamps have."""

from __future__ import annotations

import re
from typing import Any

import pytest

from table.timelines import IMAGES, PICTURES, draw


@pytest.mark.parametrize("picture", PICTURES, ids=[picture.row for picture in PICTURES])
def test_a_timeline_is_up_to_date(picture: Any) -> None:
    """`python -m tests.table.timelines` draws them anew."""
    kept = (IMAGES / f"tracker-{picture.row}.svg").read_text()
    assert re.sub(r'fill="[^"]+"', "", kept) == re.sub(r'fill="[^"]+"', "", draw(picture))
