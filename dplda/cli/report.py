"""``dplda report``: documents, or a released file, in; the report of a private run out."""

import math
from pathlib import Path

from click import Option

from dplda.cli.options import DOCUMENTS, LABEL, Command, settings
from dplda.cli.reading_options import READING, ReadOptions
from dplda.core.errors import InputError
from dplda.core.safe_open import check_writable, write
from dplda.corpus import Label
from dplda.experiments.settings import Settings
from dplda.methods.resources import Resources
from dplda.release.released_file import SUFFIX, read_file
from dplda.release.report.page import page
from dplda.release.report.released import released, released_from


def report(documents: Path, out: Path, label: str | None, reading: ReadOptions, settings: Settings) -> int:
    """Write the report of a fit or of a stored release; a sentence on it goes to standard output.

    Raises:
        DpldaError: sensitive documents, and whatever reading, fitting and writing refuse.
    """
    if documents.name.endswith(SUFFIX):
        stored = released_from(read_file(documents))
        write(out, page(stored))
        print(f"{out.name}: {stored.guarantee.in_words()}")
        return 0
    for name, missing in (("--label", label is None), ("--epsilon", math.isinf(settings.budget.epsilon))):
        if missing:
            raise InputError(name, "given for a report of documents", "nothing")
    if label == Label.SENSITIVE:
        fix = "Noise here is simulated. Topics of sensitive documents leave by dplda release."
        raise InputError("documents", "public for a report", "sensitive", fix)
    check_writable(out)
    corpus = reading.load(documents, label=Label.PUBLIC)
    run = settings.method.fit(corpus, settings.problem, settings.budget, Resources(settings.seed))
    facts = released(run, settings, vocabulary=corpus.vocabulary, documents=corpus.name, n_documents=corpus.n_documents)
    write(out, page(facts))
    print(f"{corpus.n_documents:,} documents, {corpus.n_words:,} words. {run.guarantee.in_words()}")
    return 0


OUT = Option(["--out"], type=Path, required=True, help="the page to write, report.html say")
COMMAND = Command("report", report, DOCUMENTS, OUT, LABEL, READING, settings("refined"))
