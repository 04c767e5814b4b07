"""One release drawn many times by the pipeline itself, the answers to all earlier releases being given.

A sensitivity is claimed for whatever was released before, so the claim is audited there: the chain runs as always on
real documents, its mechanisms answer as told, and where the audited release comes it is asked for again and again, by
the route's own call, from the run's own source of noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.fitting.pipeline import run
from dplda.privacy.mechanisms import Mechanisms, Named, stream
from dplda.privacy.noise import NoiseSource
from dplda.privacy.release import Release


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Independent draws of one release of one corpus.

    Attributes:
        values: released, one a draw.
        heard: all that came back from the source of noise while a draw was made, shape (draws, numbers).
        shown: the value before noise.
        others, named: the rest of the route's call.
        release: the first draw's.
    """

    values: list[Any]
    heard: np.ndarray
    shown: Any
    others: tuple[Any, ...]
    named: dict[str, Any]
    release: Release


class ReachedError(Exception):
    """The release was drawn; the rest of the run is not needed."""

    def __init__(self, drawn: Drawn) -> None:
        super().__init__()
        self.drawn = drawn


class Heard:
    """A source of noise that remembers what it gave."""

    def __init__(self, source: NoiseSource) -> None:
        self._source, self.kind, self.given = source, source.kind, []

    def perturb(self, *asked: Any) -> np.ndarray:
        self.given.append(self._source.perturb(*asked))
        return self.given[-1]

    def perturb_laplace(self, *asked: Any) -> np.ndarray:
        self.given.append(self._source.perturb_laplace(*asked))
        return self.given[-1]


class Conditional:
    """Stands in for ``Mechanisms``: answers as told, until the audited release."""

    exact = False

    def __init__(self, source: NoiseSource, audited: str, answers: Mapping[str, Any], draws: int) -> None:
        self._heard = Heard(source)
        self._inner, self._audited, self._answers, self._draws = Mechanisms(self._heard), audited, answers, draws

    @property
    def releases(self) -> tuple[Release, ...]:
        return self._inner.releases

    def noise_in(self, of: Named) -> float:
        return self._inner.noise_in(of)

    def release_of(self, of: Named) -> Release:
        return self._inner.release_of(of)

    def __getattr__(self, method: str) -> Any:
        def call(of: Named, value: Any, *others: Any, **named: Any) -> Any:
            mechanism = getattr(self._inner, method)
            if stream(of) != self._audited:
                mechanism(of, value, *others, **named)
                answer = self._answers[stream(of)]
                return answer.copy() if isinstance(answer, np.ndarray) else answer
            self._heard.given.clear()
            values = [mechanism(of, value, *others, **named) for _ in range(self._draws)]
            heard = np.concatenate(self._heard.given).reshape(self._draws, -1)
            raise ReachedError(Drawn(values, heard, value, others, named, self._inner.releases[-self._draws]))

        return call


def drawn(
    corpus: Corpus,
    plan: Plan,
    audited: str,
    answers: Mapping[str, Any],
    *,
    draws: int,
    seed: int,
    n_topics: int,
    alpha0: float,
) -> Drawn:
    """Draws of the release of the stream ``audited``, earlier ones being answered by theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dplda.fitting.pipeline.Mechanisms", lambda source: Conditional(source, audited, answers, draws))
        with pytest.raises(ReachedError) as reached:
            run(corpus, plan, n_topics=n_topics, alpha0=alpha0, seed=seed)
    return reached.value.drawn
