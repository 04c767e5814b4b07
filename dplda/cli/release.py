"""``dplda release``: topics of sensitive documents, charged to the ledger."""

import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from click import Option

from dplda.cli.options import (
    DOCUMENTS,
    ENGINE,
    Command,
    Together,
    check_out,
    leave_out,
    named_path,
    progress,
    settings,
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
from dplda.release.artefact.released_file import read_release_file
from dplda.release.artefact.released_file import write_release as content_of
from dplda.release.ledger.fingerprints import holds_former_readings
from dplda.release.ledger.folder import Folder, FolderError, UnwrittenError
from dplda.release.ledger.ledger import DOCUMENT, Ledger
from dplda.release.workflow import checks, perform
from dplda.release.workflow.continuation import as_charged, check_continuation
from dplda.release.workflow.price import describe_price, describe_terms
from dplda.release.workflow.receipt_text import receipt_lines
from dplda.release.workflow.request import Request
from dplda.release.workflow.status import find_status


def release(
    documents: Path,
    dataset: str,
    title: str,
    reading: partial[Corpus],
    selection: Selection | None,
    settings: Experiment,
    engine: str,
    scheduler: str | None,
    since: Path | None,
    out: Path | None,
    yes: bool,
) -> int:
    """Print what a release costs; with --yes, charge the ledger, release, and print a receipt."""
    check_engine(engine, scheduler)
    if out is not None:
        check_out(out, documents)
    folder = Folder()
    ledger = Ledger(folder)
    unit = ledger.protects(dataset)
    if unit == DOCUMENT:
        leave_out("for a dataset that protects documents", "person")
    listed = reading.keywords["vocabulary"]
    if selection is not None:
        checked = () if listed is None else fixed_list(listed, reading.keywords["tokenisation"])
        selection = replace(selection, listed=checked)
        listed = None
    elif since is None and listed is None:
        raise InputError(
            "the vocabulary", "a word list (--words) or selected privately (--select)", "neither"
        )
    parent = None if since is None else read_release_file(since)
    if parent is not None:
        leave_out("with --continue, which takes it from the file", *SETTLED)
        picked = parent.resumable is not None and parent.resumable.selected_words is not None
        how = reading.keywords["tokenisation"]
        listed = None if picked else released_list(parent.vocabulary, how)
        settings = replace(settings, problem=Problem(parent.n_topics, parent.alpha0))
    former = holds_former_readings(ledger)
    corpus = reading(documents, label=Label.SENSITIVE, vocabulary=listed, former=former)
    say_remarks(corpus.intake)
    request = Request(dataset, title, settings, selection)
    if parent is not None:
        request = request.continuing(parent, settings.budget.epsilon)
        corpus = as_charged(corpus, request, folder)
    rows = checks.protected_rows(corpus, unit)
    check_continuation(corpus, request, folder)
    checks.check_request(rows, request)
    print("\n".join(corpus.intake.kept_in_words() if corpus.intake and selection is None else ()))
    status = find_status(corpus, request, folder)
    receipt = status.receipt
    if receipt is None:
        cost = describe_price(rows, request, ledger.balance(dataset), unit, status)
        print("\n".join((*cost, *describe_terms(rows, request, unit))))
        if not yes:
            print("Nothing was released or charged. To release, run the same command with --yes.")
            return 1
        try:
            with computing_with(engine, scheduler):
                receipt = perform.release(corpus, request, folder, report=progress())
        except UnwrittenError as lost:
            place = _rescued(lost, out)
            charged = f"ε = {format_rounded_up(request.cost[0])} was charged."
            print(
                f"{charged} The release folder is full, so the release is here: {place}. Move it to a safe place."
            )
            return 0
    print("\n".join(receipt_lines(receipt)), flush=True)  # before a copy that may fail
    if out is not None:
        write(out, content_of(receipt.artefact))  # what was checked, rather than the file once more
    return 0


def _rescued(lost: UnwrittenError, out: Path | None) -> Path:
    """The first place that could take a release that its folder had no room for."""
    for place in (
        *([] if out is None else [out]),
        Path(lost.name),
        Path(tempfile.gettempdir()) / lost.name,
    ):
        with suppress(DpldaError):
            write(place, lost.content)
            return place.absolute()
    raise FolderError(
        "ε was charged, but every disk is full. Make room, then repeat the same request: it costs nothing more."
    )


def _selection(select: int | None, select_epsilon: float, select_delta: float) -> Selection | None:
    if select is None:
        leave_out("without --select", "select_epsilon", "select_delta")
    return None if select is None else Selection(select, select_epsilon, select_delta)


SETTLED = (
    "vocabulary",
    "select",
    "select_epsilon",
    "select_delta",
    "topics",
    "alpha0",
    "delta",
)  # by the first one
_USUAL = Selection()
_SELECTION = (
    Option(
        ["--select"],
        type=int,
        metavar="D",
        help="select at most D words privately, from --words and beyond",
    ),
    Option(
        ["--select-epsilon"],
        default=_USUAL.epsilon,
        help="ε for selecting words, charged with the topics",
    ),
    Option(
        ["--select-delta"],
        default=_USUAL.delta,
        help="δ for selecting words; 1e-5 finds twice as many as 1e-8",
    ),
)
COMMAND = Command(
    "release",
    release,
    DOCUMENTS,
    Option(["--dataset"], required=True, help="the ledger's name for these documents"),
    Option(["--title"], required=True, help="what to call them in public"),
    reading(partial(load, n_words=None), PERSON),
    Together("selection", _selection, _SELECTION),
    settings("refined", releases=True),
    *ENGINE,
    Option(
        ["--continue", "since"],
        type=named_path,
        help="a released file to continue, up to the total --epsilon",
    ),
    Option(["--out"], type=named_path, help="write a copy of the released file here"),
    Option(["--yes"], is_flag=True, help="accept the price; without it, dplda only shows it"),
)
