"""How much error all audits together may make, and how many runs each is given.

All audits of unmutated code together are wrong with probability at most ``FALSE_ALARM``, whatever the code does within
its promise; each has an equal share. Runs are as many on either corpus as find noise that is too little by a factor
with probability 0.99 at least, by the law of the scores (test_evidence.py). Streams are seeded: what passes once
passes always.
"""

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.harness import FALSE_ALARM
from dplda.attacks.audit.minibatches import VARIATIONAL
from dplda.attacks.audit.promise import make_promise
from dplda.privacy.accounting import gaussian
from dplda.privacy.release import Guarantee

MU, EPSILON, DELTA = 2.2, 2.0, 1e-7  # of whole plans: Gaussian, Laplace
SAMPLED = make_promise(12.4, DELTA)  # at which there is something to see of random minibatches
AUDITS_AT_MOST = 41
ERROR = FALSE_ALARM / AUDITS_AT_MOST

ROOT_TWO, TWO, ALL = "√2", "2", "all"  # by what factor noise is too little; there is none at all
TAKEN = "taken"  # nobody is left out of a minibatch

RUNS_GAUSSIAN = {ROOT_TWO: 2400, TWO: 600, ALL: 300}
RUNS_LAPLACE = {ROOT_TWO: 16_000, TWO: 3600, ALL: 320}
RUNS_MINIBATCHES = {ROOT_TWO: 4000, TWO: 1300, TAKEN: 1000, ALL: 1000}


def runs(attack: Attack) -> dict[str, int]:
    """By what is missing."""
    if attack in VARIATIONAL:
        return RUNS_MINIBATCHES
    return RUNS_LAPLACE if attack.laplace else RUNS_GAUSSIAN


def promise(attack: Attack) -> Guarantee:
    """Of a run that claims the same of every pair of neighbours, however far apart they are."""
    if attack in VARIATIONAL:
        return SAMPLED
    if attack.laplace:
        return make_promise(EPSILON, DELTA)
    return make_promise(
        gaussian.epsilon_for(MU / attack.attained_share, (1 - attack.failure_share) * DELTA), DELTA
    )
