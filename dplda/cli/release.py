"""``dplda release`` and ``dplda ledger`` on the command line."""

import json
import tempfile
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from dplda.cli.reading_options import ReadOptions, kept
from dplda.core.backends import LIMIT, computing_with
from dplda.core.errors import DpldaError, InputError, ReadError
from dplda.core.safe_open import check_writable, refusal, write
from dplda.core.types import Report
from dplda.corpus import Label, Selection, VocabularySource
from dplda.experiments.settings import Settings
from dplda.privacy.odds import remaining, short
from dplda.release.folder import Folder, FolderError, UnwrittenError
from dplda.release.kept import receipt_of, shown_detail, stored
from dplda.release.ledger import DELTA_UNITS, DOCUMENT, EPSILON_UNITS, Ledger, LedgerEntry
from dplda.release.make import check, protected, release
from dplda.release.price import price
from dplda.release.released_file import SUFFIX, Artefact, read_file, sha256
from dplda.release.request import Receipt, Request


def release_command(
    documents: Path,
    *,
    dataset: str,
    title: str,
    settings: Settings,
    reading: ReadOptions,
    selection: Selection | None = None,
    out: Path | None = None,
    confirmed: bool = False,
    engine: str = "threads",
    scheduler: str | None = None,
    limit: float = LIMIT,
) -> int:
    """Says what a release costs and, where that was confirmed, releases topics of a file; a receipt goes to the output.

    Args:
        documents: a file that ``dplda.load`` reads.
        reading: how the file is read: a list of words or, where words are selected from all, none; a column that says
            whose documents they are where persons are protected.
        selection: how words are selected privately; None where the list stands.
        out: where a copy of the released file goes; what is there is replaced.
        engine: one of ``backends.NAMES``: who adds up; noise and ledger stay here.
        limit: seconds without any of them until a release ends; it was charged.

    Returns:
        0 where it was released, 1 where nothing was.

    Raises:
        DpldaError: whatever is refused, in a sentence.
    """
    folder = Folder()
    ledger = Ledger(folder)
    unit = ledger.protects(dataset)
    if reading.vocabulary is None and selection is None:
        raise InputError("the vocabulary", "a list of words (--words) or selected privately (--select)", "neither")
    corpus = reading.load(documents, label=Label.SENSITIVE)
    if selection is not None:
        selection = replace(selection, listed=corpus.vocabulary_source is VocabularySource.FIXED)
    request = Request(dataset, title, settings, selection)
    rows = protected(corpus, unit)
    check(rows, request)
    print("\n".join(kept(corpus)))
    receipt = stored(corpus, request, folder)
    if receipt is None:
        print("\n".join(price(rows, request, ledger.balance(dataset), unit)))
        if not confirmed:
            print("Nothing was released or charged. Say --yes to release.")
            return 1
        if out is not None:
            _check_writable(out)
        try:
            with computing_with(engine, scheduler, limit):
                receipt = release(corpus, request, folder, report=_progress())
        except UnwrittenError as lost:
            place = _rescued(lost, out)
            print(
                f"ε = {short(request.cost[0])} was charged. The folder of releases has no room: {place} is the release."
            )
            return 0
    said = "\n".join(receipt_lines(receipt))
    try:
        if out is not None:
            write(out, receipt.path.read_bytes())
        print(said, flush=True)
    except (OSError, ReadError) as error:
        why = error if isinstance(error, ReadError) else refusal(error)
        paid = f"ε = {short(request.cost[0])} was charged" if receipt.charged else "Nothing more was charged"
        raise FolderError(f"{paid}, and the release is whole: {receipt.path}. But {why}") from None
    return 0


def _check_writable(path: Path) -> None:
    """Refuses a place for a copy before anything is charged."""
    try:
        check_writable(path)
    except ReadError as error:
        raise FolderError(f"{error} Nothing was charged.") from None


def _rescued(lost: UnwrittenError, out: Path | None) -> Path:
    """Where a release lies for which its folder had no room: the first place that takes it."""
    here = Path(lost.name)
    for place in (*([] if out is None else [out]), here, Path(tempfile.gettempdir()) / lost.name):
        with suppress(DpldaError):
            write(place, lost.content)
            return place.absolute()
    raise FolderError("ε was charged, and no place on this machine takes the release: it is lost. Make room first.")


def receipt_lines(receipt: Receipt) -> tuple[str, ...]:
    """A receipt as lines of text."""
    one = receipt.artefact
    return (
        "Released."
        if receipt.charged
        else f"The same request was released before, as {one.documents!r}: this is it, and it cost nothing.",
        one.promise.in_words,
        f"At {one.released}, paid by charge {one.charge}.",
        f"SHA-256 of the file: {sha256(one)}",
        f"Left: ε = {remaining(receipt.left[0])}, δ = {remaining(receipt.left[1])}.",
        f"File: {receipt.path}",
    )


def ledger_command(
    action: str,
    dataset: str | None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    protects: str | None = None,
    files: tuple[Path, ...] = (),
) -> int:
    """One of ``list``, ``show``, ``declare``, ``lower``, ``verify`` and ``export``.

    Returns:
        0, or 1 where ``verify`` found a fault.

    Raises:
        DpldaError: whatever is refused, in a sentence.
    """
    folder = Folder()
    ledger = Ledger(folder)
    if action == "list":
        for name in ledger.datasets():
            print(_standing(ledger, name))
    elif action == "show":
        assert dataset is not None
        print(_standing(ledger, dataset))
        for entry in ledger.entries(dataset):
            print(_line(entry))
    elif action in ("declare", "lower"):
        assert dataset is not None
        assert epsilon is not None
        assert delta is not None
        if action == "declare":
            ledger.declare(dataset, epsilon=epsilon, delta=delta, protects=protects or DOCUMENT)
        else:
            ledger.lower(dataset, epsilon=epsilon, delta=delta)
        print(_standing(ledger, dataset))
    elif action == "export":
        print(json.dumps([_public(entry) for entry in ledger.entries()], indent=1, ensure_ascii=False))
    else:
        faults = (*ledger.faults(), *unpaid(folder, ledger, files))
        print("\n".join(faults) or "All entries are whole, in order and within caps; every released file was paid for.")
        return 1 if faults else 0
    return 0


def unpaid(folder: Folder, ledger: Ledger, elsewhere: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Released files whose charge is not in the ledger, as where an older copy of it was put in its place.

    Args:
        elsewhere: files that were kept in other places, which an older copy of the whole folder does not hold.
    """
    charges = [entry for entry in ledger.entries() if entry.kind == "charged"]
    charged = {receipt_of(entry) or entry.hash for entry in charges}
    files = [(path.name, _artefact(path)) for path in (*sorted(folder.path.glob(f"*{SUFFIX}")), *elsewhere)]
    return tuple(
        f"{name} is damaged" if one is None else f"{name} was not paid for by this ledger"
        for name, one in files
        if one is None or one.charge not in charged
    )


def _artefact(path: Path) -> Artefact | None:
    try:
        return read_file(path)
    except ReadError:
        return None


def _standing(ledger: Ledger, dataset: str) -> str:
    held = ledger.balance(dataset)
    cap = (held.cap[0] / EPSILON_UNITS, held.cap[1] / DELTA_UNITS)
    return (
        f"{dataset}: ε = {remaining(held.left[0])} of {remaining(cap[0])} and δ = {remaining(held.left[1])} of"
        f" {remaining(cap[1])} left; protects a {ledger.protects(dataset)}"
    )


def _line(entry: LedgerEntry) -> str:
    amounts = f"ε = {short(entry.epsilon / EPSILON_UNITS)}, δ = {short(entry.delta / DELTA_UNITS)}"
    said = {
        "declared": f"cap {amounts}",
        "lowered": f"cap {amounts}",
        "charged": f"{amounts}, {_public(entry)['detail']}",
    }
    return f"{entry.number:>5}  {entry.at}  {entry.kind:<9}  {said.get(entry.kind, 'noted')}"


def _public(entry: LedgerEntry) -> dict[str, str | int]:
    """An entry without the keyed hashes, all of which hang on documents."""
    return {name: value for name, value in asdict(entry).items() if name != "hash"} | {"detail": shown_detail(entry)}


def _progress() -> Report:
    """Prints each step once."""
    last = ""

    def told(fraction: float, step: str) -> None:
        nonlocal last
        if step != last:
            last = step
            with suppress(OSError):  # nobody reads on, but it was paid for
                print(f"{fraction:4.0%}  {step}", flush=True)

    return told
