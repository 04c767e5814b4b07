"""Readable pairs of corpora that differ in one document."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from dplda.core.types import Matrix
from dplda.corpus import Corpus, Label, VocabularySource

Kind = tuple[tuple[str, ...], int]  # words of a document, and number of such documents


@dataclass(frozen=True, slots=True)
class Pair:
    """Public documents and one document in two versions; ``n_topics`` is the ``k`` to look for."""

    title: str
    story: str
    others: tuple[Kind, ...]
    one: tuple[str, ...]
    other: tuple[str, ...]
    n_topics: int = 2

    @property
    def n_documents(self) -> int:
        """``N`` of each corpus."""
        return 1 + sum(number for _, number in self.others)

    @property
    def names(self) -> tuple[str, str]:
        """The words of the document in each corpus, each once."""
        return " + ".join(dict.fromkeys(self.one)), " + ".join(dict.fromkeys(self.other))

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Both corpora; the differing document is last."""
        return self._corpus(self.one), self._corpus(self.other)

    def _corpus(self, last: tuple[str, ...]) -> Corpus:
        said = [words for words, _ in self.others]
        vocabulary = tuple(
            dict.fromkeys(word for words in (*said, self.one, self.other) for word in words)
        )
        rows = np.repeat(_counted(said, vocabulary), [number for _, number in self.others], axis=0)
        counts = np.vstack([rows, _counted([last], vocabulary)]).astype(np.int32)
        return Corpus(
            csr_array(counts), vocabulary, Label.SIMULATED, self.title, VocabularySource.FIXED
        )


def _counted(documents: Sequence[tuple[str, ...]], vocabulary: tuple[str, ...]) -> Matrix:
    return np.array([[float(words.count(word)) for word in vocabulary] for words in documents])


TURN = Pair(
    title="The turning letter",
    story="Nearly as many letters are about rain as about football. One letter is about rain only, or about both.",
    others=(
        (("rain",) * 3, 41 * 50),
        (("football",) * 3, 41 * 50 - 1),
        (("rain", "rain", "football", "football"), 6 * 50),
    ),
    one=("rain",) * 3,
    other=("rain", "rain", "football", "football"),
)
"""Counterexample A of ``theorems.gaps``, j = 50: both eigenvalues agree up to 1/N, and one document turns the axes."""

SECRET = Pair(
    title="The doctor's letter",
    story="Everyone writes about rain or football. One letter is about rain too, or about a doctor.",
    others=((("rain",) * 3, 220), (("football",) * 3, 219)),
    one=("rain",) * 3,
    other=("doctor",) * 3,
)
"""A word that nobody else uses."""

PAIRS = {"turn": TURN, "secret": SECRET}
"""Every pair by its name in links."""
