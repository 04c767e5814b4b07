"""``dplda ledger``: privacy budgets: declare, lower, show, check and copy them."""

from collections.abc import Mapping
from pathlib import Path

import click
from click import Argument, Option

from dplda.cli.options import PROTECTS, Command, named_path
from dplda.core.errors import ReadError
from dplda.core.formatting import counted
from dplda.core.safe_open import file_name
from dplda.privacy.accounting.odds import BUDGET_DIGITS, DIGITS, format_rounded_up
from dplda.release.artefact.released_file import SUFFIX, read_release_file
from dplda.release.ledger.amounts import DELTA_UNITS, EPSILON_UNITS
from dplda.release.ledger.backup import back_up
from dplda.release.ledger.balance import PLANNED_ONLY
from dplda.release.ledger.file_seal import check_authentic
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import HOW_TO_DECLARE, Ledger, LedgerEntry
from dplda.release.shares.shares_file import SHARES_SUFFIX, check_shares_seal, read_shares_file
from dplda.release.workflow.journal.progress import Progress, progress_of
from dplda.release.workflow.release_store import receipt_of, shown_detail


def show(dataset: str | None) -> int:
    """Show what is left of privacy budgets.

    Prints how to declare a budget if there is none.

    Args:
        dataset: the only one to show, with its entries, and what became of charges without a
            release; None for the balances of all.

    Returns:
        0.

    Raises:
        LedgerError: there is no such dataset, or an entry was changed.
    """
    folder = Folder()
    ledger = Ledger(folder)
    dataset_names = ledger.datasets() if dataset is None else (dataset,)
    print(
        "\n".join(_balance(ledger, dataset_name) for dataset_name in dataset_names)
        or f"No privacy budget is declared yet. {HOW_TO_DECLARE}"
    )
    entries = () if dataset is None else ledger.entries(dataset)
    for entry in entries:
        print(_line(entry))
        charge_progress = progress_of(entry, folder)
        if charge_progress not in (None, Progress.RELEASED):
            print(f"{'':>7}↳ {charge_progress}")
    return 0


def declare(dataset: str, epsilon: float, delta: float, protects: str) -> int:
    """Declare the privacy budget of a dataset, and show it.

    Args:
        dataset: its new name.
        epsilon: the most ε that all its releases may use.
        delta: the most δ that all its releases may use.
        protects: ``document`` or ``person``.

    Returns:
        0.

    Raises:
        LedgerError: the name is invalid, taken, or reads like another.
        InputError: ε or δ is out of range.
    """
    Ledger(Folder()).declare(dataset, epsilon=epsilon, delta=delta, protects=protects)
    return show(dataset)


def lower(dataset: str, epsilon: float, delta: float) -> int:
    """Lower a privacy budget, permanently, and show what is left of it."""
    Ledger(Folder()).lower(dataset, epsilon=epsilon, delta=delta)
    return show(dataset)


def verify(files: tuple[Path, ...]) -> int:
    """Check the ledger and released files.

    Prints each fault of ledger, files and journals once, or that all is well.

    Args:
        files: released files outside the release folder, checked too.

    Returns:
        0 if nothing is wrong; 1 if there are faults.

    Raises:
        LedgerError: nobody can tell now, because the ledger is in use or its disk fails.
    """
    folder = Folder()
    ledger = Ledger(folder)
    all_faults = (*ledger.faults(), *unpaid(folder, ledger, files), *uncounted(folder, ledger))
    faults = tuple(dict.fromkeys(all_faults))  # each once
    print(
        "\n".join(faults)
        or "Ledger checked: nothing missing, nothing over budget, every released file paid for."
    )
    return 1 if faults else 0


def backup(place: Path) -> int:
    """Copy the release folder, which others may be using, into a new folder.

    Prints how many released files were copied, and how to keep the copy.

    Returns:
        0.
    """
    n_files = back_up(Folder(), place)
    print(
        f"The ledger, its key and {counted(n_files, 'released file')} are in {place}. Keep it on"
        " another disk, and closed to others: with it, texts can be tested for being among your"
        " documents."
    )
    return 0


def uncounted(folder: Folder, ledger: Ledger) -> tuple[str, ...]:
    """Faults of charges whose journals hold answers that the ledger does not count.

    There is a sentence for each charge. They appear after an older copy of the folder was restored.
    """
    return tuple(
        f"entry {entry.number}: {Progress.OLDER_LEDGER}"
        for entry in ledger.entries()
        if progress_of(entry, folder) is Progress.OLDER_LEDGER
    )


def unpaid(folder: Folder, ledger: Ledger, elsewhere: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Faults of released topics and tables of shares: unreadable, forged, or never charged.

    A file under the name of another release is a fault, too. A file was never charged if an older
    copy of the ledger was restored. There is one sentence a fault, at most one a file.

    Args:
        folder: the release folder.
        ledger: its ledger.
        elsewhere: released topics outside the release folder that are checked too.
    """
    charge_by_receipt = {
        receipt_of(entry) or entry.hash: entry
        for entry in ledger.entries()
        if entry.kind == "charged"
    }
    release_paths = (*sorted(folder.path.glob(f"*{SUFFIX}")), *elsewhere)
    share_paths = sorted(folder.path.glob(f"*{SHARES_SUFFIX}"))
    faults = (
        *(_fault(path, charge_by_receipt, folder) for path in release_paths),
        *(_fault_of_shares(path, charge_by_receipt, folder) for path in share_paths),
    )
    return tuple(fault for fault in faults if fault)


def _fault(path: Path, charge_by_receipt: Mapping[str, LedgerEntry], folder: Folder) -> str:
    """A sentence on a release that is unreadable, uncharged, misnamed or changed; else empty."""
    try:
        artefact = read_release_file(path)
        charge = charge_by_receipt.get(artefact.receipt_number)
        if charge is None:
            return f"{file_name(path)} was not paid for by this ledger"
        if _is_misnamed(path, artefact.receipt_number + SUFFIX, folder):
            return f"{file_name(path)} holds release {artefact.receipt_number}: rename it to that"
        check_authentic(artefact, charge, folder, file_name(path))
    except ReadError as error:
        return str(error)
    return ""


def _fault_of_shares(
    path: Path, charge_by_receipt: Mapping[str, LedgerEntry], folder: Folder
) -> str:
    """A sentence on a table of shares that is unreadable, uncharged, misnamed or changed.

    Empty for one that is well.
    """
    try:
        shares = read_shares_file(path)
        if shares.receipt_number not in charge_by_receipt:
            return f"{file_name(path)} was not paid for by this ledger"
        if _is_misnamed(path, shares.receipt_number + SHARES_SUFFIX, folder):
            return f"{file_name(path)} holds table {shares.receipt_number}: rename it to that"
        check_shares_seal(shares, folder, file_name(path))
    except ReadError as error:
        return str(error)
    return ""


def _is_misnamed(path: Path, name: str, folder: Folder) -> bool:
    """Whether a file of the release folder has another name than its charge gives it."""
    return path.parent == folder.path and path.name != name


def _balance(ledger: Ledger, dataset: str) -> str:
    """Sentences on a budget: what is left of it, its size, whom it protects, and what was spent.

    What was spent, and the risk of all releases, are left out before the first.
    """
    balance = ledger.balance(dataset)
    budget_text = _amounts(*balance.cap, " and ", BUDGET_DIGITS)
    sentences = [
        f"{dataset}: {balance.describe_remaining()} left for one more release.",
        f"The whole budget is {budget_text}; {balance.percent_left}% of it is left.",
        f"Each {ledger.protects(dataset)} is protected.",
    ]
    if any(balance.added_up):
        sentences.append(f"Releases so far count as {balance.describe_total()}. {PLANNED_ONLY}")
        sentences.append(balance.describe_cap_risk(ledger.protects(dataset)))
    return " ".join(sentences)


def _line(entry: LedgerEntry) -> str:
    """Format an entry of the ledger as a row: number, time, kind, and amounts.

    A charge adds its facts. A kind without amounts is only ``noted``.
    """
    amounts = _amounts(entry.epsilon, entry.delta, ", ")
    budget = _amounts(entry.epsilon, entry.delta, ", ", BUDGET_DIGITS)
    description_by_kind = {
        "declared": f"at most {budget}",
        "lowered": f"at most {budget}",
        "charged": f"{amounts}, {shown_detail(entry)}",
    }
    description = description_by_kind.get(entry.kind, "noted")
    return f"{entry.number:>5}  {entry.at}  {entry.kind:<9}  {description}"


def _amounts(epsilon: int, delta: int, separator: str, digits: int = DIGITS) -> str:
    """ε and δ in words, from the ledger's units, rounded up."""
    epsilon_text = format_rounded_up(epsilon / EPSILON_UNITS, digits)
    delta_text = format_rounded_up(delta / DELTA_UNITS, digits)
    return f"ε = {epsilon_text}{separator}δ = {delta_text}"


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
