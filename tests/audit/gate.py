"""How much error all audits together may make, and how many runs each is given.

All audits of unmutated code together are wrong with probability at most ``FALSE_ALARM``, whatever the code does within
its promise; each has an equal share. Runs are as many on either corpus as find noise that is too little by a factor
with probability 0.99 at least, by the law of the scores (tests/audit/test_evidence.py). Streams are seeded: what passes
once passes always.
"""

FALSE_ALARM = 1e-6
AUDITS_AT_MOST = 40
ERROR = FALSE_ALARM / AUDITS_AT_MOST

ROOT_TWO, TWO, ALL = "√2", "2", "all"  # by what factor noise is too little; there is none at all
TAKEN = "taken"  # nobody is left out of a minibatch

RUNS_GAUSSIAN = {ROOT_TWO: 2400, TWO: 600, ALL: 300}
RUNS_LAPLACE = {ROOT_TWO: 16_000, TWO: 3600, ALL: 320}
RUNS_LEVEL = {TWO: 2400, ALL: 300}
RUNS_MINIBATCHES = {ROOT_TWO: 4000, TWO: 1300, TAKEN: 1000}
RUNS_TWO_RELEASES = 320
