"""The text of a receipt, as the command prints it and pages list it."""

from dplda.release.artefact.released_file import release_sha256
from dplda.release.workflow.request import Receipt


def receipt_lines(receipt: Receipt) -> tuple[str, ...]:
    """Describe a receipt in lines: outcome, guarantee, risk, charge, SHA-256, budget left, path."""
    artefact = receipt.artefact
    return (
        _outcome(receipt),
        artefact.guarantee_text,
        artefact.guarantee.describe_risk(),
        f"Released at {artefact.released_at}, paid by charge {artefact.receipt_number}.",
        f"SHA-256 of the file: {release_sha256(artefact)}",
        f"Left for one more release: {receipt.balance.describe_remaining()}.",
        f"File: {receipt.path}",
    )


def _outcome(receipt: Receipt) -> str:
    """A sentence on the outcome: finished after an interruption, new, or released before."""
    if receipt.was_finished:
        return "Released, from where it was interrupted. It was charged then, and not again."
    if receipt.charged:
        return "Released."
    documents = repr(receipt.artefact.documents)
    return f"This was released before, as {documents}. Showing it again costs nothing."
