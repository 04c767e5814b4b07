"""Topics of a simulated newspaper as words: as a method finds them, and the true ones."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Report
from dplda.corpus import Corpus, Simulation
from dplda.evaluation import topic_error
from dplda.experiments.experiment import Experiment, fit
from dplda.figures import Lane
from dplda.figures.topics.lanes import fitted_lane, true_lane
from dplda.lessons.views.picture import Picture, PictureView
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import parse_method, parse_method_spec
from dplda.spectral.corpus_statistics import StatisticsCache

LEADING = 5  # words of a topic shown and counted


@dataclass(frozen=True)
class TopicsInWords(PictureView):
    """Topics found by a method next to the true ones, the newspaper's first ``n_topics`` sections."""

    number_meanings: ClassVar = {
        "kept": "share of the true topics' leading words that still lead",
        "resolved": "directions above the noise, one per topic",
        "error": "mean L1 distance from the true topics, 0 to 2",
        "bare": "that distance without noise",
    }
    depends_on_seed: ClassVar = True

    n_documents: int = 20_000
    n_words: int = 100
    n_topics: int = 4
    alpha0: float = 0.1
    mean_length: int = 60
    newspaper: str = "english"
    method: str = "adaptive"
    epsilon: float = 1.0
    delta: float = 1e-7

    def __post_init__(self) -> None:
        parse_method(self.method)
        _ = self._simulation

    @property
    def _simulation(self) -> Simulation:
        names = ("n_documents", "n_words", "n_topics", "alpha0", "mean_length", "newspaper")
        return Simulation(**{name: getattr(self, name) for name in names})

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Fit, and count the words that still lead."""
        report(0.1, f"Drawing {self.n_documents:,} letters")
        corpus, sums = _drawn(self._simulation)
        noised = parse_method(self.method).needs_epsilon
        experiment = Experiment(
            corpus=self._simulation,
            method=parse_method_spec(self.method),
            problem=Problem(self.n_topics, self.alpha0),
            budget=Budget(self.epsilon, self.delta) if noised else Budget(),
            seed=seed,
        )
        report(0.5, "Looking for topics")
        runtime = Runtime(statistics=sums)
        found = fit(experiment, corpus, runtime).topics
        exact = found
        if noised:
            noiseless_experiment = experiment.without_noise(parse_method_spec("unnoised"))
            exact = fit(noiseless_experiment, corpus, runtime).topics
        assert corpus.truth is not None
        truth, alpha = corpus.truth.topics, corpus.truth.alpha
        error = topic_error(truth, found.words).l1_mean
        shown = digits(error, 3 if error > 1 else 2)
        title = (
            f"ε = {self.epsilon:g}: error {shown}" if noised else f"without noise: error {shown}"
        )
        lanes = (fitted_lane(title, found, truth), true_lane("truth", truth, alpha, truth))
        numbers = {
            "kept": _kept(lanes[0], lanes[1]),
            "resolved": len(lanes[0].filled),
            "error": error,
            "bare": topic_error(truth, exact.words).l1_mean,
        }
        return Picture(numbers, figures.top_words(lanes, corpus.vocabulary, n_shown=LEADING))


@lru_cache(6)
def _drawn(simulation: Simulation) -> tuple[Corpus, StatisticsCache]:
    corpus = simulation.draw()
    return corpus, StatisticsCache(corpus.counts)


def _kept(found: Lane, true: Lane) -> float:
    """Share of true leading words that lead the topic in the same place."""
    both = 0
    for here, there in zip(found.slots, true.slots, strict=True):
        if here.words is not None and there.words is not None:
            leading = [
                set(np.argsort(-words)[:LEADING].tolist()) for words in (here.words, there.words)
            ]
            both += len(leading[0] & leading[1])
    return both / (LEADING * len(true.slots))
