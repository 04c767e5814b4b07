"""The ledger: an append-only record of privacy budgets, charged before any noise is drawn.

One table of entries (``records.schema``): a dataset is declared with a budget, which may only fall;
releases are charged to it, and documents are noted as its own. There are no refunds. Every entry
carries a keyed hash of itself and the one before, and the file ``head`` (``ledger.head``) names
the last one. Without the folder's key, changed, dropped or restored entries are noticed before
anything is written. Only receipts and files kept elsewhere reveal an older copy of the whole
folder.

Gaussian releases add up as their noise does, within caps that the first of them fixes
(``privacy.accounting.budget_caps``): its entry holds the caps, and every entry what it adds.
Entries without that, as earlier versions wrote all of them, count by basic composition: their ε and
δ are taken off the budget before the caps are fixed.
"""

import json

from dplda.core.errors import InputError
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.accounting.odds import format_rounded_down, format_rounded_up
from dplda.release.ledger.amounts import DELTA_UNITS, EPSILON_UNITS, is_within, to_units
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.entry_log import EntryLog
from dplda.release.ledger.names import LONGEST_NAME, check_name
from dplda.release.ledger.records.entry import (
    DOCUMENT,
    KEPT,
    PERSON,
    LedgerEntry,
    LedgerError,
    noted_in,
)
from dplda.release.ledger.tally import HOW_TO_DECLARE as HOW_TO_DECLARE
from dplda.release.ledger.tally import balance_of

__all__ = [
    "DOCUMENT",
    "HOW_TO_DECLARE",
    "LONGEST_NAME",
    "PERSON",
    "Ledger",
    "LedgerEntry",
    "LedgerError",
    "check_name",
    "noted_in",
]


class Ledger(EntryLog):
    """The ledger of a folder: budgets, and what was charged to them."""

    def declare(
        self, dataset: str, *, epsilon: float, delta: float, protects: str = DOCUMENT
    ) -> LedgerEntry:
        """Declare a dataset's privacy budget, the most that all its releases may use; rounded down.

        Args:
            dataset: its name, 1 to 80 printable characters.
            epsilon: ε of the whole budget.
            delta: δ of the whole budget.
            protects: ``document``, or ``person`` for all documents of one; this never changes.

        Raises:
            LedgerError: the name is invalid, taken, or reads like another, or ``protects`` is
                neither of the two.
            InputError: ε or δ is out of range, or ε rounds down to 0.
        """
        if protects not in (DOCUMENT, PERSON):
            raise LedgerError(f"A guarantee protects a {DOCUMENT} or a {PERSON}.")
        cap = to_units(epsilon, delta, up=False)
        if cap[0] == 0:
            raise InputError("the cap of ε", f"at least {1 / EPSILON_UNITS:g}", f"{epsilon:g}")
        with self._writing() as entries:
            check_name(dataset, [entry.dataset for entry in entries if entry.kind == "declared"])
            return self._append(entries, "declared", dataset, cap, protects)

    def lower(self, dataset: str, *, epsilon: float, delta: float) -> LedgerEntry:
        """Lower a privacy budget, permanently, and with it the caps on its Gaussian releases.

        Args:
            dataset: its name.
            epsilon: ε of the whole budget, rounded down.
            delta: δ of the whole budget, rounded down.

        Raises:
            LedgerError: ε or δ would rise, or there is no such dataset.
            InputError: ε or δ is out of range.
        """
        cap = to_units(epsilon, delta, up=False)
        with self._writing() as entries:
            balance = balance_of(entries, dataset)
            if not is_within(cap, balance.cap):
                epsilon_text = format_rounded_down(balance.cap[0] / EPSILON_UNITS)
                delta_text = format_rounded_down(balance.cap[1] / DELTA_UNITS)
                raise LedgerError(
                    f"The budget of {dataset!r} can only be lowered. Choose at most"
                    f" ε = {epsilon_text}, δ = {delta_text}."
                )
            budget_caps = balance.with_lower_cap(cap).budget_caps
            detail = json.dumps({"caps": budget_caps}) if budget_caps else ""
            return self._append(entries, "lowered", dataset, cap, detail)

    def charge(
        self,
        dataset: str,
        *,
        epsilon: float,
        delta: float,
        detail: str,
        documents: str | None = None,
        spending: Spending | None = None,
    ) -> LedgerEntry:
        """Charge a release to a dataset, permanently; the charge is on disk when this returns.

        The detail of a charge for Gaussian noise is noted with what it adds to Gaussian totals, and
        that of the first one with their caps.

        Args:
            dataset: its name.
            epsilon: ε of the release by itself, rounded up.
            delta: δ of the release by itself, rounded up.
            detail: facts on the release; a JSON object where ``spending`` is given.
            documents: a note of the documents that belong to the dataset from now on; None for
                none.
            spending: of Gaussian noise; None for any other mechanism, whose ε and δ are added up.

        Raises:
            LedgerError: too little is left, the dataset is unknown, or the ledger was changed; then
                nothing is charged or noted. If the disk fails meanwhile, it may count as charged.
            InputError: ε or δ is out of its range.
        """
        price = to_units(epsilon, delta, up=True)
        with self._writing() as entries:
            balance = balance_of(entries, dataset)
            balance_after = balance.after_release(epsilon=epsilon, delta=delta, spending=spending)
            if balance_after is None:
                raise _refusal(dataset, balance, epsilon, delta, spending)
            if spending is not None and balance_after.budget_caps is not None:
                facts: dict[str, object] = {"adds": balance_after.budget_caps.price(spending)}
                if balance.budget_caps is None:
                    facts["caps"] = balance_after.budget_caps
                detail = json.dumps(facts | json.loads(detail))
            if documents is not None:
                self._append(entries, "documents", dataset, (0, 0), documents)
            return self._append(entries, "charged", dataset, price, detail)

    def balance(self, dataset: str) -> Balance:
        """The privacy budget of a dataset.

        Raises:
            LedgerError: there is no such dataset.
        """
        return balance_of(self.entries(), dataset)

    def protects(self, dataset: str) -> str:
        """The unit that a dataset's releases protect: a ``document`` or a ``person``.

        Raises:
            LedgerError: there is no such dataset.
        """
        self.balance(dataset)
        return next(entry.detail for entry in self.entries(dataset) if entry.kind == "declared")

    def datasets(self) -> tuple[str, ...]:
        """All datasets, in the order of their declaration."""
        return tuple(entry.dataset for entry in self.entries() if entry.kind == "declared")

    def entries(self, dataset: str | None = None) -> tuple[LedgerEntry, ...]:
        """Entries in order, pending ones too, but those on kept answers: all, or of one dataset."""
        return tuple(
            entry
            for entry in self._all_entries()
            if entry.kind != KEPT and dataset in (None, entry.dataset)
        )

    def kept_entries(self, dataset: str) -> tuple[LedgerEntry, ...]:
        """Entries on the answers that releases of a dataset kept before they used them."""
        return tuple(
            entry
            for entry in self._all_entries()
            if entry.kind == KEPT and entry.dataset == dataset
        )

    def note_kept(
        self, dataset: str, detail: str, *, last_note: LedgerEntry | None = None
    ) -> LedgerEntry:
        """Note that a release has kept one more answer; the note is on disk when this returns.

        Args:
            dataset: of the release.
            detail: facts that identify the answer, in JSON.
            last_note: the last note of the same release that this object made; None for none. The
                ledger is checked from there on, so that a release of many answers does not check
                all of it for each.

        Raises:
            LedgerError: the ledger was changed. If the disk fails meanwhile, the answer may count
                as kept.
        """
        with self._writing(last_note) as entries:
            return self._append(entries, KEPT, dataset, (0, 0), detail)


def _refusal(
    dataset: str, balance: Balance, epsilon: float, delta: float, spending: Spending | None
) -> LedgerError:
    """The refusal of a release for which too little is left: what is left, its cost, and why.

    What is left is for Gaussian noise that of a release like this one, else of those so far.
    """
    remaining_text = balance.describe_remaining()
    if spending is not None:
        remaining_text = balance.describe_remaining_for(spending, epsilon=epsilon, delta=delta)
    cost_text = f"ε = {format_rounded_up(epsilon)} and δ = {format_rounded_up(delta)}"
    explained_shortage = balance.explain_refusal(epsilon=epsilon, delta=delta, spending=spending)
    return LedgerError(
        f"{dataset!r} has {remaining_text} left; this would cost {cost_text}. {explained_shortage}"
    )
