"""Figures of the presets that are no sweeps, and of the accounting lab: what they say is what is in the frame."""

import math

import pandas as pd
import pytest

from dplda import figures
from dplda.baselines.accounting import Accountant
from dplda.configurations import Calibration
from dplda.papers.spectra import PairSpectrum, pair_spectrum


def titled(figure) -> str:
    return " ".join(figure.layout.title.text.split("<br>"))


PAIRS = pair_spectrum(PairSpectrum(alphas=(0.1, 1.0, 1000.0), populations=3))


def test_both_scalings_and_the_worth_are_drawn() -> None:
    figure = figures.pair_spectrum(PAIRS)
    assert [trace.name for trace in figure.data] == ["σk of α₀(α₀+1)·M₂", "σk of M₂", "σk/Δ₂, in either scaling"]
    assert len({trace.line.dash for trace in figure.data[:2]}) == 2
    assert titled(figure) == figures.pair_spectrum_finding(PAIRS)
    last = PAIRS[PAIRS["alpha0"] == 1000]["ratio"].median()
    assert f"falls from {PAIRS[PAIRS['alpha0'] == 0.1]['ratio'].median():,.0f} to {last:.2g}" in titled(figure)
    assert f"over Δ₂ {last:.3g}" in figures.pair_spectrum_alt(PAIRS)


def test_the_finding_on_the_spectrum_follows_the_numbers() -> None:
    turned = PAIRS.assign(alpha0=1 / PAIRS["alpha0"])
    assert "the eigenvalue falls with α₀; beside one document's influence it grows" in figures.pair_spectrum_finding(
        turned
    )


def gaps(population: tuple[float, float], corpus: tuple[float, float]) -> pd.DataFrame:
    rows = [(2, "population", 0, population[0]), (9, "population", 0, population[1])]
    rows += [(2, "corpus", 0, corpus[0]), (9, "corpus", 0, corpus[1])]
    return pd.DataFrame(rows, columns=["n_topics", "source", "seed", "gap"])


@pytest.mark.parametrize(
    ("population", "corpus", "said"),
    [
        ((2.0, 1.0), (1.0, 2.0), "shrinks in the population and grows in what a corpus shows of it"),
        ((2.0, 1.0), (2.0, 1.0), "shrinks in the population and in what a corpus shows of it"),
        ((1.0, 2.0), (1.0, 2.0), "grows in the population and in what a corpus shows of it"),
    ],
)
def test_whether_gaps_grow_is_read_from_the_frame(population, corpus, said) -> None:
    frame = gaps(population, corpus)
    assert titled(figures.tensor_gaps(frame)) == f"From k = 2 to 9 the smallest gap {said}"
    assert f"population {population[0]:.2g}" in figures.tensor_gaps_alt(frame)


def test_a_gap_that_rises_and_falls_is_not_said_to_shrink() -> None:
    middle = [(5, "population", 0, 1.5), (5, "corpus", 0, 8.0)]
    frame = gaps((2.0, 1.0), (2.0, 1.0))
    frame = pd.concat([frame, pd.DataFrame(middle, columns=frame.columns)])
    said = figures.tensor_gaps_finding(frame)
    assert said.endswith("shrinks in the population and grows up to k = 5, then shrinks in what a corpus shows of it")
    frame.loc[frame["n_topics"] == 5, "gap"] = 0.1
    assert "shrinks up to k = 5, then grows in the population and in what" in figures.tensor_gaps_finding(frame)


def runs(large_is_better: bool) -> pd.DataFrame:
    rows = [
        {
            "calibration": str(calibration),
            "sigma": sigma,
            "rate": size / 1000,
            "size": size,
            "perplexity": 100.0 + (1 if large_is_better else -1) * (50 - size),
            "epsilon": 4 / sigma,
            "strong": 40 / sigma,
            "exact": 2 / sigma,
            "replaced": 3 / sigma,
        }
        for calibration in (Calibration.CORRECTED, Calibration.PUBLISHED)
        for size in (10.0, 20.0, 40.0)
        for sigma in (1.0, 2.0)
    ]
    return pd.concat([pd.DataFrame(rows), pd.DataFrame([{"calibration": "", "perplexity": 77.0}])], ignore_index=True)


def test_the_same_runs_under_each_accountant() -> None:
    frame = runs(large_is_better=True)
    figure = figures.batches(frame)
    assert len(figure.data) == 9
    assert list(figure.data[0].y) == list(figure.data[1].y) == list(figure.data[2].y)  # one run, three names for its ε
    assert list(figure.data[0].x) == [2.0, 4.0]
    assert list(figure.data[2].x) == [1.0, 2.0]
    assert "Larger minibatches have less perplexity; exact accounting finds an ε about 2 times smaller" in titled(
        figure
    )
    assert any("without noise: 77" in note.text for note in figure.layout.annotations)
    assert "do not have the least perplexity: those of 10 do" in figures.batches_finding(runs(large_is_better=False))
    assert "S = 10, σ = 1: perplexity 140, ε 4, exactly 2" in figures.batches_alt(frame)


def test_minibatches_that_help_and_then_hurt_are_not_said_to_help() -> None:
    frame = runs(large_is_better=True)
    frame.loc[frame["size"] == 20.0, "perplexity"] = 101.0
    assert "those of 20 do" in figures.batches_finding(frame)
    frame.loc[frame["size"] == 20.0, "perplexity"] = 199.0
    assert figures.batches_finding(frame).startswith("The largest minibatches have the least perplexity")


CURVES = {
    Accountant.PLD: (1.5, 0.93),
    Accountant.RDP: (2.0, 1.215),
    Accountant.CLASSIC: (2.6, 1.645),
    Accountant.CAPPED: (math.inf, 2.441),
    Accountant.STRONG: (5000.0, 26.3),
}


def test_the_lab_says_what_the_same_noise_is_worth() -> None:
    figure = figures.accountants((1.0, 1.24), CURVES, sigma=1.24)
    assert titled(figure) == (
        "The noise of σ = 1.24 is worth ε = 26.3 by strong composition, 2.44 by the paper's accountant, 0.93 by an"
        " exact one"
    )
    assert len({trace.line.dash for trace in figure.data}) == 5
    assert len({trace.marker.symbol for trace in figure.data}) == 5
    drawn = {trace.name: trace.y for trace in figure.data}
    assert drawn["strong composition"][0] is None  # beyond what says anything
    assert drawn["moments, orders capped (Park et al.)"][0] is None
    assert "orders capped (Park et al.): none" in figures.accountants_alt((1.0, 1.24), CURVES, sigma=1.0)
