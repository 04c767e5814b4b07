"""Sweeps that take a second, and the parts of their frames that do not depend on the clock."""

from pathlib import Path

import pandas as pd

from dplda.corpus import Simulation
from dplda.experiments.sweeps import Setting, Sweep
from dplda.methods.registry import parse_method

SPECTRAL = ("unnoised", "unigram", "adaptive", "config-1/as published", "config-4")


def setting(
    name: str = "tiny", *, n_documents: int = 300, alpha0: float = 1.0, seed: int = 0
) -> Setting:
    simulation = Simulation(
        n_documents=n_documents, n_words=12, n_topics=2, mean_length=20, alpha0=alpha0, seed=seed
    )
    return Setting(name, simulation, n_topics=2, alpha0=alpha0)


def sweep(
    *methods: str,
    settings: tuple[Setting, ...] = (setting(),),
    epsilons: tuple[float, ...] = (1.0, 8.0),
    repeats: int = 2,
    corpora: int = 1,
    seed: int = 0,
) -> Sweep:
    return Sweep(
        settings=settings,
        methods=tuple(parse_method(method) for method in methods or SPECTRAL),
        epsilons=epsilons,
        repeats=repeats,
        corpora=corpora,
        seed=seed,
    )


def lasting(frame: pd.DataFrame) -> pd.DataFrame:
    """Everything that must be the same whenever the sweep is run."""
    return frame.drop(columns="seconds")


def write_documents(path: Path, n_documents: int = 60) -> Path:
    """A public file of documents of two subjects."""
    lines = []
    for number in range(n_documents):
        words = (
            ["apple", "pear", "plum", "cherry"]
            if number % 2
            else ["river", "lake", "ocean", "pond"]
        )
        lines.append(" ".join(words[(number + step) % 4] for step in range(8)))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
