"""The provable form of configuration 2: the whitened tensor seen in a private frame.

The frame is that of the noisy pair moment (e8); symmetric whitening has no sign or rotation to
choose, so one document moves the view by at most Theorem 5′'s bound, whose data-dependent parts are
replaced by private bounds that hold except with a tenth of δ.
"""

import math

from scipy.special import ndtri

from dplda.core.errors import NoFiniteNoise
from dplda.core.types import Tensor3
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import bounded_statistics as bounded
from dplda.methods.configurations import sizes
from dplda.methods.configurations.averages import PROVEN_RESTS_ON
from dplda.methods.configurations.route import MomentRoute
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Variant
from dplda.privacy import sensitivity
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.noise.layouts import SymmetricMatrix, SymmetricTensor
from dplda.privacy.release import Status
from dplda.privacy.sensitivity import eigensolver
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.statistics import PairMoment
from dplda.spectral.whitening import Whitening, in_frame_of

FAILURE_SHARE = 0.1  # of δ, for all private bounds together
N_BOUNDS = 4

SIGMA = Quantity(
    name="σk",
    symbol="σk",
    words="k-th eigenvalue of M2",
    edge=Edge.E6,
    reason="No eigenvalue of M₂ moves by more than the largest stretch of its change, at most 2/N.",
    measure=sizes.measure_eigenvalue,
)
GAP = Quantity(
    name="gap",
    symbol="gap",
    words="gap after the k-th eigenvalue",
    edge=Edge.E6,
    reason="Two eigenvalues of M₂, each moved by at most 2/N.",
    measure=sizes.measure_gap,
)
WORD_PEAK = Quantity(
    name="largest word",
    symbol="largest word",
    words="largest word frequency",
    edge=Edge.E6,
    reason=(
        "No word's frequency in a document lies outside 0 and 1, and the average divides by N."
    ),
    measure=sizes.measure_largest_word,
)
PAIR_PEAK = Quantity(
    name="largest pair",
    symbol="largest pair",
    words="largest pair frequency",
    edge=Edge.E6,
    reason=(
        "No pair's frequency in a document lies outside 0 and 1, and the average divides by N."
    ),
    measure=sizes.measure_largest_pair,
)
TENSOR = Quantity(
    name="e6",
    symbol="T",
    words="whitened tensor in a private frame",
    edge=Edge.E6,
    reason=(
        "One document changes M₃ and turns the whitening. Private bounds of σk and of the gap after"
        " it limit both (Theorem 5′)."
    ),
    measure=sizes.measure_tensor,
    rests_on=(SIGMA.name, GAP.name, WORD_PEAK.name, PAIR_PEAK.name),
)
BACK = Quantity(
    name="e8",
    symbol="M₂",
    words="pair moment",
    edge=Edge.E8,
    reason="√(2 + 4a²)/N, which two documents of one repeated word each attain.",
    measure=sizes.measure_pair_moment,
)


class AlignedRoute(MomentRoute):
    """One run: a noisy pair moment, four private bounds, a noisy tensor.

    Guarantee:
        The Gaussian releases are (ε, 0.9δ)-DP together; each of four bounds fails with probability
        at most δ/40, and if all hold the tensor's noise is enough (propose-test-release in the form
        of the paper's Lemma 8).
    """

    failure = FAILURE_SHARE

    def e8(self, pairs: PairMoment, forward_pairs: PairMoment) -> PairMoment:
        """Edge e8: M2 with isotropic noise, and its level; the tensor is seen in its frame."""
        moment = pairs.matrix()
        noisy_moment = self.mechanisms.release_sum(
            BACK,
            bounded.bound_pair_moment(moment, self.size),
            mu=self._mus[BACK.name],
            layout=SymmetricMatrix(len(moment)),
        )
        return PairMoment(
            noisy_moment, entry_noise=self.mechanisms.noise_std_of(BACK) / math.sqrt(2)
        )

    def align(self, forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
        """Whiten the exact moment symmetrically in the private frame.

        It never refuses: only a private bound may.
        """
        return in_frame_of(forward, back), back

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: PairMoment
    ) -> Tensor3:
        """Edge e6: the third moment in the private frame, with noise for one document's effect.

        Four private bounds, which that effect rests on, are released first.

        Raises:
            NoFiniteNoise: a private lower bound is too low.
        """
        tensor_sensitivity = self._bound_tensor_sensitivity(statistics)
        tensor = statistics.third_moment(whitening.whitener)
        return self.mechanisms.release_sum(
            TENSOR,
            BoundedSum(tensor, tensor_sensitivity),
            mu=self._mus[TENSOR.name],
            layout=SymmetricTensor(len(tensor)),
        )

    def _bound_tensor_sensitivity(self, statistics: CorpusStatistics) -> float:
        """Theorem 5′'s bound, by four private bounds on spectrum and frequencies, released here.

        Raises:
            NoFiniteNoise: a private lower bound is not above the sensitivity of eigenvalues. Names
                σk if its bound is, else the gap.
        """
        n = self.size.n_documents
        d = self.size.n_words
        coefficients = self.coefficients
        operator_sensitivity = bounded.eigenvalue_sensitivity(self.size)
        sigma, gap = self._release_spectrum_bounds(statistics)
        largest_word, largest_pair = self._release_peak_bounds(statistics)
        sensitivity_bound = sensitivity.aligned_tensor(
            third=sensitivity.direct_triple_moment(
                n_documents=n, n_words=d, b=coefficients.b, c=coefficients.c
            ),
            pair=sensitivity.direct_pair_moment(n_documents=n, a=coefficients.a)
            + eigensolver(n_words=d),
            eigenvalue=sigma,
            gap=gap,
            pair_operator=operator_sensitivity,
            unfolding=sensitivity.unfolding_bound(
                n_documents=n,
                b=coefficients.b,
                c=coefficients.c,
                largest_word=max(largest_word, 0),
                largest_pair=max(largest_pair, 0),
            ),
        )
        if math.isinf(sensitivity_bound):
            failed_quantity = SIGMA if sigma <= operator_sensitivity else GAP
            raise NoFiniteNoise(failed_quantity.symbol)
        return sensitivity_bound

    def _release_spectrum_bounds(self, statistics: CorpusStatistics) -> tuple[float, float]:
        """Release lower bounds of ``σ_k``, and of its gap to the next eigenvalue.

        The next eigenvalue is 0 if k = d. A bound may be 0 or below.
        """
        k = self.size.n_topics
        d = self.size.n_words
        eigenvalues = statistics.leading_eigenvalues(min(k + 1, d))
        kth_eigenvalue = float(eigenvalues[k - 1])
        next_eigenvalue = float(eigenvalues[k]) if k < d else 0.0
        return (
            self._release_lower_bound(SIGMA, bounded.bound_eigenvalue(kth_eigenvalue, self.size)),
            self._release_lower_bound(
                GAP, bounded.bound_gap(kth_eigenvalue - next_eigenvalue, self.size)
            ),
        )

    def _release_peak_bounds(self, statistics: CorpusStatistics) -> tuple[float, float]:
        """Release upper bounds of the largest entries of ``E1`` and ``E2``."""
        largest_word_frequency, largest_pair_frequency = statistics.largest_frequencies()
        return (
            self._release_upper_bound(
                WORD_PEAK, bounded.bound_largest_frequency(largest_word_frequency, self.size)
            ),
            self._release_upper_bound(
                PAIR_PEAK, bounded.bound_largest_frequency(largest_pair_frequency, self.size)
            ),
        )

    def _release_lower_bound(self, quantity: Quantity, exact: BoundedSum[float]) -> float:
        """A noisy number that is above the exact one with probability δ/40 only."""
        noisy, margin = self._release_with_margin(quantity, exact)
        return noisy - margin

    def _release_upper_bound(self, quantity: Quantity, exact: BoundedSum[float]) -> float:
        """A noisy number that is below the exact one with probability δ/40 only."""
        noisy, margin = self._release_with_margin(quantity, exact)
        return noisy + margin

    def _release_with_margin(
        self, quantity: Quantity, exact: BoundedSum[float]
    ) -> tuple[float, float]:
        """Release a number with noise; also the size that its noise passes, with probability δ/40.

        That is on either side, for bounds that fail as rarely.
        """
        noisy_number = self.mechanisms.release_sum(quantity, exact, mu=self._mus[quantity.name])
        failure_probability = FAILURE_SHARE * self.budget.delta / N_BOUNDS
        quantile = -float(ndtri(failure_probability))
        return noisy_number, quantile * self.mechanisms.release_of(quantity).scale


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
