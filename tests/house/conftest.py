"""The browser of tests/web, for the site."""

from __future__ import annotations

from web.conftest import browser as browser
