"""The paper's bounds for the population that a setting's documents are drawn from."""

from dataclasses import replace

from dplda.configurations import Calibration
from dplda.corpus import Simulation
from dplda.errors import NoTopics
from dplda.plan import Plan
from dplda.prediction.curves import Curve, bound_curve
from dplda.spectral.population import Population
from dplda.sweeps.setting import Setting
from dplda.sweeps.spec import Sweep
from dplda.theorems.at_budget import BOUNDED
from dplda.theorems.readings import Reading
from dplda.theorems.spectrum import from_population


def population_of(simulation: Simulation) -> Population:
    """The model that documents are drawn from; costs no documents, as the truth does not depend on how many."""
    truth = replace(simulation, n_documents=3, mean_length=1).draw().truth
    assert truth is not None
    return Population(truth.topics, truth.alpha)


def bounds_of(sweep: Sweep, setting: Setting) -> tuple[Curve, ...]:
    """Theorems 10 to 13, recommended reading, constant 1, for noise as published at its own split.

    Args:
        sweep: gives δ and the ε grid.
        setting: simulated; its first corpus.

    Returns:
        One curve for each of the four configurations; none where documents are real, or topics too much alike.
    """
    if not isinstance(setting.source, Simulation):
        return ()
    try:
        spectrum = from_population(population_of(setting.source))
    except NoTopics:
        return ()
    return tuple(
        bound_curve(
            Plan(name, 1.0, sweep.delta_of(setting), calibration=Calibration.PUBLISHED),
            spectrum,
            n_documents=setting.source.n_documents,
            reading=Reading.RECOMMENDED,
            epsilons=sorted(sweep.epsilons_of(setting)),
        )
        for name in BOUNDED
    )
