"""A setting of a sweep: documents, and the public numbers that methods are given."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.formatting import harmless
from dplda.corpus import Simulation
from dplda.experiments.sources import Embedded, FileSource, Source

MOST_EPSILONS = 200
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Setting:
    """Documents, and the public numbers that methods are given.

    Attributes:
        name: distinct in a sweep; 1 to 80 printable characters.
        source: where the documents come from.
        n_topics: ``k``, 2 to 100; for a simulation the true number, as errors compare topics one to
            one.
        alpha0: ``α0`` that methods are given, 0.0001 to 10,000.
        epsilons, delta: its own; empty and None for those of the sweep.
    """

    name: str
    source: Source
    n_topics: int
    alpha0: float
    epsilons: tuple[float, ...] = ()
    delta: float | None = None

    def __post_init__(self) -> None:
        """Refuse fields out of range; numbers become floats, so that equal settings are one.

        There are at most 100 topics, and at most as many as words. For a simulation the number must
        be the true one.
        """
        _check_name(self.name)
        if not isinstance(self.source, Simulation | Embedded | FileSource):
            raise InputError(
                "source", "a simulation, the embedded corpus or a file", type(self.source).__name__
            )
        fewest_topics = 2
        most_topics = min(100, self.source.n_words)
        if isinstance(self.source, Simulation):
            fewest_topics = most_topics = self.source.n_topics
        checks.integer_between(
            f"n_topics of {self.name}", self.n_topics, fewest_topics, most_topics
        )
        checks.between(f"alpha0 of {self.name}", self.alpha0, 1e-4, 1e4, open_ends=False)
        object.__setattr__(self, "alpha0", float(self.alpha0))
        object.__setattr__(self, "epsilons", grid_of(self.epsilons))
        if self.delta is not None:
            checks.delta(self.delta, f"delta of {self.name}")
            object.__setattr__(self, "delta", float(self.delta))


def _check_name(name: str) -> None:
    """Refuse a name that is empty, long, not printable, padded, or a formula to a spreadsheet."""
    limit = f"1 to {_LONGEST_NAME} printable characters"
    if not isinstance(name, str):
        raise InputError("name of a setting", limit, f"a value of type {type(name).__name__}")
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        raise InputError("name of a setting", limit, f"{len(name)} characters")
    if name != name.strip() or harmless(name) != name:
        limit = "without spaces at its ends and without = + - @ in front"
        raise InputError("name of a setting", limit, "another one")


def grid_of(values: Sequence[float]) -> tuple[float, ...]:
    """Check a grid of ε, and make its numbers floats; an empty one is allowed, in any order.

    Raises:
        InputError: it is no list or tuple, has more than 200 values or repeats, or a value is
            outside [1e-6, 1e6].
    """
    if not isinstance(values, list | tuple):
        raise InputError(
            "epsilons", "a list of numbers", f"a value of type {type(values).__name__}"
        )
    for value in values:
        checks.positive("epsilon", value)
        checks.between("epsilon", value, 1e-6, 1e6, open_ends=False)
    grid = tuple(float(value) for value in values)
    if len(grid) > MOST_EPSILONS:
        raise InputError("epsilons", f"at most {MOST_EPSILONS} values", str(len(grid)))
    if len(set(grid)) < len(grid):
        raise InputError("epsilons", "distinct values", f"{len(grid) - len(set(grid))} repeated")
    return grid
