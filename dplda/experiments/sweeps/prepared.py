"""One corpus of a setting, and everything its cells share, made when first needed."""

from dataclasses import replace
from functools import cached_property

from dplda.core.errors import DpldaError
from dplda.core.types import Counts
from dplda.corpus import Corpus
from dplda.evaluation import Halves, halves, hold_out
from dplda.experiments.experiment import fit
from dplda.experiments.sources import numbered_source, read_source
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.spec import Cell, Sweep
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.runtime import Runtime
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache


class PreparedCorpus:
    """Documents of one setting, and everything that does not depend on noise.

    Attributes:
        train: the documents that methods see: all simulated ones, or real ones that are not held
            out.
        test: the held-out documents; None for a simulated corpus, whose truth is known.

    Raises:
        DpldaError: the documents cannot be read or are too few.
    """

    def __init__(self, sweep: Sweep, setting: Setting, index: int) -> None:
        """Read or draw the documents; real ones are divided into seen and held out.

        The division is the same for every method and draw, as its seed is the sweep's.
        """
        self.sweep = sweep
        corpus = read_source(numbered_source(setting.source, index))
        self.train: Corpus = corpus
        self.test: Counts | None = None
        if corpus.truth is None:
            divided_documents = hold_out(corpus, fraction=sweep.held_out, seed=sweep.seed)
            self.train = divided_documents.train
            self.test = divided_documents.test
        self._statistics = StatisticsCache(self.train.counts)
        self._noiseless: dict[tuple[Method, float | None], FitResult | None] = {}

    @cached_property
    def cut(self) -> Halves:
        """Held-out documents, split in two by the sweep's seed."""
        assert self.test is not None
        return halves(self.test, seed=self.sweep.seed)

    def fit(self, cell: Cell, noise: NoNoise | None = None) -> FitResult:
        """The result of a cell on these documents.

        A sweep may hold methods that no registry lists, so it is the cell's own that runs.

        Args:
            cell: one of this setting and corpus.
            noise: a source in place of simulated noise; None for that.

        Raises:
            DpldaError: the method refuses, with the reason.
        """
        experiment = self.sweep.experiment_for(cell)
        runtime = Runtime(noise=noise, statistics=self._statistics)
        return fit(experiment, self.train, runtime, method=cell.method)

    def fit_noiseless(self, cell: Cell) -> FitResult | None:
        """Fit by a cell's method without noise, at the first draw's seed; kept for later cells.

        There is one fit for all ε, unless the method's clipping depends on ε.

        None if it refuses even then.
        """
        method = cell.method
        cache_key = (method, cell.epsilon if method.clipping_depends_on_epsilon else None)
        if cache_key not in self._noiseless:
            try:
                self._noiseless[cache_key] = self.fit(replace(cell, repeat=0), NoNoise())
            except DpldaError:
                self._noiseless[cache_key] = None
        return self._noiseless[cache_key]
