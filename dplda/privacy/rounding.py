r"""What floating-point arithmetic adds to a sensitivity: bounds on how far computed averages are from exact ones.

Every operation is right up to a factor ``1 + θ``, ``|θ| ≤ u = 2⁻⁵³``. A term that goes through m of them on its way
into a sum comes out right up to :math:`γ_m = mu/(1-mu)`, in whatever order and on however many threads the sum is added
up, with fused operations or without (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and 4.2). So
a computed average is off by at most γ_m times the mean of its documents' parts with *every term taken in absolute
value*, entry by entry, and so in every norm that looks at absolute values alone. Where terms cancel, those parts are
larger than the parts themselves: it is they that the sizes below bound.

A document's weight is rounded too, but as a function of that document and of earlier releases: the exact average that
all this compares with is the one with the weights as they were computed.

Products of matrices count as sums of products (true of every usual BLAS; Strassen's method would need other constants);
numbers so small that they underflow do not occur.
"""

from dplda.core import checks, engine

ONE_BY_ONE = 16  # roundings of single numbers: divisors, weights, N, a sensitivity itself, coordinates under noise
SOLVER = 20.0  # in units of d u


def rounding(*, n_documents: int, size: float, more: int = 0) -> float:
    """How much further two neighbours' computed averages may be apart than the exact ones.

    Args:
        size: bound on the norm of one document's part, every term taken in absolute value; unit of the average.
        more: roundings that a term goes through before documents are added up, or after.

    Returns:
        ``2 γ_m size`` with ``m`` the additions of ``engine.sum_over`` and those roundings, same unit.
    """
    checks.integer_at_least("n_documents", n_documents, 1)
    m = engine.additions(n_documents) + ONE_BY_ONE + more
    return 2 * size * m * engine.UNIT_ROUNDOFF / (1 - m * engine.UNIT_ROUNDOFF)


def eigensolver(*, n_words: int) -> float:
    """How much further apart two pair moments may be whose eigenpairs a direct solver finds; Frobenius norm.

    The eigenpairs found are the exact ones of a matrix that differs from the given one by ``p u ‖M2‖_F``: LAPACK's
    solvers are backward stable. That ``p`` is at most ``10 d`` is an assumption, if a safe one; as much again is for
    the products by which a whitening is made of them. ``‖M2‖_F ≤ 1 + aN/(N − 1)`` is below 2.5.
    """
    checks.integer_at_least("n_words", n_words, 1)
    return 2 * SOLVER * n_words * engine.UNIT_ROUNDOFF * 2.5
