"""Sentences and tables of a report: warning, findings, guarantee, limits, facts and noise."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.core.formatting import COVERAGE, WITHOUT_TOPICS, counted
from dplda.evaluation.evidence import describe_topics_above_noise
from dplda.privacy.accounting.odds import (
    LADDER,
    format_chance,
    format_rounded_up,
)
from dplda.privacy.accounting.risk import risk_of
from dplda.privacy.release import Guarantee, Status
from dplda.release.artefact.artefact import Findings, NoisyValueFacts
from dplda.release.report.released import ReportContents

ABOUT_DOCUMENTS = (
    "The guarantee covers one document. Somebody who wrote m of them is protected less: m documents"
    " together count as ε times m, and δ grows faster."
)
ABOUT_PERSONS = (
    "The guarantee covers one person with everything they wrote, which counts as one document. It"
    " does"
    " not hide what others wrote about them."
)
ABOUT_NAMES = (
    "A topic is a list of word frequencies that a computer found. Its meaning and its name come"
    " from"
    " people."
)
ABOUT_THE_WHOLE = (
    "The guarantee does not hide facts about the documents as a whole, or anything already known"
    " from"
    " other sources."
)
ABOUT_FURTHER_RESULTS = (
    "Every further private result on the same documents weakens protection: at worst their ε add"
    " up."
)


def describe_warning(guarantee: Guarantee) -> str:
    """Sentences that the reader must know first: how this run differs from the mechanism."""
    sentences = [f"{caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats]
    if guarantee.releasable:
        return " ".join(sentences)
    if guarantee.mechanism is Status.AS_PUBLISHED:
        sentences.insert(0, "The proof of this method, as published, has a known gap.")
    return " ".join([*sentences, "This page is not a private release."])


def describe_findings(findings: Findings) -> str:
    """Sentences on how many topics stand out from the noise."""
    if findings.evidence is not None:
        gain = findings.evidence.describe_gain("the")
        return f"{gain} {describe_topics_above_noise(findings.evidence)}"
    if findings.n_topics > len(findings.topics):
        n_directions = counted(len(findings.supported_topics), "direction rises", "directions rise")
        return f"{n_directions} above the noise. {WITHOUT_TOPICS}"
    return "This method cannot tell how much of a topic is noise. Read the words with care."


def describe_unsupported(n_hidden: int, n_missing: int) -> str:
    """Explain in a sentence why topics are not shown; empty if all are.

    If topics lack evidence, the sentence is on those alone, not on those that were not found.

    Args:
        n_hidden: how many topics have no evidence.
        n_missing: how many topics the method did not find.
    """
    n_topics = n_hidden or n_missing
    if not n_topics:
        return ""
    is_single = n_topics == 1
    if n_hidden:
        pronoun_with_verb = "it explains" if is_single else "they explain"
        reason = f"{pronoun_with_verb} the documents no better than noise would"
    else:
        reason = "the noise hides it" if is_single else "the noise hides them"
    noun = "topic is" if is_single else "topics are"
    return f"{n_topics} {noun} not shown: {reason}."


def describe_guarantee(guarantee: Guarantee) -> str:
    """Describe how well a reader can guess under the guarantee, and how far that is proven.

    Says that nothing is guaranteed without privacy or if the published proof has a gap. If only
    this run breaks the guarantee of its method, says both.
    """
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return "Nothing is guaranteed: a reader may learn what is in a single document."
    if guarantee.mechanism is Status.AS_PUBLISHED:
        return "The published proof has a known gap, so do not rely on it: nothing is promised."
    risk = guarantee.claimed_risk
    unit = guarantee.adjacency.unit
    promise = f"{risk.describe_right_guess(unit)} {risk.describe_raised_guess(unit)}"
    promise_in_lowercase = f"{promise[:1].lower()}{promise[1:]}"
    if guarantee.status is Status.NOT_PRIVATE:
        return (
            f"The method gives this guarantee: {promise_in_lowercase} This run does not, as noted"
            " at the top."
        )
    return promise


def rows_of_epsilons(guarantee: Guarantee) -> Iterator[tuple[str, str, str]]:
    """Yield table rows for the values of ε in ``LADDER`` and this report's own, ascending.

    Each row has ε, how often a guess is right, and how often a rare guess is. This report's row is
    marked; an infinite ε has none.
    """
    claimed_epsilon = guarantee.claimed_epsilon
    mark = " (this report)" if guarantee.status is Status.PROVEN else " (claimed here)"
    epsilons = set(LADDER)
    if math.isfinite(claimed_epsilon):
        epsilons.add(claimed_epsilon)
    for epsilon in sorted(epsilons):
        risk = risk_of(epsilon, guarantee.claimed_delta, is_gaussian=guarantee.is_gaussian)
        yield (
            f"{format_rounded_up(epsilon)}{mark if epsilon == claimed_epsilon else ''}",
            format_chance(risk.right_guess),
            f"{risk.raised_times} times in 100",
        )


def rows_of_facts(run: ReportContents) -> list[tuple[str, str]]:
    """Table rows: public facts on the run."""
    unit = run.guarantee.adjacency.unit
    n_documents = "not stated" if run.n_documents is None else f"{run.n_documents:,}"
    return [
        ("Method", run.method),
        (f"{unit.capitalize()}s", n_documents),
        ("Words in the vocabulary", f"{len(run.vocabulary):,}"),
        ("Topics requested (k)", f"{run.n_topics}"),
        ("Mixing of topics (α₀)", f"{run.alpha0:g}"),
        ("Privacy loss (ε)", format_rounded_up(run.guarantee.claimed_epsilon)),
        ("Failure probability (δ)", format_rounded_up(run.guarantee.claimed_delta)),
        ("Protected", f"each {unit}"),
    ]


def rows_of_noise(values: Sequence[NoisyValueFacts]) -> Iterator[tuple[str, str, str, str]]:
    """Yield table rows on noise: value, size, how far one document moves it, standard deviation.

    Equal neighbors share a row with their number; if their noise differs, it is given from the
    first to the last.
    """
    for _, value_group in groupby(values, _facts_of_value):
        equal_values = list(value_group)
        first_value = equal_values[0]
        n_times = sum(value.times for value in equal_values)
        scales_of_ends = dict.fromkeys(
            f"{value.scale:.3g}" for value in (first_value, equal_values[-1])
        )
        yield (
            first_value.quantity + (f", {n_times} times" if n_times > 1 else ""),
            " × ".join(f"{size:,}" for size in first_value.shape) or "one number",
            f"{first_value.sensitivity:.3g}",
            " to ".join(scales_of_ends),
        )


def limits_of(run: ReportContents) -> list[str]:
    """Sentences on what the guarantee and the topics do not say.

    The last one is on the intervals of words, or on their lack where public knowledge was used. It
    is missing if no topics are shown, or there are neither intervals nor public knowledge.
    """
    protects_persons = run.guarantee.adjacency.unit == "person"
    limits = [
        ABOUT_NAMES,
        ABOUT_PERSONS if protects_persons else ABOUT_DOCUMENTS,
        ABOUT_THE_WHOLE,
        ABOUT_FURTHER_RESULTS,
    ]
    if run.supported_topics and run.lower is not None:
        limits.append(
            f"The range after a percentage {COVERAGE}. On real text the error can be larger."
        )
    elif run.supported_topics and run.prior_topics is not None:
        limits.append(
            "The errors of these topics are unknown, so their percentages have no ranges."
        )
    return limits


def _facts_of_value(value: NoisyValueFacts) -> tuple[str, tuple[int, ...], float]:
    return value.quantity, value.shape, value.sensitivity
