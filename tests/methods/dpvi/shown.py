"""What private variational inference shows its mechanism, and what it is answered."""

import numpy as np
import pytest

from dplda.privacy.mechanisms import Mechanisms


class Shown:
    """Records what the mechanism is shown and what it answers, step by step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[np.ndarray] = []
        self.answered: list[np.ndarray] = []
        honest = Mechanisms.minibatch_matrix

        def watched(mechanisms: Mechanisms, label, bounded_sum, **options):
            self.shown.append(bounded_sum.value.copy())
            noisy = honest(mechanisms, label, bounded_sum, **options)
            self.answered.append(noisy.copy())
            return noisy

        monkeypatch.setattr(Mechanisms, "minibatch_matrix", watched)

    def noise(self) -> np.ndarray:
        return np.array([np.ravel(a - s) for a, s in zip(self.answered, self.shown, strict=True)])
