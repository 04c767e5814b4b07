"""What a new visitor sees first: which fits these are, and their place in the shared cache."""

from dataclasses import replace
from functools import partial
from threading import Thread

from dplda.core.types import silent
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment
from dplda.experiments.storage.shipped_board import read_shipped_board
from dplda.privacy.noise.sources import NoNoise
from dplda.ui.state import cache, link
from dplda.ui.state.progress import BACKGROUND


def first_fits() -> tuple[tuple[Experiment, NoNoise | None], ...]:
    """The fits that a new visitor sees first, each with its source of noise."""
    experiment = link.read({})
    return (cache.noiseless_experiment(experiment), NoNoise()), (experiment, None)


def shipped_experiments() -> tuple[tuple[Experiment, NoNoise | None], ...]:
    """The experiments whose fits ship with the program, each with its source of noise.

    The source is None for simulated noise.

    They are the first fits, and the first experiment at every other stop of ε.
    """
    first = link.read({})
    at_stops = tuple(
        (replace(first, budget=replace(first.budget, epsilon=epsilon)), None)
        for epsilon in link.EPSILONS
        if epsilon != first.budget.epsilon
    )
    return (*first_fits(), *at_stops)


def warm() -> None:
    """Prepare the documents, spectrum and fits that a new visitor sees first, in the shared cache.

    Documents are drawn at once. A fit that is not shipped is made in a thread of its own, for which
    nobody waits.
    """
    teaching_corpus = first_documents()
    _keep_shipped_spectrum(teaching_corpus)
    for experiment, noise in first_fits():
        _keep_shipped_fit(teaching_corpus, experiment, noise)


def first_documents() -> Corpus:
    """The documents that a new visitor sees first, drawn once."""
    return cache.shared_caches().corpora.made(link.TEACHING, link.TEACHING.draw, cache.corpus_bytes)


def _keep_shipped_spectrum(teaching_corpus: Corpus) -> None:
    """Put the spectrum of the shipped board into the shared cache, if its settings are those here.

    Otherwise nothing is kept, and the spectrum is computed where a page needs it.
    """
    default_experiment = link.read({})
    shipped_board = read_shipped_board()
    if shipped_board is None or not shipped_board.has_settings(teaching_corpus, default_experiment):
        return
    spectral_experiment = default_experiment.without_noise(cache.UNNOISED)
    spectrum_key = cache.fit_key(teaching_corpus, spectral_experiment, NoNoise())
    cache.shared_caches().spectra.put(spectrum_key, shipped_board.spectrum, cache.SPECTRUM_BYTES)


def _keep_shipped_fit(
    teaching_corpus: Corpus, experiment: Experiment, noise: NoNoise | None
) -> None:
    """Put a shipped fit into the shared cache, or start a thread that makes and keeps it.

    Does nothing if the cache has the fit already. A visitor who asks for it waits for that thread.
    """
    shared_cache = cache.shared_caches()
    if cache.find_fit(shared_cache, teaching_corpus, experiment, noise) is not None:
        return
    key_of_fit = cache.fit_key(teaching_corpus, experiment, noise)
    make_fit = partial(
        cache.make_and_keep_fit, shared_cache, teaching_corpus, experiment, noise, None
    )
    job_key = (key_of_fit, None)
    Thread(
        target=BACKGROUND.ask, args=(job_key, make_fit, silent), name="dplda-warm", daemon=True
    ).start()
