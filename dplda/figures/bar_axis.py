"""The end of an axis that many bars share, so that one long bar does not flatten the others."""

from collections.abc import Sequence

import numpy as np

LONGEST_OVER_TYPICAL = 2.0  # a bar longer than this many typical ones is cut at the axis's end
CUT_MARK = "▸"  # at the end of what goes on beyond the axis


def shared_axis_end(typical_lengths: Sequence[float], farthest_end: float) -> float:
    """Choose where the shared axis ends: at the farthest mark, unless that is an outlier.

    Args:
        typical_lengths: lengths of bars that should all be readable, each ≥ 0, such as the longest
            one of every topic.
        farthest_end: end of the longest bar or whisker, > 0.

    Returns:
        At most twice the median of the typical lengths; what reaches further is cut there. It is
        ``farthest_end`` if there are no typical lengths, or their median is 0.
    """
    if not len(typical_lengths):
        return farthest_end
    median_length = float(np.median(typical_lengths))
    if median_length <= 0:
        return farthest_end
    return min(farthest_end, LONGEST_OVER_TYPICAL * median_length)
