"""One of the methods that a game shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.attacks.game import Draw, best_score
from dplda.methods.method import Method


@dataclass(frozen=True, slots=True, eq=False)
class GameSide:
    """One method and how well the best player tells its runs."""

    method: Method
    runs: Sequence[Draw]

    @property
    def losses(self) -> tuple[float, ...]:
        """Of every run."""
        return tuple(run.loss for run in self.runs)

    @property
    def score(self) -> float:
        """How often the best player is right."""
        return best_score(np.array(self.losses))[0]
