"""The noise table of a method before a run, where later noise depends on what is released first."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import ends, first_to_last
from dplda.methods.full_batch_vi.planned import PlannedRelease
from dplda.ui.shell import glossary


def table(rows: Sequence[PlannedRelease], unit: str) -> None:
    """One row for equal releases, in order, in every way that a run may go."""
    glossary.heading(
        "What every release costs",
        "release sensitivity noise_scale share word_counts statistic averages tensor clip mass unreadable",
    )
    # A plain table, since st.dataframe offers its contents as a file.
    st.table(pd.DataFrame([_row(row) for row in rows]).set_index("edge"))
    decided = (
        " *When*: the first release decides, and how surely: shares and scales run from one end to the other, and what"
        " stands for one way of going adds up to the whole budget together with what is always released."
    )
    st.caption(
        f"Known before a run, from N, d, k, ε and δ alone.{decided if len(rows) > 1 else ''} *Sensitivity*: how far one"
        f" replaced {unit} can move the quantity, in words. *Noise scale*: standard deviation of the noise on each"
        " entry; of several, of the first → the last. Signal to noise is known after a run: Topics shows it."
    )
    st.caption(
        "*μ*: sensitivity over noise scale, what Gaussian noise spends; squares of μ add up to the whole budget."
    )
    st.page_link("pages/topics.py", label="The releases as they were", icon=":material/bar_chart:")
    with st.expander(f"Why no {unit} can move it further", icon=":material/rule:"):
        reasons = dict.fromkeys(f"- **{row.symbols}** ({row.edge}, {row.law}): {row.why}" for row in rows)
        st.markdown("\n".join(reasons))


def _row(row: PlannedRelease) -> dict[str, str]:
    known = not math.isnan(row.sensitivity)
    shape = " × ".join(f"{size:,}" for size in row.shape)
    return {
        "edge": str(row.edge),
        "quantity": f"{row.symbols} · {row.quantity}",
        "when": row.when,
        "how often": f"{row.times} times" if row.times > 1 else "once",
        "shape": shape or "several",
        "mechanism": row.law,
        "sensitivity": digits(row.sensitivity) if known else "by released clip levels",
        "noise scale": first_to_last(row.scales) if known else "by released clip levels",
        "share of μ²": ends(row.share, "{:.1%}"),
    }
