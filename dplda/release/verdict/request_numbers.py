"""Public numbers of a request, the verdict on it, whatever its method, and a person's mixing."""

from dataclasses import dataclass, replace

from dplda.core import checks
from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import Method
from dplda.methods.base.problem import alpha0_of_person
from dplda.release.verdict.signal_strength import (
    TYPICAL_DOCUMENTS,
    TYPICAL_LENGTH,
    PublicNumbers,
)
from dplda.release.verdict.verdict import Readability, ReleaseVerdict, foresee
from dplda.theory.prediction.advice import FAILS, READABLE
from dplda.theory.prediction.expected import UNIGRAM, Answer, expected
from dplda.theory.prediction.regime_axes import Point

REFINED = "refined"
OTHER_METHOD = "This method is predicted to do worse than Refined here."


@dataclass(frozen=True, slots=True)
class ExpectedTexts:
    """An owner's guess about the documents, made without looking at them.

    Attributes:
        mean_length: listed words of a document, at least 1.
        documents_per_person: at least 1; it counts only where persons are protected.
    """

    mean_length: float = TYPICAL_LENGTH
    documents_per_person: float = TYPICAL_DOCUMENTS

    def __post_init__(self) -> None:
        checks.at_least("mean_length", self.mean_length, 1)
        checks.at_least("documents_per_person", self.documents_per_person, 1)

    def alpha0_of_person(self, alpha0: float) -> float:
        """Mixing of topics in all documents of a person: ``problem.alpha0_of_person``.

        Args:
            alpha0: α0 of one document.
        """
        return alpha0_of_person(alpha0, self.documents_per_person)


def numbers_of(
    experiment: Experiment,
    *,
    n_rows: int,
    n_words: int,
    protects_persons: bool,
    texts: ExpectedTexts,
) -> PublicNumbers:
    """Public numbers of a release with these settings.

    A table counts where the method has public knowledge, trusted or not.

    Args:
        experiment: method, problem and budget.
        n_rows: number of documents or persons, whichever is protected.
        n_words: most words that the release may have.
        protects_persons: whether persons are protected.
        texts: the owner's guess about the documents.
    """
    return PublicNumbers(
        n_rows=n_rows,
        n_words=n_words,
        n_topics=experiment.problem.n_topics,
        alpha0=experiment.problem.alpha0,
        epsilon=experiment.budget.epsilon,
        delta=experiment.budget.delta,
        mean_length=texts.mean_length,
        documents_per_row=texts.documents_per_person if protects_persons else 1.0,
        has_table=experiment.method.prior is not None,
    )


def foresee_method(method: Method, numbers: PublicNumbers) -> ReleaseVerdict | None:
    """Foresee the verdict on a release by any method; None for a method that finds no topics.

    *Refined* has a verdict of its own. Another method gets the same, or a worse one if its
    predicted error allows no more, with that as its reason.

    Raises:
        InputError: for another method, there are fewer than 3 rows, 2 topics or 2 words.
    """
    if method.name == UNIGRAM:
        return None
    verdict = foresee(numbers)
    if method.name == REFINED:
        return verdict
    best_readability = _limit_by_error(method, numbers)
    if best_readability.rank < verdict.readability.rank:
        return replace(verdict, readability=best_readability, reason=OTHER_METHOD, outcomes=None)
    return verdict


def _limit_by_error(method: Method, numbers: PublicNumbers) -> Readability:
    """The best readability that a method's predicted error allows.

    ``NOTHING`` if one word list or a refusal is predicted, or an error above ``FAILS``;
    ``READABLE`` for one up to ``advice.READABLE``, or if none is predicted; else ``WEAK``.
    """
    point_of_prediction = Point(
        n_documents=numbers.n_rows,
        n_topics=numbers.n_topics,
        n_words=numbers.n_words,
        alpha0=numbers.alpha0,
        mean_length=round(numbers.mean_length * numbers.documents_per_row),
        epsilon=numbers.epsilon,
        delta=numbers.delta,
    )
    (prediction,) = expected([point_of_prediction], method.key)
    if prediction.answer in (Answer.WORDS, Answer.REFUSED):
        return Readability.NOTHING
    if prediction.answer is Answer.UNKNOWN or prediction.error <= READABLE:
        return Readability.READABLE
    return Readability.WEAK if prediction.error <= FAILS else Readability.NOTHING
