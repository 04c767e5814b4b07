"""Corpora, their sums and fits, each computed once: shared between sessions unless the corpus is sensitive."""

import pickle
import time
import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import TypeVar, cast

import streamlit as st

from dplda.core.bounded_cache import BoundedCache
from dplda.core.engine import workers
from dplda.core.errors import DpldaError
from dplda.core.types import Report, silent
from dplda.core.worker_pool import Pool, Shared
from dplda.corpus import Corpus, Label, Simulation, python_docs
from dplda.experiments.settings import CorpusKind, Settings
from dplda.experiments.storage.shipped_fits import load_shipped_fit
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, ProblemSize
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.registry import parse_method
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Caveat
from dplda.theory.theorems.spectrum import Spectrum, from_unnoised
from dplda.ui.literal import literal
from dplda.ui.state import fits, link, looks, session
from dplda.ui.state.progress import BACKGROUND, unneeded, watched

CORPORA, FITS, SPECTRA = 512_000_000, 256_000_000, 64_000_000  # bytes
PICTURES = 800  # of some 100 kB
V = TypeVar("V")
WORDS_PER_SECOND = 4e6  # of a simulated corpus, for the time left
POOL = Pool(workers())


@dataclass(frozen=True, slots=True, eq=False)
class Caches:
    """What is kept, each by its key."""

    corpora: BoundedCache[Corpus] = field(default_factory=lambda: BoundedCache(CORPORA))
    counts: BoundedCache[Shared[Corpus]] = field(default_factory=lambda: BoundedCache(CORPORA))
    fits: BoundedCache[FitResult] = field(default_factory=lambda: BoundedCache(FITS))
    spectra: BoundedCache[Spectrum] = field(default_factory=lambda: BoundedCache(SPECTRA))
    pictures: BoundedCache[object] = field(default_factory=lambda: BoundedCache(PICTURES))


@st.cache_resource(show_spinner=False)
def _shared() -> Caches:
    return Caches()


@st.cache_resource(show_spinner=False, scope="session")
def _own() -> Caches:
    return Caches()


def caches(corpus: Corpus) -> Caches:
    """Where results on a corpus are kept: a sensitive corpus leaves no trace for other sessions."""
    return _own() if corpus.label is Label.SENSITIVE else _shared()


def corpus() -> Corpus | None:
    """The corpus that the session has chosen; None when making it was cancelled."""
    chosen = session.choice()
    if (held := session.uploaded()) is not None:
        return held
    if chosen.kind is CorpusKind.SIMULATED and chosen.simulation is not None:
        return simulated(chosen.simulation)
    return unneeded(_shared().corpora.made("embedded", python_docs, _n_bytes))


def first_asked() -> tuple[tuple[Settings, NoNoise | None], ...]:
    """The fits that a new visitor sees first."""
    return (_without(link.read({}), link.read({}).method.noiseless_twin), NoNoise()), (
        link.read({}),
        None,
    )


def warm() -> None:
    """Prepare what a new visitor sees first: its documents and its fits, shipped ones if there are any."""
    kept = _shared()
    corpus = kept.corpora.made(link.TEACHING, link.TEACHING.draw, _n_bytes)
    for settings, noise in first_asked():
        key, found = (
            fit_key(corpus, settings, noise),
            load_shipped_fit(corpus, settings, noise=noise is None),
        )
        if found is not None:
            kept.fits.put(key, found, 200_000)  # bytes
        else:
            make = partial(_fitted, kept, corpus, settings, noise, None)
            Thread(
                target=BACKGROUND.ask,
                args=((key, None), make, silent),
                name="dplda-warm",
                daemon=True,
            ).start()


def simulated(simulation: Simulation) -> Corpus | None:
    """The corpus that these arguments draw."""
    held, seconds = _shared().corpora, 0.5 + simulation.n_tokens / WORDS_PER_SECOND

    def work(report: Report) -> Corpus:
        started = time.monotonic()

        def passed(share: float, line: str) -> None:  # drawing reports nothing
            report(
                min(0.95, (time.monotonic() - started) / seconds),
                f"Drawing {simulation.n_documents:,} documents",
            )

        made = BACKGROUND.ask(simulation, lambda _: simulation.draw(), passed)
        return held.put(simulation, made, _n_bytes(made))

    return _made(held, simulation, f"simulated{hash(simulation)}", work)


def found(corpus: Corpus, settings: Settings, *, noise: NoNoise | None = None) -> FitResult | None:
    """Topics of the chosen method. Seed or session fix the noise, so looking again draws nothing new."""
    looks.note(corpus, Caveat.TRIED if noise is None else Caveat.LOOKED)
    kept, key = caches(corpus), fit_key(corpus, settings, noise)
    secret = session.secret() if corpus.label is Label.SENSITIVE else None
    asked = (key, secret)  # two sessions with the same sensitive documents do not share a draw
    work = partial(BACKGROUND.ask, asked, partial(_fitted, kept, corpus, settings, noise, secret))
    return _made(kept.fits, key, f"fit{hash(asked)}", work)


def _made(held: BoundedCache[V], key: Hashable, name: str, work: Callable[[Report], V]) -> V | None:
    """A cached value, or the result of ``work``, with progress; None if the work was canceled."""
    before = held.get(key)
    return watched(name, work) if before is None else unneeded(before)


def ranges(corpus: Corpus, settings: Settings, found: FitResult) -> Uncertainty | None:
    """Work out the ranges of a fit, once, and keep them with it; None where it has none, or they were not made."""
    known, key, kept = found.uncertainty, fit_key(corpus, settings), caches(corpus)
    if known is None or "deviation" in vars(known):
        return unneeded(known)

    def make(report: Report) -> Uncertainty:
        vars(known)["deviation"] = POOL.run(known.estimate_error_std, report=report)
        kept.fits.put(key, found, len(pickle.dumps(found, protocol=5)))
        return known

    try:
        return watched(f"ranges{hash(key)}", partial(BACKGROUND.ask, known, make))
    except DpldaError as error:
        st.error(literal(str(error)))
        return None


def without_noise(corpus: Corpus, settings: Settings, text: str) -> FitResult | None:
    """Topics of a method without noise; independent of the seed, and of the budget unless that sets the clipping."""
    return found(corpus, _without(settings, text), noise=NoNoise())


def _without(settings: Settings, text: str) -> Settings:
    method, budget = parse_method(text), Budget()
    if method.needs_epsilon:
        spent = settings.budget
        budget = (
            Budget(spent.epsilon, spent.delta)
            if method.clipping_depends_on_epsilon
            else Budget(1.0, 1e-6)
        )  # of no effect
    return Settings(method, settings.problem, budget)


def spectrum(corpus: Corpus, settings: Settings) -> Spectrum | None:
    """Spectrum of a corpus, whatever the method; None when the fit was cancelled."""
    held = caches(corpus).spectra
    key = (*_name(corpus), settings.problem.n_topics, settings.problem.alpha0)
    kept = held.get(key)
    if kept is not None:
        return unneeded(kept)
    exact = without_noise(corpus, settings, "unnoised")
    if exact is None:
        return None
    seen = exact.curator
    assert seen.whitening is not None  # a spectral fit has one
    shape = ProblemSize(
        corpus.n_documents, corpus.n_words, settings.problem.n_topics, settings.problem.alpha0
    )
    return held.put(
        key,
        from_unnoised(shape, exact.topics.mean_words, seen.whitening, seen.components),
        4_000_000,
    )


def found_now(corpus: Corpus, settings: Settings, *, noise: NoNoise | None = None) -> FitResult:
    """What the method finds, for a download made on request; draws no progress."""
    kept, asked = (
        caches(corpus),
        settings if noise is None else _without(settings, settings.method.noiseless_twin),
    )
    found = kept.fits.get(fit_key(corpus, asked, noise))
    return found or _fitted(kept, corpus, asked, noise, session.secret(), silent)


def made_of_settings(name: str, work: Callable[..., V], *args: object) -> V | None:
    """The result of ``work`` on public settings alone, computed in the process pool once for all sessions."""
    kept, key = _shared().pictures, (work, args)

    def make(report: Report) -> object:
        return kept.put(key, POOL.run(work, *args, report=report), 1)

    return cast(
        "V | None", _made(kept, key, f"{name}{hash(key)}", partial(BACKGROUND.ask, key, make))
    )


def _n_bytes(corpus: Corpus) -> int:
    return corpus.counts.nnz * 8 + corpus.n_documents * 8


def _name(corpus: Corpus) -> tuple[object, ...]:
    # The label and the vocabulary's source are part of the guarantee, hence of the result.
    return (corpus.digest, corpus.label, corpus.vocabulary_source)


def _fitted(
    kept: Caches,
    corpus: Corpus,
    settings: Settings,
    noise: NoNoise | None,
    secret: Secret | None,
    report: Report,
) -> FitResult:
    counts = kept.counts.made(
        _name(corpus), lambda: _handed_out(corpus), lambda _: _n_bytes(corpus)
    )
    handed = None if secret is None else secret.hand_over()
    spec = settings.method.spec
    asked = (spec, settings.problem, settings.budget, settings.seed, noise, handed)
    found = POOL.run(fits.fit, counts, *asked, report=report)
    return kept.fits.put(
        fit_key(corpus, settings, noise), found, len(pickle.dumps(found, protocol=5))
    )


def _handed_out(corpus: Corpus) -> Shared[Corpus]:
    counts = Shared(corpus)
    if corpus.label is Label.SENSITIVE:  # when its session ends, no process remembers it
        forget = Thread(target=POOL.forget, args=(counts.key,), daemon=True)
        weakref.finalize(counts, forget.start).atexit = False
    return counts


def fit_key(corpus: Corpus, settings: Settings, noise: NoNoise | None = None) -> tuple[object, ...]:
    """Names a fit."""
    return (*_name(corpus), settings, noise is None)
