"""A release in preparation: the decisions of each step, and what it still needs."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from dplda.core.errors import DpldaError, NotReleasable
from dplda.corpus import MOST_TOKENS, Corpus
from dplda.corpus.corpus import VocabularySource
from dplda.corpus.simulation.real_word_twin import MAX_TWIN_WORDS, RealWordTwin, max_themes
from dplda.experiments.experiment import Experiment
from dplda.methods.base.prior_source import PriorKind
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.amounts import EPSILON_UNITS, to_units
from dplda.release.ledger.balance import SMALLER, SMALLER_EPSILON, Balance
from dplda.release.ledger.folder import Folder, default_path
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerError, check_name
from dplda.release.verdict.request_numbers import ExpectedTexts
from dplda.release.workflow import checks
from dplda.release.workflow.continuation import as_charged
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.price import describe_price, describe_terms
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.release_store import find_existing, latest_releases
from dplda.release.workflow.request import Request
from dplda.release.workflow.status import (
    NEW_REQUEST,
    RequestStatus,
    find_status,
    find_with_alpha0,
)

KNOWN_SOURCES = (VocabularySource.FIXED, VocabularySource.SELECTED)
"""Sources of a vocabulary whose words are known before the release."""

N_OPTIONS = 50
"""How many totals a continuation may choose from, up to twice the ε of the release."""


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
        corpus: the documents at hand.
        unit: what is protected: a ``document`` or a ``person``.
        datasets: the ledger's datasets that protect this unit, with their balances.
        request: the request.
        new_budget: ε and δ of a dataset that starts with this release; None if it exists.
        is_started: whether this request was started before, which may have charged it.
        owner: the dataset that the documents belong to, whatever it protects; empty if none.
        opened: a release to look at, and to continue if it was made of these documents; None for
            none.
        document_alpha0: α0 of one document, where the request has that of a person; None where
            rows are documents.
    """

    corpus: Corpus
    unit: str
    datasets: Mapping[str, Balance]
    request: Request
    new_budget: tuple[float, float] | None
    is_started: bool
    owner: str = ""
    opened: Receipt | None = None
    document_alpha0: float | None = None

    @property
    def experiment_on_documents(self) -> Experiment:
        """The experiment of the request with α0 of one document."""
        experiment = self.request.experiment
        if self.document_alpha0 is None:
            return experiment
        problem = replace(experiment.problem, alpha0=self.document_alpha0)
        return replace(experiment, problem=problem)

    @cached_property
    def rows(self) -> Corpus:
        """The corpus with what is protected as its rows."""
        return checks.protected_rows(self.corpus, self.unit)

    @property
    def balance(self) -> Balance:
        """The balance of the dataset before the release."""
        if self.new_budget is None:
            return self.datasets[self.request.dataset]
        epsilon, delta = self.new_budget
        return Balance(to_units(epsilon, delta, up=False))

    @property
    def balance_after(self) -> Balance | None:
        """The balance of the dataset after the release; None where it has too little."""
        epsilon, delta = self.request.cost
        return self.balance.after_release(
            epsilon=epsilon, delta=delta, spending=self.request.spending(self.rows)
        )

    def with_epsilon(self, epsilon: float) -> "Draft":
        """The same draft with another ε of its topics."""
        experiment = self.request.experiment
        budget = replace(experiment.budget, epsilon=epsilon)
        request = replace(self.request, experiment=replace(experiment, budget=budget))
        return replace(self, request=request)

    def affords(self, epsilon: float) -> bool:
        """Whether the budget has room for this release at another ε of its topics."""
        return self.with_epsilon(epsilon).balance_after is not None

    @cached_property
    def status(self) -> RequestStatus:
        """Where the request stood when this draft was made."""
        if self.new_budget is not None or not default_path().exists():
            return NEW_REQUEST
        return find_status(self.corpus, self.request, Folder())

    @property
    def progress(self) -> Progress | None:
        """Progress of an earlier charge of this request that is finished free; None without one."""
        return self.status.progress

    @property
    def is_affordable(self) -> bool:
        """Whether the release is paid for, or the budget has room for it."""
        return self.is_started or self.balance_after is not None or self.progress is not None

    @property
    def unknown_words(self) -> list[str]:
        """Words of the owner's table or seed words that the word list lacks, sorted.

        Empty without a table, for the English one, without a fixed or public list, or if the table
        cannot be read, which is refused later.
        """
        prior = self.request.experiment.method.prior
        selection = self.request.selection
        listed_words = self.corpus.vocabulary if selection is None else selection.listed
        is_known_list = self.corpus.vocabulary_source in KNOWN_SOURCES and bool(listed_words)
        if prior is None or prior.kind is PriorKind.ENGLISH or not is_known_list:
            return []
        try:
            prior_words = prior_from_source(prior, self.request.experiment.problem.n_topics).words
        except DpldaError:  # said where the step is left
            return []
        return sorted(set(prior_words).difference(listed_words))

    def price(self) -> tuple[str, ...]:
        """Sentences on what the release would use, and whom it protects."""
        return tuple(describe_price(self.rows, self.request, self.balance, self.unit, self.status))

    def terms(self) -> tuple[str, ...]:
        """Sentences on what the release would contain, in full."""
        return describe_terms(self.rows, self.request, self.unit)

    def receipt(self) -> Receipt | None:
        """The receipt of this request, if it was released by now."""
        if self.new_budget is not None:
            return None
        return find_existing(self.corpus, self.request, Folder())

    def receipt_of_earlier_alpha0(self) -> Receipt | None:
        """The receipt of a release of persons that differs from this request in α0 alone.

        Before α0 became that of all documents of a person, the same controls requested α0 of one
        document. None if there is no such release, or its file cannot be read.
        """
        if self.new_budget is not None or self.document_alpha0 is None:
            return None
        return find_with_alpha0(self.corpus, self.request, self.document_alpha0, Folder())

    def twin(self, texts: ExpectedTexts) -> RealWordTwin:
        """Describe a twin in real words about as large as the documents, from public numbers only.

        Its words, topics and lengths are fewer where ``MAX_TWIN_WORDS``, the themes or
        ``MOST_TOKENS`` limit them.

        Args:
            texts: the owner's guess about the documents.
        """
        problem = self.experiment_on_documents.problem
        n_rows = self.rows.n_documents
        documents_per_row = texts.documents_per_person if self.unit == PERSON else 1.0
        max_mean_length = MOST_TOKENS / (n_rows * documents_per_row)
        return RealWordTwin(
            n_rows=n_rows,
            n_words=min(self.request.n_words(self.corpus), MAX_TWIN_WORDS),
            n_topics=min(problem.n_topics, max_themes()),
            alpha0=problem.alpha0,
            mean_length=max(1.0, min(texts.mean_length, max_mean_length)),
            documents_per_row=documents_per_row,
        )

    def summary(self, step: ReleaseStep) -> tuple[str, ...]:
        """Describe the decisions of the steps before this one; empty for an opened release.

        Documents come first, then what is protected, then method and budget.
        """
        if self.opened is not None:
            return ()
        experiment = self.request.experiment
        promised_epsilon, promised_delta = self.request.total
        promise_text = (
            f"ε {format_rounded_up(promised_epsilon, 3)}, δ {format_rounded_up(promised_delta, 3)}"
        )
        decisions = (
            f"{self.corpus.name} ({self.corpus.label}),"
            f" {self.corpus.as_read.n_documents:,} documents",
            f"each {self.unit} protected",
            f"{experiment.registered_method.title}, k {experiment.problem.n_topics},"
            f" {promise_text}, budget of “{self.request.dataset}”",
        )
        return decisions[: step - 1]

    def continued(self, previous: Artefact, epsilon: float) -> "Draft":
        """A draft that continues a release, up to a total ε."""
        request = self.request.continuing(previous, epsilon)
        corpus = as_charged(self.corpus, request, Folder())
        return replace(self, corpus=corpus, request=request, is_started=False)

    def total_epsilon_options(self, previous: Artefact) -> tuple[float, float]:
        """The smallest total ε that is offered for a continuation, and the largest affordable one.

        The second is one of those offered. A total above the dataset's budget is not affordable.
        Offered are ``N_OPTIONS`` values above the ε of the release, in equal steps up to twice it,
        rounded up to 3 digits. Where not even the smallest is affordable, both are the smallest.
        """
        dataset_epsilon_cap = self.balance.cap[0] / EPSILON_UNITS
        previous_epsilon = previous.guarantee.claimed_epsilon
        total_epsilons = [
            float(format_rounded_up(previous_epsilon * (N_OPTIONS + step) / N_OPTIONS, 3))
            for step in range(1, N_OPTIONS + 1)
        ]

        def is_refused(total_epsilon: float) -> bool:
            """Whether a total is above the cap, or the budget has no room for what is missing."""
            return (
                total_epsilon > dataset_epsilon_cap
                or self.continued(previous, total_epsilon)._is_refused()
            )

        n_affordable = bisect_left(total_epsilons, True, key=is_refused)
        return total_epsilons[0], total_epsilons[max(n_affordable - 1, 0)]

    def check_step(self, step: ReleaseStep) -> None:
        """Refuse to leave a step that still needs something; rehearsing and sharing need nothing.

        Raises:
            DpldaError: the documents, the unit or the budget cannot be released so, or nothing is
                released yet.
        """
        if step is ReleaseStep.FILE:
            checks.check_vocabulary(self.corpus.as_read, self.request.selection)
        elif step is ReleaseStep.WHOM:
            checks.protected_rows(self.corpus, self.unit)
        elif step is ReleaseStep.BUDGET:
            self._check_budget_step()
        elif step is ReleaseStep.RELEASE and self.receipt() is None:
            raise DpldaError("Nothing is released yet. Release first.")

    def _is_refused(self) -> bool:
        """Whether the request breaks a rule, or the dataset has no balance after it."""
        try:
            checks.check_request(self.rows, self.request)
        except NotReleasable:
            return True
        return self.balance_after is None

    def _check_budget_step(self) -> None:
        """Refuse a new budget for owned documents, a missing or bad name, or too little left.

        The request has to pass its checks too. A release that was made before needs nothing left.

        Raises:
            LedgerError: the budget, its name or what is left of it is refused.
            NotReleasable, InputError: the request fails a check.
        """
        dataset = self.request.dataset
        if self.owner and self.new_budget:
            raise LedgerError(self._explain_owner())
        if not dataset:
            raise LedgerError("Give the documents a name first.")
        checks.check_request(self.rows, self.request)
        if self.new_budget:
            declared_names: tuple[str, ...] = ()
            if default_path().exists():
                declared_names = Ledger(Folder()).datasets()
            check_name(dataset, declared_names)
        if not self.is_affordable and self.receipt() is None:
            raise LedgerError(self._explain_refusal())

    def _explain_owner(self) -> str:
        """Sentences on documents that belong to a dataset, where a new budget was asked for."""
        fix = "Choose it as the budget"
        if self.owner not in self.datasets:
            fix = (
                f"It does not protect each {self.unit}. Change step 2, or read the file's column"
                " of persons"
            )
        return f"These documents belong to “{self.owner}”. {fix}."

    def _explain_refusal(self) -> str:
        """Explain that a budget has less left than the release uses, and what to do.

        If a part other than ε ran out, explains that part. If the dataset has earlier releases, the
        last sentence says whether their topics can be opened.
        """
        charged_epsilon, charged_delta = self.request.cost
        spending = self.request.spending(self.rows)
        explained_shortage = self.balance.explain_refusal(
            epsilon=charged_epsilon, delta=charged_delta, spending=spending
        )
        purpose_phrase = "" if self.request.selection is None else " for words and topics"
        other_budget_phrase = "a new budget if these are different documents"
        if self.new_budget:
            other_budget_phrase = "a larger budget"
        advice = f"Choose a smaller ε, or {other_budget_phrase}."
        if explained_shortage not in (SMALLER, SMALLER_EPSILON):
            advice = f"{explained_shortage} Or choose {other_budget_phrase}."
        return (
            f"“{self.request.dataset}” has less left than this release uses{purpose_phrase}."
            f" {advice}{self._place_of_earlier_releases()}"
        )

    def _place_of_earlier_releases(self) -> str:
        """A sentence on earlier releases of the dataset; empty if there are none.

        It says that they can be opened, or that the release folder has no topics of them.
        """
        releases = {} if self.new_budget else latest_releases(Folder())
        if any(charge.dataset == self.request.dataset for charge in releases.values()):
            return " Its earlier releases can be opened in step 1."
        if any(self.balance.added_up):
            return " No topics of its releases are in the release folder."
        return ""
