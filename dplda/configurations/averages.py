"""What the configurations that release plain averages share: names, budget, and noise on the averages."""

import math

from dplda._types import Matrix
from dplda.configurations.route import Budget
from dplda.flow import Edge
from dplda.privacy import gaussian, sensitivity
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.spectral.statistics import Averages

MASS, WORDS, PAIRS, TRIPLES = "mass", "words", "pairs", "triples"
LARGEST_PAIR_NORM = math.sqrt(0.5)

PROVEN_RESTS_ON = (
    "Neighbouring corpora differ in one document, replaced by any other over the same vocabulary; the number of"
    " documents is public.",
    "The vocabulary, the numbers of documents and topics, α0, ε, δ and the split were chosen without looking at the"
    " documents.",
)


def gaussian_budget(budget: Budget) -> dict[str, float]:
    """``μ_j = √fraction · μ`` for every quantity, with ``μ`` of the whole run at (ε, δ)."""
    mu = gaussian.mu_for(budget.epsilon, budget.delta)
    return {name: gaussian.share(mu, fraction) for name, fraction in budget.split.items()}


def noisy_averages(
    value: Averages,
    clip: float,
    n_documents: int,
    mechanisms: Mechanisms,
    edge: Edge,
    mus: dict[str, float],
) -> Averages:
    """The averages of pairs and words and the mean weight, each released once on this edge.

    Args:
        value: un-noised averages over ``n_documents``.
        clip: the level that bounds every document's pull on them.
        n_documents: ``N``, public.
        mechanisms: make the releases.
        edge: of the flow, on the releases' labels.
        mus: budgets under ``PAIRS``, ``WORDS`` and ``MASS``.
    """
    pairs, entry_noise = noisy_pairs(value, clip, n_documents, mechanisms, edge, mus[PAIRS])
    words = mechanisms.vector(
        ReleaseName(edge, "word average", "E₁"),
        value.words,
        sensitivity=sensitivity.word_average(n_documents=n_documents, clip=clip),
        mu=mus[WORDS],
    )
    mass = mechanisms.number(
        ReleaseName(edge, "mean weight of a document", "w̄"),
        value.mass,
        sensitivity=sensitivity.mass(n_documents=n_documents),
        mu=mus[MASS],
    )
    return Averages(words, pairs, mass, entry_noise)


def noisy_pairs(
    value: Averages, clip: float, n_documents: int, mechanisms: Mechanisms, edge: Edge, mu: float
) -> tuple[Matrix, float]:
    """The pair average released as a histogram over unordered pairs, and the noise on one off-diagonal entry."""
    noisy = mechanisms.pair_histogram(
        ReleaseName(edge, "pair average", "E₂"),
        value.pairs,
        sensitivity=sensitivity.pair_average(n_documents=n_documents, clip=clip),
        mu=mu,
    )
    return noisy, mechanisms.last_noise / 2
