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
    experiment_options,
    leave_out,
    named_path,
    progress,
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
from dplda.figures.topics.lanes import fitted_lane
from dplda.methods.base.method import FitResult
from dplda.methods.base.method_description import MethodDescription
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.prior_mixtures import require_known_words
from dplda.methods.registry import private_methods
from dplda.release.artefact.topic_tables import topics_csv, topics_json
from dplda.release.report.page import render_report
from dplda.release.report.released import report_contents


def fit(
    documents: Path,
    out: Path,
    label: str | None,
    reading: partial[StoredCorpus],
    experiment: Experiment,
    engine: str,
    scheduler: str | None,
    memory_limit: float | None,
    folder: Path | None,
) -> int:
    """Find topics of public documents, write them as a table or a page, and print the guarantee.

    Args:
        documents: a file or folder of documents, or a folder of counts.
        out: file to write; its ending says whether it is a table (.json, .csv) or a page (.html).
        label: ``public`` or ``sensitive``; None for a folder of counts, which has its own.
        reading: reads the documents into a folder of counts.
        experiment: method, problem, budget and seed.
        engine: what adds up documents: serial, threads, joblib or dask.
        scheduler: address of a Dask scheduler; None for workers on this machine.
        memory_limit: memory of the fit, in GB; None for what is free.
        folder: keeps the counts; None for a temporary folder.

    Returns:
        0.

    Raises:
        InputError: options do not go together, or the documents are sensitive.
        DpldaError: the prior knows no word of the documents, or the method refuses them.
    """
    check_engine(engine, scheduler)
    _check_options(experiment, out, engine, memory_limit)
    check_out(out, documents)
    with TemporaryDirectory(prefix="dplda-") as temporary_folder:
        counts_folder = Path(temporary_folder) if folder is None else folder
        corpus = _read_corpus(documents, counts_folder, label, reading)
        prior_source = experiment.method.prior
        if prior_source is not None:
            prior_table = prior_from_source(prior_source, experiment.problem.n_topics)
            require_known_words(prior_table, corpus.vocabulary)
        memory_bytes = None if memory_limit is None else memory_limit * 1e9
        runtime = Runtime(report=progress(), memory_bytes=memory_bytes)
        with computing_with(engine, scheduler):
            result = fit_experiment(experiment, corpus, runtime)
        write(out, _file_content(result, experiment, corpus, out))
    print(_summary(result, experiment, corpus))
    return 0


def _read_corpus(
    documents: Path, folder: Path, label: str | None, reading: partial[StoredCorpus]
) -> StoredCorpus:
    """Read the documents into a folder of counts, or open them if they are such a folder.

    Prints remarks on documents that were read.

    Raises:
        InputError: they are sensitive, have no label, or an option does not apply to them.
    """
    if os.path.isfile(documents / HEADER):
        leave_out("for a folder of counts", "label", "folder", *READING)
        corpus = StoredCorpus.open(documents)
    elif label is None:
        raise InputError("--label", "given, public or sensitive", "nothing")
    else:
        _refuse_sensitive(Label(label))
        if reading.keywords["vocabulary"] is not None:
            leave_out("with --words", "n_words")
        corpus = reading(folder, documents, label=Label(label), report=progress())
        say_remarks(corpus.intake)
    _refuse_sensitive(corpus.label)
    return corpus


def _file_content(
    result: FitResult, experiment: Experiment, corpus: StoredCorpus, out: Path
) -> str:
    """Render the topics as the file's ending says: .html as a page, .csv as a table, else JSON."""
    if out.suffix.lower() == ".html":
        contents = report_contents(
            result,
            experiment,
            vocabulary=corpus.vocabulary,
            documents=corpus.name,
            n_documents=corpus.n_documents,
        )
        return render_report(contents)
    method = experiment.registered_method
    topic_column = fitted_lane(
        method.title,
        result.topics,
        result.topics.words,
        shows_overlap=method.needs_epsilon,
    )
    if out.suffix.lower() == ".csv":
        return topics_csv(topic_column, corpus.vocabulary)
    return topics_json(topic_column, corpus.vocabulary, result.guarantee.in_words())


def _summary(result: FitResult, experiment: Experiment, corpus: StoredCorpus) -> str:
    """Describe the number of documents and words, and the guarantee.

    A sentence between them says if fewer topics were found than asked for, of a method with noise
    or, without noise, of one that whitens.
    """
    n_found = result.topics.resolved
    n_topics = experiment.problem.n_topics
    sentences = [f"{corpus.n_documents:,} documents, vocabulary of {corpus.n_words:,} words."]
    has_noise = experiment.registered_method.needs_epsilon
    if n_found < n_topics and has_noise:
        sentences.append(
            f"{n_found} of the {n_topics} directions you asked for rise above the noise."
        )
    elif n_found < n_topics and result.curator.whitening is not None:
        sentences.append(
            f"The documents show only {n_found} of the {n_topics} directions you asked for."
        )
    return " ".join((*sentences, result.guarantee.in_words()))


def _check_options(
    experiment: Experiment, out: Path, engine: str, memory_limit: float | None
) -> None:
    """Refuse options that do not go together.

    Raises:
        InputError: ε does not fit the method, the memory limit is not positive, the file has an
            unknown ending, a page is asked of a method without noise, or the method cannot use the
            engine or a memory limit.
    """
    method = experiment.registered_method
    _check_epsilon(method, has_epsilon=experiment.budget.epsilon != math.inf)
    if memory_limit is not None:
        checks.positive("--memory-limit", memory_limit)
    ending = out.suffix.lower()
    if ending not in (".json", ".csv", ".html"):
        raise InputError("--out", "a file that ends in .json, .csv or .html", "another one")
    if ending == ".html" and not method.needs_epsilon:
        fix = "End it in .json or .csv."
        raise InputError("--out", "a table, for a method without noise", "a report", fix)
    is_out_of_core = engine != "threads" or memory_limit is not None
    if is_out_of_core and not method.supports_out_of_core:
        requirement = (
            "threads, without --memory-limit, for a method that reads its documents many times"
        )
        fix = "Choose refined, a configuration, or unnoised."
        raise InputError("--engine", requirement, engine, fix)


def _check_epsilon(method: MethodDescription, *, has_epsilon: bool) -> None:
    """Refuse a method with noise without ε, and ε for a method without noise.

    Raises:
        InputError: ε is missing, or given for a method without noise.
    """
    if method.needs_epsilon and not has_epsilon:
        raise InputError("--epsilon", "given for a method with noise", "nothing")
    if has_epsilon and not method.needs_epsilon:
        private_name = private_methods()[0].name
        fix = f"Choose one with noise, --method {private_name}, or leave out --epsilon."
        requirement = f"left out for {method.title}, which adds no noise"
        raise InputError("--epsilon", requirement, "a number", fix)


def _refuse_sensitive(label: Label) -> None:
    """Refuse sensitive documents, because the noise of a fit is simulated."""
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
    experiment_options("unnoised"),
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
