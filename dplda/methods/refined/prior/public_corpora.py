"""Tables of public knowledge from public corpora, by fits without noise."""

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from scipy.sparse import csr_array, vstack

from dplda.core.errors import InputError
from dplda.core.types import Counts
from dplda.corpus.corpus import Corpus, Label
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.refined.plan.constants import (
    MAX_PART_DOCUMENTS,
    N_PRIOR_PASSES,
    N_PRIOR_STARTS,
    PRIOR_PSEUDOCOUNT,
)
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.spectral.topics import Topics


@lru_cache(maxsize=4)
def prior_from_corpus(
    corpus: Corpus, n_topics: int, words: tuple[str, ...], n_starts: int = N_PRIOR_STARTS
) -> TopicPrior:
    r"""Make a table from a public corpus, by the best of some fits without noise.

    Ratios are :math:`(E_{iw} + κ)/(n_i u_w + κ)` with expected counts E.
    Topic i has size :math:`n_i` in words, and :math:`u_w` is a word's frequency in all documents.
    The table knows the shared words only. Fits have the seeds 0, 1, …, so a table can be repeated.

    Args:
        corpus: the public documents.
        words: words of the protected documents. Topics are fitted to the public documents' use of
            them: tables are some 4 % better than with all words.
        n_starts: fits, of which the one counts that predicts half of each public document best.

    Raises:
        InputError: the corpus is not public, or shares fewer words than there are topics.
    """
    shared_corpus = _restrict_to_words(corpus, n_topics, frozenset(words))
    word_counts = np.asarray(shared_corpus.counts.sum(axis=0), dtype=float).ravel()
    total_count = float(np.sum(word_counts))
    word_frequencies = word_counts / total_count
    equal_topics = Topics.without_spectrum(
        np.tile(word_frequencies, (n_topics, 1)), np.ones(n_topics), word_frequencies
    )
    no_start = replace(equal_topics, resolved=0)

    def perplexity(topics: Topics) -> float:
        """Perplexity of one half of each public document, given the other."""
        return completion_perplexity(
            topics.words,
            topics.alpha,
            test=shared_corpus.counts,
            mean_words=topics.mean_words,
            seed=0,
        )

    fit = partial(fit_noiseless, shared_corpus, no_start, alpha0=1.0, n_passes=N_PRIOR_PASSES)
    best_topics = min((fit(seed=seed) for seed in range(n_starts)), key=perplexity)
    topic_sizes = total_count * best_topics.alpha[:, None] / np.sum(best_topics.alpha)
    smoothed_topic_counts = topic_sizes * best_topics.words + PRIOR_PSEUDOCOUNT
    smoothed_background_counts = topic_sizes * word_counts / total_count + PRIOR_PSEUDOCOUNT
    return TopicPrior(
        corpus.name,
        f"{corpus.name}, {corpus.n_documents:,} documents",
        shared_corpus.vocabulary,
        smoothed_topic_counts / smoothed_background_counts,
    )


@lru_cache(maxsize=4)
def prior_from_corpora(
    corpora: tuple[Corpus, ...], n_topics: int, words: tuple[str, ...]
) -> TopicPrior:
    """Make a prior from public corpora, with the same number of documents from each.

    That number is the size of the largest corpus, at most ``MAX_PART_DOCUMENTS``.
    A smaller corpus is repeated, and a larger one is thinned evenly.
    Words of the corpora that are not in ``words`` are left out.
    The table's source names the corpora, with their sizes; of several it says *equal parts of*.

    Raises:
        InputError: a corpus is marked sensitive, or shares fewer words than there are topics.
    """
    part_corpora = [_restrict_to_words(corpus, n_topics, frozenset(words)) for corpus in corpora]
    vocabulary = tuple(
        dict.fromkeys(word for part_corpus in part_corpora for word in part_corpus.vocabulary)
    )
    n_documents_of_each = min(
        MAX_PART_DOCUMENTS, max(part_corpus.n_documents for part_corpus in part_corpora)
    )
    count_blocks = [
        _counts_of_part(part_corpus, vocabulary, n_documents_of_each)
        for part_corpus in part_corpora
    ]
    joined_corpus = Corpus.from_counts(
        vstack(count_blocks, format="csr"),
        vocabulary=vocabulary,
        label=Label.PUBLIC,
        name=" + ".join(corpus.name for corpus in corpora),
    )
    prior = prior_from_corpus(joined_corpus, n_topics, words)
    sizes_text = ", ".join(
        f"{corpus.name} ({corpus.n_documents:,} documents)" for corpus in corpora
    )
    return replace(prior, source=f"equal parts of {sizes_text}" if len(corpora) > 1 else sizes_text)


def _counts_of_part(corpus: Corpus, vocabulary: tuple[str, ...], n_documents: int) -> Counts:
    """Counts of so many documents of a corpus over another vocabulary, (n_documents, d).

    The vocabulary has to have all words of the corpus.
    More documents are thinned evenly, fewer are repeated from the first on.
    """
    column_of_word = {word: column for column, word in enumerate(vocabulary)}
    new_columns = np.array([column_of_word[word] for word in corpus.vocabulary])
    if corpus.n_documents > n_documents:
        document_rows = np.linspace(0, corpus.n_documents - 1, n_documents).astype(int)
    else:
        document_rows = np.resize(np.arange(corpus.n_documents), n_documents)
    part_counts = corpus.counts[document_rows].tocoo()
    return csr_array(
        (part_counts.data, (part_counts.row, new_columns[part_counts.col])),
        shape=(n_documents, len(vocabulary)),
    )


def _restrict_to_words(corpus: Corpus, n_topics: int, words: frozenset[str]) -> Corpus:
    """Restrict the public corpus to the words that it shares with the protected documents.

    The result is marked public, also that of a simulated corpus. All documents stay, even empty.

    Raises:
        InputError: it is marked sensitive, or shares fewer words than there are topics.
    """
    if corpus.label is Label.SENSITIVE:
        raise InputError("prior", "a public corpus", "one marked sensitive")
    shared_columns = [column for column, word in enumerate(corpus.vocabulary) if word in words]
    if len(shared_columns) < n_topics:
        raise InputError(
            "prior",
            f"a corpus that shares at least {n_topics} words",
            f"{len(shared_columns)} shared words",
        )
    return Corpus.from_counts(
        corpus.counts[:, shared_columns],
        vocabulary=tuple(corpus.vocabulary[column] for column in shared_columns),
        label=Label.PUBLIC,
        name=corpus.name,
    )
