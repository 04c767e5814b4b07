"""The presets that are no sweeps as curves of one number, for the figure that draws any curves."""

import pandas as pd

from dplda.experiments.papers.presets import Kind
from dplda.methods.configurations import Calibration

_SPECTRUM = {"scaled": "σk of α₀(α₀+1)·M₂", "sigma_k": "σk of M₂", "ratio": "σk/Δ₂, in either scaling"}
_GAPS = {"population": "populations", "corpus": "un-noised fits"}


def curves_of(kind: Kind, frame: pd.DataFrame) -> "pd.DataFrame | None":
    """A column for each curve, over the index; both axes have their names. None where nothing is a curve."""
    if kind is Kind.PAIR_SPECTRUM:
        found = frame.groupby("alpha0")[list(_SPECTRUM)].median().rename(columns=_SPECTRUM)
        return _named(found, "mixing α₀", "eigenvalue, and the same over its sensitivity Δ₂")
    if kind is Kind.TENSOR_GAPS:
        found = frame.groupby(["n_topics", "source"])["gap"].median().unstack()[list(_GAPS)].rename(columns=_GAPS)
        return _named(found, "topics k", "smallest gap of T")
    if kind is Kind.BATCHES:
        shown = frame[frame["calibration"] == str(Calibration.PUBLISHED)]
        found = shown.pivot(index="sigma", columns="size", values="perplexity")
        found = found.rename(columns="S = {:,.0f}".format)
        exact = float(frame.loc[frame["calibration"] == "", "perplexity"].iloc[0])
        return _named(found.assign(**{"without noise": exact}), "noise multiplier σ", "held-out perplexity")
    return None


def _named(found: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    return found.rename_axis(index=x, columns=y)
