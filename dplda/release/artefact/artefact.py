"""A release as a value: the results of a run, its guarantee, and what people added to it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.knowledge import PriorUse
from dplda.privacy.release import Guarantee
from dplda.release.artefact.file_format import VERSION
from dplda.release.artefact.resumable import Resumable, SelectedWords


@dataclass(frozen=True, slots=True)
class NoisyValueFacts:
    """Facts about one noisy value, without the value.

    Attributes:
        quantity: name of the value, in words.
        shape: of the noisy value. A side is 0 where words were selected and none off the public
            list passed: the noise was drawn and paid for all the same.
        mechanism: distribution of its noise, in words.
        sensitivity: L2 distance that one protected unit can move it.
        scale: standard deviation of its noise.
        mu: at least ``sensitivity/scale``.
        times: how many such values were drawn, at least 1.
    """

    quantity: str
    shape: tuple[int, ...]
    mechanism: str
    sensitivity: float
    scale: float
    mu: float
    times: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Findings:
    """Results of a run, topics with evidence first; shared by released files and reports.

    Attributes:
        documents: public name of the documents.
        n_documents: ``N`` of documents, or of persons if they are protected; None if unknown.
        method: title of the method.
        alpha0: ``α0`` of the request.
        n_topics: ``k`` of the request.
        vocabulary: the ``d`` words.
        topics: shape (m, d), rows on the simplex; ``m`` is at most ``k``.
        word_frequencies: ``p``, shape (d,), on the simplex.
        topic_shares: shape (m,), share of all words.
        lower: shape (m, d), lower ends of intervals (``formatting.COVERAGE``); None if the method
            has none, or working them out was cut short.
        upper: shape (m, d), upper ends, likewise.
        told_apart: shape (m,), of older files only, which keep their SHA-256.
        evidence: gain of the topics over word frequencies; None if unknown.
        prior_topics: shape (m, d), topics as a public table has them; None where none is used.
        prior_use: what became of such a table; None without one.
        noisy_values: every noisy value, in order, without the values.
    """

    documents: str
    n_documents: int | None
    method: str
    alpha0: float
    n_topics: int
    vocabulary: tuple[str, ...]
    topics: Matrix
    word_frequencies: Vector
    topic_shares: Vector
    lower: Matrix | None
    upper: Matrix | None
    told_apart: Vector | None = None
    evidence: ReleasedEvidence | None
    prior_topics: Matrix | None = None
    prior_use: PriorUse | None = None
    noisy_values: tuple[NoisyValueFacts, ...]

    @property
    def supported_topics(self) -> tuple[int, ...]:
        """Topics that the documents bear out, or all where it is unknown."""
        if self.evidence is None:
            return tuple(range(len(self.topics)))
        return self.evidence.supported_topics


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Artefact(Findings):
    """A release.

    Attributes:
        n_documents: ``N``, always stated.
        guarantee: as the numbers in the file give it.
        receipt_number: of the charge that paid for it, in hexadecimal; it names the file.
        released_at: when, in UTC, ISO 8601.
        versions: versions of the programs that drew it, by name.
        guarantee_text: the guarantee as stated in the file; readers compute it again from the
            numbers.
        resumable: state that a continuation needs; None in older files and for methods that cannot
            be continued.
        names: of topics, None for one without; added by people and not part of the release.
        groups: topics as their owner shows them (``arrangement``), likewise: rows that are merged
            stand together, rows that are missing are hidden; empty for all topics as released.
        hidden: merged topics among the missing ones, which stay merged.
        seal: keyed hash by the release folder that made it, in hexadecimal (``ledger.file_seal``);
            empty in files of before.
        version: of the file's format; kept, as it is part of the file's SHA-256.
        older_state: state of an older version that this one cannot continue from, as JSON text;
            kept likewise. Empty if there is none.
    """

    n_documents: int
    guarantee: Guarantee
    receipt_number: str
    released_at: str
    versions: Mapping[str, str]
    guarantee_text: str
    resumable: Resumable | None = None
    names: tuple[str | None, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    hidden: tuple[tuple[int, ...], ...] = ()
    seal: str = ""
    version: int = VERSION
    older_state: str = ""

    @property
    def selected_words(self) -> SelectedWords | None:
        """How the words of the release were selected; None if they were not, or it has no state."""
        if self.resumable is None:
            return None
        return self.resumable.selected_words

    @property
    def without_additions(self) -> "Artefact":
        """The release without what people added, and without its seal."""
        return replace(self, names=(), groups=(), hidden=(), seal="")
