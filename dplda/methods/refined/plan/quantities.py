"""Quantities that a refinement releases, the picture of its flow, and its guarantee."""

from dataclasses import replace

from dplda.corpus.on_disk import AnyCorpus
from dplda.flow import SPECTRAL, read
from dplda.methods.base.guarantees import state_guarantee
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.averages import CONSTANTS_CHOSEN
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.privacy.adjacency import Assumption
from dplda.privacy.release import Guarantee, Release, Status

WORDS = Quantity(
    "word counts",
    "z₁",
    "clipped word counts",
    "words",
    "Each document's counts are scaled down to length at most C. Two non-negative vectors of that"
    " length are at most √2 C apart.",
)
STATISTIC = Quantity(
    "statistic",
    "S",
    "clipped statistic of a step",
    "steps",
    "A document's part in a step is scaled down to length C at most, no matter what was released"
    " before. Two non-negative matrices of that length are at most √2 C apart.",
)
GATE = Quantity(
    "advantage",
    "G",
    "advantage of a table",
    "gate",
    "A document counts for or against a table by at most 1 nat, so replacing one moves the sum by"
    " at most 2.",
)
GAIN = Quantity(
    "gains",
    "L",
    "gains over word frequencies",
    "evidence",
    "A document's gain counts from −1 to 1, and its length from 0 to 1. Its gains by topic are a"
    " vector of length √5/2 at most. So two documents are at most √10 apart.",
)

TOTAL_CHOSEN = (
    "This guarantee covers all releases of its chain together, for a total ε chosen before the"
    " first. If the owner chose it after seeing one, only the budget of the dataset in the ledger"
    " holds."
)

WITH_TABLE = read("refined", SPECTRAL, {"steps": RefinedConstants().n_steps})
"""Flow of a refinement that asks the documents about public knowledge; a run without a spectral
start skips that."""
REFINED = replace(
    WITH_TABLE,
    arrows=tuple(arrow for arrow in WITH_TABLE.arrows if arrow.edge != GATE.edge),
    noised=tuple(edge for edge in WITH_TABLE.noised if edge != GATE.edge),
)
"""Flow of a refinement that asks the documents nothing."""
UNIGRAM = read("unigram", REFINED)
"""Flow of the private unigram: only the first release of a refinement."""


def guarantee_of_refined(
    corpus: AnyCorpus,
    budget: Budget,
    releases: tuple[Release, ...] = (),
    assumed: str = "",
    *,
    continues: bool = False,
) -> Guarantee:
    """State the guarantee of a run, made or to come.

    If it continues an earlier release, only the total was chosen beforehand, and the text says so.

    Args:
        budget: of the run and of all releases that it continues.
        releases: its releases, which the guarantee states; empty for a run to come.
        assumed: what it rests on with public knowledge, a sentence; empty without.
        continues: whether it continues an earlier release.
    """
    rests_on: tuple[str, ...] = (Assumption.NEIGHBOURS, Assumption.CHOSEN)
    if continues:
        rests_on = (Assumption.NEIGHBOURS, Assumption.CHOSEN_BUT_TOTAL, TOTAL_CHOSEN)
    rests_on += (CONSTANTS_CHOSEN,)
    if assumed:
        rests_on += (assumed,)
    return state_guarantee(
        corpus,
        releases,
        status=Status.PROVEN,
        rests_on=rests_on,
        epsilon=budget.epsilon,
        delta=budget.delta,
        gaussian_fit=True,
    )
