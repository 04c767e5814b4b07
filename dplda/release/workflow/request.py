"""A request for a release, frozen before any noise is drawn, and the receipt of a release."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dplda.corpus import Corpus, Selection
from dplda.experiments.experiment import Experiment
from dplda.methods.base.previous_release import PreviousRelease
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.noise.exact import MAX_DISCRETE_NUMBERS, delta_of_noise, tv_slack_of
from dplda.privacy.noise.fixed_point import count_resolution, grid_resolution
from dplda.privacy.release import Caveat
from dplda.privacy.word_selection.selection import round_noise
from dplda.privacy.word_selection.thresholds import (
    combine_with_fit,
    epsilon_for_fit,
    selection_thresholds,
)
from dplda.release.artefact.released_file import Artefact, named_as_parent
from dplda.release.ledger.balance import SMALLEST_EPSILON, Balance

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
    settings: Experiment
    selection: Selection | None = None
    seen: tuple[Caveat, ...] = ()
    since: Artefact | None = None

    def __post_init__(self) -> None:
        settings, selection = next(_spellings(self.settings, self.selection))
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "selection", selection)

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
            epsilon = epsilon_for_fit(selection, epsilon=epsilon, delta=delta)
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
        return combine_with_fit(
            self.selection, epsilon=one.budget.epsilon, delta=one.budget.delta, gaussian_fit=True
        )

    def spending(self, corpus: Corpus) -> Spending:
        """What the release adds to those before it, from public numbers only; ``corpus`` has what is protected as rows.

        The distance of exact noise is a bound for any releasable method, and ``ExactNoise`` refuses to exceed it.
        """
        one, words, n = self.settings, self.selection, corpus.n_documents
        mu, fine = self.mu, count_resolution(n)
        d, k = words.n_words if words else corpus.n_words, one.problem.n_topics
        sizes = (
            *[min((k + 1) * d, MAX_DISCRETE_NUMBERS)] * MOST_STEPS,
            d * (d + 1) // 2,
            k * (k + 1) * (k + 2),
        )
        apart = sum(tv_slack_of(size, grid_resolution(n) / mu) for size in sizes) + tv_slack_of(
            MOST_COUNTS, fine / mu
        )
        if (
            words is None or self.since is not None
        ):  # words of a chain were paid for by its first release
            return Spending(mu, 0.0, apart * (1 + 1e-12))
        law, apart = (
            selection_thresholds(words),
            apart + sum(tv_slack_of(*noise) for noise in round_noise(words, n)),
        )
        return Spending(gaussian.compose([law.mu, mu]), law.selection_failure, apart * (1 + 1e-12))

    def said(self) -> str:
        """Everything that changes the result, as text; the title does not."""
        return self._text(self.settings, self.selection)

    def texts_of_charges(self) -> tuple[str, ...]:
        """The texts under which this request may have been charged: its own first.

        Earlier versions told ε = 1 from ε = 1.0, and charged each.
        """
        spellings = _spellings(self.settings, self.selection)
        return tuple(self._text(settings, selection) for settings, selection in spellings)

    def _text(self, settings: Experiment, selection: Selection | None) -> str:
        problem, budget, method = settings.problem, settings.budget, settings.method
        plan = None if settings.plan is None else settings.plan.to_json()
        numbers = (repr(number) for number in (problem.alpha0, budget.epsilon, budget.delta))
        parts = [self.dataset, method.text, problem.n_topics, *numbers, plan]
        if selection is not None:
            parts.append(selection.said)
        table = method.prior
        if table is not None:
            parts += [table.kind, table.digest, method.prior_is_trusted]
        if self.since is not None:
            parts.append(named_as_parent(self.since).sha256)
        return json.dumps(parts)


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


def _spellings(
    settings: Experiment, selection: Selection | None
) -> Iterator[tuple[Experiment, Selection | None]]:
    """Equal settings in every mixture of 1.0 and 1; the first has floats alone."""
    budget = settings.budget
    names = [name for name, _ in budget.split]
    choices = itertools.product(
        _equal_numbers(settings.problem.alpha0),
        _equal_numbers(budget.epsilon),
        _equal_choices(budget.first_words),
        _equal_choices(budget.clip_quantile),
        itertools.product(*(_equal_numbers(fraction) for _, fraction in budget.split)),
        _equal_choices(None if selection is None else selection.epsilon),
    )
    for alpha0, epsilon, first_words, clip_quantile, fractions, words_epsilon in choices:
        spelled_budget = replace(
            budget,
            epsilon=epsilon,
            split=tuple(zip(names, fractions, strict=True)),
            first_words=first_words,
            clip_quantile=clip_quantile,
        )
        problem = replace(settings.problem, alpha0=alpha0)
        spelled_selection = selection
        if selection is not None and words_epsilon is not None:
            spelled_selection = replace(selection, epsilon=words_epsilon)
        yield replace(settings, problem=problem, budget=spelled_budget), spelled_selection


def _equal_numbers(number: float) -> tuple[float, ...]:
    """A number as a float, and as an integer too if it is one."""
    as_float = float(number)
    return (as_float, int(as_float)) if as_float.is_integer() else (as_float,)


def _equal_choices(number: float | None) -> tuple[float | None, ...]:
    """As ``_equal_numbers``, or the choice that is left to the method."""
    return (None,) if number is None else _equal_numbers(number)
