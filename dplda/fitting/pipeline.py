"""From a corpus and a plan to topics: the chain, read top-down, noise entering through the route's answers."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplda import _check
from dplda._types import Report
from dplda.configurations import REGISTRY
from dplda.configurations.route import Budget, Route, Shape
from dplda.corpus.corpus import Corpus
from dplda.errors import InputError, NoTopics
from dplda.fitting.draw_key import draw_key
from dplda.fitting.guarantees import guarantee_of
from dplda.fitting.sums import CorpusStatistics, Sums
from dplda.flow import Edge, is_protected
from dplda.plan import Plan
from dplda.privacy.keys import Secret
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise import NoiseSource, NoNoise, SimulatedNoise
from dplda.privacy.release import Guarantee, Release
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components, Search, decompose
from dplda.spectral.topics import Topics, finish, unwhiten
from dplda.spectral.whitening import Whitening, whiten

NO_COMPONENTS = Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, agreeing=0, tried=0)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What a run found, and what may be said of it.

    With a plan, all that is here is a function of releases and public numbers; what is not stands in ``Curator``.

    Attributes:
        plan: None for an un-noised fit.
        shape: the public numbers.
        topics: the result.
        whitening: the spectrum and its noise floor among others; None where a plan leaves the pair moment un-noised.
        components: of the whitened tensor, with residual and convergence; None where no topic was resolved, and where
            a plan leaves the tensor un-noised.
        releases: every noisy value that was drawn, in order.
        guarantee: what holds.
    """

    plan: Plan | None
    shape: Shape
    topics: Topics
    whitening: Whitening | None
    components: Components | None
    releases: tuple[Release, ...]
    guarantee: Guarantee


@dataclass(frozen=True, slots=True, eq=False)
class Curator:
    """What a run knows beside its fit, exact numbers among it: for the curator's eyes only, in no file.

    Attributes:
        whitening: of the pair moment as the fit used it, noisy or not; None for a method that has none.
        components: of the whitened tensor likewise; None when no topic was resolved.
        clipped: fraction of documents that were clipped in pairs, or of whatever else a method bounds.
        clipped_triples: the same for the whitened tensors.
    """

    whitening: Whitening | None = None
    components: Components | None = None
    clipped: float = 0.0
    clipped_triples: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A fit, and apart from it what only the curator may see.

    Attributes:
        fit: what the guarantee speaks of.
        curator: what it does not.
    """

    fit: Fit
    curator: Curator


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
    """The fit of a run, without what only the curator may see; for arguments and errors see ``run``."""
    return run(
        corpus,
        plan,
        n_topics=n_topics,
        alpha0=alpha0,
        seed=seed,
        search=search,
        sums=sums,
        noise=noise,
        report=report,
    ).fit


def run(
    corpus: Corpus,
    plan: Plan | None,
    *,
    n_topics: int,
    alpha0: float,
    seed: int = 0,
    secret: Secret | None = None,
    search: Search | None = None,
    sums: Sums | None = None,
    noise: NoiseSource | None = None,
    report: Report | None = None,
) -> Run:
    """Fits topics.

    Args:
        corpus: N documents over d words.
        plan: where noise enters; None for none.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0, sum of the Dirichlet's parameters.
        seed: fixes the starts of the decomposition and, on simulated and public corpora, the noise.
        secret: keys the noise on a sensitive corpus; a new one where None, so that every run is a draw of its own.
        search: effort of the decomposition.
        sums: the corpus' remembered averages, where several fits share them.
        noise: another source than simulated noise; on a sensitive corpus a guarantee says so.
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
    mechanisms = Mechanisms(noise or _simulated(corpus, plan, shape, seed, secret))
    route = start_route(plan, shape, mechanisms)

    report(0.0, "measuring documents")
    counting = partial(_say, report, 0.1, 0.6, "counting pairs of words")
    sums = sums or Sums(corpus.counts)
    if not sums.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")
    source = CorpusStatistics(sums, coefficients, keep_short=plan is not None, tick=counting)
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
    found = components if forward.resolved else None
    return Run(
        Fit(
            plan=plan,
            shape=shape,
            topics=topics,
            whitening=back if _may_be_seen(plan, Edge.E8) else None,
            components=found if _may_be_seen(plan, Edge.E6) else None,
            releases=mechanisms.releases,
            guarantee=guarantee_of(plan, corpus, mechanisms.releases),
        ),
        Curator(back, found, source.clipped, source.clipped_triples),
    )


def _simulated(corpus: Corpus, plan: Plan | None, shape: Shape, seed: int, secret: Secret | None) -> NoiseSource:
    if plan is None:
        return NoNoise()
    method = (plan.configuration, str(plan.calibration))
    choices = (plan.to_json(), str(shape.n_topics), repr(shape.alpha0))
    return SimulatedNoise(draw_key(corpus, method=method, choices=choices, seed=seed, secret=secret))


def _may_be_seen(plan: Plan | None, edge: Edge) -> bool:
    """Whether what is made of the values on an edge is a function of releases; without a plan nothing is promised."""
    return plan is None or is_protected(edge, REGISTRY[plan.configuration].edges)


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
    """The whitening and unwhitening: one and the same unless their pair statistics were noised apart.

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
