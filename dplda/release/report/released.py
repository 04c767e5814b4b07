"""Contents of a report: releases, what follows from them, and what was public before."""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.errors import InputError
from dplda.evaluation.relevance import clean_topic_name, default_names
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
        names: of the topics; None for topics without a name.
        guarantee: of the run.
        color_places: of each topic in the release, from 0; they fix the color.
        as_released: before its owner arranged the topics; None for the run itself.
        arrangement: a sentence on what the owner changed; may be empty.
    """

    names: tuple[str | None, ...]
    guarantee: Guarantee
    color_places: tuple[int, ...]
    as_released: Findings | None = None
    arrangement: str = ""

    @property
    def titles(self) -> tuple[str, ...]:
        """Each topic's name, or the three words that describe it best."""
        described = default_names(
            self.topics, self.word_frequencies, self.vocabulary, self.evidence
        )
        return tuple(name or words for name, words in zip(self.names, described, strict=True))


def report_contents(
    fit: FitResult,
    experiment: Experiment,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int,
    names: Sequence[str | None] = (),
) -> ReportContents:
    """Contents of the report on a run.

    Args:
        fit: result of the run.
        experiment: of the run; its seed is left out because it would allow removing the noise.
        vocabulary: the ``d`` words.
        documents: public name of the documents.
        n_documents: ``N``.
        names: of the topics, in the run's order; None for three relevant words.

    Raises:
        InputError: the run had no noise, or words or names do not fit it.
    """
    findings = findings_of(
        fit,
        experiment.registered_method.title,
        experiment.problem.alpha0,
        vocabulary=vocabulary,
        documents=documents,
        n_documents=n_documents,
    )
    return with_topic_names(fit, findings, names)


def with_topic_names(
    fit: FitResult, findings: Findings, names: Sequence[str | None]
) -> ReportContents:
    """Contents of the report on a run's findings, topics with evidence first.

    Args:
        fit: result of the run.
        findings: of the run, in published order.
        names: of all topics, in the run's order; None, or empty for all of them, stands for three
            relevant words.

    Raises:
        InputError: there are names, but not as many as topics; or one is too long.
    """
    n_topics = len(fit.topics.words)
    if len(names) not in (0, n_topics):
        raise InputError("names", f"of all {n_topics} topics, or none", f"{len(names)}")
    names_in_run_order = [clean_topic_name(topic_name) for topic_name in names] or [None] * n_topics
    return _contents(
        findings,
        names=tuple(names_in_run_order[topic] for topic in order_supported_first(fit)),
        guarantee=fit.guarantee,
        color_places=tuple(range(n_topics)),
    )


def contents_of_release(artefact: Artefact) -> ReportContents:
    """Contents of the report on a stored release, after its owner's arrangement of topics.

    A merged topic has the color of its first part. The contents hold the release before that, too,
    and a description of the arrangement. Topics without a name have None.
    """
    arranged_release = arrange(artefact)
    n_arranged_topics = len(arranged_release.topics)
    first_parts = tuple(group[0] for group in artefact.groups)
    return _contents(
        arranged_release,
        names=arranged_release.names or (None,) * n_arranged_topics,
        guarantee=artefact.guarantee,
        color_places=first_parts or tuple(range(n_arranged_topics)),
        as_released=artefact,
        arrangement=describe_arrangement(artefact),
    )


def _contents(
    findings: Findings,
    *,
    names: tuple[str | None, ...],
    guarantee: Guarantee,
    color_places: tuple[int, ...],
    as_released: Findings | None = None,
    arrangement: str = "",
) -> ReportContents:
    """Build the contents of a report from findings and what is given beside them.

    ``color_places`` numbers the color of each topic; ``as_released`` are the findings before the
    owner's arrangement, which ``arrangement`` describes.
    """
    return ReportContents(
        documents=findings.documents,
        n_documents=findings.n_documents,
        method=findings.method,
        alpha0=findings.alpha0,
        n_topics=findings.n_topics,
        vocabulary=findings.vocabulary,
        topics=findings.topics,
        word_frequencies=findings.word_frequencies,
        topic_shares=findings.topic_shares,
        lower=findings.lower,
        upper=findings.upper,
        evidence=findings.evidence,
        prior_topics=findings.prior_topics,
        prior_use=findings.prior_use,
        noisy_values=findings.noisy_values,
        names=names,
        guarantee=guarantee,
        color_places=color_places,
        as_released=as_released,
        arrangement=arrangement,
    )
