"""Verdicts on the papers' claims in words, and as a table of the runs behind them."""

from collections.abc import Sequence

import pandas as pd

from dplda.core.formatting import counted, digits, percent
from dplda.experiments.papers.claims import ClaimVerdict, Judged, Refusals
from dplda.experiments.papers.comparisons import MOST_RUNS, PairedComparison


def describe_verdict(judged: Judged) -> str:
    """Say a claim's verdict and the comparison that it rests on, in Markdown, verdict first."""
    verdict = str(judged.verdict)
    verdict_text = f"**{verdict[:1].upper()}{verdict[1:]}**"
    return f"{verdict_text}: “{judged.claim.words}”: {describe_reason(judged)}"


def describe_reason(judged: Judged) -> str:
    """Say the comparison that a verdict rests on.

    For an undecided claim, also the runs that would decide it. For a claim that holds, also a
    warning where one word list for all topics is as good as a method that wins.
    """
    is_for = judged.verdict is ClaimVerdict.HOLDS
    sentences = [f"{_describe_comparison(judged.deciding, judged.refusals, is_for=is_for)}."]
    if judged.verdict is ClaimVerdict.UNDECIDED:
        sentences.append(_describe_runs_needed(judged))
    if is_for and judged.finds_nothing:
        joined_titles = ", ".join(judged.finds_nothing)
        sentences.append(f"Yet one list of words for all topics is as good as {joined_titles}.")
    return " ".join(sentences)


def describe_refusals(judged: Judged) -> str:
    """Say how often the claim's methods refused; empty where none did."""
    parts = [
        f"{refusals.title} in {refusals.n_refused:,} of {refusals.n_runs:,} runs"
        for refusals in judged.refusals
    ]
    if not parts:
        return ""
    return f"Refused, which ranks behind every number: {', '.join(parts)}."


def verdict_table(verdicts: Sequence[Judged]) -> pd.DataFrame:
    """Make a table with a row for each comparison of each claim.

    Returns:
        Columns ``claim``, ``verdict``, ``comparison``, ``below`` (share of pairs of runs in which
        the claimed order is found), ``draws`` and ``refused``.
    """
    rows = [
        {
            "claim": judged.claim.words,
            "verdict": str(judged.verdict),
            "comparison": f"{comparison.better} below {comparison.worse}",
            "below": _share(comparison),
            "draws": " and ".join(map(str, comparison.n_runs)),
            "refused": _refused(judged, comparison),
        }
        for judged in verdicts
        for comparison in judged.comparisons
    ]
    return pd.DataFrame(rows)


def _describe_comparison(
    comparison: PairedComparison, refusals: Sequence[Refusals], *, is_for: bool
) -> str:
    """Describe one comparison as a clause: in which share of pairs of runs one method is below.

    If nothing was compared, or all runs of the method that has to lose refused, says that instead.
    The better method is *above* if the claim does not hold and most pairs are against it.

    Args:
        comparison: what a verdict rests on.
        refusals: of the claim's methods.
        is_for: whether the claim holds, so that the worse method has to lose; else the better one.
    """
    if not comparison.n_compared:
        return f"{comparison.better} and {comparison.worse} both gave no topics"
    loser_title = comparison.worse if is_for else comparison.better
    for method_refusals in refusals:
        if (
            method_refusals.title == loser_title
            and method_refusals.n_refused == method_refusals.n_runs
        ):
            return (
                f"{loser_title} gave no topics in any of {counted(method_refusals.n_runs, 'run')}"
            )
    share_in_order = comparison.share_below
    order_word = "below"
    if not is_for and share_in_order < 0.5:
        share_in_order = 1 - share_in_order
        order_word = "above"
    share_text = _percent(share_in_order)
    return (
        f"{comparison.better} is {order_word} {comparison.worse} in {share_text} of pairs of runs"
    )


def _describe_runs_needed(judged: Judged) -> str:
    n_runs = judged.n_runs_needed
    if n_runs is None:
        return "No number of draws would decide it."
    if n_runs >= MOST_RUNS:
        return f"More than {counted(MOST_RUNS, 'draw')} of each would be needed."
    return f"About {digits(n_runs, 2)} draws of each would decide it."


def _share(comparison: PairedComparison) -> str:
    return _percent(comparison.share_below) if comparison.n_compared else "–"


def _percent(share: float) -> str:
    return "100%" if share == 1 else percent(share, 2)


def _refused(judged: Judged, comparison: PairedComparison) -> str:
    parts = [
        f"{refusals.title} {refusals.n_refused:,} of {refusals.n_runs:,}"
        for refusals in judged.refusals
        if refusals.title in (comparison.better, comparison.worse)
    ]
    return ", ".join(parts)
