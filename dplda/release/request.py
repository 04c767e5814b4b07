"""A request for a release, frozen before any noise is drawn, and the receipt of a release."""

import json
from dataclasses import dataclass
from pathlib import Path

from dplda.corpus import Selection
from dplda.experiments.settings import Settings
from dplda.privacy.partition import together
from dplda.privacy.release import Caveat
from dplda.release.released_file import Artefact


@dataclass(frozen=True, slots=True)
class Request:
    """A request, frozen before any noise is drawn.

    Attributes:
        settings: method, number of topics, α0, ε and δ; its seed is ignored.
        selection: how words are selected of every word met and a public list; None for a fixed vocabulary.
        seen: what was seen of these documents before the request; the release states it.
    """

    dataset: str
    title: str
    settings: Settings
    selection: Selection | None = None
    seen: tuple[Caveat, ...] = ()

    @property
    def cost(self) -> tuple[float, float]:
        """ε and δ to charge, of words and topics together."""
        one = self.settings
        if self.selection is None:
            return one.budget.epsilon, one.budget.delta
        return together(self.selection, epsilon=one.budget.epsilon, delta=one.budget.delta, gaussian_fit=True)

    def said(self) -> str:
        """Everything that changes the result, as text; the title does not."""
        one = self.settings
        plan = None if one.plan is None else one.plan.to_json()
        words = () if self.selection is None else (self.selection.said,)
        table = () if one.method.table is None else (one.method.table.kind, one.method.table.digest, one.method.trusted)
        return json.dumps(
            [
                self.dataset,
                one.method.text,
                one.problem.n_topics,
                repr(one.problem.alpha0),
                repr(one.budget.epsilon),
                repr(one.budget.delta),
                plan,
                *words,
                *table,
            ]
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a release; ``left`` is the dataset's remaining ε and δ, rounded down."""

    artefact: Artefact
    path: Path
    charged: bool
    left: tuple[float, float]
