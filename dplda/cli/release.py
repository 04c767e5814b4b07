"""``dplda release``: topics of sensitive documents, charged to the ledger."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from click import Option

from dplda.cli.options import (
    DOCUMENTS,
    ENGINE,
    Command,
    OptionGroup,
    check_out,
    experiment_options,
    leave_out,
    named_path,
    progress,
)
from dplda.cli.reading_options import PERSON, reading, say_remarks
from dplda.core.backends import check_engine, computing_with
from dplda.core.errors import DpldaError, InputError
from dplda.core.safe_open import write
from dplda.corpus import Corpus, Label, Selection, load
from dplda.corpus.words.tokenisation import fixed_list, released_list
from dplda.experiments.experiment import Experiment
from dplda.methods.base.problem import Problem
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release_file, write_release
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import DOCUMENT, Ledger
from dplda.release.ledger.ledger import PERSON as PERSON_UNIT
from dplda.release.verdict.outcome import judge_release
from dplda.release.verdict.remedies import find_remedies
from dplda.release.verdict.request_numbers import ExpectedTexts, foresee_method, numbers_of
from dplda.release.verdict.verdict import ReleaseVerdict
from dplda.release.workflow import checks, perform
from dplda.release.workflow.continuation import as_charged, check_continuation
from dplda.release.workflow.price import describe_price, describe_terms
from dplda.release.workflow.receipt import Receipt, receipt_lines
from dplda.release.workflow.request import Request
from dplda.release.workflow.status import find_status, find_with_alpha0

OFFERED_EPSILONS = (0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Values of ε that are tried for what would improve a verdict."""


def release(
    documents: Path,
    dataset: str,
    title: str,
    reading: partial[Corpus],
    selection: Selection | None,
    texts: ExpectedTexts,
    experiment: Experiment,
    engine: str,
    scheduler: str | None,
    previous: Path | None,
    out: Path | None,
    table_topics: bool,
    person_alpha0: bool,
    yes: bool,
) -> int:
    """Print what a release costs; with --yes, charge the ledger, release, and print a receipt.

    Before the price come a verdict and what would improve it. A request that was released before
    gets its receipt again, with or without --yes, and costs nothing. A release that its folder has
    no room for is written elsewhere.

    Args:
        documents: a file or folder of documents.
        dataset: name of their budget in the ledger.
        title: public name of the documents.
        reading: reads the documents.
        selection: how words are selected with noise; None for a fixed list.
        texts: the owner's guess about the documents, for the verdict.
        experiment: method, problem and budget; those of a continued release are in its file.
        engine: what adds up documents: serial, threads, joblib or dask.
        scheduler: address of a Dask scheduler; None for workers on this machine.
        previous: released file to continue; None for a new release.
        out: file for a copy of the release; None for none.
        table_topics: whether a public table's own topics are wanted where no others are expected;
            without it, ``yes`` does not release them.
        person_alpha0: whether α0 of the experiment is that of one document of a person, and the
            release takes that of all of them; for a new release that protects persons.
        yes: whether the price is accepted.

    Returns:
        0 for a release, new or found again; 1 where only the price was shown.

    Raises:
        DpldaError: the request is refused; nothing was charged, unless the error says so.
    """
    check_engine(engine, scheduler)
    if out is not None:
        check_out(out, documents)
    folder = Folder()
    if person_alpha0:
        _check_protects_persons(dataset, folder)
    release_experiment = _with_alpha0_of_person(experiment, texts) if person_alpha0 else experiment
    request = Request(dataset, title, release_experiment, selection)
    checked_request = _check_request(documents, request, reading, previous, folder)
    request_status = find_status(checked_request.corpus, checked_request.request, folder)
    if request_status.receipt is not None:
        return _hand_over(request_status.receipt, out)
    alpha0_of_document = experiment.problem.alpha0 if person_alpha0 else None
    verdict = _print_verdict(checked_request, texts, alpha0_of_document)
    if previous is None and request_status.progress is None:
        other_alpha0 = alpha0_of_document
        if other_alpha0 is None:
            other_alpha0 = texts.alpha0_of_person(experiment.problem.alpha0)
        _print_other_alpha0(checked_request, other_alpha0, folder, has_flag=person_alpha0)
    balance = Ledger(folder).balance(dataset)
    price_lines = describe_price(
        checked_request.rows, checked_request.request, balance, checked_request.unit, request_status
    )
    term_lines = describe_terms(checked_request.rows, checked_request.request, checked_request.unit)
    print("\n".join((*price_lines, *term_lines)))
    if not yes:
        print("Nothing was released or charged. To release, run the same command with --yes.")
        return 1
    if not table_topics:
        _refuse_table_alone(verdict)
    try:
        with computing_with(engine, scheduler):
            receipt = perform.release(
                checked_request.corpus, checked_request.request, folder, report=progress()
            )
    except UnwrittenError as error:
        _print_rescue(error, checked_request.request, out)
        return 0
    return _hand_over(receipt, out)


@dataclass(frozen=True, slots=True, eq=False)
class _CheckedRequest:
    """A request that passed all checks before its charge, and its documents.

    Attributes:
        request: the request.
        corpus: the documents as they were read.
        rows: the documents with what is protected as rows.
        unit: what is protected: a ``document`` or a ``person``.
    """

    request: Request
    corpus: Corpus
    rows: Corpus
    unit: str


def _check_request(
    documents: Path,
    request: Request,
    reading: partial[Corpus],
    previous: Path | None,
    folder: Folder,
) -> _CheckedRequest:
    """Read the documents, complete the request, and refuse what cannot be released.

    The public words of ``reading`` become the list of a selection. The file of a previous release
    gives the request its settings, and documents are counted as that release counted them. Prints
    remarks on the documents and, for a fixed word list, what of them was kept. Nothing is charged.

    Raises:
        DpldaError: an option does not apply, or the request cannot be released.
    """
    ledger = Ledger(folder)
    unit = ledger.protects(request.dataset)
    if unit == DOCUMENT:
        leave_out("for a dataset that protects documents", "person")
    previous_release = None if previous is None else read_release_file(previous)
    if request.selection is not None:
        selection = replace(request.selection, listed=_public_list(reading))
        request = replace(request, selection=selection)
    corpus = reading(
        documents,
        label=Label.SENSITIVE,
        vocabulary=_fixed_vocabulary(reading, request.selection, previous_release),
        former=holds_former_readings(ledger),
    )
    say_remarks(corpus.intake)
    has_fixed_list = request.selection is None
    if previous_release is not None:
        request = _continued_request(request, previous_release)
        corpus = as_charged(corpus, request, folder)
    protected_rows = checks.protected_rows(corpus, unit)
    check_continuation(corpus, request, folder)
    checks.check_request(protected_rows, request)
    if corpus.intake and has_fixed_list:
        print("\n".join(corpus.intake.kept_in_words()))
    else:
        print()
    return _CheckedRequest(request, corpus, protected_rows, unit)


def _refuse_table_alone(verdict: ReleaseVerdict | None) -> None:
    """Refuse a release that is expected to find only the public table's own topics.

    Raises:
        InputError: the verdict expects no others.
    """
    if verdict is not None and verdict.is_table_alone:
        raise InputError(
            "this release",
            "expected to find topics of the documents",
            "one of the table's own topics",
            "Nothing was charged. To release these, add --table-topics.",
        )


def _check_protects_persons(dataset: str, folder: Folder) -> None:
    """Refuse the mixing of a person where documents are protected.

    Raises:
        DpldaError: the budget protects documents, or there is none of this name.
    """
    if Ledger(folder).protects(dataset) == DOCUMENT:
        leave_out("for a dataset that protects documents", "person_alpha0")


def _with_alpha0_of_person(experiment: Experiment, texts: ExpectedTexts) -> Experiment:
    """The experiment on rows that hold all documents of a person, with their mixing."""
    problem = experiment.problem
    alpha0 = texts.alpha0_of_person(problem.alpha0)
    print(f"α0 is {alpha0:g}: that of all documents of a person.")
    return replace(experiment, problem=replace(problem, alpha0=alpha0))


def _print_verdict(
    checked_request: _CheckedRequest,
    expected_texts: ExpectedTexts,
    alpha0_of_document: float | None,
) -> ReleaseVerdict | None:
    """Print whether readable topics are to be expected, and the remedies that would help.

    Args:
        checked_request: the request, with its documents.
        expected_texts: the owner's guess about the documents.
        alpha0_of_document: α0 of one document of a person; None if the request has that.

    Returns:
        The verdict; None, and nothing is printed, for a method that finds no topics.
    """
    request = checked_request.request
    experiment = request.experiment
    numbers = numbers_of(
        experiment,
        n_rows=checked_request.rows.n_documents,
        n_words=request.n_words(checked_request.rows),
        protects_persons=checked_request.unit == PERSON_UNIT,
        texts=expected_texts,
    )
    if alpha0_of_document is not None:
        numbers = replace(numbers, alpha0=alpha0_of_document)
    verdict = foresee_method(experiment.registered_method, numbers)
    if verdict is None:
        return None
    print(verdict.describe())
    remedies = find_remedies(
        numbers, epsilons=OFFERED_EPSILONS, can_change_words=request.selection is not None
    )
    for remedy in remedies:
        print(f"With {remedy.describe()}: {remedy.readability}.")
    return verdict


def _print_other_alpha0(
    checked_request: _CheckedRequest, other_alpha0: float, folder: Folder, *, has_flag: bool
) -> None:
    """Print how to get an earlier release of persons that differs from a request in α0 alone.

    Prints nothing where documents are protected, or if there is no such release.

    Args:
        checked_request: the request, with its documents.
        other_alpha0: α0 that the same command has with --person-alpha0 if this one is without, and
            without it if this one has it.
        folder: the release folder.
        has_flag: whether this command has --person-alpha0.
    """
    if checked_request.unit != PERSON_UNIT:
        return
    earlier = find_with_alpha0(
        checked_request.corpus, checked_request.request, other_alpha0, folder
    )
    if earlier is not None:
        print(
            f"{'Without' if has_flag else 'With'} --person-alpha0 this command shows an earlier"
            f" release free, of α0 = {other_alpha0:g}: {earlier.path}"
        )


def _public_list(reading: partial[Corpus]) -> tuple[str, ...]:
    """The public words of a selection, which chooses others among those that it meets."""
    given_words = reading.keywords["vocabulary"]
    if given_words is None:
        return ()
    return fixed_list(given_words, reading.keywords["tokenisation"])


def _fixed_vocabulary(
    reading: partial[Corpus], selection: Selection | None, parent: Artefact | None
) -> Sequence[str] | None:
    """The word list that is fixed before documents are read; None if words are selected.

    To continue a release, it is the released words, or None if that one selected them. Options that
    would change them are then refused.

    Raises:
        InputError: there is neither a list nor a selection, or an option contradicts the release
            to continue.
    """
    word_list: Sequence[str] | None = reading.keywords["vocabulary"]
    if parent is None:
        if selection is not None:
            return None
        if word_list is None:
            requirement = "a word list (--words) or selected privately (--select)"
            raise InputError("the vocabulary", requirement, "neither")
        return word_list
    leave_out("with --continue, which takes it from the file", *SETTLED)
    if parent.resumable is not None and parent.resumable.selected_words is not None:
        return None
    return released_list(parent.vocabulary, reading.keywords["tokenisation"])


def _continued_request(request: Request, parent: Artefact) -> Request:
    """The request that continues a release, with its k, α₀ and δ; its ε is the new total."""
    problem = Problem(parent.n_topics, parent.alpha0)
    experiment = replace(request.experiment, problem=problem)
    same_topics = replace(request, experiment=experiment)
    return same_topics.continuing(parent, experiment.budget.epsilon)


def _hand_over(receipt: Receipt, out: Path | None) -> int:
    """Print a receipt with its verdict, and write a copy of the file if one was asked for; 0."""
    verdict = judge_release(receipt.artefact)
    printed_lines = (*receipt_lines(receipt), verdict.describe())
    print("\n".join(printed_lines), flush=True)  # before a copy that may fail
    if out is not None:  # what was checked, rather than the file once more
        write(out, write_release(receipt.artefact))
    return 0


def _print_rescue(error: UnwrittenError, request: Request, out: Path | None) -> None:
    """Write a release whose folder has no room where there is some, and say where it is."""
    path = _write_anywhere(error, out)
    print(
        f"ε = {format_rounded_up(request.cost[0])} was charged. The release folder is full, so the"
        f" release is here: {path}. Move it to a safe place."
    )


def _write_anywhere(error: UnwrittenError, out: Path | None) -> Path:
    """Write a release that its folder had no room for, and return its absolute path.

    Stops at the first place that takes it: the copy that was asked for, the current folder, and
    that of temporary files.

    Raises:
        FolderError: every place refused it, for whatever reason.
    """
    paths = [Path(error.name), Path(tempfile.gettempdir()) / error.name]
    if out is not None:
        paths.insert(0, out)
    for path in paths:
        with suppress(DpldaError):
            write(path, error.content)
            return path.absolute()
    raise FolderError(
        "ε was charged, but every disk is full. Make room, then repeat the same request:"
        " it costs nothing more."
    )


def _selection(select: int | None, select_epsilon: float, select_delta: float) -> Selection | None:
    """How to select words privately; None without --select, and then its ε and δ are refused."""
    if select is None:
        leave_out("without --select", "select_epsilon", "select_delta")
        return None
    return Selection(select, select_epsilon, select_delta)


SETTLED = (  # by the first release of a chain
    "vocabulary",
    "select",
    "select_epsilon",
    "select_delta",
    "topics",
    "alpha0",
    "person_alpha0",
    "delta",
)
_DEFAULT_SELECTION = Selection()
_SELECTION = (
    Option(
        ["--select"],
        type=int,
        metavar="D",
        help="select at most D words privately, from --words and beyond",
    ),
    Option(
        ["--select-epsilon"],
        default=_DEFAULT_SELECTION.epsilon,
        help="ε for selecting words, charged with the topics",
    ),
    Option(
        ["--select-delta"],
        default=_DEFAULT_SELECTION.delta,
        help="δ for selecting words; 1e-5 finds twice as many as 1e-8",
    ),
)
_DEFAULT_TEXTS = ExpectedTexts()
_TEXTS = (
    Option(
        ["--mean-length"],
        default=_DEFAULT_TEXTS.mean_length,
        help="listed words that you expect in a document: a guess, for the verdict alone",
    ),
    Option(
        ["--documents-per-person"],
        default=_DEFAULT_TEXTS.documents_per_person,
        help="documents that you expect of a person: a guess, for the verdict and --person-alpha0",
    ),
)
COMMAND = Command(
    "release",
    release,
    DOCUMENTS,
    Option(["--dataset"], required=True, help="the ledger's name for these documents"),
    Option(["--title"], required=True, help="what to call them in public"),
    reading(partial(load, n_words=None), PERSON),
    OptionGroup("selection", _selection, _SELECTION),
    OptionGroup("texts", ExpectedTexts, _TEXTS),
    experiment_options("refined", releases=True),
    *ENGINE,
    Option(
        ["--continue", "previous"],
        type=named_path,
        help="a released file to continue, up to the total --epsilon",
    ),
    Option(["--out"], type=named_path, help="write a copy of the released file here"),
    Option(
        ["--table-topics"],
        is_flag=True,
        help="release a public table's own topics where no others are expected",
    ),
    Option(
        ["--person-alpha0"],
        is_flag=True,
        help="raise --alpha0, of one document, to that of all documents of a person, as the page"
        " Release does: J(1 + α0) − 1 for J --documents-per-person",
    ),
    Option(["--yes"], is_flag=True, help="accept the price; without it, dplda only shows it"),
)
