"""Corpora, their sums and fits, each computed once: shared between sessions unless the corpus is sensitive."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from dplda.corpus import Corpus, Label, Simulation, python_docs
from dplda.errors import NoTopics
from dplda.fitting.pipeline import Fit, Run, run
from dplda.fitting.sums import Sums
from dplda.plan import Plan
from dplda.prediction.curves import Curve
from dplda.prediction.geometry import Geometry, geometry_of
from dplda.report import CorpusKind, Settings
from dplda.spectral.population import Population
from dplda.theorems.spectrum import Spectrum, from_fit
from dplda.ui.shell import session
from dplda.ui.shell.bounded_cache import Shelf
from dplda.ui.shell.progress import Report, estimated, watched

CORPORA, SUMS, FITS, OUTLOOKS, CURVES = 512_000_000, 768_000_000, 256_000_000, 64_000_000, 8_000_000  # bytes
WORDS_PER_SECOND = 4e6  # of a simulated corpus, for the time left


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """A corpus' remembered sums, and the lock of whoever works with them."""

    sums: Sums
    lock: Lock = field(default_factory=Lock)


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What theorems and the predictor need of a corpus, taken from its un-noised fit once.

    Attributes:
        spectrum: the few numbers that bounds depend on.
        geometry: what the predictor depends on; None where the topics found are too much alike.
        mean_length: words in a document, at least 1.
    """

    spectrum: Spectrum
    geometry: Geometry | None
    mean_length: float


@dataclass(frozen=True, slots=True, eq=False)
class Shelves:
    """What is kept: corpora by how they are made; all else by digest and parameters."""

    corpora: Shelf[Corpus] = field(default_factory=lambda: Shelf(CORPORA))
    benches: Shelf[Bench] = field(default_factory=lambda: Shelf(SUMS))
    fits: Shelf[Run] = field(default_factory=lambda: Shelf(FITS))
    outlooks: Shelf[Outlook] = field(default_factory=lambda: Shelf(OUTLOOKS))
    curves: Shelf[Curve] = field(default_factory=lambda: Shelf(CURVES))


@st.cache_resource(show_spinner=False)
def _shared() -> Shelves:
    return Shelves()


@st.cache_resource(show_spinner=False, scope="session")
def _own() -> Shelves:
    return Shelves()


def shelves(corpus: Corpus) -> Shelves:
    """Where results on a corpus are kept: a sensitive corpus leaves no trace for other sessions."""
    return _own() if corpus.label is Label.SENSITIVE else _shared()


def corpus() -> Corpus | None:
    """The corpus that the session has chosen; None when making it was cancelled."""
    chosen = session.choice()
    if chosen.kind is CorpusKind.UPLOADED and (held := session.uploaded()) is not None:
        return held
    if chosen.kind is CorpusKind.SIMULATED and chosen.simulation is not None:
        return simulated(chosen.simulation)
    return embedded()


def embedded() -> Corpus | None:
    """The docstrings of the installed packages; the first call on a machine parses them, with progress."""
    return _made("embedded", "embedded", lambda report: python_docs(report=report))


def simulated(simulation: Simulation) -> Corpus | None:
    """The corpus that these arguments draw."""

    def work(report: Report) -> Corpus:
        seconds = 0.5 + simulation.n_tokens / WORDS_PER_SECOND
        line = f"Drawing {simulation.n_documents:,} documents"
        return estimated(simulation.draw, seconds=seconds, line=line, report=report)

    return _made(simulation, f"simulated{hash(simulation)}", work)


def private_run(corpus: Corpus, settings: Settings) -> Run | None:
    """Topics under the plan. Its noise is fixed by seed or session, so looking again draws nothing anew."""
    return _fitted(corpus, settings.plan, settings.n_topics, settings.alpha0, settings.seed)


def exact_fit(corpus: Corpus, settings: Settings) -> Fit | None:
    """Topics without noise."""
    found = _fitted(corpus, None, settings.n_topics, settings.alpha0, 0)
    return None if found is None else found.fit


def outlook(corpus: Corpus, settings: Settings) -> Outlook | None:
    """Spectrum and geometry of a corpus, whatever the plan; None when the fit was cancelled.

    Raises:
        NoTopics: fewer directions than topics were found.
        DpldaError: the fit was refused.
    """
    shelf = shelves(corpus).outlooks
    key = _key(corpus, None, settings.n_topics, settings.alpha0, 0)
    kept = shelf.get(key)
    if kept is not None:
        return kept
    exact = exact_fit(corpus, settings)
    if exact is None:
        return None
    lengths = corpus.lengths.astype("float64")
    topics = exact.topics
    try:
        alpha = topics.alpha * (settings.alpha0 / topics.alpha.sum())
        geometry = geometry_of(Population(topics.words, alpha), lengths)
    except NoTopics:
        geometry = None
    made = Outlook(from_fit(exact), geometry, max(1.0, float(lengths.mean())))
    return shelf.put(key, made, 4_000_000)


def curve(corpus: Corpus, settings: Settings, name: tuple[object, ...], make: Callable[[], Curve]) -> Curve:
    """A curve over ε, made once.

    Args:
        corpus: that it belongs to.
        settings: whose k and α0 it depends on; all else it depends on must be in its name.
        name: tells it from other curves.
        make: draws nothing.
    """
    shelf = shelves(corpus).curves
    key = (*_key(corpus, None, settings.n_topics, settings.alpha0, 0), *name)
    kept = shelf.get(key)
    return shelf.put(key, make(), 4000) if kept is None else kept


def fit_now(corpus: Corpus, settings: Settings) -> Fit:
    """The private fit without drawing anything, for a download that is made when it is asked for."""
    kept = shelves(corpus).fits.get(_key(corpus, settings.plan, settings.n_topics, settings.alpha0, settings.seed))
    if kept is not None:
        return kept.fit
    s = settings
    return run(corpus, s.plan, n_topics=s.n_topics, alpha0=s.alpha0, seed=s.seed, secret=session.secret()).fit


def _made(key: object, name: str, make: Callable[[Report], Corpus]) -> Corpus | None:
    shelf = _shared().corpora
    kept = shelf.get(key)
    if kept is not None:
        return kept
    made = watched(name, make)
    return None if made is None else shelf.put(key, made, made.counts.nnz * 8 + made.n_documents * 8)


def _key(corpus: Corpus, plan: Plan | None, n_topics: int, alpha0: float, seed: int) -> tuple[object, ...]:
    # The label and the vocabulary's source are part of the guarantee, hence of the result.
    return (corpus.digest, corpus.label, corpus.vocabulary_source, plan, n_topics, round(alpha0, 6), seed)


def _fitted(corpus: Corpus, plan: Plan | None, n_topics: int, alpha0: float, seed: int) -> Run | None:
    kept = shelves(corpus)
    key = _key(corpus, plan, n_topics, alpha0, seed)
    found = kept.fits.get(key)
    if found is not None:
        return found
    square = corpus.n_words**2 * 8
    bench = kept.benches.get(corpus.digest)
    if bench is None:
        bench = kept.benches.put(corpus.digest, Bench(Sums(corpus.counts)), 4 * square + corpus.counts.nnz * 8)

    secret = session.secret() if corpus.label is Label.SENSITIVE else None

    def work(report: Report) -> Run:
        with bench.lock:
            return run(
                corpus,
                plan,
                n_topics=n_topics,
                alpha0=alpha0,
                seed=seed,
                secret=secret,
                sums=bench.sums,
                report=report,
            )

    done = watched(f"fit{hash(key)}", work)
    return None if done is None else kept.fits.put(key, done, square + n_topics * corpus.n_words * 8)
