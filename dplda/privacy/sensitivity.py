r"""L2 sensitivities of released quantities, for replace-one adjacency and public N.

Each docstring carries its proof. One fact serves all averages of non-negative contributions: if
``A`` and ``B`` are entrywise non-negative with norm at most ``C``, then
:math:`\|A-B\|^2 = \|A\|^2+\|B\|^2-2⟨A,B⟩ \le 2C^2`, not :math:`4C^2`.

``n_documents`` is ``N`` (checked by ``rounding``) and ``n_words`` is ``d``, both public; ``a``,
``b`` and ``c`` are :math:`α_0/(α_0+1)`, :math:`-α_0/(α_0+2)` and :math:`2α_0^2/((α_0+1)(α_0+2))`.
Formulas hold for exact averages; ``rounding`` adds the error of computed ones, and each proof
bounds a document's part with every term in absolute value. Sums of whole numbers are exact and
carry their own sensitivity (``noise.fixed_point``); nothing here is added to it.

Every operation is right up to a factor ``1 + θ``, ``|θ| ≤ u = 2⁻⁵³``. A term that goes through m of
them is right up to :math:`γ_m = mu/(1-mu)`, in any order, on any number of threads, with fused
operations or without (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and
4.2). So a computed average is off by at most γ_m times the mean of its documents' parts with *every
term taken in absolute value*, entry by entry, hence in every norm that depends on absolute values
alone. Where terms cancel these are larger than the parts themselves; the sizes below bound them.

A document's weight is rounded too, but as a function of that document and of earlier releases: the
exact average meant here has the computed weights. Products of matrices count as sums of products
(true of every usual BLAS; Strassen's method would need other constants); numbers small enough to
underflow do not occur.
"""

import math

from dplda.core import checks, engine

# Roundings of single numbers: divisors, weights, N, a sensitivity itself, coordinates under noise.
ONE_BY_ONE = 16
SOLVER = 20.0  # in units of d u


def rounding(*, n_documents: int, part_norm: float, more_roundings: int = 0) -> float:
    """Bound on how much rounding adds to the distance of two neighbors' averages.

    It is ``2 γ_m part_norm``, in the same unit.

    Args:
        n_documents: ``N``, public.
        part_norm: bound on the norm of one document's part, every term taken in absolute value;
            unit of the average.
        more_roundings: roundings of a term before or after documents are added up; with
            ``engine.sum_over``'s additions this is ``m``.

    Raises:
        InputError: N is below 1.
    """
    checks.integer_at_least("n_documents", n_documents, 1)
    m = engine.additions(n_documents) + ONE_BY_ONE + more_roundings
    unit_roundoff = engine.UNIT_ROUNDOFF
    return 2 * part_norm * m * unit_roundoff / (1 - m * unit_roundoff)


def eigensolver(*, n_words: int) -> float:
    """Distance that a direct eigensolver adds between two neighbors' pair moments; Frobenius norm.

    LAPACK's solvers are backward stable: the eigenpairs found are exact for a matrix within
    ``p u ‖M2‖_F``. That ``p`` is at most ``10 d`` is an assumption, if a safe one; as much again is
    for the products that make a whitening. ``‖M2‖_F ≤ 1 + aN/(N − 1)`` is below 2.5.

    Raises:
        InputError: d is below 1.
    """
    checks.integer_at_least("n_words", n_words, 1)
    return 2 * SOLVER * n_words * engine.UNIT_ROUNDOFF * 2.5


def count(*, n_queries: int = 1) -> float:
    """L2 sensitivity of ``n_queries`` adaptively asked counts.

    One document moves each by at most one.

    Raises:
        InputError: there is no query.
    """
    checks.integer_at_least("n_queries", n_queries, 1)
    return math.sqrt(n_queries)


def word_weights(*, ranked: bool) -> float:
    """L2 sensitivity of sums of rows' word weights: ``√2``, or 2 for two kinds.

    A row's weights of one kind are non-negative and of length at most 1. Replacing a row by one
    without a word in common attains it.
    """
    if ranked:
        return 2.0
    return math.sqrt(2) * (1 + 2**-52)


def word_counts(*, n_documents: int, n_words: int, clip_norm: float, n_topics: int = 1) -> float:
    """L2 sensitivity of a computed sum of documents' word counts.

    ``√2·C``, attained, plus rounding. The sum may be divided over k topics.

    Raises:
        InputError: N is below 1.

    Guarantee:
        Replacing a document replaces one part, and non-negative parts of norm at most C are at most
        √2·C apart, attained by documents that share no word. A term goes through at most N
        additions, and fewer than d + k roundings while its document is scaled down to C; ``N``
        parts are rounded.
    """
    n_roundings = n_documents + n_words + n_topics
    slack_of_mean = rounding(
        n_documents=n_documents, part_norm=clip_norm, more_roundings=n_roundings
    )
    slack = n_documents * slack_of_mean
    return math.sqrt(2) * clip_norm + slack


def bounded_numbers(
    *, n_documents: int, vector_norm: float, vector_distance: float, more_roundings: int = 0
) -> float:
    """L2 sensitivity of a computed sum of one vector a document: ``vector_distance`` plus rounding.

    Args:
        n_documents: ``N``, public.
        vector_norm: bound on the norm of a vector.
        vector_distance: bound on the L2 distance of two vectors, same unit.
        more_roundings: roundings of a number before documents are added up.

    Raises:
        InputError: N is below 1.
    """
    n_roundings = n_documents + more_roundings
    slack = rounding(n_documents=n_documents, part_norm=vector_norm, more_roundings=n_roundings)
    return vector_distance + n_documents * slack


def mass(*, n_documents: int) -> float:
    """Sensitivity of the mean of document weights in [0, 1]: ``1/N`` plus rounding.

    An empty document attains it.

    Raises:
        InputError: N is below 1.
    """
    slack = rounding(n_documents=n_documents, part_norm=1.0)
    return slack + 1 / n_documents


def word_average(*, n_documents: int, clip: float) -> float:
    r"""Sensitivity of the average of weighted word frequencies, in the Euclidean norm.

    Returns:
        :math:`\sqrt2\,C_1/N` with :math:`C_1 = \sqrt{\sqrt2\,C_2}`, for documents with
        ``w‖f2‖_θ ≤ C2 = clip`` at the same weight ``w ≤ 1``, in (0, 1/√2]. Unclipped, ``C2 = 1/√2``
        gives √2/N, attained by replacing "u u u" with "v v v". Plus rounding.

    Raises:
        InputError: N is below 1, or the clip level is not above 0.

    Guarantee:
        Contributions are entrywise non-negative (module docstring), and of norm at most ``C1``:
        :math:`\|f_1\|^2 \le \sqrt2\,\|f_2\|_θ`, so
        :math:`w\|f_1\| \le \sqrt w\,\sqrt{\sqrt2\,w\|f_2\|_θ} \le C_1`.

        Proof: with ``x = 1/l``, ``p = c x`` and :math:`P_j = \sum p_i^j`, the claim
            :math:`\|f_1\|^4 (1-x)^2 \le 2 \|f_2\|_θ^2 (1-x)^2` is
            :math:`P_2^2(1-x)^2 \le 2P_2^2-P_4-2xP_3+x^2P_2`, that is :math:`A - 2Bx + Dx^2 \ge 0`
            with :math:`A = P_2^2-P_4 = \sum_{i\neq j} p_i^2p_j^2`,
            :math:`2B = 2(P_3-P_2^2) = \sum_{i\neq j} p_ip_j(p_i-p_j)^2` (as :math:`P_1 = 1`) and
            :math:`D = P_2-P_2^2 \ge 0`. A word that occurs has ``p ≥ x``, so
            :math:`p_ip_j \ge x\max(p_i,p_j) \ge x(p_i-p_j)^2`, and no term of ``A − 2Bx`` is
            negative. Equality for one repeated word.
    """
    checks.positive("clip", clip)
    word_norm = min(1.0, math.sqrt(math.sqrt(2) * clip))  # C₁
    slack = rounding(n_documents=n_documents, part_norm=word_norm)
    return slack + math.sqrt(2) * word_norm / n_documents


def pair_average(*, n_documents: int, clip: float) -> float:
    r"""Sensitivity of the average of weighted pair frequencies, a histogram of unordered pairs.

    Returns:
        :math:`2\,C_2/N` for documents with ``w‖f2‖_θ ≤ C2 = clip``, in (0, 1/√2]; Euclidean norm of
        the histogram ``q`` (``E_ii = q_ii``, ``E_ij = q_ij/2``). Unclipped, ``C2 = 1/√2`` gives
        √2/N, attained by replacing "u u u" with "v v v". Plus rounding.

    Raises:
        InputError: N is below 1, or the clip level is not above 0.

    Guarantee:
        :math:`\|q\|_2 = \sqrt2\,\|f_2\|_θ \le \sqrt2\,C_2`; histograms are non-negative, so they
        differ by at most :math:`\sqrt2·\sqrt2\,C_2`. For rounding, :math:`cc^⊤` and
        :math:`\mathrm{diag}\,c` in absolute value have a histogram of norm at most
        :math:`\sqrt2·\sqrt2\,\|c\|^2` (as counts are whole), over ``l(l−1)`` at most
        :math:`3\|f_1\|^2 \le 3\sqrt2\,\|f_2\|_θ` by the proof of ``word_average``.
    """
    checks.positive("clip", clip)
    slack = rounding(n_documents=n_documents, part_norm=3 * math.sqrt(2) * clip)
    return slack + 2 * clip / n_documents


def triple_histogram(*, n_documents: int, n_words: int) -> float:
    r"""Sensitivity of the average of triple frequencies: √2/N, attained, plus rounding.

    The average is a histogram over unordered triples.

    Raises:
        InputError: N is below 1.

    Guarantee:
        The histogram of a document is a probability vector (module docstring with ``C = 1``).

        Its view through a whitening ``W`` is computed, off by a tensor ``e``: the exact view of a
        histogram off by some ``q``, since ``e = G(W, W, W)`` for :math:`G = e(W^†, W^†, W^†)`. A
        cell holds at most 6 entries, so :math:`\|q\|_2 \le \sqrt6\,\|G\|_F`. The columns of ``W``
        are orthogonal, of lengths ``D_a``; :math:`\|G\|_F` is the norm of ``e`` in units of those,
        where the computation is that for an orthonormal :math:`WD^{-1}`, whose rows are no longer
        than 1. In absolute value its :math:`S^{⊗3}, s_3(Q, S)` and ``2K``, over ``l(l−1)(l−2)``,
        are at most ``l³ + 3l² + 2l`` over that: 10 at ``l = 3``, less for longer documents. 25 is
        :math:`10\sqrt6` and two percent for columns orthogonal up to rounding only. ``S`` enters
        three times, each a sum over at most d words, or once beside another such sum.
    """
    slack = rounding(n_documents=n_documents, part_norm=25.0, more_roundings=3 * n_words)
    return slack + math.sqrt(2) / n_documents


def histogram_l1(*, n_documents: int) -> float:
    """L1 sensitivity of an average of probability histograms of words or pairs.

    ``2/N``, attained, plus rounding. A document's terms, pairs added and taken off again, sum to
    ``(l² + l)/(l(l−1)) ≤ 2`` in absolute value.

    Raises:
        InputError: N is below 1.
    """
    slack = rounding(n_documents=n_documents, part_norm=2.0)
    return slack + 2 / n_documents


def triple_histogram_l1(*, n_documents: int, n_words: int, spread: float) -> float:
    r"""L1 sensitivity of the average of triple frequencies: ``2/N``, attained, plus rounding.

    The average is a histogram over unordered triples. ``spread`` is ``h``, the largest row sum of
    :math:`|W|\,|P|` for some ``P`` with :math:`PW = 1`, ``W`` being the whitening.

    Raises:
        InputError: N is below 1, or ``spread`` is not above 0.

    Guarantee:
        As for ``triple_histogram``, but the entries of :math:`G = e(P, P, P)` are added up: with
        :math:`v = |P|\mathbf 1` to at most :math:`|e|(v, v, v)`, and every token adds at most ``h``
        to :math:`⟨|S|, v⟩`: ``10 h³``, whatever the columns' angles. 11 leaves room for the
        rounding of ``h``.
    """
    checks.positive("spread", spread)
    part_norm = 11 * math.pow(spread, 3)
    slack = rounding(n_documents=n_documents, part_norm=part_norm, more_roundings=3 * n_words)
    return slack + 2 / n_documents


def pair_moment_eigenvalue(*, n_documents: int, n_words: int, a: float) -> float:
    r"""Sensitivity of every eigenvalue of :math:`\hat M_2`.

    It is a bound on the operator norm of the moment's change.

    Returns:
        :math:`\frac{(1+a)+\sqrt{2(1+a^2)}}{2N}`, at most 2/N, plus the error of the computed moment
        and the solver.

    Raises:
        InputError: ``a`` is not in [0, 1], or N or d is below 1.

    Guarantee:
        Weyl's inequality; the norm was bounded at the vertices on a grid of ``a``, both sides being
        convex in ``a``; a factor 1.0001 covers the slack between grid points.
    """
    checks.between("a", a, 0, 1, open_ends=False)
    slack = _pair_moment_rounding(n_documents)
    largest_change = (1 + a) + math.sqrt(2 * (1 + a**2))  # in units of 1/(2N)
    moment_change = 1.0001 * largest_change / (2 * n_documents)
    return slack + moment_change + eigensolver(n_words=n_words)


def largest_frequency(*, n_documents: int) -> float:
    """Sensitivity of the largest entry of an average of frequencies: ``1/N`` plus rounding.

    No entry moves by more. In absolute value a document adds at most ``(l² + l)/(l(l−1)) ≤ 2`` to
    an entry.

    Raises:
        InputError: N is below 1.
    """
    slack = rounding(n_documents=n_documents, part_norm=2.0)
    return slack + 1 / n_documents


def aligned_tensor(
    *,
    third: float,
    pair: float,
    eigenvalue: float,
    gap: float,
    pair_operator: float,
    unfolding: float,
) -> float:
    r"""Sensitivity of the whitened tensor seen in a private frame (Theorem 5′).

    Args:
        third, pair: :math:`Δ_{3,F}`, and :math:`Δ_{2,F}` plus ``eigensolver``'s part where
            eigenpairs are computed.
        eigenvalue, gap: :math:`λ_k` and :math:`λ_k - λ_{k+1}`, or lower bounds on them.
        pair_operator: ``e``, bound on the operator norm of the change of ``M2``.
        unfolding: ``B3``, bound on the operator norm of the d×d² unfolding of ``M3``.

    Returns:
        :math:`Δ_{3,F} s^{-3/2} + 3 L Δ_{2,F} B_3/s` with ``s = λ_k − e``, ``g = gap − e`` and
        :math:`L = \max\{1/(2 s^{3/2}), 1/(\sqrt s g)\}`; infinite when ``s`` or ``g`` is not
        positive.

    Guarantee:
        Divided differences of :math:`x^{-1/2}` bound the change of the symmetric whitening by
        :math:`L\|E\|_F`; telescoping over the three sides of the tensor does the rest. The
        published Theorem 5 telescopes falsely.
    """
    lowered_eigenvalue = eigenvalue - pair_operator  # s
    lowered_gap = gap - pair_operator  # g
    if lowered_eigenvalue <= 0 or lowered_gap <= 0:
        return math.inf
    slope_in_subspace = 0.5 * math.pow(lowered_eigenvalue, -1.5)
    slope_out_of_subspace = 1 / (math.sqrt(lowered_eigenvalue) * lowered_gap)
    slope = max(slope_in_subspace, slope_out_of_subspace)  # L
    change_by_moment = third * math.pow(lowered_eigenvalue, -1.5)
    change_by_whitening = 3 * slope * pair * unfolding / lowered_eigenvalue
    return (change_by_moment + change_by_whitening) * (1 + 1e-12)


def unfolding_bound(
    *, n_documents: int, b: float, c: float, largest_word: float, largest_pair: float
) -> float:
    r"""Bound on the operator norm of the d×d² unfolding of :math:`\hat M_3`.

    Args:
        n_documents: ``N``, public, at least 3.
        b: coefficient of the module's docstring, in [−1, 0].
        c: likewise, in [0, 2].
        largest_word: at least the largest entry of the computed ``E1``.
        largest_pair: at least the largest entry of the computed ``E2``.

    Guarantee:
        A non-negative matrix has operator norm at most the root of its largest row sum times its
        largest column sum. ``E3``: rows sum to ``E1``, columns to ``E2``. The cross terms are at
        most ``N/(N−1)`` and ``N²/((N−1)(N−2))`` times products of averages, whose rows and columns
        sum to products likewise. Half of ``rounding`` bounds the distance of the exact largest
        entries from the computed ones.
    """
    slack = rounding(n_documents=n_documents, part_norm=1.0)
    word_bound = largest_word + slack
    pair_bound = largest_pair + slack
    pair_factor = n_documents / (n_documents - 1)
    n_ordered_pairs = (n_documents - 1) * (n_documents - 2)  # of other documents
    triple_factor = n_documents**2 / n_ordered_pairs
    mixed_weight = 1 + abs(b) * pair_factor
    mixed_term = math.sqrt(word_bound * pair_bound) * mixed_weight
    cubed_weight = 2 * abs(b) * pair_factor + c * triple_factor
    cubed_term = math.pow(word_bound, 1.5) * cubed_weight
    return (mixed_term + cubed_term) * (1 + 1e-12)


def tensor_average(*, n_documents: int, n_words: int, clip: float, ceiling: float) -> float:
    r"""Sensitivity of the average of clipped whitened tensors, in the Frobenius norm.

    Args:
        clip: ``C3``, bound on one document's ``w‖z‖_F``, unit of the whitened tensor.
        ceiling: ``R³``, with ``R`` the length of the longest row of the directions that tokens are
            seen along.

    Returns:
        :math:`2\,C_3/N` plus rounding; attained by two documents with opposite tensors of norm
        ``C3``.

    Raises:
        InputError: N is below 1, or the clip level or the ceiling is not above 0.

    Guarantee:
        The whitening, the shift and the clip level are functions of earlier releases, hence equal
        for neighbors; the triangle inequality does the rest. Whitened tensors have both signs, so
        no √2 is won.

        A document of small norm may be made of large terms: :math:`S^{⊗3}, s_3(Q, S), 2K` over
            ``l(l−1)(l−2)`` are at most :math:`R^3 (l^3 + 3l^2 + 2l)` over that in absolute value,
            ``10 R³`` at ``l = 3`` and less for longer documents; 11 leaves room for the rounding of
            ``R³``, which bounds norms too. ``S`` enters three times, each a sum over at most d
            words, or once beside another such sum.
    """
    checks.positive("clip", clip)
    checks.positive("ceiling", ceiling)
    part_norm = 11 * ceiling
    slack = rounding(n_documents=n_documents, part_norm=part_norm, more_roundings=3 * n_words)
    return slack + 2 * clip / n_documents


def direct_pair_moment(*, n_documents: int, a: float) -> float:
    r"""Frobenius sensitivity of the unscaled U-statistic :math:`\hat M_2`.

    It is :math:`\sqrt{2+4a^2}/N`, attained, plus rounding.

    Raises:
        InputError: ``a`` is not in [0, 1], or N is below 1.

    Guarantee:
        The difference is :math:`D_2 - a(D_1m^⊤ + mD_1^⊤)`, convex in each argument, so its norm is
        largest at two-token documents and one-word means; those vertices were enumerated in exact
        arithmetic.
    """
    checks.between("a", a, 0, 1, open_ends=False)
    slack = _pair_moment_rounding(n_documents)
    return slack + math.sqrt(2 + 4 * a**2) / n_documents


def _pair_moment_rounding(n_documents: int) -> float:
    r"""Rounding of the U-statistic :math:`\hat M_2` in the Frobenius norm.

    The statistic is computed where ``N ≥ 3``. In absolute value :math:`cc^⊤` over ``l(l−1)`` is at
    most 1.5, :math:`\mathrm{diag}\,c` 0.5, a document's overlap with itself ``a/(N−1)`` and twice a
    third of that on the diagonal, :math:`mm^⊤` ``aN/(N−1) ≤ 1.5``: below 5 together. In the last
    one both factors are sums over documents.
    """
    checks.integer_at_least("n_documents", n_documents, 1)
    n_roundings = engine.additions(n_documents)
    return rounding(n_documents=n_documents, part_norm=5.0, more_roundings=n_roundings)


def direct_triple_moment(*, n_documents: int, n_words: int, b: float, c: float) -> float:
    r"""Frobenius sensitivity of the U-statistic :math:`\hat M_3`, unscaled.

    Returns:
        :math:`\min\{\sqrt2 + 2\sqrt3|b| + 3\sqrt2\sqrt{b^2+c^2},\ 2 + 12|b| + 6c\}/N` plus
        rounding; an upper bound, not attained.

    Raises:
        InputError: N is below 1.

    Guarantee:
        Triangle inequality over :math:`D_3 + b\,s_3(D_2,m) + s_3(bm_2+cP, D_1)` with
        :math:`\|D_3\|\le\sqrt2`, :math:`\|s_3(D_2,m)\|\le\sqrt{12}`,
        :math:`\|s_3(Q,D_1)\|^2\le18\|Q\|^2` and :math:`\|bm_2+cP\|^2\le b^2+c^2`.

        It is computed seen through a ``W`` of norm at most :math:`s^{-1/2}`, and stretched by at
        most :math:`s^{-3/2}`, like everything here. In absolute value the documents' own terms are
        10 as in ``tensor_average`` and 5 for a document's overlap with itself, the products of
        averages 9 with ``b`` and twice 9 with ``c``, all at ``N = 3``, ``|b| ≤ 1``, ``c ≤ 2`` and
        less elsewhere: 45 covers them. In the last one three factors are sums over documents and
        one is a sum over words.
    """
    checks.integer_at_least("n_documents", n_documents, 1)
    own_change = math.sqrt(2)
    pair_change = 2 * math.sqrt(3) * abs(b)
    product_change = 3 * math.sqrt(2) * math.hypot(b, c)
    frobenius_bound = own_change + pair_change + product_change
    l1_bound = 2 + 12 * abs(b) + 6 * c
    n_additions = engine.additions(n_documents)
    n_roundings = 2 * n_additions + 3 * n_words + 16
    slack = rounding(n_documents=n_documents, part_norm=45.0, more_roundings=n_roundings)
    smaller_bound = min(frobenius_bound, l1_bound)
    return slack + smaller_bound / n_documents
