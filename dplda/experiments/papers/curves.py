"""Presets that are not sweeps: curves of one number, and the same noise under four accountants."""

import pandas as pd

from dplda.experiments.papers.spectra import BURSTY, FLAT
from dplda.methods.dpvi.accounting import Accountant, SamplingSchedule, epsilon_of_schedule
from dplda.privacy.adjacency import Adjacency

MINIBATCHES = "park-figure-1"
_EVER_TIGHTER = (Accountant.CAPPED, Accountant.CLASSIC, Accountant.RDP, Accountant.PLD)
_REPORTED, _DELTA = (
    SamplingSchedule(1.24, 0.05, 20),
    1e-4,
)  # one epoch of minibatches of 20,000 of 400,000 documents
LOGARITHMIC = frozenset({"figure-3a"})
"""Figures whose vertical axis is logarithmic."""
_SPECTRUM = {
    ("scaled", BURSTY): "scaled σk, bursty",
    ("scaled", FLAT): "scaled σk, flat",
    ("sigma_k", BURSTY): "σk, bursty",
    ("ratio", BURSTY): "σk/Δ₂, bursty",
}
_GAPS = {
    "population": "populations",
    "corpus": "noiseless fits",
    "rising": "in rising order",
    "unsorted": "unsorted, a quarter",
}


def curves_of(preset: str, frame: pd.DataFrame) -> "pd.DataFrame | None":
    """Make a table of medians, one column for each curve, over a named index; None without curves.

    Args:
        preset: name of the figure's preset; ``figure-3a`` has curves of eigenvalues by ``α0``,
            ``figure-3b`` of gaps by ``k``, and no other has any.
        frame: its results.
    """
    if preset == "figure-3a":
        by_topics = frame.groupby(["topics", "alpha0"])
        curves = pd.DataFrame(
            {
                title: by_topics[column].median().loc[topics]
                for (column, topics), title in _SPECTRUM.items()
            }
        )
        return curves.rename_axis(index="mixing α₀", columns="eigenvalue σk, and σk/Δ₂")
    if preset == "figure-3b":
        gaps = frame.groupby(["n_topics", "source"])["gap"].median().unstack()
        curves = gaps[list(_GAPS)].rename(columns=_GAPS)
        return curves.rename_axis(index="topics k", columns="smallest gap of T")
    return None


def same_noise() -> dict[Accountant, float]:
    """Values of ε of one run that Park et al. report (σ = 1.24, ν = 0.05), by accounting.

    Theirs comes first and the exact one last. Each holds when one document is added or removed.
    """
    adjacency = Adjacency.ADD_OR_REMOVE_ONE
    return {
        accountant: epsilon_of_schedule(
            _REPORTED, delta=_DELTA, accountant=accountant, adjacency=adjacency
        )
        for accountant in _EVER_TIGHTER
    }


def kept_words(frame: pd.DataFrame) -> str:
    """Say how many top words without noise every other column keeps, with the frame's numbers."""
    is_noiseless = frame["column"] == "not private"
    top_words = frame[is_noiseless].groupby("topic")["word"].agg(set)
    clauses = []
    for column, rows in frame[~is_noiseless].groupby("column", sort=False):
        n_kept = 0
        for topic, topic_rows in rows.groupby("topic"):
            kept_words_of_topic = top_words[topic] & set(topic_rows["word"])
            n_kept += len(kept_words_of_topic)
        clauses.append(f"{n_kept} under “{column}”")
    n_words = int(top_words.map(len).sum())
    return f"Of the {n_words} top words without noise, the others keep {'; '.join(clauses)}."
