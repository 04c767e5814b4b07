"""The guarantee of topics and their tables of shares together."""

import math
from collections.abc import Sequence
from dataclasses import replace

from dplda.corpus import Selection
from dplda.methods.base.guarantees import SELECTION_SENTENCE
from dplda.methods.shares.share_table import share_bound
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import (
    LARGEST_EXPONENT,
    SELECTION_FAILURE_SHARE,
    Spending,
)
from dplda.privacy.noise.exact import RESERVED_DELTA_SHARE, delta_of_noise, max_tv_slack
from dplda.privacy.release import Guarantee
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.artefact import Artefact
from dplda.release.shares.request import spending_of_table
from dplda.release.shares.shares_file import ReleasedShares

PLANNED_TOGETHER = (
    "The numbers of topics and tables together hold if all of them were planned before the first."
    " The limit of the owner's budget holds in any case."
)


def epsilon_together(topics: Artefact, tables: Sequence[Spending]) -> float:
    """ε of released topics and tables of shares together, at the δ of the topics, rounded up.

    By the theorem of ``privacy.accounting.budget_caps``: squares of μ add up. The chance that
    selected words or groups fail, and the distance of exact noise, are taken off δ. Topics count
    with what they could have spent: noise decides whether a start ends early, and the theorem is of
    caps, not of what a run happened to leave.

    Args:
        topics: the released topics.
        tables: spending of each table.

    Returns:
        ε; infinite if the distance takes all of δ.
    """
    delta = topics.guarantee.claimed_delta
    delta_without_failure = delta - _selection_failure_of(topics)
    tv_slack = _tv_slack_of(topics)
    mus = [_mu_of_topics(topics)]
    for table in tables:
        mus.append(table.mu)
        delta_without_failure -= table.selection_failure
        tv_slack += table.tv_slack
    return _epsilon_beside_slack(
        gaussian.compose(mus),
        delta_without_failure,
        tv_slack=tv_slack,
        reserved_delta=RESERVED_DELTA_SHARE * delta,
    )


def _epsilon_beside_slack(
    mu: float, delta: float, *, tv_slack: float, reserved_delta: float
) -> float:
    """ε of Gaussian noise where δ also pays for the distance of exact noise; infinite if it cannot.

    The distance costs (1 + e^ε) τ, so more of δ is set aside until that is enough.

    Args:
        mu: of the noise.
        delta: δ of both.
        tv_slack: τ.
        reserved_delta: least part of δ that is set aside.
    """
    while reserved_delta < delta:
        epsilon = gaussian.epsilon_for(mu, (delta - reserved_delta) * (1 - 1e-12))
        cost = (1 + math.exp(min(epsilon, LARGEST_EXPONENT))) * tv_slack * (1 + 1e-12)
        if cost <= reserved_delta:
            return epsilon
        reserved_delta = 1.1 * cost
    return math.inf


def _mu_of_topics(topics: Artefact) -> float:
    """μ that released topics could have spent, by their ε and δ; at least that of what was drawn.

    Where the part of δ for selected words is unknown, μ is a little larger than it was.
    """
    mus_of_values = [
        math.sqrt(noisy_value.times) * noisy_value.mu for noisy_value in topics.noisy_values
    ]
    guarantee = topics.guarantee
    noise_delta = delta_of_noise(guarantee.claimed_delta)
    if topics.selected_words is not None:
        noise_delta -= _selection_failure_of(topics)
    planned_mu = gaussian.mu_for(guarantee.claimed_epsilon, noise_delta)
    return max(planned_mu, gaussian.compose(mus_of_values))


def _tv_slack_of(topics: Artefact) -> float:
    """Distance of exact noise from Gaussian noise in released topics and those they continue.

    It is the largest that is allowed where the file does not say it.
    """
    if topics.resumable is not None:
        return topics.resumable.tv_slack
    return max_tv_slack(topics.guarantee.claimed_epsilon, topics.guarantee.claimed_delta)


def _selection_failure_of(topics: Artefact) -> float:
    """Chance that a word of only one neighbor was selected; 0 if words were not selected.

    It is an upper bound where the file does not say how they were selected.
    """
    selected_words = topics.selected_words
    if selected_words is not None:
        selection = Selection(selected_words.n_words, selected_words.epsilon, selected_words.delta)
        return selection_thresholds(selection).selection_failure
    has_selected_words = any(
        sentence.startswith(SELECTION_SENTENCE) for sentence in topics.guarantee.rests_on
    )
    if has_selected_words:  # whose δ is part of the release's
        return SELECTION_FAILURE_SHARE * topics.guarantee.claimed_delta
    return 0.0


def guarantee_together(topics: Artefact, tables: Sequence[ReleasedShares]) -> Guarantee:
    """Combine the guarantees of topics and of tables: total ε at the topics' δ, and all caveats.

    It also rests on how the groups of each table were chosen.

    Args:
        topics: the released topics.
        tables: tables of shares of these topics; without any, the guarantee is that of the topics.
    """
    if not tables:
        return topics.guarantee
    spendings = [spending_of_released(table) for table in tables]
    guarantees = (topics.guarantee, *(table.guarantee for table in tables))
    caveats = dict.fromkeys(caveat for guarantee in guarantees for caveat in guarantee.caveats)
    groups_sentences = dict.fromkeys(table.groups_sentence for table in tables)
    return replace(
        topics.guarantee,
        claimed_epsilon=epsilon_together(topics, spendings),
        caveats=tuple(caveats),
        rests_on=(*topics.guarantee.rests_on, *groups_sentences),
    )


def spending_of_released(table: ReleasedShares) -> Spending:
    """Gaussian spending of a released table, by the numbers in its file; μ is rounded up."""
    n_topics = table.noisy_table.shape[1]
    sensitivity = share_bound(table.n_units, n_topics).exact_sensitivity
    return spending_of_table(
        sensitivity / table.noise_std * (1 + 1e-15),
        table.noise_std,
        table.selection,
        n_rows=table.groups.n_rows,
        n_topics=n_topics,
        n_units=table.n_units,
    )


def describe_risk_together(topics: Artefact, tables: Sequence[ReleasedShares]) -> str:
    """Describe the risk of released topics and their tables together, in two sentences.

    Args:
        topics: the released topics.
        tables: tables of shares of these topics; empty for the risk of the topics alone.
    """
    guarantee = guarantee_together(topics, tables)
    subject_phrase = "Topics"
    if tables:
        subject_phrase = (
            "Topics and table together" if len(tables) == 1 else "Topics and tables together"
        )
    return f"{subject_phrase} ({guarantee.describe_parameters()}): {guarantee.describe_risk()}"
