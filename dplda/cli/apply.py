"""``dplda apply``: topic shares of new documents, by the topics of a released file."""

import csv
import io
import sys
from functools import partial
from pathlib import Path

from click import Argument, Option

from dplda.cli.options import DOCUMENTS, Command, check_out, leave_out, named_path
from dplda.cli.reading_options import reading, say_remarks
from dplda.core.formatting import harmless
from dplda.core.safe_open import write
from dplda.corpus import Corpus, Label, load
from dplda.corpus.words.tokenisation import released_list
from dplda.release.reuse.released_model import NOT_PROTECTED, open_release


def apply(previous: Path, documents: Path, reading: partial[Corpus], out: Path) -> int:
    """Write the topic shares of new documents as a table.

    Words that the released file lacks do not count. A warning says that the table is not protected.

    Args:
        previous: the released file with the topics.
        documents: a file or folder of new documents.
        reading: reads the documents.
        out: the CSV file to write: one row per document, with its number from 1, and one column per
            topic.

    Returns:
        0.

    Raises:
        DpldaError: a file cannot be read or written, or an option does not apply.
    """
    check_out(out, documents)
    leave_out("because the released file has the words", "vocabulary")
    model = open_release(previous)
    released_words = released_list(model.vocabulary_, reading.keywords["tokenisation"])
    corpus = reading(documents, label=Label.SENSITIVE, vocabulary=released_words, former=False)
    say_remarks(corpus.intake)
    csv_file = io.StringIO()
    writer = csv.writer(csv_file, lineterminator="\n")
    writer.writerow(("document", *(harmless(name) for name in model.names_)))
    for document_number, topic_shares in enumerate(model.transform(corpus), start=1):
        writer.writerow((document_number, *(f"{share:.4f}" for share in topic_shares)))
    write(out, csv_file.getvalue().encode())
    print(f"{out.name}: shares of {len(model.names_)} topics in {corpus.n_documents:,} documents.")
    print(f"dplda: {NOT_PROTECTED}", file=sys.stderr)
    return 0


COMMAND = Command(
    "apply",
    apply,
    Argument(["previous"], type=named_path, metavar="RELEASE"),
    DOCUMENTS,
    reading(partial(load, n_words=None)),
    Option(["--out"], type=named_path, required=True, help="the table to write, shares.csv say"),
)
