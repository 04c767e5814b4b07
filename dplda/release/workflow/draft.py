"""A release in preparation: what each step has decided, and what it still needs; and one under way."""

from bisect import bisect_left
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from dplda.core.errors import DpldaError, NotReleasable
from dplda.corpus import MOST_TOKENS, Corpus, Simulation
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.prior_sources import PriorKind
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method_spec
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Caveat
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.amounts import EPSILON_UNITS, to_units
from dplda.release.ledger.balance import SMALLER, Balance
from dplda.release.ledger.fingerprints import holds_former_readings, note_documents
from dplda.release.ledger.folder import Folder, default_path
from dplda.release.ledger.ledger import Ledger, LedgerError, check_name, noted_in
from dplda.release.workflow import checks, perform
from dplda.release.workflow.continuation import as_charged
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.price import PAID_BEFORE, describe_price, describe_terms
from dplda.release.workflow.release_store import (
    find_existing,
    find_progress,
    latest_releases,
    load_prior,
    receipt_for,
)
from dplda.release.workflow.request import Receipt, Request

_ONE = ThreadPoolExecutor(
    max_workers=1, thread_name_prefix="dplda-release"
)  # release at a time in this process


class ReleaseStep(IntEnum):
    """The steps from a file to a published release."""

    FILE = 1
    WHOM = 2
    BUDGET = 3
    REHEARSAL = 4
    RELEASE = 5
    SHARE = 6


@dataclass(frozen=True, eq=False)
class Draft:
    """The decisions so far.

    Attributes:
        unit: what is protected: a ``document`` or a ``person``.
        datasets: the ledger's datasets that protect this unit.
        cap: the budget (ε, δ) of a dataset that starts with this release; None if it exists.
        begun: whether this request was started before, which may have charged it.
        owner: the dataset that the documents belong to, whatever it protects; empty if none.
        opened: a release to look at, and to continue if it was made of these documents; None for none.
    """

    corpus: Corpus
    unit: str
    datasets: Mapping[str, Balance]
    request: Request
    new_budget: tuple[float, float] | None
    is_started: bool
    owner: str = ""
    opened: Receipt | None = None

    @cached_property
    def rows(self) -> Corpus:
        """The corpus with what is protected as its rows."""
        return checks.protected_rows(self.corpus, self.unit)

    @property
    def balance(self) -> Balance:
        """What the dataset has left."""
        return (
            Balance(to_units(*self.new_budget, up=False))
            if self.new_budget
            else self.datasets[self.request.dataset]
        )

    @property
    def balance_after(self) -> Balance | None:
        """What the dataset has left after the release; None where it has too little."""
        epsilon, delta = self.request.cost
        return self.balance.after_release(
            epsilon=epsilon, delta=delta, spending=self.request.spending(self.rows)
        )

    @property
    def _lacking(self) -> str:
        """Which part of the budget has too little left, and what to do."""
        epsilon, delta = self.request.cost
        spending = self.request.spending(self.rows)
        return self.balance.explain_refusal(epsilon=epsilon, delta=delta, spending=spending)

    @property
    def unknown_words(self) -> list[str]:
        """The words of an owner's table or seeds that a fixed or public word list lacks."""
        table, words = self.request.settings.method.prior, self.request.selection
        listed = words.listed if words else self.corpus.vocabulary
        fixed = (
            self.corpus.vocabulary_source in (VocabularySource.FIXED, VocabularySource.SELECTED)
            and listed
        )
        if table is None or table.kind is PriorKind.ENGLISH or not fixed:
            return []
        try:
            return sorted(
                set(table.load_prior(self.request.settings.problem.n_topics).words).difference(
                    listed
                )
            )
        except DpldaError:  # said where the step is left
            return []

    @cached_property
    def progress(self) -> Progress | None:
        """What became of an earlier charge of this request that is answered at no further charge; None without one."""
        if self.new_budget or not default_path().exists():
            return None
        folder = Folder()
        corpus = as_charged(self.corpus.as_read, self.request, folder)
        return find_progress(corpus, self.request, folder)

    @property
    def is_affordable(self) -> bool:
        """Whether the release is paid for, or the budget has room for it."""
        return self.is_started or self.balance_after is not None or self.progress is not None

    def price(self) -> tuple[str, ...]:
        """What the release would use, and whom it protects."""
        if self.progress is not None:
            return (PAID_BEFORE[self.progress],)
        return tuple(
            describe_price(
                self.rows,
                self.request,
                self.balance,
                self.unit,
                follows_former_reading=self._follows_former_reading,
            )
        )

    @property
    def _follows_former_reading(self) -> bool:
        """Whether an earlier version of dplda charged this dataset."""
        if self.new_budget or not default_path().exists():
            return False
        return holds_former_readings(Ledger(Folder()), self.request.dataset)

    def terms(self) -> tuple[str, ...]:
        """What the release would contain, in full."""
        return describe_terms(self.rows, self.request, self.unit)

    def twin_simulation(self, typical: int) -> Simulation:
        """A simulation of the same size, from public numbers only; ``typical`` is the expected words per row."""
        asked, words, n = (
            self.request.settings.problem,
            self.request.selection,
            self.rows.n_documents,
        )
        return Simulation(
            n_documents=n,
            n_words=words.n_words if words else self.corpus.n_words,
            n_topics=asked.n_topics,
            alpha0=asked.alpha0,
            mean_length=max(1, min(typical, MOST_TOKENS // n)),
        )

    def summary(self, step: ReleaseStep) -> tuple[str, ...]:
        """What earlier steps decided."""
        asked, one, corpus = self.request, self.request.settings, self.corpus
        k, (epsilon, delta) = one.problem.n_topics, asked.total
        parts = (
            f"{corpus.name} ({corpus.label}), {corpus.as_read.n_documents:,} documents",
            f"each {self.unit} protected",
            f"{one.registered_method.title}, k {k}, ε {format_rounded_up(epsilon, 3)}, δ {format_rounded_up(delta, 3)}, budget of “{asked.dataset}”",
        )
        return () if self.opened else parts[: step - 1]  # what is released says its own numbers

    def receipt(self) -> Receipt | None:
        """The receipt of this request, if it was released."""
        return None if self.new_budget else find_existing(self.corpus, self.request, Folder())

    def continued(self, since: Artefact, epsilon: float) -> "Draft":
        """A release that continues another, up to a total ε."""
        request = self.request.continuing(since, epsilon)
        corpus = as_charged(self.corpus, request, Folder())
        return replace(self, corpus=corpus, request=request, is_started=False)

    def total_epsilon_options(self, since: Artefact) -> tuple[float, float]:
        """The smallest total ε that adds to a release, and the largest, up to twice its own, that the budget allows."""
        cap, paid = self.balance.cap[0] / EPSILON_UNITS, since.guarantee.claimed_epsilon
        totals = [float(format_rounded_up(paid * part / 50, 3)) for part in range(51, 101)]
        fit = bisect_left(
            totals, True, key=lambda total: total > cap or self.continued(since, total)._refused()
        )
        return totals[0], totals[max(fit - 1, 0)]

    def _refused(self) -> bool:
        try:
            checks.check_request(self.rows, self.request)
        except NotReleasable:
            return True
        return self.balance_after is None

    def check_step(self, step: ReleaseStep) -> None:
        """Refuse to leave a step that still needs something."""
        request = self.request
        if step is ReleaseStep.FILE:
            checks.check_vocabulary(self.corpus.as_read, request.selection)
        elif step is ReleaseStep.WHOM:
            _ = self.rows
        elif step is ReleaseStep.BUDGET:
            if self.owner and self.new_budget:
                way = "Choose it as the budget"
                if self.owner not in self.datasets:
                    way = f"It does not protect each {self.unit}. Change step 2, or read the file's column of persons"
                raise LedgerError(f"These documents belong to “{self.owner}”. {way}.")
            if not request.dataset:
                raise LedgerError("Give the documents a name first.")
            checks.check_request(self.rows, request)
            if self.new_budget:
                check_name(
                    request.dataset, Ledger(Folder()).datasets() if default_path().exists() else ()
                )
            if not self.is_affordable and self.receipt() is None:
                other = (
                    "a larger budget"
                    if self.new_budget
                    else "a new budget if these are different documents"
                )
                kept = self.new_budget is None and any(
                    one.dataset == request.dataset for one in latest_releases(Folder()).values()
                )
                where = (
                    " No topics of its releases are in the release folder."
                    if any(self.balance.added_up)
                    else ""
                )
                where = " Its earlier releases can be opened in step 1." if kept else where
                words = "" if request.selection is None else " for words and topics"
                less = f"“{request.dataset}” has less left than this release uses{words}"
                fix = f"Choose a smaller ε, or {other}."
                if self._lacking != SMALLER:
                    fix = f"{self._lacking} Or choose {other}."
                raise LedgerError(f"{less}. {fix}{where}")
        elif step is ReleaseStep.RELEASE and self.receipt() is None:
            raise DpldaError("Nothing is released yet. Release first.")


def reopen_draft(number: str | None, corpus: Corpus, seen: tuple[Caveat, ...]) -> Draft | None:
    """The release with this receipt number, or the last that continues it, and its request; None without a number."""
    if number is None:
        return None
    if (entry := latest_releases(folder := Folder()).get(number)) is None:
        raise DpldaError(
            "The release of this address is not in the release folder. Put its file back."
        )
    found, name, noted = receipt_for(entry, folder), entry.dataset, noted_in(entry)
    one, table = found.artefact, load_prior(found.artefact, folder)
    words = one.resumable and one.resumable.selected_words
    epsilon, delta = one.guarantee.claimed_epsilon, one.guarantee.claimed_delta
    budget = Budget(words.topics_epsilon, words.topics_delta) if words else Budget(epsilon, delta)
    method = (
        refined_with(table, trusted=bool(noted.get("trusted"))).spec
        if table
        else parse_method_spec(noted.get("method"))
    )
    experiment = Experiment(
        corpus=HeldDocuments(),
        method=method,
        problem=Problem(one.n_topics, one.alpha0),
        budget=budget,
    )
    request = Request(
        name,
        one.documents,
        experiment,
        caveats=seen,
    )
    return Draft(
        corpus,
        Ledger(folder).protects(name),
        {name: found.balance},
        request,
        None,
        is_started=False,
        opened=found,
    )


class ReleaseJob:
    """A release in its own thread, which finishes even if the page closes; started when this is created.

    Raises:
        DpldaError: a new budget cannot be declared, or the documents have another; nothing is started or charged.
    """

    def __init__(self, draft: Draft) -> None:
        request, cap = draft.request, draft.new_budget
        if cap is not None:
            note_documents(
                draft.corpus.as_read, request.dataset, Folder(), Ledger(Folder())
            )  # refused: no budget is left
            Ledger(Folder()).declare(
                request.dataset, epsilon=cap[0], delta=cap[1], protects=draft.unit
            )
        self.request_text = request.canonical_text()
        self.last_report = (0.0, "charging the ledger")
        self.future: Future[Receipt] = _ONE.submit(
            perform.release, draft.corpus, request, Folder(), report=self._tell
        )

    def _tell(self, share: float, step: str) -> None:
        self.last_report = (min(max(share, 0.0), 1.0), step)
