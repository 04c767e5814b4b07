"""Topic shares by group, private: the public function."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dplda.core import checks
from dplda.core.errors import CorpusError, InputError
from dplda.core.types import Matrix, Vector
from dplda.corpus.corpus import Corpus, Label, VocabularySource
from dplda.corpus.counts import AnyCounts, canonical_counts
from dplda.methods.base.guarantees import state_guarantee
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.groups import MAX_AXES, MAX_CELLS, GroupAxis, Groups, labels_met
from dplda.methods.shares.share_result import TopicShares
from dplda.methods.shares.share_table import SHARES, GroupedDocuments, sum_shares
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency, Assumption
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.release import Caveat, Guarantee, Release, Status

if TYPE_CHECKING:
    from typing import Protocol

    class TopicModel(Protocol):
        """A fitted model: an estimator, or a released file that was opened."""

        components_: Matrix
        alpha_: Vector
        guarantee_: Guarantee


GROUPS_SENTENCE = (
    "The list of groups was chosen without looking at the documents. Documents of any other group,"
    " or of none, are in the row ‘other’, and no row is left out."
)
TOPICS_SENTENCE = (
    "The topics were released before, and their own ε is not part of this one: squares of μ add up."
)


def topic_shares(
    model: "TopicModel",
    corpus: Corpus | AnyCounts,
    groups: ArrayLike,
    public_groups: Groups | Sequence[str] | None = None,
    *,
    epsilon: float,
    delta: float = 1e-7,
    is_ordered: bool = False,
    random_state: int = 0,
) -> TopicShares:
    """Topic shares by group, with differential privacy: who talks about what.

    Every document is given topic shares by the model's topics. They are summed by group, and the
    table gets Gaussian noise of √2/μ on every cell, however many groups there are. Sizes of groups
    come out of the same table.

    Args:
        model: a fitted estimator, or a released file that was opened; its topics are used as they
            are, so they must not be of these documents without noise.
        corpus: documents over the words of the model, or their counts, (N, d). Documents, not
            persons: where the model's guarantee protects persons, the corpus has to say whose each
            document is, and the table protects persons, too.
        groups: the label of each document, (N,), or two labels each, (N, 2).
        public_groups: the groups that the table has, chosen without looking at the documents; any
            other label counts as ``other``. None takes them from ``groups``: *not private*.
        epsilon: ε of the table alone, above 0.
        delta: δ of the table alone, in (0, 0.5).
        is_ordered: whether a list in ``public_groups`` is in the order of time, so that neighbors
            are alike. ``Groups`` say so themselves.
        random_state: seed of the simulated noise, unless the corpus is sensitive.

    Raises:
        InputError: a parameter is out of range, or there are more than 10,000 cells.
        CorpusError: the documents have other words, or no persons where these are protected.

    Guarantee:
        (ε, δ)-differentially private given the topics, by the theorem of ``share_table``. The noise
        is simulated, as in every estimator: for exploring. A release draws exact noise.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> districts = ["north", "south"] * 1000
        >>> by_district = dplda.topic_shares(
        ...     model, corpus, districts, ["north", "south"], epsilon=1.0
        ... )
        >>> by_district.groups
        ('north', 'south', 'other')
        >>> by_district.shares.shape
        (3, 2)
    """
    checks.epsilon(epsilon)
    checks.delta(delta)
    checks.flag("is_ordered", is_ordered)
    checks.integer_at_least("random_state", random_state, 0)
    _check_model(model)
    documents = _as_corpus(corpus)
    n_topics, n_words = model.components_.shape
    if documents.n_words != n_words:
        size_problem = f"The documents have {documents.n_words:,} words, and the topics {n_words:,}"
        raise CorpusError(size_problem, "Read the documents over the model's words.")
    labels = _labels_by_axis(groups, documents.n_documents)
    listed_groups = _listed_groups(public_groups, labels, is_ordered=is_ordered)
    listed_groups.check_cells(n_topics)
    protects_persons = model.guarantee_.adjacency is Adjacency.REPLACE_PERSON
    if protects_persons and documents.persons is None:
        raise CorpusError(
            "The topics protect persons, and nothing says whose each document is",
            "Give a corpus of documents that was read with a column of persons.",
        )
    grouped_documents = GroupedDocuments(
        infer_document_topics(documents.counts, model.components_, model.alpha_),
        listed_groups.rows_of(labels),
        listed_groups.n_rows,
        documents.persons if protects_persons else None,
    )
    return add_noise(
        sum_shares(grouped_documents, is_exact=False),
        listed_groups,
        documents,
        Runtime(random_state),
        epsilon=epsilon,
        delta=delta,
        has_public_groups=public_groups is not None,
        topics_guarantee=model.guarantee_,
    )


def add_noise(
    table: BoundedSum[Matrix],
    groups: Groups,
    documents: Corpus,
    runtime: Runtime,
    *,
    epsilon: float,
    delta: float,
    has_public_groups: bool,
    topics_guarantee: Guarantee,
) -> TopicShares:
    """Add simulated noise to a table of shares, and draw the tables that it then leaves possible.

    Args:
        table: shares of the documents summed by group, (G, k), with their sensitivity.
        groups: rows of the table.
        documents: the corpus; its label and digest decide the key of the noise.
        runtime: seed, secret and source of the noise.
        epsilon: ε of the table alone, above 0.
        delta: δ of the table alone, in (0, 0.5).
        has_public_groups: whether the list of groups was chosen without looking at the documents.
        topics_guarantee: of the topics that the shares are of; persons are protected if it does.
    """
    choices = (repr(epsilon), repr(delta), *groups.labels)
    key = runtime.make_noise_key(documents, method=("topic shares",), choices=choices)
    mechanisms = runtime.open_mechanisms(key)
    noisy_table = mechanisms.release_sum(SHARES, table, mu=gaussian.mu_for(epsilon, delta))
    release = mechanisms.releases[0]
    guarantee = _state_guarantee(
        documents,
        release,
        epsilon=epsilon,
        delta=delta,
        protects_persons=topics_guarantee.adjacency is Adjacency.REPLACE_PERSON,
        has_public_groups=has_public_groups,
    )
    return TopicShares.from_table(
        noisy_table,
        release.scale,
        groups,
        guarantee,
        topics_guarantee=topics_guarantee,
        release=release,
    )


def _check_model(model: object) -> None:
    """Refuse a model that has no topics.

    Raises:
        InputError: it is not fitted, or none at all.
    """
    if isinstance(model, type) or not hasattr(model, "components_"):
        problem = f"a value of type {type(model).__name__}"
        raise InputError("model", "a fitted estimator, or a released file that was opened", problem)


def _as_corpus(corpus: Corpus | AnyCounts) -> Corpus:
    """Documents as a corpus; a matrix of counts is marked public.

    Raises:
        CorpusError: the rows are persons, whose documents may be of many groups, or the matrix
            holds something other than counts.
    """
    if not isinstance(corpus, Corpus):
        return Corpus.from_counts(canonical_counts(corpus), label=Label.PUBLIC, name="matrix")
    if corpus.of_persons:
        raise CorpusError(
            "These rows are persons, whose documents may be of many groups",
            "Give the corpus of documents.",
        )
    return corpus


def _labels_by_axis(groups: ArrayLike, n_documents: int) -> list[Sequence[object]]:
    """Split the documents' labels into one sequence of N labels for each axis.

    Raises:
        InputError: there are not N labels, or more than two a document.
    """
    if isinstance(groups, Sequence) and len(groups) != n_documents:  # may be longer than memory
        raise InputError(
            "groups", f"one label for each of {n_documents:,} documents", f"{len(groups):,}"
        )
    labels = np.asarray(groups, dtype=object)
    if labels.ndim not in (1, 2) or len(labels) != n_documents:
        given_shape = f"an array of shape {labels.shape}"
        raise InputError("groups", f"one label for each of {n_documents:,} documents", given_shape)
    if labels.ndim == 1:
        return [labels.tolist()]
    if not 1 <= labels.shape[1] <= MAX_AXES:
        raise InputError("groups", "one or two labels a document", f"{labels.shape[1]}")
    return [labels[:, axis].tolist() for axis in range(labels.shape[1])]


def _listed_groups(
    public_groups: Groups | Sequence[str] | None,
    labels: list[Sequence[object]],
    *,
    is_ordered: bool,
) -> Groups:
    """Make the groups of the table: a public list, or, without one, the documents' labels.

    Args:
        public_groups: ``Groups``, the names on the only axis, or None.
        labels: each document's label, one list per axis.
        is_ordered: whether the last axis has an order; ``Groups`` say it for themselves.

    Raises:
        InputError: the list is no list of names, has more than ``MAX_CELLS`` names or some that
            ``GroupAxis`` refuses, is still to be chosen, or its axes are not as many as those of
            labels.
    """
    if isinstance(public_groups, Groups):
        if public_groups.selected_axis is not None:
            hint = "Only a release chooses groups by size: dplda shares --select-groups."
            raise InputError("public_groups", "public lists", "groups to be chosen by size", hint)
        listed_groups = public_groups
    elif public_groups is None:
        axes_from_labels = [GroupAxis(labels_met(axis_labels)) for axis_labels in labels]
        axes_from_labels[-1] = replace(axes_from_labels[-1], is_ordered=is_ordered)
        listed_groups = Groups(tuple(axes_from_labels))
    else:
        is_flat_list = (
            isinstance(public_groups, Iterable) and getattr(public_groups, "ndim", 1) == 1
        )
        if isinstance(public_groups, str) or not is_flat_list:
            given_type = f"a value of type {type(public_groups).__name__}"
            raise InputError("public_groups", "a list of names", given_type)
        names = tuple(islice(public_groups, MAX_CELLS + 1))  # a list may have no end
        if len(names) > MAX_CELLS:
            raise InputError("public_groups", f"at most {MAX_CELLS:,} names", "more")
        listed_groups = Groups((GroupAxis(names, is_ordered=is_ordered),))
    if len(listed_groups.axes) != len(labels):
        raise InputError(
            "public_groups",
            f"lists for {len(labels)} label(s) a document",
            f"{len(listed_groups.axes)}",
            "Give Groups with an axis for each.",
        )
    return listed_groups


def _state_guarantee(
    documents: Corpus,
    release: Release,
    *,
    epsilon: float,
    delta: float,
    protects_persons: bool,
    has_public_groups: bool,
) -> Guarantee:
    """State the guarantee of a table, with the caveats of its noise, words and groups.

    A private selection of words is not counted again: the topics' guarantee pays for it. For
    persons, neighbors differ in all documents of one person. Groups that were taken from the
    documents are a caveat, and the table is not releasable.
    """
    if documents.selection is not None:  # paid for, with the topics
        documents = replace(
            documents, selection=None, vocabulary_source=VocabularySource.FIXED, origin=None
        )
    guarantee = state_guarantee(
        documents,
        (release,),
        status=Status.PROVEN,
        rests_on=(Assumption.NEIGHBOURS, GROUPS_SENTENCE, TOPICS_SENTENCE),
        epsilon=epsilon,
        delta=delta,
        gaussian_fit=True,
    )
    if protects_persons:
        person_sentence = Assumption.NEIGHBOURS.sentence_for("person", selected=False)
        guarantee = replace(
            guarantee,
            adjacency=Adjacency.REPLACE_PERSON,
            rests_on=(person_sentence, *guarantee.rests_on[1:]),
        )
    if not has_public_groups:
        caveats = (Caveat.GROUPS, *guarantee.caveats)
        guarantee = replace(guarantee, caveats=caveats, releasable=False)
    return guarantee
