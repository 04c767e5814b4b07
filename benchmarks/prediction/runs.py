"""Runs of every private method at settings drawn at random, one row each, as they are made.

A fit's noise depends on N and ε through N times the noise multiplier's inverse alone. Where a run at its own N costs
too much, it is made at a smaller N and a larger ε, such that noise and sampling together move a cell of a topic as far;
the row says so, and its numbers are those of the run itself.
"""

import json
import math
import signal
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from unittest import mock

import numpy as np

import dplda
from dplda.core.errors import DpldaError
from dplda.core.types import Matrix, Vector
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi.accounting import SamplingSchedule
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.registry import parse_method, private_methods
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import StatisticsCache

DELTA = 1e-7
RANGES = {
    "n_documents": (1_000, 1_000_000),
    "n_words": (50, 5_000),
    "n_topics": (2, 50),
    "alpha0": (0.05, 10),
    "mean_length": (10, 300),
    "epsilon": (0.1, 10),
}
NOISE = 3.0  # variance of a cell by noise in Refined, over k d/(N μ)²
SAMPLING = 1.0  # variance of a cell by sampling in Refined, over 1/N
MIN_NOISE_MULTIPLIER = 0.3  # of both together, where N is taken smaller
WIDE = 1_200  # words from which on spectral methods are left out more and more often: they take d×d numbers
SPARED = 0.5  # of the settings, for the configurations that are never best
LONGEST = 150.0  # processor seconds that a fit may take
Row = dict[str, float | int | str | None]


@dataclass(frozen=True)
class Setting:
    """A population, how many documents, and how much noise.

    Attributes:
        louder: what μ, and the inverse of every other noise multiplier, is multiplied by; 1 at its own N.
    """

    n_documents: int
    n_words: int
    n_topics: int
    alpha0: float
    mean_length: int
    epsilon: float
    louder: float = 1.0

    @property
    def mu(self) -> float:
        """As large as the run's."""
        return gaussian.mu_for(self.epsilon, DELTA) * self.louder

    @property
    def cost(self) -> float:
        """About the number of words times topics."""
        return float(self.n_documents) * self.mean_length * self.n_topics

    def at_most(self, cost: float) -> "Setting":
        """The same, or a smaller N with about the same errors.

        Args:
            cost: largest one, in the unit of ``cost``.
        """
        if self.cost <= cost:
            return self
        n_documents = max(300, int(self.n_documents * cost / self.cost))
        n_cells = NOISE * self.n_topics * self.n_words
        noise_variance = n_cells / (self.n_documents * self.mu) ** 2
        sampling_variance = SAMPLING / self.n_documents
        new_sampling_variance = SAMPLING / n_documents
        new_noise_variance = max(
            noise_variance + sampling_variance - new_sampling_variance,
            MIN_NOISE_MULTIPLIER * new_sampling_variance,
        )
        new_mu = math.sqrt(n_cells / new_noise_variance) / n_documents
        return replace(self, n_documents=n_documents, louder=new_mu / self.mu)


def draw_setting(rng: np.random.Generator, *, beyond: float = 1.0) -> Setting:
    """A setting at random, log-uniform over the ranges, or up to a factor beyond them."""
    values = {
        name: math.exp(rng.uniform(math.log(low / beyond), math.log(high * beyond)))
        for name, (low, high) in RANGES.items()
    }
    whole_numbers = {
        name: max(2, round(values[name]))
        for name in ("n_documents", "n_words", "n_topics", "mean_length")
    }
    whole_numbers["n_words"] = max(whole_numbers["n_words"], whole_numbers["n_topics"])
    return Setting(**(values | whole_numbers))


PUBLISHED_TOO = ("config-1/as published", "config-2/as published")
"""Methods to predict beside the recommended calibrations."""


def predicted() -> tuple[Method, ...]:
    """Methods to run; simulated documents have no words that a table of public knowledge knows."""
    recommended_methods = [
        method for method in private_methods() if method.name != "refined-english"
    ]
    return (*recommended_methods, *map(parse_method, PUBLISHED_TOO))


def rows_of(
    setting: Setting, seed: int, methods: tuple[Method, ...] | None = None
) -> Iterator[Row]:
    """One row a method, on one corpus of this setting.

    Args:
        setting: population, documents and noise.
        seed: of the corpus and the noise.
        methods: those to run; None for all that are predicted.
    """
    corpus = dplda.simulate(
        n_documents=setting.n_documents,
        n_words=setting.n_words,
        n_topics=setting.n_topics,
        alpha0=setting.alpha0,
        mean_length=setting.mean_length,
        seed=seed,
    )
    assert corpus.truth is not None
    truth = corpus.truth
    word_frequencies = truth.alpha @ truth.topics / truth.alpha.sum()
    facts: Row = {
        **asdict(setting),
        "seed": seed,
        "mu": setting.mu,
        "sigma": _sigma(setting.epsilon) / setting.louder,
        "unigram": _mean_distance(truth.topics, word_frequencies),
    }
    runtime = Runtime(seed, statistics=StatisticsCache(corpus.counts))
    for method in methods or predicted():
        started_at = time.process_time()
        row = facts | {
            "method": method.key,
            "l1": None,
            "outcome": "topics",
            "apart": None,
            "resolved": None,
        }
        try:
            with _as_loud(setting), _in_time():
                result = method.fit(
                    corpus,
                    Problem(setting.n_topics, setting.alpha0),
                    Budget(_epsilon(setting, method), DELTA),
                    runtime,
                )
        except (DpldaError, TimeoutError, MemoryError) as error:
            row["outcome"] = type(error).__name__
        else:
            topics = result.topics.words
            row["l1"] = dplda.topic_error(truth.topics, topics).l1_mean
            row["apart"] = _mean_distance(topics, topics.mean(axis=0))
            row["resolved"] = result.topics.resolved
        yield row | {"seconds": round(time.process_time() - started_at, 3)}


def _mean_distance(topics: Matrix, word_frequencies: Vector) -> float:
    """Mean L1 distance of topics, (k, d), from one distribution of words, (d,)."""
    return float(np.mean(np.sum(np.abs(topics - word_frequencies), axis=1)))


def _epsilon(setting: Setting, method: Method) -> float:
    """At which the method's noise is as loud as the setting says."""
    if setting.louder == 1:
        return setting.epsilon
    if method.status is Status.AS_PUBLISHED:  # whose noise is a multiple of 1/ε
        return setting.epsilon * setting.louder
    return gaussian.epsilon_for(setting.mu, DELTA)


@lru_cache(maxsize=4096)
def _sigma(epsilon: float) -> float:
    """Of private variational inference; between thirteen values interpolated, as each takes its time."""
    grid, products = _sigmas()
    return float(np.interp(math.log(epsilon), grid, products)) / gaussian.mu_for(epsilon, DELTA)


def _sigmas() -> tuple[Vector, Vector]:
    """Logarithms of thirteen values of ε, and σ times μ at each."""
    epsilons = np.geomspace(0.03, 30, 13)
    products = []
    for epsilon in epsilons:
        schedule = VariationalSettings().schedule(epsilon, DELTA)
        products.append(schedule.noise_multiplier * gaussian.mu_for(epsilon, DELTA))
    return np.log(epsilons), np.array(products)


def _as_loud(setting: Setting) -> AbstractContextManager[object]:
    """Private variational inference with σ as loud as the setting says, whatever its ε."""
    settings = VariationalSettings()
    schedule = SamplingSchedule(
        _sigma(setting.epsilon) / setting.louder, settings.sampling_rate, settings.steps
    )
    return mock.patch.object(VariationalSettings, "schedule", return_value=schedule)


@contextmanager
def _in_time() -> Iterator[None]:
    """Gives up after ``LONGEST`` processor seconds."""

    def over(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


FEW = 2_000
MANY = {"large": 30_000, "huge": 200_000, "ties": 150_000, "published": 10_000, "favorable": 20_000}
MOST_AS_PUBLISHED = {"published": (1_000, 10), "favorable": (300, 6)}
"""Most words and topics of settings where configurations as published may find topics."""
ANY = (1.5e6, 1.5e7)
PLAN = (  # kind, numbers, largest cost; in the order made
    ("fit", range(1, 121), 4e6),
    ("fit", range(121, 169), 1e7),
    ("judge", range(169, 189), 2e7),
    ("fit", range(189, 289), 3e6),
    ("fit", range(289, 339), 0),  # anything in ANY
    (
        "words",
        range(339, 459),
        0,
    ),  # of the private unigram, whose error only noise moves: few documents, as loud
    ("judge", range(459, 499), 4e7),
    ("fit", range(499, 529), 6e7),
    ("fit", range(529, 551), 0),
    ("large", range(551, 555), 6e7),  # at their own N, of so MANY documents at least
    ("large", range(555, 569), 2e7),
    ("huge", range(569, 578), 4e7),
    ("best", range(578, 874), 0),  # of the two methods that are best most often
    ("ties", range(874, 938), 3e7),  # at their own N, of all methods that are ever best
    (
        "minibatches",
        range(984, 1215),
        0,
    ),  # of private variational inference alone, whose single runs differ most
    (
        "own",
        range(2001, 2116),
        2.5e7,
    ),  # at their own N, of all methods; none where that is costlier
    (
        "published",
        range(3001, 3161),
        3e7,
    ),  # at their own N, where topics may be found: the configurations as published alone
    ("favorable", range(4001, 4161), 3e7),  # and where they are found more often
)
NARROW = 2_500  # words of settings of their own N
STREAMS = {
    "judge": (1, 1_000),
    "own": (7, 5_000),
}  # of a setting; what is added to its number for the corpus's seed
DRAWS = 7  # of documents and noise, at every setting to judge by; methods as published are run in the first alone
NEXT = 10_000  # added to the seed from one draw to the next


HARDLY = (
    "config-2/corrected",
    "config-3/as published",
    "config-4/as published",
    *PUBLISHED_TOO,
)  # best


def sample_methods(setting: Setting, rng: np.random.Generator) -> tuple[Method, ...]:
    """Fewer methods to fit where words are many: those that take d×d numbers are left out more and more often."""
    is_kept = rng.random(2) < (WIDE / setting.n_words) ** 2
    left_out = [] if is_kept[0] else ["adaptive"]
    if not is_kept[1] or rng.random() < SPARED:
        left_out += ["shared-moment", "config-1", "config-2", "config-3", "config-4"]
    return tuple(method for method in predicted() if method.name not in left_out)


def make(path: Path, only: Collection[str] = ()) -> None:
    """Make what is not there yet; a row is a line.

    Args:
        path: file of rows, which are added at its end.
        only: keys of the methods to run; empty for all.
    """
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    done = {(row["seed"], row["method"]) for row in map(json.loads, lines)}
    plan = [(kind, number, cost, 0) for kind, numbers, cost in PLAN for number in numbers]
    judged_runs = [(kind, number, cost) for kind, number, cost, _ in plan if kind == "judge"]
    plan += [(*judged_run, draw) for draw in range(1, DRAWS) for judged_run in judged_runs]
    with path.open("a", encoding="utf-8") as out:
        for kind, number, cost, draw in plan:
            stream, first_seed = STREAMS.get(kind, (0, 1_000))
            seed = first_seed + number + NEXT * draw
            setting, planned_methods = plan_run(kind, cost, np.random.default_rng([number, stream]))
            methods = tuple(
                method
                for method in planned_methods
                if (not draw or method.status is not Status.AS_PUBLISHED)
                and (not only or method.key in only)
                and (seed, method.key) not in done
            )
            if methods:
                for row in rows_of(setting, seed, methods):
                    out.write(json.dumps({"number": number, "kind": kind, **row}) + "\n")
                out.flush()


def _fits(kind: str, setting: Setting, cost: float) -> bool:
    """Whether a setting drawn has enough documents for its kind, and is not too costly."""
    if setting.cost > cost or setting.n_documents < MANY[kind]:
        return False
    most_words, most_topics = MOST_AS_PUBLISHED.get(kind, (math.inf, math.inf))
    return setting.n_words <= most_words and setting.n_topics <= most_topics


def plan_run(
    kind: str, cost: float, rng: np.random.Generator
) -> tuple[Setting, tuple[Method, ...]]:
    """A setting, and the methods to run there.

    Args:
        kind: as in ``PLAN``.
        cost: largest one of the setting; 0 for a random one in ``ANY``.
        rng: of the setting and of methods that are left out.
    """
    setting = draw_setting(rng, beyond=1.0 if kind in STREAMS else 1.15)
    while kind in MANY and not _fits(kind, setting, cost):
        setting = draw_setting(rng, beyond=1.15)
    if kind == "words":
        n_documents = min(FEW, setting.n_documents)
        louder = setting.n_documents / n_documents
        setting = replace(setting, n_documents=n_documents, louder=louder)
        return setting, (parse_method("private-unigram"),)
    if kind == "own" and (setting.cost > cost or setting.n_words > NARROW):
        return setting, ()
    setting = setting.at_most(cost or math.exp(rng.uniform(*np.log(ANY))))
    if kind in STREAMS:
        return setting, predicted()
    if kind == "ties":
        return setting, tuple(method for method in predicted() if method.key not in HARDLY)
    if kind in MOST_AS_PUBLISHED:
        keys = (*PUBLISHED_TOO, "config-3/as published")
        return setting, tuple(map(parse_method, keys))
    if kind == "minibatches":
        return setting, (parse_method("dp-vi/corrected"),)
    methods = sample_methods(setting, rng)
    if kind == "best":
        return setting, tuple(
            method for method in methods if method.name in ("refined", "adaptive")
        )
    return setting, methods
