"""``dplda audit-topics``: attack a finished topic table of any package."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from click import Argument, Option

from dplda.attacks.topic_tables.audit import audit_topics
from dplda.attacks.topic_tables.description import describe_audit
from dplda.attacks.topic_tables.readers import read_topic_table
from dplda.attacks.topic_tables.table import TopicTable, make_topic_table
from dplda.cli.options import Command, leave_out, named_path
from dplda.cli.reading_options import reading, say_remarks
from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.core.formatting import counted
from dplda.core.safe_open import file_name
from dplda.corpus import Corpus, Label, load
from dplda.corpus.words.tokenisation import Tokenisation, released_list
from dplda.release.reuse.released_model import open_release

EXCEEDED = 1
NOT_RANDOM = 3
NOT_PROTECTED = "These numbers are about your documents, and nothing protects them."


def run_audit(
    table: Path,
    members: Path,
    others: Path,
    topic_words: Path | None,
    reading: partial[Corpus],
    epsilon: float | None,
    delta: float,
    confidence: float,
    seed: int,
) -> int:
    """Attack a topic table with documents that were in and others, and print what was found.

    A warning on the error stream says that what is printed is not protected.

    Args:
        table: the topics, in any of the formats of ``read_topic_table``, or a released file.
        members: documents that the table was made of.
        others: documents of the same kind that it was not made of.
        topic_words: words of an array's columns; None if the table names them.
        reading: reads documents.
        epsilon: ε that was claimed for the table; None for none.
        delta: δ of the bound.
        confidence: chance that the bound holds, at least.
        seed: of the division of the others and of pairs.

    Returns:
        0 if no claim is exceeded, 1 if the bound is above the claimed ε, and 3 if the documents
        were not divided at random, so that no bound is stated.

    Raises:
        DpldaError: a file cannot be read, or an option does not apply.
    """
    leave_out("because the table has the words", "vocabulary")
    checks.between("--confidence", confidence, 0, 1, open_ends=True)
    if epsilon is not None:
        checks.positive("--epsilon", epsilon)
    topic_table = _read_table(table, topic_words)
    tokenisation = reading.keywords["tokenisation"] or Tokenisation()
    released_words = released_list(topic_table.words, tokenisation)
    member_corpus = _read_documents(members, reading, released_words)
    other_corpus = _read_documents(others, reading, released_words)
    say_remarks(member_corpus.intake)
    say_remarks(other_corpus.intake)
    spelling = tokenisation.reading
    topics = topic_table.over(
        member_corpus.vocabulary, lambda word: spelling.cased(spelling.clean(word))
    )
    audit_result = audit_topics(
        topics, member_corpus, other_corpus, delta=delta, error=1 - confidence, seed=seed
    )
    n_topics, n_words = topics.shape
    n_table_words = len(topic_table.words)
    print(f"{counted(n_topics, 'topic')} over {n_words:,} of the table's {n_table_words:,} words.")
    print("\n".join(describe_audit(audit_result)))
    print(f"dplda: {NOT_PROTECTED}", file=sys.stderr)
    if not audit_result.are_alike:
        return NOT_RANDOM
    if epsilon is not None and audit_result.bound.epsilon > epsilon:
        print(f"That is more than the claimed ε = {epsilon:g}.")
        return EXCEEDED
    return 0


def _read_documents(documents: Path, reading: partial[Corpus], vocabulary: Sequence[str]) -> Corpus:
    """Read documents, which count as sensitive, and count these words alone."""
    return reading(documents, label=Label.SENSITIVE, vocabulary=vocabulary, former=False)


def _read_table(path: Path, words_path: Path | None) -> TopicTable:
    """Read a topic table, or, if a JSON file is none, the topics of a released file.

    Raises:
        ReadError: it is neither; says why it is no topic table.
        InputError: as for ``read_topic_table``.
    """
    try:
        return read_topic_table(path, words_path)
    except ReadError:
        if path.suffix.lower() != ".json":
            raise
        try:
            model = open_release(path)
        except ReadError:
            model = None
        if model is None:
            raise
        return make_topic_table(model.components_, model.vocabulary_, file_name(path))


COMMAND = Command(
    "audit-topics",
    run_audit,
    Argument(["table"], type=named_path),
    Option(
        ["--members"],
        type=named_path,
        required=True,
        metavar="FILE",
        help="documents that the table was made of, a file or a folder",
    ),
    Option(
        ["--others"],
        type=named_path,
        required=True,
        metavar="FILE",
        help="documents that it was not made of; the documents were divided at random before",
    ),
    Option(
        ["--topic-words"],
        type=named_path,
        metavar="FILE",
        help="words of the columns, where the table is an array without them",
    ),
    reading(partial(load, n_words=None)),
    Option(["--epsilon"], type=float, help="claimed ε; a larger bound ends with status 1"),
    Option(["--delta"], default=1e-7, help="δ of the bound on ε"),
    Option(["--confidence"], default=0.95, help="chance that the bound on ε holds, at least"),
    Option(["--seed"], default=0, help="seed of the division of the others, and of pairs"),
)
