"""Releases whose ranges and comparisons are of few further runs.

Whether ranges hold the truth, and comparisons tell topics from none, is asked in tests/methods/refined.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dplda.methods.refined.results import topic_evidence
from dplda.methods.refined.stages import bootstrap


@contextmanager
def few_runs(n_bootstrap_topics: int = 1) -> Iterator[None]:
    """Ranges are of one further run or two, unless more topics are asked for, and comparisons of two."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bootstrap, "N_BOOTSTRAP_TOPICS", n_bootstrap_topics)
        patched.setattr(topic_evidence, "MIN_NULL_RUNS", 2)
        patched.setattr(topic_evidence, "MIN_NULL_TOPICS", 1)
        patched.setattr(topic_evidence, "MAX_OPTIMISM_RUNS", 1)
        yield
