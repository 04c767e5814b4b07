"""The guarantee of topics and their tables of shares together."""

import math
from collections.abc import Sequence
from dataclasses import replace

from dplda.corpus import Selection
from dplda.methods.base.guarantees import SELECTION_SENTENCE
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.release import Guarantee
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.artefact import Artefact
from dplda.release.shares.shares_file import SENSITIVITY, ReleasedShares

PLANNED_TOGETHER = (
    "The numbers of topics and tables together hold if all of them were planned before the first."
    " The limit of the owner's budget holds in any case."
)


def epsilon_together(
    topics: Artefact, table_mus: Sequence[float], selections: Sequence[Selection | None]
) -> float:
    """ε of released topics and tables of shares together, at the δ of the topics.

    By the theorem of ``privacy.accounting.budget_caps``: squares of μ add up, and the chance that
    selected words or groups fail is taken off δ.

    Args:
        topics: the released topics.
        table_mus: μ of each table.
        selections: how the groups of each table were chosen by size; None for public lists.
    """
    noise_delta = delta_of_noise(topics.guarantee.claimed_delta) - _selection_failure_of(topics)
    mus = [math.sqrt(noisy_value.times) * noisy_value.mu for noisy_value in topics.noisy_values]
    mus += table_mus
    for group_selection in selections:
        if group_selection is not None:
            thresholds = selection_thresholds(group_selection)
            mus.append(thresholds.mu)
            noise_delta -= thresholds.selection_failure
    return gaussian.epsilon_for(gaussian.compose(mus), noise_delta)


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

    Args:
        topics: the released topics.
        tables: tables of shares of these topics; without any, the guarantee is that of the topics.
    """
    if not tables:
        return topics.guarantee
    table_mus = [SENSITIVITY / table.noise_std for table in tables]
    selections = [table.selection for table in tables]
    caveats = dict.fromkeys(
        caveat
        for guarantee in (topics.guarantee, *(table.guarantee for table in tables))
        for caveat in guarantee.caveats
    )
    return replace(
        topics.guarantee,
        claimed_epsilon=epsilon_together(topics, table_mus, selections),
        caveats=tuple(caveats),
    )


def describe_risk_together(topics: Artefact, tables: Sequence[ReleasedShares]) -> str:
    """Describe the risk of released topics and their tables together, in two sentences.

    Args:
        topics: the released topics.
        tables: tables of shares of these topics.
    """
    guarantee = guarantee_together(topics, tables)
    subject_phrase = "Topics"
    if tables:
        subject_phrase = (
            "Topics and table together" if len(tables) == 1 else "Topics and tables together"
        )
    return f"{subject_phrase} ({guarantee.describe_parameters()}): {guarantee.describe_risk()}"
