"""What libraries are timed on: simulated documents with a known truth, and real text."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

import dplda
from dplda.corpus import Corpus, Label
from dplda.evaluation import completion, halves

ALPHA0 = 1.0
MEAN_LENGTH = 100


class Score(Protocol):
    """What is said of topics, shape (k, d)."""

    def __call__(self, topics: np.ndarray) -> dict[str, float]:
        """Names and numbers."""


@dataclass(frozen=True)
class Effort:
    """How many topics, and how hard the others try.

    Attributes:
        n_topics: ``k``.
        batch, online: passes of scikit-learn.
        gensim, gibbs: passes of gensim, sweeps of tomotopy.
        passes: of our refinement without noise; 0 to time private refinement in its place.
    """

    n_topics: int
    batch: int
    online: int
    gensim: int
    gibbs: int = 200
    passes: int = 0


@dataclass(frozen=True, kw_only=True)
class Size(Effort):
    """A simulated corpus.

    Attributes:
        n_documents, n_words: ``N``, ``d``.
    """

    n_documents: int
    n_words: int

    @property
    def section(self) -> str:
        """Its name in files and options."""
        return f"{self.n_documents}-{self.n_words}-{self.n_topics}"

    def drawn(self) -> tuple[Corpus, Score]:
        """Documents, and how far topics are from the truth."""
        corpus = dplda.simulate(
            n_documents=self.n_documents,
            n_words=self.n_words,
            n_topics=self.n_topics,
            alpha0=ALPHA0,
            mean_length=MEAN_LENGTH,
            seed=0,
        )
        truth = corpus.truth
        assert truth is not None
        return corpus, lambda topics: {
            "l1_mean": round(dplda.topic_error(truth.topics, topics).l1_mean, 4)
        }


@dataclass(frozen=True, kw_only=True)
class Text(Effort):
    """A real corpus, of which every tenth document is scored on and not fitted to.

    Attributes:
        name: of the corpus.
        path: of its file, in any format that ``dplda.load`` reads.
        n_words: ``d``.
    """

    name: str
    path: str
    n_words: int

    @property
    def section(self) -> str:
        """Its name in files."""
        return f"{self.name}-{self.n_words}-{self.n_topics}".lower().replace(" ", "-")

    def drawn(self) -> tuple[Corpus, Score]:
        """Documents, and how well topics complete others."""
        counts = dplda.load(self.path, label=Label.PUBLIC, n_words=self.n_words).counts
        is_held_out = np.arange(counts.shape[0]) % 10 == 0
        corpus = Corpus.from_counts(counts[~is_held_out], label=Label.PUBLIC, name=self.name)
        word_counts = np.asarray(corpus.counts.sum(axis=0), dtype=float)
        word_frequencies = word_counts / word_counts.sum()
        cut = halves(counts[is_held_out], seed=0)
        alpha = np.full(self.n_topics, ALPHA0 / self.n_topics)

        def score(topics: np.ndarray) -> dict[str, float]:
            perplexity = completion(topics, alpha, cut=cut, mean_words=word_frequencies)
            return {"perplexity": round(perplexity, 1)}

        return corpus, score
