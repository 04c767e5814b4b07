"""What is decided of a release so far: made anew on every run, from what the session holds."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.release import make
from dplda.release.folder import Folder, default_path
from dplda.release.kept import stored
from dplda.release.ledger import DOCUMENT, PERSON, Balance, Ledger, LedgerError, check_name
from dplda.release.price import price
from dplda.release.request import Receipt, Request
from dplda.ui.literal import literal
from dplda.ui.release import job
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import looks
from dplda.ui.state.keys import Key
from dplda.ui.state.link import delta_text, epsilon_text

DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
TITLE = "the documents"


class ReleaseStep(StrEnum):
    """The six steps, as an address names them."""

    FILE = "file"
    WHOM = "whom"
    BUDGET = "budget"
    REHEARSE = "rehearse"
    RELEASE = "release"
    SHARE = "share"


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A release to be.

    Attributes:
        datasets: of the ledger, those that protect this unit.
        least: the cap of ε and δ first offered, enough for this release.
        opens: cap of a dataset that begins with this release; None where there is one.
    """

    corpus: Corpus
    unit: str
    datasets: tuple[str, ...]
    request: Request
    least: tuple[float, float]
    opens: tuple[float, float] | None
    balance: Balance

    def price(self) -> tuple[str, ...]:
        """What the release would use and promise, in words."""
        return price(make.protected(self.corpus, self.unit), self.request, self.balance, self.unit)

    def receipt(self) -> Receipt | None:
        """What this very request gave, now or before."""
        found, own = None if self.opens else stored(self.corpus, self.request, Folder()), job.running(self.request)
        return found and replace(found, charged=own is not None)

    def check(self, step: ReleaseStep) -> None:
        """Refuses to go on from a step, and says why."""
        request, (epsilon, delta) = self.request, self.request.cost
        if step is ReleaseStep.FILE:
            make.check_words(self.corpus.as_read, request.selection)
        elif step is ReleaseStep.WHOM:
            make.protected(self.corpus, self.unit)
        elif step is ReleaseStep.BUDGET:
            make.check(make.protected(self.corpus, self.unit), request)
            if self.opens:
                names = Ledger(Folder()).datasets() if default_path().exists() else ()
                check_name(request.dataset, names)
            paid = job.running(request) or self.receipt()
            if not paid and not self.balance.affords(epsilon=epsilon, delta=delta):
                raise LedgerError(f"“{request.dataset}” has less left than this release uses. Choose a smaller ε.")
        elif step is ReleaseStep.RELEASE and self.receipt() is None:
            raise DpldaError("Nothing is released yet.")

    def decided(self, step: ReleaseStep) -> tuple[str, ...]:
        """What the steps before this one decided, as parts of a line."""
        one, order = self.request.settings, list(ReleaseStep)
        parts = (
            f"**{literal(self.corpus.name)}** ({self.corpus.label}), {self.corpus.as_read.n_documents:,} documents",
            f"each {self.unit} protected",
            f"{one.method.title}, k {one.problem.n_topics}, ε {epsilon_text(one.budget.epsilon)}, δ"
            f" {delta_text(one.budget.delta)}, budget “{literal(self.request.dataset)}”",
        )
        return parts[: order.index(step)]


def drafted(experiment: Experiment) -> Draft:
    """The draft, with the very values that widgets not drawn yet begin with."""
    corpus, state = experiment.corpus, st.session_state
    unit = str(state.get(unit_key(corpus)) or (PERSON if corpus.of_persons else DOCUMENT))
    ledger = Ledger(Folder()) if default_path().exists() else None
    if ledger and (faults := ledger.faults()):
        raise LedgerError(f"The ledger was tampered with or damaged: {'; '.join(faults)}. Restore the whole folder.")
    datasets = tuple(name for name in (ledger.datasets() if ledger else ()) if ledger and ledger.protects(name) == unit)
    chosen = state.get(Key.RELEASE_DATASET)
    name = chosen if chosen in (*datasets, "") else next(iter(datasets), "")
    name = name or str(state.get(Key.LEDGER_NAME, "")).strip()
    title = str(state.get(Key.RELEASE_TITLE) or TITLE)
    request = Request(name, title, experiment.settings, corpus.selection, looks.of(corpus))
    epsilon, delta = request.cost
    least = (min(100.0, max(3.0, math.ceil(10 * epsilon) / 10)), next((one for one in DELTAS if one > delta), 0.1))
    if ledger is not None and name in datasets:
        return Draft(corpus, unit, datasets, request, least, None, ledger.balance(name))
    keys = cap_keys(least)
    opens = (float(state.get(keys[0], least[0])), float(state.get(keys[1], least[1])))
    return Draft(corpus, unit, datasets, request, least, opens, Balance.unspent(*opens))


def unit_key(corpus: Corpus) -> str:
    """Of the choice of whom to protect: each file has its own."""
    return f"{Key.RELEASE_UNIT}.{corpus.as_read.digest[:12]}"


def cap_keys(least: tuple[float, float]) -> tuple[str, str]:
    """Of the cap's ε and δ, which begin with what is enough."""
    return f"{Key.LEDGER_EPSILON}.{least[0]}", f"{Key.LEDGER_DELTA}.{least[1]}"
