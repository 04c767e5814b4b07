"""Every constant of refinement, in one table: its value, what it does, and what it was chosen on.

``RefinedConstants`` holds those that a caller may set; the rest are module constants. The guarantee
holds for any values. ``python -m benchmarks constants`` measures what halving and doubling each of
them costs, and writes the table with these costs to the chapter *Constants of Refined* of the
documentation.

``Chosen on`` says what a value rests on. *The four corpora* are simulated documents (d = 100 and
1,000, k = 3 and 10, N = 20,000 and 100,000, α0 = 0.1 to 10), the docstrings of installed packages,
20 Newsgroups and Wikipedia's leads, at ε = 0.3 to 10, d = 500 and 1,000, k = 10. *The three
corpora* are 20 Newsgroups, Associated Press and Wikipedia's leads. *Not recorded* means that nobody
wrote it down. *Technical* constants change speed, limits or the last digits alone, and are not
measured.
"""

import math
from dataclasses import dataclass

import numpy as np

from dplda.core import checks

_POSITIVE_FIELDS = (
    "clip_norm",
    "noise_where_topics_are_infeasible",
    "tolerable_moment_noise",
    "low_start_noise",
    "initial_alpha0_cap",
    "averaging_weight",
)
_OPEN_SHARE_FIELDS = (
    "word_share",
    "min_start_share",
    "max_noisy_start_share",
    "largest_start_share",
    "max_evidence_share",
)
_NON_NEGATIVE_FIELDS = (
    "max_start_noise",
    "misfit_tolerance",
    "prior_only_noise",
)

MAX_STEPS = 10_000
"""Most steps of a run: all change little after some twenty. Technical."""

MAX_GROWTH_EXPONENT = 10.0
"""Largest growth of budgets: with it nearly everything goes to the last step. Technical."""


@dataclass(frozen=True, slots=True)
class RefinedConstants:
    """Public choices of a run, made without looking at the documents. Shares are fractions of μ².

    Attributes:
        clip_norm: ``C``, largest length of a document's word counts and of its part in a step, in
            words. Chosen on the four corpora: 1.5 to 3 tie.
        word_share: share for word frequencies of a corpus of medium size. Chosen on the four
            corpora.
        low_noise: noise edge ρ at which half of ``word_share`` is enough: less noise needs less of
            it. Chosen on the four corpora.
        noise_where_topics_are_infeasible: noise edge ``ρ = 2√d/(Nμ)`` at which half of the rest
            goes to word frequencies too: topics cannot be learned there. Chosen on the four
            corpora.
        max_start_noise: a spectral start is bought where the noise edge of a pair average, over its
            largest eigenvalue, is below this. Chosen on the four corpora.
        min_start_share: share of a start at α0 ≤ 1, of what word counts leave; it grows as α0.
            Chosen on the four corpora.
        max_noisy_start_share: largest such share while noise blurs the start, at α0 ≥ 2. Chosen on
            the four corpora.
        tolerable_moment_noise: noise edge of a start's third moment, over what mixing leaves of it,
            that should not be passed: topics merge in some draws, of ten topics and more. Chosen on
            simulated documents.
        largest_start_share: share of a start with next to no noise, whose topics are then the
            better ones. Chosen on simulated documents.
        low_start_noise: noise edge of the start, over the largest eigenvalue, half way to
            ``largest_start_share``. Chosen on simulated documents.
        n_steps: variational steps of a run. Chosen on the four corpora: on text 12 to 24 differ by
            less than 2.5 %, and each takes its time.
        budget_growth_exponent: power of t by which the budget of step t grows. Chosen on the four
            corpora and Associated Press: equal budgets cost 4 % when it was chosen.
        initial_alpha0_cap: largest α0 in the first half of a run from topics that are free of data:
            a flat prior cannot break the symmetry. Chosen on the four corpora.
        averaging_weight: ``a`` in the weight ``a/(t + a)`` of step t in the running mean; 3 makes
            weights grow as t². Chosen on the four corpora.
        misfit_tolerance: relative distance of moments and steps from which on the moments count as
            wrong, and not the steps. Chosen on the four corpora.
        max_evidence_share: largest share for the gain over word frequencies and for each topic's
            part in it. Chosen on 20 Newsgroups and documents without topics.
        prior_only_noise: noise of topics relative to their signal, of documents alone, from which
            on a run beside a prior makes no steps; also the noise edge over a prior's advantage
            from which on short documents make none. Chosen on 20 Newsgroups and Wikipedia's leads
            cut to 8 to 32 words a document.
        prior_test_share: share for asking the documents whether a prior fits them; None takes
            ``4/(Nμ)``. Chosen on the three corpora.
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
        """Refuse a constant that is out of its range, by InputError."""
        checks.plain(self)
        for field_name in _POSITIVE_FIELDS:
            checks.moderate(field_name, getattr(self, field_name))
        for field_name in _OPEN_SHARE_FIELDS:
            checks.between(field_name, getattr(self, field_name), 0, 1, open_ends=True)
        for field_name in _NON_NEGATIVE_FIELDS:
            checks.between(
                field_name, getattr(self, field_name), 0, checks.LARGEST, open_ends=False
            )
        checks.between("low_noise", self.low_noise, 0, checks.LARGEST, open_ends=True)
        checks.between(
            "budget_growth_exponent",
            self.budget_growth_exponent,
            0,
            MAX_GROWTH_EXPONENT,
            open_ends=False,
        )
        checks.integer_between("n_steps", self.n_steps, 1, MAX_STEPS)
        if self.prior_test_share is not None:
            checks.between("prior_test_share", self.prior_test_share, 0, 1, open_ends=False)


# Shares of the budget

MAX_WORD_SHARE = 1 - 2e-6
"""Largest share of word counts, of what is for topics; the rest limits how wide the noise of topics
gets. Technical."""

MIN_NEW_WORD_SHARE = 1e-6
"""Share of a continued run below which word counts are not released again. Technical."""

EVIDENCE_SHARE_FACTOR = 25.0
"""Share of evidence times Nμ, where that is below ``max_evidence_share``. A gain then has noise of
a third of a nat. Not recorded."""

MAX_CONTINUED_EVIDENCE_SHARE = 0.2
"""Largest share of evidence in a continued run, whose topics no earlier release knows. Not
recorded."""

PRIOR_TEST_SHARE_FACTOR = 4.0
"""Share of the prior test times Nμ: a prior's mean advantage then has noise of ``1/√(Nμ)`` nats.
Chosen on the three corpora."""

MIN_SIZE_FOR_PRIOR_TEST = 40.0
"""Smallest Nμ at which the documents are asked about a prior: below it noise would answer. Chosen
on the three corpora."""

# Public knowledge

MIN_PRIOR_ADVANTAGE = 0.15
"""Smallest mean advantage of a prior that is accepted, in nats a document, without noise. Chosen on
the three corpora: useful priors gained .2 and more, useless ones .14 and less."""

PRIOR_ADVANTAGE_STDS = 1.5
"""Standard deviations of its noise that an accepted advantage must have besides. Chosen on the
three corpora."""

FULL_LEANING_EXCESS = 0.15
"""Excess of an advantage over ``MIN_PRIOR_ADVANTAGE``, in nats a document of
``LEANING_DOCUMENT_WORDS``, from which on a run leans on a prior as far as noise says. Chosen on 20
Newsgroups of 300 words, and of 16 words a document."""

LEANING_DOCUMENT_WORDS = 15.0
"""Released words of a document that leaning is stated for; nats of shorter and longer ones are
scaled to it. A document of 56 different words has so many. Chosen on 20 Newsgroups of 300 words,
and of 16 words a document."""

EMPTY_TOPIC_SIZE = 0.7
"""Size of a prior's topic, over the mean size, below which documents count as lacking it: a large
topic is split in its place. Chosen on the three corpora and simulated messages."""

EMPTY_TOPIC_STDS = 1.645
"""Standard deviations of its noise that an empty topic's size must be below that besides. Not
tuned."""

MAX_MIXTURE_ROUNDS = 100
"""Most rounds of least squares for a mixture of a prior's topics, a topic. Technical."""

TOPIC_CONTRAST = 0.11
"""Length by which topics differ from word frequencies, over that of a document, in the noise of
topics that ``prior_only_noise`` bounds. Chosen on parts of the three corpora and simulated
newspapers: of runs that have topics with evidence alone, 1 in 20 is beyond the border."""

MAX_PAIR_NOISE = 5.0
"""Noise of word pairs over a prior's advantage from which on documents count as too short for
steps. Their noise edge over it must be above ``prior_only_noise`` too. Noise of pairs is the edge
of their average over its largest eigenvalue. Chosen on 20 Newsgroups and Wikipedia's leads cut to 8
to 32 words a document."""

START_NOISE_FACTOR_WITH_PRIOR = 0.4
"""Factor on ``max_start_noise`` beside a prior that is fully leant on. Its topics are a start
too, so a bought one has to be surer. Not recorded."""

MAX_PRIOR_ADVANTAGE = 1.0
"""Most that a document counts for or against a prior, in nats. Not recorded."""

INITIAL_PRIOR_POWER = 0.7
"""Power of a prior's ratios where documents have said nothing yet. Chosen on the three corpora: .5
to 1 are alike."""

PRIOR_POWER_MIDPOINT = 0.045
"""Noise edge at which the power of a prior's ratios is one half. Chosen on the three corpora: .02
to .045 differ by 1 %."""

MAX_PRIOR_RATIO = 1e6
"""Largest ratio in a prior, and the inverse of the smallest one. Technical."""

SEED_RATIO = 8.0
"""Ratio of a theme's seed words, and the inverse of that of other themes' seed words. Chosen on 20
Newsgroups."""

N_PRIOR_PASSES = 30
"""Passes over a public corpus that a prior is made from. Chosen on Wikipedia's leads for 20
Newsgroups."""

N_PRIOR_STARTS = 8
"""Fits of a public corpus from random topics, of which the best counts. Chosen on Wikipedia's leads
for 20 Newsgroups: worth .5 to 3 %."""

PRIOR_PSEUDOCOUNT = 1.0
"""Words added to both counts of a ratio, so that rare words say little. Chosen on 20 Newsgroups and
Associated Press: .5 to 5 differ by 1.5 %."""

MAX_PART_DOCUMENTS = 10_000
"""Documents of each public corpus in a mixture of several, at most. Technical."""

LOG_RATIO_STEP = 0.05
"""Step of a logarithm in the shipped table. Technical."""

# Spectral start

RANDOM_TOPIC_CONCENTRATION = 10.0
"""Shape of the gamma numbers in topics that are free of data. Not recorded."""

START_VARIANCE_FACTOR = 3.0
"""Factor on a start's known error, as it may miss a topic. Chosen on simulated documents: with 1,
topics were 8 % further from the truth where one in ten was missed."""

# Variational steps

OVER_RELAXATION = (1.3, 2.3, 7.5, 1.5)
"""Factors on the direction of the rounds of inference after the first: as good as 14 plain rounds.
Not recorded."""

MAX_DOCUMENT_LENGTH = 200.0
"""Words of a document in a private step; a longer one counts as one of this length. Not
recorded."""

MIN_TOPIC_SIZE = 0.02
"""Smallest size of a topic, over an equal share of all words: topics that lost their words stay in
play. Not recorded."""

MAX_TOPIC_SIZE = 2.0
"""Largest size of a topic, over all words: clipped parts may add up to more, and noise alone would
make topics large. Not recorded."""

MIN_WORD_WEIGHT = 1e-9
"""Weight of word frequencies in every topic, so that no word has probability 0. Technical."""

MIN_WORD_PROBABILITY = 1e-100
"""Probability in all topics together below which a word counts as unknown to all. Technical."""

MIN_TOPIC_WEIGHT = np.float32(1 / 64)
"""Smallest γ of a topic in a document where rounds overshoot: its weight, 10⁻²⁸, keeps 0/0 out of
them. Technical."""

MIN_TOPIC_SHARE = np.float32(2.0**-40)
"""Smallest share of a topic in a document that is added up: keeps squares from underflow.
Technical."""

# Evidence

BACKGROUND_SHARE = 0.1
"""Share of word frequencies in every topic that is scored, as in completion perplexity. Not
tuned."""

MAX_TOPIC_PART = math.sqrt(5) / 2
"""Largest length of a document's parts by topic, in their unit: topics get half of the noise. Not
tuned."""

N_NULL_RUNS = 40
"""Most runs on documents without topics that evidence is compared with. Not tuned."""

SIGNIFICANCE_LEVEL = 0.99
"""One-sided level of calling a gain significant. Not tuned."""

NULL_TOPIC_LEVEL = 0.95
"""One-sided level at which a topic's part is beyond those of topics that documents lack. Not
tuned."""

MIN_CHANCE = np.float32(2.0**-126)
"""Probability added to that of a word, as rounding can leave 0 or less. Technical."""

# Error bars and null runs

MAX_BOOTSTRAP_DOCUMENTS = 100_000
"""Documents of a bootstrap run; of more, as many with as much less noise. Technical."""

N_BOOTSTRAP_TOPICS = 10
"""Topics of all bootstrap runs together, where documents are few: the errors of few topics vary
much. Not tuned."""

MAX_NULL_DOCUMENTS = 20_000
"""Documents of a run without topics; of more, as many with as much less noise. Technical."""

MIN_NULL_RUNS = 8
"""Fewest runs on documents without topics. Not tuned."""

MIN_NULL_TOPICS = 40
"""Topics of all these runs together, where topics are few: for the part that one has by chance.
Not tuned."""

OPTIMISM_FACTOR = 1.5
"""Optimism of the gain on real documents, over that on documents drawn from released topics. Chosen
on the three corpora, 1,000 to 5,000 documents of each, where it is 1.4."""

OPTIMISM_DOUBT = 0.5
"""Standard deviation of real documents' optimism about its estimate, over the estimate. Chosen on
the three corpora."""

GAIN_SPREAD = 1.5
"""Standard deviation of documents' gains over their mean. Chosen on the three corpora, where it is
1 to 1.8."""

CLIPPING_DOUBT = 0.5
"""Standard deviation of what clipping took from the gain about its estimate, over the estimate.
Chosen on the three corpora: .3 to 1 are alike."""

MAX_CLIPPED_RATIO = 1.0
"""Most that clipping can have taken from the gain, over what it left: beyond that noise would be
multiplied too often. Not tuned."""

OPTIMISM_DOCUMENTS = 4_000
"""Documents of all runs for the optimism together, in whole runs. Not tuned."""

MAX_OPTIMISM_RUNS = 4
"""Most runs for the optimism. Not tuned."""

NULL_TIME_SHARE = 0.85
"""Share of the time of all these runs that those without topics take. Technical."""

# Inference without noise

N_NOISELESS_PASSES = 12
"""Variational passes of the method without noise. Not recorded."""

START_TOPIC_WEIGHT = 0.99
"""Weight of a spectral topic in the start of these passes; the rest is the mean, so no word has
probability 0. Technical."""

# Memory, threads and progress

MAX_BLOCK_CELLS = 1 << 19
"""Numbers in a block's largest array: two megabytes, which stay in the processor's cache.
Technical."""

DOCUMENTS_AT_ONCE = 1 << 15
"""Documents that are read and padded together, where they lie on disk. Technical."""

BLOCKS_AT_ONCE = 16
"""Blocks whose sums are held before they are added up. Technical."""

WIDTH_STEP = 8
"""Documents are padded to a multiple of this number of distinct words. Technical."""

MAX_FINE_WIDTH = 64
"""Distinct words up to which ``WIDTH_STEP`` holds; it doubles with every doubling beyond.
Technical."""

WORD_COUNTS_PROGRESS = 0.05
"""Part of a run's time up to the end of the word counts. Technical."""

START_PROGRESS = 0.4
"""Part of a run's time up to the end of a spectral start. Technical."""

NOISELESS_START_PROGRESS = 0.2
"""Part of the time of the method without noise up to the end of its spectral start. Technical."""

# Streams of random numbers that no document affects

RANDOM_TOPICS_STREAM = 0x66726565
"""Seed of topics that are free of data. Technical."""

SHUFFLED_WORDS_STREAM = 0x73687566
"""Seed of the placebo's order of words in a prior test. Technical."""

SPLIT_TOPICS_STREAM = 0x73706C69
"""Seed of the halves of split topics. Technical."""

BOOTSTRAP_STREAM = 0x66726521
"""Seed of documents that are drawn from released topics. Technical."""
