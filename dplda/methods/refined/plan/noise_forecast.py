"""The noise of a refinement before a run, from public numbers, for every path that it can take.

Shares come from the schedule that the run itself spends by (``schedule``), and sensitivities from
the bounds that its sums carry, so a forecast cannot say anything else than the run does.
"""

import math
from collections.abc import Iterator, Sequence

from dplda.methods.base.noise_forecast import ForecastRelease
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.plan.quantities import GAIN, GATE, STATISTIC, WORDS
from dplda.methods.refined.plan.schedule import (
    SPECTRAL_VARIANT,
    RefinedSchedule,
    make_schedule,
)
from dplda.methods.refined.plan.sum_bounds import evidence_bound, prior_test_bound
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import SumBound

ALWAYS = "always"
FREE = "no spectral start"
BOUGHT = "spectral start"
KEPT = "a table in place of steps"


def forecast_releases(
    problem: Problem,
    budget: Budget,
    n_documents: int,
    n_words: int,
    *,
    constants: RefinedConstants | None = None,
    tests_prior: bool = False,
    prior_is_trusted: bool = False,
    previous: PreviousRelease | None = None,
) -> tuple[ForecastRelease, ...]:
    """Forecast the noise of a run of this size (N, d), for every outcome of its first releases.

    A continued run uses a prior only if the previous one accepted it.

    Args:
        budget: of the run and of all releases that it continues.
        tests_prior: whether the documents are asked about a prior.
        prior_is_trusted: whether a prior is used without asking.
        previous: the release to continue; None for none.

    Raises:
        InputError: nothing is left of the total, or ε or δ is out of its range.
    """
    schedule = make_schedule(
        problem,
        n_documents=n_documents,
        n_words=n_words,
        total_mu=gaussian.mu_for(budget.epsilon, budget.delta),
        constants=constants or RefinedConstants(),
        asks_documents=tests_prior,
        previous=previous,
    )
    uses_prior = prior_is_trusted
    if previous is not None:
        uses_prior = previous.state.prior_was_accepted and (tests_prior or prior_is_trusted)
    return tuple(_forecast(schedule, uses_prior=uses_prior))


def forecast_word_counts(
    problem: Problem, budget: Budget, n_documents: int, n_words: int
) -> tuple[ForecastRelease, ...]:
    """Forecast the one release of a private unigram of this size, with the whole budget.

    Sensitivity and scale are those of floating-point sums; one row is returned.
    """
    mu = gaussian.mu_for(budget.epsilon, budget.delta)
    sum_bound = SumBound.of_clipped_counts(
        n_documents=n_documents,
        n_words=n_words,
        n_topics=1,
        clip_norm=RefinedConstants().clip_norm,
    )
    sensitivity = sum_bound.floating_point_sensitivity
    return (_forecast_quantity(WORDS, (n_words,), sensitivity, mu, smallest_shares=[1.0]),)


def _forecast(schedule: RefinedSchedule, *, uses_prior: bool) -> Iterator[ForecastRelease]:
    """Yield a row for each release on any path of a run, in no order of time.

    ``uses_prior`` says that a prior is in use whatever the documents say.
    """
    n_words, n_topics = schedule.n_words, schedule.problem.n_topics
    sum_bound = SumBound.of_clipped_counts(
        n_documents=schedule.n_documents,
        n_words=n_words,
        n_topics=n_topics,
        clip_norm=schedule.constants.clip_norm,
    )
    clipped_sensitivity = sum_bound.floating_point_sensitivity
    if schedule.word_share:
        yield _forecast_quantity(
            WORDS,
            (n_words,),
            clipped_sensitivity,
            schedule.run_mu,
            smallest_shares=[schedule.word_share],
        )
    has_tested_prior = bool(schedule.prior_test_share)
    may_replace_steps = (uses_prior or has_tested_prior) and schedule.may_end_at_prior
    always_replaces_steps = uses_prior and schedule.must_end_at_prior
    if may_replace_steps:
        yield _forecast_quantity(
            WORDS,
            (n_words,),
            clipped_sensitivity,
            schedule.run_mu,
            smallest_shares=[schedule.more_words_share],
            when=ALWAYS if always_replaces_steps else KEPT,
        )
    if not always_replaces_steps:
        yield from _forecast_steps(schedule, (n_topics, n_words), clipped_sensitivity)
    if schedule.prior_test_share:
        yield _forecast_quantity(
            GATE,
            (1,),
            prior_test_bound(
                n_documents=schedule.n_documents, n_words=n_words
            ).floating_point_sensitivity,
            schedule.run_mu,
            smallest_shares=[schedule.prior_test_share],
        )
    yield _forecast_quantity(
        GAIN,
        (2 + n_topics,),
        evidence_bound(
            n_documents=schedule.n_documents, n_words=n_words, n_topics=n_topics
        ).floating_point_sensitivity,
        schedule.run_mu,
        smallest_shares=[schedule.evidence_share],
    )


def _may_buy_start(schedule: RefinedSchedule) -> bool:
    """Whether constants allow a spectral start, and the continued release has none."""
    return bool(schedule.constants.max_start_noise) and not schedule.has_start


def _forecast_steps(
    schedule: RefinedSchedule, shape: tuple[int, int], sensitivity: float
) -> Iterator[ForecastRelease]:
    """Yield rows: steps without a spectral start, the start, and the steps after it.

    Only the first where constants allow no start or the continued release has one.
    """
    start_is_possible = _may_buy_start(schedule)
    yield _forecast_quantity(
        STATISTIC,
        shape,
        sensitivity,
        schedule.run_mu,
        smallest_shares=schedule.step_shares(0.0),
        when=FREE if start_is_possible else ALWAYS,
    )
    if not start_is_possible:
        return
    smallest_start, largest_start = schedule.start_share_range
    yield from _forecast_start(schedule, smallest_start, largest_start)
    yield _forecast_quantity(
        STATISTIC,
        shape,
        sensitivity,
        schedule.run_mu,
        smallest_shares=schedule.step_shares(largest_start),
        largest_shares=schedule.step_shares(smallest_start),
        when=BOUGHT,
    )


def _forecast_quantity(
    quantity: Quantity,
    shape: tuple[int, ...],
    sensitivity: float,
    run_mu: float,
    *,
    smallest_shares: Sequence[float],
    largest_shares: Sequence[float] | None = None,
    when: str = ALWAYS,
) -> ForecastRelease:
    """Make the row of one quantity, whose releases' shares of ``run_mu²`` lie between two lists.

    Without ``largest_shares`` the shares are known: the smallest ones.

    Args:
        quantity: released.
        shape: of its value.
        sensitivity: of one release.
        run_mu: Gaussian budget of the run.
        smallest_shares: share of each of its releases, at least.
        largest_shares: at most; None where shares are known.
        when: under which outcomes it is released, a phrase.
    """
    largest_shares = largest_shares or smallest_shares
    largest_scales = _noise_scales(sensitivity, run_mu, smallest_shares)
    smallest_scales = _noise_scales(sensitivity, run_mu, largest_shares)
    return ForecastRelease(
        edge=quantity.edge,
        symbols=quantity.symbol,
        quantity=quantity.words,
        shape=shape,
        when=when,
        law="Gaussian on every entry" if len(shape) > 1 else "Gaussian on every coordinate",
        sensitivity=sensitivity,
        scales=tuple(zip(smallest_scales, largest_scales, strict=True)),
        share=(math.fsum(smallest_shares), math.fsum(largest_shares)),
        why=quantity.reason,
    )


def _noise_scales(sensitivity: float, run_mu: float, shares: Sequence[float]) -> list[float]:
    """Noise standard deviation at each share, rounded up."""
    return [sensitivity / gaussian.mu_of_share(run_mu, share) * (1 + 1e-15) for share in shares]


def _forecast_start(
    schedule: RefinedSchedule, smallest_start: float, largest_start: float
) -> Iterator[ForecastRelease]:
    """Yield one row for each noised edge of a spectral start.

    Sensitivity and scales are NaN: released clip levels decide them.

    Args:
        schedule: of the run.
        smallest_start: smallest share of μ² for a start.
        largest_start: largest share.
    """
    smallest_shares = schedule.start_release_shares(smallest_start)
    largest_shares = schedule.start_release_shares(largest_start)
    all_quantities = SPECTRAL_VARIANT.quantities
    for edge in dict.fromkeys(quantity.edge for quantity in all_quantities):
        quantities = [quantity for quantity in all_quantities if quantity.edge == edge]
        yield ForecastRelease(
            edge=edge,
            symbols=", ".join(quantity.symbol for quantity in quantities),
            quantity=", ".join(quantity.words for quantity in quantities),
            shape=(),
            when=BOUGHT,
            law="Gaussian",
            sensitivity=math.nan,
            scales=((math.nan, math.nan),),
            share=(
                math.fsum(smallest_shares[quantity.name] for quantity in quantities),
                math.fsum(largest_shares[quantity.name] for quantity in quantities),
            ),
            why=" ".join(quantity.reason for quantity in quantities),
        )
