"""``dplda fit``: topics of documents that need not fit in memory, as a table or as a report."""

import math
import os
from functools import partial
from pathlib import Path

from click import Option

from dplda.cli.options import DOCUMENTS, ENGINE, LABEL, Command, progress, settings
from dplda.cli.reading_options import N_WORDS, reading
from dplda.core.backends import computing_with
from dplda.core.errors import InputError
from dplda.core.safe_open import check_writable, write
from dplda.core.temporary import temporary_folder
from dplda.corpus import Label, StoredCorpus, load_to
from dplda.corpus.on_disk import HEADER
from dplda.experiments.settings import Settings
from dplda.figures.topics.lanes import lane
from dplda.methods.method import TopicResult
from dplda.methods.registry import default_method
from dplda.methods.resources import Resources
from dplda.release.report.page import page
from dplda.release.report.released import released
from dplda.release.topic_tables import topics_csv, topics_json


def fit(
    documents: Path,
    out: Path,
    label: str | None,
    reading: partial[StoredCorpus],
    settings: Settings,
    engine: str,
    scheduler: str | None,
    memory_limit: float | None,
    folder: Path | None,
) -> int:
    """Find topics and write them as a table or a page; progress goes to standard error, a sentence to standard output.

    Raises:
        DpldaError: sensitive documents, and whatever reading, fitting and writing refuse.
    """
    if settings.method.needs_epsilon and math.isinf(settings.budget.epsilon):
        raise InputError("--epsilon", "given for a method with noise", "nothing")
    if not settings.method.needs_epsilon and settings.budget.epsilon < math.inf:
        fix = f"Add one with noise, --method {default_method().name}, or leave out --epsilon."
        raise InputError("--epsilon", f"left out for {settings.method.title}, which adds no noise", "a number", fix)
    form = out.suffix.lower()
    if form not in (".json", ".csv", ".html"):
        raise InputError("--out", "a file that ends in .json, .csv or .html", "another one")
    if form == ".html" and not settings.method.needs_epsilon:
        raise InputError("--out", "a table, for a method without noise", "a report", "End it in .json or .csv.")
    check_writable(out)
    with temporary_folder() as temporary:
        if os.path.isfile(documents / HEADER):
            corpus = StoredCorpus.open(documents)
        elif label is None:
            raise InputError("--label", "given for documents that are read", "nothing")
        else:
            _refuse_sensitive(Label(label))
            where = temporary if folder is None else folder
            corpus = reading(where, documents, label=Label(label), report=progress())
        _refuse_sensitive(corpus.label)
        with computing_with(engine, scheduler):
            found = _found(corpus, settings, memory_limit, engine)
        said = found.guarantee.in_words()
        topics = found.topics
        shown = lane(settings.method.title, topics, topics.words, shows_overlap=settings.method.needs_epsilon)
        if form == ".html":
            count = corpus.n_documents
            facts = released(found, settings, vocabulary=corpus.vocabulary, documents=corpus.name, n_documents=count)
            table = page(facts)
        else:
            table = (
                topics_json(shown, corpus.vocabulary, said) if form == ".json" else topics_csv(shown, corpus.vocabulary)
            )
        write(out, table)
    size = f"{corpus.n_documents:,} documents, {corpus.n_words:,} words"
    k, rising = settings.problem.n_topics, topics.resolved
    beneath = ""
    if rising < k and settings.method.needs_epsilon:
        beneath = f" {rising} of the {k} directions asked for rise above the noise."
    elif rising < k and found.curator.whitening is not None:
        beneath = f" The documents show {rising} of the {k} directions asked for."
    print(f"{size}.{beneath} {said}")
    return 0


def _found(corpus: StoredCorpus, settings: Settings, memory: float | None, engine: str) -> TopicResult:
    if not settings.method.streams and (engine != "threads" or memory is not None):
        limit = "threads, without --memory-limit, for a method that meets its documents many times"
        raise InputError("--engine", limit, engine, "Take a configuration, or unnoised.")
    resources = Resources(settings.seed, report=progress(), memory=None if memory is None else memory * 1e9)
    return settings.method.fit(corpus, settings.problem, settings.budget, resources)


def _refuse_sensitive(label: Label) -> None:
    if label is Label.SENSITIVE:
        fix = "Noise here is simulated. Topics of sensitive documents leave by dplda release."
        raise InputError("documents", "public for a fit", "sensitive", fix)


COMMAND = Command(
    "fit",
    fit,
    DOCUMENTS,
    Option(["--out"], type=Path, required=True, help="topics.json, topics.csv, or report.html"),
    LABEL,
    reading(load_to, N_WORDS),
    settings("unnoised"),
    *ENGINE,
    Option(["--memory-limit"], type=float, metavar="GB", help="what the fit may take (default: what is free)"),
    Option(["--folder"], type=Path, help="where counts are kept, for workers elsewhere and for another fit"),
)
