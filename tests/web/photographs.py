"""Pictures of pages for somebody to look at, in the folder that `PHOTOGRAPHS` names."""

from __future__ import annotations

import os

from playwright.sync_api import Page

SIZES = ((1280, 800), (390, 844))


def photographed(page: Page, name: str) -> None:
    """A picture of the page in each size; the last one stays."""
    if folder := os.environ.get("PHOTOGRAPHS"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{width}.png")
