"""Text and numbers of the noise on an edge: scale, share, and what remains visible."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dplda.core.formatting import digits
from dplda.methods.base.noise_forecast import ForecastRelease, Range
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.dpvi.minibatch_run import STATISTIC, WORDS, MinibatchNoise
from dplda.methods.refined.plan.noise_forecast import ALWAYS
from dplda.privacy.release import Status

CLEAR_FROM = 5.0
"""Signal-to-noise ratio from which noise hardly matters."""
LATER = "Signal known after a run."
"""End of a sentence on a quantity without a signal-to-noise ratio."""


class Standing(StrEnum):
    """Comparison of a quantity with its noise."""

    CLEAR = "clear"
    ABOVE = "above the noise"
    BELOW = "below the noise"
    NO_FINITE = "no finite noise"
    AFTER_RUN = "signal known after a run"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EdgeNumbers:
    """The noise on one edge, as a graph shows it.

    Attributes:
        edge: name of the edge.
        share: of the budget, for all quantities of the edge, in [0, 1]; the middle of a range; 0
            where unknown.
        standing: of the quantity that noise hides most.
        label_lines: lines beside the edge's marker, the share first where it is known.
        sentences: one for each quantity, shown on hovering.
    """

    edge: str
    share: float
    standing: Standing
    label_lines: tuple[str, ...]
    sentences: tuple[str, ...]


def of_table(rows: Sequence[EdgeNoise]) -> tuple[EdgeNumbers, ...]:
    """Numbers of each edge of a configuration, in the order of the rows.

    An edge's label shows the quantity with the lowest signal-to-noise ratio.
    """
    edges = dict.fromkeys(str(row.edge) for row in rows)
    return tuple(
        _numbers_of_quantities(edge, [row for row in rows if row.edge == edge]) for edge in edges
    )


def of_planned(rows: Sequence[ForecastRelease]) -> tuple[EdgeNumbers, ...]:
    """Numbers of each edge of a method whose later noise depends on earlier releases.

    They are ranges over all paths that a run can take, in the order of the rows.
    """
    edges = dict.fromkeys(row.edge for row in rows)
    return tuple(
        _numbers_of_forecast(edge, [row for row in rows if row.edge == edge]) for edge in edges
    )


def of_minibatches(edge: str, noise: MinibatchNoise) -> tuple[EdgeNumbers, ...]:
    """Numbers of the single edge of a method with noisy minibatches.

    These share the whole budget. How noise and signal compare is known only after a run.
    """
    quantities_with_noise = released_quantities(noise)
    sentences = tuple(
        f"{quantity.symbol} · {quantity.words}, {n_releases:,} times:"
        f" sensitivity {digits(noise_std / noise.schedule.noise_multiplier)},"
        f" noise scale {digits(noise_std)}; all minibatches share the whole budget. {LATER}"
        for quantity, noise_std, n_releases in quantities_with_noise
    )
    scale_text = _join_different(digits(noise_std, 2) for _, noise_std, _ in quantities_with_noise)
    edge_numbers = EdgeNumbers(
        edge=edge,
        share=1.0,
        standing=Standing.AFTER_RUN,
        label_lines=("100%", f"± {scale_text}"),
        sentences=sentences,
    )
    return (edge_numbers,)


def released_quantities(noise: MinibatchNoise) -> tuple[tuple[Quantity, float, int], ...]:
    """Quantities of a minibatch run, each with noise scale and number of releases.

    Word counts come first, then the statistic; one that is never released is left out.
    """
    n_statistic_steps = noise.schedule.steps - noise.word_steps
    quantities = (
        (WORDS, noise.word_noise_std, noise.word_steps),
        (STATISTIC, noise.noise_std, n_statistic_steps),
    )
    return tuple(quantity for quantity in quantities if quantity[2])


def refused(edges: Sequence[str], why: str) -> tuple[EdgeNumbers, ...]:
    """Edges whose noise could not be computed, each with the reason as its sentence.

    Each has the label *refused* and no share of the budget.

    Args:
        edges: names of the edges.
        why: the reason, as a sentence.
    """
    return tuple(
        EdgeNumbers(
            edge=str(edge),
            share=0.0,
            standing=Standing.REFUSED,
            label_lines=("refused",),
            sentences=(why,),
        )
        for edge in edges
    )


def compare_with_noise(row: EdgeNoise) -> Standing:
    """Compare a quantity with its noise: clear from ``CLEAR_FROM`` on, above from 1 on, else below.

    Without finite noise, or without a signal before a run, it says so instead.
    """
    if row.trouble:
        return Standing.NO_FINITE
    if math.isnan(row.signal_to_noise):
        return Standing.AFTER_RUN
    if row.signal_to_noise >= CLEAR_FROM:
        return Standing.CLEAR
    if row.signal_to_noise >= 1:
        return Standing.ABOVE
    return Standing.BELOW


def format_range(range_: Range, number_format: str, between: str = " to ") -> str:
    """A range as text; one number where both ends read the same.

    Args:
        number_format: format string for one number.
        between: text between the two ends.
    """
    return _join_different((number_format.format(end) for end in range_), between)


def format_scales(ranges: Sequence[Range]) -> str:
    """Noise scales of consecutive releases as text: first and last, or one if alike."""
    first_and_last = (ranges[0], ranges[-1])
    return _join_different((format_range(range_, "{:.3g}") for range_ in first_and_last), " → ")


def _join_different(texts: Iterable[str], between: str = "–") -> str:
    """Join texts; of equal ones only the first is written."""
    return between.join(dict.fromkeys(texts))


def _numbers_of_quantities(edge: str, rows: Sequence[EdgeNoise]) -> EdgeNumbers:
    """Numbers of an edge: the sum of its quantities' shares, and the noise of the most hidden one.

    Standing and label are that one's. The label ends with its signal-to-noise ratio, 0 if noise is
    infinite, unless it is known only after a run.
    """
    most_hidden = min(rows, key=_visibility)
    share = math.fsum(row.share for row in rows)
    standing = compare_with_noise(most_hidden)
    scale_text = "∞" if most_hidden.trouble else digits(most_hidden.scale, 2)
    label_lines = [f"{100 * share:.0f}%", f"{most_hidden.symbol} ± {scale_text}"]
    if most_hidden.trouble:
        label_lines.append("S/N 0")
    elif standing is not Standing.AFTER_RUN:
        label_lines.append(f"S/N {digits(most_hidden.signal_to_noise, 2)}")
    return EdgeNumbers(
        edge=edge,
        share=share,
        standing=standing,
        label_lines=tuple(label_lines),
        sentences=tuple(_describe_quantity(row) for row in rows),
    )


def _visibility(row: EdgeNoise) -> float:
    """Signal-to-noise ratio to sort by: −1 without finite noise, infinite where it is unknown."""
    if row.trouble:
        return -1.0
    if math.isnan(row.signal_to_noise):
        return math.inf
    return row.signal_to_noise


def _describe_quantity(row: EdgeNoise) -> str:
    """A sentence on a quantity: sensitivity, scale of its noise, share and signal-to-noise ratio.

    If noise is infinite, it has only the share and the reason. If the ratio is known only after a
    run, it says so. A sensitivity as the paper prints it is marked.
    """
    quantity_name = f"{row.symbol} · {row.quantity}"
    share_text = f"share {row.share:.1%}"
    if row.trouble:
        return f"{quantity_name}: {share_text}. {row.trouble}"
    printed_mark = " as printed" if row.status is Status.AS_PUBLISHED else ""
    sensitivity_noise_share = (
        f"sensitivity{printed_mark} {digits(row.sensitivity)},"
        f" noise scale {digits(row.scale)}, {share_text}"
    )
    standing = compare_with_noise(row)
    if standing is Standing.AFTER_RUN:
        return f"{quantity_name}: {sensitivity_noise_share}. {LATER}"
    ratio_text = f"signal to noise {digits(row.signal_to_noise)}: {standing}"
    return f"{quantity_name}: {sensitivity_noise_share}, {ratio_text}."


def _numbers_of_forecast(edge: str, rows: Sequence[ForecastRelease]) -> EdgeNumbers:
    """Numbers of an edge as ranges over all paths that a run can take.

    The label has the range of the budget's share, and the range of noise scales where any is known.
    The share is the middle of its range. How noise and signal compare is known only after a run.
    """
    least_share, largest_share = _share_range(rows)
    share_text = _join_different(digits(100 * share, 2) for share in (least_share, largest_share))
    label_lines = [f"{share_text} %"]
    ends_of_scales = [end for row in rows for scales in row.scales for end in scales]
    known_scales = [scale for scale in ends_of_scales if not math.isnan(scale)]
    if known_scales:
        least_and_largest = (min(known_scales), max(known_scales))
        label_lines.append("± " + _join_different(digits(scale, 2) for scale in least_and_largest))
    return EdgeNumbers(
        edge=edge,
        share=(least_share + largest_share) / 2,
        standing=Standing.AFTER_RUN,
        label_lines=tuple(label_lines),
        sentences=tuple(_describe_forecast(row) for row in rows),
    )


def _share_range(rows: Sequence[ForecastRelease]) -> Range:
    """Least and largest share of the budget that releases on one edge can take.

    Releases on every path add up. Of the others a run makes one at most: the largest one is added
    to the upper end. Where no release is on every path, the lower end is the smallest of the
    others.

    Args:
        rows: releases on the edge, at least one.
    """
    sure_shares = [row.share for row in rows if row.when == ALWAYS]
    possible_shares = [row.share for row in rows if row.when != ALWAYS]
    if sure_shares:
        least_share = math.fsum(least for least, _ in sure_shares)
        largest_share = math.fsum(largest for _, largest in sure_shares)
    else:
        least_share = min(least for least, _ in possible_shares)
        largest_share = 0.0
    largest_share += max((largest for _, largest in possible_shares), default=0.0)
    return least_share, largest_share


def _describe_forecast(row: ForecastRelease) -> str:
    """A sentence on releases of one kind: how often, on which paths, their noise and share.

    If the sensitivity is not known, it says that a run's own clip levels decide about the noise.
    """
    release_name = f"{row.symbols} · {row.quantity}"
    if row.times > 1:
        release_name += f", {row.times} times"
    if row.when != ALWAYS:
        release_name += f", with {row.when}"
    if math.isnan(row.sensitivity):
        noise_text = "sensitivity and noise scale depend on clip levels that a run releases"
    else:
        scales_text = format_scales(row.scales)
        noise_text = f"sensitivity {digits(row.sensitivity)}, noise scale {scales_text}"
    share_text = format_range(row.share, "{:.1%}")
    return f"{release_name}: {noise_text}, share {share_text}. {LATER}"
