"""The same noise under four accountings: what the figure says is what accountants say."""

from dplda import figures
from dplda.experiments.papers.curves import same_noise


def test_the_same_noise_is_drawn_under_four_accountings() -> None:
    epsilons = same_noise()
    figure = figures.accountants(epsilons).checked()
    title = figure.layout.title.text.replace("<br>", " ")
    assert title == "The same noise, accounted better: ε = 2.441 → 1.645 → 1.215 → 0.932"
    assert list(figure.data[0].x) == list(epsilons.values())
    assert "Rényi DP, improved conversion: 1.215" in figures.accountants(epsilons).alt
