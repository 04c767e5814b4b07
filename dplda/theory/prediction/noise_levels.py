"""How large the noise of a plan is at a budget, read off its dry run on typical documents."""

from dplda.core import checks
from dplda.core.errors import InputError, NoFiniteNoise
from dplda.core.types import Vector
from dplda.methods.chain.dry_run import TypicalNorms, clipped_weights, dry_run
from dplda.methods.configurations.sizes import Shape
from dplda.methods.configurations.variant import Levels
from dplda.methods.plan import Plan
from dplda.theory.prediction.geometry import Geometry

NO_NOISE = Levels(0.0, 0.0, shared=True, diagonal=4.0)


def is_predicted(plan: Plan) -> bool:
    """Whether there is a predictor of a plan's error; where there is none, nothing is said."""
    return plan.variant.levels is not None


def levels_of(plan: Plan, geometry: Geometry, *, n_documents: int) -> Levels:
    """The noise of a plan.

    Clip levels are those that the private search would find on typical documents, its noise left out.

    Raises:
        NoFiniteNoise: a private bound leaves no finite noise.
    """
    checks.integer_at_least("n_documents", n_documents, 3)
    levels = plan.variant.levels
    if levels is None:
        raise InputError("plan", "one whose error is predicted", f"{plan.configuration}, {plan.variant.scaling}")
    spectrum, typical = geometry.spectrum, geometry.typical
    shape = Shape(n_documents, spectrum.n_words, len(geometry.alpha), spectrum.alpha0)
    found = dry_run(plan, shape, spectrum, TypicalNorms(typical.pair_norms, typical.triple_norms))
    if found.refused:
        raise NoFiniteNoise(found.refused[0])
    return levels(found.readings())


def weights(levels: Levels, geometry: Geometry) -> Vector | None:
    """What clipping makes typical documents weigh, shape (n,); None where nothing is clipped."""
    return None if levels.clip is None else clipped_weights(geometry.typical.pair_norms, levels.clip)
