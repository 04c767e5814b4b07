"""The private unigram, which every private method has to beat: a refinement's first release with the whole budget."""

from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.types import Vector
from dplda.corpus.corpus import Corpus
from dplda.methods.chain.guarantees import claim
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.flow import WORDS
from dplda.methods.full_batch_vi.recipe import RESTS_ON, Recipe
from dplda.methods.full_batch_vi.steps import FirstWords
from dplda.methods.problem import Budget
from dplda.methods.resources import DEFAULT, Resources
from dplda.privacy import gaussian
from dplda.privacy.release import Guarantee, Release, Status


@dataclass(frozen=True, slots=True, eq=False)
class PrivateUnigram:
    """Word frequencies; all that is here is a function of one release and public numbers.

    Attributes:
        mean_words: ``p``, shape (d,), on the simplex.
        releases: the clipped word counts with noise.
    """

    mean_words: Vector
    releases: tuple[Release, ...]
    guarantee: Guarantee


def private_unigram(corpus: Corpus, budget: Budget, resources: Resources = DEFAULT) -> PrivateUnigram:
    r"""Word frequencies by one Gaussian release of clipped word counts, shrunk by its noise.

    Guarantee:
        The counts are a sum of non-negative vectors of norm at most C, one a document, so √2·C apart for neighbours;
        with ``μ`` the Gaussian budget of (ε, δ) the release is μ-GDP. What follows it is post-processing.
    """
    checks.delta(budget.delta)
    mu, bound = gaussian.mu_for(budget.epsilon, budget.delta), Recipe().bound
    choices = (repr(budget.epsilon), repr(budget.delta), repr(bound))
    method = ("private-unigram", "corrected")
    mechanisms = resources.mechanisms(resources.key(corpus, method=method, choices=choices))
    documents = Documents(corpus.counts, n_topics=1)
    exact = mechanisms.exact
    counts = documents.whole_word_counts(bound=bound) if exact else documents.word_counts(bound=bound)
    noisy = mechanisms.vector(WORDS, counts, sensitivity=documents.sensitivity(bound), mu=mu)
    found = FirstWords(noisy, mechanisms.noise_in(WORDS)).frequencies
    guarantee = claim(
        corpus,
        mechanisms.releases,
        status=Status.PROVEN,
        rests_on=RESTS_ON,
        epsilon=budget.epsilon,
        delta=budget.delta,
        gaussian_fit=True,
    )
    return PrivateUnigram(np.asarray(found), mechanisms.releases, guarantee)
