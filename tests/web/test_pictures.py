"""The pictures in docs/players and README are what the page looks like today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from web import photograph

ROOT = Path(__file__).parents[2]
GRAIN = 12
"""Pixels that are looked at as one: letters may fall a little otherwise, and codes differ each time."""
ALIKE = 2.0
"""By how much pictures may differ in the mean, of 255: the same twice by 0.8 at most, languages by 3."""
CODES = {"hunt-table.png": 6.0}
"""Codes are other ones each time: so two of the same differ by 4."""


def seen(path: Path) -> Image.Image:
    """A picture as somebody sees it who half closes the eyes."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    return picture.resize((picture.width // GRAIN, picture.height // GRAIN), Image.Resampling.BOX)


def difference(one: Path, other: Path) -> float:
    """How much two pictures differ, in the mean of their worst colour."""
    first, second = seen(one), seen(other)
    if first.size != second.size:
        return 255.0
    return max(ImageStat.Stat(ImageChops.difference(first, second)).mean)


TAKES = 3
"""How often a moment is photographed at most: lamps pulse, and hands are slow or quick, so a moment has
more than one look. What has changed differs each time."""


@pytest.mark.slow
def test_every_picture_is_what_the_page_looks_like_today(tmp_path: Path) -> None:
    """`make screenshots` takes them anew."""
    nearest: dict[str, float] = {}
    for take in range(TAKES):
        for path in photograph.taken(tmp_path / str(take)):
            name = path.relative_to(tmp_path / str(take))
            kept = photograph.WHERE / name
            assert kept.is_file(), name
            if path.suffix == ".png":
                far = difference(kept, path)
                nearest[str(name)] = min(far, nearest.get(str(name), far))
        old = {name: far for name, far in nearest.items() if far > CODES.get(Path(name).name, ALIKE)}
        if not old:
            break
    assert old == {}


def test_other_pictures_are_told_apart() -> None:
    """What the test above calls the same is: another moment, another game or language is not."""
    where = photograph.WHERE
    assert difference(where / "hunt-phone.png", where / "colditz-phone.png") > ALIKE
    assert difference(where / "en/turn.png", where / "en/set-up.png") > ALIKE
    assert difference(where / "en/turn.png", where / "fr/turn.png") > ALIKE
    assert difference(where / "en/turn.png", where / "en/turn.png") == 0.0


def test_the_readme_shows_each_game_on_a_desk_and_on_a_phone_and_a_battle() -> None:
    shown = set(re.findall(r"docs/players/([\w-]+\.\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"seat-lifted.png", "hunt-table.png", "colditz-turn.png"} <= shown
    assert {"seat-phone.png", "hunt-phone.png", "colditz-phone.png", "battle.webp"} <= shown
    with Image.open(photograph.WHERE / "battle.webp") as battle:
        assert getattr(battle, "n_frames", 1) > 8
    assert (photograph.WHERE / "battle.webp").stat().st_size < 1_000_000
