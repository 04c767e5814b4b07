"""Audits that climb less: test_layers.py climbs for every attack."""

import pytest

from dplda.attacks.audit import harness


@pytest.fixture
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "N_PAIRS", 10)
