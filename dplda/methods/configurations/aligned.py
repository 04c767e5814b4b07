"""The provable form of configuration 2: the whitened tensor seen in a private frame.

The frame is that of the noisy pair moment (e8); symmetric whitening has no sign or rotation to choose, so one document
moves the view by at most Theorem 5′'s bound, whose data-dependent parts are replaced by private bounds that hold except
with a tenth of δ.
"""

import math

from scipy.special import ndtri

from dplda.core.errors import NoFiniteNoise
from dplda.core.types import Tensor3
from dplda.flow import Edge
from dplda.methods.configurations import sizes
from dplda.methods.configurations.averages import PROVEN_RESTS_ON
from dplda.methods.configurations.route import MomentRoute
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration, Variant
from dplda.privacy import sensitivity
from dplda.privacy.noise.layouts import SymmetricMatrix, SymmetricTensor
from dplda.privacy.release import Status
from dplda.privacy.sensitivity import eigensolver
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import PairMoment
from dplda.spectral.whitening import Whitening, in_frame_of

FAILURE_SHARE = 0.1

SIGMA = Quantity(
    "σk",
    "σk",
    "k-th eigenvalue of M2",
    Edge.E6,
    "No eigenvalue of M₂ moves by more than the largest stretch of its change, at most 2/N.",
    sizes.eigenvalue,
)
GAP = Quantity(
    "gap",
    "gap",
    "gap after the k-th eigenvalue",
    Edge.E6,
    "Two eigenvalues of M₂, each moved by at most 2/N.",
    sizes.gap,
)
WORD_PEAK = Quantity(
    "largest word",
    "largest word",
    "largest word frequency",
    Edge.E6,
    "No word's frequency in a document lies outside 0 and 1, and the average divides by N.",
    sizes.largest_word,
)
PAIR_PEAK = Quantity(
    "largest pair",
    "largest pair",
    "largest pair frequency",
    Edge.E6,
    "No pair's frequency in a document lies outside 0 and 1, and the average divides by N.",
    sizes.largest_pair,
)
TENSOR = Quantity(
    "e6",
    "T",
    "whitened tensor in a private frame",
    Edge.E6,
    "One document changes M₃ and turns the whitening. Private bounds of σk and of the gap after it limit both"
    " (Theorem 5′).",
    sizes.tensor,
    (SIGMA.name, GAP.name, WORD_PEAK.name, PAIR_PEAK.name),
)
BACK = Quantity(
    "e8",
    "M₂",
    "pair moment",
    Edge.E8,
    "√(2 + 4a²)/N, which two documents of one repeated word each attain.",
    sizes.pair_moment,
)


class AlignedRoute(MomentRoute):
    """One run: a noisy pair moment, four private bounds, a noisy tensor.

    Guarantee:
        The Gaussian releases are (ε, 0.9δ)-DP together; each of four bounds fails with probability at most δ/40, and if
        all hold the tensor's noise is enough (propose-test-release in the form of the paper's Lemma 8).
    """

    failure = FAILURE_SHARE

    def e8(self, pairs: PairMoment, ahead: PairMoment) -> PairMoment:
        """Isotropic noise on M2, whose frame the tensor is seen in."""
        matrix = pairs.matrix()
        noisy = self.mechanisms.gaussian(
            BACK,
            matrix,
            SymmetricMatrix(len(matrix)),
            sensitivity=sensitivity.direct_pair_moment(
                n_documents=self.shape.n_documents, a=self.coefficients.a
            ),
            mu=self._mus[BACK.name],
        )
        return PairMoment(noisy, entry_noise=self.mechanisms.noise_std_of(BACK) / math.sqrt(2))

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Symmetric whitening of the exact moment in the private frame; never refuses, as only bounds may."""
        return in_frame_of(forward, back), back

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: PairMoment
    ) -> Tensor3:
        """The exact third moment in the private frame, with noise (e6) for one document's largest effect."""
        bound, tensor = self._bound(statistics), statistics.third_moment(whitening.whitener)
        layout = SymmetricTensor(len(tensor))
        return self.mechanisms.gaussian(
            TENSOR, tensor, layout, sensitivity=bound, mu=self._mus[TENSOR.name]
        )

    def _bound(self, statistics: CorpusStatistics) -> float:
        n, c = self.shape.n_documents, self.coefficients
        k, d = self.shape.n_topics, self.shape.n_words
        values = statistics.leading_eigenvalues(min(k + 1, d))
        last, following = float(values[k - 1]), float(values[k]) if k < d else 0.0
        word, pair = statistics.largest_frequencies()
        operator = sensitivity.pair_moment_eigenvalue(n_documents=n, n_words=d, a=c.a)
        peak = sensitivity.largest_frequency(n_documents=n)
        eigenvalue = self._shifted(SIGMA, last, operator, below=True)
        gap = self._shifted(GAP, last - following, 2 * operator, below=True)
        word_peak = self._shifted(WORD_PEAK, word, peak, below=False)
        pair_peak = self._shifted(PAIR_PEAK, pair, peak, below=False)
        bound = sensitivity.aligned_tensor(
            third=sensitivity.direct_triple_moment(n_documents=n, n_words=d, b=c.b, c=c.c),
            pair=sensitivity.direct_pair_moment(n_documents=n, a=c.a) + eigensolver(n_words=d),
            eigenvalue=eigenvalue,
            gap=gap,
            pair_operator=operator,
            unfolding=sensitivity.unfolding_bound(
                n_documents=n,
                b=c.b,
                c=c.c,
                largest_word=max(word_peak, 0),
                largest_pair=max(pair_peak, 0),
            ),
        )
        if math.isinf(bound):
            raise NoFiniteNoise(SIGMA.symbol if eigenvalue <= operator else GAP.symbol)
        return bound

    def _shifted(
        self, quantity: Quantity, value: float, sensitivity_: float, *, below: bool
    ) -> float:
        noisy = self.mechanisms.number(
            quantity, value, sensitivity=sensitivity_, mu=self._mus[quantity.name]
        )
        quantile = -float(ndtri(FAILURE_SHARE * self.budget.delta / 4))
        margin = quantile * self.mechanisms.release_of(quantity).scale
        return noisy - margin if below else noisy + margin


CONFIG_2_CORRECTED = Variant(
    calibration=Calibration.CORRECTED,
    shares=(
        (SIGMA, 0.03),
        (GAP, 0.05),
        (WORD_PEAK, 0.01),
        (PAIR_PEAK, 0.01),
        (TENSOR, 0.60),
        (BACK, 0.30),
    ),
    status=Status.PROVEN,
    rests_on=(
        *PROVEN_RESTS_ON,
        "The private bounds on the spectrum hold except with probability δ/10, which is part of δ.",
    ),
    route=AlignedRoute,
    failure=FAILURE_SHARE,
)
