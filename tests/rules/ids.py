"""Which rule a test proves: `@rule("Q12", "T1")`. `id_table.py` collects these."""

from __future__ import annotations

import pytest

rule = pytest.mark.rule
