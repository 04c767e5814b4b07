"""How often documents without topics are said to have some: all words are drawn from one distribution.

Words are invented, and their frequencies fall as those of a language do. Rows are documents, or persons with a geometric
number of documents, fitted with a person's mixing as Release does. A gain is called significant in 1 of 100 such corpora
by its own rule, and without it no topic has evidence: so topics have some in as many, or fewer.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import beta

from dplda.corpus import Corpus, Label
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.release.verdict.request_numbers import ExpectedTexts

DELTA = 1e-7
N_TOPICS = 6
N_WORDS = 300
ALPHA0 = 1.0
MEAN_LENGTH = 30.0  # of a document
DOCUMENTS_OF_PERSON = 3.0
FLAT_RANKS = 5  # most frequent words that are nearly as frequent as one another
UNITS = ("document", "person")
SIZES = (300, 1000, 3000)
EPSILONS = (1.0, 3.0, 10.0)
LEVEL = 0.95  # of intervals
Row = dict[str, str | int | float]


def rows_of_false_topics(n_corpora: int) -> Iterator[Row]:
    """A row for each unit, size and ε, then one for each unit and for all.

    Args:
        n_corpora: of each setting.
    """
    rows = []
    for n_rows, epsilon, unit in product(SIZES, EPSILONS, UNITS):
        counts = np.zeros(3, dtype=int)
        for draw in range(n_corpora):
            counts += _false_findings(unit, n_rows, epsilon, draw)
        rows.append({"unit": unit, "N": n_rows, "epsilon": epsilon, **_rates(n_corpora, counts)})
        yield rows[-1]
    rows_by_title = {f"all {unit}s": [row for row in rows if row["unit"] == unit] for unit in UNITS}
    rows_by_title["all"] = rows
    for title, counted_rows in rows_by_title.items():
        keys = ("significant", "with evidence", "topics with evidence")
        totals = np.array([sum(int(row[key]) for row in counted_rows) for key in keys])
        yield {
            "section": "false-topics-total",
            "unit": title,
            **_rates(n_corpora * len(counted_rows), totals),
        }


def _false_findings(unit: str, n_rows: int, epsilon: float, draw: int) -> np.ndarray:
    """Whether the gain is significant, whether a topic has evidence, and how many have, (3,)."""
    is_person = unit == "person"
    seed = [43, int(is_person), n_rows, round(10 * epsilon), draw]
    rng = np.random.default_rng(seed)
    n_documents = np.ones(n_rows, dtype=int)
    alpha0 = ALPHA0
    if is_person:
        n_documents = rng.geometric(1 / DOCUMENTS_OF_PERSON, n_rows)
        alpha0 = ExpectedTexts(MEAN_LENGTH, DOCUMENTS_OF_PERSON).alpha0_of_person(ALPHA0)
    frequencies = 1 / (FLAT_RANKS + np.arange(N_WORDS))
    lengths = rng.poisson(MEAN_LENGTH * n_documents)
    counts = rng.multinomial(lengths, frequencies / frequencies.sum()).astype(np.int32)
    corpus = Corpus.from_counts(csr_array(counts), label=Label.SIMULATED, name="without topics")
    noise_seed = int(np.random.SeedSequence(seed).generate_state(1)[0]) % 2**31
    result = fit_refined(
        corpus, Problem(N_TOPICS, alpha0), Budget(epsilon, DELTA), Runtime(noise_seed)
    )
    evidence = result.evidence
    assert evidence is not None
    check = evidence.check
    assert check is not None
    n_supported = len(check.supported_topics)
    return np.array([check.is_significant, n_supported > 0, n_supported], dtype=int)


def _rates(n_corpora: int, counts: np.ndarray) -> Row:
    """Counts with the share of corpora that have a topic with evidence, and its interval."""
    n_significant, n_with_evidence, n_topics = counts.tolist()
    low, high = _interval(n_with_evidence, n_corpora)
    return {
        "corpora": n_corpora,
        "significant": n_significant,
        "with evidence": n_with_evidence,
        "topics with evidence": n_topics,
        "with evidence, %": round(100 * n_with_evidence / n_corpora, 1),
        "interval, %": f"{100 * low:.1f}–{100 * high:.1f}",
    }


def _interval(n_hits: int, n_trials: int) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share."""
    tail = (1 - LEVEL) / 2
    low = 0.0
    high = 1.0
    if n_hits:
        low = float(beta.ppf(tail, n_hits, n_trials - n_hits + 1))
    if n_hits < n_trials:
        high = float(beta.ppf(1 - tail, n_hits + 1, n_trials - n_hits))
    return low, high
