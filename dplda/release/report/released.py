"""Contents of a report: releases, what follows from them, and what was public before."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from dplda.core.errors import InputError
from dplda.evaluation.relevance import default_names, named
from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import FitResult
from dplda.privacy.release import Guarantee
from dplda.release.artefact.arrangement import arrange, describe_arrangement
from dplda.release.artefact.artefact import Artefact, Findings
from dplda.release.artefact.findings import findings_of, order_supported_first


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReportContents(Findings):
    """A private run without curator-only values.

    Attributes:
        names: None for topics without a name.
        places: of each topic in the release, from 0; they fix the color.
        as_released: before its owner arranged the topics; None for the run itself.
        arrangement: what the owner changed, as a sentence; may be empty.
    """

    names: tuple[str | None, ...]
    guarantee: Guarantee
    color_places: tuple[int, ...]
    as_released: Findings | None = None
    arrangement: str = ""

    @property
    def titles(self) -> tuple[str, ...]:
        """Each topic's name, or its three most relevant words."""
        default = default_names(self.topics, self.word_frequencies, self.vocabulary)
        return tuple(name or words for name, words in zip(self.names, default, strict=True))


def report_contents(
    found: FitResult,
    settings: Experiment,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int,
    names: Sequence[str | None] = (),
) -> ReportContents:
    """What a report may say about a run.

    Args:
        settings: of the run; its seed is left out because it would allow removing the noise.
        names: of the topics, in the run's order; None for three relevant words.
    """
    title, alpha0 = settings.registered_method.title, settings.problem.alpha0
    run = findings_of(
        found, title, alpha0, vocabulary=vocabulary, documents=documents, n_documents=n_documents
    )
    return with_topic_names(found, run, names)


def with_topic_names(
    found: FitResult, run: Findings, names: Sequence[str | None]
) -> ReportContents:
    """A run's findings under names in its order, topics with evidence first."""
    k = len(found.topics.words)
    if len(names) not in (0, k):
        raise InputError("names", f"of all {k} topics, or none", f"{len(names)}")
    given = [named(name) for name in names] or [None] * k
    return ReportContents(
        **{field.name: getattr(run, field.name) for field in fields(Findings)},
        names=tuple(given[topic] for topic in order_supported_first(found)),
        guarantee=found.guarantee,
        color_places=tuple(range(k)),
    )


def contents_of_release(artefact: Artefact) -> ReportContents:
    """What a report may say about a stored release, as its owner shows it."""
    shown = arrange(artefact)
    return ReportContents(
        **{field.name: getattr(shown, field.name) for field in fields(Findings)},
        names=shown.names or (None,) * len(shown.topics),
        guarantee=artefact.guarantee,
        color_places=tuple(group[0] for group in artefact.groups)
        or tuple(range(len(shown.topics))),
        as_released=artefact,
        arrangement=describe_arrangement(artefact),
    )
