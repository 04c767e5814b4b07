"""A band between a lower and an upper curve against ε, as closed shapes without a legend."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from dplda.figures.drawing import Part, scatter


def band_shapes(
    epsilons: Sequence[float],
    lower_ends: Sequence[float],
    upper_ends: Sequence[float],
    is_known: Sequence[bool],
    *,
    colour: str,
    legend_group: str,
    title: str,
) -> Iterator[Part]:
    """One filled shape for each stretch of neighboring ε at which the band is known.

    A stretch of one ε has no area, so it has no shape.

    Args:
        epsilons: ε, ascending.
        lower_ends: the lower end at each ε, in the units of the vertical axis.
        upper_ends: the upper end at each ε.
        is_known: whether the band is drawn at each ε; its ends may be NaN where it is not.
        colour: the fill, with its opacity.
        legend_group: the legend's line that hides and shows the band, too.
        title: the band's name in the figure.
    """
    for stretch_is_known, group in groupby(range(len(epsilons)), key=is_known.__getitem__):
        epsilon_indexes = list(group)
        if not stretch_is_known or len(epsilon_indexes) < 2:
            continue
        stretch = slice(epsilon_indexes[0], epsilon_indexes[-1] + 1)
        stretch_epsilons = list(epsilons[stretch])
        yield scatter(
            x=stretch_epsilons + stretch_epsilons[::-1],
            y=list(lower_ends[stretch]) + list(upper_ends[stretch])[::-1],
            fill="toself",
            fillcolor=colour,
            mode="none",
            hoverinfo="skip",
            legendgroup=legend_group,
            showlegend=False,
            name=title,
        )
