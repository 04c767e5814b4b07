"""The un-noised fit and refinement beside other libraries' LDA: one corpus a section, one run, two threads.

Ours is timed before and after every rival, so that a ratio compares minutes that were next to each other. Simulated
corpora score by the distance from the truth, real ones (``--corpus "20 Newsgroups=docword.txt.gz"``) by perplexity.
"""

import argparse
import gc
import multiprocessing
import multiprocessing.connection
import os
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from statistics import median

import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.decomposition import LatentDirichletAllocation

import dplda
from benchmarks.speed_corpora import ALPHA0, Size, Text
from dplda.corpus import Corpus, Label
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.refined.algorithm import fit_refined

JOBS = 2
EPSILON = 1.0
SCORES = {"l1_mean", "perplexity"}  # less is better
ANCHOR_ITERATIONS = 20  # the package's default
TOPICA_SEEDS = (0, 1, 2)  # on which its error depends more than others' does
REPEATS = 5  # of ours, before and after each rival; a rival runs once
Row = dict[str, float | int | str]
Fitted = Callable[[Corpus], np.ndarray]


SIZES = (
    Size(n_documents=20_000, n_words=1_000, n_topics=10, batch=20, online=5, gensim=5),
    Size(n_documents=100_000, n_words=1_000, n_topics=10, batch=20, online=5, gensim=5),
    Size(n_documents=100_000, n_words=5_000, n_topics=50, batch=8, online=2, gensim=2),
)


def spectral(corpus: Corpus, n_topics: int) -> np.ndarray:
    """Our topics."""
    return fit_spectral(corpus, None, Problem(n_topics, ALPHA0)).topics.words


def refinement(corpus: Corpus, n_topics: int) -> np.ndarray:
    """Private topics, moments counted anew."""
    return fit_refined(corpus, Problem(n_topics, ALPHA0), Budget(EPSILON, 1e-7)).topics.words


def refined(corpus: Corpus, n_topics: int, *, passes: int) -> np.ndarray:
    """Un-noised topics after passes over all documents."""
    return dplda.SpectralLDA(n_topics, alpha0=ALPHA0, refine=passes).fit(corpus).components_


def variational(corpus: Corpus, n_topics: int, *, method: str, passes: int) -> np.ndarray:
    """Scikit-learn's topics, (k, d).

    Args:
        corpus: documents.
        n_topics: k.
        method: ``online`` or ``batch``.
        passes: over all documents.
    """
    model = LatentDirichletAllocation(
        n_topics,
        learning_method=method,
        max_iter=passes,
        n_jobs=JOBS,
        random_state=0,
        doc_topic_prior=ALPHA0 / n_topics,
    ).fit(corpus.counts)
    return model.components_ / model.components_.sum(axis=1, keepdims=True)


def gensim(corpus: Corpus, n_topics: int, *, passes: int) -> np.ndarray:
    """Gensim's topics."""
    from gensim.matutils import Sparse2Corpus
    from gensim.models.ldamulticore import LdaMulticore

    model = LdaMulticore(
        Sparse2Corpus(corpus.counts.T.tocsc()),
        id2word={i: str(i) for i in range(corpus.n_words)},
        num_topics=n_topics,
        workers=JOBS,
        passes=passes,
        alpha=[ALPHA0 / n_topics] * n_topics,
        eval_every=None,
        random_state=0,
    )
    return model.get_topics()


def gibbs(corpus: Corpus, n_topics: int, *, passes: int) -> np.ndarray:
    """Tomotopy's topics."""
    import tomotopy

    model = tomotopy.LDAModel(k=n_topics, alpha=ALPHA0 / n_topics, seed=0)
    names = [str(i) for i in range(corpus.n_words)]
    for row in range(corpus.n_documents):
        part = slice(corpus.counts.indptr[row], corpus.counts.indptr[row + 1])
        words = np.repeat(corpus.counts.indices[part], corpus.counts.data[part])
        model.add_doc([names[word] for word in words])
    model.train(passes, workers=JOBS)
    order = np.array([int(name) for name in model.used_vocabs])
    topics = np.zeros((n_topics, corpus.n_words))
    for k in range(n_topics):
        topics[k, order] = model.get_topic_word_dist(k)
    return topics


def anchors(corpus: Corpus, n_topics: int, *, passes: int) -> np.ndarray:
    """Topics by anchor words with on-the-fly rectification, of the package anchortopics."""
    from anchortopics import OTFR

    return OTFR(n_topics, max_iter=passes, random_state=0).fit(corpus.counts).components_


def sparse_gibbs(corpus: Corpus, n_topics: int, *, passes: int, seed: int) -> np.ndarray:
    """Topica's topics: its sparse Gibbs sampler, the mean of five snapshots after the sweeps."""
    import topica

    names = np.array([str(i) for i in range(corpus.n_words)])
    counts = corpus.counts
    row_limits = zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    documents = [
        np.repeat(names[counts.indices[start:end]], counts.data[start:end]).tolist()
        for start, end in row_limits
    ]
    texts = topica.Corpus.from_documents(documents, vocabulary=names.tolist())
    model = topica.LDA(n_topics, alpha_sum=ALPHA0, seed=seed, num_threads=JOBS)
    model.fit(texts, iters=passes, sample_interval=max(1, passes // 20))
    return np.asarray(model.topic_word)


def measure_method(
    method: Fitted, size: Size | Text, repeats: int, pipe: multiprocessing.connection.Connection
) -> None:
    """Draw the corpus, fit, and send a row back: seconds, processor seconds, peak memory and the score.

    Args:
        method: makes topics of a corpus.
        size: of the corpus.
        repeats: fits, of whose seconds the median counts.
        pipe: that the row is sent through.
    """
    corpus, score = size.drawn()
    method(Corpus.from_counts(corpus.counts[:500], label=Label.SIMULATED, name="to warm up on"))
    gc.collect()
    corpus_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu_at_start = _processor_seconds()
    seconds = []
    for _ in range(repeats):
        started_at = time.perf_counter()
        topics = method(corpus)
        seconds.append(time.perf_counter() - started_at)
    # scikit-learn's worker processes end here, so that they count.
    get_reusable_executor().shutdown(wait=True)
    own_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    worker_kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of the largest
    peak_kilobytes = own_kilobytes + JOBS * worker_kilobytes
    pipe.send(
        {
            "seconds": round(median(seconds), 3),
            "processor_seconds": round((_processor_seconds() - cpu_at_start) / repeats, 3),
            "corpus_only_mb": round(corpus_kilobytes / 1024),
            "peak_mb": round(peak_kilobytes / 1024),
            **score(topics),
            "load": round(os.getloadavg()[0], 1),
        }
    )


def _processor_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def in_child(method: Fitted, size: Size | Text, repeats: int) -> Row:
    """Run one measurement in a process of its own, so that peak memory belongs to it.

    Args:
        method: makes topics of a corpus.
        size: of the corpus, which the process draws.
        repeats: fits.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measure_method, args=(method, size, repeats, theirs))
    process.start()
    theirs.close()
    result: Row = ours.recv()
    process.join()
    return result


@dataclass(frozen=True)
class Rival:
    """Whom ours is timed beside.

    Attributes:
        name, unit: of it, and of one of its passes.
        fitted: its topics of a corpus, after some ``passes``.
        passes: it gets where all are timed at once.
    """

    name: str
    unit: str
    fitted: Callable[..., np.ndarray]
    passes: int

    def after(self, passes: int) -> tuple[str, Fitted]:
        """Name of the rival after so many passes, and the function that makes its topics then."""
        return f"{self.name}, {passes} {self.unit}", partial(self.fitted, passes=passes)


def rivals(size: Size | Text) -> list[Rival]:
    """All that make passes; those of the extra ``benchmarks``, anchortopics and topica where they are installed."""
    k = size.n_topics
    installed = []
    if size.passes:
        fitted = partial(refined, n_topics=k)
        installed.append(Rival("dplda, un-noised", "passes", fitted, size.passes))
    if find_spec("tomotopy"):
        installed.append(Rival("tomotopy", "sweeps", partial(gibbs, n_topics=k), size.gibbs))
    if find_spec("topica"):
        for seed in TOPICA_SEEDS:
            fitted = partial(sparse_gibbs, n_topics=k, seed=seed)
            installed.append(Rival(f"topica, seed {seed}", "sweeps", fitted, size.gibbs))
    if find_spec("anchortopics"):
        fitted = partial(anchors, n_topics=k)
        installed.append(Rival("anchortopics (OTFR)", "iterations", fitted, ANCHOR_ITERATIONS))
    if find_spec("gensim"):
        installed.append(Rival("gensim", "passes", partial(gensim, n_topics=k), size.gensim))
    for method, passes, unit in (
        ("online", size.online, "epochs"),
        ("batch", size.batch, "iterations"),
    ):
        fitted = partial(variational, n_topics=k, method=method)
        installed.append(Rival(f"scikit-learn {method}", unit, fitted, passes))
    return installed


def time_beside(size: Size | Text) -> Iterator[Row]:
    """Ours before, between and after theirs; ratios to our two medians next to each."""
    our_method = partial(spectral, n_topics=size.n_topics)
    ours_before = in_child(our_method, size, REPEATS)
    yield {"section": size.section, "method": "dplda, un-noised", "times_ours": 1.0, **ours_before}
    methods: dict[str, Fitted] = {}
    if not size.passes:
        methods[f"dplda, refined, ε = {EPSILON:g}"] = partial(refinement, n_topics=size.n_topics)
    methods |= dict(rival.after(rival.passes) for rival in rivals(size))
    for name, method in methods.items():
        theirs = in_child(method, size, 1)
        ours_after = in_child(our_method, size, REPEATS)
        our_means = {
            key: (float(ours_before[key]) + float(ours_after[key])) / 2
            for key in ("seconds", "processor_seconds")
        }
        ratios = {key: float(theirs[key]) / our_mean for key, our_mean in our_means.items()}
        yield {
            "section": size.section,
            "method": name,
            "times_ours": round(ratios["seconds"], 1),
            "times_our_processor_seconds": round(ratios["processor_seconds"], 1),
            "our_seconds": round(our_means["seconds"], 3),
            **theirs,
        }
        ours_before = ours_after


def time_to_equal(size: Size | Text, patience: float) -> Iterator[Row]:
    """Time that others take to do as well as ours: passes are doubled until they do, or a run outlasts our patience.

    Ours is the un-noised fit_spectral, refined where real text asks for it.

    Args:
        size: of the corpus.
        patience: seconds, after which a run is a rival's last.
    """
    section = f"{size.section}-equal"
    our_method: Fitted = partial(spectral, n_topics=size.n_topics)
    if size.passes:
        our_method = partial(refined, n_topics=size.n_topics, passes=size.passes)
    ours = in_child(our_method, size, REPEATS)
    yield {"section": section, "method": "ours", "passes": size.passes, **ours}
    (score,) = SCORES & ours.keys()
    for rival in rivals(size):
        if rival.name.startswith("dplda"):
            continue
        passes = 1
        while True:
            name, method = rival.after(passes)
            theirs = in_child(method, size, 1)
            reached = float(theirs[score]) <= float(ours[score])
            if reached or float(theirs["seconds"]) > patience:
                break
            passes *= 2
        ratio = float(theirs["processor_seconds"]) / float(ours["processor_seconds"])
        yield {
            "section": section,
            "method": name,
            "reached": reached,
            "times_our_processor_seconds": round(ratio, 1),
            **theirs,
        }


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which sections to run."""
    names = [size.section for size in SIZES]
    parser.add_argument(
        "--only", nargs="*", choices=names, default=names, help="sections, by N-d-k"
    )
    parser.add_argument(
        "--equal", action="store_true", help="instead, how long others take to be as good as ours"
    )
    parser.add_argument(
        "--patience", type=float, default=300, help="seconds, after which a run is the last (300)"
    )
    parser.add_argument(
        "--corpus", metavar="NAME=PATH", help="a public corpus of real text, a section more"
    )
    parser.add_argument("--words", type=int, default=10_000, help="d of that corpus (10000)")
    parser.add_argument("--topics", type=int, default=20, help="k of that corpus (20)")


def run(
    *, only: list[str], equal: bool, patience: float, corpus: str | None, words: int, topics: int
) -> Iterator[Row]:
    """Rows of the sections that were asked for.

    Args:
        only: sizes of simulated corpora, as ``N-d-k``.
        equal: whether others are timed until they are as good as ours.
        patience: seconds, after which a run is a rival's last.
        corpus: ``NAME=PATH`` of real text; None for none.
        words: d of that text.
        topics: k of that text.
    """
    sizes: list[Size | Text] = [size for size in SIZES if size.section in only]
    if corpus:
        name, _, path = corpus.partition("=")
        text = Text(
            name=name,
            path=path,
            n_words=words,
            n_topics=topics,
            batch=20,
            online=5,
            gensim=5,
            passes=10,
        )
        sizes.insert(0, text)
    for size in sizes:
        yield from time_to_equal(size, patience) if equal else time_beside(size)
