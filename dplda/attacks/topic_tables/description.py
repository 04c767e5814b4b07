"""What an audit of a topic table found, in sentences, and what it cannot show."""

import math
from collections.abc import Sequence

from dplda.attacks.topic_tables.audit import TopicTableAudit


def describe_audit(audit: TopicTableAudit) -> Sequence[str]:
    """Write what an audit found, and what it does not show, as lines.

    The last ones are on the bound on ε: that documents were not divided at random, so that there is
    none; that nothing was found; or the bound.
    """
    bound = audit.bound
    confidence = f"{100 * (1 - bound.error):g} %"
    lines = [
        f"{audit.n_members:,} members and {audit.n_others:,} others,"
        f" of which {audit.n_reference:,} are the reference.",
        f"AUC {audit.auc:.3f} ± {audit.auc_error:.3f}: a member scores above one of the others so"
        f" often (a coin: 0.5). Against word frequencies alone: {audit.auc_by_frequencies:.3f}.",
    ]
    lines += [
        f"Of members {_percent(rate.detected)} are recognized where at most {_percent(rate.level)}"
        f" of others are: at least {_percent(rate.detected_at_least)}, with 95 % confidence."
        f" Of the judged others it was {_percent(rate.alarms)}."
        for rate in audit.rates
    ]
    if not audit.are_alike:
        return [
            *lines,
            "Members and others differ without the table"
            f" (AUC {audit.auc_without_table:.3f} by words), so they were not divided at random:"
            " these numbers say nothing about the table, and no bound is stated.",
        ]
    at_delta = f" at δ = {bound.delta:g}" if bound.delta else ""
    if bound.epsilon == 0:
        return [
            *lines,
            "No lower bound on ε: this attack found nothing. That does not show that the table is"
            " private; another attack may find more.",
        ]
    return [
        *lines,
        f"ε is at least {_rounded_down(bound.epsilon)}{at_delta}, with {confidence} confidence:"
        f" {bound.n_right:,} of {bound.n_guesses:,} guesses about pairs are right. If the documents"
        " were divided at random, no method with a smaller ε made this table.",
        "It is a lower bound: another attack may find more.",
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _rounded_down(epsilon: float) -> str:
    return f"{math.floor(epsilon * 100) / 100:.2f}" if epsilon >= 0.01 else f"{epsilon:.1e}"
