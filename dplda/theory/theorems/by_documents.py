"""A theorem's bound against the number of documents, everything else as it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.errors import NoFiniteNoise
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import FEWEST, at_budget, documents_needed
from dplda.theory.theorems.readings import TRIVIAL, PaperReading
from dplda.theory.theorems.spectrum import Spectrum

N_POINTS = 81
"""Numbers of documents on the axis of a picture."""
MARGIN = 10.0
"""Factor by which the axis reaches beyond the smallest and the largest number of interest."""
LARGEST = 1e18
"""No axis reaches beyond this number of documents."""


@dataclass(frozen=True, slots=True)
class BoundByDocuments:
    """One theorem's bound on a topic's L2 error against the number of documents.

    Attributes:
        configuration: name of the configuration whose theorem it is.
        documents: numbers of documents, ascending.
        totals: bounds there; infinite where no finite noise is enough.
        here: bound at the experiment's own number of documents; infinite likewise.
        enough: smallest number of documents with a bound below √2; None if there is none.
    """

    configuration: str
    documents: tuple[float, ...]
    totals: tuple[float, ...]
    here: float
    enough: int | None

    @property
    def is_useful(self) -> bool:
        """Whether the bound says something at the experiment's own number of documents."""
        return self.here < TRIVIAL


def bounds_by_documents(
    plans: Sequence[Plan],
    spectrum: Spectrum,
    *,
    n_documents: int,
    reading: PaperReading | None,
) -> tuple[BoundByDocuments, ...]:
    """The bounds of several plans over one axis that shows where each begins to say something.

    The axis reaches ``MARGIN`` times beyond the experiment's own N and every number that is enough,
    up to ``LARGEST``.

    Args:
        plans: of published configurations.
        spectrum: of the corpus, or of a population; it stays the same at every N.
        n_documents: ``N`` of the experiment.
        reading: which print of the paper; None for explicit constants.

    Returns:
        One for each plan, in their order.

    Raises:
        InputError: the paper has no theorem for a plan.
    """
    numbers_needed = [_documents_needed(plan, spectrum, reading) for plan in plans]
    known_numbers = [number for number in numbers_needed if number is not None]
    numbers_of_interest = [n_documents, *known_numbers]
    numbers_on_axis = _documents_axis(min(numbers_of_interest), max(numbers_of_interest))
    return tuple(
        BoundByDocuments(
            configuration=plan.configuration,
            documents=numbers_on_axis,
            totals=tuple(_total(plan, spectrum, number, reading) for number in numbers_on_axis),
            here=_total(plan, spectrum, n_documents, reading),
            enough=number_needed,
        )
        for plan, number_needed in zip(plans, numbers_needed, strict=True)
    )


def _documents_axis(lowest: float, highest: float) -> tuple[float, ...]:
    """Whole numbers, evenly spaced in the logarithm, ``MARGIN`` beyond both ends.

    They stay within ``FEWEST`` and ``LARGEST``; small ones may repeat.
    """
    first_number = max(float(FEWEST), lowest / MARGIN)
    last_number = min(LARGEST, highest * MARGIN)
    return tuple(np.round(np.geomspace(first_number, last_number, N_POINTS)).tolist())


def _documents_needed(plan: Plan, spectrum: Spectrum, reading: PaperReading | None) -> int | None:
    """The smallest N with an informative bound; None where no N is enough."""
    try:
        return documents_needed(plan, spectrum, reading=reading)
    except NoFiniteNoise:
        return None


def _total(
    plan: Plan, spectrum: Spectrum, n_documents: float, reading: PaperReading | None
) -> float:
    """The bound at N documents; infinite where no finite noise is enough.

    Args:
        plan: of a published configuration.
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3; a fraction is cut off.
        reading: which print of the paper; None for explicit constants.

    Raises:
        InputError: the paper has no theorem for the plan.
    """
    try:
        return at_budget(plan, spectrum, n_documents=int(n_documents), reading=reading).total
    except NoFiniteNoise:
        return math.inf
