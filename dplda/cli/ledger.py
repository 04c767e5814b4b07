"""``dplda ledger``: privacy budgets: declare, lower, show, check and copy them."""

from collections.abc import Mapping
from pathlib import Path

import click
from click import Argument, Option

from dplda.cli.options import PROTECTS, Command, named_path
from dplda.core.errors import ReadError
from dplda.core.formatting import counted
from dplda.core.safe_open import file_name
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.amounts import DELTA_UNITS, EPSILON_UNITS
from dplda.release.ledger.backup import back_up
from dplda.release.ledger.balance import PLANNED_ONLY
from dplda.release.ledger.file_seal import check_authentic
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import HOW, Ledger, LedgerEntry
from dplda.release.workflow.journal.progress import Progress, progress_of
from dplda.release.workflow.release_store import receipt_of, shown_detail


def show(dataset: str | None) -> int:
    """Show what is left of privacy budgets."""
    folder = Folder()
    ledger = Ledger(folder)
    names = ledger.datasets() if dataset is None else (dataset,)
    print(
        "\n".join(_balance(ledger, name) for name in names)
        or f"No privacy budget is declared yet. {HOW}"
    )
    for entry in () if dataset is None else ledger.entries(dataset):
        print(_line(entry))
        progress = progress_of(entry, folder)
        if progress not in (None, Progress.RELEASED):
            print(f"{'':>7}↳ {progress}")
    return 0


def declare(dataset: str, epsilon: float, delta: float, protects: str) -> int:
    """Declare the privacy budget of a dataset."""
    Ledger(Folder()).declare(dataset, epsilon=epsilon, delta=delta, protects=protects)
    return show(dataset)


def lower(dataset: str, epsilon: float, delta: float) -> int:
    """Lower a privacy budget, permanently."""
    Ledger(Folder()).lower(dataset, epsilon=epsilon, delta=delta)
    return show(dataset)


def verify(files: tuple[Path, ...]) -> int:
    """Check the ledger and released files."""
    folder = Folder()
    ledger = Ledger(folder)
    every_fault = (*ledger.faults(), *unpaid(folder, ledger, files), *uncounted(folder, ledger))
    faults = tuple(dict.fromkeys(every_fault))
    print(
        "\n".join(faults)
        or "Ledger checked: nothing missing, nothing over budget, every released file paid for."
    )
    return 1 if faults else 0


def backup(place: Path) -> int:
    """Copy the release folder, which others may be using, into a new folder."""
    n_files = back_up(Folder(), place)
    print(
        f"The ledger, its key and {counted(n_files, 'released file')} are in {place}. Keep it on another"
        " disk, and closed to others: with it, texts can be tested for being among your documents."
    )
    return 0


def uncounted(folder: Folder, ledger: Ledger) -> tuple[str, ...]:
    """Charges whose journals hold answers that the ledger does not count, as after an older copy was restored."""
    return tuple(
        f"entry {entry.number}: {Progress.OLDER_LEDGER}"
        for entry in ledger.entries()
        if progress_of(entry, folder) is Progress.OLDER_LEDGER
    )


def unpaid(folder: Folder, ledger: Ledger, elsewhere: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Faults of released files, ``elsewhere`` too: not paid for, as after an older copy was restored, or forged."""
    charges = {
        receipt_of(entry) or entry.hash: entry
        for entry in ledger.entries()
        if entry.kind == "charged"
    }
    files = (*sorted(folder.path.glob(f"*{SUFFIX}")), *elsewhere)
    return tuple(fault for path in files if (fault := _fault(path, charges, folder)))


def _fault(path: Path, charges: Mapping[str, LedgerEntry], folder: Folder) -> str:
    try:
        artefact = read_release_file(path)
        charge = charges.get(artefact.receipt_number)
        if charge is None:
            return f"{file_name(path)} was not paid for by this ledger"
        check_authentic(artefact, charge, folder, file_name(path))
    except ReadError as error:
        return str(error)
    return ""


def _balance(ledger: Ledger, dataset: str) -> str:
    held = ledger.balance(dataset)
    cap = f"ε = {format_rounded_up(held.cap[0] / EPSILON_UNITS)} and δ = {format_rounded_up(held.cap[1] / DELTA_UNITS)}"
    whole = f"The whole budget is {cap}; {held.percent_left}% of it is left."
    unit, left = (
        f"Each {ledger.protects(dataset)} is protected.",
        f"{held.describe_remaining()} left for one more release.",
    )
    counted = f"Releases so far count as {held.describe_total()}. {PLANNED_ONLY}"
    return f"{dataset}: {left} {whole} {unit} {counted if any(held.added_up) else ''}".rstrip()


def _line(entry: LedgerEntry) -> str:
    amounts = f"ε = {format_rounded_up(entry.epsilon / EPSILON_UNITS)}, δ = {format_rounded_up(entry.delta / DELTA_UNITS)}"
    budget = f"at most {amounts}"
    said = {"declared": budget, "lowered": budget, "charged": f"{amounts}, {shown_detail(entry)}"}
    return f"{entry.number:>5}  {entry.at}  {entry.kind:<9}  {said.get(entry.kind, 'noted')}"


_DATASET = Argument(["dataset"])
_CAP = (
    Option(
        ["--epsilon"],
        type=float,
        required=True,
        help="the most ε that all releases together may use",
    ),
    Option(["--delta"], default=1e-6, help="the most δ that all releases together may use"),
)
COMMAND = click.Group(
    "ledger",
    no_args_is_help=False,
    commands=[
        Command("declare", declare, _DATASET, *_CAP, PROTECTS),
        Command("lower", lower, _DATASET, *_CAP),
        Command("show", show, Argument(["dataset"], required=False)),
        Command("backup", backup, Argument(["place"], type=named_path)),
        Command("verify", verify, Argument(["files"], type=named_path, nargs=-1)),
    ],
)
