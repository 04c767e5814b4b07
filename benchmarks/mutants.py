"""Mutants and what kills them: promises broken on purpose, the layer that finds each out, and the runs that this took.

Two layers look at the same draws of a release on its worst neighbours, at ε = 10 and δ = 1e-7. *Law of the noise*: the
draws less their exact value, over the declared scale, have the declared variance (chi-square) and no two are equal.
*Two neighbours*: the lower bound of ``dplda audit`` on what a release gives away is above the claim. Runs are doubled
from 25 on either neighbour until the layer finds the mutant out on the release that betrays it soonest. What keeps its
promise is looked at likewise, up to the last number of runs, and nothing may be found. Every look is wrong with
probability 1e-9 at most.
"""

from collections.abc import Iterator

import numpy as np
from scipy import stats

from dplda.audit.evidence import Scores, evidence
from dplda.audit.harness import FALSE_ALARM, Attack, attacks, audited_methods, sabotages
from dplda.audit.promise import Promise
from dplda.audit.refinement import RefinedAudit
from dplda.audit.sabotage import Sabotage
from dplda.audit.worst_cases import Audit

LADDER = tuple(25 * 2**n for n in range(9))  # 25 to 6,400
EPSILON, DELTA = 10.0, 1e-7
LAW, NEIGHBOURS = "law of the noise", "two neighbours"

Row = dict[str, str | int | float | None]


def run() -> Iterator[Row]:
    """A row for each method and each way to break it, and one for each method as it is."""
    for text, method in audited_methods().items():
        known = attacks(method)
        yield _row(text, "as it is", known, None)
        for name, way in sabotages(method).items():
            yield _row(text, name, tuple(attack for attack in known if _on(attack, name)), way)


def _on(attack: Attack, mutant: str) -> bool:
    """Whether it looks where the mutant is."""
    return not mutant.startswith("dropped-") or attack.edge in (mutant.removeprefix("dropped-"), "all")


def _row(method: str, mutant: str, known: tuple[Attack, ...], way: Sabotage | None) -> Row:
    found = [
        (runs, layer, attack.title)
        for attack in known
        for layer, kills in ((LAW, _law), (NEIGHBOURS, _neighbours))
        if (runs := next((n for n in LADDER if kills(attack, n, way)), None)) is not None
    ]
    by_layer = {layer: min((runs for runs, of, _ in found if of == layer), default=None) for layer in (LAW, NEIGHBOURS)}
    soonest = min(found, default=(None, "none", ""))
    return {
        "method": method,
        "mutant": mutant,
        "killed_by": soonest[1],
        "runs": soonest[0],
        "release": soonest[2],
        "runs_law": by_layer[LAW],
        "runs_neighbours": by_layer[NEIGHBOURS],
        "epsilon": EPSILON,
        "most_runs": LADDER[-1],
    }


def _neighbours(attack: Attack, runs: int, way: Sabotage | None) -> bool:
    promise = Promise(EPSILON, DELTA)
    scores = attack.scores(promise, runs, sabotage=way)
    return evidence(*scores, attack.measure, error=_ERROR).lower > attack.claimed(promise)


def _law(attack: Attack, runs: int, way: Sabotage | None) -> bool:
    noise = _standardised(attack, runs, way)
    if len(np.unique(noise, axis=0)) < len(noise):
        return True
    squares = np.ravel(noise) ** 2 if not attack.laplace else 2 * np.abs(np.ravel(noise))
    freedom = noise.size * (2 if attack.laplace else 1)  # 2|x| of a Laplace number is chi-square with two degrees
    below = float(stats.chi2.cdf(np.sum(squares), freedom))
    above = float(stats.chi2.sf(np.sum(squares), freedom))
    return min(below, above) < _ERROR / 2


def _standardised(attack: Attack, runs: int, way: Sabotage | None) -> Scores:
    """What was drawn on the first neighbour, less its exact value, over the declared scale: shape (runs, numbers)."""
    promise = Promise(EPSILON, DELTA)
    if isinstance(attack, RefinedAudit):
        one, _ = attack.drawn(promise, runs, sabotage=way)
        return np.hstack([(part.values - part.shown) / part.release.scale for part in one])
    assert isinstance(attack, Audit)
    first, _ = attack.drawn(promise, runs, sabotage=way)
    seen, shown = attack.look(first)
    return np.asarray((seen - shown) / first.release.scale)


_ERROR = FALSE_ALARM / 1000  # for all that is looked at here
