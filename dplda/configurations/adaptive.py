r"""``adaptive``: noise on the pair averages once, then on the clipped whitened tensor; everything else follows.

The whitening is computed from the *noisy* pair moment, so it is a public map and the tensor it produces is a plain
average over documents again, whose sensitivity is twice a clip level. No eigengap, no local sensitivity and no failure
probability enters. Clip levels are themselves released.
"""

import math

from dplda._types import Tensor3, Vector
from dplda.configurations.route import Clips, Configuration, Shape, V
from dplda.flow import Edge
from dplda.privacy import sensitivity
from dplda.privacy.mechanisms import GaussianMechanisms, Label
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages

PAIR_CLIP, MASS, WORDS, PAIRS, TRIPLE_CLIP, TRIPLES = (
    "pair clip",
    "mass",
    "words",
    "pairs",
    "triple clip",
    "triples",
)
LARGEST_PAIR_NORM = math.sqrt(0.5)
SMALLEST_PAIR_NORM = 1e-3
HALF_CLIPPED_AT = 0.0045


def pair_clip_quantile(*, n_documents: int, n_words: int, mu: float, search_mu: float) -> float:
    r"""How many documents to leave unclipped, from public numbers alone.

    :math:`ρ = 2\sqrt d/(Nμ)` is the noise edge of the pair average in units of the clip level. Where it is small the
    bias of clipping dominates and hardly any document should be clipped; where it is large the noise dominates, and
    with a low clip level every document counts by its length and noise falls with the level.

    Args:
        n_documents: ``N``.
        n_words: ``d``.
        mu: budget of the pair average.
        search_mu: budget of the search for the level; its counts are wrong by about ``3/search_mu``, and a quantile
            of fewer than twice as many documents cannot be aimed at.

    Returns:
        :math:`\min\{1/(1 + (ρ/0.0045)^3),\ 1 - 50/(Nμ)\}`, at least 0.02 and
        ``6/(N search_mu)``, the latter up to 0.95. The form and its one constant were chosen
        on simulated corpora; the guarantee holds for any value.
    """
    rho = 2 * math.sqrt(n_words) / (n_documents * mu)
    aimable = min(0.95, 6 / (n_documents * search_mu))
    return max(0.02, aimable, min(1 / (1 + (rho / HALF_CLIPPED_AT) ** 3), 1 - 50 / (n_documents * mu)))


class AdaptiveRoute:
    """One run: six adaptively composed Gaussian releases.

    Guarantee:
        With ``μ_j`` the budgets, the run is exactly as private as one Gaussian mechanism of ``μ² = Σ μ_j²``.
    """

    def __init__(
        self, shape: Shape, mus: dict[str, float], clip_quantile: float | None, mechanisms: GaussianMechanisms
    ) -> None:
        self._shape, self._mus, self._mechanisms = shape, mus, mechanisms
        self._quantile = clip_quantile
        self._clips: Clips | None = None
        self._triple_clip: float | None = None

    def clips(self, pair_norms: Vector) -> Clips:
        """A private clip level for pairs, and one for words that follows from it.

        ``‖f2‖_θ`` lies between ``‖f1‖²/√2`` and ``‖f1‖²`` for long documents, so a document weighted to ``C2`` in
        pairs has at most ``√(√2 C2)`` in words; that is the word level, which seldom binds and costs no budget.
        """
        quantile = self._quantile or pair_clip_quantile(
            n_documents=self._shape.n_documents,
            n_words=self._shape.n_words,
            mu=self._mus[PAIRS],
            search_mu=self._mus[PAIR_CLIP],
        )
        level = self._mechanisms.clip_level(
            Label(Edge.E2, "clip level of pair frequencies", "C₂"),
            pair_norms,
            low=SMALLEST_PAIR_NORM,
            high=LARGEST_PAIR_NORM,
            quantile=quantile,
            mu=self._mus[PAIR_CLIP],
        )
        self._clips = Clips(words=min(1.0, math.sqrt(math.sqrt(2) * level)), pairs=level)
        return self._clips

    def triple_clip(self, norms: Vector, ceiling: float) -> float:
        """A private clip level for the whitened tensors; the ceiling is a function of earlier releases."""
        n, mu = self._shape.n_documents, self._mus[TRIPLES]
        self._triple_clip = self._mechanisms.clip_level(
            Label(Edge.E6, "clip level of whitened triples", "C₃"),
            norms,
            low=1e-3 * ceiling,
            high=ceiling,
            quantile=min(1.0, max(0.5, 1 - 50 / (n * mu))),
            mu=self._mus[TRIPLE_CLIP],
        )
        return self._triple_clip

    def noise_on(self, edge: Edge, value: V) -> V:
        """Noise on the averages (e2) and on the whitened tensor (e6); other edges are left alone."""
        if isinstance(value, Averages):
            return self._noisy_averages(value) if edge is Edge.E2 else value
        return self._noisy_triples(value) if edge is Edge.E6 else value

    def _noisy_averages(self, value: Averages) -> Averages:
        if self._clips is None:
            raise RuntimeError("clip levels come before the averages they bound")
        n, release = self._shape.n_documents, self._mechanisms
        pair_sensitivity = sensitivity.pair_average(n_documents=n, clip=self._clips.pairs)
        pairs = release.pair_histogram(
            Label(Edge.E2, "pair average", "E₂"),
            value.pairs,
            sensitivity=pair_sensitivity,
            mu=self._mus[PAIRS],
        )
        words = release.vector(
            Label(Edge.E2, "word average", "E₁"),
            value.words,
            sensitivity=sensitivity.word_average(n_documents=n, clip=self._clips.words),
            mu=self._mus[WORDS],
        )
        mass = release.number(
            Label(Edge.E2, "mean weight of a document", "w̄"),
            value.mass,
            sensitivity=sensitivity.mass(n_documents=n),
            mu=self._mus[MASS],
        )
        return Averages(words, pairs, mass, entry_noise=release.releases[-3].scale / 2)

    def _noisy_triples(self, value: Tensor3) -> Tensor3:
        if self._triple_clip is None:
            raise RuntimeError("the clip level comes before the tensor it bounds")
        return self._mechanisms.symmetric_tensor(
            Label(Edge.E6, "whitened triple average", "T"),
            value,
            sensitivity=sensitivity.tensor_average(n_documents=self._shape.n_documents, clip=self._triple_clip),
            mu=self._mus[TRIPLES],
        )


ADAPTIVE = Configuration(
    name="adaptive",
    title="Adaptive",
    edges=(Edge.E2, Edge.E6),
    default_split=(
        (PAIR_CLIP, 0.01),
        (MASS, 0.01),
        (WORDS, 0.06),
        (PAIRS, 0.65),
        (TRIPLE_CLIP, 0.02),
        (TRIPLES, 0.25),
    ),
    status=Status.PROVEN,
    summary=(
        "Noise enters the pair moment once, and the whitened tensor once. Everything between them is computed from the"
        " noisy pair moment, so nothing has to be protected twice."
    ),
    rests_on=(
        "Neighbouring corpora differ in one document, replaced by any other over the same vocabulary; the number of"
        " documents is public.",
        "The vocabulary, the numbers of documents and topics, α0, ε, δ and the split were chosen without looking at the"
        " documents.",
    ),
    start=AdaptiveRoute,
)
