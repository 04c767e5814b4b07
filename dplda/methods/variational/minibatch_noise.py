"""Where noise enters private variational inference, and how much: public numbers alone, without a run."""

from dataclasses import dataclass

from dplda.methods.problem import Budget
from dplda.methods.variational.accounting import Schedule
from dplda.methods.variational.minibatch_run import part_of_one_document, word_steps_of
from dplda.methods.variational.private_variational import schedule_for
from dplda.methods.variational.settings import Scheme, VariationalSettings
from dplda.privacy import gaussian


@dataclass(frozen=True, slots=True)
class MinibatchNoise:
    """The noise of one run.

    Attributes:
        schedule: noise multiplier σ, sampling rate ν and number of minibatches T.
        expected: ``S``, documents in a minibatch on average.
        sensitivity: ``scheme.bound/S``, in the unit of the mean statistic; rounded up.
        word_steps: minibatches that count words alone.
        words_scale: standard deviation of the noise on each entry of these.
    """

    budget: Budget
    scheme: Scheme
    settings: VariationalSettings
    schedule: Schedule
    expected: float
    sensitivity: float
    word_steps: int
    words_scale: float

    @property
    def scale(self) -> float:
        """Standard deviation of the noise on each entry of the mean statistic."""
        return self.schedule.noise_multiplier * self.sensitivity


def minibatch_noise(
    budget: Budget, n_documents: int, n_words: int, *, scheme: Scheme, settings: VariationalSettings
) -> MinibatchNoise:
    """The noise that a run gets; the same whatever the documents."""
    schedule, mu = schedule_for(budget.epsilon, budget.delta, settings), gaussian.mu_for(budget.epsilon, budget.delta)
    expected = n_documents * schedule.sampling_rate
    part, words = (
        part_of_one_document(n_documents=n_documents, bound=bound, expected=expected)
        for bound in (scheme.bound, settings.words_bound)
    )
    word_steps = word_steps_of(settings, scheme, n_documents=n_documents, n_words=n_words, mu=mu)
    words_scale = schedule.noise_multiplier * words
    return MinibatchNoise(budget, scheme, settings, schedule, expected, part, word_steps, words_scale)
