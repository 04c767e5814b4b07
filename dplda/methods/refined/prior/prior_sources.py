"""Sources of public knowledge: a public corpus, seed words, a file, or the shipped table."""

import csv
import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from dplda.core import assets, checks
from dplda.core.errors import InputError
from dplda.core.safe_open import file_name, text_of
from dplda.core.types import Matrix
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.words.vocabulary import english_words
from dplda.evaluation.perplexity import completion_perplexity
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.refined.plan.constants import (
    INITIAL_PRIOR_POWER,
    LOG_RATIO_STEP,
    MAX_PART_DOCUMENTS,
    MAX_PRIOR_RATIO,
    N_PRIOR_PASSES,
    N_PRIOR_STARTS,
    PRIOR_PSEUDOCOUNT,
    SEED_RATIO,
)
from dplda.methods.refined.prior.topic_prior import PriorTilt, TopicPrior, describe_assumption
from dplda.spectral.topics import Topics, match

ENGLISH_TABLES = assets.folder() / "priors" / "english.npz"
ENGLISH_TOPICS = (*range(2, 21), 30, 40, 50)
ENGLISH_SOURCE = "first paragraphs of 25,831 articles of the English Wikipedia, 2015"
SEEDS_SOURCE = "words typed by the owner"
FILE_SOURCE = "a file that belongs to the owner"


class PriorKind(StrEnum):
    """Kind of public knowledge that an owner gives."""

    ENGLISH = "English"
    SEEDS = "Seed words"
    FILE = "A table"


SOURCES = {
    PriorKind.ENGLISH: ENGLISH_SOURCE,
    PriorKind.SEEDS: SEEDS_SOURCE,
    PriorKind.FILE: FILE_SOURCE,
}


@dataclass(frozen=True, slots=True)
class PriorSource:
    """Public knowledge as its owner gives it: any number of topics may be asked for later.

    Attributes:
        kind: kind of public knowledge.
        content: seed words, one line a topic (``space: orbit, nasa``), or a CSV table; empty for
            English.
        name: as a guarantee calls it; empty for that of its kind.
    """

    kind: PriorKind = PriorKind.ENGLISH
    content: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """Name of the table in a guarantee."""
        default_title = "seed words" if self.kind is PriorKind.SEEDS else str(self.kind)
        return self.name or default_title

    @property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal: for a file in UTF-8, that of the file."""
        content = self.content.encode()
        if self.kind is PriorKind.ENGLISH:
            content = ENGLISH_TABLES.read_bytes()
        return hashlib.sha256(content).hexdigest()

    @property
    def assumption(self) -> str:
        """Assumption of a guarantee with this table, whatever the number of topics, a sentence."""
        return describe_assumption(self.title, self.digest, SOURCES[self.kind])

    @lru_cache(maxsize=8)  # noqa: B019 - equal tables are one
    def load_prior(self, n_topics: int) -> TopicPrior:
        """The table for k topics."""
        if self.kind is PriorKind.ENGLISH:
            return load_english_prior(n_topics)
        self._check_content()
        parse_content = prior_from_csv if self.kind is PriorKind.FILE else _prior_from_lines
        prior = parse_content(self.content, n_topics)
        return replace(prior, name=self.title, file_sha256=self.digest)

    def _check_content(self) -> None:
        """Refuse content that is empty, or was not UTF-8: it has a replacement character."""
        is_empty = not self.content.strip()
        if is_empty and self.kind is PriorKind.FILE and self.name:
            raise InputError(
                self.name,
                "a table of words",
                "an empty file",
                "Choose a CSV file with a column called word.",
            )
        if is_empty:
            raise InputError(
                "public knowledge",
                "typed or chosen",
                "none yet",
                "Type seed words, or choose a table.",
            )
        if "\ufffd" in self.content:
            raise InputError(
                self.title,
                "a CSV file in UTF-8",
                "another kind of file, or another encoding",
                "Save the table as CSV, in UTF-8.",
            )


def source_from_file(path: str | Path) -> PriorSource:
    """The source that a path names.

    A file whose name ends in ``.csv`` is a table, another one has lines of seed words; ``english``
    is the shipped table.
    """
    if path == "english":
        return PriorSource()
    kind = PriorKind.FILE if str(path).lower().endswith(".csv") else PriorKind.SEEDS
    return PriorSource(kind, text_of(path), file_name(path))


OnePriorLike: TypeAlias = TopicPrior | Corpus | Mapping[str, Sequence[str]] | Path | str
"""A table as it is, a public corpus, seed words by theme, a file of a table or of seed words, or
``"english"``."""
PriorLike: TypeAlias = OnePriorLike | list[OnePriorLike] | tuple[OnePriorLike, ...]
"""One source of public knowledge, or several, which are mixed in equal parts."""


def make_prior(source: PriorLike, n_topics: int, words: tuple[str, ...]) -> TopicPrior:
    """Make the table of public knowledge for k topics.

    Args:
        source: public knowledge in any form.
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
        prior = source_from_file(source).load_prior(n_topics)
    else:
        raise InputError(
            "prior",
            "“english”, a public corpus, seed words by theme, a Path, a table, or a list of these",
            "another value",
        )
    return require_known_words(prior, words)


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
    orders = [match(topics_of_tables[0], topics).tolist() for topics in topics_of_tables[1:]]
    aligned_tables = [
        tables[0],
        *(table[order] for table, order in zip(tables[1:], orders, strict=True)),
    ]
    return TopicPrior(
        name=" + ".join(prior.name for prior in priors),
        source=f"equal parts of {'; '.join(dict.fromkeys(prior.source for prior in priors))}",
        words=words,
        ratios=np.mean(aligned_tables, axis=0),
    )


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
    mixture = mix_priors([source.load_prior(n_topics) for source in sources])
    return PriorSource(PriorKind.FILE, prior_to_csv(mixture), mixture.name)


def prior_to_csv(prior: TopicPrior) -> str:
    """A table as CSV that ``prior_from_csv`` reads, to the last bit."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["word", *range(1, len(prior.ratios) + 1)])
    for word, ratios in zip(prior.words, prior.ratios.T.tolist(), strict=True):
        writer.writerow([word, *map(repr, ratios)])
    return text.getvalue()


def _mix_sources(
    sources: Sequence[OnePriorLike], n_topics: int, words: tuple[str, ...]
) -> TopicPrior:
    """The mixture of several sources; public corpora are read as one collection."""
    corpora = tuple(source for source in sources if isinstance(source, Corpus))
    other_sources = [source for source in sources if not isinstance(source, Corpus)]
    priors = [make_prior(source, n_topics, words) for source in other_sources]
    if corpora:
        joined_prior = _prior_from_corpora(corpora, n_topics, words)
        priors += [joined_prior] * len(corpora)  # every corpus is a part of the mixture
    mixture = mix_priors(priors)
    return replace(mixture, name=" + ".join(dict.fromkeys(prior.name for prior in priors)))


@lru_cache(maxsize=4)
def _prior_from_corpora(
    corpora: tuple[Corpus, ...], n_topics: int, words: tuple[str, ...]
) -> TopicPrior:
    """A table from public corpora in equal parts: as many documents of each.

    A smaller corpus is repeated, and one of more than ``MAX_PART_DOCUMENTS`` is thinned evenly.
    """
    part_corpora = [_restrict_to_words(corpus, n_topics, frozenset(words)) for corpus in corpora]
    vocabulary = tuple(
        dict.fromkeys(word for part_corpus in part_corpora for word in part_corpus.vocabulary)
    )
    columns = {word: column for column, word in enumerate(vocabulary)}
    n_documents_of_each = min(
        MAX_PART_DOCUMENTS, max(part_corpus.n_documents for part_corpus in part_corpora)
    )
    blocks = []
    for part_corpus in part_corpora:
        places = np.array([columns[word] for word in part_corpus.vocabulary])
        if part_corpus.n_documents > n_documents_of_each:
            rows = np.linspace(0, part_corpus.n_documents - 1, n_documents_of_each).astype(int)
        else:
            rows = np.resize(np.arange(part_corpus.n_documents), n_documents_of_each)
        counts = part_corpus.counts[rows].tocoo()
        shape = (n_documents_of_each, len(vocabulary))
        blocks.append(csr_array((counts.data, (counts.row, places[counts.col])), shape=shape))
    joined_corpus = Corpus.from_counts(
        vstack(blocks, format="csr"),
        vocabulary=vocabulary,
        label=Label.PUBLIC,
        name=" + ".join(corpus.name for corpus in corpora),
    )
    prior = prior_from_corpus(joined_corpus, n_topics, words)
    sizes = ", ".join(f"{corpus.name} ({corpus.n_documents:,} documents)" for corpus in corpora)
    return replace(prior, source=f"equal parts of {sizes}" if len(corpora) > 1 else sizes)


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


@lru_cache(maxsize=4)
def prior_from_corpus(
    corpus: Corpus, n_topics: int, words: tuple[str, ...], n_starts: int = N_PRIOR_STARTS
) -> TopicPrior:
    r"""Make a table from a public corpus, by the best of some fits without noise.

    Ratios are :math:`(E_{iw} + κ)/(n_i u_w + κ)` with expected counts E.

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
    topic_counts = topic_sizes * best_topics.words + PRIOR_PSEUDOCOUNT
    expected_counts = topic_sizes * word_counts / total_count + PRIOR_PSEUDOCOUNT
    return TopicPrior(
        corpus.name,
        f"{corpus.name}, {corpus.n_documents:,} documents",
        shared_corpus.vocabulary,
        topic_counts / expected_counts,
    )


def _restrict_to_words(corpus: Corpus, n_topics: int, words: frozenset[str]) -> Corpus:
    """Restrict the public corpus to the words that it shares with the protected documents.

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


def prior_from_seed_words(themes: Mapping[str, Sequence[str]], n_topics: int) -> TopicPrior:
    """Make a table from words by theme; topics beyond the themes have no words of their own.

    A theme has its own words ``SEED_RATIO`` times as often as all topics together. Every topic has
    the words of other themes, as one beyond the themes has all of them, ``1/SEED_RATIO`` times as
    often.

    Raises:
        InputError: there are more themes than topics, no words, or no lists of words.
    """
    checks.integer_at_least("n_topics", n_topics, 2)
    if n_topics < len(themes):
        raise InputError(
            "the number of topics", f"at least {len(themes)}, one for each theme", str(n_topics)
        )
    if not all(_is_word_list(theme_words) for theme_words in themes.values()):
        raise InputError("prior", "a list of words for each theme", "another value")
    words = tuple(sorted({word for theme_words in themes.values() for word in theme_words}))
    if not words:
        raise InputError("prior", "at least one seed word", "none")
    ratios = np.full((n_topics, len(words)), 1 / SEED_RATIO)
    for topic_ratios, theme_words in zip(ratios, themes.values(), strict=False):
        topic_ratios[[words.index(word) for word in theme_words]] = SEED_RATIO
    return TopicPrior("seed words", SEEDS_SOURCE, words, ratios)


def _is_word_list(value: object) -> bool:
    """Whether a value is a list of texts, and not one text."""
    if isinstance(value, str) or not isinstance(value, Collection):
        return False
    return all(isinstance(word, str) for word in value)


def _prior_from_lines(content: str, n_topics: int) -> TopicPrior:
    """Make a table from seed words by theme, in lines such as ``space: orbit, nasa``.

    Empty lines are passed over, and lines of one theme are put together.

    Raises:
        InputError: a line is of another form.
    """
    themes: dict[str, list[str]] = {}
    for line_number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        theme, colon, word_list = line.partition(":")
        theme_words = word_list.lower().replace(",", " ").split()
        if not colon or not theme_words:
            raise InputError(
                f"line {line_number} of the seed words",
                "like “space: orbit, nasa”",
                "another line",
            )
        themes.setdefault(theme.strip(), []).extend(theme_words)
    return prior_from_seed_words(themes, n_topics)


def prior_from_csv(content: str, n_topics: int, *, name: str = "table") -> TopicPrior:
    """Read a table from CSV with a column called ``word`` and one of ratios for each topic.

    Empty rows are passed over.

    Args:
        content: of the file.
        name: of the table.

    Raises:
        InputError: a row is not a word and k ratios, a word is there twice, a ratio is no number
            within limits, or the first row does not begin with ``word``. Names the line.
    """
    reader = csv.reader(io.StringIO(content, newline=None))
    ratios_of_word: dict[str, list[float]] = {}
    try:
        header = next(reader, [])
        for word, *cells in filter(None, reader):
            ratios = [float(cell) for cell, _ in zip(cells, range(n_topics), strict=True)]
            is_new_word = bool(word.strip()) and word.strip() not in ratios_of_word
            if not is_new_word or not all(map(_is_within_limits, ratios)):
                raise ValueError
            ratios_of_word[word.strip()] = ratios
    except (ValueError, csv.Error):
        expected_line = (
            f"a new word and {n_topics} ratios from {1 / MAX_PRIOR_RATIO:g} to"
            f" {MAX_PRIOR_RATIO:g}, such as rain,2.5,0.8"
        )
        wrong_line = f"line {reader.line_num} of the table"
        raise InputError(wrong_line, expected_line, "another line") from None
    if "".join(header[:1]).strip().lower() != "word":
        raise InputError(
            "the table's first row", "names of columns, “word” before all others", "another row"
        )
    all_ratios = np.array(list(ratios_of_word.values())).T
    return TopicPrior(name, FILE_SOURCE, tuple(ratios_of_word), all_ratios)


def _is_within_limits(ratio: float) -> bool:
    return 1 / MAX_PRIOR_RATIO <= ratio <= MAX_PRIOR_RATIO


def load_english_prior(n_topics: int) -> TopicPrior:
    """Load the shipped table: topics of Wikipedia's leads over the public list of English words.

    Raises:
        InputError: no table has so many topics; the error names the nearest.
    """
    if n_topics not in ENGLISH_TOPICS:
        nearest_n_topics = min(ENGLISH_TOPICS, key=lambda k: abs(k - n_topics))
        known_numbers = "2 to 20, 30, 40 or 50 with the English table"
        raise InputError(
            "the number of topics", known_numbers, str(n_topics), f"Ask for {nearest_n_topics}."
        )
    with np.load(ENGLISH_TABLES) as tables:
        ratios: Matrix = np.exp(tables[f"k{n_topics}"].astype(float) * LOG_RATIO_STEP)
    return TopicPrior("English", ENGLISH_SOURCE, english_words(), ratios, PriorSource().digest)
