"""The outcome of a release, and the text of it that the command prints and pages list."""

from dataclasses import dataclass
from pathlib import Path

from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import release_sha256
from dplda.release.ledger.balance import Balance


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonReceipt:
    """The part of a receipt that releases of topics and of shares have in common.

    Attributes:
        path: of the released file in the release folder.
        charged: whether this call charged the release.
        balance: of its dataset.
        was_finished: whether this call finished it, from a charge that an earlier one had made.
    """

    path: Path
    charged: bool
    balance: Balance
    was_finished: bool = False

    def describe_outcome(self, released_before: str) -> str:
        """A sentence on the outcome: finished after an interruption, new, or released before.

        A new release is only said to be released; what it cost stands elsewhere.

        Args:
            released_before: sentence on what was released before; that showing it is free follows.
        """
        if self.was_finished:
            return "Released, from where it was interrupted. It was charged then, and not again."
        if self.charged:
            return "Released."
        return f"{released_before} Showing it again costs nothing."

    def describe_budget_left(self) -> str:
        """A sentence on the part of the budget that is left, in percent, and as ε and δ."""
        remaining_text = self.balance.describe_remaining()
        return (
            f"{self.balance.percent_left}% of the budget is left ({remaining_text}, for one more"
            " release)."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(CommonReceipt):
    """The outcome of a release of topics.

    Attributes:
        artefact: the release.
    """

    artefact: Artefact


def receipt_lines(receipt: Receipt) -> tuple[str, ...]:
    """Describe a receipt in lines: outcome, guarantee, risk, charge, SHA-256, budget left, path."""
    artefact = receipt.artefact
    return (
        receipt.describe_outcome(f"This was released before, as {artefact.documents!r}."),
        artefact.guarantee.in_words(),
        artefact.guarantee.describe_risk(),
        f"Released at {artefact.released_at}, paid by charge {artefact.receipt_number}.",
        f"SHA-256 of the file: {release_sha256(artefact)}",
        receipt.describe_budget_left(),
        f"File: {receipt.path}",
    )
