"""Methods with the smallest measured errors at one ε.

A chart's title and the sentence above it name the same ones.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dplda.core.formatting import digits
from dplda.figures.errors.method_lines import (
    AMONG,
    NO_NUMBER_YET,
    NONE_BEATS_UNIGRAM,
    SO_FAR,
    MethodLine,
    beats_unigram,
    unigram_error,
)
from dplda.methods.base.method_names import short_title
from dplda.privacy.release import Status


@dataclass(frozen=True, slots=True)
class LowestErrors:
    """The measured methods with the smallest errors at one ε.

    Attributes:
        epsilon: the ε with a measured number that is nearest to the one asked for.
        proven: the proven method with the smallest error there; None where none has a number.
        published: likewise among methods as published.
        noiseless: likewise among methods without ε.
        all_proven_ran: whether every proven method that is drawn was run at this ε.
    """

    epsilon: float
    proven: MethodLine | None
    published: MethodLine | None
    noiseless: MethodLine | None
    all_proven_ran: bool

    def title(self, unigram: float) -> str:
        """Name the proven method, unless it is no better than the unigram, whose error is given.

        Says so if no proven method has a number, and adds *so far* if some have not been run.
        """
        if self.proven is None:
            return f"No proven method has a number at ε = {self.epsilon:g}"
        so_far = "" if self.all_proven_ran else SO_FAR
        if not beats_unigram(self.proven.at(self.epsilon), unigram):
            return NONE_BEATS_UNIGRAM + so_far
        name = short_title(self.proven.title)
        return f"{AMONG} {name} at ε = {self.epsilon:g}{so_far}"

    def describe(self, chosen_epsilon: float) -> str:
        """Name the methods with the smallest errors in one sentence, and the error without noise.

        What is missing is left out. ``chosen_epsilon`` is the page's ε; the sentence
        says so where that is not the ε of the errors.
        """
        clauses = []
        for line, kind in ((self.proven, "proven"), (self.published, "published")):
            if line is not None:
                title = line.title.replace(f", {Status.AS_PUBLISHED}", "")
                error = digits(line.at(self.epsilon))
                clauses.append(
                    f"the {kind} method with the smallest error is **{title}** ({error})"
                )
        if self.noiseless is not None:
            clauses.append(f"without noise it is {digits(self.noiseless.at(self.epsilon))}")
        remark = "" if self.epsilon == chosen_epsilon else " (the nearest to yours)"
        return f"In this figure at ε = {self.epsilon:g}{remark}, {'; '.join(clauses)}."


def lowest_errors(lines: Sequence[MethodLine], chosen_epsilon: float) -> LowestErrors | None:
    """Find the methods with the smallest errors at the measured ε nearest to ``chosen_epsilon``.

    The nearest one has the smallest factor to it; of two, the smaller. The result has the best
    proven method, the best one as published and the best one without noise, each None if missing.
    It also tells whether all proven methods with a number were run at this ε.

    Returns:
        None where no method with noise has a number.
    """
    lines_with_noise = [line for line in lines if line.epsilons]
    measured_epsilons = {
        epsilon
        for line in lines_with_noise
        for epsilon, error in zip(line.epsilons, line.median, strict=True)
        if math.isfinite(error)
    }
    if not measured_epsilons:
        return None
    nearest_epsilon = min(
        sorted(measured_epsilons),
        key=lambda epsilon: abs(math.log(epsilon) - math.log(chosen_epsilon)),
    )
    proven_lines = [line for line in lines_with_noise if line.status is Status.PROVEN]
    published_lines = [line for line in lines_with_noise if line.status is Status.AS_PUBLISHED]
    return LowestErrors(
        epsilon=nearest_epsilon,
        proven=_lowest(proven_lines, nearest_epsilon),
        published=_lowest(published_lines, nearest_epsilon),
        noiseless=_lowest((line for line in lines if not line.epsilons), nearest_epsilon),
        all_proven_ran=all(
            nearest_epsilon in line.epsilons for line in proven_lines if line.has_result
        ),
    )


def finding_at(
    lines: Sequence[MethodLine], chosen_epsilon: float, *, recommendation: str = ""
) -> str:
    """Say in a title which proven method's median is lowest near an ε.

    Args:
        lines: every method of the chart.
        chosen_epsilon: ε of the page.
        recommendation: title where not every proven method was run there, or none has a number;
            empty for the lowest so far, or for saying that there is no number.
    """
    lowest = lowest_errors(lines, chosen_epsilon)
    may_change = lowest is None or lowest.proven is None or not lowest.all_proven_ran
    if recommendation and may_change:
        return recommendation
    if lowest is None:
        return NO_NUMBER_YET
    return lowest.title(unigram_error(lines))


def describe_lowest_errors(lines: Sequence[MethodLine], chosen_epsilon: float) -> str:
    """Say in one sentence which measured methods have the smallest errors near an ε, if any has."""
    lowest = lowest_errors(lines, chosen_epsilon)
    if lowest is None:
        return "No private method has a number yet."
    return lowest.describe(chosen_epsilon)


def _lowest(lines: Iterable[MethodLine], epsilon: float) -> MethodLine | None:
    """The method with the smallest median at ε; None where none has a number there."""

    def median_of(line: MethodLine) -> float:
        """The line's median at ε; NaN if it has none."""
        return line.at(epsilon)

    lines_with_median = [line for line in lines if math.isfinite(median_of(line))]
    return min(lines_with_median, key=median_of, default=None)
