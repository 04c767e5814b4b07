"""One corpus of a setting on the prepared: everything that its cells share is made once, when first needed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dplda._types import Counts, Matrix, Vector
from dplda.baselines.fit import VariationalFit
from dplda.baselines.private_variational import private_variational
from dplda.baselines.unigram import unigram
from dplda.baselines.variational import variational
from dplda.corpus import Corpus
from dplda.errors import DpldaError
from dplda.evaluation import Halves, halves, hold_out
from dplda.fitting.pipeline import fit, unnoised
from dplda.fitting.sums import Sums
from dplda.methods import DP_VI, UNIGRAM, UNNOISED, VI, Method
from dplda.plan import Plan
from dplda.privacy.noise import NoNoise
from dplda.sweeps.setting import Setting
from dplda.sweeps.sources import corpus_of
from dplda.sweeps.spec import Sweep, noise_seed


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Topics, from whatever method.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), at least 0.
        mean_words: shape (d,), word distribution of the whole corpus, as private as the topics.
        resolved: topics above the noise floor; k where a method has none.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    resolved: int


class PreparedCorpus:
    """Documents of one setting and what does not depend on noise.

    Args:
        sweep: that the setting belongs to.
        setting: whose documents.
        index: of the corpus.

    Attributes:
        train: the documents that methods see: all of a simulated corpus, of another all but those held out.
        test: the documents held out; None for a simulated corpus, whose truth is known.

    Raises:
        DpldaError: documents that cannot be read, or too few of them.
    """

    def __init__(self, sweep: Sweep, setting: Setting, index: int) -> None:
        self.sweep, self.setting, self.index = sweep, setting, index
        corpus = corpus_of(setting.source, index)
        self.train: Corpus = corpus
        self.test: Counts | None = None
        if corpus.truth is None:
            parts = hold_out(corpus, fraction=sweep.held_out, seed=sweep.seed)
            self.train, self.test = parts.train, parts.test
        self._sums = Sums(self.train.counts)
        self._noiseless: dict[tuple[Method, float | None], Found | None] = {}

    @cached_property
    def cut(self) -> Halves:
        """Held-out documents, cut in two by the sweep's seed."""
        assert self.test is not None
        return halves(self.test, seed=self.sweep.seed)

    def found(self, method: Method, epsilon: float | None, repeat: int) -> Found:
        """Topics of one run.

        Raises:
            DpldaError: the method refuses, with the reason.
        """
        return self._run(method, epsilon, noise_seed(self.sweep, corpus=self.index, repeat=repeat), noise=True)

    def noiseless(self, method: Method, epsilon: float | None) -> Found | None:
        """Topics of the same method with its noise switched off; None where it refuses even so.

        Clip levels of the adaptive configuration follow from ε, so its noiseless topics do too; those of variational
        inference are the same for every ε.
        """
        key = (method, None if method.name == DP_VI else epsilon)
        if key not in self._noiseless:
            try:
                seed = noise_seed(self.sweep, corpus=self.index, repeat=0)
                self._noiseless[key] = self._run(method, epsilon, seed, noise=False)
            except DpldaError:
                self._noiseless[key] = None
        return self._noiseless[key]

    def _run(self, method: Method, epsilon: float | None, seed: int, *, noise: bool) -> Found:
        if method.name == UNIGRAM:
            return self._unigram()
        if method.name == VI:
            run = variational(self.train, n_topics=self.setting.n_topics, alpha0=self.setting.alpha0, seed=seed)
            return _of_variational(run)
        if method.name == DP_VI:
            return self._private_variational(method, epsilon, seed, noise=noise)
        return self._spectral(method, epsilon, seed, noise=noise)

    def _spectral(self, method: Method, epsilon: float | None, seed: int, *, noise: bool) -> Found:
        setting, plan = self.setting, None
        if method.name != UNNOISED:
            assert epsilon is not None
            plan = Plan(
                method.name,
                epsilon,
                self.sweep.delta_of(setting),
                split=self.sweep.split_of(method),
                calibration=method.calibration,
            )
        chain = fit if noise else unnoised
        k, alpha0 = setting.n_topics, setting.alpha0
        topics = chain(self.train, plan, n_topics=k, alpha0=alpha0, seed=seed, sums=self._sums).topics
        return Found(topics.words, topics.alpha, topics.mean_words, topics.resolved)

    def _private_variational(self, method: Method, epsilon: float | None, seed: int, *, noise: bool) -> Found:
        assert epsilon is not None
        assert method.calibration is not None
        run = private_variational(
            self.train,
            n_topics=self.setting.n_topics,
            alpha0=self.setting.alpha0,
            epsilon=epsilon,
            delta=self.sweep.delta_of(self.setting),
            calibration=method.calibration,
            seed=seed,
            noise=None if noise else NoNoise(),
        )
        return _of_variational(run)

    def _unigram(self) -> Found:
        k = self.setting.n_topics
        topics = unigram(self.train, k)
        return Found(topics, np.full(k, self.setting.alpha0 / k), topics[0], 0)


def _of_variational(run: VariationalFit) -> Found:
    return Found(run.topics, run.alpha, run.mean_words, len(run.topics))
