"""Guessing which of two corpora a run used: the best score, and the score that privacy allows.

A coin decides which corpus a run uses. The best attacker, who knows both corpora, the method and
all releases, guesses by the sign of the privacy loss. Given the releases, this is right with
probability ``1/(1 + exp(−|loss|))``.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import TypeAlias

import numpy as np
from scipy.special import expit

from dplda.attacks.neighbour_pairs import PAIRS, Pair
from dplda.attacks.replay import Recorder, replay
from dplda.core.bounded_cache import BoundedCache
from dplda.core.errors import InputError
from dplda.core.types import Report, Vector
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment, HeldDocuments, fit
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise
from dplda.spectral.corpus_statistics import StatisticsCache

ALPHA0 = 0.1
ROUNDS = 10
SEED = 0


@dataclass(frozen=True, slots=True)
class GameRun:
    """One run on one of two corpora.

    Attributes:
        used_first: whether it used the first corpus.
        loss: ``ln p(releases | first) − ln p(releases | second)``.
    """

    used_first: bool
    loss: float


_KEPT: BoundedCache[tuple[GameRun, ...]] = BoundedCache(200)


@dataclass(frozen=True, slots=True)
class _OneStream:
    """A key with a single stream for the coin and the noise of one game."""

    rng: np.random.Generator
    kind = NoiseKind.SEEDED

    def generator(self, purpose: str) -> np.random.Generator:
        """The one stream, whatever the purpose."""
        return self.rng


def play_runs(method: Method, budget: Budget, pair: Pair, *, seed: int) -> Iterator[GameRun]:
    """Yield endless runs on one corpus or the other, as a coin decides, each with its loss.

    The loss is the log likelihood ratio of the first corpus to the second, in nats, whichever
    corpus was used. Noise is simulated from the seed. Nothing is run or refused before the first
    run is asked for.

    Raises:
        InputError: the method shows an attacker more than its releases, as minibatches do.
        DpldaError: a run was refused.
    """
    if method.uses_minibatches:
        requirement = "a method that shows an attacker only its releases"
        raise InputError("method", requirement, method.title, "Choose another method.")
    rng = np.random.default_rng(seed)
    corpora = pair.corpora()
    experiment = Experiment(
        corpus=HeldDocuments(),
        method=method.spec,
        problem=Problem(pair.n_topics, ALPHA0),
        budget=budget,
    )
    statistics_by_id = {}
    for corpus in corpora:
        statistics_by_id[id(corpus)] = StatisticsCache(corpus.counts)

    def run(corpus: Corpus, noise: NoiseSource) -> FitResult:
        """Fit the method to a corpus, whose statistics are summed once."""
        statistics = statistics_by_id[id(corpus)]
        runtime = Runtime(noise=noise, statistics=statistics)
        return fit(experiment, corpus, runtime, method=method)

    while True:
        used_first = bool(rng.integers(2))
        used_and_other_corpus = corpora if used_first else corpora[::-1]
        simulated_noise = SimulatedNoise(_OneStream(rng))
        recorder = Recorder(simulated_noise)
        replaying_recorder = Recorder(simulated_noise, n_draws=0)
        transcript = replay(run, used_and_other_corpus, (recorder, replaying_recorder))
        loss_of_used_corpus = float(transcript.losses()[0])
        loss = loss_of_used_corpus if used_first else -loss_of_used_corpus
        yield GameRun(used_first, loss)


def shared_runs(
    method: str,
    pair: str,
    epsilon: float,
    delta: float,
    count: int,
    report: Report,
) -> Sequence[GameRun]:
    """Make runs of a method on a pair, the same for everyone, once: later calls get the kept ones.

    Args:
        method: key of the method.
        pair: name of the pair in ``PAIRS``.
        epsilon: ε of a run.
        delta: δ of a run.
        count: how many runs.
        report: told how many are done.

    Raises:
        DpldaError: a run was refused.
    """

    def make() -> tuple[GameRun, ...]:
        """Play the runs, and report each."""
        budget = Budget(epsilon, delta)
        played_method = parse_method(method)
        endless_runs = play_runs(played_method, budget, PAIRS[pair], seed=SEED)
        finished_runs: list[GameRun] = []
        for n_finished, run in enumerate(islice(endless_runs, count)):
            report(n_finished / count, f"Run {n_finished + 1} of {count}")
            finished_runs.append(run)
        return tuple(finished_runs)

    settings = (method, pair, epsilon, delta, count)
    return _KEPT.made(settings, make, lambda runs: 1)


def own_run(
    method: str,
    pair: str,
    epsilon: float,
    delta: float,
    seed: int,
) -> GameRun:
    """One run of a visitor's own, from their seed; never the first shared run.

    Arguments as in ``shared_runs``.
    """
    budget = Budget(epsilon, delta)
    own_seed = SEED + 1 + seed
    played_method = parse_method(method)
    endless_runs = play_runs(played_method, budget, PAIRS[pair], seed=own_seed)
    return next(endless_runs)


def best_score(losses: Vector) -> tuple[float, float]:
    """Mean chance that the best attacker is right, and its standard error.

    Both need at least 2 independent draws. Averaging the known chance given each release scatters
    less than averaging right and wrong guesses.
    """
    loss_sizes = np.abs(losses)
    chances = expit(loss_sizes)
    mean_chance = float(np.mean(chances))
    standard_deviation = float(np.std(chances, ddof=1))
    return mean_chance, standard_deviation / math.sqrt(len(chances))


RunsOfMatches: TypeAlias = tuple[list[GameRun], list[GameRun]]
AnswersOfMatches: TypeAlias = tuple[list[bool], list[bool]]


@dataclass(slots=True, eq=False)
class Game:
    """Two matches of ``ROUNDS`` rounds.

    Each round shows a run, and the visitor says which document was in.

    Attributes:
        setting: method and budget.
        runs: runs of either match.
        match: number of the match, 0 or 1.
        shown_runs: runs shown so far, in each match.
        were_right: whether each guess so far was right, in each match.
    """

    setting: tuple[str, Budget]
    runs: Sequence[Iterator[GameRun]]
    match: int = 0
    shown_runs: RunsOfMatches = field(default_factory=lambda: ([], []))
    were_right: AnswersOfMatches = field(default_factory=lambda: ([], []))

    @property
    def scores(self) -> tuple[int, int]:
        """Number of right guesses in each match."""
        first_match, second_match = self.were_right
        return sum(first_match), sum(second_match)

    @property
    def streak(self) -> int:
        """Number of right guesses in a row up to the last one, in the current match."""
        answers = self.were_right[self.match]
        latest_first = reversed(answers)
        last_right_guesses = list(takewhile(bool, latest_first))
        return len(last_right_guesses)

    def current_run(self) -> GameRun:
        """The run of this round, made and kept when it is first asked for.

        After the last round, that round's run.
        """
        shown_runs = self.shown_runs[self.match]
        n_guessed = len(self.were_right[self.match])
        if len(shown_runs) == n_guessed < ROUNDS:
            next_run = next(self.runs[self.match])
            shown_runs.append(next_run)
        return shown_runs[-1]

    def guess(self, says_first: bool) -> None:
        """Say which document was in: the one of the first corpus, or of the second."""
        is_right = says_first == self.current_run().used_first
        self.were_right[self.match].append(is_right)
