"""Draws the fits that Explore opens with, at every stop of ε, and writes to ``assets/fits`` those that changed."""

from collections.abc import Iterator
from itertools import starmap

import numpy as np

from benchmarks.rerun import Row
from dplda.core.types import Matrix
from dplda.experiments.storage import shipped_fits
from dplda.experiments.storage.shipped_fits import NoisyAnswer, RecordedFit
from dplda.ui.state import first_visit, link

ROUNDING = 1e-5  # of an answer's largest number: inference rounds to float32, and processors round differently
REFIT_FACTOR = (
    1.5  # error bars come from one simulated refit, whose seed is a hash of the topics' last bits
)


def run() -> Iterator[Row]:
    """One row a fit: its size, and whether it was written anew."""
    corpus = link.TEACHING.draw()
    current_paths = set()
    for settings, no_noise in first_visit.shipped_experiments():
        noise = no_noise is None
        recorded = shipped_fits.record_fit(corpus, settings, noise=noise)
        shipped = shipped_fits.read_recorded_fit(corpus, settings, noise=noise)
        is_current = shipped is not None and agrees(shipped, recorded)
        if not is_current:
            shipped_fits.write_recorded_fit(recorded, corpus, settings, noise=noise)
        path = shipped_fits.fit_path(settings, noise=noise)
        current_paths.add(path)
        yield {"fit": path.stem, "bytes": path.stat().st_size, "written": str(not is_current)}
    for path in shipped_fits.FOLDER.iterdir():
        if path not in current_paths:
            path.unlink()


def agrees(shipped: RecordedFit, recorded: RecordedFit) -> bool:
    """Whether two fits drew the same values, up to rounding, and have error bars of about the same length."""
    if len(shipped.answers) != len(recorded.answers):
        return False
    answers = zip(shipped.answers, recorded.answers, strict=True)
    return all(starmap(_answers_agree, answers)) and _error_bars_agree(
        shipped.deviation, recorded.deviation
    )


def _answers_agree(shipped: NoisyAnswer, recorded: NoisyAnswer) -> bool:
    """Whether two noisy values have the same name, shape, scale and, up to rounding, coordinates."""
    if shipped.quantity != recorded.quantity:
        return False
    if shipped.coordinates.shape != recorded.coordinates.shape:
        return False
    scale_tolerance = shipped_fits.SCALE_TOLERANCE
    if not np.isclose(shipped.scale, recorded.scale, rtol=scale_tolerance, atol=0.0):
        return False
    tolerance = ROUNDING * float(np.max(np.abs(recorded.coordinates)))
    return np.allclose(shipped.coordinates, recorded.coordinates, rtol=0.0, atol=tolerance)


def _error_bars_agree(shipped: Matrix | None, recorded: Matrix | None) -> bool:
    """Whether mean lengths of error bars of each topic are within a factor, or both fits have none."""
    if shipped is None or recorded is None:
        return shipped is recorded
    if shipped.shape != recorded.shape:
        return False
    ratios = np.mean(shipped, axis=1) / np.mean(recorded, axis=1)
    return bool(np.all((ratios < REFIT_FACTOR) & (ratios > 1 / REFIT_FACTOR)))
