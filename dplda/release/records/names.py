"""Names of datasets: short, printable, and none that reads like another."""

from collections.abc import Sequence

from dplda.corpus.words.vocabulary import normalised
from dplda.release.records.entry import LedgerError

LONGEST_NAME = 80


def check_name(dataset: str, others: Sequence[str]) -> None:
    """Refuse an invalid name of a dataset, or one that reads like another."""
    if (
        not 1 <= len(dataset) <= LONGEST_NAME
        or not dataset.isprintable()
        or dataset != dataset.strip()
    ):
        raise LedgerError(f"A dataset's name must have 1 to {LONGEST_NAME} printable characters.")
    for name in others:
        if _looks(name) == _looks(dataset):
            raise LedgerError(
                f"There is a budget {name!r} already. Choose it for the same documents, or another name."
            )


def _looks(name: str) -> str:
    """A form that is equal for names that look the same."""
    return normalised("NFKC", name).casefold()
