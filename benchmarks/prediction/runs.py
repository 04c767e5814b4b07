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
from dplda.core.types import Vector
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
NOISE, SAMPLING = 3.0, 1.0  # of a cell, in Refined: variances k d/(N μ)² and 1/N times these
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
        """The same, or a smaller N with about the same errors."""
        if self.cost <= cost:
            return self
        n = max(300, int(self.n_documents * cost / self.cost))
        cells = NOISE * self.n_topics * self.n_words
        noise, sampling = cells / (self.n_documents * self.mu) ** 2, SAMPLING / self.n_documents
        left = max(noise + sampling - SAMPLING / n, MIN_NOISE_MULTIPLIER * SAMPLING / n)
        return replace(self, n_documents=n, louder=math.sqrt(cells / left) / n / self.mu)


def drawn(rng: np.random.Generator, *, beyond: float = 1.0) -> Setting:
    """A setting at random, log-uniform over the ranges, or up to a factor beyond them."""
    values = {
        name: math.exp(rng.uniform(math.log(low / beyond), math.log(high * beyond)))
        for name, (low, high) in RANGES.items()
    }
    whole = {
        name: max(2, round(values[name]))
        for name in ("n_documents", "n_words", "n_topics", "mean_length")
    }
    whole["n_words"] = max(whole["n_words"], whole["n_topics"])
    return Setting(**(values | whole))


PUBLISHED_TOO = ("config-1/as published", "config-2/as published")
"""Methods to predict beside the recommended calibrations."""


def predicted() -> tuple[Method, ...]:
    """Methods to run; simulated documents have no words that a table of public knowledge knows."""
    recommended = [one for one in private_methods() if one.name != "refined-english"]
    return (*recommended, *map(parse_method, PUBLISHED_TOO))


def rows_of(
    setting: Setting, seed: int, methods: tuple[Method, ...] | None = None
) -> Iterator[Row]:
    """One row a method, on one corpus of this setting."""
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
    mean = truth.alpha @ truth.topics / truth.alpha.sum()
    facts: Row = {
        **asdict(setting),
        "seed": seed,
        "mu": setting.mu,
        "sigma": _sigma(setting.epsilon) / setting.louder,
    }
    facts["unigram"] = float(np.mean(np.sum(np.abs(truth.topics - mean), axis=1)))
    resources = Runtime(seed, statistics=StatisticsCache(corpus.counts))
    for method in methods or predicted():
        started = time.process_time()
        row = facts | {
            "method": method.key,
            "l1": None,
            "outcome": "topics",
            "apart": None,
            "resolved": None,
        }
        try:
            with _as_loud(setting), _in_time():
                found = method.fit(
                    corpus,
                    Problem(setting.n_topics, setting.alpha0),
                    Budget(_epsilon(setting, method), DELTA),
                    resources,
                )
        except (DpldaError, TimeoutError, MemoryError) as error:
            row["outcome"] = type(error).__name__
        else:
            words = found.topics.words
            row["l1"] = dplda.topic_error(truth.topics, words).l1_mean
            row["apart"] = float(np.mean(np.sum(np.abs(words - words.mean(axis=0)), axis=1)))
            row["resolved"] = found.topics.resolved
        yield row | {"seconds": round(time.process_time() - started, 3)}


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


@lru_cache(maxsize=1)
def _sigmas() -> tuple[Vector, Vector]:
    epsilons = np.geomspace(0.03, 30, 13)
    found = [
        VariationalSettings().schedule(one, DELTA).noise_multiplier * gaussian.mu_for(one, DELTA)
        for one in epsilons
    ]
    return np.log(epsilons), np.array(found)


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


FEW, MANY = (
    2_000,
    {"large": 30_000, "huge": 200_000, "ties": 150_000, "published": 10_000, "favorable": 20_000},
)
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


def some(setting: Setting, rng: np.random.Generator) -> tuple[Method, ...]:
    """Fewer methods to fit where words are many: those that take d×d numbers are left out more and more often."""
    kept = rng.random(2) < (WIDE / setting.n_words) ** 2
    left_out = [] if kept[0] else ["adaptive"]
    if not kept[1] or rng.random() < SPARED:
        left_out += ["shared-moment", "config-1", "config-2", "config-3", "config-4"]
    return tuple(one for one in predicted() if one.name not in left_out)


def make(path: Path, only: Collection[str] = ()) -> None:
    """Makes what is not there yet, of some methods only where they are named; a row is a line."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    done = {(row["seed"], row["method"]) for row in map(json.loads, lines)}
    plan = [(kind, number, cost, 0) for kind, numbers, cost in PLAN for number in numbers]
    plan += [(*one[:3], draw) for draw in range(1, DRAWS) for one in plan if one[0] == "judge"]
    with path.open("a", encoding="utf-8") as out:
        for kind, number, cost, draw in plan:
            stream, seed = STREAMS.get(kind, (0, 1_000))
            seed += number + NEXT * draw
            setting, asked = planned(kind, cost, np.random.default_rng([number, stream]))
            asked = tuple(one for one in asked if not draw or one.status is not Status.AS_PUBLISHED)
            asked = tuple(one for one in asked if not only or one.key in only)
            asked = tuple(one for one in asked if (seed, one.key) not in done)
            if asked:
                for row in rows_of(setting, seed, asked):
                    out.write(json.dumps({"number": number, "kind": kind, **row}) + "\n")
                out.flush()


def _fits(kind: str, setting: Setting, cost: float) -> bool:
    """Whether a setting drawn has enough documents for its kind, and is not too costly."""
    if setting.cost > cost or setting.n_documents < MANY[kind]:
        return False
    most_words, most_topics = MOST_AS_PUBLISHED.get(kind, (math.inf, math.inf))
    return setting.n_words <= most_words and setting.n_topics <= most_topics


def planned(kind: str, cost: float, rng: np.random.Generator) -> tuple[Setting, tuple[Method, ...]]:
    """A setting, and the methods to run there."""
    setting = drawn(rng, beyond=1.0 if kind in STREAMS else 1.15)
    while kind in MANY and not _fits(kind, setting, cost):
        setting = drawn(rng, beyond=1.15)
    if kind == "words":
        fewer = min(FEW, setting.n_documents)
        setting = replace(setting, n_documents=fewer, louder=setting.n_documents / fewer)
        return setting, (parse_method("private-unigram"),)
    if kind == "own" and (setting.cost > cost or setting.n_words > NARROW):
        return setting, ()
    setting = setting.at_most(cost or math.exp(rng.uniform(*np.log(ANY))))
    if kind in STREAMS:
        return setting, predicted()
    if kind == "ties":
        return setting, tuple(one for one in predicted() if one.key not in HARDLY)
    if kind in MOST_AS_PUBLISHED:
        texts = (*PUBLISHED_TOO, "config-3/as published")
        return setting, tuple(map(parse_method, texts))
    if kind == "minibatches":
        return setting, (parse_method("dp-vi/corrected"),)
    asked = some(setting, rng)
    return setting, tuple(
        one for one in asked if kind != "best" or one.name in ("refined", "adaptive")
    )
