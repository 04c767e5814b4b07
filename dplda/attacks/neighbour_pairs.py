"""Readable pairs of corpora that differ in one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from dplda.core.types import Matrix
from dplda.corpus import Corpus, Label, VocabularySource

Kind = tuple[tuple[str, ...], int]  # words of a document, and number of such documents


@dataclass(frozen=True, slots=True)
class Pair:
    """Public documents and one document in two versions.

    Attributes:
        title: title of the story.
        story: what the documents are about, in two sentences.
        common_documents: words of documents that both corpora have, and how many have them.
        first_words: words of the document in the first corpus.
        second_words: words of the document in the second.
        n_topics: number of topics to look for, ``k``.
    """

    title: str
    story: str
    common_documents: tuple[Kind, ...]
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    n_topics: int = 2

    @property
    def n_documents(self) -> int:
        """``N`` of each corpus."""
        return 1 + sum(number for _, number in self.common_documents)

    @property
    def names(self) -> tuple[str, str]:
        """The words of the document in each corpus, each once."""
        first_name = " + ".join(dict.fromkeys(self.first_words))
        second_name = " + ".join(dict.fromkeys(self.second_words))
        return first_name, second_name

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Both corpora; the differing document is last."""
        first_corpus = self._corpus(self.first_words)
        second_corpus = self._corpus(self.second_words)
        return first_corpus, second_corpus

    def _corpus(self, last_words: tuple[str, ...]) -> Corpus:
        """Make a simulated corpus of the common documents and a last one, over the pair's words.

        The document of the given words is the last row. Words are in the order in which they first
        occur.
        """
        common_words = [words for words, _ in self.common_documents]
        n_copies = [number for _, number in self.common_documents]
        all_words = chain(*common_words, self.first_words, self.second_words)
        vocabulary = tuple(dict.fromkeys(all_words))
        distinct_counts = _count_words(common_words, vocabulary)
        common_counts = np.repeat(distinct_counts, n_copies, axis=0)
        last_counts = _count_words([last_words], vocabulary)
        all_counts = np.vstack([common_counts, last_counts])
        counts = all_counts.astype(np.int32)
        return Corpus(
            csr_array(counts),
            vocabulary,
            label=Label.SIMULATED,
            name=self.title,
            vocabulary_source=VocabularySource.FIXED,
        )


def _count_words(documents: Sequence[tuple[str, ...]], vocabulary: tuple[str, ...]) -> Matrix:
    """Word counts of documents, shape (documents, vocabulary)."""
    counts = np.zeros((len(documents), len(vocabulary)))
    for row, words in enumerate(documents):
        for column, word in enumerate(vocabulary):
            counts[row, column] = words.count(word)
    return counts


TURN = Pair(
    title="The deciding letter",
    story="Nearly as many letters are about rain as about football. "
    "One letter is about rain only, or about both.",
    common_documents=(
        (("rain",) * 3, 41 * 50),
        (("football",) * 3, 41 * 50 - 1),
        (("rain", "rain", "football", "football"), 6 * 50),
    ),
    first_words=("rain",) * 3,
    second_words=("rain", "rain", "football", "football"),
)
"""Counterexample A of ``gaps.counterexamples`` at j = 50.

Both eigenvalues agree up to 1/N, and one document turns the axes.
"""

SECRET = Pair(
    title="The doctor's letter",
    story="Everyone writes about rain or football. "
    "One letter is about rain too, or about a doctor.",
    common_documents=((("rain",) * 3, 220), (("football",) * 3, 219)),
    first_words=("rain",) * 3,
    second_words=("doctor",) * 3,
)
"""A word that nobody else uses."""

PAIRS = {"turn": TURN, "secret": SECRET}
"""Every pair by its name in links."""
