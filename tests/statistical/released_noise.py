"""What noise is in each value that a whole fit releases: what was released minus what the mechanism was shown.

A clip level has no value without noise to compare with; its counts are tested on the mechanism
(tests/privacy/test_clip_level.py).
"""

from collections import defaultdict

import numpy as np

from dplda import Plan
from dplda.methods.chain.sums import Sums
from tests.methods.configurations.replay import recorded
from tests.privacy.sources import TamperedNoise
from tests.statistical.laws import centred, histogram_cells, orthonormal_coordinates, unit_scale
from tests.tiny_corpora import topical_corpus

EPSILON = 1000.0
CORPUS = topical_corpus(4, n_documents=200, n_words=60, n_topics=6)
COUNTS, PAIRS, WORDS, TRIPLES = 0, 2, 3, 6  # number of the release
DRAWS = {COUNTS: 0, PAIRS: 10, WORDS: 11, TRIPLES: 22}  # of the draw: nine come before the pairs, nine before T
N_FITS = 90  # 90 tensors of 56 coordinates and 90 averages of 60 words are just enough
MEASURED = {
    COUNTS: "clipped word counts",
    PAIRS: "pair average",
    WORDS: "word average",
    TRIPLES: "whitened triple average",
}


def measured_noise(factors: dict[int, float] | None = None) -> dict[str, np.ndarray]:
    """Noise over declared scale by quantity, in independent coordinates; ``factors`` tamper with releases."""
    sums, found = Sums(CORPUS.counts), defaultdict(list)
    by_draw = {DRAWS[number]: factor for number, factor in (factors or {}).items()}
    for seed in range(N_FITS):
        source = TamperedNoise(seed, by_draw)
        plan = Plan("adaptive", EPSILON)
        fit, watched = recorded(CORPUS, plan, n_topics=6, seed=seed, noise=source, sums=sums, quick=True)
        for number in MEASURED:
            release = fit.releases[number]
            assert release.quantity == MEASURED[number]
            noise = release.value - watched.shown(release.quantity)
            coordinates = (np.ravel, histogram_cells, orthonormal_coordinates)[noise.ndim - 1](noise)
            found[MEASURED[number]].append(coordinates / release.scale)
    return {quantity: np.concatenate(parts)[:40_000] for quantity, parts in found.items()}


def follows_its_law(noise: np.ndarray) -> bool:
    """The named check: variance one and mean zero, false-alarm rate 1e-4 each, misses below 1e-6 (laws.py)."""
    return unit_scale(noise) and centred(noise)
