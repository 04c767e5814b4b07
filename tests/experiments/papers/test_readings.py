"""Readings of the paper's noise."""

import pandas as pd
import pytest

from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.readings import (
    PAPER_READINGS,
    NoiseReading,
    method_text,
    readings_of,
    rows_of_reading,
)

TEXTS = [
    "unnoised",
    "config-1/corrected",
    "config-1/as published",
    "config-1/authors' code",
    "config-1/authors' code, unscaled",
    "dp-vi/corrected",
    "dp-vi/as published",
    "refined",
]
FRAME = pd.DataFrame({"method": TEXTS})


@pytest.mark.parametrize(
    ("reading", "texts"),
    [
        (NoiseReading.PUBLISHED, {"unnoised", "config-1/as published", "dp-vi/as published"}),
        (NoiseReading.AUTHORS, {"unnoised", "config-1/authors' code", "dp-vi/as published"}),
        (
            NoiseReading.UNSCALED,
            {"unnoised", "config-1/authors' code, unscaled", "dp-vi/as published"},
        ),
        (NoiseReading.PROVEN, {"unnoised", "config-1/corrected", "dp-vi/corrected", "refined"}),
    ],
)
def test_rows_of_reading_are_its_configurations_beside_the_rest(reading, texts) -> None:
    assert set(rows_of_reading(FRAME, reading)["method"]) == texts


def test_readings_of_a_frame_are_those_that_ran() -> None:
    assert readings_of(FRAME) == list(NoiseReading)
    assert readings_of(FRAME[FRAME["method"].isin(["refined", "dp-vi/as published"])]) == [
        NoiseReading.PROVEN
    ]


def test_method_text_leaves_rivals_as_they_are() -> None:
    assert method_text("dp-vi/as published", NoiseReading.AUTHORS) == "dp-vi/as published"
    assert method_text("config-3", NoiseReading.AUTHORS) == "config-3/authors' code"


def test_claims_of_a_preset_stand_under_each_reading_that_its_sweep_has() -> None:
    readings = [claim.reading for claim in PRESETS["figure-2a"].claims]
    assert {reading: readings.count(reading) for reading in PAPER_READINGS} == dict.fromkeys(
        PAPER_READINGS, 5
    )
    assert {claim.reading for claim in PRESETS["figure-4a"].claims} == {
        NoiseReading.PUBLISHED,
        NoiseReading.AUTHORS,
    }
