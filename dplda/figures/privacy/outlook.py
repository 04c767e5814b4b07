"""How much narrower ranges would get with more budget."""

from collections.abc import Mapping

from dplda.figures import theme
from dplda.figures.figure import Figure
from dplda.figures.marks import bars


def narrower(
    widths: Mapping[float, float], above_noise: Mapping[float, int], n_topics: int
) -> Figure:
    """Bars of relative range widths by total ε, the ε paid first; the topics beyond the noise at their ends."""
    names = [f"ε = {epsilon:g}{'' if i else ', paid'}" for i, epsilon in enumerate(widths)]
    texts = [
        f"{width:.0%} · {above_noise[epsilon]} of {n_topics} topics"
        for epsilon, width in widths.items()
    ]
    colours = [theme.EXACT, *[theme.PRIVATE] * (len(widths) - 1)]
    drawing = bars(
        dict(zip(names, widths.values(), strict=True)),
        texts,
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
    said = "; ".join(f"{name}: {text}" for name, text in zip(names, texts, strict=True))
    return Figure(
        "", f"Predicted width of ranges, and topics beyond the noise. {said}.", 200, drawing
    )
