"""Shares of a budget and thresholds that follow from public numbers alone.

Each is a function of the size of a corpus, of budgets and of public constants. A
``RefinedSchedule`` adds what released values decide.
"""

import math

from dplda.methods.refined.plan.constants import (
    EVIDENCE_SHARE_FACTOR,
    MAX_CONTINUED_EVIDENCE_SHARE,
    MAX_WORD_SHARE,
    MIN_PRIOR_ADVANTAGE,
    MIN_SIZE_FOR_PRIOR_TEST,
    PRIOR_ADVANTAGE_STDS,
    PRIOR_TEST_SHARE_FACTOR,
    RefinedConstants,
)


def word_count_share(constants: RefinedConstants, edge: float) -> float:
    """Share of word counts, of what is for topics; tends to 1 as topics become infeasible.

    Args:
        constants: public choices of the run.
        edge: ``ρ``, noise edge of a pair average that is released with the whole budget.
    """
    noise_ratio = edge / constants.noise_where_topics_are_infeasible
    excess = noise_ratio**2
    feasible_share = constants.word_share * edge / (edge + constants.low_noise)
    share = (feasible_share + excess) / (1 + excess)
    return min(share, MAX_WORD_SHARE)


def prior_test_share(constants: RefinedConstants, n_documents: int, mu: float) -> float:
    """Share for asking the documents about a prior; 0 where noise would be the answer.

    Its mean advantage then has noise of standard deviation ``1/√(Nμ)`` nats, at most .16. A share
    that the constants set is taken as it is.
    """
    if constants.prior_test_share is not None:
        return constants.prior_test_share
    documents_times_mu = n_documents * mu
    if documents_times_mu < MIN_SIZE_FOR_PRIOR_TEST:
        return 0.0
    return PRIOR_TEST_SHARE_FACTOR / documents_times_mu


def evidence_share(
    constants: RefinedConstants, n_documents: int, run_mu: float, *, total_mu: float | None = None
) -> float:
    """Share of evidence, of a run's own μ².

    Of many documents it is ``25/(Nμ)``, at which a gain has noise of a third of a nat; of few, the
    largest share that constants allow. A continued
    run has topics of its own, and no earlier release knows their gain. So it spends as much μ² on
    evidence as one release at its total would, while that is at most
    ``MAX_CONTINUED_EVIDENCE_SHARE`` of its own.

    Args:
        run_mu: Gaussian budget of this run alone.
        total_mu: that of this run and of all releases that it continues; None if it continues none.
    """
    max_share = constants.max_evidence_share
    if total_mu is None:
        return min(max_share, EVIDENCE_SHARE_FACTOR / (n_documents * run_mu))
    share_of_total = min(max_share, EVIDENCE_SHARE_FACTOR / (n_documents * total_mu))
    share_of_run = share_of_total * (total_mu / run_mu) ** 2
    return min(share_of_run, max(MAX_CONTINUED_EVIDENCE_SHARE, max_share))


def noise_edge(n_documents: int, n_words: int, mu: float) -> float:
    """Noise edge ``ρ = 2√d/(Nμ)`` of a pair average of unit clip level, released with all of μ."""
    return 2 * math.sqrt(n_words) / (n_documents * mu)


def prior_acceptance_threshold(n_documents: int, mu: float) -> float:
    """Smallest released advantage, in nats a document, at which a prior is accepted.

    It is .15 and 1.5 standard deviations of its noise, which is ``1/√(Nμ)``.
    """
    return MIN_PRIOR_ADVANTAGE + PRIOR_ADVANTAGE_STDS / math.sqrt(n_documents * mu)
