"""Corpora, their sums and fits, each computed once.

Sessions share them unless the corpus is sensitive.
"""

import pickle
import time
import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import TypeVar, cast

import streamlit as st

from dplda.core.bounded_cache import BoundedCache
from dplda.core.engine import workers
from dplda.core.errors import DpldaError
from dplda.core.types import Report, silent
from dplda.core.worker_pool import Pool, Shared
from dplda.corpus import Corpus, Label, Simulation, python_docs
from dplda.corpus.simulation.real_word_twin import RealWordTwin
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.storage.shipped_fits import fit_path, load_shipped_fit
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.method import FitResult
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import ProblemSize
from dplda.methods.registry import parse_method_spec
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Caveat
from dplda.theory.theorems.spectrum import Spectrum, from_unnoised
from dplda.ui.literal import literal
from dplda.ui.state import exposure, fits, session
from dplda.ui.state.progress import BACKGROUND, keep_placeholder, run_with_progress

CORPORA_BYTES = 512_000_000
FITS_BYTES = 256_000_000
SPECTRA_BYTES = 64_000_000
SHIPPED_FIT_BYTES = 200_000
SPECTRUM_BYTES = 4_000_000
N_PICTURES = 800  # of some 100 kB
UNNOISED = parse_method_spec("unnoised")
V = TypeVar("V")
ERROR_BARS = "Error bars"  # first words of their progress
WORDS_PER_SECOND = 4e6  # of a simulated corpus, for the time left
POOL = Pool(workers())
_READING_LOCKS: dict[Path, Lock] = {}  # of shipped fits, as many as there are files


@dataclass(frozen=True, slots=True, eq=False)
class Caches:
    """Corpora, their sums, and fits, each by its key.

    Attributes:
        corpora: by their source.
        counts: corpora in memory that the processes of the pool share, by documents.
        fits: by ``fit_key``.
        spectra: by the key of the fit they are of.
        pictures: results on public settings alone, by function and arguments.
    """

    corpora: BoundedCache[Corpus] = field(default_factory=lambda: BoundedCache(CORPORA_BYTES))
    counts: BoundedCache[Shared[Corpus]] = field(
        default_factory=lambda: BoundedCache(CORPORA_BYTES)
    )
    fits: BoundedCache[FitResult] = field(default_factory=lambda: BoundedCache(FITS_BYTES))
    spectra: BoundedCache[Spectrum] = field(default_factory=lambda: BoundedCache(SPECTRA_BYTES))
    pictures: BoundedCache[object] = field(default_factory=lambda: BoundedCache(N_PICTURES))


@st.cache_resource(show_spinner=False)
def shared_caches() -> Caches:
    """The caches that all sessions share."""
    return Caches()


@st.cache_resource(show_spinner=False, scope="session")
def _own() -> Caches:
    return Caches()


def caches(corpus: Corpus) -> Caches:
    """Where results on a corpus are kept: a sensitive corpus leaves no trace for other sessions."""
    if corpus.label is Label.SENSITIVE:
        return _own()
    return shared_caches()


def corpus() -> Corpus | None:
    """Make or return the corpus that the session has chosen.

    It is the upload, a simulation, drawn with progress, or the docstrings, also for an upload that
    is gone. None if the simulation was canceled.
    """
    uploaded = session.uploaded()
    if uploaded is not None:
        return uploaded
    source = session.chosen_source()
    if isinstance(source, Simulation):
        return simulated(source)
    return keep_placeholder(shared_caches().corpora.made("embedded", python_docs, corpus_bytes))


def simulated(simulation: Simulation | RealWordTwin) -> Corpus | None:
    """Draw the corpus of a simulation, with progress, once for all sessions.

    Returns None if that was canceled.
    """
    corpus_cache = shared_caches().corpora
    expected_seconds = 0.5 + simulation.n_tokens / WORDS_PER_SECOND

    def draw(report: Report) -> Corpus:
        """Draw and return the documents, kept for all sessions; progress is estimated from time."""
        started_at = time.monotonic()

        def report_time(share: float, line: str) -> None:  # drawing itself reports nothing
            estimated_share = (time.monotonic() - started_at) / expected_seconds
            report(min(0.95, estimated_share), f"Drawing {simulation.n_documents:,} documents")

        corpus = BACKGROUND.ask(simulation, lambda _: simulation.draw(), report_time)
        return corpus_cache.put(simulation, corpus, corpus_bytes(corpus))

    return _get_or_make(corpus_cache, simulation, f"simulated{hash(simulation)}", draw)


def is_at_hand(corpus: Corpus, experiment: Experiment) -> bool:
    """Whether a private fit needs no run: it is cached, or ships with the program."""
    return find_fit(caches(corpus), corpus, experiment, None) is not None


def fit(
    corpus: Corpus,
    experiment: Experiment,
    *,
    noise: NoNoise | None = None,
    is_urgent: bool = True,
    progress_prefix: str = "",
) -> FitResult | None:
    """Fit an experiment with progress; None if that was canceled.

    A cached or shipped fit comes back at once. Seed or session fix the noise, so looking again
    draws nothing new. That somebody looked at the documents (without noise), or tried something on
    them, is recorded first (``exposure``).

    Args:
        corpus: the documents.
        experiment: method, problem, budget and seed.
        noise: a source in place of simulated noise; None for that.
        is_urgent: whether it goes ahead of work that is not.
        progress_prefix: written before the steps of the progress.

    Raises:
        DpldaError: the method refuses these documents or settings.
    """
    exposure.record(corpus, Caveat.TRIED if noise is None else Caveat.LOOKED)
    key_of_fit = fit_key(corpus, experiment, noise)
    corpus_caches = caches(corpus)
    secret = None
    if corpus.label is Label.SENSITIVE:
        secret = session.secret()
    # Two sessions with the same sensitive documents do not share a draw.
    job_key = (key_of_fit, secret)
    make_fit = partial(
        make_and_keep_fit, corpus_caches, corpus, experiment, noise, secret, is_urgent=is_urgent
    )
    found_fit = find_fit(corpus_caches, corpus, experiment, noise)
    if found_fit is not None:
        return keep_placeholder(found_fit)

    def ask(report: Report) -> FitResult:
        def report_with_prefix(share: float, step: str) -> None:
            report(share, progress_prefix + step)

        return BACKGROUND.ask(job_key, make_fit, report_with_prefix)

    return run_with_progress(f"fit{hash(job_key)}", ask)


def find_fit(
    corpus_caches: Caches, corpus: Corpus, experiment: Experiment, noise: NoNoise | None
) -> FitResult | None:
    """A fit that needs no run: the cached one, or the shipped one, which is then cached.

    None if there is neither. Only fits of simulated documents ship. Visitors who ask for the same
    one at once wait for the first of them, as reading it takes as long as some pictures.
    """
    key = fit_key(corpus, experiment, noise)
    cached_fit = corpus_caches.fits.get(key)
    if cached_fit is not None or corpus.label is not Label.SIMULATED:
        return cached_fit
    path = fit_path(experiment, noise=noise is None)
    if not path.exists():
        return None
    with _READING_LOCKS.setdefault(path, Lock()):
        cached_fit = corpus_caches.fits.get(key)
        if cached_fit is not None:
            return cached_fit
        shipped_fit = load_shipped_fit(corpus, experiment, noise=noise is None)
        if shipped_fit is None:
            return None
        return corpus_caches.fits.put(key, shipped_fit, SHIPPED_FIT_BYTES)


def _get_or_make(
    cache: BoundedCache[V], key: Hashable, name: str, work: Callable[[Report], V]
) -> V | None:
    """A cached value, or the result of ``work``, with progress; None if the work was canceled.

    The result is not put into the cache here: the work does that.
    """
    cached = cache.get(key)
    if cached is None:
        return run_with_progress(name, work)
    return keep_placeholder(cached)


def ranges(corpus: Corpus, experiment: Experiment, result: FitResult) -> Uncertainty | None:
    """Work out the intervals of a fit, with progress, once, and keep them with it in the cache.

    Args:
        corpus: the documents.
        experiment: of the fit.
        result: of the fit.

    Returns:
        The intervals, at once if the fit has them already; None if the method has none, the work
        was canceled, or it failed, which is then drawn as an error.
    """
    uncertainty = result.uncertainty
    fits_by_key = caches(corpus).fits
    key_of_fit = fit_key(corpus, experiment)
    if uncertainty is None or uncertainty.known_error_std is not None:
        return keep_placeholder(uncertainty)

    def make(report: Report) -> Uncertainty:
        """Estimate the intervals in a worker process, and keep the fit with them.

        The work has a lower priority than fits. Its steps are reported as steps of error bars.
        """

        def report_with_name(share: float, step: str) -> None:
            """Report a step under the name of error bars, which some steps have already."""
            if not step.startswith(ERROR_BARS):
                step = f"{ERROR_BARS}: {step}"
            report(share, step)

        # Fits of other visitors go first: they have no picture yet.
        error_std = POOL.run(
            uncertainty.estimate_error_std, report=report_with_name, is_urgent=False
        )
        completed_uncertainty = replace(uncertainty, known_error_std=error_std)
        completed_result = result.with_uncertainty(completed_uncertainty)
        fits_by_key.replace(key_of_fit, completed_result, _pickled_size(completed_result))
        return completed_uncertainty

    try:
        return run_with_progress(
            f"ranges{hash(key_of_fit)}", partial(BACKGROUND.ask, uncertainty, make)
        )
    except DpldaError as error:
        st.error(literal(str(error)))
        return None


def without_noise(corpus: Corpus, experiment: Experiment, method: MethodSpec) -> FitResult | None:
    """Topics of a method without noise, with progress; None when the fit was cancelled.

    Independent of the seed, and of the budget unless that sets the clipping.
    """
    return fit(corpus, experiment.without_noise(method), noise=NoNoise())


def noiseless_twin(corpus: Corpus, experiment: Experiment) -> FitResult | None:
    """The topics without noise with which an experiment's are compared.

    None when the fit was cancelled.
    """
    return fit(corpus, noiseless_experiment(experiment), noise=NoNoise())


def noiseless_experiment(experiment: Experiment) -> Experiment:
    """The same experiment without noise, by the method to compare its own with."""
    twin_name = experiment.registered_method.noiseless_twin
    return experiment.without_noise(parse_method_spec(twin_name))


def spectrum(corpus: Corpus, experiment: Experiment) -> Spectrum | None:
    """Spectrum of a corpus, cached or from a spectral fit without noise, whatever the method.

    Keeps what it computes in the cache. A fit records that somebody looked at the documents.
    Returns None if the fit was canceled.

    Raises:
        DpldaError: the fit without noise is refused.
    """
    spectral_experiment = experiment.without_noise(UNNOISED)
    key_of_fit = fit_key(corpus, spectral_experiment, NoNoise())
    spectrum_cache = caches(corpus).spectra
    cached_spectrum = spectrum_cache.get(key_of_fit)
    if cached_spectrum is not None:
        return keep_placeholder(cached_spectrum)
    noiseless_fit = fit(corpus, spectral_experiment, noise=NoNoise())
    if noiseless_fit is None:
        return None
    curator_values = noiseless_fit.curator
    problem = experiment.problem
    assert curator_values.whitening is not None  # a spectral fit has one
    problem_size = ProblemSize(
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        n_topics=problem.n_topics,
        alpha0=problem.alpha0,
    )
    computed_spectrum = from_unnoised(
        problem_size,
        noiseless_fit.topics.mean_words,
        curator_values.whitening,
        curator_values.components,
    )
    return spectrum_cache.put(key_of_fit, computed_spectrum, SPECTRUM_BYTES)


def mean_length(corpus: Corpus) -> float:
    """Mean number of words of a document, at least 1; counted once for each corpus."""
    measured_length = caches(corpus).pictures.made(
        ("mean length", corpus.digest), lambda: float(corpus.lengths.mean()), lambda _: 1
    )
    return max(1.0, cast("float", measured_length))


def fit_quietly(
    corpus: Corpus, experiment: Experiment, *, noise: NoNoise | None = None
) -> FitResult:
    """Fit an experiment without drawing progress, for a download; a cached fit is used.

    A new fit is kept in the cache. A look or a try is not recorded.

    Args:
        corpus: the documents.
        experiment: method, problem, budget and seed.
        noise: None for the experiment itself; ``NoNoise`` for its noiseless twin.

    Raises:
        DpldaError: the method refuses these documents or settings.
    """
    corpus_caches = caches(corpus)
    experiment_to_fit = experiment
    if noise is not None:
        experiment_to_fit = noiseless_experiment(experiment)
    found_fit = find_fit(corpus_caches, corpus, experiment_to_fit, noise)
    if found_fit is not None:
        return found_fit
    return make_and_keep_fit(
        corpus_caches, corpus, experiment_to_fit, noise, session.secret(), silent
    )


def made_of_settings(name: str, work: Callable[..., V], *args: object) -> V | None:
    """Compute a result from public settings alone, with progress, once for all sessions.

    Args:
        name: of the work, for its progress.
        work: a function of a module, which a process of the pool runs.
        args: its arguments, which together with it are the key of the result.

    Returns:
        The result; None if the work was canceled. Errors of the work pass.
    """
    shared_results = shared_caches().pictures
    result_key = (work, args)

    def make(report: Report) -> object:
        return shared_results.put(result_key, POOL.run(work, *args, report=report), 1)

    ask_in_background = partial(BACKGROUND.ask, result_key, make)
    return cast(
        "V | None",
        _get_or_make(shared_results, result_key, f"{name}{hash(result_key)}", ask_in_background),
    )


def fit_key(
    corpus: Corpus, experiment: Experiment, noise: NoNoise | None = None
) -> tuple[Experiment, bool]:
    """The key of a fit: the experiment on these very documents, and whether it has noise."""
    return experiment.on_documents(corpus), noise is None


def make_and_keep_fit(
    corpus_caches: Caches,
    corpus: Corpus,
    experiment: Experiment,
    noise: NoNoise | None,
    secret: Secret | None,
    report: Report,
    *,
    is_urgent: bool = True,
) -> FitResult:
    """Fit in the process pool, to which documents in memory go once, and keep the result.

    Args:
        corpus_caches: where the result is kept.
        corpus: the documents.
        experiment: method, problem, budget and seed.
        noise: a source in place of simulated noise; None for that.
        secret: key of all draws on a sensitive corpus, without which it gets a new one; without
            effect on others.
        report: progress callback.
        is_urgent: whether it goes ahead of work that is not.
    """
    shared_corpus = shared_documents(corpus, corpus_caches)
    handed_secret = None if secret is None else secret.hand_over()
    result = POOL.run(
        fits.fit_in_process,
        shared_corpus,
        experiment,
        noise,
        handed_secret,
        report=report,
        is_urgent=is_urgent,
    )
    key = fit_key(corpus, experiment, noise)
    return corpus_caches.fits.put(key, result, _pickled_size(result))


def shared_documents(corpus: Corpus, corpus_caches: Caches) -> Shared[Corpus]:
    """Documents as the processes of the pool share them; their labels may be of another reading.

    Args:
        corpus: the documents.
        corpus_caches: where they are kept.
    """
    return corpus_caches.counts.made(
        HeldDocuments.of_corpus(corpus),
        lambda: _share_counts(corpus),
        lambda _: corpus_bytes(corpus),
    )


def _share_counts(corpus: Corpus) -> Shared[Corpus]:
    """The corpus for the pool's processes, which forget a sensitive one when its session ends."""
    counts = Shared(corpus)
    if corpus.label is Label.SENSITIVE:
        forget = Thread(target=POOL.forget, args=(counts.key,), daemon=True)
        weakref.finalize(counts, forget.start).atexit = False
    return counts


def corpus_bytes(corpus: Corpus) -> int:
    """About the bytes of a corpus in memory."""
    return corpus.counts.nnz * 8 + corpus.n_documents * 8


def _pickled_size(result: FitResult) -> int:
    return len(pickle.dumps(result, protocol=5))
