"""The live table: how far one document moves each quantity, how much noise that asks for, and what is left to see."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import standing
from dplda.methods.chain.noise_table import EdgeNoise
from dplda.privacy.release import Status
from dplda.ui.shell import glossary
from dplda.ui.shell.findings import sensitivity_means


def table(rows: Sequence[EdgeNoise], status: Status, unit: str) -> None:
    """One row for each noised quantity, in the order of release; sensitivities are claims unless they are proven."""
    glossary.heading(
        "What every edge costs and hides",
        "edge sensitivity noise_scale share spends signal_to_noise"
        " averages moments tensor mass clip sigma_k gap gamma_s factors topic",
    )
    # A plain table, since st.dataframe offers its contents as a file.
    st.table(pd.DataFrame([_row(row) for row in rows]).set_index("edge"))
    st.caption(
        f"*Sensitivity*: {sensitivity_means(status, unit)}. *Noise scale*: of the noise on each entry,"
        " in the same unit. *Signal to noise*: size of what matters over the size of the noise there."
        " *μ*: sensitivity over noise scale, what Gaussian noise spends; their squares add up to the whole budget."
    )
    for row in rows:
        if row.trouble:
            st.info(f"**{row.symbol}**: {row.trouble}", icon=":material/block:")
    with st.expander(f"Why no {unit} can move it further, and what is compared", icon=":material/rule:"):
        st.markdown("\n".join(_reason(row) for row in rows))


def _row(row: EdgeNoise) -> dict[str, str]:
    return {
        "edge": row.edge.value,
        "quantity": f"{row.symbol} · {row.quantity}",
        "sensitivity": digits(row.sensitivity),
        "noise scale": digits(row.scale),
        "share": f"{row.share:.1%}",
        "spends": f"ε {digits(row.epsilon)}" if row.epsilon else f"μ {digits(row.mu)}",
        "signal to noise": digits(row.signal_to_noise),
        "in words": str(standing(row)),
    }


def _reason(row: EdgeNoise) -> str:
    assumes = f" {row.assumes}" if row.assumes else ""
    return f"- **{row.symbol}** ({row.edge}, {row.law}): {row.why} Compared: {row.compares}.{assumes}"
