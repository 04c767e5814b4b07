r"""The change of γs by one document, where its smallest gap lies between two rare topics.

Documents of one word each, mixing α₀ → 0: the whitened tensor is diagonal, and topic i with a share
:math:`p_i` of the documents has the eigenvalue :math:`p_i^{-1/2}`. One document moves the share by
1/N, and so the eigenvalue by about :math:`p_i^{-3/2}/(2N)`.
"""

import numpy as np

RARE_SHARES = (0.010, 0.011)  # of two topics, whose eigenvalues are nearest to each other


def gamma_s(numbers: tuple[int, ...]) -> float:
    """A quarter of the smallest gap between eigenvalues, the last one's to 0 included.

    Args:
        numbers: of documents of each topic.
    """
    topic_shares = np.array(numbers) / sum(numbers)
    eigenvalues = np.sort(topic_shares**-0.5)[::-1]
    gaps = eigenvalues - np.append(eigenvalues[1:], 0.0)
    return float(np.min(gaps)) / 4


def rare_collection(n_documents: int) -> tuple[int, int, int]:
    """Numbers of documents of two rare topics and of all the rest."""
    first, second = (round(share * n_documents) for share in RARE_SHARES)
    return first, second, n_documents - first - second


def gamma_s_change(n_documents: int) -> float:
    """Change of γs where a document of the rarest topic becomes one of the second rarest.

    Args:
        n_documents: ``N``, large enough that both topics have other numbers of documents.
    """
    n_first, n_second, n_others = rare_collection(n_documents)
    neighbor_numbers = n_first - 1, n_second + 1, n_others
    return abs(gamma_s(neighbor_numbers) - gamma_s((n_first, n_second, n_others)))
