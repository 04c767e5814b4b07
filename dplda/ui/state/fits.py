"""Fits in the process pool, which imports no Streamlit and remembers sums over documents."""

from dplda.core.bounded_cache import BoundedCache
from dplda.core.engine import workers
from dplda.core.types import Report
from dplda.corpus import Corpus
from dplda.evaluation.evidence import Carried
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.evidence import TopicEvidence
from dplda.methods.refined.prior_sources import PriorSource
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache

_SUMS: BoundedCache[StatisticsCache] = BoundedCache(
    768_000_000 // workers()
)  # bytes, of all processes together


def fit(
    corpus: Corpus,
    method: str | tuple[PriorSource, bool],
    problem: Problem,
    budget: Budget,
    seed: int,
    noise: NoNoise | None,
    secret: bytes | None,
    report: Report,
) -> FitResult:
    """Topics of a method, given by text or by table, without their ranges."""
    sums = _SUMS.made(
        corpus,
        lambda: StatisticsCache(corpus.counts),
        lambda _: 32 * corpus.n_words**2 + 8 * corpus.counts.nnz,
    )
    known = (
        parse_method(method)
        if isinstance(method, str)
        else refined_with(method[0], trusted=method[1])
    )
    key = None if secret is None else Secret(secret)
    return known.fit(corpus, problem, budget, Runtime(seed, noise, key, sums, report))


def judged(evidence: TopicEvidence, report: Report) -> Carried:
    """Evidence compared with whole runs on documents without topics."""
    vars(evidence)["null_runs"] = evidence.run_null_fits(
        report
    )  # a cached property, made here with progress
    return Carried(evidence.is_significant, evidence.supported_topics)
