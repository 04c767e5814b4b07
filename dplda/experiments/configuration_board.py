"""The paper's four configurations on the same documents, at the same ε and noise seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from dplda.core.errors import DpldaError, NoFiniteNoise
from dplda.core.types import Matrix, Vector
from dplda.evaluation import topic_error
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.relevance import N_LEADING_WORDS, choose_words
from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import FitResult, Method
from dplda.methods.configurations import Calibration
from dplda.methods.registry import calibrations

PAPER_NAMES = ("config-1", "config-2", "config-3", "config-4")
OURS, RIVAL = "refined", "dp-vi"


class ErrorKind(StrEnum):
    """Origin of an error on the board."""

    MEASURED = "this run"
    TO_NOISELESS = "from the topics without noise"
    PREDICTED = "predicted, not run"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardAnswer:
    """The answer of one method at one ε.

    Attributes:
        words: shape (k, d), topics with the noise of this run; None where the method refused.
        n_found: number of topics above the noise; 0 where every row is the word frequencies.
        leading_words: indices of the ten words that describe each topic above the noise, the best
            first.
        refused_bound: symbol of the private lower bound that failed; empty for none.
        refusal: why there are no topics, in sentences; empty where there are some.
    """

    words: Matrix | None
    n_found: int = 0
    leading_words: tuple[tuple[int, ...], ...] = ()
    refused_bound: str = ""
    refusal: str = ""

    @property
    def has_no_topics(self) -> bool:
        """Whether the method answered with the same word list for every topic."""
        return self.words is not None and self.n_found == 0


def answer_of_fit(result: FitResult) -> BoardAnswer:
    """The answer of a method that found topics, or found that noise hides them all.

    It holds the method's topics either way; leading words are those of topics above the noise.
    """
    topics = result.topics
    return answer_of_topics(
        topics.words,
        topics.mean_words,
        n_found=topics.resolved,
        evidence=result.evidence,
    )


def answer_of_topics(
    words: Matrix,
    word_frequencies: Vector,
    *,
    n_found: int,
    evidence: ReleasedEvidence | None = None,
) -> BoardAnswer:
    """The answer with these topics, and the words that describe them on every page.

    Args:
        words: shape (k, d), the topics.
        word_frequencies: of all documents, shape (d,).
        n_found: number of topics above the noise.
        evidence: released evidence of the topics; None if unknown.
    """
    chosen_words = choose_words(words[:n_found], word_frequencies, evidence)
    leading_words = tuple(
        tuple(chosen_words.of_topic(topic, N_LEADING_WORDS)) for topic in range(n_found)
    )
    return BoardAnswer(words=words, n_found=n_found, leading_words=leading_words)


def answer_of_refusal(error: DpldaError) -> BoardAnswer:
    """The answer of a method that refused."""
    refused_bound = error.quantity if isinstance(error, NoFiniteNoise) else ""
    return BoardAnswer(words=None, refused_bound=refused_bound, refusal=str(error))


def board_methods(form: Calibration, beside: Sequence[str] = ()) -> tuple[Method, ...]:
    """The paper's four configurations, and others beside them.

    Args:
        form: as published or corrected; a method without that form has its only one.
        beside: names of further methods.
    """
    return tuple(_method_in_form(name, form) for name in (*PAPER_NAMES, *beside))


def has_form(method: Method, form: Calibration) -> bool:
    """Whether a method exists in this form."""
    return form in calibrations(method.name)


def _method_in_form(name: str, form: Calibration) -> Method:
    by_calibration = calibrations(name)
    recommended = next(iter(by_calibration.values()))
    return by_calibration.get(form, recommended)


def experiment_of(experiment: Experiment, method: Method) -> Experiment:
    """The same experiment with another method, whose budget has its default split.

    The experiment's own method keeps the split that it has.
    """
    if experiment.method == method.spec:
        return experiment
    budget = replace(experiment.budget, split=())
    return replace(experiment, method=method.spec, budget=budget)


def mean_error(words: Matrix, reference: Matrix | None) -> float | None:
    """Mean L1 distance of matched topics, in [0, 2]; None where they cannot be matched.

    Args:
        words: topics as found, shape (k, d), rows on the simplex.
        reference: topics to compare with, of the same shape; None, or of another one, for none.
    """
    if reference is None or reference.shape != words.shape:
        return None
    return topic_error(reference, words).l1_mean
