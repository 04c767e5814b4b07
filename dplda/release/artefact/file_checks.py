"""Checks of a file's parts: sizes, ranges, probabilities, and noise against the guarantee."""

import math
import re
from collections.abc import Iterator

import numpy as np

from dplda.core import checks
from dplda.core.errors import ReadError
from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.privacy.accounting import gaussian
from dplda.release.artefact.artefact import Artefact, NoisyValueFacts
from dplda.release.artefact.file_format import LARGEST_WORD

ROUNDED_SUM = 1e-6  # allowed between a sum of probabilities and 1
ROUNDED_MU = 1e-9  # relative error allowed in μ below sensitivity over scale
_RECEIPT_NUMBER = re.compile("[0-9a-f]{32,64}")  # this and the digest become names of files
_SEAL = re.compile("([0-9a-f]{64})?")
_SHA256 = re.compile("[0-9a-f]{64}")
ASK_OWNER = "Do not trust it. Ask its owner for the original."


def check_artefact(artefact: Artefact, file_name: str) -> None:
    """Refuse a release that is inconsistent, or whose noise is too small for its guarantee.

    Raises:
        ReadError: its groups name topics that it lacks, its parts do not fit each other, its topics
            are not probabilities, or it promises more than its noise keeps.
    """
    if not _has_valid_groups(artefact):
        raise ReadError(
            file_name,
            "arranges topics that it does not have",
            'Remove "groups" from it: its topics are intact.',
        )
    if not _has_fitting_parts(artefact):
        raise ReadError(
            file_name,
            "is not a complete release: its parts do not fit each other",
            "Choose a file that dplda release wrote.",
        )
    if not _holds_probabilities(artefact):
        raise ReadError(file_name, "is not a release: its topics are not probabilities", ASK_OWNER)
    if not _has_enough_noise(artefact):
        raise ReadError(file_name, "promises more than its noise keeps", ASK_OWNER)


def _has_valid_groups(artefact: Artefact) -> bool:
    """Whether every group, hidden ones too, has topics of the release, each in one group alone."""
    n_topics = len(artefact.topics)
    groups = (*artefact.groups, *artefact.hidden)
    topics = [topic for group in groups for topic in group]
    are_topics = all(type(topic) is int and 0 <= topic < n_topics for topic in topics)
    return are_topics and all(groups) and len(set(topics)) == len(topics)


def _has_fitting_parts(artefact: Artefact) -> bool:
    """Whether arrays, words, texts, numbers and public knowledge are those of a release."""
    return (
        _has_fitting_arrays(artefact)
        and _has_valid_words(artefact)
        and _has_valid_texts(artefact)
        and _has_valid_numbers(artefact)
        and _has_fitting_prior(artefact)
    )


def _has_fitting_arrays(artefact: Artefact) -> bool:
    """Whether arrays, topic names and evidence of a release fit each other in shape.

    There are at least two words, and at most k published topics, since a method may find fewer.
    Names are of all published topics or of none, intervals have both ends or neither, and no array
    holds NaN.
    """
    n_published_topics = len(artefact.topic_shares)
    n_words = len(artefact.vocabulary)
    evidence = artefact.evidence
    arrays_with_shapes = [(array, shape) for array, shape in _arrays(artefact) if array is not None]
    return (
        n_words >= 2
        and n_published_topics <= artefact.n_topics
        and len(artefact.names) in (0, n_published_topics)
        and (artefact.lower is None) == (artefact.upper is None)
        and all(array.shape == shape for array, shape in arrays_with_shapes)
        and not any(np.isnan(array).any() for array, _ in arrays_with_shapes)
        and (evidence is None or _fits(evidence, n_published_topics))
    )


def _fits(evidence: ReleasedEvidence, n_published_topics: int) -> bool:
    """Whether evidence has a finite number for each topic, and its comparison, if any, is valid."""
    if evidence.by_topic.shape != (n_published_topics,) or not evidence.is_finite:
        return False
    check = evidence.known_check
    return check is None or _is_valid_check(check, n_published_topics)


def _is_valid_check(check: EvidenceCheck, n_published_topics: int) -> bool:
    """Whether a comparison names topics that there are, once each, and numbers that can be.

    Both numbers are finite and the error is at least 0. Without a significant gain it has to name
    no topic.
    """
    topics: tuple[object, ...] = check.supported_topics
    numbers: tuple[object, ...] = (check.optimism, check.optimism_error)
    return (
        type(check.is_significant) is bool
        and all(type(topic) is int and 0 <= topic < n_published_topics for topic in topics)
        and len(set(topics)) == len(topics)
        and all(isinstance(number, int | float) and math.isfinite(number) for number in numbers)
        and check.optimism_error >= 0
        and (check.is_significant or not topics)
    )


def _arrays(artefact: Artefact) -> Iterator[tuple[Matrix | Vector | None, tuple[int, ...]]]:
    """Yield each array of a release, or None if it lacks it, with the shape that it should have."""
    n_published_topics = len(artefact.topic_shares)
    n_words = len(artefact.vocabulary)
    yield artefact.word_frequencies, (n_words,)
    for array_by_topic in (artefact.topic_shares, artefact.told_apart):
        yield array_by_topic, (n_published_topics,)
    for array_by_topic_and_word in (
        artefact.topics,
        artefact.lower,
        artefact.upper,
        artefact.prior_topics,
    ):
        yield array_by_topic_and_word, (n_published_topics, n_words)


def _has_valid_words(artefact: Artefact) -> bool:
    """Whether all words are strings that are neither empty nor too long."""
    words: tuple[object, ...] = artefact.vocabulary
    return all(isinstance(word, str) and 0 < len(word) <= LARGEST_WORD for word in words)


def _has_valid_texts(artefact: Artefact) -> bool:
    """Whether texts of guarantee, versions and noisy values are strings.

    Receipt number and seal have to have their form too; a seal may be missing, as in older files.
    False if ``versions`` is no dict.
    """
    versions: object = artefact.versions
    if not isinstance(versions, dict):
        return False
    texts: list[object] = [*artefact.guarantee.rests_on, *versions, *versions.values()]
    for noisy_value in artefact.noisy_values:
        texts += [noisy_value.quantity, noisy_value.mechanism]
    return (
        all(isinstance(text, str) for text in texts)
        and _RECEIPT_NUMBER.fullmatch(artefact.receipt_number) is not None
        and _SEAL.fullmatch(artefact.seal) is not None
    )


def _has_valid_numbers(artefact: Artefact) -> bool:
    """Whether α₀, ε and δ are finite numbers, and sides of shapes are whole numbers from 0.

    False, too, if δ is below 0, or is ``checks.TOO_LARGE`` or more.
    """
    guarantee = artefact.guarantee
    numbers: tuple[object, ...] = (artefact.alpha0, guarantee.epsilon, guarantee.delta)
    sides = [side for noisy_value in artefact.noisy_values for side in noisy_value.shape]
    return (
        all(isinstance(number, int | float) and math.isfinite(number) for number in numbers)
        and all(type(side) is int and side >= 0 for side in sides)
        and 0 <= guarantee.delta < checks.TOO_LARGE
    )


def _has_fitting_prior(artefact: Artefact) -> bool:
    """Whether a public table has a digest, and was used where its topics are in the file."""
    prior_use = artefact.prior_use
    if prior_use is None:
        return artefact.prior_topics is None
    is_named = _SHA256.fullmatch(prior_use.digest) is not None
    return is_named and (artefact.prior_topics is None or prior_use.used)


def _holds_probabilities(artefact: Artefact) -> bool:
    """Whether topics, word frequencies, shares and intervals are probabilities, up to rounding.

    All are fractions, upper ends are not below lower ones, and word frequencies, each topic and
    each topic of the public table add up to 1.
    """
    distributions = [artefact.topics, artefact.word_frequencies[None]]
    if artefact.prior_topics is not None:
        distributions.append(artefact.prior_topics)
    arrays_of_fractions = [artefact.topic_shares, *distributions]
    if artefact.lower is not None and artefact.upper is not None:
        arrays_of_fractions += [artefact.lower, artefact.upper, artefact.upper - artefact.lower]
    are_fractions = all(
        np.all((array >= 0) & (array <= 1 + ROUNDED_SUM)) for array in arrays_of_fractions
    )
    sum_to_one = all(
        np.all(np.abs(np.sum(row_vectors, axis=1) - 1) <= ROUNDED_SUM)
        for row_vectors in distributions
    )
    return are_fractions and sum_to_one


def _has_enough_noise(artefact: Artefact) -> bool:
    """Whether the file's noise, all of it Gaussian, suffices for its guarantee.

    False if a noisy value states a smaller μ than its noise gives. That is necessary but not
    sufficient: parts of δ also cover how noise is drawn and words that pass a threshold.
    """
    noisy_values = artefact.noisy_values
    if not all(_states_its_noise(noisy_value) for noisy_value in noisy_values):
        return False
    mu = gaussian.compose(
        [math.sqrt(noisy_value.times) * noisy_value.mu for noisy_value in noisy_values]
    )
    guarantee = artefact.guarantee
    return mu > 0 and gaussian.delta_of(guarantee.epsilon, mu) <= guarantee.delta


def _states_its_noise(value: NoisyValueFacts) -> bool:
    """Whether a noisy value states positive noise, at least one draw, and no too small μ.

    Its μ has to be at least its sensitivity over its scale, up to rounding.
    """
    times: object = value.times
    return (
        isinstance(times, int)
        and times >= 1
        and value.sensitivity > 0
        and value.scale > 0
        and value.mu >= value.sensitivity / value.scale * (1 - ROUNDED_MU)
    )
