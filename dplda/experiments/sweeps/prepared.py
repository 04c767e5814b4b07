"""One corpus of a setting, and everything its cells share, made when first needed."""

from functools import cached_property

from dplda.core.errors import DpldaError
from dplda.core.types import Counts
from dplda.corpus import Corpus
from dplda.evaluation import Halves, halves, hold_out
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.sources import corpus_of
from dplda.experiments.specs.spec import Sweep, noise_seed
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache


class PreparedCorpus:
    """Documents of one setting, and everything that does not depend on noise.

    Attributes:
        train: the documents that methods see: all simulated ones, or real ones that are not held out.
        test: the held-out documents; None for a simulated corpus, whose truth is known.

    Raises:
        DpldaError: the documents cannot be read or are too few.
    """

    def __init__(self, sweep: Sweep, setting: Setting, index: int) -> None:
        self.sweep, self.setting, self.index = sweep, setting, index
        corpus = corpus_of(setting.source, index)
        self.train: Corpus = corpus
        self.test: Counts | None = None
        if corpus.truth is None:
            parts = hold_out(corpus, fraction=sweep.held_out, seed=sweep.seed)
            self.train, self.test = parts.train, parts.test
        self._sums = StatisticsCache(self.train.counts)
        self._noiseless: dict[tuple[Method, float | None], FitResult | None] = {}

    @cached_property
    def cut(self) -> Halves:
        """Held-out documents, split in two by the sweep's seed."""
        assert self.test is not None
        return halves(self.test, seed=self.sweep.seed)

    def noiseless(self, method: Method, epsilon: float | None) -> FitResult | None:
        """The result of the same method without noise; None if it refuses even then."""
        key = (method, epsilon if method.clipping_depends_on_epsilon else None)
        if key not in self._noiseless:
            try:
                self._noiseless[key] = self.found(method, epsilon, 0, NoNoise())
            except DpldaError:
                self._noiseless[key] = None
        return self._noiseless[key]

    def found(
        self, method: Method, epsilon: float | None, repeat: int, noise: NoNoise | None = None
    ) -> FitResult:
        """The result of one run.

        Raises:
            DpldaError: the method refuses, with the reason.
        """
        setting, split = self.setting, dict(self.sweep.splits).get(method.key, ())
        budget = (
            Budget(split=split)
            if epsilon is None
            else Budget(epsilon, self.sweep.delta_of(setting), split)
        )
        seed = noise_seed(self.sweep, corpus=self.index, repeat=repeat)
        resources = Runtime(seed, noise, statistics=self._sums)
        return method.fit(self.train, Problem(setting.n_topics, setting.alpha0), budget, resources)
