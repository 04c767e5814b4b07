"""``dplda release``: topics of sensitive documents, charged to the ledger."""

import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from click import Option

from dplda.cli.options import DOCUMENTS, ENGINE, Command, Together, progress, settings
from dplda.cli.reading_options import PERSON, kept, reading
from dplda.core.backends import computing_with
from dplda.core.errors import DpldaError, InputError, ReadError
from dplda.core.safe_open import check_writable, refusal, write
from dplda.corpus import Corpus, Label, Selection, VocabularySource, load
from dplda.experiments.settings import Settings
from dplda.privacy.odds import remaining, short
from dplda.release import make
from dplda.release.folder import Folder, FolderError, UnwrittenError
from dplda.release.kept import stored
from dplda.release.ledger import Ledger
from dplda.release.price import price
from dplda.release.released_file import sha256
from dplda.release.request import Receipt, Request


def release(
    documents: Path,
    dataset: str,
    title: str,
    reading: partial[Corpus],
    selection: Selection | None,
    settings: Settings,
    engine: str,
    scheduler: str | None,
    out: Path | None,
    yes: bool,
) -> int:
    """Say what a release costs and, where that was confirmed, release; a receipt goes to standard output.

    Returns:
        0 where it was released, 1 where nothing was.

    Raises:
        DpldaError: whatever is refused, in a sentence.
    """
    folder = Folder()
    ledger = Ledger(folder)
    unit = ledger.protects(dataset)
    if reading.keywords["vocabulary"] is None and selection is None:
        raise InputError("the vocabulary", "a list of words (--words) or selected privately (--select)", "neither")
    corpus = reading(documents, label=Label.SENSITIVE)
    if selection is not None:
        selection = replace(selection, listed=corpus.vocabulary_source is VocabularySource.FIXED)
    request = Request(dataset, title, settings, selection)
    rows = make.protected(corpus, unit)
    make.check(rows, request)
    print("\n".join(kept(corpus)))
    receipt = stored(corpus, request, folder)
    if receipt is None:
        print("\n".join(price(rows, request, ledger.balance(dataset), unit)))
        if not yes:
            print("Nothing was released or charged. Say --yes to release.")
            return 1
        if out is not None:
            _check_writable(out)
        try:
            with computing_with(engine, scheduler):
                receipt = make.release(corpus, request, folder, report=progress())
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
        one.in_words,
        f"At {one.released}, paid by charge {one.charge}.",
        f"SHA-256 of the file: {sha256(one)}",
        f"Left: ε = {remaining(receipt.left[0])}, δ = {remaining(receipt.left[1])}.",
        f"File: {receipt.path}",
    )


def _selection(select: int | None, words_per_unit: int, select_epsilon: float, select_delta: float) -> Selection | None:
    return None if select is None else Selection(select, words_per_unit, select_epsilon, select_delta)


_USUAL = Selection()
_SELECTION = (
    Option(["--select"], type=int, metavar="D", help="take at most D words, of all or of those of --words"),
    Option(["--words-per-unit"], default=_USUAL.per_unit, help="distinct words of a document, or person, that count"),
    Option(["--select-epsilon"], default=_USUAL.epsilon, help="ε of words, charged with the topics"),
    Option(["--select-delta"], default=_USUAL.delta, help="δ of words"),
)
COMMAND = Command(
    "release",
    release,
    DOCUMENTS,
    Option(["--dataset"], required=True, help="the ledger's name for these documents"),
    Option(["--title"], required=True, help="what they are called in public"),
    reading(partial(load, n_words=None), PERSON),
    Together("selection", _selection, _SELECTION),
    settings("refined", releases=True),
    *ENGINE,
    Option(["--out"], type=Path, help="where a copy of the released file goes"),
    Option(["--yes"], is_flag=True, help="accept the price; without it, it is only shown"),
)
