"""Computes the fits that Explore opens with and writes them to ``assets/fits``; after a change of numerics, seconds."""

import pickle
from collections.abc import Iterator

from benchmarks.rerun import Row
from dplda.core.types import silent
from dplda.experiments.storage import shipped_fits
from dplda.ui.state import cache, fits, link


def run() -> Iterator[Row]:
    """One row a fit: its size."""
    corpus = link.TEACHING.draw()
    shipped_fits.FOLDER.mkdir(exist_ok=True)
    for before in shipped_fits.FOLDER.glob("*.pickle"):
        before.unlink()
    for settings, noise in cache.first_asked():
        asked = (
            settings.method.text,
            settings.problem,
            settings.budget,
            settings.seed,
            noise,
            None,
        )
        path = shipped_fits.file(corpus, settings, noise=noise is None)
        found = fits.fit(corpus, *asked, report=silent)
        if found.uncertainty is not None:
            found.uncertainty.found_again()
        path.write_bytes(pickle.dumps(found, protocol=5))
        yield {"noise": str(noise is None), "bytes": path.stat().st_size}
