"""Text and numbers of the noise on an edge: scale, share, and what remains visible."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dplda.core.formatting import digits
from dplda.methods.base.noise_forecast import ForecastRelease, Range
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.dpvi.minibatch_run import STATISTIC, WORDS, MinibatchNoise
from dplda.methods.refined.noise_forecast import ALWAYS
from dplda.privacy.release import Status

CLEAR_FROM = 5.0  # signal-to-noise ratio from which noise hardly matters


class Standing(StrEnum):
    """How a quantity compares with its noise."""

    CLEAR = "clear"
    ABOVE = "above the noise"
    BELOW = "below the noise"
    NO_FINITE = "no finite noise"
    AFTER_RUN = "signal known after a run"
    REFUSED = "refused"


LATER = "Signal known after a run."


@dataclass(frozen=True, slots=True)
class EdgeNumbers:
    """The noise on one edge, as a graph shows it.

    Attributes:
        share: of the budget, for all quantities of the edge, in [0, 1]; the middle of a range; 0 where unknown.
    """

    edge: str
    share: float
    standing: Standing
    label_lines: tuple[str, ...]
    sentences: tuple[str, ...]


def of_table(rows: Sequence[EdgeNoise]) -> tuple[EdgeNumbers, ...]:
    """Numbers for a configuration; an edge shows the quantity with the lowest signal-to-noise ratio."""
    edges = dict.fromkeys(str(row.edge) for row in rows)
    return tuple(_of_rows(edge, [row for row in rows if row.edge == edge]) for edge in edges)


def of_planned(rows: Sequence[ForecastRelease]) -> tuple[EdgeNumbers, ...]:
    """Numbers for a method whose later noise depends on earlier releases."""
    edges = dict.fromkeys(row.edge for row in rows)
    return tuple(_of_ranges(edge, [row for row in rows if row.edge == edge]) for edge in edges)


def of_minibatches(edge: str, noise: MinibatchNoise) -> tuple[EdgeNumbers, ...]:
    """Numbers for a method with noisy minibatches, which share the whole budget."""
    kinds = released_quantities(noise)
    rows = tuple(
        f"{what.symbol} · {what.words}, {steps:,} times: sensitivity {digits(scale / noise.schedule.noise_multiplier)},"
        f" noise scale {digits(scale)}; all minibatches share the whole budget. {LATER}"
        for what, scale, steps in kinds
    )
    beside = "± " + "–".join(dict.fromkeys(digits(scale, 2) for _, scale, _ in kinds))
    return (EdgeNumbers(edge, 1.0, Standing.AFTER_RUN, ("100%", beside), rows),)


def released_quantities(noise: MinibatchNoise) -> tuple[tuple[Quantity, float, int], ...]:
    """Released quantities of a minibatch run, each with noise scale and positive number of releases."""
    later = noise.schedule.steps - noise.word_steps
    kinds = ((WORDS, noise.word_noise_std, noise.word_steps), (STATISTIC, noise.noise_std, later))
    return tuple(kind for kind in kinds if kind[2])


def refused(edges: Sequence[str], why: str) -> tuple[EdgeNumbers, ...]:
    """Edges whose noise could not be computed."""
    return tuple(
        EdgeNumbers(str(edge), 0.0, Standing.REFUSED, ("refused",), (why,)) for edge in edges
    )


def compare_with_noise(row: EdgeNoise) -> Standing:
    """How the quantity compares with its noise."""
    if row.trouble:
        return Standing.NO_FINITE
    if math.isnan(row.signal_to_noise):
        return Standing.AFTER_RUN
    if row.signal_to_noise >= CLEAR_FROM:
        return Standing.CLEAR
    return Standing.ABOVE if row.signal_to_noise >= 1 else Standing.BELOW


def format_range(range_: Range, form: str, between: str = " to ") -> str:
    """A range as text; one number where both ends read the same."""
    return between.join(dict.fromkeys(form.format(end) for end in range_))


def format_scales(ranges: Sequence[Range]) -> str:
    """Noise scales of consecutive releases as text: first and last, where they differ."""
    return " → ".join(
        dict.fromkeys(format_range(range_, "{:.3g}") for range_ in (ranges[0], ranges[-1]))
    )


def _of_rows(edge: str, rows: Sequence[EdgeNoise]) -> EdgeNumbers:
    def suffers(row: EdgeNoise) -> float:
        return (
            -1.0
            if row.trouble
            else math.inf
            if math.isnan(row.signal_to_noise)
            else row.signal_to_noise
        )

    worst, share = min(rows, key=suffers), math.fsum(row.share for row in rows)
    found = compare_with_noise(worst)
    beside = [
        f"{100 * share:.0f}%",
        f"{worst.symbol} ± {'∞' if worst.trouble else digits(worst.scale, 2)}",
    ]
    if found is not Standing.AFTER_RUN:
        beside.append(f"S/N {0 if worst.trouble else digits(worst.signal_to_noise, 2)}")
    return EdgeNumbers(edge, share, found, tuple(beside), tuple(map(_row, rows)))


def _row(row: EdgeNoise) -> str:
    named, share, found = (
        f"{row.symbol} · {row.quantity}",
        f"share {row.share:.1%}",
        compare_with_noise(row),
    )
    if row.trouble:
        return f"{named}: {share}. {row.trouble}"
    printed = " as printed" if row.status is Status.AS_PUBLISHED else ""
    moved = (
        f"sensitivity{printed} {digits(row.sensitivity)}, noise scale {digits(row.scale)}, {share}"
    )
    if found is Standing.AFTER_RUN:
        return f"{named}: {moved}. {LATER}"
    return f"{named}: {moved}, signal to noise {digits(row.signal_to_noise)}: {found}."


def _of_ranges(edge: str, rows: Sequence[ForecastRelease]) -> EdgeNumbers:
    always, others = (
        [row.share for row in rows if (row.when == ALWAYS) is sure] for sure in (True, False)
    )
    low, high = (
        (math.fsum(ends) for ends in zip(*always, strict=True)) if always else (min(others)[0], 0.0)
    )
    high += max((share[1] for share in others), default=0.0)
    beside = ["–".join(dict.fromkeys(digits(100 * share, 2) for share in (low, high))) + " %"]
    scales = [
        scale for row in rows for ends in row.scales for scale in ends if not math.isnan(scale)
    ]
    if scales:
        beside.append(
            "± " + "–".join(dict.fromkeys(digits(scale, 2) for scale in (min(scales), max(scales))))
        )
    return EdgeNumbers(
        edge, (low + high) / 2, Standing.AFTER_RUN, tuple(beside), tuple(map(_planned, rows))
    )


def _planned(row: ForecastRelease) -> str:
    often = f", {row.times} times" if row.times > 1 else ""
    when = "" if row.when == ALWAYS else f", with {row.when}"
    moved = f"sensitivity {digits(row.sensitivity)}, noise scale {format_scales(row.scales)}"
    if math.isnan(row.sensitivity):
        moved = "sensitivity and noise scale depend on clip levels that a run releases"
    return f"{row.symbols} · {row.quantity}{often}{when}: {moved}, share {format_range(row.share, '{:.1%}')}. {LATER}"
