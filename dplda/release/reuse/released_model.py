"""A released file as a model: topics, guarantee, and the shares of new documents."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.counts import AnyCounts, canonical_counts
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.privacy.release import Guarantee
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file
from dplda.release.reuse import exports

if TYPE_CHECKING:
    from sklearn.decomposition import LatentDirichletAllocation

NOT_PROTECTED = (
    "New documents are not protected: their shares are worked out without noise, and are as"
    " sensitive as the documents."
)


class ReleasedModel:
    """Topics of a released file, as a model of new documents.

    Everything here follows from the file, so it costs no budget. The guarantee is of the documents
    that the topics were made of. ``transform`` is of new documents, which nothing protects.

    Args:
        artefact: the release.

    Attributes:
        components_: topics, (k, d), rows on the simplex, those with evidence first.
        alpha_: Dirichlet parameters, (k,).
        mean_words_: word frequencies, (d,), on the simplex.
        vocabulary_: the d words, in the order of the columns.
        names_: of the topics; the three words that describe it best where their owner gave none.
        guarantee_: of the documents that the topics were made of.

    Example:
        >>> import dplda
        >>> model = dplda.open_release("mail.dplda.json")  # doctest: +SKIP
        >>> model.transform(model.read("new.csv", text="body"))  # doctest: +SKIP
    """

    components_: Matrix
    alpha_: Vector
    mean_words_: Vector
    vocabulary_: tuple[str, ...]
    names_: tuple[str, ...]
    guarantee_: Guarantee

    def __init__(self, artefact: Artefact) -> None:
        """Take over topics, words, names and guarantee; α is α₀ times the topics' shares."""
        self.components_ = artefact.topics
        self.alpha_ = artefact.alpha0 * artefact.topic_shares
        self.mean_words_ = artefact.word_frequencies
        self.vocabulary_ = artefact.vocabulary
        self.names_ = exports.topic_names(artefact)
        self.guarantee_ = artefact.guarantee
        self._artefact = artefact

    def __repr__(self) -> str:
        n_topics, n_words = self.components_.shape
        return (
            f"<{n_topics} topics of {self._artefact.documents!r} over {n_words:,} words;"
            f" {self.guarantee_.in_words()}>"
        )

    def read(
        self,
        source: str | PathLike[str],
        *,
        text: str | None = None,
        groups: Sequence[str] = (),
    ) -> Corpus:
        """Read new documents over the words of the release.

        Args:
            source: a file or a folder.
            text: column that holds the documents; None for the only one, or one named ``text``.
            groups: columns whose values are kept as labels.

        Raises:
            ReadError: a file cannot be read.
            CorpusError: none of its words are those of the release.
        """
        from dplda.corpus.readers.load import load
        from dplda.corpus.words.tokenisation import Tokenisation, released_list

        words = released_list(self.vocabulary_, Tokenisation())
        return load(Path(source), text=text, groups=groups, label=Label.SENSITIVE, vocabulary=words)

    def transform(self, X: Corpus | AnyCounts) -> Matrix:  # noqa: N803 - as in scikit-learn
        """Topic shares of the words of new documents, shape (N, k).

        They are free, and nothing protects them: a share says what its document is about.

        Args:
            X: documents, whose other words are passed over; or counts, (N, d), with a column for
                each word of the release.

        Returns:
            Rows that sum to 1; zeros for a document without a word of the release.

        Raises:
            CorpusError: the documents have no word of the release, or counts another number.
        """
        return infer_document_topics(self._counts(X), self.components_, self.alpha_)

    def leading_words(self, n_words: int = 10) -> tuple[tuple[str, ...], ...]:
        """The words that describe each topic, the best first, as the report shows them.

        Words that lead several topics are left out; ``summary`` has them.

        Args:
            n_words: most words of a topic, at least 1.

        Raises:
            InputError: ``n_words`` is no whole number from 1 on.
        """
        checks.integer_at_least("n_words", n_words, 1)
        return exports.leading_words(self._artefact, n_words)

    @property
    def summary(self) -> str:
        """The release in a few lines: its worth, its guarantee, and the topics by their words."""
        return exports.summary(self._artefact)

    def to_csv(self) -> str:
        """The topics as a table: one row per topic and word, the most probable first."""
        return exports.topics_as_csv(self._artefact)

    def to_json(self) -> str:
        """The topics as JSON: name, share, and words with their probability."""
        return exports.topics_as_json(self._artefact)

    def to_sklearn(self) -> "LatentDirichletAllocation":
        """A fitted model of scikit-learn with these topics; its ``transform`` works."""
        return exports.as_sklearn(self._artefact)

    def to_gensim(self) -> object:
        """An ``LdaModel`` of gensim with these topics.

        Raises:
            InputError: gensim is not installed.
        """
        return exports.as_gensim(self._artefact)

    def to_pyldavis(self) -> object:
        """Prepared data of pyLDAvis, made of the file alone; ``pyLDAvis.save_html`` writes it.

        Raises:
            InputError: pyLDAvis is not installed, or there are fewer than two topics.
        """
        return exports.as_pyldavis(self._artefact)

    def naming_prompt(self, n_words: int = 15) -> str:
        """A text that asks any language model to name the topics; of released values only.

        Args:
            n_words: leading words of each topic, at least 1.

        Raises:
            InputError: ``n_words`` is no whole number from 1 on.
        """
        checks.integer_at_least("n_words", n_words, 1)
        return exports.naming_prompt(self._artefact, n_words)

    def _counts(self, X: Corpus | AnyCounts) -> Counts:  # noqa: N803
        """Counts over the words of the release, of a corpus or of a matrix of counts.

        A corpus of other words is matched by words; a matrix needs a column for each word.

        Raises:
            CorpusError: a matrix has another number of columns, or entries that are no counts; or a
                corpus has none of the words.
        """
        n_words = len(self.vocabulary_)
        if isinstance(X, Corpus):
            if X.vocabulary == self.vocabulary_:
                return X.counts
            return self._aligned(X)
        counts = canonical_counts(X)
        if counts.shape[1] != n_words:
            raise CorpusError(
                f"The counts have {counts.shape[1]:,} columns, and the release {n_words:,} words",
                "Give a column for each word of the release, or documents.",
            )
        return counts

    def _aligned(self, corpus: Corpus) -> Counts:
        """Counts of a corpus over the words of the release; its other words are left out.

        Words of the release that the corpus does not have get a column without entries.

        Raises:
            CorpusError: it has none of these words.
        """
        column_by_word = {
            word: corpus_column for corpus_column, word in enumerate(corpus.vocabulary)
        }
        known_columns = [
            word_column
            for word_column, word in enumerate(self.vocabulary_)
            if word in column_by_word
        ]
        if not known_columns:
            raise CorpusError(
                "The documents have no word of the release", "Read them with ReleasedModel.read."
            )
        corpus_columns = [
            column_by_word[self.vocabulary_[word_column]] for word_column in known_columns
        ]
        n_words = len(self.vocabulary_)
        column_selector = csr_array(
            (
                np.ones(len(known_columns), dtype=np.int64),
                (np.arange(len(known_columns)), known_columns),
            ),
            shape=(len(known_columns), n_words),
        )
        aligned_counts: Counts = csr_array(corpus.counts[:, corpus_columns] @ column_selector)
        aligned_counts.sort_indices()
        return aligned_counts


def open_release(path: str | PathLike[str]) -> ReleasedModel:
    """Open a released file as a model.

    Args:
        path: of a file that ``dplda release`` or the page Release wrote.

    Raises:
        ReadError: it is no such file, damaged, or promises more than its noise keeps.
        InputError: it has no topics, or ``path`` is no path.

    Example:
        >>> import dplda
        >>> model = dplda.open_release("mail.dplda.json")  # doctest: +SKIP
        >>> model.guarantee_.in_words()  # doctest: +SKIP
    """
    unchecked_path: object = path
    if not isinstance(unchecked_path, str | PathLike):
        type_phrase = f"a value of type {type(unchecked_path).__name__}"
        raise InputError("path", "the path of a released file", type_phrase)
    artefact = read_release_file(Path(path))
    if not np.size(artefact.topics):
        raise InputError("the release", "one with topics", "one without")
    return ReleasedModel(artefact)
