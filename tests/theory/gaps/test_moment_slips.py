"""The slips in expectation, against the printed equations worked out on a drawn collection."""

import math

import numpy as np
import pytest

from dplda import simulate
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.theory.gaps.moment_slips import relative_errors

N_DOCUMENTS, N_WORDS, ALPHA0 = 3_000, 6, 0.5


@pytest.fixture(scope="module")
def corpus():
    return simulate(
        n_documents=N_DOCUMENTS,
        n_words=N_WORDS,
        n_topics=2,
        alpha0=ALPHA0,
        mean_length=60,
        seed=3,
    )


@pytest.fixture(scope="module")
def averages(corpus):
    """Sums over documents of frequencies of words, pairs and triples, by (2) to (4)."""
    S1 = np.zeros(N_WORDS)
    S2 = np.zeros((N_WORDS,) * 2)
    S3 = np.zeros((N_WORDS,) * 3)
    unit = np.eye(N_WORDS)
    for c in corpus.counts.toarray().astype(float):
        length = c.sum()
        S1 += c / length
        S2 += (np.outer(c, c) - np.diag(c)) / (length * (length - 1))
        cubes_of_document = np.einsum("i,ij,ik,il->jkl", c, unit, unit, unit)
        crossed = np.einsum("i,j,ia,ib,jc->abc", c, c, unit, unit, unit)
        crossed = crossed + crossed.transpose(0, 2, 1) + crossed.transpose(2, 0, 1)
        cubes = np.einsum("i,j,k->ijk", c, c, c)
        S3 += (cubes - crossed + 2 * cubes_of_document) / (length * (length - 1) * (length - 2))
    return S1, S2, S3


@pytest.fixture(scope="module")
def found(corpus):
    truth = corpus.truth
    return relative_errors(Population(truth.topics, truth.alpha), n_documents=N_DOCUMENTS)


def right_parts(averages):
    """The terms of a right M₃, diagonal terms of size 1/N left in."""
    S1, S2, S3 = (total / N_DOCUMENTS for total in averages)
    k = Coefficients(ALPHA0)
    B1 = k.b * np.einsum("ij,k->ijk", S2, S1)
    mixed_parts = B1 + B1.transpose(0, 2, 1) + B1.transpose(2, 0, 1)
    return S3, B1, mixed_parts, k.c * np.einsum("i,j,k->ijk", S1, S1, S1)


def relative(slip, averages) -> float:
    S3, _, mixed_parts, last_part = right_parts(averages)
    return float(np.linalg.norm(slip) / np.linalg.norm(S3 + mixed_parts + last_part))


def test_relative_errors_8_is_what_the_printed_permutations_give(averages, found) -> None:
    _, B1, _, _ = right_parts(averages)
    B2 = np.array([[[B1[i, k, j] for k in range(6)] for j in range(6)] for i in range(6)])
    B3 = np.array([[[B1[k, i, j] for k in range(6)] for j in range(6)] for i in range(6)])
    np.testing.assert_allclose(B2, B3, atol=1e-15)
    right = np.array([[[B1[j, k, i] for k in range(6)] for j in range(6)] for i in range(6)])
    assert found["(8)"] == pytest.approx(relative(B3 - right, averages), rel=0.1)


def test_relative_errors_9_is_what_sums_without_an_average_give(averages, found) -> None:
    S1 = averages[0]
    printed = Coefficients(ALPHA0).c * np.einsum("i,j,k->ijk", S1, S1, S1)
    assert found["(9)"] == pytest.approx(relative(printed, averages), rel=0.1)
    assert found["(9)"] > 1e8


def test_relative_errors_7_is_the_factor_alone(averages, found) -> None:
    S3, _, mixed_parts, last_part = right_parts(averages)
    right = S3 + mixed_parts + last_part
    printed = ALPHA0 * (ALPHA0 + 1) * (ALPHA0 + 2) / 2 * right
    assert found["(7)"] == pytest.approx(relative(printed - right, averages), rel=1e-9)


def test_relative_errors_lemma_3_is_its_printed_coefficient(averages, found) -> None:
    _, _, mixed_parts, _ = right_parts(averages)
    printed = mixed_parts / Coefficients(ALPHA0).b * (-1 / (ALPHA0 + 2))
    assert found["Lemma 3"] == pytest.approx(relative(printed - mixed_parts, averages), rel=0.1)


def test_relative_errors_lemma_3_agrees_with_lemma_21_only_at_alpha0_1() -> None:
    topics = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    errors = [
        relative_errors(Population(topics, np.full(2, a0 / 2)), n_documents=100)["Lemma 3"]
        for a0 in (0.5, 1.0, 2.0)
    ]
    assert errors[1] == pytest.approx(0, abs=1e-15)
    assert min(errors[0], errors[2]) > 0.1


def test_relative_errors_right_equations_recover_the_moment(averages, corpus) -> None:
    """What the slips are measured from: the right estimate, within its sampling error."""
    S3, _, mixed_parts, last_part = right_parts(averages)
    truth = corpus.truth
    weights = 2 * truth.alpha / (ALPHA0 * (ALPHA0 + 1) * (ALPHA0 + 2))
    moment = np.einsum("t,ti,tj,tk->ijk", weights, *[truth.topics] * 3)
    error = np.linalg.norm(S3 + mixed_parts + last_part - moment) / np.linalg.norm(moment)
    assert error < 5 / math.sqrt(N_DOCUMENTS)
