"""From a corpus and a plan to topics: the chain, read top-down, noise entering through the route's answers."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from dplda import _check
from dplda.configurations.route import Budget, Route, Shape
from dplda.corpus.corpus import Corpus
from dplda.errors import InputError, NoTopics
from dplda.guarantees import guarantee_of
from dplda.plan import Plan
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import NoiseSource, NoNoise, SimulatedNoise
from dplda.privacy.release import Guarantee, Release
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components, Search, decompose
from dplda.spectral.topics import Topics, finish, unwhiten
from dplda.spectral.whitening import Whitening, whiten
from dplda.sums import Sums, View

Report: TypeAlias = Callable[[float, str], None]

NO_COMPONENTS = Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, agreeing=0, tried=0)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What a run found, and what may be said of it.

    Attributes:
        plan: None for an un-noised fit.
        shape: the public numbers.
        seed: of the starts of the decomposition and, where simulated, of the noise.
        topics: the result.
        whitening: the spectrum and its noise floor among others.
        components: of the whitened tensor, with residual and convergence; None when no topic was resolved. Where the
            status is not proven they may be exact, and are for the curator's eyes only.
        releases: every noisy value that was drawn, in order.
        guarantee: what holds.
        clipped: fraction of documents that were clipped in pairs; exact, for the curator's eyes only.
        clipped_triples: the same for the whitened tensors.
        exact_spectrum: whether ``whitening`` is that of the un-noised pair moment, for the curator's eyes only; true
            without a plan, and in configuration 4, which releases nothing before the topics.
    """

    plan: Plan | None
    shape: Shape
    seed: int
    topics: Topics
    whitening: Whitening
    components: Components | None
    releases: tuple[Release, ...]
    guarantee: Guarantee
    clipped: float = 0.0
    clipped_triples: float = 0.0
    exact_spectrum: bool = False


def fit(
    corpus: Corpus,
    plan: Plan | None,
    *,
    n_topics: int,
    alpha0: float,
    seed: int = 0,
    search: Search | None = None,
    sums: Sums | None = None,
    noise: NoiseSource | None = None,
    report: Report | None = None,
) -> Fit:
    """Fits topics.

    Args:
        corpus: N documents over d words.
        plan: where noise enters; None for none.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0, sum of the Dirichlet's parameters.
        seed: fixes the starts of the decomposition and the simulated noise.
        search: effort of the decomposition.
        sums: the corpus' remembered averages, where several fits share them.
        noise: another source than simulated noise keyed by ``seed``.
        report: told the fraction done and the step, in the calling thread; may raise to give up.

    Raises:
        InputError: a parameter out of range.
        CorpusError: too few documents that can be used.
        NoTopics: so few documents at so small an ε that not even their number survives the noise.
    """
    _check.integer_at_least("n_topics", n_topics, 2)
    _check.between("n_topics", n_topics, 2, corpus.n_words, open_ends=False)
    _check.integer_at_least("seed", seed, 0)
    report = report or _silent
    shape = Shape(corpus.n_documents, corpus.n_words, n_topics, alpha0)
    coefficients = shape.coefficients
    rng = np.random.default_rng(seed)
    mechanisms = Mechanisms(noise or SimulatedNoise(seed))
    route = start_route(plan, shape, mechanisms)

    report(0.0, "measuring documents")
    counting = partial(_say, report, 0.1, 0.6, "counting pairs of words")
    sums = sums or Sums(corpus.counts)
    if not sums.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")
    source = View(sums, coefficients, keep_short=plan is not None, tick=counting)
    unnoised = route.pairs(source)
    pairs = route.e2(unnoised)
    ahead, behind = route.e4(pairs), route.e8(pairs)
    _require_documents(behind, shape)

    report(0.6, "whitening")
    forward, back = _whitenings(
        ahead, behind, route, exact=unnoised if plan is not None and isinstance(unnoised, PairMoment) else None
    )
    mean_words = behind.mean_words(coefficients)
    components = NO_COMPONENTS
    if forward.resolved:
        report(0.7, "counting triples of words")
        tensor = route.e6(route.triples(source, forward, ahead), forward)
        report(0.95, "decomposing")
        components = route.e7(decompose(tensor, rng=rng, search=search), forward)
    raw = route.e9(unwhiten(components, back, coefficients, mean_words), components, forward)
    topics = finish(raw, components, back, coefficients, n_topics)
    return Fit(
        plan=plan,
        shape=shape,
        seed=seed,
        topics=topics,
        whitening=back,
        components=components if forward.resolved else None,
        releases=mechanisms.releases,
        guarantee=guarantee_of(plan, corpus, mechanisms.releases),
        clipped=source.clipped,
        clipped_triples=source.clipped_triples,
        exact_spectrum=behind is unnoised,
    )


def unnoised(
    corpus: Corpus,
    plan: Plan | None,
    *,
    n_topics: int,
    alpha0: float,
    seed: int = 0,
    search: Search | None = None,
    sums: Sums | None = None,
    report: Report | None = None,
) -> Fit:
    """The un-noised fit of a plan: its own statistics, clip levels and solvers, with no noise on any edge.

    What is left of a private fit's error when its noise is gone is this fit's error, bit for bit. Without a plan it is
    the exact fit, from U-statistics; a plan that starts from those too differs from it by rounding, one that puts plain
    averages together by O(1/N) and by what it clips.

    Args:
        corpus: N documents over d words.
        plan: whose chain to follow; None for the exact one.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0.
        seed: fixes the starts of the decomposition.
        search: effort of the decomposition.
        sums: the corpus' remembered averages.
        report: told the fraction done and the step.

    Returns:
        A fit that is not private.

    Raises:
        DpldaError: as ``fit``.
    """
    return fit(
        corpus,
        plan,
        n_topics=n_topics,
        alpha0=alpha0,
        seed=seed,
        search=search,
        sums=sums,
        noise=NoNoise(),
        report=report,
    )


def start_route(plan: Plan | None, shape: Shape, mechanisms: Mechanisms) -> Route:
    """Opens one run of the plan's configuration; without a plan, of none."""
    if plan is None:
        return Route(shape, Budget(np.inf, 1.0, {}), mechanisms)
    variant = plan.variant
    split = plan.split or variant.default_split
    whole = max(1.0, math.fsum(fraction for _, fraction in split))  # shares may add up to a rounding above 1
    shares = {name: fraction / whole for name, fraction in split}
    return variant.route(shape, Budget(plan.epsilon, plan.delta, shares, plan.clip_quantile), mechanisms)


def _whitenings(
    ahead: Averages | PairMoment, behind: Averages | PairMoment, route: Route, *, exact: PairMoment | None
) -> tuple[Whitening, Whitening]:
    """The whitening and the way back: one and the same unless their pair statistics were noised apart.

    A statistic that a plan leaves un-noised (``exact``) is whitened by the direct solver: what is noised later has a
    sensitivity only if its eigenpairs are right.
    """
    c, k = route.coefficients, route.shape.n_topics
    back = whiten(behind.pair_moment(c), k, entry_noise=behind.noise_level(), direct=behind is exact)
    if ahead is behind:
        return back, back
    forward = whiten(ahead.pair_moment(c), k, entry_noise=ahead.noise_level(), direct=ahead is exact)
    return route.align(forward, back)


def _require_documents(pairs: Averages | PairMoment, shape: Shape) -> None:
    if isinstance(pairs, Averages) and pairs.mass <= 0:
        raise NoTopics(
            f"with N = {shape.n_documents} documents the noise at this ε hides even their mean weight",
            "Use more documents or a larger ε.",
        )


def _silent(fraction: float, step: str) -> None:
    """Nobody listens."""


def _say(report: Report, start: float, end: float, step: str, fraction: float) -> None:
    report(start + (end - start) * fraction, step)
