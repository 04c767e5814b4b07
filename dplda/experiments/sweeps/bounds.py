"""The paper's bounds for the model behind a setting's simulated documents."""

from dataclasses import replace

from dplda.core.errors import NoTopics
from dplda.corpus import Simulation
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.spec import Sweep
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.theory.prediction.curves import ErrorCurve, bound_curve
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import from_population


def bounds_of(sweep: Sweep, setting: Setting) -> tuple[ErrorCurve, ...]:
    """Theorems 10 to 13 with constant 1, for noise as published at its own split.

    The paper is taken in the recommended reading.

    Returns:
        One curve for each of the four configurations, over the setting's ε and from its true
        topics; NaN where no finite noise is enough. None for real documents or topics that are too
        similar.
    """
    if not isinstance(setting.source, Simulation):
        return ()
    # The truth does not depend on the documents.
    truth = replace(setting.source, n_documents=3, mean_length=1).draw().truth
    assert truth is not None
    try:
        spectrum = from_population(Population(truth.topics, truth.alpha))
    except NoTopics:
        return ()
    delta = sweep.delta_of(setting)
    return tuple(
        bound_curve(
            Plan(name, 1.0, delta, calibration=Calibration.PUBLISHED),
            spectrum,
            n_documents=setting.source.n_documents,
            reading=PaperReading.RECOMMENDED,
            epsilons=sorted(sweep.epsilons_of(setting)),
        )
        for name in BOUNDED
    )
