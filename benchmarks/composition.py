"""What several releases of the same documents count as: by the sum of their ε, and as their noise adds."""

from collections.abc import Iterator
from dataclasses import replace

from scipy.sparse import csr_array

from dplda.corpus import Corpus, Label, Selection
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method_spec
from dplda.release.ledger.amounts import EPSILON_UNITS, to_units
from dplda.release.ledger.balance import Balance
from dplda.release.workflow.request import Request

N_DOCUMENTS, N_WORDS, N_TOPICS = 100_000, 1000, 10
CAP = (10.0, 1e-5)

Row = dict[str, str | int | float]


def run() -> Iterator[Row]:
    """A row for each plan of releases, charged to a budget that is large enough."""
    words = tuple(f"w{i}" for i in range(N_WORDS))
    corpus = Corpus(
        csr_array((N_DOCUMENTS, N_WORDS), dtype=int),
        words,
        Label.PUBLIC,
        "",
        VocabularySource.FIXED,
    )
    topics = Request(
        "mail",
        "mail",
        Experiment(
            corpus=HeldDocuments(),
            method=parse_method_spec("refined"),
            problem=Problem(N_TOPICS, 0.5),
            budget=Budget(1.0, 1e-7),
        ),
    )
    both = replace(topics, selection=Selection(N_WORDS))
    for plan in ((topics,) * 3, (topics,) * 5, (topics,) * 10, (both,) * 3, (both, *(topics,) * 4)):
        held = Balance(to_units(*CAP, up=False))
        for one in plan:
            after = held.after_release(
                epsilon=one.cost[0], delta=one.cost[1], spending=one.spending(corpus)
            )
            assert after is not None
            held = after
        epsilon, delta = held.total_guarantee
        yield {
            "releases": len(plan),
            "with_words": plan.count(both),
            "added_up": held.added_up[0] / EPSILON_UNITS,
            "together": epsilon,
            "at_delta": delta,
        }
