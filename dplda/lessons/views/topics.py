"""Topics of a simulated newspaper as words: as a method finds them, and the true ones."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dplda import figures
from dplda.core.formatting import digits
from dplda.core.types import Report, Vector
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
from dplda.spectral.topics import Topics

LEADING = 5  # words of a topic that are counted, and shown if there is room
MOST_WITH_ALL = 4  # topics beside which all of these are shown
FEWER_SHOWN = 3  # words of each of more topics, so that no line touches the next


@dataclass(frozen=True)
class TopicsInWords(PictureView):
    """Topics found by a method next to the true ones, the newspaper's first ``n_topics`` sections.

    Attributes:
        n_documents: number of documents, N.
        n_words: size of the vocabulary, d.
        n_topics: number of topics, k.
        alpha0: sum of the Dirichlet parameters, α0.
        mean_length: words of a document.
        newspaper: name of the invented newspaper.
        method: the method; one without noise needs no ε.
        epsilon: ε of the method; not used by one without noise.
        delta: δ likewise.
    """

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
        """Simulation of the newspaper's letters, always from the default seed.

        Refused with an ``InputError`` if one of its numbers is.
        """
        return Simulation(
            n_documents=self.n_documents,
            n_words=self.n_words,
            n_topics=self.n_topics,
            alpha0=self.alpha0,
            mean_length=self.mean_length,
            newspaper=self.newspaper,
        )

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Fit the letters with the seed's noise and without, and compare both with the truth.

        The letters are always the same. The figure has the noisy fit and the truth side by side.

        Returns:
            The picture, with ``kept``, the share of the truth's leading words that lead still;
            ``resolved``, the number of topics above the noise; and ``error`` and ``bare``, mean L1
            distances from the true topics with noise and without.
        """
        report(0.1, f"Drawing {self.n_documents:,} letters")
        corpus, statistics = _draw_letters(self._simulation)
        report(0.5, "Looking for topics")
        topics, noiseless_topics = self._fit_topics(corpus, Runtime(statistics=statistics), seed)
        assert corpus.truth is not None
        truth = corpus.truth.topics
        error = topic_error(truth, topics.words).l1_mean
        found_lane = fitted_lane(self._lane_title(error), topics, truth)
        truth_lane = true_lane("truth", truth, corpus.truth.alpha, truth)
        numbers = {
            "kept": _share_of_leading_words_kept(found_lane, truth_lane),
            "resolved": len(found_lane.filled),
            "error": error,
            "bare": topic_error(truth, noiseless_topics.words).l1_mean,
        }
        lanes = (found_lane, truth_lane)
        n_shown = LEADING if self.n_topics <= MOST_WITH_ALL else FEWER_SHOWN
        return Picture(numbers, figures.top_words(lanes, corpus.vocabulary, n_shown=n_shown))

    @property
    def _has_noise(self) -> bool:
        return parse_method(self.method).needs_epsilon

    def _fit_topics(self, corpus: Corpus, runtime: Runtime, seed: int) -> tuple[Topics, Topics]:
        """Topics of the method, and those of ``unnoised`` whatever the method is.

        A method without noise gives its own topics twice.
        """
        experiment = Experiment(
            corpus=self._simulation,
            method=parse_method_spec(self.method),
            problem=Problem(self.n_topics, self.alpha0),
            budget=Budget(self.epsilon, self.delta) if self._has_noise else Budget(),
            seed=seed,
        )
        topics = fit(experiment, corpus, runtime).topics
        if not self._has_noise:
            return topics, topics
        noiseless_experiment = experiment.without_noise(parse_method_spec("unnoised"))
        return topics, fit(noiseless_experiment, corpus, runtime).topics

    def _lane_title(self, error: float) -> str:
        """Title of the fit: its ε, if it has noise, and its error."""
        error_text = digits(error, 3 if error > 1 else 2)
        if self._has_noise:
            return f"ε = {self.epsilon:g}: error {error_text}"
        return f"no noise: error {error_text}"


@lru_cache(6)
def _draw_letters(simulation: Simulation) -> tuple[Corpus, StatisticsCache]:
    """The simulation's corpus and its statistics; the last ones are kept."""
    corpus = simulation.draw()
    return corpus, StatisticsCache(corpus.counts)


def _share_of_leading_words_kept(found_lane: Lane, truth_lane: Lane) -> float:
    """Share of true leading words that lead the topic in the same place.

    Leading are the ``LEADING`` most probable words of a topic.
    A place that is empty in either lane keeps none, but counts.
    """
    n_kept = 0
    for found_slot, true_slot in zip(found_lane.slots, truth_lane.slots, strict=True):
        if found_slot.words is not None and true_slot.words is not None:
            n_kept += len(_leading_words(found_slot.words) & _leading_words(true_slot.words))
    return n_kept / (LEADING * len(truth_lane.slots))


def _leading_words(topic: Vector) -> set[int]:
    """Ids of a topic's most probable words."""
    return set(np.argsort(-topic)[:LEADING].tolist())
