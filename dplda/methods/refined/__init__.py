r"""Private topics for real text by full-batch variational steps, each released once.

Theorem:
    For every corpus of N documents, one of them replaced by another, the releases of
    ``fit_refined`` together are μ-GDP, with μ the largest whose Gaussian mechanism is (ε, δ)-DP; so
    is whatever is computed from them. N, d, k, α0, the constants and the seed of data-free draws
    are public.

Proof:
    *Two parts.* A release is noise on a sum of one part per document. For non-negative vectors of
    norm at most C, :math:`\|v - v'\|^2 = \|v\|^2 + \|v'\|^2 - 2⟨v, v'⟩ \le 2C^2`. If a part is a
    function of its own document and of what neighbors share, replacing a document replaces one part
    and moves the sum by at most :math:`\sqrt2\,C`.

    *Word counts.* Parts :math:`c \min(1, C/\|c\|)` are of that kind. Noise of scale
    :math:`\sqrt2\,C/(μ\sqrt{s_1})` makes the release :math:`z_1` :math:`μ\sqrt{s_1}`-GDP;
    :math:`s_1` follows from N, d, ε, δ and the constants.

    *A step.* Fix all earlier releases. Topics, word weights and prior are functions of them and of
    public numbers, equal for neighbors. A document's part :math:`c_w φ_{wi} u_w` is a function of
    these and the document alone (inference runs a fixed number of rounds from equal shares and
    reads no other document), is non-negative, and is scaled down to norm C. So whatever was
    released before, a step is :math:`μ_t`-GDP with noise of scale :math:`\sqrt2\,C/μ_t`.

    *A table.* Whether documents bear a table out is asked once, in a sum of numbers in [−1, 1]: two
    documents' parts are at most 2 apart. Each is a function of its document, of :math:`z_1` and of
    the table, which is public. Its share :math:`g` follows from N and μ. Where steps could not pay,
    a second release of word counts, made as the first, gets their budget.

    *Evidence.* After the last step a document's part is a vector in [−1, 1] × [0, 1] × a ball of
    radius √5/2, and a function of the document and of earlier releases. Two of them are at most
    :math:`\sqrt{4 + 1 + 5} = \sqrt{10}` apart. Its share :math:`e` follows from N and μ.

    *Spectral start.* The releases of the ``adaptive`` route are Gaussian too, each with a
    sensitivity that holds for any earlier releases, and their :math:`μ_j^2` add up to at most the
    start's share :math:`f` of μ², by its own proof. If it stops early, nobody else spends the rest.

    *Adaptivity.* f and the number of steps T are functions of :math:`z_1` and of the answer to the
    table. Fix any values of these two. Then f, T and every later :math:`μ_t` are constants; steps
    share the rest as :math:`\sqrt t`, so that :math:`\sum_t μ_t^2 \le (f + e) μ^2 + \sum_t
    \frac{\sqrt t}{\sum_s \sqrt s} (1 - s_1 - g - e - f) μ^2 = μ^2(1 - s_1 - g)`, the same for all
    such values. The rest is a composition of Gaussian mechanisms with constant
    budgets, each chosen knowing the earlier answers, hence :math:`μ\sqrt{1 - s_1 - g}`-GDP: what
    the composition theorem asks of a mechanism that sees earlier answers. All together are
    :math:`\sqrt{μ^2 (s_1 + g) + μ^2(1 - s_1 - g)} = μ`-GDP. No budget is a function of an answer
    that it could have spent, so no filter is needed.

    *A continued run.* Let a chain of releases have been :math:`μ_0`-GDP, and fix all their values:
    earlier answers. A run that continues them is the run above with :math:`\sqrt{μ^2 - μ_0^2}` in
    place of μ. What it takes from them, which are topics, means, weights, the answer to the table
    and their noise, is fixed, and so is what word counts lack of their share. So it is
    :math:`\sqrt{μ^2 - μ_0^2}`-GDP whatever was released before, and the chain is μ-GDP where the
    total was chosen beforehand. Where it was chosen after looking, the ledger's caps hold
    (``privacy.accounting.budget_caps``).

    *Last bits.* Floating-point sums are a little further apart: ``SumBound`` has room for all
    roundings, and a sum carries its sensitivity to its release. Budgets are rounded down, scales
    up. ``schedule`` computes every share once; ``check_releases`` refuses a run that spent
    otherwise, adds the squares exactly and refuses anything above μ². With exact noise, sums are of
    whole numbers and need no room (``privacy.noise.fixed_point``), and a part of δ pays for its
    distribution (``privacy.noise.exact``); otherwise the noise is simulated, and the guarantee says
    so.

Source:
    Dong, Roth & Su, Gaussian differential privacy, Theorem 3.2 and Corollary 3.3 (adaptive
    composition); Smith & Thakurta 2022 for budgets that would depend on more than one answer.
"""
