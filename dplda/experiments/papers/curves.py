"""Presets that are not sweeps: curves of one number, and the same noise under four accountants."""

import pandas as pd

from dplda.methods.configurations import Calibration
from dplda.methods.dpvi.accounting import Accountant, SamplingSchedule, epsilon_of_schedule
from dplda.privacy.adjacency import Adjacency

MINIBATCHES = "park-figure-1"
_EVER_TIGHTER = (Accountant.CAPPED, Accountant.CLASSIC, Accountant.RDP, Accountant.PLD)
_REPORTED, _DELTA = (
    SamplingSchedule(1.24, 0.05, 20),
    1e-4,
)  # one epoch of minibatches of 20,000 of 400,000 documents
_SPECTRUM = {"scaled": "σk of α₀(α₀+1)·M₂", "sigma_k": "σk of M₂", "ratio": "σk/Δ₂, either scaling"}
_GAPS = {"population": "populations", "corpus": "un-noised fits"}


def curves_of(preset: str, frame: pd.DataFrame) -> "pd.DataFrame | None":
    """One column for each curve over the index, with named axes; None if there are no curves."""
    if preset == "figure-3a":
        found = frame.groupby("alpha0")[list(_SPECTRUM)].median().rename(columns=_SPECTRUM)
        return found.rename_axis(index="mixing α₀", columns="eigenvalue σk, and σk/Δ₂")
    if preset == "figure-3b":
        found = (
            frame.groupby(["n_topics", "source"])["gap"]
            .median()
            .unstack()[list(_GAPS)]
            .rename(columns=_GAPS)
        )
        return found.rename_axis(index="topics k", columns="smallest gap of T")
    if preset == MINIBATCHES:
        shown = frame[frame["calibration"] == str(Calibration.PUBLISHED)]
        found = shown.pivot(index="sigma", columns="size", values="perplexity")
        found = found.rename(columns="S = {:,.0f}".format)
        exact = float(frame.loc[frame["calibration"] == "", "perplexity"].iloc[0])
        found = found.assign(**{"without noise": exact})
        return found.rename_axis(index="noise multiplier σ", columns="held-out perplexity")
    return None


def same_noise() -> dict[Accountant, float]:
    """ε of one run of Park et al. (σ = 1.24, ν = 0.05), by each accounting, theirs first and the exact one last."""
    added = Adjacency.ADD_OR_REMOVE_ONE
    return {
        it: epsilon_of_schedule(_REPORTED, delta=_DELTA, accountant=it, adjacency=added)
        for it in _EVER_TIGHTER
    }


def kept_words(frame: pd.DataFrame) -> str:
    """How many top words without noise every other column keeps, with numbers from the frame."""
    exact = frame[frame["column"] == "not private"].groupby("topic")["word"].agg(set)
    total, said = int(exact.map(len).sum()), []
    for column, rows in frame[frame["column"] != "not private"].groupby("column", sort=False):
        kept = sum(len(exact[topic] & set(words["word"])) for topic, words in rows.groupby("topic"))
        said.append(f"{kept} under “{column}”")
    return f"Of the {total} top words without noise, the others keep {'; '.join(said)}."
