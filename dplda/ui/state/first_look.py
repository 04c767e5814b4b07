"""A first look at the topics of a large corpus: a fit of some of its documents.

It is shown while all documents are fitted. The noise of averages over the documents is the same in
both, to the last draw, for a budget that grows as the number of documents falls.
"""

from dataclasses import replace

import numpy as np

from dplda.corpus import Corpus, Label
from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import FitResult
from dplda.ui.state import cache

N_LOOKED_AT = 10_000  # documents of a first look
MIN_DOCUMENTS = 4 * N_LOOKED_AT  # of a corpus whose fit takes long enough for one
METHODS = ("refined", "refined-english")  # the slow ones with Gaussian noise alone


def pays(corpus: Corpus, experiment: Experiment) -> bool:
    """Whether a first look comes much sooner than the fit of all documents, and may be shown.

    It does not if that fit is at hand or quick, or its noise does not follow that of fewer
    documents. Of sensitive documents there is none.
    """
    is_slow = corpus.n_documents >= MIN_DOCUMENTS and experiment.method.name in METHODS
    if not is_slow or corpus.label is Label.SENSITIVE:
        return False
    return not cache.is_at_hand(corpus, experiment)


def take(corpus: Corpus, experiment: Experiment) -> FitResult | None:
    """Fit some documents, evenly spaced, with progress, once for all sessions.

    Returns:
        Their topics, with as much noise as all documents get; None if the work was canceled.
    """
    some_documents = documents_to_look_at(corpus)
    budget = experiment.budget.with_equal_noise(corpus.n_documents, n_fitted=N_LOOKED_AT)
    return cache.fit(some_documents, replace(experiment, budget=budget))


def documents_to_look_at(corpus: Corpus) -> Corpus:
    """The documents of a first look, chosen once for all sessions."""
    return cache.caches(corpus).corpora.made(
        ("first look", corpus.digest), lambda: _choose_documents(corpus), cache.corpus_bytes
    )


def _choose_documents(corpus: Corpus) -> Corpus:
    """``N_LOOKED_AT`` documents of a corpus, evenly spaced, as a corpus of its own.

    It has the same words, label and name, and no truth, persons or groups.
    """
    rows = np.linspace(0, corpus.n_documents - 1, N_LOOKED_AT).astype(np.intp)
    return Corpus.from_counts(
        corpus.counts[rows],
        corpus.vocabulary,
        label=corpus.label,
        name=corpus.name,
    )
