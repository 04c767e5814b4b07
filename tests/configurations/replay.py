"""Routes that watch a fit: one plays recorded answers back, one writes down what a real route answered."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.configurations import REGISTRY
from dplda.configurations.adaptive import ADAPTIVE
from dplda.configurations.route import Clips, Configuration, Route
from dplda.flow import Edge
from dplda.pipeline import Fit, Sums, fit
from dplda.privacy.noise import NoiseSource
from dplda.privacy.release import Status
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.statistics import Averages
from dplda.spectral.tensor import Search


@dataclass
class Answers:
    """Everything a route said: what the rest of a fit may depend on."""

    clips: Clips
    averages: Averages
    triple_clip: float = 1.0
    tensor: np.ndarray | None = None


@dataclass
class Seen:
    """Everything a route was shown."""

    pair_norms: np.ndarray = field(default_factory=lambda: np.empty(0))
    averages: Averages | None = None
    triple_norms: np.ndarray = field(default_factory=lambda: np.empty(0))
    ceiling: float = 0.0
    tensor: np.ndarray = field(default_factory=lambda: np.empty(0))


class Replay:
    """Answers as recorded whatever it is shown, and writes down what that was."""

    def __init__(self, answers: Answers) -> None:
        self.answers, self.seen = answers, Seen()

    def clips(self, pair_norms):
        self.seen.pair_norms = pair_norms
        return self.answers.clips

    def triple_clip(self, norms, ceiling):
        self.seen.triple_norms, self.seen.ceiling = norms, ceiling
        return self.answers.triple_clip

    def noise_on(self, edge, value):
        if isinstance(value, Averages):
            assert edge is Edge.E2
            self.seen.averages = value
            return self.answers.averages
        assert edge is Edge.E6
        self.seen.tensor = value
        return value if self.answers.tensor is None else self.answers.tensor


class Recorder:
    """A real route with a notebook."""

    def __init__(self, route: Route) -> None:
        self._route, self.seen = route, Seen()
        self.answers = Answers(Clips(0, 0), Averages(np.empty(0), np.empty((0, 0)), 0))

    def clips(self, pair_norms):
        self.seen.pair_norms = pair_norms
        self.answers.clips = self._route.clips(pair_norms)
        return self.answers.clips

    def triple_clip(self, norms, ceiling):
        self.seen.triple_norms, self.seen.ceiling = norms, ceiling
        self.answers.triple_clip = self._route.triple_clip(norms, ceiling)
        return self.answers.triple_clip

    def noise_on(self, edge, value):
        answer = self._route.noise_on(edge, value)
        if isinstance(value, Averages):
            self.seen.averages, self.answers.averages = value, answer
        else:
            self.seen.tensor, self.answers.tensor = value, answer
        return answer


@contextmanager
def registered(start) -> Iterator[Plan]:
    """A plan of a configuration that the registry knows for the time being."""
    configuration = Configuration(
        name="watched",
        title="Watched",
        edges=ADAPTIVE.edges,
        default_split=ADAPTIVE.default_split,
        status=Status.NOT_PRIVATE,
        summary="",
        rests_on=(),
        start=start,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(REGISTRY, "watched", configuration)
        yield Plan("watched", epsilon=1.0)


def replayed(
    corpus: Corpus, answers: Answers, *, n_topics: int = 2, alpha0: float = 1.0, seed: int = 0
) -> tuple[Fit, Seen]:
    """A fit whose route answers as recorded, and what the route was shown."""
    route = Replay(answers)
    with registered(lambda *_: route) as plan:
        return fit(corpus, plan, n_topics=n_topics, alpha0=alpha0, seed=seed), route.seen


def recorded(
    corpus: Corpus,
    *,
    epsilon: float,
    n_topics: int,
    seed: int = 0,
    alpha0: float = 1.0,
    noise: NoiseSource | None = None,
    clip_quantile: float | None = None,
    sums: Sums | None = None,
    quick: bool = False,
) -> tuple[Fit, Recorder]:
    """An adaptive fit with all that its route was shown and answered; a quick one spares the decomposition."""
    search = Search(restarts=1, max_iterations=1) if quick else None
    recorders = []

    def start(shape, mus, quantile, mechanisms):
        recorders.append(Recorder(ADAPTIVE.start(shape, mus, quantile, mechanisms)))
        return recorders[-1]

    with registered(start):
        plan = Plan("watched", epsilon=epsilon, clip_quantile=clip_quantile)
        found = fit(corpus, plan, n_topics=n_topics, alpha0=alpha0, seed=seed, noise=noise, sums=sums, search=search)
    return found, recorders[0]


def opposite_directions(n_words: int, *, alpha0: float = 1.0) -> Averages:
    """Noisy averages whose whitening sees words 0 and 1 in exactly opposite directions, the longest of all.

    The mean is orthogonal to the kept eigenvectors, so that the shift vanishes.
    """
    U = np.zeros((n_words, 2))
    U[:2, 0] = [np.sqrt(0.5), -np.sqrt(0.5)]
    U[2:4, 1] = [0.6, 0.8]
    mean = np.zeros(n_words)
    mean[:2], mean[2:4] = 0.25, [0.3, -0.225]
    pairs = (U * [0.01, 0.1]) @ U.T + Coefficients(alpha0).a * np.outer(mean, mean)
    return Averages(mean, pairs, 1.0)
