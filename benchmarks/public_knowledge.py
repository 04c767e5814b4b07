"""What public text is worth: *Refined* with and without a table, beside clusters of documents on public vectors.

The rival is what language models' embeddings are used for, without the model (the shape of Urania, COLM 2025): public
text teaches vectors of documents, private k-means puts each document in one cluster, and clusters' words are counted
with noise. It gets all that helps it here: vectors read eight times as many words as topics have, k-means starts from
public clusters and leans on them, and counts are weighted and freed from known noise as in *Refined*. A variant leans
on the words of public documents in each cluster too.

Tuned on these very corpora, to the rival's favor, by other draws of noise: vectors of 10 to 300 numbers, with the
public mean taken off or not; 0 to 5 rounds of k-means on 10, 20 or 50 % of the budget; a document's counts cut to norm
1 to 8; weighted words or not. Taking the mean off costs 4 % in the mean of nine cells, all else 1.5 % at most.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.special import softmax
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD

import dplda
from benchmarks.remeasured import replace_rows
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus, Label
from dplda.corpus.counts import canonical_counts
from dplda.evaluation import Halves, completion, halves, hold_out, npmi
from dplda.evaluation.perplexity import DEFAULT_WEIGHT, UNIFORM_SHARE
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.denoising.empirical_bayes import (
    CENTRES,
    EVEN_WEIGHTS,
    MIN_RATIO,
    fit_empirical_bayes,
)
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.plan.constants import (
    MAX_TOPIC_SIZE,
    MIN_TOPIC_SIZE,
    MIN_WORD_WEIGHT,
    PRIOR_PSEUDOCOUNT,
    RefinedConstants,
)
from dplda.methods.refined.plan.schedule import noise_edge, word_count_share
from dplda.methods.refined.prior import prior_mixtures
from dplda.methods.refined.prior.topic_prior import PriorTilt, prior_power
from dplda.methods.refined.refined_methods import refined
from dplda.methods.unigram import private_unigram
from dplda.privacy.accounting import gaussian

PROBLEM, DELTA, EPSILONS, DRAWS = Problem(10, 1.0), 1e-7, (0.3, 1.0, 3.0), 3
N_WORDS, READ = (
    1000,
    8000,
)  # words of topics; words that vectors of documents read, and public text has
OURS = ("Private unigram", "Refined", "Refined + public table")
FEW_WORDS, FEW_TOPICS, SHORT = 300, 3, 16
SIZE, ROUNDS, SHARE, BOUND = (
    100,
    2,
    0.2,
    2.0,
)  # of vectors; of k-means; its part of μ²; norm of a document's counts
NEAR_ONE = np.exp(
    -0.5 * np.log(np.maximum(CENTRES, MIN_RATIO)) ** 2
)  # a law to begin with; helps clusters, not Refined
NEAR_ONE /= np.sum(NEAR_ONE)

Row: TypeAlias = dict[str, str | float | int]
Labels: TypeAlias = NDArray[np.intp]


class Found(NamedTuple):
    """Words of topics or clusters, shape (k, d), Dirichlet parameters or parts of all words, and word frequencies."""

    words: Matrix
    shares: Vector
    mean_words: Vector


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie."""
    parser.add_argument(
        "--wikipedia",
        required=True,
        help="Wikipedia's leads: public for the others, and judged too",
    )
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        required=True,
        metavar="NAME=PATH",
        help="a corpus to judge; the first is what is public for Wikipedia's leads",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=OURS,
        help="methods to measure anew; other rows stay as they were",
    )


def run(wikipedia: str, corpora: list[str], only: list[str] | None = None) -> Iterator[Row]:
    """A row for each corpus, method and ε: medians over draws of noise."""
    if only:
        new_rows = _rows_of_ours(wikipedia, corpora, only)
        yield from replace_rows("public-knowledge", new_rows, ("setting", "method", "epsilon"))
        return
    read = partial(dplda.load, label=Label.PUBLIC, n_words=READ)
    named = {name: read(path) for name, _, path in (each.partition("=") for each in corpora)}
    leads = read(wikipedia, text="text")
    for name, corpus in named.items():
        yield from _rows(name, Judged.of(corpus), Public(leads), "english")
    name, first = next(iter(named.items()))
    yield from _rows("Wikipedia leads", Judged.of(leads), Public(first), first)
    for less, judged in saying_less(first):
        yield from _ours(f"{name}, {less}", judged, "english")


def _rows_of_ours(wikipedia: str, corpora: list[str], methods: list[str]) -> Iterator[Row]:
    """The rows of some of our methods alone."""
    read = partial(dplda.load, label=Label.PUBLIC, n_words=READ)
    named = {name: read(path) for name, _, path in (each.partition("=") for each in corpora)}
    first_name, first_corpus = next(iter(named.items()))
    for name, corpus in named.items():
        yield from _ours(name, Judged.of(corpus), "english", methods)
    leads = Judged.of(read(wikipedia, text="text"))
    yield from _ours("Wikipedia leads", leads, first_corpus, methods)
    for less, judged in saying_less(first_corpus):
        yield from _ours(f"{first_name}, {less}", judged, "english", methods)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Documents to fit, as vectors read them and over the word list, and documents held out."""

    documents: Corpus
    corpus: Corpus
    test: Counts
    cut: Halves
    problem: Problem = PROBLEM

    @classmethod
    def of(cls, corpus: Corpus, n_words: int = N_WORDS) -> "Judged":
        """Documents with a word of the list; a tenth of them are held out."""
        some = np.flatnonzero(corpus.counts[:, :n_words].sum(axis=1) > 0)
        parts = hold_out(
            replace(corpus, counts=corpus.counts[some], intake=None), fraction=0.1, seed=0
        )
        test, words = canonical_counts(parts.test[:, :n_words]), corpus.vocabulary[:n_words]
        listed = replace(
            parts.train, counts=canonical_counts(parts.train.counts[:, :n_words]), vocabulary=words
        )
        return cls(parts.train, listed, test, halves(test, seed=0))


def saying_less(corpus: Corpus) -> Iterator[tuple[str, Judged]]:
    """Documents that say less about what belongs together, and fewer topics to find in them."""
    yield f"{FEW_WORDS} words", Judged.of(corpus, FEW_WORDS)
    yield (
        f"{FEW_TOPICS} topics",
        replace(Judged.of(corpus), problem=replace(PROBLEM, n_topics=FEW_TOPICS)),
    )
    counts = canonical_counts(corpus.counts[:, :N_WORDS]).copy()
    kept = np.minimum(1.0, SHORT / np.maximum(1, counts.sum(axis=1)))
    counts.data = np.random.default_rng(0).binomial(
        counts.data, np.repeat(kept, np.diff(counts.indptr))
    )
    counts.eliminate_zeros()
    short = replace(
        corpus, counts=canonical_counts(counts), vocabulary=corpus.vocabulary[:N_WORDS], intake=None
    )
    yield f"{SHORT} words a document at most", Judged.of(short)


@dataclass(frozen=True, eq=False)
class Public:
    """Vectors and clusters of public text: TF-IDF, its leading directions, and k-means."""

    corpus: Corpus

    def vectors(self, corpus: Corpus) -> Matrix:
        """One a document, of length 1 at most, shape (N, size): a function of the document and of public text."""
        return unit(self._directions.transform(self._weighed(corpus)))

    @cached_property
    def centers(self) -> Matrix:
        """Shape (k, size), rows of length 1."""
        return unit(
            KMeans(PROBLEM.n_topics, n_init=3, random_state=0).fit(self._own).cluster_centers_
        )

    def ratios(self, centers: Matrix, words: tuple[str, ...]) -> Matrix:
        """How much more often public documents at each center have a word than all have, shape (k, d)."""
        counts = over(self.corpus, words)
        each = summed(counts, nearest(self._own, centers))
        mean = each.sum(axis=0) / each.sum()
        found: Matrix = (each + PRIOR_PSEUDOCOUNT) / (
            each.sum(axis=1, keepdims=True) * mean + PRIOR_PSEUDOCOUNT
        )
        return found

    @cached_property
    def _own(self) -> Matrix:
        return self.vectors(self.corpus)

    @cached_property
    def _directions(self) -> TruncatedSVD:
        return TruncatedSVD(SIZE, random_state=0).fit(self._weighed(self.corpus))

    def _weighed(self, corpus: Corpus) -> Counts:
        counts = over(corpus, self.corpus.vocabulary)
        present = np.bincount(self.corpus.counts.indices, minlength=self.corpus.n_words)
        counts.data = np.log1p(counts.data)
        return clipped(
            csr_array(
                counts @ diags_array(np.log(self.corpus.n_documents / np.maximum(1, present)))
            ),
            1.0,
        )


def clusters(
    judged: Judged, public: Public, mu: float, rng: np.random.Generator, *, leans: bool
) -> Found:
    """The rival's run: from noisy sums alone.

    Args:
        leans: whether clusters' words are shrunk to those of public documents in them, else to word frequencies.

    Guarantee:
        μ-GDP when one document is replaced: μ² adds up over releases. A vector of length 1 at most joins the sum of one
        cluster, so replacing its document moves these sums by 2 at most: by both lengths where it stays in its
        cluster. Counts are not negative and of norm ``BOUND`` at most: √2 of that, in one cluster or in two.
    """
    counts, vectors, k = judged.corpus.counts, public.vectors(judged.documents), PROBLEM.n_topics
    n, d = counts.shape
    edge = noise_edge(n, d, mu)
    first = word_count_share(RefinedConstants(), edge)
    centers, noise = public.centers, 2 / gaussian.mu_of_share(mu, (1 - first) * SHARE / ROUNDS)
    for _ in range(ROUNDS):
        labels = nearest(vectors, centers)
        sums = np.stack([vectors[labels == i].sum(axis=0) for i in range(k)])
        sums += noise * rng.standard_normal(sums.shape)
        centers = unit(sums + noise * math.sqrt(SIZE) * public.centers)  # as sure as noise is large
    noise = math.sqrt(2) * BOUND / gaussian.mu_of_share(mu, first)
    words = NoisyWordCounts(
        clipped(counts, BOUND).sum(axis=0) + noise * rng.standard_normal(d), noise
    )
    weighted = clipped(csr_array(counts @ diags_array(words.word_weights)), BOUND)
    noise = math.sqrt(2) * BOUND / gaussian.mu_of_share(mu, (1 - first) * (1 - SHARE))
    cells = (
        summed(weighted, nearest(vectors, centers)) + noise * rng.standard_normal((k, d))
    ) / words.word_weights
    sizes = np.clip(
        cells.sum(axis=1),
        MIN_TOPIC_SIZE * words.total_count / k,
        MAX_TOPIC_SIZE * words.total_count,
    )
    ratios = public.ratios(centers, judged.corpus.vocabulary) if leans else np.ones((k, d))
    base = sizes[:, None] * PriorTilt(ratios, prior_power(edge))(words.word_frequencies)
    spread = np.broadcast_to(noise / words.word_weights, cells.shape)
    found = (
        fit_empirical_bayes(
            cells, spread, base, initial_weights=NEAR_ONE if leans else EVEN_WEIGHTS
        ).mean
        + MIN_WORD_WEIGHT * base
    )
    return Found(
        found / found.sum(axis=1, keepdims=True), sizes / sizes.sum(), words.word_frequencies
    )


def mixture_perplexity(found: Found, cut: Halves) -> float:
    """Document completion where each document is of one cluster; words are smoothed as in ``completion``."""
    words = (1 - DEFAULT_WEIGHT) * found.words + DEFAULT_WEIGHT * found.mean_words
    words = (1 - UNIFORM_SHARE) * words + UNIFORM_SHARE / words.shape[1]
    chances = softmax(cut.observed @ np.log(words).T + np.log(found.shares), axis=1)
    held = cut.scored.tocoo()
    likely = np.log(np.vecdot(chances[held.row], words.T[held.col]))
    return float(np.exp(-(held.data @ likely) / held.data.sum()))


def topics_perplexity(found: Found, cut: Halves) -> float:
    """Document completion where each document is of several topics."""
    return completion(found.words, found.shares, cut=cut, mean_words=found.mean_words)


def _ours(
    name: str,
    judged: Judged,
    table: prior_mixtures.PriorLike,
    methods: Sequence[str] = OURS,
) -> Iterator[Row]:
    with_table = refined(prior=partial(prior_mixtures.make_prior, table))
    for method, of in zip(OURS, (private_unigram(), refined(), with_table), strict=True):
        if method in methods:
            yield from _measured(
                name, method, judged, partial(_fitted, of, judged), {"": topics_perplexity}
            )


def _rows(
    name: str, judged: Judged, public: Public, table: prior_mixtures.PriorLike
) -> Iterator[Row]:
    yield from _ours(name, judged, table)
    both = {"": mixture_perplexity, ", a document of several": topics_perplexity}
    for method, leans in (("Clusters", False), ("Clusters + public words", True)):
        yield from _measured(name, method, judged, partial(_clustered, judged, public, leans), both)


def _measured(
    name: str,
    method: str,
    judged: Judged,
    fit: Callable[[float, int], Found],
    perplexities: dict[str, Callable[[Found, Halves], float]],
) -> Iterator[Row]:
    for epsilon in EPSILONS:
        found = [fit(epsilon, draw) for draw in range(DRAWS)]
        coherent = [npmi(one.words, judged.test).mean for one in found]
        for more, perplexity in perplexities.items():
            scores = [round(perplexity(one, judged.cut), 1) for one in found]
            yield {
                "setting": name,
                "method": method + more,
                "epsilon": epsilon,
                "perplexity": float(np.median(scores)),
                "least": min(scores),
                "most": max(scores),
                "npmi": round(float(np.median(coherent)), 4),
                "n_documents": judged.corpus.n_documents,
            }


def _fitted(method: Method, judged: Judged, epsilon: float, draw: int) -> Found:
    topics = method.fit(judged.corpus, judged.problem, Budget(epsilon, DELTA), Runtime(draw)).topics
    return Found(topics.words, topics.alpha, topics.mean_words)


def _clustered(judged: Judged, public: Public, leans: bool, epsilon: float, draw: int) -> Found:
    mu = gaussian.mu_for(epsilon, DELTA)
    return clusters(judged, public, mu, np.random.default_rng(draw), leans=leans)


def nearest(vectors: Matrix, centers: Matrix) -> Labels:
    """The center that each vector points to most, shape (n,)."""
    return np.argmax(vectors @ centers.T, axis=1)


def summed(counts: Counts, labels: Labels) -> Matrix:
    """Counts of each cluster, shape (k, d)."""
    shape = PROBLEM.n_topics, len(labels)
    members = csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=shape)
    return np.asarray((members @ counts).todense())


def unit(rows: Matrix) -> Matrix:
    """Rows of length 1."""
    return rows / np.maximum(1e-12, np.linalg.norm(rows, axis=1, keepdims=True))


def clipped(counts: Counts, bound: float) -> Counts:
    """Counts of each document, scaled down to a norm."""
    norms = np.sqrt(counts.multiply(counts).sum(axis=1))
    return csr_array(diags_array(np.minimum(1, bound / np.maximum(1e-12, norms))) @ counts)


def over(corpus: Corpus, words: tuple[str, ...]) -> Counts:
    """Counts over another word list, shape (N, number of words); 0 for words that the corpus lacks."""
    known = {word: place for place, word in enumerate(corpus.vocabulary)}
    of, to = np.array([(known[word], place) for place, word in enumerate(words) if word in known]).T
    chosen = csr_array((np.ones(len(of)), (of, to)), shape=(corpus.n_words, len(words)))
    return csr_array(corpus.counts @ chosen)
