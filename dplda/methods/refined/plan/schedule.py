r"""Shares of a refinement's budget, each computed once for the run, its forecast and the check.

A share is a fraction of μ², the square of the Gaussian budget that this run spends. Shares of the
prior test, of evidence and of word counts follow from public numbers. Two decisions are made by
released values: whether steps can pay, and what a spectral start gets. A ``RunPath`` holds them,
and ``planned_releases`` lists every release of that path with its share. The run takes its shares
from here, the forecast shows them for every path that can occur, and ``check_releases`` compares
what was spent with the list.

Guarantee:
    On every path the budgets that ``mu_for`` makes of the shares, squared and added up exactly, are
    at most μ². They are constants once word counts and the prior test are released, so that
    ordinary adaptive composition holds (``dplda.methods.refined``).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dplda.methods.base.calibration import Calibration
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.plan.constants import (
    MAX_DOCUMENT_LENGTH,
    MAX_PAIR_NOISE,
    MAX_WORD_SHARE,
    MIN_NEW_WORD_SHARE,
    MIN_PRIOR_ADVANTAGE,
    TOPIC_CONTRAST,
    RefinedConstants,
)
from dplda.methods.refined.plan.public_shares import (
    evidence_share,
    noise_edge,
    prior_test_share,
    word_count_share,
)
from dplda.methods.refined.plan.quantities import GAIN, GATE, STATISTIC, WORDS
from dplda.methods.refined.plan.run_path import PlannedRelease, RunPath
from dplda.methods.refined.plan.start_fraction import min_start_fraction, start_fraction
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import SumBound
from dplda.privacy.release import Release

SPECTRAL_VARIANT = ADAPTIVE.variants[Calibration.CORRECTED]
"""Route of a spectral start: the ``adaptive`` configuration, with its quantities and its split."""
_ROUNDED_DOWN = 1 - 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinedSchedule:
    """All shares of one run's budget.

    Attributes:
        constants: public choices of the run.
        n_documents, n_words: size of the corpus, N and d.
        problem: number of topics k, and α0.
        total_mu: Gaussian budget of this run and of all releases that it continues.
        run_mu: Gaussian budget that this run spends.
        tests_prior: whether the documents are asked about public knowledge.
        is_continuation: whether the run continues an earlier release.
        previous_word_mu: Gaussian budget of all word counts that were released before, 0 without
            any.
        has_start: whether an earlier release has bought a spectral start: a chain buys one.
    """

    constants: RefinedConstants
    n_documents: int
    n_words: int
    problem: Problem
    total_mu: float
    run_mu: float
    tests_prior: bool = False
    is_continuation: bool = False
    previous_word_mu: float = 0.0
    has_start: bool = False

    @property
    def noise_edge(self) -> float:
        """Noise edge ρ of a pair average that is released with the whole budget."""
        return noise_edge(self.n_documents, self.n_words, self.total_mu)

    @property
    def share_of_chain(self) -> float:
        """This run's part of all μ² of its chain, rounded down; 1 for a single release."""
        if not self.is_continuation:
            return 1.0
        return (self.run_mu / self.total_mu) ** 2 * _ROUNDED_DOWN

    @property
    def prior_test_share(self) -> float:
        """Share for asking the documents about public knowledge; 0 where they are not asked."""
        if not self.tests_prior:
            return 0.0
        return prior_test_share(self.constants, self.n_documents, self.run_mu)

    @property
    def evidence_share(self) -> float:
        """Share of evidence."""
        total_mu = self.total_mu if self.is_continuation else None
        return evidence_share(self.constants, self.n_documents, self.run_mu, total_mu=total_mu)

    @property
    def topic_share(self) -> float:
        """Share of word counts, a spectral start and steps together."""
        return 1 - self.prior_test_share - self.evidence_share

    @property
    def word_share(self) -> float:
        """Share of this run's μ² for the first word counts.

        A chain should spend one share of all its μ² on word counts. A continued run spends what
        earlier releases lack of it, at most ``MAX_WORD_SHARE`` of what topics get, and 0 if next to
        nothing is missing.
        """
        share_of_mu2 = self.topic_share * word_count_share(self.constants, self.noise_edge)
        if not self.is_continuation:
            return share_of_mu2
        missing_share = (
            share_of_mu2 / self.share_of_chain - (self.previous_word_mu / self.run_mu) ** 2
        )
        missing_share = min(missing_share, MAX_WORD_SHARE * self.topic_share)
        return missing_share if missing_share > MIN_NEW_WORD_SHARE else 0.0

    @property
    def more_words_share(self) -> float:
        """Share of word counts in place of steps, where these cannot pay."""
        return math.nextafter(self.topic_share - self.word_share, 0.0)

    def steps_can_pay(self, words: NoisyWordCounts) -> bool:
        """Whether documents alone would have topics with evidence, so that no prior replaces them.

        Args:
            words: released word counts.
        """
        return self.topic_noise(self.distinct_words(words)) < self.constants.prior_only_noise

    def documents_are_too_short(self, words: NoisyWordCounts, advantage: float) -> bool:
        """Whether documents say too little for steps beside a prior, so that word counts pay more.

        A prior that fits gains little where documents are short, and steps find little there too.
        Where documents are long, a small gain says that the prior is a poor one, and steps pay. So
        both noises have to be large for what the prior gains: the noise edge, and that of word
        pairs, which long documents have many of.

        Args:
            words: released word counts.
            advantage: released advantage of the prior, in nats a document; NaN for one that was not
                tested, beside which no documents count as too short.
        """
        edge_is_large = self.noise_edge_in_use(words) >= self.constants.prior_only_noise * advantage
        return edge_is_large and self.start_noise(words) >= MAX_PAIR_NOISE * advantage

    @property
    def may_end_at_prior(self) -> bool:
        """Whether a run beside a prior that was tested may make no steps, by public numbers.

        Documents have one distinct word at least. The noise edge by words in use is at most that by
        all words, and an accepted advantage is above ``MIN_PRIOR_ADVANTAGE``.
        """
        if self.topic_noise(1.0) >= self.constants.prior_only_noise:
            return True
        return self.noise_edge >= self.constants.prior_only_noise * MIN_PRIOR_ADVANTAGE

    @property
    def must_end_at_prior(self) -> bool:
        """Whether a run beside a prior makes no steps, however long its documents are."""
        return self.topic_noise(MAX_DOCUMENT_LENGTH) >= self.constants.prior_only_noise

    def topic_noise(self, distinct_words: float) -> float:
        r"""Noise of k topics over d words, relative to their signal, of documents alone.

        A document of m distinct words, clipped to length C, adds about :math:`C\sqrt m` words. A
        topic of a k-th of the documents has a part of length :math:`(N/k)\,C\sqrt m\,v` that tells
        it from word frequencies, where v is ``TOPIC_CONTRAST``. All parts have the squared length
        :math:`N^2C^2mv^2/k`. Noise of the whole budget has the standard deviation :math:`σ =
        \sqrt2\,C/μ` in each of kd cells, so its own squared length varies by
        :math:`σ^2\sqrt{2kd}`. The root of the ratio is

        .. math:: \frac{2^{3/4}\, k^{3/4} d^{1/4}}{N μ \sqrt m\, v} .

        Args:
            distinct_words: m; more than a step reads, or than are listed, do not count.
        """
        counted_words = min(distinct_words, MAX_DOCUMENT_LENGTH, self.n_words)
        signal_of_a_document = math.sqrt(counted_words) * TOPIC_CONTRAST
        noise = math.pow(2 * self.problem.n_topics, 0.75) * math.pow(self.n_words, 0.25)
        return noise / (self.n_documents * self.total_mu * signal_of_a_document)

    def noise_edge_in_use(self, words: NoisyWordCounts) -> float:
        r"""Noise edge by the words in use in place of all listed ones, from released word counts.

        It is :math:`ρ\sqrt{d_e/d}` with :math:`d_e = (\sum_w \sqrt{p_w})^2`, which is d where all
        words are as frequent, and small where few of the listed words occur.
        """
        n_words_in_use = float(np.sum(np.sqrt(words.word_frequencies))) ** 2
        return self.noise_edge * math.sqrt(n_words_in_use / self.n_words)

    def start_noise(self, words: NoisyWordCounts) -> float:
        r"""Noise edge of a pair average over its largest eigenvalue, from released word counts.

        It is :math:`q = \max(1, k/10)\, ρ/(L‖p‖^2)` with L the distinct words of a document: a pair
        average is clipped at about 1/L, and more topics than ten need less noise.
        """
        run_edge = noise_edge(self.n_documents, self.n_words, self.run_mu)
        edge_of_many_topics = max(1.0, self.problem.n_topics / 10) * run_edge
        squared_norm = float(np.sum(words.word_frequencies**2))
        return edge_of_many_topics / (self.distinct_words(words) * squared_norm)

    def distinct_words(self, words: NoisyWordCounts) -> float:
        r"""About the number of distinct words in a document, from released word counts.

        It is :math:`\max(1, (n/(CN))^2)`, where n is their total: m distinct words that are clipped
        to length C add :math:`C\sqrt m`.
        """
        words_per_document = words.total_count / (self.constants.clip_norm * self.n_documents)
        return max(1.0, words_per_document**2)

    def start_share(self, start_noise: float, *, prior_leaning: float = 0.0) -> float:
        """Share of μ² for a spectral start at a released noise.

        0 for no start: the noise is too large, or the continued release has one.

        Args:
            start_noise: as ``start_noise`` gives it.
            prior_leaning: weight of a prior, which is a start too; 0 without one.
        """
        if self.has_start:
            return 0.0
        fraction = start_fraction(
            self.constants,
            start_noise,
            self.problem.n_topics,
            self.problem.alpha0,
            prior_leaning=prior_leaning,
        )
        return self._start_share_at(fraction)

    @property
    def start_share_range(self) -> tuple[float, float]:
        """Least and largest share of a spectral start that is bought."""
        smallest_fraction = min_start_fraction(self.constants, self.problem.alpha0)
        largest_fraction = self.constants.largest_start_share
        return self._start_share_at(smallest_fraction), self._start_share_at(largest_fraction)

    def step_shares(self, start_share: float) -> tuple[float, ...]:
        """Share of every step, growing with t: what all other releases leave.

        Args:
            start_share: share of a spectral start; 0 without one.
        """
        remaining_share = self.total_step_share(start_share)
        growth_exponent = self.constants.budget_growth_exponent
        step_weights = [
            step_number**growth_exponent for step_number in range(1, self.constants.n_steps + 1)
        ]
        total_weight = math.fsum(step_weights)
        return tuple(
            remaining_share * step_weight / total_weight * _ROUNDED_DOWN
            for step_weight in step_weights
        )

    def total_step_share(self, start_share: float) -> float:
        """Share of all steps together, rounded down.

        Args:
            start_share: share of a spectral start; 0 without one.
        """
        exact_share = Fraction(self.topic_share) - Fraction(self.word_share) - Fraction(start_share)
        return math.nextafter(float(exact_share), 0.0)

    def start_release_shares(self, start_share: float) -> dict[str, float]:
        """Share of every release of a spectral start by name, as ``adaptive`` splits it."""
        return {name: start_share * part for name, part in SPECTRAL_VARIANT.default_split}

    def planned_releases(self, path: RunPath) -> tuple[PlannedRelease, ...]:
        """Every release of a path with its share, in order but for those of a spectral start."""
        return tuple(self._planned(path))

    def mu_for(self, share: float) -> float:
        """Gaussian budget of a release with this share, rounded down."""
        return gaussian.mu_of_share(self.run_mu, share)

    def check_releases(
        self, path: RunPath, releases: Sequence[Release], *, previous_mu: float = 0.0
    ) -> None:
        """Refuse a run that did not spend what was planned, or that overspends.

        Every release that is planned must be there, in its order; those of a spectral start may be
        left out and may come anywhere.

        Args:
            path: the decisions of the run.
            releases: all of its releases, in order.
            previous_mu: Gaussian budget of all releases that it continues.

        Raises:
            RuntimeError: a release was not planned, is missing, comes out of order or has another
                budget; or squares add up to more than the total.
        """
        planned_releases = self.planned_releases(path)
        optional_plans = {plan.quantity.name: plan for plan in planned_releases if plan.is_optional}
        required_plans = [plan for plan in planned_releases if not plan.is_optional]
        for release in releases:
            if release.name in optional_plans:
                self._check_release(optional_plans.pop(release.name), release)
            elif required_plans and required_plans[0].quantity.name == release.name:
                self._check_release(required_plans.pop(0), release)
            else:
                raise RuntimeError(f"{release.quantity} were released and not planned")
        if required_plans:
            raise RuntimeError(f"{required_plans[0].quantity.words} were planned and not released")
        check_spending([previous_mu, *(release.mu for release in releases)], self.total_mu)

    def _start_share_at(self, fraction: float) -> float:
        return (self.topic_share - self.word_share) * fraction

    def _planned(self, path: RunPath) -> Iterator[PlannedRelease]:
        """Yield the releases of a path in order.

        First word counts and the test of a prior, each if it has a share.
        On a path without steps, more word counts follow.
        On a path with steps, a start follows if the path has one, then one release per step.
        Evidence always comes last.
        """
        if self.word_share:
            yield PlannedRelease(WORDS, self.word_share)
        if self.prior_test_share:
            yield PlannedRelease(GATE, self.prior_test_share)
        if not path.has_steps:
            yield PlannedRelease(WORDS, self.more_words_share)
        else:
            yield from self._planned_start(path.start_share)
            for step_share in self.step_shares(path.start_share):
                yield PlannedRelease(STATISTIC, step_share)
        yield PlannedRelease(GAIN, self.evidence_share)

    def _planned_start(self, start_share: float) -> Iterator[PlannedRelease]:
        """The releases of a spectral start, all optional; none without a share for it."""
        if start_share:
            shares = self.start_release_shares(start_share)
            for quantity in SPECTRAL_VARIANT.quantities:
                yield PlannedRelease(quantity, shares[quantity.name], is_optional=True)

    def _check_release(self, plan: PlannedRelease, release: Release) -> None:
        """Raise RuntimeError if a release spent another μ than planned.

        One of a spectral start may differ by rounding.
        """
        planned_mu = self.mu_for(plan.share)
        is_as_planned = release.mu == planned_mu
        if plan.is_optional:  # the route of a start rounds in its own way
            is_as_planned = math.isclose(release.mu, planned_mu, rel_tol=1e-9)
        if not is_as_planned:
            raise RuntimeError(
                f"{release.quantity} spent μ = {release.mu!r} where {planned_mu!r} was planned"
            )


def make_schedule(
    problem: Problem,
    *,
    n_documents: int,
    n_words: int,
    total_mu: float,
    constants: RefinedConstants,
    asks_documents: bool = False,
    previous: PreviousRelease | None = None,
    is_exact: bool = False,
) -> RefinedSchedule:
    """Make the schedule of one run, made or to come, from public numbers and earlier releases.

    A continued run gets what the previous releases left of the total. Its μ of earlier word
    counts follows from the standard deviation of their noise.

    Args:
        problem: topics to find.
        n_documents, n_words: size of the corpus, N and d.
        total_mu: Gaussian budget of this run and of all releases that it continues.
        constants: public choices of the run.
        asks_documents: whether there is a prior that its owner does not trust; a continued run asks
            no more.
        previous: the release to continue; None for none.
        is_exact: whether noise is exact.

    Raises:
        InputError: nothing is left of the total.
    """
    if previous is None:
        return RefinedSchedule(
            constants=constants,
            n_documents=n_documents,
            n_words=n_words,
            problem=problem,
            total_mu=total_mu,
            run_mu=total_mu,
            tests_prior=asks_documents,
        )
    word_count_bound = SumBound.of_clipped_counts(
        n_documents=n_documents,
        n_words=n_words,
        n_topics=problem.n_topics,
        clip_norm=constants.clip_norm,
    )
    return RefinedSchedule(
        constants=constants,
        n_documents=n_documents,
        n_words=n_words,
        problem=problem,
        total_mu=total_mu,
        run_mu=previous.remaining_mu(total_mu),
        is_continuation=True,
        previous_word_mu=word_count_bound.sensitivity(is_exact=is_exact)
        / previous.state.word_noise_std,
        has_start=previous.state.start is not None,
    )


def check_spending(mus: Sequence[float], total_mu: float) -> None:
    """Refuse releases whose ``μ``, squared and added up exactly, exceed the total.

    Args:
        mus: Gaussian budget of each release.
        total_mu: Gaussian budget of all together.

    Raises:
        RuntimeError: they do.
    """
    if sum(Fraction(mu) ** 2 for mu in mus) > Fraction(total_mu) ** 2:
        raise RuntimeError(
            f"releases of μ = {gaussian.compose(list(mus)):g} exceed the budget of {total_mu:g}"
        )
