"""Mutants and what kills them: promises broken on purpose, the layer that finds each out, and the runs that this took.

Every proven method is looked at, as ``dplda audit`` does, at δ = 1e-7 and ε = 10 (2 where noise is Laplace noise):
hiding a document; hiding a person who wrote three; and with the noise of a release where the method can be released.
Two layers look at the same draws of a release on its worst neighbours. *Law of the noise*: the draws less their exact
value, over the declared scale, have the declared variance (chi-square) and no two are equal. *Two neighbours*: the
lower bound of the audit on what a release gives away is above the claim. Runs are doubled from 25 on either neighbour
until a layer finds the mutant out on the release that betrays it soonest; the other layer has as many runs as there
are in the table. What keeps its promise is looked at likewise, up to the last number of runs, and nothing may be found.
Every look is wrong with probability 1e-10 at most.

Mistakes that no audit sees, since they are in the ledger, in the rounding of sums or in one decision, are written into
a copy of the source and have to fail a test (``source_mutants``).
"""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.source_mutants import run_source_mutants
from dplda.attacks.audit.attack import Attack, ScoreSamples
from dplda.attacks.audit.audited import (
    attacks_on,
    audited_methods,
    sabotages_of,
    why_not_releasable,
)
from dplda.attacks.audit.evidence import bound_loss
from dplda.attacks.audit.harness import FALSE_ALARM
from dplda.attacks.audit.layers import NoiseFit
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import HONEST, Sabotage
from dplda.methods.base.method import Method
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee

LADDER = tuple(25 * 2**n for n in range(11))  # 25 to 25,600
MOST_EXACT = 6400  # noise of a release is drawn slowly
EPSILON = 10.0
LAPLACE_EPSILON = 2.0
LAW = "law of the noise"
NEIGHBOURS = "two neighbours"
OF_DOCUMENTS = ("document-by-document",)  # what is new where persons are hidden
ERROR = FALSE_ALARM / 10_000  # of one look; of what keeps its promise fewer are taken

SECTIONS = ("audit", "source")

Row = dict[str, str | int | float | None]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which mutants are tried."""
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=SECTIONS)


def run(sections: Sequence[str]) -> Iterator[Row]:
    """Rows of audited methods that break their promise, and of mistakes in the source."""
    if "audit" in sections:
        yield from _audited()
    if "source" in sections:
        yield from run_source_mutants()


def _audited() -> Iterator[Row]:
    """A row for each method and each way to break it, and one for each method as it is; then of persons, and releases.

    Yields:
        Method, what it hides and by which noise, the mutant, the layer that killed it and the runs it needed.
    """
    for method in audited_methods().values():
        laplace = any(attack.laplace for attack in attacks_on(method))
        epsilon = LAPLACE_EPSILON if laplace else EPSILON
        promise = make_promise(epsilon)
        yield from _rows(method, promise, tuple(sabotages_of(method, promise)))
        yield from _rows(method, make_promise(epsilon, persons=True), OF_DOCUMENTS)
        if not why_not_releasable(method):
            yield from _rows(
                method, make_promise(epsilon, exact=True), tuple(sabotages_of(method, promise))
            )


def _rows(method: Method, promise: Guarantee, mutants: tuple[str, ...]) -> Iterator[Row]:
    """A row for a method as it is, then one for each mutant."""
    attacks = attacks_on(method)
    sabotages = sabotages_of(method, promise)
    yield _row(method, promise, "as it is", attacks, HONEST)
    for mutant in mutants:
        attacks_there = tuple(attack for attack in attacks if _on(attack, mutant))
        yield _row(method, promise, mutant, attacks_there, sabotages[mutant])


def _on(attack: Attack, mutant: str) -> bool:
    """Whether it looks where the mutant is."""
    return not mutant.startswith("dropped-") or attack.edge in (
        mutant.removeprefix("dropped-"),
        "all",
    )


def _row(
    method: Method,
    promise: Guarantee,
    mutant: str,
    attacks: tuple[Attack, ...],
    sabotage: Sabotage,
) -> Row:
    """Attack all releases at once.

    So none is drawn more often than the one that betrays the mutant soonest needs.

    Args:
        method: what is audited.
        promise: what it claims.
        mutant: name of the sabotage.
        attacks: on the releases where the mutant is.
        sabotage: breaks the promise, or keeps it.
    """
    max_runs = MOST_EXACT if promise.releasable else LADDER[-1]
    samples_by_attack: dict[Attack, list[ScoreSamples]] = {attack: [] for attack in attacks}
    kills: dict[str, tuple[int, str]] = {}
    previous_runs = 0
    for step, runs in enumerate(n for n in LADDER if n <= max_runs):
        for attack, samples in samples_by_attack.items():
            samples.append(attack.sample_scores(promise, runs - previous_runs, step, sabotage))
            for layer in _layers_that_notice(attack, promise, samples):
                kills.setdefault(layer, (runs, attack.title))
        if len(kills) == 2:
            break
        previous_runs = runs
    layer, (runs_needed, release) = min(
        kills.items(), key=lambda kill: kill[1][0], default=("none", (None, ""))
    )
    is_of_person = promise.adjacency is Adjacency.REPLACE_PERSON
    return {
        "method": method.key,
        "hides": "a person" if is_of_person else "a document",
        "noise": "of a release" if promise.releasable else "simulated",
        "mutant": mutant,
        "killed_by": layer,
        "runs": runs_needed,
        "release": release,
        "runs_law": kills.get(LAW, (None, ""))[0],
        "runs_neighbours": kills.get(NEIGHBOURS, (None, ""))[0],
        "epsilon": promise.epsilon,
        "most_runs": max_runs,
    }


def _layers_that_notice(
    attack: Attack, promise: Guarantee, samples: list[ScoreSamples]
) -> Iterator[str]:
    """Layers that find the promise broken on one release.

    Args:
        attack: on the release.
        promise: the claim.
        samples: all draws so far, on both neighbors.
    """
    scores, neighbor_scores, residuals = (
        np.concatenate(arrays) for arrays in zip(*samples, strict=True)
    )
    bound = bound_loss(scores, neighbor_scores, attack.measure(promise), error=ERROR)
    if bound.lower > attack.claimed_loss(promise):
        yield NEIGHBOURS
    noise_fit = NoiseFit(attack.laplace)
    noise_fit.add(residuals)
    if not noise_fit.holds(ERROR):
        yield LAW
