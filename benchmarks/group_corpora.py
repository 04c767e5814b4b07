"""Topic shares by group on 200 simulated corpora whose true shares are known.

    python -m benchmarks group-corpora

Each corpus has its own size (2,000 to 20,000 documents), topics (3 to 8), groups (3 to 20, of unequal sizes) and
differences between them; half of the corpora have groups without an order, half have times that walk. Topics are
released at ε = 1, then a table at each ε. Errors are against the true shares of the words of each group's documents,
and against the same table without noise: the first has the errors of topics and inference in it, the second only the
table's noise, which is all that the model of the noise knows.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import dplda
from benchmarks.group_shares import DELTA, EPSILONS, TOPICS_EPSILON, Row, Tally
from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.simulation.drawn_groups import ColumnDraw, GroupDraw
from dplda.corpus.simulation.simulate import draw_counts
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.methods.shares.share_posterior import draw_share_tables, group_sizes
from dplda.methods.shares.share_table import GroupedDocuments, share_bound, sum_shares
from dplda.privacy.accounting import gaussian
from dplda.spectral.topics import match

N_CORPORA = 200
N_WORDS = 100
ALPHA0 = 0.3
MEAN_LENGTH = 40
SPREADS = (
    0.1,
    0.3,
    0.6,
)  # of the logarithm of a topic's frequency, between groups or from time to time


def run(n_corpora: int = N_CORPORA) -> Iterator[Row]:
    """A row for each kind of groups, ε, and what errors are against."""
    tallies: dict[tuple[str, str, float], Tally] = {}
    for seed in range(n_corpora):
        _add_corpus(seed, tallies)
    for (kind, against, epsilon), tally in sorted(tallies.items()):
        yield {
            "groups": kind,
            "against": against,
            "epsilon": epsilon,
            "corpora": len(tally.errors),
            **tally.row(),
        }


def _add_corpus(seed: int, tallies: dict[tuple[str, str, float], Tally]) -> None:
    """Draw a corpus, release its topics, and count what noisy tables say of its groups."""
    rng = np.random.default_rng(seed)
    is_time = bool(seed % 2)
    corpus = draw_corpus(rng, is_time=is_time)
    assert corpus.truth is not None
    (true_groups,) = corpus.truth.groups
    n_topics = len(corpus.truth.topics)
    model = dplda.RefinedLDA(
        n_topics, alpha0=ALPHA0, epsilon=TOPICS_EPSILON, delta=DELTA, random_state=seed
    ).fit(corpus)
    order = match(corpus.truth.topics, model.components_)
    groups = Groups((GroupAxis(true_groups.column.values, is_ordered=is_time),))
    shares = infer_document_topics(corpus.counts, model.components_, model.alpha_)
    documents = GroupedDocuments(shares, true_groups.column.codes.astype(np.intp), groups.n_rows)
    table = np.asarray(sum_shares(documents, is_exact=False).value)[:, order]
    noiseless = (table / np.maximum(table.sum(axis=1, keepdims=True), 1.0))[:-1]
    kind = "times" if is_time else "groups"
    for epsilon in EPSILONS:
        bound = share_bound(corpus.n_documents, n_topics)
        noise_std = bound.sensitivity(is_exact=False) / gaussian.mu_for(epsilon, DELTA)
        noisy = table + rng.normal(0, noise_std, table.shape)
        draws = draw_share_tables(noisy, noise_std, chains=groups.chains, seed=seed)[:, :-1]
        raw = (noisy / group_sizes(noisy, noise_std)[:, None])[:-1]
        for against, right_shares in (("noiseless", noiseless), ("truth", true_groups.shares)):
            tally = tallies.setdefault((kind, against, epsilon), Tally())
            tally.add(raw, draws, right_shares)


def draw_corpus(rng: np.random.Generator, *, is_time: bool) -> Corpus:
    """A newspaper of some sections whose groups differ, or whose times walk.

    Args:
        rng: of the corpus and its groups.
        is_time: whether groups follow each other in time.
    """
    n_documents = round(2_000 * 10 ** rng.uniform())
    n_topics = int(rng.integers(3, 9))
    n_groups = int(rng.integers(3, 21))
    simulated = dplda.simulate(
        n_documents=3,
        n_words=N_WORDS,
        n_topics=n_topics,
        alpha0=ALPHA0,
        mean_length=MEAN_LENGTH,
        seed=int(rng.integers(2**31)),
        newspaper="english",
    )
    assert simulated.truth is not None
    truth: Truth = simulated.truth
    steps = rng.normal(0, rng.choice(SPREADS), (n_topics, n_groups))
    log_frequencies = np.cumsum(steps, axis=1) if is_time else steps
    weights = np.exp(log_frequencies) * rng.dirichlet(np.full(n_groups, 2.0))
    labels = tuple(f"g{number:02}" for number in range(n_groups))
    column_draw = ColumnDraw(
        "group", labels, weights / weights.sum(axis=1, keepdims=True), rng=rng.spawn(1)[0]
    )
    groups = GroupDraw((column_draw,))
    lengths = rng.poisson(MEAN_LENGTH, n_documents)
    counts = draw_counts(truth, lengths, rng=rng, groups=groups)
    return Corpus(
        counts,
        simulated.vocabulary,
        Label.SIMULATED,
        "A newspaper with groups",
        VocabularySource.FIXED,
        replace(truth, groups=groups.finish()),
    )
