"""The verdict on a release that was made, by its released evidence, or on known themes."""

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from dplda.core.formatting import WITHOUT_TOPICS, counted
from dplda.release.artefact.artefact import Findings
from dplda.release.verdict.verdict import Readability

MIN_USABLE_SHARE = Fraction(2, 3)
"""Share of the requested topics that have evidence, from which on a release is usable."""

MAX_LOST_SHARE = Fraction(1, 6)
"""Share of the requested topics that have evidence, up to which nothing was found."""

NO_EVIDENCE = "This method cannot tell how much of a topic is noise. Read the words with care."
MIN_USABLE_GAIN = 0.03
"""Part of perplexity by which topics of a usable release are better than word frequencies on new
documents."""

TABLE_ALONE = (
    "The words come from public knowledge: noise hides what the documents would add to them."
)
WHAT_WOULD_HELP = (
    "More documents, fewer topics or a weaker guarantee (a larger ε) could reveal more."
)


class Usability(StrEnum):
    """The worth of a release."""

    USABLE = "usable"
    WEAK = "weak"
    NOTHING = "nothing found"


@dataclass(frozen=True, slots=True)
class ReleaseOutcome:
    """The verdict on a release, and its reason.

    Attributes:
        outcome: the verdict.
        reason: what it rests on, one or two sentences.
    """

    outcome: Usability
    reason: str

    @property
    def word(self) -> str:
        """The verdict as the first word of a sentence."""
        return self.outcome.value.capitalize()

    def describe(self) -> str:
        """The verdict with its reason."""
        return f"{self.word}. {self.reason}"


def judge_themes(n_found: int, n_themes: int) -> Readability:
    """The verdict that would have been right before a release, where themes are known.

    ``READABLE`` from two thirds of the themes on, ``NOTHING`` up to a sixth, else ``WEAK``.

    Args:
        n_found: number of themes found.
        n_themes: number of all themes, above 0.
    """
    share_found = Fraction(n_found, n_themes)
    if share_found >= MIN_USABLE_SHARE:
        return Readability.READABLE
    return Readability.NOTHING if share_found <= MAX_LOST_SHARE else Readability.WEAK


def judge_release(findings: Findings) -> ReleaseOutcome:
    """Judge what was found, by the evidence that was released with it.

    A release is usable if two thirds of the requested topics have evidence, and nothing was found
    if a sixth or fewer have. It is weak at best where topics together gain little or noise hides
    it, and where the words are those of a public table alone. Without released evidence it is weak
    too, or nothing if there is no topic. The reason always comes with the verdict. Advice on what
    could reveal more comes with what noise hid: not with usable topics, with those of a table
    alone, or with all the topics that a method without evidence was asked for.

    Args:
        findings: of the release, before its owner arranged them.
    """
    n_supported = len(findings.supported_topics)
    evidence = findings.evidence
    if evidence is None:
        return _judge_without_evidence(findings)
    is_gain_small = -math.expm1(-evidence.gain_of_new) < MIN_USABLE_GAIN
    has_no_gain = evidence.is_better is False
    share_found = Fraction(n_supported, findings.n_topics)
    reasons = [evidence.describe("the")]
    outcome = Usability.USABLE
    if share_found <= MAX_LOST_SHARE:
        outcome = Usability.NOTHING
    elif share_found < MIN_USABLE_SHARE or has_no_gain or is_gain_small:
        outcome = Usability.WEAK
    elif _is_table_alone(findings):
        return ReleaseOutcome(Usability.WEAK, " ".join((TABLE_ALONE, *reasons)))
    if outcome is not Usability.USABLE:
        reasons.append(WHAT_WOULD_HELP)
    return ReleaseOutcome(outcome, " ".join(reasons))


def _is_table_alone(findings: Findings) -> bool:
    """Whether the topics are those of a public table, which no step moved."""
    prior_use = findings.prior_use
    return prior_use is not None and prior_use.used and not prior_use.stepped


def _judge_without_evidence(findings: Findings) -> ReleaseOutcome:
    """Judge a release without evidence by its number of topics: nothing without any, else weak.

    Fewer than were asked for are called directions. Only then, and without any, advice is given.
    """
    n_found = len(findings.topics)
    if n_found == 0:
        return ReleaseOutcome(
            Usability.NOTHING, f"No topic rises above the noise. {WHAT_WOULD_HELP}"
        )
    if n_found < findings.n_topics:
        directions_phrase = counted(n_found, "direction rises", "directions rise")
        return ReleaseOutcome(
            Usability.WEAK,
            f"{directions_phrase} above the noise. {WITHOUT_TOPICS} {WHAT_WOULD_HELP}",
        )
    return ReleaseOutcome(Usability.WEAK, NO_EVIDENCE)
