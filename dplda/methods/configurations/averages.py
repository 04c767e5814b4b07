"""What the configurations that release plain averages share: the averages as quantities, budget, and their noise."""

from dataclasses import dataclass, replace

from dplda.flow import Edge
from dplda.methods.configurations import sizes
from dplda.methods.configurations.levels import Levels, Readings
from dplda.methods.configurations.quantity import Quantity
from dplda.methods.configurations.route import Route
from dplda.privacy import sensitivity
from dplda.privacy.assumption import Assumption
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages

PROVEN_RESTS_ON = (Assumption.NEIGHBOURS, Assumption.CHOSEN)
CONSTANTS_CHOSEN = (
    "The method's own constants were chosen on simulated documents, the embedded docstrings, 20 Newsgroups,"
    " Wikipedia's leads and AP: for those documents they were not chosen beforehand."
)
APART = "A document's {} have length at most {}, and two non-negative tables are at most √2 times that apart."
WHOLE = "A document's {} add up to 1, so replacing one moves at most 2 of them in total, and the average divides by N."
COUNTS = "Nine counts of documents, each moved by at most 1 when one is replaced: √9 together."
WORDS_IN_WORDS = "word frequencies"
PAIRS_IN_WORDS = "pair frequencies, counted by unordered pairs,"
TRIPLES_IN_WORDS = "triple frequencies, counted by unordered triples,"


@dataclass(frozen=True, slots=True)
class AverageQuantities:
    """The three quantities that averages of words and pairs are released as: ``E2``, ``E1`` and ``w̄``."""

    pairs: Quantity
    words: Quantity
    mass: Quantity


def average_quantities(
    edge: Edge, *, why_words: str, why_pairs: str, rests_on: tuple[str, ...] = ()
) -> AverageQuantities:
    """The averages as released on one edge."""
    return AverageQuantities(
        pairs=pair_average(edge, why_pairs, rests_on=rests_on),
        words=Quantity("words", "E₁", "word average", edge, why_words, sizes.word_average, rests_on),
        mass=Quantity(
            "mass",
            "w̄",
            "mean weight of a document",
            edge,
            "A document's weight lies between 0 and 1, and the average divides by N.",
            sizes.mean_weight,
        ),
    )


def pair_average(edge: Edge, why: str, *, name: str = "pairs", rests_on: tuple[str, ...] = ()) -> Quantity:
    """``E2`` as released on one edge."""
    return Quantity(name, "E₂", "pair average", edge, why, sizes.pair_average, rests_on)


def triple_average(why: str) -> Quantity:
    """``E3`` as released on e3."""
    return Quantity("triples", "E₃", "triple average, seen whitened", Edge.E3, why, sizes.triple_average)


class AveragesRoute(Route[Averages]):
    """A route built on plain averages, each released with Gaussian noise."""

    def released(self, value: Averages, quantities: AverageQuantities) -> Averages:
        """The averages of pairs and words and the mean weight, each released once; their clip level is public."""
        n, make = self.shape.n_documents, self.mechanisms
        words = quantities.words
        pairs = self.released_pairs(value, quantities.pairs)
        noisy_words = make.vector(
            words,
            value.words,
            sensitivity=sensitivity.word_average(n_documents=n, clip=value.clip),
            mu=self._mus[words.name],
        )
        mass = make.number(
            quantities.mass, value.mass, sensitivity=sensitivity.mass(n_documents=n), mu=self._mus[quantities.mass.name]
        )
        return replace(pairs, words=noisy_words, mass=mass, word_noise=make.noise_in(words))

    def released_pairs(self, value: Averages, quantity: Quantity) -> Averages:
        """The same averages with a noisy pair average, released as a histogram over unordered pairs."""
        noisy = self.mechanisms.pair_histogram(
            quantity,
            value.pairs,
            sensitivity=sensitivity.pair_average(n_documents=self.shape.n_documents, clip=value.clip),
            mu=self._mus[quantity.name],
        )
        return replace(value, pairs=noisy, entry_noise=self.mechanisms.noise_in(quantity) / 2)


def average_levels(found: Readings, ahead: AverageQuantities, behind: Quantity | None = None) -> Levels:
    """Noise on averages in a predictor's units; ``behind`` is a second release of pairs, for unwhitening."""
    mass = found[ahead.mass.name].value
    return Levels(
        pairs=found[ahead.pairs.name].scale / mass / 2,
        back=found[(behind or ahead.pairs).name].scale / mass / 2,
        shared=behind is None,
        diagonal=4.0,
        words=found[ahead.words.name].scale / mass,
    )


WHY_UNCLIPPED_PAIRS = APART.format(PAIRS_IN_WORDS, "1")
UNCLIPPED = LARGEST_PAIR_NORM


def unclipped_quantities(edge: Edge) -> AverageQuantities:
    """The averages of documents as they are."""
    return average_quantities(edge, why_words=APART.format(WORDS_IN_WORDS, "1"), why_pairs=WHY_UNCLIPPED_PAIRS)
