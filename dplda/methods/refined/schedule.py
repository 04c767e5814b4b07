"""The public choices of a refinement: what is released, and how a budget is divided.

They were chosen on simulated documents (d = 100 and 1,000, k = 3 and 10, N = 20,000 and 100,000, α0 = 0.1 to 10), the
docstrings of installed packages, 20 Newsgroups and Wikipedia's leads (and ``growth`` on AP), at ε = 0.3 to 10, d = 500
and 1,000, k = 10. The guarantee holds for any values.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from dplda.core import checks
from dplda.corpus.on_disk import AnyCorpus
from dplda.flow import SPECTRAL, read
from dplda.methods.base.guarantees import state_guarantee
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.averages import CONSTANTS_CHOSEN
from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Assumption
from dplda.privacy.release import Guarantee, Release, Status

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

MIN_PRIOR_ADVANTAGE = 0.15  # nats, mean advantage from which on a table is used: useful ones .2 and more, useless .14 and less
ASSUMED_PRIOR_ADVANTAGE = 0.4  # nats, taken for a table's advantage where it is not asked
PRIOR_ADVANTAGE_STDS = 1.5  # standard deviations of its noise that are asked for besides
TOTAL_CHOSEN = (
    "This guarantee covers all releases of its chain together, for a total ε chosen before the first. If the owner"
    " chose it after seeing one, only the budget of the dataset in the ledger holds."
)
START_NOISE_FACTOR_WITH_PRIOR = 0.4  # of the border of a spectral start, beside a table's topics: a better start has to be surer
MIN_SIZE_FOR_PRIOR_TEST = 40.0  # of Nμ, below which the noise on a table's gain would decide
MAX_WORD_SHARE = (
    1 - 2e-6
)  # of what is for topics; the rest limits how wide its noise gets (``release.make``)
EVIDENCE_SHARE_FACTOR = 25.0  # Nμ times the share of evidence, where that is not the largest
MOST_EVIDENCE = 0.2  # of a continued run's μ²; a small step hears its gain with more noise instead
MOST_STEPS = 10_000  # of a run: all change little after some twenty
MOST_GROWTH = 10.0  # power of a step's number in its budget: nearly everything goes to the last


@dataclass(frozen=True, slots=True)
class RefinedConstants:
    """Public choices of a run, made without looking at the documents.

    Attributes:
        clip_norm: ``C``, largest norm of a document's word counts and of its contribution, in words. 1.5 to 3 tie.
        word_share: of μ² for word frequencies of a medium-size corpus.
        low_noise: edge ρ at which half of that share is enough: less is needed at less noise.
        noise_where_topics_are_infeasible: edge ``ρ = 2√d/(Nμ)`` at which half of the rest goes to the word frequencies: topics cannot be
            learned there, and the release is the unigram model.
        max_start_noise: a spectral start is bought if its noise edge over the pair average's largest eigenvalue is below this.
        min_start_share: share of a start at α0 ≤ 1, of what word counts leave; it grows as α0.
        max_noisy_start_share: largest such share, at α0 ≥ 2 and where it is unclear.
        tolerable_moment_noise: noise edge of a start's own moments, over what mixing leaves of the third one, that should not be
            passed: topics merge in some draws, of ten topics and more.
        largest_start_share: the same with next to no noise, whose topics are then the better ones on simulated documents.
        low_start_noise: noise edge of the start, over the largest eigenvalue, half way from that to the others.
        n_steps: of refinement; on text 12 to 24 differ by less than 2.5 %, and each takes its time.
        budget_growth_exponent: power of t by which the budget of step t grows. Equal budgets cost 4 % at that setting.
        initial_alpha0_cap: largest α0 in the first half of a run from data-free topics: a flat prior cannot break the symmetry.
        averaging_weight: ``a`` in the weight ``a/(t + a)`` of step t in the running mean: 3 makes weights grow as t².
        misfit_tolerance: relative distance of the two readings from which on moments, not the fixed point, count as wrong.
        max_evidence_share: largest share of μ² for the gain over word frequencies and each topic's part in it.
        prior_only_noise: noise edge over a table's advantage, in 1/nats, up to which steps beside it pay: .15 to .25 on three
            corpora cut to 8 to 64 words a document. With one edge for all, short documents lost up to 4 %.
        prior_test_share: share of μ² for asking whether the documents bear a table out; None chooses it from public numbers.
    """

    clip_norm: float = 2.0
    word_share: float = 0.06
    low_noise: float = 0.002
    noise_where_topics_are_infeasible: float = 0.12
    max_start_noise: float = 0.14
    min_start_share: float = 0.25
    max_noisy_start_share: float = 0.5
    tolerable_moment_noise: float = 0.45
    largest_start_share: float = 0.95
    low_start_noise: float = 0.003
    n_steps: int = 14
    budget_growth_exponent: float = 0.5
    initial_alpha0_cap: float = 0.3
    averaging_weight: float = 3.0
    misfit_tolerance: float = 0.1
    max_evidence_share: float = 0.04
    prior_only_noise: float = 0.18
    prior_test_share: float | None = None

    def __post_init__(self) -> None:
        checks.plain(self)
        for name in (
            "clip_norm",
            "noise_where_topics_are_infeasible",
            "tolerable_moment_noise",
            "low_start_noise",
            "initial_alpha0_cap",
            "averaging_weight",
        ):
            checks.moderate(name, getattr(self, name))
        for name in (
            "word_share",
            "min_start_share",
            "max_noisy_start_share",
            "largest_start_share",
            "max_evidence_share",
        ):
            checks.between(name, getattr(self, name), 0, 1, open_ends=True)
        for name in (
            "max_start_noise",
            "misfit_tolerance",
            "prior_only_noise",
        ):
            checks.between(name, getattr(self, name), 0, checks.LARGEST, open_ends=False)
        checks.between("low_noise", self.low_noise, 0, checks.LARGEST, open_ends=True)
        checks.between(
            "budget_growth_exponent", self.budget_growth_exponent, 0, MOST_GROWTH, open_ends=False
        )
        checks.integer_between("n_steps", self.n_steps, 1, MOST_STEPS)
        if self.prior_test_share is not None:
            checks.between("prior_test_share", self.prior_test_share, 0, 1, open_ends=False)

    def for_words(self, rho: float) -> float:
        """Share of μ² for the word frequencies; tends to 1 as the corpus gets too small for topics."""
        x = (rho / self.noise_where_topics_are_infeasible) ** 2
        return min((self.word_share * rho / (rho + self.low_noise) + x) / (1 + x), MAX_WORD_SHARE)

    def for_gate(self, n_documents: int, mu: float) -> float:
        """Share of μ² for asking whether documents bear a table out, ``4/(Nμ)``; 0 where noise would be the answer.

        A table's mean advantage then has noise of standard deviation ``1/√(Nμ)``, at most .16.
        """
        if self.prior_test_share is not None:
            return self.prior_test_share
        return 4 / (n_documents * mu) if n_documents * mu >= MIN_SIZE_FOR_PRIOR_TEST else 0.0

    def for_evidence(self, n_documents: int, mu: float, *, total_mu: float | None = None) -> float:
        """Share of a run's μ² for evidence.

        Of many documents it is ``25/(Nμ)``, at which a gain has noise of a third of a nat. A continued
        run has topics of its own, and no earlier release knows their gain. So it spends as much μ² on
        evidence as one release at its total would, while that is at most ``MOST_EVIDENCE`` of its own.

        Args:
            mu: of this run alone.
            total_mu: ``μ`` of this run and of all releases that it continues; None if it continues none.
        """
        if total_mu is None:
            return min(self.max_evidence_share, EVIDENCE_SHARE_FACTOR / (n_documents * mu))
        share_of_total = min(
            self.max_evidence_share, EVIDENCE_SHARE_FACTOR / (n_documents * total_mu)
        )
        return min(
            share_of_total * (total_mu / mu) ** 2, max(MOST_EVIDENCE, self.max_evidence_share)
        )

    def least_share(self, alpha0: float) -> float:
        """Least fraction of what word counts leave that a spectral start gets."""
        return min(self.min_start_share * max(1.0, alpha0), self.max_noisy_start_share)

    def start_share(self, q: float, n_topics: int, alpha0: float, *, tilted: bool = False) -> float:
        """Fraction of what word counts leave that a spectral start gets, from the released ``start_noise``; 0 for none.

        A start only has to separate topics, which takes more the more noise and mixing there is: steps make the better
        ones, unless documents mix many topics or there is next to no noise. A table (``tilted``) is a start too.
        """
        if q >= self.max_start_noise * (START_NOISE_FACTOR_WITH_PRIOR if tilted else 1):
            return 0.0
        mixed = (1 + alpha0) * (2 + alpha0) / 2  # a third moment of topics alone is smaller by this
        clear = (
            q * min(n_topics / 10, 10 / n_topics) * mixed / self.tolerable_moment_noise
        ) ** 2  # q has grown with k above 10
        noisy = max(self.least_share(alpha0), min(clear, self.max_noisy_start_share))
        return noisy + (self.largest_start_share - noisy) / (1 + (q / self.low_start_noise) ** 2)

    def shares(self, words: float, start: float, whole: float = 1.0) -> tuple[float, ...]:
        """Fraction of μ² for every step, of what word counts and a spectral start leave of a whole."""
        left = math.nextafter(float(Fraction(whole) - Fraction(words) - Fraction(start)), 0.0)
        parts = [t**self.budget_growth_exponent for t in range(1, self.n_steps + 1)]
        return tuple(left * part / math.fsum(parts) * (1 - 1e-15) for part in parts)


def noise_edge(n_documents: int, n_words: int, mu: float) -> float:
    """``ρ = 2√d/(Nμ)``: the noise edge of a pair average of unit clip level, released with the whole budget."""
    return 2 * math.sqrt(n_words) / (n_documents * mu)


def prior_acceptance_threshold(n_documents: int, mu: float) -> float:
    """Released advantage from which on a table is used, at a noise of ``1/√(Nμ)`` in it."""
    return MIN_PRIOR_ADVANTAGE + PRIOR_ADVANTAGE_STDS / math.sqrt(n_documents * mu)


def check_spending(spent: list[float], mu: float) -> None:
    """Refuses a run whose releases' ``μ``, squared and added up exactly, exceed the whole."""
    if sum(Fraction(part) ** 2 for part in spent) > Fraction(mu) ** 2:
        raise RuntimeError(
            f"releases of μ = {gaussian.compose(spent):g} exceed the budget of {mu:g}"
        )


def guarantee_of_refined(
    corpus: AnyCorpus,
    budget: Budget,
    releases: tuple[Release, ...] = (),
    assumed: str = "",
    *,
    continues: bool = False,
) -> Guarantee:
    """The guarantee of a run, made or to come; ``assumed`` is what it rests on with a table."""
    chosen = (Assumption.CHOSEN_BUT_TOTAL, TOTAL_CHOSEN) if continues else (Assumption.CHOSEN,)
    return state_guarantee(
        corpus,
        releases,
        status=Status.PROVEN,
        rests_on=(Assumption.NEIGHBOURS, *chosen, CONSTANTS_CHOSEN, *filter(None, [assumed])),
        epsilon=budget.epsilon,
        delta=budget.delta,
        gaussian_fit=True,
    )


WITH_TABLE = read("refined", SPECTRAL, {"steps": RefinedConstants().n_steps})
"""One budget over all noised edges; a run without a spectral start skips the optional ones."""
REFINED = replace(
    WITH_TABLE,
    arrows=tuple(arrow for arrow in WITH_TABLE.arrows if arrow.edge != GATE.edge),
    noised=tuple(edge for edge in WITH_TABLE.noised if edge != GATE.edge),
)
"""The same without a table of public knowledge that the documents let in or not."""
UNIGRAM = read("unigram", REFINED)
"""Only the first release of a refinement."""
