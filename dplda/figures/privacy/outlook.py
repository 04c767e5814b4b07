"""How much narrower ranges would get with more budget."""

from collections.abc import Mapping

from dplda.figures import theme
from dplda.figures.figure import Figure
from dplda.figures.marks import bars


def narrower(
    widths: Mapping[float, float], above_noise: Mapping[float, int], n_topics: int
) -> Figure:
    """Bars of predicted range widths by total ε, with the number of topics beyond the noise.

    The figure has no title. Its axis ends at 1.6 times today's width, and cuts longer bars.

    Args:
        widths: width over today's, by total ε; at least one, the ε paid already first.
        above_noise: number of topics beyond the noise, by total ε.
        n_topics: of the release.
    """
    epsilon_labels = [f"ε = {epsilon:g}" for epsilon in widths]
    epsilon_labels[0] += ", paid"
    bar_texts = [
        f"{width:.0%} · {above_noise[epsilon]} of {n_topics} topics"
        for epsilon, width in widths.items()
    ]
    colours = [theme.EXACT, *[theme.PRIVATE] * (len(widths) - 1)]
    drawing = bars(
        dict(zip(epsilon_labels, widths.values(), strict=True)),
        bar_texts,
        colours,
        "%{y}: ranges %{x:.0%} as wide",
    )
    drawing.x(
        dict(
            title_text="width of ranges",
            tickformat=".0%",
            range=[0, 1.6],
            tickvals=[0, 0.5, 1],
            showgrid=False,
        )
    )
    bars_in_words = "; ".join(
        f"{epsilon_label}: {bar_text}"
        for epsilon_label, bar_text in zip(epsilon_labels, bar_texts, strict=True)
    )
    alt = f"Predicted width of ranges, and topics beyond the noise. {bars_in_words}."
    return Figure("", alt, 200, drawing)
