r"""Groups of a table chosen privately by size, where their owner has no public list.

What is protected names groups: a document the one of its label, a person all of her documents'
labels. Groups are selected as words are (``word_selection.thresholds``), by noisy sums of weights
and a threshold, and the table is made over the selected ones. Together they cost one ε and δ.

Theorem:
    Let the selection have the μ and the failure probability γ of ``selection_thresholds``, and the
    table the noise of :math:`μ_f`. If a Gaussian mechanism of :math:`\sqrt{μ^2 + μ_f^2}` is (ε,
    δ - γ)-DP, the selected groups and the table are together (ε, δ)-DP when one document is
    replaced (its words, its group, or both), or all documents of one person.

Proof:
    A document without a label, or with the reserved one, names nothing; any other names one group.
    So it gives one weight of 1, and two documents' weights differ by at most :math:`\sqrt 2`. A
    person who names n groups gives each :math:`1/\sqrt n`, rounded down; of more than 300 a hash
    draws 300. Her weights have a length of at most 1 and none is negative: again :math:`\sqrt 2`.
    What a document or person names depends on it or her alone. So the theorem of ``thresholds``
    applies, with m = 1 for documents. The table is the later release: for any groups at all it is
    :math:`μ_f`-GDP, since replacing one unit moves it by at most :math:`\sqrt 2`
    (``share_table``). A group that is not selected is in the row *other*, as an unknown label is.
"""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dplda.corpus import Selection
from dplda.corpus.group_columns import clean_label
from dplda.methods.shares.groups import OTHER
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE
from dplda.privacy.noise.exact import delta_of_noise
from dplda.privacy.word_selection.row_weights import NamingRows
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW, selection_thresholds

SELECTION_SHARE = 0.25  # of μ², for the choice of groups; the table gets the rest
SELECTION_DELTA_SHARE = 0.1  # of δ, of which the selection's failure takes a quarter
GROUPS_OF_DOCUMENT = 1
CERTAIN = 1.96  # standard deviations: 97.5 of 100, in each of two rounds
N_DIGITS = 6  # of the selection's ε


def plan_group_selection(n_groups: int, *, epsilon: float, delta: float) -> Selection:
    """The part of a release that chooses groups.

    Args:
        n_groups: how many to choose at most, at least 2.
        epsilon: ε of the selection and the table together.
        delta: δ of both together.

    Returns:
        The number of groups, with ε, rounded down, and δ of the selection alone.
    """
    selection_delta = SELECTION_DELTA_SHARE * delta
    mu = _total_mu(epsilon, delta, failure=SELECTION_FAILURE_SHARE * selection_delta)
    noise_delta = (1 - SELECTION_FAILURE_SHARE) * delta_of_noise(selection_delta)
    selection_mu = gaussian.mu_of_share(mu, SELECTION_SHARE)
    selection_epsilon = _round_down(gaussian.epsilon_for(selection_mu, noise_delta))
    return Selection(n_groups, selection_epsilon, selection_delta)


def table_mu(selection: Selection | None, *, epsilon: float, delta: float) -> float:
    """Gaussian budget of a table, rounded down.

    Args:
        selection: of its groups; None for a public list.
        epsilon: ε of the selection and the table together.
        delta: δ of both together.
    """
    if selection is None:
        return gaussian.mu_for(epsilon, delta_of_noise(delta))
    thresholds = selection_thresholds(selection)
    mu = _total_mu(epsilon, delta, failure=thresholds.selection_failure)
    return gaussian.remaining_mu(mu, thresholds.mu)


def rows_naming_groups(
    labels: Sequence[str], persons: NDArray[np.intp] | None, n_units: int
) -> NamingRows:
    """Mark the groups that each document or person names: how many documents of each.

    Groups are in the alphabet's order. A blank label and the reserved one name nothing.

    Args:
        labels: of every document, N; "" for none.
        persons: whose each document is, (N,), from 0; None where documents are protected.
        n_units: documents, or persons where they are protected.
    """
    clean_labels = [clean_label(label) for label in labels]
    group_names = sorted({label for label in clean_labels if label and label.casefold() != OTHER})
    column_of_group = {group: column for column, group in enumerate(group_names)}
    document_column_pairs = [
        (document, column_of_group[label])
        for document, label in enumerate(clean_labels)
        if label in column_of_group
    ]
    naming_documents, columns = np.array(document_column_pairs, dtype=np.intp).reshape(-1, 2).T
    naming_units = naming_documents if persons is None else persons[naming_documents]
    ones = np.ones(len(naming_documents), dtype=np.int32)
    counts = csr_array((ones, (naming_units, columns)), shape=(n_units, len(group_names)))
    counts.sum_duplicates()
    limit_of_each_unit = GROUPS_OF_DOCUMENT if persons is None else MAX_WORDS_PER_ROW
    return NamingRows(counts, group_names, limit_of_each_unit)


def smallest_group_found(selection: Selection, *, protects_persons: bool) -> int:
    """Size from which a group is chosen 95 times in 100, if few enough are larger.

    Where persons are protected, of persons who name no other group.
    """
    most_groups = MAX_WORDS_PER_ROW if protects_persons else GROUPS_OF_DOCUMENT
    thresholds = selection_thresholds(selection, max_words_per_row=most_groups)
    sizes = [
        selection_round.threshold + CERTAIN * selection_round.noise_std
        for selection_round in (thresholds.first, thresholds.second)
    ]
    return int(np.ceil(max(sizes)))


def _total_mu(epsilon: float, delta: float, *, failure: float) -> float:
    """Gaussian budget of selection and table together, rounded down."""
    return gaussian.mu_for(epsilon, (delta_of_noise(delta) - failure) * (1 - 1e-12))


def _round_down(number: float) -> float:
    """A positive number with six digits, not above the number."""
    exact_decimal = Decimal(repr(number))
    last_digit = Decimal((0, (1,), exact_decimal.adjusted() + 1 - N_DIGITS))
    return float(exact_decimal.quantize(last_digit, ROUND_FLOOR))
