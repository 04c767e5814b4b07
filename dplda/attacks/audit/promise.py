"""The audited promise: who is protected, by which noise, and one release's share of the budget."""

from dplda.core import checks
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status

ATTACKED_SHARE = 0.98  # share of the budget for the attacked release


def make_promise(
    epsilon: float, delta: float = 1e-7, *, persons: bool = False, exact: bool = False
) -> Guarantee:
    """Make the guarantee of a proven run that protects a document, or all documents of a person.

    Args:
        epsilon: ε of the run.
        delta: δ of the run.
        persons: whether persons are protected instead of documents.
        exact: whether noise is that of a release, on whole numbers; else it is simulated, which is
            a caveat, and nothing can be released.

    Raises:
        InputError: ε or δ is out of its range.
    """
    checks.positive("epsilon", epsilon)
    checks.delta(delta)
    return Guarantee(
        mechanism=Status.PROVEN,
        claimed_epsilon=epsilon,
        claimed_delta=delta,
        caveats=() if exact else (Caveat.SIMULATED,),
        adjacency=Adjacency.REPLACE_PERSON if persons else Adjacency.REPLACE_ONE,
        rests_on=(),
        releasable=exact,
    )


def describe_promise(promise: Guarantee) -> str:
    """Write the promise in one line: ε and δ, rounded up.

    Adds that it protects a person, or that its noise is that of a release, where that is so.
    """
    clauses = [
        f"ε = {format_rounded_up(promise.epsilon)}",
        f"δ = {format_rounded_up(promise.delta)}",
    ]
    if promise.adjacency is Adjacency.REPLACE_PERSON:
        clauses.append("of a person")
    if promise.releasable:
        clauses.append("with release noise")
    return ", ".join(clauses)
