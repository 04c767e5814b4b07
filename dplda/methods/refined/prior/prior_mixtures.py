"""One table of public knowledge from any form of it, or from several in equal parts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.corpus import Corpus
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.plan.constants import INITIAL_PRIOR_POWER
from dplda.methods.refined.prior.prior_files import (
    prior_from_seed_words,
    prior_from_source,
    prior_to_csv,
    source_from_file,
)
from dplda.methods.refined.prior.public_corpora import prior_from_corpora, prior_from_corpus
from dplda.methods.refined.prior.topic_prior import PriorTilt, TopicPrior
from dplda.spectral.topics import match

OnePriorLike: TypeAlias = TopicPrior | Corpus | Mapping[str, Sequence[str]] | Path | str
"""A table as it is, a public corpus, seed words by theme, a file of a table or of seed words, or
``"english"``."""
PriorLike: TypeAlias = OnePriorLike | list[OnePriorLike] | tuple[OnePriorLike, ...]
"""One source of public knowledge, or several, which are mixed in equal parts."""


def make_prior(source: PriorLike, n_topics: int, words: tuple[str, ...]) -> TopicPrior:
    """Make the table of public knowledge for k topics.

    Args:
        source: ``"english"``, a public corpus, seed words by theme, a file's ``Path``, a table, or
            a list of these; another text than ``"english"`` is refused, even if it is a path.
        n_topics: number of topics k.
        words: words of the documents, of which the table must know some.

    Raises:
        InputError: the source is of another form, is for another number of topics, or knows none
            of the words.
    """
    if isinstance(source, list | tuple):
        prior = _mix_sources(source, n_topics, words)
    elif isinstance(source, TopicPrior):
        checks.integer_between("n_topics", n_topics, len(source.ratios), len(source.ratios))
        prior = source
    elif isinstance(source, Corpus):
        prior = prior_from_corpus(source, n_topics, words)
    elif isinstance(source, Mapping):
        prior = prior_from_seed_words(source, n_topics)
    elif isinstance(source, Path) or (isinstance(source, str) and source == "english"):
        prior = prior_from_source(source_from_file(source), n_topics)
    else:
        raise InputError(
            "prior",
            "“english”, a public corpus, seed words by theme, a Path, a table, or a list of these",
            "another value",
        )
    return require_known_words(prior, words)


def require_known_words(table: TopicPrior, words: Sequence[str]) -> TopicPrior:
    """The table, refused where it knows none of these words.

    Raises:
        InputError: it knows none.
    """
    if set(table.words).isdisjoint(words):
        raise InputError(
            "public knowledge", "about words on the word list, written as they are there", "others"
        )
    return table


def mix_priors(priors: Sequence[TopicPrior]) -> TopicPrior:
    """Mix tables of public knowledge in equal parts, as one.

    Rows of every table are matched to those of the first that they are most like, and ratios are
    averaged. A word that a table lacks has the ratio 1 there.

    Args:
        priors: at least one, with as many topics each.

    Raises:
        InputError: there is none, or they have different numbers of topics.
    """
    if not priors:
        raise InputError("public knowledge", "at least one table", "none")
    numbers_of_topics = {len(prior.ratios) for prior in priors}
    if len(numbers_of_topics) > 1:
        numbers_text = " and ".join(map(str, sorted(numbers_of_topics)))
        raise InputError("tables that are mixed", "of one number of topics", numbers_text)
    words = tuple(dict.fromkeys(word for prior in priors for word in prior.words))
    tables = [prior.ratios_for(words) for prior in priors]
    equal_frequencies = np.full(len(words), 1 / len(words))
    topics_of_tables = [
        PriorTilt(ratios, INITIAL_PRIOR_POWER)(equal_frequencies) for ratios in tables
    ]
    topic_orders = [match(topics_of_tables[0], topics).tolist() for topics in topics_of_tables[1:]]
    aligned_tables = [
        tables[0],
        *(table[topic_order] for table, topic_order in zip(tables[1:], topic_orders, strict=True)),
    ]
    return TopicPrior(
        name=" + ".join(prior.name for prior in priors),
        source=f"equal parts of {'; '.join(dict.fromkeys(prior.source for prior in priors))}",
        words=words,
        ratios=np.mean(aligned_tables, axis=0),
    )


def _mix_sources(
    sources: Sequence[OnePriorLike], n_topics: int, words: tuple[str, ...]
) -> TopicPrior:
    """Mix the priors of several sources in equal parts.

    All corpora are read as one collection, which counts as one part for each of them.
    The name joins those of the parts, each once.

    Raises:
        InputError: the list is empty, or holds a list or a source that cannot be used.
    """
    if any(isinstance(source, list | tuple) for source in sources):
        raise InputError("prior", "a list of sources", "a list in the list")
    corpora = tuple(source for source in sources if isinstance(source, Corpus))
    other_sources = [source for source in sources if not isinstance(source, Corpus)]
    priors = [make_prior(source, n_topics, words) for source in other_sources]
    if corpora:
        joined_prior = prior_from_corpora(corpora, n_topics, words)
        priors += [joined_prior] * len(corpora)  # every corpus is a part of the mixture
    mixture = mix_priors(priors)
    return replace(mixture, name=" + ".join(dict.fromkeys(prior.name for prior in priors)))


def mix_prior_sources(sources: Sequence[PriorSource], n_topics: int) -> PriorSource:
    """Mix what an owner gives in equal parts, as one table of a file.

    Args:
        sources: at least one; a single one comes back as it is.
        n_topics: number of topics k.

    Raises:
        InputError: one of them has another number of topics, or is no table.
    """
    if len(sources) == 1:
        return sources[0]
    mixture = mix_priors([prior_from_source(source, n_topics) for source in sources])
    return PriorSource(PriorKind.FILE, prior_to_csv(mixture), mixture.name)
