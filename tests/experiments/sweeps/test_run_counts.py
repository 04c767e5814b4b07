"""Runs of slow methods in a sweep."""

from collections import Counter

import pytest

from dplda.core.errors import InputError
from dplda.experiments.specs.spec import Sweep

SPEC = """\
methods = ["unnoised", "vi", "config-1/as published", "dp-vi/as published"]
epsilons = [0.5, 1.0]
repeats = 3
corpora = 4

[[settings]]
name = "s"
n_topics = 3
alpha0 = 1.0
[settings.simulation]
n_documents = 300
n_words = 20
n_topics = 3
"""
RUNS = """\
[runs]
vi = 1
"dp-vi/as published" = 6

[[settings]]"""


def sweep(runs: str = RUNS) -> Sweep:
    return Sweep.from_toml(SPEC.replace("[[settings]]", runs))


def test_sweep_with_runs_of_slow_methods_has_fewer_cells() -> None:
    cells = list(sweep().cells())
    counts = Counter(cell.method.key for cell in cells)
    assert counts == {
        "unnoised": 4,
        "vi": 1,
        "config-1/as published": 24,
        "dp-vi/as published": 12,
    }
    assert len(cells) == sweep().n_cells


def test_sweep_with_runs_of_slow_methods_spreads_them_over_corpora() -> None:
    drawn_corpora = {
        (cell.corpus, cell.repeat)
        for cell in sweep().cells()
        if cell.method.key == "dp-vi/as published"
    }
    assert drawn_corpora == {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0)}


def test_sweep_with_runs_is_read_back_from_its_text() -> None:
    reread_sweep = Sweep.from_toml(sweep().to_toml())
    assert reread_sweep == sweep()
    assert reread_sweep.digest == sweep().digest


def test_sweep_without_runs_keeps_the_identity_that_it_had() -> None:
    """The digest of this text before there was such a choice."""
    plain = Sweep.from_toml(SPEC)
    assert plain.digest == PLAIN_DIGEST
    assert plain.digest != sweep().digest


@pytest.mark.parametrize(
    "runs",
    [
        "[runs]\nrefined = 1\n\n[[settings]]",  # not of the sweep
        "[runs]\nvi = 0\n\n[[settings]]",
        "[runs]\nvi = 1.5\n\n[[settings]]",
        '[runs]\n"no such method" = 1\n\n[[settings]]',
        "runs = 3\n\n[[settings]]",
    ],
)
def test_sweep_with_impossible_runs_is_refused(runs) -> None:
    with pytest.raises(InputError):
        sweep(runs)


PLAIN_DIGEST = "b88e674b55005f8c5210c5972008525aba426e22ef59208dfd5a9604cddf109a"
