"""An experiment in files that repeat it, each written when it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.corpus import Corpus, Simulation
from dplda.experiments import run_card, run_script
from dplda.experiments.settings import CorpusKind, Settings
from dplda.ui.shell import topic_names
from dplda.ui.state import cache, session


@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """An experiment, and what its topics are called."""

    corpus: Corpus
    settings: Settings
    chosen: session.Choice
    names: Callable[[], tuple[str | None, ...]]

    def card(self) -> str:
        """A run card."""
        return run_card.run_card(cache.found_now(self.corpus, self.settings), *self._run())

    def script(self) -> str:
        """Python."""
        return run_script.script(*self._run())

    def _run(self) -> tuple[Settings, Corpus, CorpusKind, Simulation | None, tuple[str | None, ...]]:
        return self.settings, self.corpus, self.chosen.kind, self.chosen.simulation, self.names()


def repeated(corpus: Corpus, settings: Settings) -> Repeated:
    """The files of what the session looks at now."""
    return Repeated(corpus, settings, session.choice(), topic_names.by_row(corpus, settings))
