"""What variational inference found."""

from dataclasses import dataclass

from dplda.core import checks
from dplda.core.types import Matrix, Vector
from dplda.methods.variational.accounting import Schedule
from dplda.privacy.release import Guarantee, Release


@dataclass(frozen=True, slots=True, eq=False)
class VariationalFit:
    """Topics found by variational inference.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), Dirichlet parameters; given, not learned.
        mean_words: shape (d,), on the simplex: the mean of the topics, weighted by how many words each was given; made
            of the fitted parameters alone, so private where these are.
        releases: every noisy value that was drawn; the minibatches of one schedule are one release.
        schedule: noise, sampling rate and steps; None without noise.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    guarantee: Guarantee
    releases: tuple[Release, ...]
    schedule: Schedule | None = None


def check_model(n_topics: int, alpha0: float, seed: int, n_words: int) -> None:
    """Refuse what no fit can use."""
    checks.integer_between("n_topics", n_topics, 2, n_words)
    checks.alpha0(alpha0)
    checks.integer_at_least("seed", seed, 0)


def topics_and_mean(parameters: Matrix) -> tuple[Matrix, Vector]:
    """Expected topics of Dirichlet rows, shape (k, d), and their weighted mean, shape (d,)."""
    topics: Matrix = parameters / parameters.sum(axis=1, keepdims=True)
    mean: Vector = parameters.sum(axis=0) / parameters.sum()
    return topics, mean
