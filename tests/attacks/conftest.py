"""Audits that climb less: test_layers.py climbs for every attack."""

import pytest

from dplda.attacks.audit import harness


@pytest.fixture
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "PAIRS", 10)


@pytest.fixture
def no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is caught is caught by runs."""
    monkeypatch.setattr(harness, "PAIRS", 0)
