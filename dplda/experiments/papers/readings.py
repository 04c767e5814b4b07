"""Readings of the paper's noise: which methods of a figure belong to each."""

from enum import StrEnum

import pandas as pd

from dplda.methods.base.calibration import AuthorsNoise
from dplda.methods.base.method import Method
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status


class NoiseReading(StrEnum):
    """One reading of how much noise the paper's configurations add, or the proven methods."""

    PUBLISHED = "as published"
    AUTHORS = "authors' code"
    UNSCALED = "authors' code, unscaled"
    PROVEN = "proven"


PAPER_READINGS = (NoiseReading.PUBLISHED, NoiseReading.AUTHORS, NoiseReading.UNSCALED)
"""Readings of the paper's own noise, under which its claims are judged."""
_SCALINGS = {
    NoiseReading.PUBLISHED: Calibration.PUBLISHED,
    NoiseReading.AUTHORS: AuthorsNoise.AS_READ,
    NoiseReading.UNSCALED: AuthorsNoise.UNSCALED,
}


def method_text(method: str, reading: NoiseReading) -> str:
    """Text of a method under a reading of the paper's noise.

    Args:
        method: name of one of the paper's configurations, or the text of any other method.
        reading: one of ``PAPER_READINGS``.
    """
    return f"{method}/{_SCALINGS[reading]}" if method in REGISTRY else method


def belongs_to(method: Method, reading: NoiseReading) -> bool:
    """Whether a chart of a reading shows a method.

    Methods without noise are in all charts, and both readings of DP variational inference as
    published in every chart of the paper's own noise.
    """
    if not method.needs_epsilon:
        return True
    if reading is NoiseReading.PROVEN:
        return method.status is Status.PROVEN
    if method.name not in REGISTRY:
        return method.status is Status.AS_PUBLISHED
    return method.scaling == _SCALINGS[reading]


def rows_of_reading(frame: pd.DataFrame, reading: NoiseReading) -> pd.DataFrame:
    """Rows of a sweep's frame whose method a chart of a reading shows, as `belongs_to` tells."""
    method_texts = [
        method_text
        for method_text in frame["method"].unique()
        if belongs_to(parse_method(str(method_text)), reading)
    ]
    return frame[frame["method"].isin(method_texts)]


def readings_of(frame: pd.DataFrame) -> list[NoiseReading]:
    """List the readings under which some method with noise was run.

    Only configurations and proven methods are considered, so DP variational inference as published
    is not.
    """
    methods = [parse_method(str(text)) for text in frame["method"].unique()]
    considered_methods = [
        method
        for method in methods
        if method.needs_epsilon and (method.name in REGISTRY or method.status is Status.PROVEN)
    ]
    return [
        reading
        for reading in NoiseReading
        if any(belongs_to(method, reading) for method in considered_methods)
    ]


def title_without_reading(method: str) -> str:
    """Title of a method in verdicts, which name the reading of the paper's noise once.

    Args:
        method: its text.
    """
    parsed_method = parse_method(method)
    return parsed_method.family.title if parsed_method.name in REGISTRY else parsed_method.title
