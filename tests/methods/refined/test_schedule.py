"""One schedule: a run spends, its forecast shows and its check allows the same shares of the budget."""

import itertools
import math
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.plan.constants import (
    MAX_DOCUMENT_LENGTH,
    MIN_PRIOR_ADVANTAGE,
    TOPIC_CONTRAST,
    RefinedConstants,
)
from dplda.methods.refined.plan.noise_forecast import (
    ALWAYS,
    BOUGHT,
    FREE,
    KEPT,
    ForecastRelease,
    forecast_releases,
)
from dplda.methods.refined.plan.public_shares import noise_edge, word_count_share
from dplda.methods.refined.plan.quantities import GAIN, GATE, STATISTIC, WORDS
from dplda.methods.refined.plan.run_path import RunPath
from dplda.methods.refined.plan.schedule import RefinedSchedule, check_spending, make_schedule
from dplda.methods.refined.plan.start_fraction import start_fraction
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Release
from tests.tiny_corpora import topical_corpus

DELTA = 1e-6
PROBLEM = Problem(3, 1.0)
FIRST_EPSILON, TOTAL_EPSILON = 4.0, 8.0
BY_DOCUMENT = topical_corpus(1, n_documents=1600, n_words=12)
SPECTRAL_QUANTITIES = ADAPTIVE.variants[Calibration.CORRECTED].quantities


def by_person() -> Corpus:
    """The same documents of 800 persons, two of each."""
    persons = np.repeat(np.arange(800), 2)
    corpus = Corpus.from_counts(
        BY_DOCUMENT.counts,
        BY_DOCUMENT.vocabulary,
        label=Label.PUBLIC,
        name="letters",
        persons=persons,
    )
    return corpus.by_person()


CORPORA = {"documents": BY_DOCUMENT, "persons": by_person()}
TRUTH = BY_DOCUMENT.truth.topics
USEFUL = TopicPrior("useful", "test", BY_DOCUMENT.vocabulary, TRUTH / np.mean(TRUTH, axis=0) + 0.01)
USELESS = replace(USEFUL, ratios=USEFUL.ratios[:, ::-1])
PRIORS = {
    "no prior": (None, False),
    "accepted prior": (USEFUL, False),
    "refused prior": (USELESS, False),
    "trusted prior": (USEFUL, True),
}
STARTS = {"start": 1e9, "no start": 0.0}
EVIDENCE = {"much evidence": 0.2, "little evidence": 1e-4}
STEPS = {"steps pay": 1e9, "steps do not pay": 0.0}
COMBINATIONS = list(itertools.product(CORPORA, PRIORS, STARTS, EVIDENCE, STEPS, (False, True)))


class Case:
    """One combination: its run, its forecast and its schedule."""

    def __init__(
        self, unit: str, prior: str, start: str, evidence: str, steps: str, is_continued: bool
    ) -> None:
        self.corpus = CORPORA[unit]
        self.prior, self.is_trusted = PRIORS[prior]
        self.constants = RefinedConstants(
            n_steps=2,
            max_start_noise=STARTS[start],
            max_evidence_share=EVIDENCE[evidence],
            prior_only_noise=STEPS[steps],
        )
        self.epsilon = TOTAL_EPSILON if is_continued else FIRST_EPSILON
        self.previous = self._first_release() if is_continued else None
        self.mu = gaussian.mu_for(self.epsilon, DELTA)

    def fit(self, previous: PreviousRelease | None, epsilon: float) -> FitResult:
        return fit_refined(
            self.corpus,
            PROBLEM,
            Budget(epsilon, DELTA),
            Runtime(3),
            constants=self.constants,
            prior=self.prior,
            prior_is_trusted=self.is_trusted,
            previous=previous,
        )

    def _first_release(self) -> PreviousRelease:
        first_run = self.fit(None, FIRST_EPSILON)
        assert first_run.state is not None
        mu = gaussian.mu_for(FIRST_EPSILON, DELTA)
        return PreviousRelease(
            first_run.state, mu, first_run.evidence, "first", prior_was_tested=True
        )

    @property
    def run_mu(self) -> float:
        return self.mu if self.previous is None else self.previous.remaining_mu(self.mu)

    def schedule(self) -> RefinedSchedule:
        return make_schedule(
            PROBLEM,
            n_documents=self.corpus.n_documents,
            n_words=self.corpus.n_words,
            total_mu=self.mu,
            constants=self.constants,
            asks_documents=self.prior is not None and not self.is_trusted,
            previous=self.previous,
        )

    def forecast(self) -> tuple[ForecastRelease, ...]:
        return forecast_releases(
            PROBLEM,
            Budget(self.epsilon, DELTA),
            self.corpus.n_documents,
            self.corpus.n_words,
            constants=self.constants,
            tests_prior=self.prior is not None and not self.is_trusted,
            prior_is_trusted=self.is_trusted,
            previous=self.previous,
        )


@cache
def case_of(*combination: str | bool) -> tuple[Case, FitResult]:
    case = Case(*combination)
    return case, case.fit(case.previous, case.epsilon)


def path_of(case: Case, result: FitResult) -> RunPath:
    """The path that a run took, read off its releases alone."""
    names = [release.name for release in result.releases]
    start_mu2 = sum(r.mu**2 for r in result.releases if r.edge in ADAPTIVE.edges)
    start_share = 0.0
    if start_mu2:  # a start may stop early, so its share follows from its first release
        (first_release,) = (r for r in result.releases if r.name == SPECTRAL_QUANTITIES[0].name)
        fraction = dict(ADAPTIVE.variants[Calibration.CORRECTED].default_split)[first_release.name]
        start_share = (first_release.mu / case.run_mu) ** 2 / fraction
    return RunPath(has_steps=STATISTIC.name in names, start_share=start_share)


def edges_in(rows: tuple[ForecastRelease, ...], path: RunPath) -> dict[str, list[ForecastRelease]]:
    """Rows of a forecast that hold on a path, by edge."""
    holds = {ALWAYS, KEPT} if not path.has_steps else {ALWAYS, BOUGHT if path.start_share else FREE}
    planned_rows = [row for row in rows if row.when in holds]
    return {
        edge: [row for row in planned_rows if row.edge == edge]
        for edge in {r.edge for r in planned_rows}
    }


@pytest.mark.parametrize("combination", COMBINATIONS, ids=lambda parts: ", ".join(map(str, parts)))
def test_schedule_of_every_combination_is_that_of_run_forecast_check(combination) -> None:
    case, result = case_of(*combination)
    path, schedule = path_of(case, result), case.schedule()
    planned_releases = schedule.planned_releases(path)
    assert sum(release.share for release in planned_releases) <= 1
    spent_mus = {(r.name, i): r.mu for i, r in enumerate(result.releases)}
    assert math.fsum(mu**2 for mu in spent_mus.values()) <= case.run_mu**2 * (1 + 1e-12)

    rows = edges_in(case.forecast(), path)
    for edge in {release.edge for release in result.releases}:
        share_spent = sum((r.mu / case.run_mu) ** 2 for r in result.releases if r.edge == edge)
        share_planned = sum(
            planned_release.share
            for planned_release in planned_releases
            if planned_release.quantity.edge == edge
        )
        low = sum(row.share[0] for row in rows[edge])
        high = sum(row.share[1] for row in rows[edge])
        assert share_spent == pytest.approx(share_planned, rel=1e-6)
        assert low * (1 - 1e-9) <= share_spent <= high * (1 + 1e-9)
        scales = [scale for row in rows[edge] if row.shape for scale in row.scales]
        drawn_scales = [r.scale for r in result.releases if r.edge == edge]
        for (smallest, largest), scale in zip(scales, drawn_scales, strict=bool(scales)):
            assert smallest * (1 - 1e-9) <= scale <= largest * (1 + 1e-9)


def test_combinations_take_every_path() -> None:
    paths = [path_of(*case_of(*combination)) for combination in COMBINATIONS]
    assert {(path.has_steps, path.start_share > 0) for path in paths} == {
        (True, True),
        (True, False),
        (False, False),
    }
    assert {len(case_of(*combination)[1].releases) for combination in COMBINATIONS} >= {3, 4, 10}


def releases_of_a_run() -> tuple[RefinedSchedule, RunPath, tuple[Release, ...]]:
    case, result = case_of(
        "documents", "accepted prior", "start", "much evidence", "steps pay", False
    )
    assert result.state is not None
    schedule = case.schedule()
    start_noise = schedule.start_noise(result.state.words)
    start_share = schedule.start_share(start_noise, prior_leaning=1.0)
    return schedule, RunPath(start_share=start_share), result.releases


def altered(releases: tuple[Release, ...]) -> Iterator[tuple[Release, ...]]:
    """The releases of a run, one of them with another budget, left out or drawn twice."""
    for i, release in enumerate(releases):
        for factor in (0.9, 1 + 1e-12):
            changed_release = copy(release)
            object.__setattr__(changed_release, "mu", release.mu * factor)
            if release.edge not in ADAPTIVE.edges or factor < 1:
                yield (*releases[:i], changed_release, *releases[i + 1 :])
        yield (*releases[: i + 1], release, *releases[i + 1 :])
        if release.edge not in ADAPTIVE.edges:
            yield (*releases[:i], *releases[i + 1 :])


def test_check_releases_refuses_any_share_that_was_not_planned() -> None:
    schedule, path, releases = releases_of_a_run()
    schedule.check_releases(path, releases)
    for changed_releases in altered(releases):
        with pytest.raises(RuntimeError):
            schedule.check_releases(path, changed_releases)


SHARES = (
    "prior_test_share",
    "evidence_share",
    "word_share",
    "more_words_share",
    "step_shares",
    "start_release_shares",
)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_share_changed_in_the_schedule_alone_changes_run_with_forecast(
    share: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no share can be changed in one place: either all follow, or the check refuses the run."""
    original = getattr(RefinedSchedule, share)

    def change(value):
        if isinstance(value, dict):
            return {name: factor * part for name, part in value.items()}
        return (
            tuple(factor * part for part in value) if isinstance(value, tuple) else factor * value
        )

    mutant = (
        property(lambda self: change(original.fget(self)))
        if isinstance(original, property)
        else lambda self, *path, **choice: change(original(self, *path, **choice))
    )
    monkeypatch.setattr(RefinedSchedule, share, mutant)
    steps = "steps do not pay" if share == "more_words_share" else "steps pay"
    case = Case("documents", "accepted prior", "start", "little evidence", steps, False)
    try:
        result = case.fit(None, case.epsilon)
    except (InputError, RuntimeError):  # it would overspend
        assert factor > 1
        return
    rows = edges_in(case.forecast(), path_of(case, result))
    for edge in {row for row in rows if row not in ADAPTIVE.edges}:
        spent_share = sum((r.mu / case.run_mu) ** 2 for r in result.releases if r.edge == edge)
        low = sum(row.share[0] for row in rows[edge])
        high = sum(row.share[1] for row in rows[edge])
        assert low * (1 - 1e-9) <= spent_share <= high * (1 + 1e-9)


@pytest.mark.parametrize("edge", [WORDS.edge, GATE.edge, STATISTIC.edge, GAIN.edge])
@pytest.mark.parametrize("factor", [0.5, 1.0001])
def test_share_changed_in_the_run_alone_is_refused(
    edge: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("documents", "accepted prior", "start", "little evidence", "steps pay", False)

    class Mechanisms(Runtime().make_mechanisms):
        def gaussian(self, of, value, layout, *, sensitivity, mu):
            if of.edge == edge:
                mu = mu * math.sqrt(factor)
            return super().gaussian(of, value, layout, sensitivity=sensitivity, mu=mu)

    runtime = Runtime(3, make_mechanisms=Mechanisms)
    budget = Budget(case.epsilon, DELTA)
    with pytest.raises(RuntimeError):
        fit_refined(
            case.corpus, PROBLEM, budget, runtime, constants=case.constants, prior=case.prior
        )


@cache
def schedule_at(rho: float, alpha0: float = 1.0, n_topics: int = 10) -> RefinedSchedule:
    """A schedule whose noise edge is ρ, with no prior."""
    return RefinedSchedule(
        constants=RefinedConstants(),
        n_documents=1,
        n_words=1,
        problem=Problem(n_topics, alpha0),
        total_mu=2 / rho,
        run_mu=2 / rho,
    )


RHOS = (*np.geomspace(1e-6, 1e6, 60), RefinedConstants().noise_where_topics_are_infeasible)


@pytest.mark.parametrize("alpha0", [0.05, 1.0, 10.0])
@pytest.mark.parametrize("start_noise", [0.0, 0.003, 0.139, 1.0])
def test_planned_shares_add_up_to_the_whole_without_exceeding_it(
    alpha0: float, start_noise: float
) -> None:
    for rho in RHOS:
        schedule = schedule_at(float(rho), alpha0)
        assert 0 < schedule.word_share < 1
        start_share = schedule.start_share(start_noise)
        planned_releases = schedule.planned_releases(RunPath(start_share=start_share))
        spent_squares = sum(
            Fraction(schedule.mu_for(release.share)) ** 2 for release in planned_releases
        )
        assert 1 - 1e-14 < spent_squares / Fraction(schedule.run_mu) ** 2 <= 1
        steps = schedule.step_shares(start_share)
        assert steps == pytest.approx(steps[0] * np.sqrt(np.arange(1, len(steps) + 1)))


@pytest.mark.parametrize("start_fraction_of_rest", [0.0, 0.95])
def test_planned_shares_with_a_prior_test_add_up_to_the_whole(
    start_fraction_of_rest: float,
) -> None:
    for rho in RHOS:
        schedule = replace(schedule_at(float(rho)), tests_prior=True)
        remaining_share = schedule.topic_share - schedule.word_share
        start_share = start_fraction_of_rest * remaining_share
        planned_releases = schedule.planned_releases(RunPath(start_share=start_share))
        spent_squares = sum(
            Fraction(schedule.mu_for(release.share)) ** 2 for release in planned_releases
        )
        assert 1 - 1e-12 < spent_squares / Fraction(schedule.run_mu) ** 2 <= 1


def test_word_count_share_tends_to_the_whole_where_topics_are_infeasible() -> None:
    constants = RefinedConstants()
    infeasible = constants.noise_where_topics_are_infeasible
    half = constants.word_share / 2
    assert word_count_share(constants, constants.low_noise) == pytest.approx(half, rel=0.01)
    nearly_all = word_count_share(constants, 5 * constants.low_noise)
    assert nearly_all == pytest.approx(constants.word_share, rel=0.1)
    assert word_count_share(constants, infeasible) == pytest.approx(
        (1 + constants.word_share) / 2, rel=0.01
    )
    assert word_count_share(constants, 1e-6) < 0.001
    assert word_count_share(constants, 1e3) > 0.999


def test_noise_edge_is_twice_the_root_of_words_over_documents() -> None:
    assert noise_edge(1000, 100, 0.5) == pytest.approx(20 / 500)


def test_start_fraction_is_within_the_range_that_a_forecast_shows() -> None:
    constants = RefinedConstants()
    noises = np.geomspace(1e-9, constants.max_start_noise * (1 - 1e-9), 200)
    schedule = schedule_at(0.01, n_topics=4)
    shares = [schedule.start_share(noise) for noise in noises]
    low, high = schedule.start_share_range
    assert low <= min(shares) < max(shares) <= high
    assert (min(shares), max(shares)) == pytest.approx((low, high), rel=2e-3)
    assert start_fraction(constants, constants.max_start_noise, 10, 1.0) == 0


def test_check_spending_refuses_one_rounding_too_much() -> None:
    third = 0.5773502691896257
    check_spending([third] * 3, 1.0)
    with pytest.raises(RuntimeError, match="exceed"):
        check_spending([third * (1 + 1e-15)] * 3, 1.0)


def schedule_of_texts(n_documents: int, epsilon: float) -> RefinedSchedule:
    """The schedule of ten topics in 1,000 words, with a prior that documents are asked about."""
    return make_schedule(
        Problem(10, 1.0),
        n_documents=n_documents,
        n_words=1000,
        total_mu=gaussian.mu_for(epsilon, 1e-7),
        constants=RefinedConstants(),
        asks_documents=True,
    )


def schedule_of_messages() -> RefinedSchedule:
    """The schedule of 4,000 documents at ε = 1."""
    return schedule_of_texts(4000, 1.0)


def test_topic_noise_is_the_root_of_noise_over_signal() -> None:
    """By another way: the deviation of the noise's squared length over the signal's."""
    schedule, distinct_words = schedule_of_messages(), 25.0
    squared_std = 2 * schedule.constants.clip_norm**2 / schedule.total_mu**2
    noise_deviation = squared_std * math.sqrt(2 * 10 * 1000)
    word_length = schedule.constants.clip_norm * math.sqrt(distinct_words) * TOPIC_CONTRAST
    squared_signal = 10 * (4000 / 10 * word_length) ** 2
    expected = math.sqrt(noise_deviation / squared_signal)
    assert schedule.topic_noise(distinct_words) == pytest.approx(expected)
    assert schedule.topic_noise(1e9) == schedule.topic_noise(MAX_DOCUMENT_LENGTH)


@pytest.mark.parametrize(("words_per_document", "can_pay"), [(4, False), (7, True), (20, True)])
def test_steps_can_pay_where_documents_are_long_for_their_number(
    words_per_document: float, can_pay: bool
) -> None:
    frequencies = np.random.default_rng(0).dirichlet(np.full(1000, 0.5))
    words = NoisyWordCounts(4000 * words_per_document * frequencies, 1e-9)
    assert schedule_of_messages().steps_can_pay(words) is can_pay


def test_end_at_prior_is_ruled_out_by_many_documents_alone() -> None:
    schedule = schedule_of_messages()
    endings = [
        (sized_schedule.may_end_at_prior, sized_schedule.must_end_at_prior)
        for sized_schedule in (
            replace(schedule, n_documents=number) for number in (400, 4000, 40_000)
        )
    ]
    assert endings == [(True, True), (True, False), (False, False)]


def schedule_of_short_documents() -> RefinedSchedule:
    """The schedule of 17,000 documents at ε = 0.3."""
    return schedule_of_texts(17_000, 0.3)


@pytest.mark.parametrize(
    ("words_per_document", "advantage", "is_short"),
    [(7, 0.2, True), (7, 0.4, False), (20, 0.2, False), (7, math.nan, False)],
)
def test_documents_are_too_short_only_where_they_are_short_for_little_advantage(
    words_per_document: float, advantage: float, is_short: bool
) -> None:
    frequencies = np.random.default_rng(0).dirichlet(np.full(1000, 0.5))
    words = NoisyWordCounts(17_000 * words_per_document * frequencies, 1e-9)
    schedule = schedule_of_short_documents()
    assert schedule.documents_are_too_short(words, advantage) is is_short


def test_may_end_at_prior_is_true_wherever_documents_can_be_too_short() -> None:
    schedule = schedule_of_short_documents()
    assert not schedule.must_end_at_prior
    assert schedule.may_end_at_prior
    many_documents = replace(schedule, n_documents=10**6)
    assert not many_documents.may_end_at_prior
    one_word_each = NoisyWordCounts(np.full(1000, 1000.0), 1e-9)
    assert not many_documents.documents_are_too_short(one_word_each, MIN_PRIOR_ADVANTAGE)
