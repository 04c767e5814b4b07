"""The flow of a refinement: word counts once, an optional spectral start, and a loop that releases every round."""

from dataclasses import replace

from dplda.flow import SPECTRAL, read
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.full_batch_vi.recipe import Recipe

_WHY_WORDS = (
    "Each document's counts are scaled down to length at most C. Two non-negative vectors of that length are at"
    " most √2 C apart."
)
_WHY_STEPS = (
    "A document's part in a step is scaled down to length C at most, no matter what was released before. Two"
    " non-negative matrices of that length are at most √2 C apart."
)
_WHY_GATE = "A document counts for or against a table by at most 1 nat, so replacing one moves the sum by at most 2."
_WHY_GAIN = (
    "A document's gain counts from −1 to 1, and its length from 0 to 1. Its gains by topic are a vector of length"
    " √5/2 at most. So two documents are at most √10 apart."
)
WORDS = Quantity("word counts", "z₁", "clipped word counts", "words", _WHY_WORDS)
STATISTIC = Quantity("statistic", "S", "clipped statistic of a step", "steps", _WHY_STEPS)
GATE = Quantity("advantage", "G", "advantage of a table", "gate", _WHY_GATE)
GAIN = Quantity("gains", "L", "gains over word frequencies", "evidence", _WHY_GAIN)

WITH_TABLE = read("refined", SPECTRAL, {"steps": Recipe().steps})
"""One budget over all noised edges; a run without a spectral start skips the optional ones."""
REFINED = replace(
    WITH_TABLE,
    arrows=tuple(arrow for arrow in WITH_TABLE.arrows if arrow.edge != GATE.edge),
    noised=tuple(edge for edge in WITH_TABLE.noised if edge != GATE.edge),
)
"""The same without a table of public knowledge that the documents let in or not."""
UNIGRAM = read("unigram", REFINED)
"""Only the first release of a refinement."""
