r"""How many documents a utility bound needs to say anything, everything else held fixed.

With the spectrum, ε, δ and their split fixed, N enters Theorems 10 to 13 in two ways only: every noise term has a
factor τ/N, and the private lower bounds σ̃k and γ̃s are the true values less a constant over N. So every term falls as
N grows, and falls to 0: no term stays, and some N is enough, unless γs is 0. Then no N gives a finite bound.
"""

from dplda.core.errors import NoFiniteNoise
from dplda.methods.configurations.published import GAMMA
from dplda.methods.plan import Plan
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.spectrum import Spectrum

FEWEST = 3  # documents that a moment of third order can be made of


def documents_needed(plan: Plan, spectrum: Spectrum, *, reading: PaperReading | None = PaperReading.RECOMMENDED) -> int:
    """The least N at which a bound is not vacuous; it is not vacuous at any larger one either.

    Args:
        plan: as for ``at_budget``.
        reading: of the print; None for explicit constants.

    Raises:
        NoFiniteNoise: γs is 0, two topics being equally large: no number of documents is enough.
    """
    if not spectrum.gamma_s > 0:
        raise NoFiniteNoise(GAMMA)

    def says_something(n_documents: int) -> bool:
        try:
            return not at_budget(plan, spectrum, n_documents=n_documents, reading=reading).vacuous
        except NoFiniteNoise:
            return False

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
