"""A release to be: what is decided of it, step by step, and what each step still lacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.privacy.odds import short
from dplda.release import make
from dplda.release.folder import Folder, default_path
from dplda.release.kept import stored
from dplda.release.ledger import Balance, Ledger, LedgerError, check_name
from dplda.release.price import price, terms
from dplda.release.request import Receipt, Request


class ReleaseStep(IntEnum):
    """From a file to what is shared."""

    FILE = 1
    WHOM = 2
    BUDGET = 3
    REHEARSAL = 4
    RELEASE = 5
    SHARE = 6


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """What is decided so far.

    Attributes:
        unit: what is protected: a ``document``, or a ``person``.
        datasets: of the ledger, those that protect this unit.
        cap: of ε and δ, of a dataset that begins with this release; None where there is one.
        begun: whether this very request was begun already, which may have paid for it.
    """

    corpus: Corpus
    unit: str
    datasets: Mapping[str, Balance]
    request: Request
    cap: tuple[float, float] | None
    begun: bool

    @property
    def rows(self) -> Corpus:
        """What is protected, as rows."""
        return make.protected(self.corpus, self.unit)

    @property
    def balance(self) -> Balance:
        """What the dataset has left."""
        return Balance.unspent(*self.cap) if self.cap else self.datasets[self.request.dataset]

    def price(self) -> tuple[str, ...]:
        """What the release would use, and for whom."""
        return price(self.rows, self.request, self.balance, self.unit)

    def terms(self) -> tuple[str, ...]:
        """What would be released, in full."""
        return terms(self.rows, self.request, self.unit)

    def decided(self, step: ReleaseStep) -> tuple[str, ...]:
        """What the steps before this one decided."""
        one, corpus = self.request.settings, self.corpus
        k, (epsilon, delta) = one.problem.n_topics, (one.budget.epsilon, one.budget.delta)
        parts = (
            f"{corpus.name} ({corpus.label}), {corpus.as_read.n_documents:,} documents",
            f"each {self.unit} protected",
            f"{one.method.title}, k {k}, ε {epsilon:g}, δ {short(delta)}, budget of “{self.request.dataset}”",
        )
        return parts[: step - 1] or ("Nothing is decided yet.",)

    def receipt(self) -> Receipt | None:
        """What this very request gave, now or before."""
        return None if self.cap else stored(self.corpus, self.request, Folder())

    def check(self, step: ReleaseStep) -> None:
        """Refuses to go on from a step.

        Raises:
            DpldaError: what it lacks.
        """
        request, (epsilon, delta) = self.request, self.request.cost
        if step is ReleaseStep.FILE:
            make.check_words(self.corpus.as_read, request.selection)
        elif step is ReleaseStep.WHOM:
            make.protected(self.corpus, self.unit)
        elif step is ReleaseStep.BUDGET:
            if not request.dataset:
                raise LedgerError("Name the documents.")
            make.check(self.rows, request)
            if self.cap:
                check_name(request.dataset, Ledger(Folder()).datasets() if default_path().exists() else ())
            affordable = self.balance.affords(epsilon=epsilon, delta=delta)
            if not affordable and not self.begun and self.receipt() is None:
                fix = "Choose a smaller ε, or a larger budget." if self.cap else "Choose a smaller ε."
                raise LedgerError(f"“{request.dataset}” has less left than this release uses. {fix}")
        elif step is ReleaseStep.RELEASE and self.receipt() is None:
            raise DpldaError("Nothing is released yet.")
