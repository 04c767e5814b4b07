"""From a corpus and a plan to topics: the chain, read top-down, noise entering through the route's answers."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from dplda import _check
from dplda._types import Counts, Matrix, Tensor3, Vector
from dplda.configurations import REGISTRY
from dplda.configurations.route import Clips, Route, Shape
from dplda.corpus.corpus import Corpus
from dplda.errors import InputError, NoTopics
from dplda.flow import Edge
from dplda.guarantees import guarantee_of
from dplda.plan import Plan
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import GaussianMechanisms
from dplda.privacy.noise import NoiseSource, SimulatedNoise
from dplda.privacy.release import Guarantee, Release
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import Lengths, lengths, pair_norms, triple_norm_bounds, word_norms
from dplda.spectral.statistics import Averages, ExactMoments, averages, complete, shifted, triple_average
from dplda.spectral.tensor import Components, Search, decompose
from dplda.spectral.topics import Topics, recover
from dplda.spectral.whitening import Whitening, whiten

Report: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What a run found, and what may be said of it.

    Attributes:
        plan: None for an un-noised fit.
        shape: the public numbers.
        seed: of the starts of the decomposition and, where simulated, of the noise.
        topics: the result.
        whitening: the spectrum and its noise floor among others.
        components: of the whitened tensor, with residual and convergence; None when no topic was resolved.
        releases: every noisy value that was drawn, in order.
        guarantee: what holds.
        clipped: fraction of documents that were clipped in pairs; exact, for the curator's eyes only.
        clipped_triples: the same for the whitened tensors.
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


class Sums:
    """A corpus' un-noised averages by clip level, the last few kept: they do not depend on ε or on noise.

    Args:
        counts: shape (N, d).
        keep: how many levels to remember; each holds a d×d matrix.
    """

    def __init__(self, counts: Counts, keep: int = 4) -> None:
        self.counts = counts
        self.length: Lengths = lengths(counts)
        self.pair_norms: Vector = pair_norms(counts, self.length)
        self.word_norms: Vector = word_norms(counts, self.length)
        self._keep = keep
        self._averages: OrderedDict[Clips, Averages] = OrderedDict()

    def are_of(self, counts: Counts) -> bool:
        """Whether these are sums over exactly these documents."""
        own = self.counts
        return own is counts or (
            own.shape == counts.shape
            and np.array_equal(own.indptr, counts.indptr)
            and np.array_equal(own.indices, counts.indices)
            and np.array_equal(own.data, counts.data)
        )

    def weights(self, clips: Clips) -> tuple[Vector, Vector]:
        """Weights in [0, 1] of every document's pairs and words; one weight serves all moments where it can."""
        pairs = self.length.usable * _at_most(clips.pairs, self.pair_norms)
        words = np.minimum(pairs, _at_most(clips.words, self.word_norms))
        return pairs, words

    def averages(self, clips: Clips, tick: Callable[[float], None] | None = None) -> Averages:
        """Averages with every document's pull bounded by the clip levels."""
        if clips not in self._averages:
            pair_weights, word_weights = self.weights(clips)
            self._averages[clips] = averages(self.counts, self.length, pair_weights, word_weights, tick)
        self._averages.move_to_end(clips)
        while len(self._averages) > self._keep:
            self._averages.popitem(last=False)
        return self._averages[clips]


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
    shape = Shape(corpus.n_documents, corpus.n_words, n_topics, alpha0)
    coefficients = Coefficients(alpha0)
    rng = np.random.default_rng(seed)
    report = report or _silent
    if plan is None:
        return _fit_exactly(corpus, shape, coefficients, seed, rng, search, report)

    mechanisms = GaussianMechanisms(noise or SimulatedNoise(seed))
    route = start_route(plan, shape, mechanisms)
    report(0.0, "measuring documents")
    sums = sums or Sums(corpus.counts)
    if not sums.are_of(corpus.counts):
        raise InputError("sums", "those of this corpus", "sums of another one")

    clips = route.clips(sums.pair_norms)
    counting = partial(_say, report, 0.1, 0.6, "counting pairs of words")
    pair = route.noise_on(Edge.E2, sums.averages(clips, counting))
    report(0.6, "whitening")
    if pair.mass <= 0:
        raise NoTopics(
            f"with N = {shape.n_documents} and ε = {plan.epsilon:g} the noise hides even the documents' mean weight",
            "Use more documents or a larger ε.",
        )
    whitening = whiten(pair.pair_moment(coefficients), n_topics, entry_noise=pair.entry_noise / pair.mass)
    mean = whitening.whitener.T @ pair.mean_words()
    components, clipped_triples = None, 0.0
    if whitening.resolved:
        report(0.7, "counting triples of words")
        third, clipped_triples = _third_average(sums, clips, shifted(whitening.whitener, mean, coefficients), route)
        tensor = complete(third / pair.mass, mean, coefficients)
        report(0.95, "decomposing")
        components = decompose(tensor, rng=rng, search=search)
    topics = recover(
        components or _no_components(),
        whitening,
        coefficients,
        mean_words=pair.mean_words(),
        n_topics=n_topics,
    )
    return Fit(
        plan=plan,
        shape=shape,
        seed=seed,
        topics=topics,
        whitening=whitening,
        components=components,
        releases=mechanisms.releases,
        guarantee=guarantee_of(plan, corpus, mechanisms.releases),
        clipped=float(np.mean(sums.pair_norms > clips.pairs)),
        clipped_triples=clipped_triples,
    )


def start_route(plan: Plan, shape: Shape, mechanisms: GaussianMechanisms) -> Route:
    """Opens one run of the plan's configuration with its budget split into ``μ_j = √fraction · μ``."""
    configuration = REGISTRY[plan.configuration]
    mu = gaussian.mu_for(plan.epsilon, plan.delta)
    mus = {name: gaussian.share(mu, fraction) for name, fraction in plan.split or configuration.default_split}
    return configuration.start(shape, mus, plan.clip_quantile, mechanisms)


def _third_average(sums: Sums, clips: Clips, directions: Matrix, route: Route) -> tuple[Tensor3, float]:
    """The clipped, noisy triple average along public directions, and the fraction of documents it clipped."""
    pair_weights, _ = sums.weights(clips)
    bounds = pair_weights * triple_norm_bounds(sums.counts, sums.length, directions)
    ceiling = float(np.max(np.linalg.norm(directions, axis=1))) ** 3
    clip = route.triple_clip(bounds, ceiling)
    weights = pair_weights * _at_most(clip, bounds)
    third = triple_average(sums.counts, sums.length, weights, directions)
    return route.noise_on(Edge.E6, third), float(np.mean(bounds > clip))


def _fit_exactly(
    corpus: Corpus,
    shape: Shape,
    coefficients: Coefficients,
    seed: int,
    rng: np.random.Generator,
    search: Search | None,
    report: Report,
) -> Fit:
    """Un-noised: unbiased U-statistics, the pair moment as an operator."""
    moments = ExactMoments(corpus.counts, coefficients)
    report(0.1, "whitening")
    whitening = whiten(moments.pair_moment(), shape.n_topics)
    report(0.6, "counting triples of words")
    components = None
    if whitening.resolved:
        components = decompose(moments.third_moment(whitening.whitener), rng=rng, search=search)
    topics = recover(
        components or _no_components(),
        whitening,
        coefficients,
        mean_words=moments.mean_words(),
        n_topics=shape.n_topics,
    )
    return Fit(None, shape, seed, topics, whitening, components, (), guarantee_of(None, corpus, ()))


def _silent(fraction: float, step: str) -> None:
    """Nobody listens."""


def _say(report: Report, start: float, end: float, step: str, fraction: float) -> None:
    report(start + (end - start) * fraction, step)


def _no_components() -> Components:
    return Components(np.empty(0), np.empty((0, 0)), 0.0, converged=True, agreeing=0, tried=0)


def _at_most(level: float, norms: Vector) -> Vector:
    """Weights in [0, 1] that bring norms down to a level; 1 where the norm is zero."""
    over = norms > level
    return np.where(over, level / np.where(over, norms, 1.0), 1.0)
