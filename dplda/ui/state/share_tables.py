"""Tables of topic shares by group without noise, each summed once, in the process pool."""

import hashlib
from functools import partial
from typing import cast

from dplda.core.types import Matrix, Report
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment
from dplda.experiments.explored_groups import ExploredGroups
from dplda.methods.base.method import FitResult
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.noise.sources import NoNoise
from dplda.ui.state import cache, fits
from dplda.ui.state.progress import BACKGROUND, keep_placeholder, run_with_progress


def share_table(
    corpus: Corpus,
    experiment: Experiment,
    result: FitResult,
    explored_groups: ExploredGroups,
    *,
    noise: NoNoise | None = None,
) -> BoundedSum[Matrix] | None:
    """Sum the topic shares of a fit by group, without noise, with progress; shape (G, k).

    G is the number of rows of the table, ``other`` included.
    A table that was summed before is taken from the cache.

    Args:
        corpus: simulated or public documents.
        experiment: of the fit.
        result: the fit.
        explored_groups: the groups, and the row of every document.
        noise: as for ``cache.fit``; part of the key.

    Returns:
        The table with its sensitivity; None where the work was canceled.
    """
    corpus_caches = cache.caches(corpus)
    row_digest = hashlib.sha256(explored_groups.rows.tobytes()).digest()
    table_key = (
        "shares",
        cache.fit_key(corpus, experiment, noise),
        row_digest,
        explored_groups.groups,
    )
    cached_table = corpus_caches.pictures.get(table_key)
    if cached_table is not None:
        return keep_placeholder(cast("BoundedSum[Matrix]", cached_table))

    def make(report: Report) -> BoundedSum[Matrix]:
        """Sum the shares in a process of the pool, and keep the table."""
        shared_corpus = cache.shared_documents(corpus, corpus_caches)
        n_group_rows = explored_groups.groups.n_rows
        summed_table = cache.POOL.run(
            fits.sum_shares_in_process,
            shared_corpus,
            result.topics,
            explored_groups.rows,
            n_group_rows,
            report=report,
        )
        corpus_caches.pictures.put(table_key, summed_table, 1)
        return summed_table

    return run_with_progress(f"shares{hash(table_key)}", partial(BACKGROUND.ask, table_key, make))
