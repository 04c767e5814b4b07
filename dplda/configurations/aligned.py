r"""Configuration 2 as it can be proved: the whitened tensor seen in a private frame.

The frame is that of the noisy pair moment (e8); symmetric whitening has no sign or rotation to choose, so one document
moves what is seen by at most Theorem 5′'s bound, whose data-dependent parts are replaced by private bounds that hold
except with a tenth of δ.
"""

import math

from scipy.special import ndtri

from dplda._types import Tensor3
from dplda.configurations.averages import PROVEN_RESTS_ON
from dplda.configurations.route import Budget, Route, Shape, Statistics, Variant
from dplda.errors import NoFiniteNoise
from dplda.flow import Edge
from dplda.privacy import gaussian, sensitivity
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.whitening import Whitening, in_frame_of

SIGMA, GAP, WORD_PEAK, PAIR_PEAK, TENSOR, BACK = "σk", "gap", "largest word", "largest pair", "e6", "e8"
FAILURE_SHARE = 0.1


class AlignedRoute(Route):
    """One run: a noisy pair moment, four private bounds, a noisy tensor.

    Guarantee:
        The Gaussian releases are (ε, 0.9δ)-DP together; each of four bounds fails with probability at most δ/40, and
        where all hold the tensor's noise is enough (propose-test-release in the form of the paper's Lemma 8).
    """

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        mu = gaussian.mu_for(budget.epsilon, (1 - FAILURE_SHARE) * budget.delta)
        self._mus = {name: gaussian.share(mu, fraction) for name, fraction in budget.split.items()}
        self._quantile = -float(ndtri(FAILURE_SHARE * budget.delta / 4))
        self._tensor_sensitivity = math.inf

    def e8(self, pairs: Averages | PairMoment) -> PairMoment:
        """Isotropic noise on M2; its frame is the one the tensor is seen in."""
        assert isinstance(pairs, PairMoment)
        noisy = self.mechanisms.isotropic_matrix(
            ReleaseName(Edge.E8, "pair moment", "M₂"),
            pairs.matrix(),
            sensitivity=sensitivity.direct_pair_moment(n_documents=self.shape.n_documents, a=self.coefficients.a),
            mu=self._mus[BACK],
        )
        return PairMoment(noisy, entry_noise=self.mechanisms.last_noise / math.sqrt(2))

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Symmetric whitening of the exact moment in the private frame.

        Whether all k topics are there is not looked at here: a refusal has to follow from a private bound.
        """
        return in_frame_of(forward, back), back

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """The exact third moment in the private frame, and the bound on how far one document moves it."""
        self._tensor_sensitivity = self._bound(source)
        return source.third_moment(whitening.whitener)

    def e6(self, tensor: Tensor3, whitening: Whitening) -> Tensor3:
        """Noise for Theorem 5′'s sensitivity on the tensor."""
        return self.mechanisms.symmetric_tensor(
            ReleaseName(Edge.E6, "whitened tensor in a private frame", "T"),
            tensor,
            sensitivity=self._tensor_sensitivity,
            mu=self._mus[TENSOR],
        )

    def _bound(self, source: Statistics) -> float:
        n, c = self.shape.n_documents, self.coefficients
        k = self.shape.n_topics
        values = source.leading_eigenvalues(min(k + 1, self.shape.n_words))
        last, following = float(values[k - 1]), float(values[k]) if k < self.shape.n_words else 0.0
        word, pair = source.largest_frequencies()
        operator = sensitivity.pair_moment_eigenvalue(n_documents=n, a=c.a)
        peak = sensitivity.largest_frequency(n_documents=n)
        eigenvalue = self._shifted(SIGMA, "k-th eigenvalue of M2", last, operator, below=True)
        gap = self._shifted(GAP, "gap after the k-th eigenvalue", last - following, 2 * operator, below=True)
        word_peak = self._shifted(WORD_PEAK, "largest word frequency", word, peak, below=False)
        pair_peak = self._shifted(PAIR_PEAK, "largest pair frequency", pair, peak, below=False)
        bound = sensitivity.aligned_tensor(
            third=sensitivity.direct_triple_moment(n_documents=n, b=c.b, c=c.c),
            pair=sensitivity.direct_pair_moment(n_documents=n, a=c.a),
            eigenvalue=eigenvalue,
            gap=gap,
            pair_operator=operator,
            unfolding=sensitivity.unfolding_bound(
                n_documents=n, b=c.b, c=c.c, largest_word=max(word_peak, 0), largest_pair=max(pair_peak, 0)
            ),
        )
        if math.isinf(bound):
            raise NoFiniteNoise(SIGMA if eigenvalue <= operator else GAP)
        return bound

    def _shifted(self, quantity: str, words: str, value: float, sensitivity_: float, *, below: bool) -> float:
        noisy = self.mechanisms.number(
            ReleaseName(Edge.E6, words, quantity), value, sensitivity=sensitivity_, mu=self._mus[quantity]
        )
        margin = self._quantile * self.mechanisms.releases[-1].scale
        return noisy - margin if below else noisy + margin


CONFIG_2_CORRECTED = Variant(
    default_split=((SIGMA, 0.03), (GAP, 0.05), (WORD_PEAK, 0.01), (PAIR_PEAK, 0.01), (TENSOR, 0.60), (BACK, 0.30)),
    status=Status.PROVEN,
    rests_on=(
        *PROVEN_RESTS_ON,
        "The private bounds on the spectrum hold except with probability δ/10, which is part of δ.",
    ),
    route=AlignedRoute,
    failure=FAILURE_SHARE,
)
