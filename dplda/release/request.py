"""A request for a release, frozen before any noise is drawn, and the receipt of a release."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from dplda.corpus import Corpus, Selection
from dplda.experiments.settings import Settings
from dplda.methods.base.previous_release import PreviousRelease
from dplda.privacy import gaussian
from dplda.privacy.noise.exact import MOST_DISCRETE, delta_of_noise, distance
from dplda.privacy.noise.whole import counted_fineness, fineness
from dplda.privacy.partition import rest, thresholds, together
from dplda.privacy.release import Caveat
from dplda.privacy.selected import noise_of
from dplda.privacy.spending import Spending
from dplda.release.balance import SMALLEST_EPSILON, Balance
from dplda.release.released_file import Artefact, named_as_parent

MOST_COUNTS = 64  # at least as many counts as any method releases
MOST_STEPS = 32  # at least as many k×d tables as any of them releases


@dataclass(frozen=True, slots=True)
class Request:
    """A request, frozen before any noise is drawn.

    Attributes:
        settings: method, number of topics, α0, ε and δ; its seed is ignored.
        selection: how words are selected of every word met and a public list; None for a fixed vocabulary.
        seen: what was seen of these documents before the request; the release states it.
        since: the release to continue, with the ε and δ of both together; None for none.
    """

    dataset: str
    title: str
    settings: Settings
    selection: Selection | None = None
    seen: tuple[Caveat, ...] = ()
    since: Artefact | None = None

    def continuing(self, since: Artefact, epsilon: float) -> "Request":
        """The same, continuing a release up to a total ε for words and topics; what was seen before it is said again.

        Raises:
            InputError: the words alone took as much.
        """
        selection, delta = None, since.promise.claimed_delta
        if since.resumable is not None and (words := since.resumable.selected) is not None:
            selection, delta = (
                Selection(words.n_words, words.epsilon, words.delta),
                words.topics_delta,
            )
            epsilon = rest(selection, epsilon=epsilon, delta=delta)
        budget = replace(self.settings.budget, epsilon=epsilon, delta=delta)
        before = (
            one for one in since.promise.caveats if one is not Caveat.DELTA
        )  # which follows from δ and N
        seen = tuple(dict.fromkeys((*self.seen, *before)))
        settings = replace(self.settings, budget=budget)
        return replace(self, settings=settings, selection=selection, seen=seen, since=since)

    @property
    def former(self) -> "Request":
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
        epsilon, delta = self.total
        if self.since is None:
            return epsilon, delta
        missing_epsilon = gaussian.epsilon_for(self.mu, delta_of_noise(delta))
        return max(missing_epsilon, SMALLEST_EPSILON), delta

    @property
    def mu(self) -> float:
        """Gaussian budget that the topics spend, beyond what they continue."""
        budget = self.settings.budget
        mu = gaussian.mu_for(budget.epsilon, delta_of_noise(budget.delta))
        return mu if self.earlier is None else self.earlier.remaining_mu(mu)

    @property
    def earlier(self) -> PreviousRelease | None:
        """What the run continues."""
        one = self.since
        if one is None or one.resumable is None:
            return None
        epsilon, delta = one.promise.claimed_epsilon, one.promise.claimed_delta
        if (words := one.resumable.selected) is not None:
            epsilon, delta = words.topics_epsilon, words.topics_delta
        mu = gaussian.mu_for(epsilon, delta_of_noise(delta))
        return PreviousRelease(
            one.resumable.state,
            mu,
            one.evidence,
            named_as_parent(one).sha256,
            prior_was_tested=one.table is not None and one.table.asked,
        )

    @property
    def total(self) -> tuple[float, float]:
        """ε and δ that the release promises."""
        one = self.settings
        if self.selection is None:
            return one.budget.epsilon, one.budget.delta
        return together(
            self.selection, epsilon=one.budget.epsilon, delta=one.budget.delta, gaussian_fit=True
        )

    def spending(self, corpus: Corpus) -> Spending:
        """What the release adds to those before it, from public numbers only; ``corpus`` has what is protected as rows.

        The distance of exact noise is a bound for any releasable method, and ``ExactNoise`` refuses to exceed it.
        """
        one, words, n = self.settings, self.selection, corpus.n_documents
        mu, fine = self.mu, counted_fineness(n)
        d, k = words.n_words if words else corpus.n_words, one.problem.n_topics
        sizes = (
            *[min((k + 1) * d, MOST_DISCRETE)] * MOST_STEPS,
            d * (d + 1) // 2,
            k * (k + 1) * (k + 2),
        )
        apart = sum(distance(size, fineness(n) / mu) for size in sizes) + distance(
            MOST_COUNTS, fine / mu
        )
        if (
            words is None or self.since is not None
        ):  # words of a chain were paid for by its first release
            return Spending(mu, 0.0, apart * (1 + 1e-12))
        law, apart = (
            thresholds(words),
            apart + sum(distance(*noise) for noise in noise_of(words, n)),
        )
        return Spending(gaussian.compose([law.mu, mu]), law.passing, apart * (1 + 1e-12))

    def said(self) -> str:
        """Everything that changes the result, as text; the title does not."""
        one = self.settings
        plan = None if one.plan is None else one.plan.to_json()
        words = () if self.selection is None else (self.selection.said,)
        table = (
            ()
            if one.method.prior_source is None
            else (
                one.method.prior_source.kind,
                one.method.prior_source.digest,
                one.method.prior_is_trusted,
            )
        )
        since = () if self.since is None else (named_as_parent(self.since).sha256,)
        numbers = (
            one.problem.n_topics,
            *map(repr, (one.problem.alpha0, one.budget.epsilon, one.budget.delta)),
        )
        return json.dumps([self.dataset, one.method.key, *numbers, plan, *words, *table, *since])


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a release.

    Attributes:
        artefact: the release.
        path: of its file in the release folder.
        charged: whether this call charged it.
        balance: of its dataset.
        was_finished: whether this call finished it, from a charge that an earlier one had made.
    """

    artefact: Artefact
    path: Path
    charged: bool
    balance: Balance
    was_finished: bool = False
