"""Sentences and tables of a report: warning, findings, guarantee, limits, facts and noise."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.core.formatting import STAYS_MEASURED
from dplda.methods.shares.share_table import share_bound
from dplda.privacy.accounting.odds import (
    DIGITS,
    LADDER,
    format_chance,
    format_rounded_down,
    format_rounded_up,
)
from dplda.privacy.accounting.risk import risk_of
from dplda.privacy.release import Guarantee, Status
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.artefact.artefact import NoisyValueFacts
from dplda.release.report.released import ReportContents
from dplda.release.shares.shares_file import SELECTED_AXIS, ReleasedShares

PERSON = "person"
ABOUT_DOCUMENTS = (
    "The guarantee covers one document. Somebody who wrote m of them is protected less: m documents"
    " together count as ε times m, and δ grows faster."
)
ABOUT_PERSONS = (
    "The guarantee covers one person with everything they wrote, which counts as one document. It"
    " does not hide what others wrote about them."
)
ABOUT_NAMES = (
    "A topic is a list of word frequencies that a computer found. Its meaning and its name come"
    " from people."
)
ABOUT_THE_WHOLE = (
    "The guarantee does not hide facts about the documents as a whole, or anything already known"
    " from other sources."
)
ABOUT_FURTHER_RESULTS = (
    "Every further private result on the same documents weakens protection: at worst their ε add"
    " up."
)


def describe_warning(guarantee: Guarantee) -> str:
    """Sentences that the reader must know first: the caveats of a guarantee, each as a sentence.

    For a run that is no private release, a gap in its method's proof comes first, and that it is
    none last. Empty for a release without caveats.
    """
    sentences = [f"{caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats]
    if guarantee.releasable:
        return " ".join(sentences)
    if guarantee.mechanism is Status.AS_PUBLISHED:
        sentences.insert(0, "The proof of this method, as published, has a known gap.")
    return " ".join([*sentences, "This page is not a private release."])


def describe_left_out(*, n_hidden: int, n_shown: int) -> str:
    """Describe topics without evidence, which are not shown; empty if all are, or none is.

    It follows the verdict, which says how many have evidence, and what that means.

    Args:
        n_hidden: how many topics have no evidence.
        n_shown: how many topics have evidence.
    """
    if not n_hidden or not n_shown:
        return ""
    if n_hidden == 1:
        return "The other topic is not shown."
    return f"The other {n_hidden} topics are not shown."


def describe_request(run: ReportContents) -> str:
    """Describe what was requested, whom it protects where that is proven, and how."""
    unit = run.guarantee.adjacency.unit
    number_text = "" if run.n_documents is None else f"{run.n_documents:,} "
    documents_phrase = f"{number_text}documents"
    protected_phrase = "each document"
    if unit == PERSON:
        documents_phrase = f"the documents of {number_text}persons"
        protected_phrase = "each person with everything they wrote"
    request_sentence = f"{run.n_topics} topics were requested of {documents_phrase}."
    noise_clause = "andom noise was added to everything computed from the documents."
    if run.guarantee.status is not Status.PROVEN:
        return f"{request_sentence} R{noise_clause}"
    return f"{request_sentence} Differential privacy protects {protected_phrase}: r{noise_clause}"


def describe_guarantee(guarantee: Guarantee) -> str:
    """Describe how well a reader can guess under the guarantee.

    Says that nothing is guaranteed if the method is not private or its published proof has a gap.
    If only this run breaks the guarantee of its method, says both.
    """
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return "Nothing is guaranteed: a reader may learn what is in a single document."
    if guarantee.mechanism is Status.AS_PUBLISHED:
        return "The published proof has a known gap, so do not rely on it: nothing is promised."
    claimed_risk = guarantee.claimed_risk
    unit = guarantee.adjacency.unit
    promise_text = claimed_risk.describe(unit)
    promise_text_in_lowercase = f"{promise_text[:1].lower()}{promise_text[1:]}"
    if guarantee.status is Status.NOT_PRIVATE:
        return (
            f"The method gives this guarantee: {promise_text_in_lowercase} This run does not, as"
            " noted at the top."
        )
    return promise_text


def describe_parameters(guarantee: Guarantee) -> str:
    """ε and δ, for brackets; empty where nothing is promised."""
    if guarantee.mechanism is not Status.PROVEN:
        return ""
    return guarantee.describe_parameters()


def describe_protected(guarantee: Guarantee) -> str:
    """Sentences on whom the guarantee covers, and who is protected less."""
    if guarantee.adjacency.unit == PERSON:
        return ABOUT_PERSONS
    return ABOUT_DOCUMENTS


def rows_of_epsilons(guarantee: Guarantee) -> Iterator[tuple[str, str, str]]:
    """Yield table rows for the values of ε in ``LADDER`` and this report's own, ascending.

    Each row has ε, how often a guess is right, and how often a rare guess is. This report's row is
    marked, as claimed if the guarantee is not proven. An infinite ε has none. Where only the run's
    own losses are known, it is the only row.
    """
    claimed_epsilon = guarantee.claimed_epsilon
    claimed_text = format_rounded_up(claimed_epsilon)
    mark = " (this report)" if guarantee.status is Status.PROVEN else " (claimed here)"
    epsilons = {epsilon for epsilon in LADDER if format_rounded_up(epsilon) != claimed_text}
    if guarantee.risk_of_losses is not None:
        epsilons = set()
    if math.isfinite(claimed_epsilon):
        epsilons.add(claimed_epsilon)
    for epsilon in sorted(epsilons):
        risk = risk_of(epsilon, guarantee.claimed_delta, is_gaussian=guarantee.is_gaussian)
        if epsilon == claimed_epsilon:
            risk = guarantee.claimed_risk
        yield (
            f"{format_rounded_up(epsilon)}{mark if epsilon == claimed_epsilon else ''}",
            format_chance(risk.right_guess),
            f"{risk.raised_times} times in 100",
        )


def rows_of_facts(run: ReportContents) -> list[tuple[str, str]]:
    """Make table rows of public facts: method, number of documents, words, k, α₀, ε, δ and unit.

    The number is that of persons where they are protected; ``not stated`` if the run leaves it
    out. ε and δ are rounded up.
    """
    unit = run.guarantee.adjacency.unit
    n_documents_text = "not stated" if run.n_documents is None else f"{run.n_documents:,}"
    return [
        ("Method", run.method),
        (f"{unit.capitalize()}s", n_documents_text),
        ("Words in the vocabulary", f"{len(run.vocabulary):,}"),
        ("Topics requested (k)", f"{run.n_topics}"),
        ("Mixing of topics (α₀)", f"{run.alpha0:g}"),
        ("Privacy loss (ε)", format_rounded_up(run.guarantee.claimed_epsilon)),
        ("Failure probability (δ)", format_rounded_up(run.guarantee.claimed_delta)),
        ("Protected", f"each {unit}"),
    ]


def rows_of_noise(values: Sequence[NoisyValueFacts]) -> Iterator[tuple[str, str, str, str]]:
    """Yield table rows on noise: value, shape, how far one document moves it, standard deviation.

    The shape of a scalar is ``one number``.
    That distance is rounded up, and the standard deviation down.

    Neighbors that are equal but for their noise share a row with their number; if their noise
    differs, that of the first and the last is given.
    """
    for _, value_group in groupby(values, _facts_of_value):
        equal_values = list(value_group)
        first_value = equal_values[0]
        n_times = sum(value.times for value in equal_values)
        scales_of_ends = dict.fromkeys(
            format_rounded_down(value.scale, DIGITS) for value in (first_value, equal_values[-1])
        )
        yield (
            first_value.quantity + (f", {n_times} times" if n_times > 1 else ""),
            " × ".join(f"{axis_length:,}" for axis_length in first_value.shape) or "one number",
            format_rounded_up(first_value.sensitivity, DIGITS),
            " to ".join(scales_of_ends),
        )


def rows_of_table_noise(tables: Sequence[ReleasedShares]) -> Iterator[tuple[str, str, str, str]]:
    """Yield rows on noise in tables of shares: value, size, sensitivity, standard deviation.

    Sensitivity is rounded up, and the standard deviation down, as in ``rows_of_noise``. Where
    groups were chosen by size, both rounds of that come before their table.
    """
    for table in tables:
        columns_phrase = " and ".join(f"“{source.column}”" for source in table.sources)
        if table.selection is not None:
            thresholds = selection_thresholds(table.selection)
            for selection_round in (thresholds.first, thresholds.second):
                yield (
                    f"weights of groups by “{table.sources[SELECTED_AXIS].column}”",
                    f"{len(table.groups.axes[SELECTED_AXIS].labels):,}",
                    format_rounded_up(thresholds.sensitivity, DIGITS),
                    format_rounded_down(selection_round.noise_std, DIGITS),
                )
        sensitivity = share_bound(table.n_units, table.noisy_table.shape[1]).exact_sensitivity
        yield (
            f"topic shares by {columns_phrase}",
            " × ".join(f"{length:,}" for length in table.noisy_table.shape),
            format_rounded_up(sensitivity, DIGITS),
            format_rounded_down(table.noise_std, DIGITS),
        )


def limits_of(run: ReportContents) -> list[str]:
    """Sentences on what the guarantee and the topics do not say.

    The last one is on the words that lead topics, or on their unknown errors where public knowledge
    was used. It is missing if no topics are shown, or there are neither error bars nor public
    knowledge.
    """
    limits = [
        ABOUT_NAMES,
        ABOUT_THE_WHOLE,
        ABOUT_FURTHER_RESULTS,
    ]
    if run.supported_topics and run.lower is not None:
        limits.append(
            f"A word's place among the first of its topic has noise. {STAYS_MEASURED} On real text"
            " there are further errors."
        )
    elif run.supported_topics and run.prior_topics is not None:
        limits.append(
            "The errors of these topics are unknown, so nothing says how sure their words are."
        )
    return limits


def _facts_of_value(value: NoisyValueFacts) -> tuple[str, tuple[int, ...], float]:
    return value.quantity, value.shape, value.sensitivity
