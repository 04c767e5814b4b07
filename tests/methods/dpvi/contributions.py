"""What documents add to a minibatch, for tests of what bounds it, and a run of which hardly any say a word."""

from functools import partial
from typing import NamedTuple

import numpy as np

from dplda.methods.base.calibration import Calibration
from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.methods.dpvi.e_step import until_settled
from dplda.methods.dpvi.minibatch_run import MinibatchRun
from dplda.methods.dpvi.settings import VariationalSettings, clipping_scheme
from dplda.methods.refined.documents.documents import Documents
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoiseSource
from tests.privacy.sources import seeded
from tests.tiny_corpora import counts_of


class Inference(NamedTuple):
    prior: float
    tolerance: float
    most_iterations: int
    longest: float = np.inf


def statistic(counts, topics, inference, *, bound=np.inf):
    """The sum, shape (k, d)."""
    rounds = partial(
        until_settled, tolerance=inference.tolerance, most_iterations=inference.most_iterations
    )
    documents = Documents(counts, len(topics), max_length=inference.longest, e_step=rounds)
    prior = np.full(len(topics), inference.prior)
    return documents.sum_contributions(
        topics, np.ones(topics.shape[1]), prior=prior, clip_norm=bound
    )


def contribution_norms(counts, topics, inference):
    """Frobenius norm of every document's contribution before clipping, shape (N,), in words."""
    return np.array(
        [np.linalg.norm(statistic(counts[[i]], topics, inference)) for i in range(counts.shape[0])]
    )


def quiet_run(
    settings: VariationalSettings, n_words: int, source: NoiseSource | None = None
) -> MinibatchRun:
    """Of three topics; ten documents say three words each, each their own, and no document says the others."""
    scheme = clipping_scheme(Calibration.CORRECTED, settings)
    schedule = SamplingSchedule(1.0, settings.sampling_rate, settings.steps)
    counts, mechanisms = (
        counts_of(np.eye(10, n_words, dtype=int) * 3),
        Mechanisms(source or seeded(3)),
    )
    return MinibatchRun(
        counts,
        n_topics=3,
        alpha0=1.0,
        settings=settings,
        schedule=schedule,
        scheme=scheme,
        mechanisms=mechanisms,
        members=np.random.default_rng(0),
        seed=0,
    )
