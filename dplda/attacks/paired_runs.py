"""The runs of a picture, made once for every session that shows it."""

from collections.abc import Sequence
from itertools import islice

from dplda.attacks.game import Draw, draws
from dplda.attacks.neighbour_pairs import PAIRS
from dplda.core.single_flight import Once
from dplda.core.types import Report
from dplda.methods.problem import Budget
from dplda.methods.registry import parse_method

SEED = 0
_KEPT: Once[tuple[Draw, ...]] = Once(200)


def shared_runs(method: str, pair: str, epsilon: float, delta: float, count: int, report: Report) -> Sequence[Draw]:
    """Runs of a method on a pair, the same for everybody.

    Args:
        method: its text, as ``parse_method`` takes it.
        epsilon: ε.
        delta: δ.
        count: how many runs, at least 2.
        report: told the fraction done; may raise to give up.

    Raises:
        DpldaError: a run was refused.
    """

    def make() -> tuple[Draw, ...]:
        budget, found = Budget(epsilon, delta), []
        for number, run in enumerate(islice(draws(parse_method(method), budget, PAIRS[pair], seed=SEED), count)):
            report(number / count, f"Run {number + 1} of {count}")
            found.append(run)
        return tuple(found)

    return _KEPT.get((method, pair, epsilon, delta, count), make, report)


def own_run(method: str, pair: str, epsilon: float, delta: float, seed: int) -> Draw:
    """One run of somebody's own, told by their seed; never the first of those that are shared."""
    budget = Budget(epsilon, delta)
    return next(draws(parse_method(method), budget, PAIRS[pair], seed=SEED + 1 + seed))
