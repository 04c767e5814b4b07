"""``dplda ledger``: what has been spent on which documents, and what is left."""

from pathlib import Path

import click
from click import Argument, Option

from dplda.cli.options import PROTECTS, Command
from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name
from dplda.privacy.odds import remaining, short
from dplda.release.folder import Folder
from dplda.release.kept import receipt_of, shown_detail
from dplda.release.ledger import DELTA_UNITS, EPSILON_UNITS, Ledger, LedgerEntry
from dplda.release.released_file import SUFFIX, read_file


def show(dataset: str | None) -> int:
    """What is left of every dataset, or of one, and its entries."""
    ledger = Ledger(Folder())
    for name in ledger.datasets() if dataset is None else (dataset,):
        print(_standing(ledger, name))
    for entry in () if dataset is None else ledger.entries(dataset):
        print(_line(entry))
    return 0


def declare(dataset: str, epsilon: float, delta: float, protects: str) -> int:
    """Open a budget, the most that may ever be spent."""
    ledger = Ledger(Folder())
    ledger.declare(dataset, epsilon=epsilon, delta=delta, protects=protects)
    print(_standing(ledger, dataset))
    return 0


def lower(dataset: str, epsilon: float, delta: float) -> int:
    """Lower a cap."""
    ledger = Ledger(Folder())
    ledger.lower(dataset, epsilon=epsilon, delta=delta)
    print(_standing(ledger, dataset))
    return 0


def verify(files: tuple[Path, ...]) -> int:
    """Look for entries changed or missing, and files that were not paid for; 1 where there are any."""
    folder = Folder()
    ledger = Ledger(folder)
    faults = (*ledger.faults(), *unpaid(folder, ledger, files))
    print("\n".join(faults) or "All entries are whole, in order and within caps; every released file was paid for.")
    return 1 if faults else 0


def unpaid(folder: Folder, ledger: Ledger, elsewhere: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Released files whose charge is not in the ledger, as where an older copy of it was put in its place.

    Args:
        elsewhere: files that were kept in other places, which an older copy of the whole folder does not hold.
    """
    charges = [entry for entry in ledger.entries() if entry.kind == "charged"]
    charged = {receipt_of(entry) or entry.hash for entry in charges}
    files = (*sorted(folder.path.glob(f"*{SUFFIX}")), *elsewhere)
    return tuple(fault for path in files if (fault := _fault(path, charged)))


def _fault(path: Path, charged: set[str]) -> str:
    """What is wrong with a file, which need not be the ledger's doing; empty where nothing is."""
    try:
        return "" if read_file(path).charge in charged else f"{file_name(path)} was not paid for by this ledger"
    except ReadError as error:
        return str(error)


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
        "charged": f"{amounts}, {shown_detail(entry)}",
    }
    return f"{entry.number:>5}  {entry.at}  {entry.kind:<9}  {said.get(entry.kind, 'noted')}"


_DATASET = Argument(["dataset"])
_CAP = (
    Option(["--epsilon"], type=float, required=True, help="cap of the sum of ε"),
    Option(["--delta"], default=1e-6, help="cap of the sum of δ"),
)
COMMAND = click.Group(
    "ledger",
    no_args_is_help=False,
    commands=[
        Command("verify", verify, Argument(["files"], type=Path, nargs=-1)),
        Command("show", show, Argument(["dataset"], required=False)),
        Command("declare", declare, _DATASET, *_CAP, PROTECTS),
        Command("lower", lower, _DATASET, *_CAP),
    ],
)
