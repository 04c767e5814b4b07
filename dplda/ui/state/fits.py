"""Fits in the process pool, which imports no Streamlit and remembers sums over documents."""

from dplda.core.bounded_cache import BoundedCache
from dplda.core.engine import workers
from dplda.core.types import Report
from dplda.corpus import Corpus
from dplda.evaluation.evidence import Carried
from dplda.methods.base.method import FitResult
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.evidence import TopicEvidence
from dplda.methods.registry import find_method
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache

_SUMS: BoundedCache[StatisticsCache] = BoundedCache(
    768_000_000 // workers()
)  # bytes, of all processes together


def fit(
    corpus: Corpus,
    method: MethodSpec,
    problem: Problem,
    budget: Budget,
    seed: int,
    noise: NoNoise | None,
    secret: bytes | None,
    report: Report,
) -> FitResult:
    """Topics of a method, without their ranges."""
    sums = _SUMS.made(
        corpus,
        lambda: StatisticsCache(corpus.counts),
        lambda _: 32 * corpus.n_words**2 + 8 * corpus.counts.nnz,
    )
    key = None if secret is None else Secret(secret)
    return find_method(method).fit(corpus, problem, budget, Runtime(seed, noise, key, sums, report))


def judged(evidence: TopicEvidence, report: Report) -> Carried:
    """Evidence compared with whole runs on documents without topics."""
    vars(evidence)["null_runs"] = evidence.run_null_fits(
        report
    )  # a cached property, made here with progress
    return Carried(evidence.is_significant, evidence.supported_topics)
