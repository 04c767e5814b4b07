"""The noise that a fit really had, read off its releases."""

import math
from collections.abc import Sequence

from dplda.core.errors import InputError
from dplda.methods.chain.pipeline import Fit
from dplda.methods.configurations.variant import Levels, NoiseReading
from dplda.privacy.release import Release


def measured(fit: Fit) -> Levels:
    """The noise that a fit really had: its clip levels and mean weight are those of its releases."""
    if fit.plan is None or fit.plan.variant.levels is None:
        raise InputError("fit", "one whose error is predicted", "another")
    found = readings(fit.releases)
    if not found.keys() >= set(fit.plan.variant.names):
        raise InputError("fit", "one that resolved a topic", "one that resolved none")
    return fit.plan.variant.levels(found)


def readings(releases: Sequence[Release]) -> dict[str, NoiseReading]:
    """What levels need of a fit's releases."""
    values = {made.name: made.value for made in releases if isinstance(made.value, float)}
    return {made.name: NoiseReading(made.scale, values.get(made.name, math.nan)) for made in releases}
