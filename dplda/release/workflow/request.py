"""A request for a release, frozen before any noise is drawn."""

import json
import math
from dataclasses import dataclass, replace

from dplda.corpus import Corpus, Selection
from dplda.experiments.experiment import Experiment
from dplda.methods.base.previous_release import PreviousRelease
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.noise.exact import MAX_DISCRETE_NUMBERS, delta_of_noise, tv_slack_of
from dplda.privacy.noise.exact_normals import NOISE_STD_LIMIT
from dplda.privacy.noise.fixed_point import count_resolution, grid_resolution
from dplda.privacy.release import Caveat
from dplda.privacy.word_selection.selection import round_noise
from dplda.privacy.word_selection.thresholds import (
    combine_with_fit,
    epsilon_for_fit,
    selection_thresholds,
)
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import parent_of
from dplda.release.ledger.amounts import SMALLEST_EPSILON
from dplda.release.workflow.equal_requests import equal_spellings

MAX_COUNTS = 64  # at least as many counts as any method releases
MAX_STEPS = 32  # at least as many k×d tables as any of them releases
ROUNDING_MARGIN = 1 + 1e-12  # of a sum of distances

LARGEST_NOISE_FACTOR = 22_000.0
"""Most by which a share of μ² widens a quantity's noise: no method gives a smaller share."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request, frozen before any noise is drawn; its numbers are floats, so equal ones are one.

    Attributes:
        dataset: the ledger's name for the documents.
        title: public name of the documents.
        experiment: method, number of topics, α0, ε and δ; its seed is ignored.
        selection: how words are selected of every word met and a public list; None for a fixed
            vocabulary.
        caveats: what was seen of these documents before the request; the release states it.
        previous: the release to continue, in which case ε and δ are those of both together; None
            for none.
    """

    dataset: str
    title: str
    experiment: Experiment
    selection: Selection | None = None
    caveats: tuple[Caveat, ...] = ()
    previous: Artefact | None = None

    def __post_init__(self) -> None:
        experiment, selection = next(equal_spellings(self.experiment, self.selection))
        object.__setattr__(self, "experiment", experiment)
        object.__setattr__(self, "selection", selection)

    def continuing(self, previous: Artefact, epsilon: float) -> "Request":
        """The same request, continuing a release, with the caveats of that release.

        The caveat on δ is not taken over, as δ and N imply it. Words are selected as before, or not
        at all.

        Args:
            previous: the release to continue.
            epsilon: total ε, for words and topics of both releases.

        Raises:
            InputError: the words alone took as much.
        """
        selection = None
        topics_epsilon = epsilon
        topics_delta = previous.guarantee.claimed_delta
        selected_words = previous.selected_words
        if selected_words is not None:
            selection = Selection(
                selected_words.n_words, selected_words.epsilon, selected_words.delta
            )
            topics_delta = selected_words.topics_delta
            topics_epsilon = epsilon_for_fit(selection, epsilon=epsilon, delta=topics_delta)
        budget = replace(self.experiment.budget, epsilon=topics_epsilon, delta=topics_delta)
        earlier_caveats = [
            caveat
            for caveat in previous.guarantee.caveats
            if caveat is not Caveat.DELTA  # which follows from δ and N
        ]
        return replace(
            self,
            experiment=replace(self.experiment, budget=budget),
            selection=selection,
            caveats=tuple(dict.fromkeys((*self.caveats, *earlier_caveats))),
            previous=previous,
        )

    @property
    def as_first_read(self) -> "Request":
        """The same request with its list of words as reading 1 took it."""
        if self.selection is None:
            return self
        return replace(self, selection=self.selection.former)

    @property
    def cost(self) -> tuple[float, float]:
        """ε and δ to charge: of words and topics together, and of what is missing to the total.

        A total just above that of the release to continue may add so little that δ alone covers it.
        It is charged the ledger's smallest ε then, and its μ² like any other.
        """
        promised_epsilon, promised_delta = self.total
        if self.previous is None:
            return promised_epsilon, promised_delta
        missing_epsilon = gaussian.epsilon_for(self.mu, delta_of_noise(promised_delta))
        return max(missing_epsilon, SMALLEST_EPSILON), promised_delta

    @property
    def mu(self) -> float:
        """Gaussian budget that the topics spend, beyond what they continue."""
        budget = self.experiment.budget
        total_mu = gaussian.mu_for(budget.epsilon, delta_of_noise(budget.delta))
        if self.previous_run is None:
            return total_mu
        return self.previous_run.remaining_mu(total_mu)

    @property
    def previous_run(self) -> PreviousRelease | None:
        """The run that this one continues; None without one.

        It holds state, μ, evidence, hash of the file, and the test of its public table.


        None also if the file of the previous release holds no state. μ is that of its topics alone,
        without a selection of words and without the δ set aside for exact noise.
        """
        previous = self.previous
        if previous is None or previous.resumable is None:
            return None
        topics_epsilon = previous.guarantee.claimed_epsilon
        topics_delta = previous.guarantee.claimed_delta
        selected_words = previous.selected_words
        if selected_words is not None:
            topics_epsilon = selected_words.topics_epsilon
            topics_delta = selected_words.topics_delta
        prior_use = previous.prior_use
        return PreviousRelease(
            previous.resumable.state,
            gaussian.mu_for(topics_epsilon, delta_of_noise(topics_delta)),
            previous.evidence,
            parent_of(previous).sha256,
            prior_was_tested=prior_use is not None and prior_use.asked,
            prior_advantage=math.nan if prior_use is None else prior_use.advantage,
        )

    @property
    def previous_tv_slack(self) -> float:
        """Distance of exact noise in the releases that this one continues."""
        if self.previous is None or self.previous.resumable is None:
            return 0.0
        return self.previous.resumable.tv_slack

    @property
    def total(self) -> tuple[float, float]:
        """ε and δ that the release promises, with those that it continues."""
        budget = self.experiment.budget
        if self.selection is None:
            return budget.epsilon, budget.delta
        return combine_with_fit(
            self.selection, epsilon=budget.epsilon, delta=budget.delta, gaussian_fit=True
        )

    def n_words(self, rows: Corpus) -> int:
        """Most words that the release may have: those of a selection, or the fixed vocabulary."""
        return rows.n_words if self.selection is None else self.selection.n_words

    def spending(self, rows: Corpus) -> Spending:
        """Gaussian spending that the release adds to those before it, from public numbers only.

        Selected words count in a new release only: their μ is composed with that of the topics,
        their chance to fail is spent, and the distance of their noise is added. The distance of
        exact noise is a bound for any releasable method, and ``ExactNoise`` refuses to exceed it.

        Args:
            rows: the documents, with what is protected as rows.
        """
        mu = self.mu
        tv_slack = self._tv_slack_of_topics(rows)
        smallest_mu = _smallest_mu(rows.n_documents)
        if self.selection is None or self.previous is not None:
            return Spending(mu, 0.0, tv_slack * ROUNDING_MARGIN, smallest_mu)
        selection_spending = selection_thresholds(self.selection)
        tv_slack += sum(
            tv_slack_of(n_numbers, noise_std)
            for n_numbers, noise_std in round_noise(self.selection, rows.n_documents)
        )
        total_mu = gaussian.compose([selection_spending.mu, mu])
        return Spending(
            total_mu,
            selection_spending.selection_failure,
            tv_slack * ROUNDING_MARGIN,
            smallest_mu * total_mu / mu,
        )

    def _tv_slack_of_topics(self, rows: Corpus) -> float:
        """Upper bound on the distance of the topics' exact noise from Gaussian noise.

        The noise of word selection is not counted.
        """
        n_words = self.n_words(rows)
        n_topics = self.experiment.problem.n_topics
        n_documents = rows.n_documents
        grid_noise = grid_resolution(n_documents) / self.mu
        size_of_step = min((n_topics + 1) * n_words, MAX_DISCRETE_NUMBERS)
        size_of_pairs = n_words * (n_words + 1) // 2
        size_of_triples = n_topics * (n_topics + 1) * (n_topics + 2)
        release_sizes = [*[size_of_step] * MAX_STEPS, size_of_pairs, size_of_triples]
        tv_slack = sum(tv_slack_of(release_size, grid_noise) for release_size in release_sizes)
        return tv_slack + tv_slack_of(MAX_COUNTS, count_resolution(n_documents) / self.mu)

    def canonical_text(self) -> str:
        """Everything that changes the result, as text; the title does not."""
        return self._text(self.experiment, self.selection)

    def texts_of_charges(self) -> tuple[str, ...]:
        """The texts under which this request may have been charged: its own first.

        Earlier versions told ε = 1 from ε = 1.0, and charged each.
        """
        spellings = equal_spellings(self.experiment, self.selection)
        return tuple(self._text(experiment, selection) for experiment, selection in spellings)

    def _text(self, experiment: Experiment, selection: Selection | None) -> str:
        """Write all that changes the result, except the documents, as JSON.

        Title, caveats and seed are left out. Equal requests have equal texts.
        """
        problem = experiment.problem
        budget = experiment.budget
        method = experiment.method
        plan_text = None if experiment.plan is None else experiment.plan.to_json()
        number_texts = (repr(number) for number in (problem.alpha0, budget.epsilon, budget.delta))
        identifying_values = [self.dataset, method.text, problem.n_topics, *number_texts, plan_text]
        if selection is not None:
            identifying_values.append(selection.identity)
        prior = method.prior
        if prior is not None:
            identifying_values += [prior.kind, prior.digest, method.prior_is_trusted]
        if self.previous is not None:
            identifying_values.append(parent_of(self.previous).sha256)
        return json.dumps(identifying_values)


def _smallest_mu(n_documents: int) -> float:
    """μ of topics whose noise is the widest that fits into 64 bits."""
    return grid_resolution(n_documents) * LARGEST_NOISE_FACTOR / NOISE_STD_LIMIT
