"""``dplda fit``: topics of public documents, which need not fit in memory."""

import math
import os
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from click import Option

from dplda.cli.options import (
    DOCUMENTS,
    ENGINE,
    LABEL,
    Command,
    check_out,
    leave_out,
    named_path,
    progress,
    settings,
)
from dplda.cli.reading_options import N_WORDS, READING, reading, say_remarks
from dplda.core import checks
from dplda.core.backends import check_engine, computing_with
from dplda.core.errors import InputError
from dplda.core.safe_open import write
from dplda.corpus import Label, StoredCorpus, load_to
from dplda.corpus.on_disk import HEADER
from dplda.experiments.experiment import Experiment
from dplda.experiments.experiment import fit as fit_experiment
from dplda.figures.topics.lanes import lane
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior_sources import require_known_words
from dplda.methods.registry import private_methods
from dplda.release.artefact.topic_tables import topics_csv, topics_json
from dplda.release.report.page import render_report
from dplda.release.report.released import report_contents


def fit(
    documents: Path,
    out: Path,
    label: str | None,
    reading: partial[StoredCorpus],
    settings: Experiment,
    engine: str,
    scheduler: str | None,
    memory_limit: float | None,
    folder: Path | None,
) -> int:
    """Find topics, write them as a table or a page, and print the guarantee."""
    form = out.suffix.lower()
    check_engine(engine, scheduler)
    _check(settings, form, engine, memory_limit)
    check_out(out, documents)
    with TemporaryDirectory(prefix="dplda-") as temporary:
        if os.path.isfile(documents / HEADER):
            leave_out("for a folder of counts", "label", "folder", *READING)
            corpus = StoredCorpus.open(documents)
        elif label is None:
            raise InputError("--label", "given, public or sensitive", "nothing")
        else:
            _refuse_sensitive(Label(label))
            if reading.keywords["vocabulary"] is not None:
                leave_out("with --words", "n_words")
            where = temporary if folder is None else folder
            corpus = reading(where, documents, label=Label(label), report=progress())
            say_remarks(corpus.intake)
        _refuse_sensitive(corpus.label)
        if (table := settings.method.prior) is not None:
            require_known_words(table.load_prior(settings.problem.n_topics), corpus.vocabulary)
        with computing_with(engine, scheduler):
            runtime = Runtime(report=progress(), memory_bytes=memory_limit and memory_limit * 1e9)
            found = fit_experiment(settings, corpus, runtime)
        words, said = corpus.vocabulary, found.guarantee.in_words()
        if form == ".html":
            run = report_contents(
                found,
                settings,
                vocabulary=words,
                documents=corpus.name,
                n_documents=corpus.n_documents,
            )
            write(out, render_report(run))
        else:
            private = settings.registered_method.needs_epsilon
            shown = lane(
                settings.registered_method.title,
                found.topics,
                found.topics.words,
                shows_overlap=private,
            )
            write(
                out, topics_csv(shown, words) if form == ".csv" else topics_json(shown, words, said)
            )
    rising, k = found.topics.resolved, settings.problem.n_topics
    note = ""
    if rising < k and settings.registered_method.needs_epsilon:
        note = f" {rising} of the {k} directions you asked for rise above the noise."
    elif rising < k and found.curator.whitening is not None:
        note = f" The documents show only {rising} of the {k} directions you asked for."
    print(
        f"{corpus.n_documents:,} documents, vocabulary of {corpus.n_words:,} words.{note} {found.guarantee.in_words()}"
    )
    return 0


def _check(settings: Experiment, form: str, engine: str, memory: float | None) -> None:
    """Refuse options that do not go together."""
    method, private = settings.registered_method, settings.budget.epsilon != math.inf
    if method.needs_epsilon and not private:
        raise InputError("--epsilon", "given for a method with noise", "nothing")
    if private and not method.needs_epsilon:
        fix = (
            f"Choose one with noise, --method {private_methods()[0].name}, or leave out --epsilon."
        )
        raise InputError(
            "--epsilon", f"left out for {method.title}, which adds no noise", "a number", fix
        )
    if memory is not None:
        checks.positive("--memory-limit", memory)
    if form not in (".json", ".csv", ".html"):
        raise InputError("--out", "a file that ends in .json, .csv or .html", "another one")
    if form == ".html" and not method.needs_epsilon:
        raise InputError(
            "--out", "a table, for a method without noise", "a report", "End it in .json or .csv."
        )
    if not method.supports_out_of_core and (engine != "threads" or memory is not None):
        limit = "threads, without --memory-limit, for a method that reads its documents many times"
        raise InputError("--engine", limit, engine, "Choose refined, a configuration, or unnoised.")


def _refuse_sensitive(label: Label) -> None:
    if label is Label.SENSITIVE:
        fix = "Its noise is simulated. To publish topics of sensitive documents, use dplda release."
        raise InputError("documents", "public for a fit", "sensitive ones", fix)


COMMAND = Command(
    "fit",
    fit,
    DOCUMENTS,
    Option(
        ["--out"], type=named_path, required=True, help="topics.json, topics.csv, or report.html"
    ),
    LABEL,
    reading(load_to, N_WORDS),
    settings("unnoised"),
    *ENGINE,
    Option(
        ["--memory-limit"],
        type=float,
        metavar="GB",
        help="memory that the fit may use (default: what is free)",
    ),
    Option(
        ["--folder"],
        type=named_path,
        help="keep the word counts here, for other fits and for workers elsewhere",
    ),
)
