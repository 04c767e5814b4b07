"""Where noise enters private variational inference, and how much: public numbers alone, without a run."""

from dataclasses import dataclass

from dplda.methods.problem import Budget
from dplda.methods.variational.accounting import Accountant, Schedule
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
        bound: norm that σ is a multiple of, in words: of one document's part, or of the whole minibatch.
        longest: ``N_max``, words beyond which a document's counts are scaled down.
        sensitivity: ``bound/S``, in the unit of the mean statistic; rounded up.
        scale: standard deviation of the noise on each of its entries, ``σ`` times that.
        epsilon: ε that the accountant was given for the whole run, replacing one document.
        accountant: which found σ.
        words_bound: norm that σ is a multiple of in these, in words.
        words_scale: standard deviation of the noise on each of their entries.
    """

    schedule: Schedule
    expected: float
    bound: float
    per_document: bool
    longest: int
    sensitivity: float
    scale: float
    epsilon: float
    delta: float
    accountant: Accountant
    word_steps: int
    words_bound: float
    words_scale: float


def minibatch_noise(
    budget: Budget, n_documents: int, n_words: int, *, scheme: Scheme, settings: VariationalSettings
) -> MinibatchNoise:
    """The noise that a run gets; the same whatever the documents."""
    epsilon, delta = budget.epsilon, budget.delta
    schedule = schedule_for(epsilon, delta, settings)
    expected = n_documents * schedule.sampling_rate
    part = part_of_one_document(n_documents=n_documents, bound=scheme.bound, expected=expected)
    return MinibatchNoise(
        schedule=schedule,
        expected=expected,
        bound=scheme.bound,
        per_document=scheme.per_document,
        longest=settings.longest,
        sensitivity=part,
        scale=schedule.noise_multiplier * part,
        epsilon=epsilon,
        delta=delta,
        accountant=settings.accountant,
        word_steps=word_steps_of(
            settings, scheme, n_documents=n_documents, n_words=n_words, mu=gaussian.mu_for(epsilon, delta)
        ),
        words_bound=settings.words_bound,
        words_scale=schedule.noise_multiplier
        * part_of_one_document(n_documents=n_documents, bound=settings.words_bound, expected=expected),
    )
