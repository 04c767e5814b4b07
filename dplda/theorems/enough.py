r"""How many documents a utility bound needs to say anything, everything else held fixed.

With the spectrum, ε, δ and their split fixed, N enters Theorems 10 to 13 in two ways only: every noise term has a
factor τ/N, and the private lower bounds σ̃k and γ̃s are the true values less a constant over N. So every term falls as
N grows, and falls to 0: no term stays, and some N is enough, unless γs is 0. Then no N gives a finite bound.
"""

from dplda import _check
from dplda.configurations.published import GAMMA
from dplda.errors import NoFiniteNoise
from dplda.theorems.at_budget import at_budget
from dplda.theorems.readings import Reading
from dplda.theorems.spectrum import Spectrum

FEWEST = 3  # documents that a moment of third order can be made of


def documents_needed(
    configuration: str,
    spectrum: Spectrum,
    *,
    epsilon: float,
    delta: float,
    split: dict[str, float],
    reading: Reading | None = Reading.RECOMMENDED,
) -> int:
    """The least N at which a bound is not vacuous; it is not vacuous at any larger one either.

    Args:
        configuration: ``"config-1"`` to ``"config-4"``.
        spectrum: of the corpus or population, the same at every N.
        epsilon: ε of the whole run.
        delta: δ of the whole run, at most 1/2: above it the printed lower bounds would fall with N.
        split: as for ``at_budget``.
        reading: of the print; None for explicit constants.

    Raises:
        NoFiniteNoise: γs is 0, two topics being equally large: no number of documents is enough.
    """
    _check.between("delta", delta, 0, 0.5, open_ends=False)
    if not spectrum.gamma_s > 0:
        raise NoFiniteNoise(GAMMA)

    def says_something(n_documents: int) -> bool:
        try:
            bound = at_budget(
                configuration,
                spectrum,
                n_documents=n_documents,
                epsilon=epsilon,
                delta=delta,
                split=split,
                reading=reading,
            )
        except NoFiniteNoise:
            return False
        return not bound.vacuous

    too_few, enough = FEWEST - 1, FEWEST
    while not says_something(enough):
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if says_something(middle):
            enough = middle
        else:
            too_few = middle
    return enough
