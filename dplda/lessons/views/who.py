"""Runs on two corpora one document apart, and how well their outputs reveal which one was used."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from dplda import figures
from dplda.attacks.game import best_score, own_run, shared_runs
from dplda.attacks.neighbour_pairs import PAIRS
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PictureView
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import round_chance_up
from dplda.privacy.accounting.risk import risk_of


@dataclass(frozen=True)
class WhoWasIn(PictureView):
    """Two heaps of runs, the same for everyone, and one more run from the seed above them.

    Attributes:
        pair: name in ``PAIRS`` of the two collections.
        method: a method with noise.
        epsilon: ε of a run.
        delta: δ of a run.
        runs: number of runs that are the same for everyone.
        asks: whether the title asks for a bet, and does not say how often one is right.
    """

    number_meanings: ClassVar = {
        "score": "how often the best attacker is right",
        "allowed": "how often anyone can be right at this ε and δ",
        "outside": "share of runs whose privacy loss exceeds ε",
        "letters": "letters that everyone knows",
        "yours": "in your own run, how sure the best attacker is of the letter that was in",
        "other_letter": "1 if your own run used the second collection, 0 if the first",
    }
    depends_on_seed: ClassVar = True

    pair: str = "turn"
    method: str = "adaptive"
    epsilon: float = 1.0
    delta: float = 1e-7
    runs: int = 60
    asks: bool = False

    def __post_init__(self) -> None:
        if not parse_method(self.method).needs_epsilon:
            raise InputError("method", "one with noise, whose runs differ", self.method)
        if self.pair not in PAIRS:
            raise InputError("pair", f"one of {', '.join(PAIRS)}", self.pair)

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Take shared runs and one of the seed, and count right guesses of the best attacker.

        Dots are at the losses of runs over μ. ``outside`` is the share of shared runs whose loss is
        above ε in size, ``yours`` how sure the attacker is of the letter that the own run used.
        ``allowed`` is the largest chance of a right guess at this ε and δ, rounded up.
        """
        pair = PAIRS[self.pair]
        known_runs = shared_runs(
            self.method, self.pair, self.epsilon, self.delta, self.runs, report
        )
        own_result = own_run(self.method, self.pair, self.epsilon, self.delta, seed)
        losses = [run.loss for run in known_runs]
        score, _ = best_score(np.array(losses))
        risk = risk_of(self.epsilon, self.delta, is_gaussian=True)
        allowed_chance = round_chance_up(risk.right_guess)
        numbers = {
            "score": score,
            "allowed": allowed_chance,
            "outside": float(np.mean(np.abs(losses) > self.epsilon)),
            "letters": pair.n_documents - 1,
            "yours": float(expit(own_result.loss if own_result.used_first else -own_result.loss)),
            "other_letter": float(not own_result.used_first),
        }
        title = f"Right {100 * score:.0f} times in 100"
        comparison = f"a coin: 50 · ε = {self.epsilon:g} promises at most {100 * allowed_chance:g}"
        if self.asks:
            title = "Which letter was in the run ★?"
            comparison = f"{self.runs} known runs, and a new one"
        mu = gaussian.mu_for(self.epsilon, self.delta)
        figure = figures.heaps(
            [loss / mu for loss in losses],
            [run.used_first for run in known_runs],
            title=title,
            comparison=comparison,
            names=pair.names,
            sides=(f"says: {pair.names[0]}", f"says: {pair.names[1]}"),
            marked_run=(own_result.loss / mu, "your run"),
        )
        return Picture(numbers, figure)
