r"""The L1 error to expect of the private unigram: one list of words in the place of every topic, with its noise.

The method adds up clipped word counts, :math:`N c_w` in expectation, and one release adds :math:`s Z_w` with a
deviation ``s`` that is known beforehand; shrunk by that noise they are ``p``. So p is a function of ``N c/s`` and of
Gaussian numbers alone, and topic i is wrong by :math:`E\sum_w |p_w - μ_{iw}|`: its distance from the mean words where
noise is nothing. Shrinkage learns a law from all words together, so the expectation has no closed form: the method's
own function is run on a few draws, the same every time, each with its negative. Not derived: what having N documents
only does, which moves p by less than topics are apart.
"""

from collections.abc import Sequence

import numpy as np

from dplda.core.types import Vector
from dplda.methods.full_batch_vi.planned import planned_words
from dplda.methods.prediction_accuracy import Ratio
from dplda.methods.problem import Budget
from dplda.methods.shrinkage.posterior import frequencies
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.regime_axes import Point

UNIGRAM = "private-unigram"  # text of the method
RATIO = Ratio(0.88, 1.04)  # predicted over observed error of single runs, which a test makes again
CELLS = 400  # noisy words looked at for one error: 2 draws of them at least
MANY = 10_000.0  # documents that noise is worked out for: only how large it is a document matters
NODES = 20  # noise levels worked out where more are asked for; between them errors are interpolated


def unigram_errors(points: Sequence[Point], geometry: Geometry) -> Vector:
    """Mean over topics of the expected L1 error at each point, shape (points,), in [0, 2].

    Args:
        points: of one population; at least one.
    """
    noise = np.array([_relative_noise(point) for point in points])
    nodes = np.unique(noise)
    if len(nodes) > NODES:
        nodes = np.geomspace(nodes[0], nodes[-1], NODES)
    found: Vector = np.interp(np.log(noise), np.log(nodes), [_error(one, geometry) for one in nodes])
    return found


def _relative_noise(point: Point) -> float:
    """Standard deviation of the noise on the sum of word counts, a document."""
    n, d = point.n_documents, point.n_words
    (release,) = planned_words(Budget(point.epsilon, point.delta), n, d)
    ((_, scale),) = release.scales
    return scale / n


def _error(noise: float, geometry: Geometry) -> float:
    counts, rng = geometry.typical.clipped_words, np.random.default_rng(0)
    d, errors = len(counts), []
    for _ in range(max(1, CELLS // (2 * len(counts)))):
        z = rng.standard_normal(d)
        for sign in (1.0, -1.0):
            words = frequencies(MANY * (counts + sign * noise * z), np.full(d, MANY * noise))
            errors.append(np.mean(np.sum(np.abs(words - geometry.topics), axis=1)))
    return float(np.mean(errors))
