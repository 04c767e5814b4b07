"""Computes the figures of both papers again and writes them into ``assets/presets``; some take minutes."""

import argparse
import sys
from collections.abc import Iterator

from dplda.experiments.papers.precomputed import save
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.recompute import compute


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of one preset."""
    parser.add_argument("--only", metavar="NAME", choices=sorted(PRESETS), help="one preset: " + ", ".join(PRESETS))


def run(only: str | None = None) -> Iterator[dict[str, float | int | str]]:
    """One row for each preset computed; cells that this code has on disk already are taken from there.

    Args:
        only: name of the one to compute; None computes all.
    """
    for preset in PRESETS.values() if only is None else [PRESETS[only]]:
        result = compute(preset, report=_tell)
        path = save(result)
        yield {
            "preset": preset.name,
            "seconds": result.seconds,
            "rows": len(result.frame),
            "kilobytes": round(path.stat().st_size / 1000),
        }


def _tell(share: float, line: str) -> None:
    print(f"\r{share:6.1%} {line[:100]:<100}", end="", file=sys.stderr, flush=True)
