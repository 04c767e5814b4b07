"""``dplda report``: documents in, the report of a private run out."""

from pathlib import Path

from dplda.cli.reading_options import ReadOptions
from dplda.core.errors import InputError
from dplda.core.safe_open import check_writable, write
from dplda.corpus import Corpus, Label
from dplda.experiments.settings import Settings
from dplda.methods.method import Resources
from dplda.release.released_file import read_file
from dplda.release.report.page import page
from dplda.release.report.released import released, released_from


def report(
    documents: Path,
    out: Path,
    *,
    label: Label,
    settings: Settings,
    reading: ReadOptions,
) -> int:
    """Fit topics to a file and write their report; a sentence on it goes to standard output.

    Args:
        documents: a file that ``dplda.load`` reads.

    Returns:
        0.

    Raises:
        DpldaError: sensitive documents, and whatever reading, fitting and writing refuse.
    """
    if label is Label.SENSITIVE:
        fix = "Noise here is simulated. Topics of sensitive documents leave by dplda release."
        raise InputError("documents", "public for a report", "sensitive", fix)
    check_writable(out)
    corpus = reading.load(documents, label=label)
    run = settings.method.fit(corpus, settings, Resources())
    facts = released(run, settings, vocabulary=corpus.vocabulary, documents=corpus.name, n_documents=corpus.n_documents)
    write(out, page(facts))
    print(f"{_size(corpus)}. {run.guarantee.in_words()}")
    return 0


def released_report(file: Path, out: Path) -> int:
    """The report of a stored release; a sentence on it goes to standard output.

    Raises:
        DpldaError: whatever reading and writing refuse.
    """
    run = released_from(read_file(file))
    write(out, page(run))
    print(f"{out.name}: {run.guarantee.in_words()}")
    return 0


def _size(corpus: Corpus) -> str:
    return f"{corpus.n_documents:,} documents, {corpus.n_words:,} words"
