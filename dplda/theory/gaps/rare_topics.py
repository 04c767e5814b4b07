r"""The change of γs by one document, where its smallest gap lies between two rare topics.

Documents of one word each, mixing α₀ → 0: the whitened tensor is diagonal, and topic i with a share
:math:`p_i` of the documents has the eigenvalue :math:`p_i^{-1/2}`. One document moves the share by
1/N, and so the eigenvalue by about :math:`p_i^{-3/2}/(2N)`.
"""

import numpy as np

RARE_SHARES = (0.010, 0.011)  # of two topics, whose eigenvalues are nearest to each other


def gamma_s(numbers: tuple[int, ...]) -> float:
    """A quarter of the smallest gap between tensor eigenvalues, the last one's to 0 included.

    A topic's eigenvalue is ``p^(−1/2)`` of its share p of the documents.

    Args:
        numbers: of documents of each topic, in any order, above 0.
    """
    n_documents = sum(numbers)
    topic_shares = np.array(numbers) / n_documents
    ascending_eigenvalues = np.sort(topic_shares**-0.5)
    eigenvalues = ascending_eigenvalues[::-1]
    gaps = eigenvalues - np.append(eigenvalues[1:], 0.0)
    return float(np.min(gaps)) / 4


def rare_collection(n_documents: int) -> tuple[int, int, int]:
    """Numbers of documents of two rare topics and of all the rest."""
    first_share, second_share = RARE_SHARES
    n_first = round(first_share * n_documents)
    n_second = round(second_share * n_documents)
    return n_first, n_second, n_documents - n_first - n_second


def gamma_s_change(n_documents: int) -> float:
    """Change of γs where a document of the rarest topic becomes one of the second rarest.

    Args:
        n_documents: ``N``, large enough that both topics have other numbers of documents.
    """
    numbers = rare_collection(n_documents)
    n_first, n_second, n_others = numbers
    neighbor_numbers = (n_first - 1, n_second + 1, n_others)
    return abs(gamma_s(neighbor_numbers) - gamma_s(numbers))
