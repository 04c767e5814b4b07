"""The price of a table of shares, and which groups it can tell apart, before any charge."""

import math
from collections.abc import Iterator, Sequence

from dplda.core.formatting import counted
from dplda.methods.shares.group_selection import smallest_group_found
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.accounting.risk import risk_of
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.ledger import PERSON
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.together import epsilon_together, spending_of_released
from dplda.release.workflow.journal.progress import Progress

SURE = 1.645  # standard deviations: 95 of 100
PAID_BEFORE = (
    "This table was interrupted after it was charged. Finishing it uses no more of the budget."
)
NOTHING_TO_COMPARE = (
    "No topic of this release stands out from the noise. A table would have nothing to compare."
)


def describe_shares_price(
    request: SharesRequest,
    n_units: int,
    unit: str,
    balance: Balance,
    progress: Progress | None,
    earlier_tables: Sequence[ReleasedShares] = (),
) -> Iterator[str]:
    """Consequences to read before confirming a table of shares, its price first.

    They are: price, a warning if the topics have no evidence, risk, size of groups that the table
    tells apart, and its rows. Where an earlier charge is to be finished free, one sentence says so
    instead of all.

    Args:
        request: the request.
        n_units: documents, or persons where they are protected.
        unit: what is protected: a ``document`` or a ``person``.
        balance: of its dataset.
        progress: of an earlier charge of the same request; None without one.
        earlier_tables: tables that were released before of these topics, or of releases that they
            continue; their readers have these, too, so the risk is of all together.
    """
    if progress is not None:
        yield PAID_BEFORE
        return
    yield describe_shares_use(request, n_units, balance)
    if not request.parent.supported_topics:
        yield NOTHING_TO_COMPARE
    yield _describe_risk(request, unit, earlier_tables)
    yield describe_resolution(request, n_units, unit)
    yield describe_rows(request, unit)


def describe_shares_use(request: SharesRequest, n_units: int, balance: Balance) -> str:
    """Describe what share of the budget the table uses, or would use if it has no room.

    The share is rounded up to whole percent.

    Args:
        request: the request.
        n_units: documents, or persons where they are protected.
        balance: of its dataset.
    """
    spending = request.spending(n_units)
    budget_share = balance.share_of_budget(
        epsilon=request.epsilon, delta=request.delta, spending=spending
    )
    balance_after = balance.after_release(
        epsilon=request.epsilon, delta=request.delta, spending=spending
    )
    verb = "would use" if balance_after is None else "uses"
    cost_text = (
        f"ε = {format_rounded_up(request.epsilon, 3)}, δ = {format_rounded_up(request.delta, 3)}"
    )
    return (
        f"This table {verb} {math.ceil(100 * budget_share)}% of the budget of “{request.dataset}”,"
        f" permanently ({cost_text})."
    )


def _describe_risk(
    request: SharesRequest, unit: str, earlier_tables: Sequence[ReleasedShares]
) -> str:
    """Describe the risk of the topics and the table together, with tables released before.

    ε is that of all of them at the δ of the topics.
    """
    delta = request.parent.guarantee.claimed_delta
    epsilon = epsilon_with_parent(request, earlier_tables)
    subject_phrase = "Topics and tables together" if earlier_tables else "Topics and table together"
    risk = risk_of(epsilon, delta, is_gaussian=True)
    parameters = f"ε = {format_rounded_up(epsilon, 3)}, δ = {format_rounded_up(delta, 3)}"
    return f"{subject_phrase} ({parameters}): {risk.describe(unit)}"


def describe_resolution(request: SharesRequest, n_units: int, unit: str) -> str:
    """A sentence on the size of groups that the table tells apart, from public numbers.

    Args:
        request: the request.
        n_units: documents, or persons where they are protected.
        unit: what is protected: a ``document`` or a ``person``.
    """
    noise_std = request.noise_std(n_units)
    size_at_ten_points = smallest_group(noise_std, difference=0.10)
    size_at_five_points = smallest_group(noise_std, difference=0.05)
    return (
        f"It tells two groups of {size_at_ten_points:,} {unit}s apart where a topic's shares differ"
        f" by 10 points, and of {size_at_five_points:,} where they differ by 5. Smaller groups are"
        " drawn toward the others."
    )


def describe_rows(request: SharesRequest, unit: str) -> str:
    """Describe the rows of the table, and the columns that labels are read from.

    Of public groups it says that their sizes come out with the noise of the table.
    Of groups chosen by size it says how large they must be, and that the budget is used even if
    there is no table.

    Args:
        request: the request.
        unit: what is protected: a ``document`` or a ``person``.
    """
    columns_phrase = " and ".join(f"“{axis_source.column}”" for axis_source in request.sources)
    labels_sentence = (
        f"Labels are read from {columns_phrase}; a document without one is in that row."
    )
    if request.selection is not None:
        groups_phrase = counted(request.selection.n_words, "group")
        min_size = smallest_group_found(request.selection, protects_persons=unit == PERSON)
        return (
            f"It chooses at most {groups_phrase} by size, with noise: groups of about {min_size:,}"
            f" {unit}s or more. Smaller ones are in the row for every other {unit}."
            f" {labels_sentence} If no group is that large, the budget is used and there is no"
            " table."
        )
    groups_phrase = counted(request.groups.n_rows - 1, "group")
    return (
        f"The table has {groups_phrase} and a row for every other {unit}. {labels_sentence} Sizes"
        " of groups come out of the same table, with its noise. The list of groups must not be"
        " taken from the documents."
    )


def smallest_group(noise_std: float, difference: float) -> int:
    """Size from which a table tells two equal groups apart, 95 times in 100, before smoothing.

    The difference of two noisy shares has standard deviation √2 σ/n.

    Args:
        noise_std: σ of a cell, in documents or persons.
        difference: between the shares, in (0, 1).
    """
    return math.ceil(SURE * math.sqrt(2) * noise_std / difference)


def epsilon_with_parent(
    request: SharesRequest, earlier_tables: Sequence[ReleasedShares] = ()
) -> float:
    """ε of the topics, the table and those released before together, at the δ of the topics.

    Args:
        request: of the table.
        earlier_tables: tables that were released before, as for ``describe_shares_price``.
    """
    spendings = [spending_of_released(table) for table in earlier_tables]
    spendings.append(request.spending(request.parent.n_documents))
    return epsilon_together(request.parent, spendings)
