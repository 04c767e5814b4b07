"""What a report may say: releases, what follows from them, and what was public before the run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_is_fitted

from dplda._types import Matrix, Vector
from dplda.errors import InputError
from dplda.estimator import FittedTopics
from dplda.explore.names import named
from dplda.explore.relevance import default_names, shares
from dplda.fitting.pipeline import Fit
from dplda.methods import Found
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Release, Status
from dplda.refined.uncertainty import TOLD_APART, Uncertainty
from dplda.release.artefact import Artefact, Drawn
from dplda.settings import Settings
from dplda.spectral.topics import Topics


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Released:
    """A private run without anything that only the curator may see: readable topics first, each kind by share.

    Attributes:
        documents: what they are called.
        n_documents: ``N``; None where it is not said.
        vocabulary: the d words.
        method: in words.
        n_topics: ``k`` that were asked for.
        alpha0: ``α0``.
        words: shape (m, d), the topics found, rows on the simplex.
        mean_words: shape (d,), on the simplex.
        shares: shape (m,), part of all words.
        names: of every topic; None where nobody named it.
        lower: shape (m, d), ends of 90 % intervals; None where the method knows none.
        upper: shape (m, d), likewise.
        told_apart: shape (m,), deviations of noise between topic and unigram; None where the method knows none.
        drawn: every noisy value, in order, without the values.
        guarantee: what holds of them.
    """

    documents: str
    n_documents: int | None
    vocabulary: tuple[str, ...]
    method: str
    n_topics: int
    alpha0: float
    words: Matrix
    mean_words: Vector
    shares: Vector
    names: tuple[str | None, ...]
    lower: Matrix | None
    upper: Matrix | None
    told_apart: Vector | None
    drawn: tuple[Drawn, ...]
    guarantee: Guarantee

    @property
    def readable(self) -> tuple[int, ...]:
        """Topics of which nothing says that their words are those of all documents and noise."""
        known = self.told_apart
        return tuple(i for i in range(len(self.words)) if known is None or known[i] >= TOLD_APART)

    @property
    def titles(self) -> tuple[str, ...]:
        """What each topic is called: its name, or its three most relevant words."""
        default = default_names(self.words, self.mean_words, self.vocabulary)
        return tuple(name or words for name, words in zip(self.names, default, strict=True))


def released(
    found: Found,
    settings: Settings,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int,
    names: Sequence[str | None] = (),
) -> Released:
    """What may be said of a run.

    Args:
        found: by the settings' method.
        settings: of the run; its seed is left out, as noise can be taken off with it.
        vocabulary: the d words.
        documents: what they are called.
        n_documents: ``N``.
        names: of the topics, in the order of the run's; None for three relevant words.

    Raises:
        InputError: a run without noise, or words or names that do not fit.
    """
    return _released(
        found.topics,
        found.uncertainty,
        found.shares,
        found.releases,
        found.guarantee,
        settings.method.title,
        settings.alpha0,
        vocabulary=vocabulary,
        documents=documents,
        n_documents=n_documents,
        names=names,
    )


def released_by(
    model: FittedTopics,
    vocabulary: Sequence[str],
    *,
    documents: str,
    n_documents: int | None,
    names: Sequence[str | None],
) -> Released:
    """The same of a fitted estimator; arguments as for ``dplda.report_html``."""
    check_is_fitted(model, "components_")
    fitted = model.fit_  # every estimator of ours has one
    if isinstance(fitted, Fit):
        topics, method = fitted.topics, "Spectral, " + (fitted.plan.configuration if fitted.plan else "no noise")
    else:
        k = len(model.components_)
        unknown = np.full(k, np.nan)
        topics = Topics(model.components_, model.alpha_, unknown, unknown, k, model.mean_words_)
        method = type(model).__name__
    uncertainty = getattr(fitted, "uncertainty", None)
    parts = uncertainty.shares if uncertainty else shares(topics.words[: topics.resolved], topics.mean_words)
    return _released(
        topics,
        uncertainty,
        parts,
        model.releases_,
        model.guarantee_,
        method,
        model.alpha0,
        vocabulary=vocabulary,
        documents=documents,
        n_documents=n_documents,
        names=names,
    )


def _released(
    topics: Topics,
    uncertainty: Uncertainty | None,
    parts: Vector,
    releases: tuple[Release, ...],
    guarantee: Guarantee,
    method: str,
    alpha0: float,
    *,
    vocabulary: Sequence[str],
    documents: str,
    n_documents: int | None,
    names: Sequence[str | None],
) -> Released:
    k, d = topics.words.shape
    if not releases:
        raise InputError("run", "of a method with noise", "an un-noised one")
    if len(vocabulary) != d:
        raise InputError("vocabulary", f"of {d:,} words", f"{len(vocabulary):,}")
    if len(names) not in (0, k):
        raise InputError("names", f"of all {k} topics, or none", f"{len(names)}")
    found = range(len(parts))  # a method may find fewer than k
    unread = [uncertainty is not None and uncertainty.told_apart[topic] < TOLD_APART for topic in found]
    order = sorted(found, key=lambda topic: (unread[topic], -parts[topic]))
    given = [named(name) for name in names] or [None] * k
    lower, upper = (None, None) if uncertainty is None else uncertainty.ends
    return Released(
        documents=documents,
        n_documents=n_documents,
        vocabulary=tuple(vocabulary),
        method=method,
        n_topics=k,
        alpha0=alpha0,
        words=topics.words[order],
        mean_words=topics.mean_words,
        shares=parts[order],
        names=tuple(given[topic] for topic in order),
        lower=None if lower is None else lower[order],
        upper=None if upper is None else upper[order],
        told_apart=None if uncertainty is None else uncertainty.told_apart[order],
        drawn=tuple(
            Drawn(
                quantity=one.quantity,
                shape=one.shape,
                mechanism=one.mechanism,
                sensitivity=float(one.sensitivity),
                scale=float(one.scale),
                mu=float(one.mu),
                times=1,
            )
            for one in releases
        ),
        guarantee=guarantee,
    )


def released_from(artefact: Artefact) -> Released:
    """What a stored release says."""
    promise = artefact.promise
    return Released(
        documents=artefact.documents,
        n_documents=artefact.n_documents,
        vocabulary=artefact.vocabulary,
        method=artefact.method,
        n_topics=artefact.n_topics,
        alpha0=artefact.alpha0,
        words=artefact.words,
        mean_words=artefact.mean_words,
        shares=artefact.shares,
        names=(None,) * len(artefact.words),
        lower=artefact.lower,
        upper=artefact.upper,
        told_apart=artefact.told_apart,
        drawn=artefact.drawn,
        guarantee=Guarantee(
            mechanism=Status.PROVEN,
            claimed_epsilon=promise.epsilon,
            claimed_delta=promise.delta,
            caveats=(),
            adjacency=Adjacency(promise.protected),
            rests_on=promise.rests_on,
            releasable=True,
        ),
    )
