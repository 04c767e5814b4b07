"""A picture for each gap, worked out as the page is drawn; the numbers behind it stay folded below."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.figures import GapLine
from dplda.figures.errors.gaps import ASIDE, CLAIMED
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.gaps import Counterexample, ScalingRow
from dplda.ui.shell import figure_view

_MIXING = "mixing α₀ (log)"


def lines(name: str, drawn: Sequence[GapLine], across: Sequence[float], *, title: str, x: str, y: str) -> None:
    """Draw lines over a number."""
    figure_view.draw(figures.gap_lines(drawn, across, title=title, x=x, y=y), f"proofs.{name}")


def bars(name: str, values: dict[str, float], *, limit: float, title: str, said: str, x: str) -> None:
    """Draw bars beside a limit."""
    figure_view.draw(figures.gap_bars(values, limit=limit, title=title, said=said, x=x), f"proofs.{name}")


def numbers(rows: Sequence[dict[str, str]], index: str) -> None:
    """The table behind a picture, folded."""
    with st.expander("The numbers", icon=":material/table:"):
        st.table(pd.DataFrame(rows).set_index(index))


def moments(n: int, alphas: Sequence[float]) -> None:
    """How far one document moves the moments, claimed and true."""
    true3 = tuple(sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in alphas)
    drawn = (
        GapLine("claimed: 2/N", (2 / n,) * len(alphas), CLAIMED),
        GapLine("M₂, true", tuple(sensitivities.pair_moment_l1(n_documents=n, alpha0=a) for a in alphas), ASIDE),
        GapLine("M₃, true", true3),
    )
    title = f"One document moves M₃ by up to {digits(max(true3) * n / 2, 2)} times what is claimed"
    lines("moments", drawn, alphas, title=title, x=_MIXING, y="L1 change")


def turn(name: str, found: Sequence[Counterexample], documents: Sequence[int]) -> None:
    """What Theorem 5 allows falls with N, and the change of the tensor stays."""
    drawn = (
        GapLine("Theorem 5 allows", tuple(each.published for each in found), CLAIMED),
        GapLine("T really moves by", tuple(each.change for each in found)),
    )
    title = f"More documents do not help: T moves by {digits(found[-1].change)} at every N, the bound falls"
    lines(name, drawn, documents, title=title, x="documents N (log)", y="Frobenius change")


def scaling(rows: Sequence[ScalingRow]) -> None:
    """σk in both scalings and in documents, each beside its first value."""
    first = rows[0]
    drawn = (
        GapLine("σk multiplied, as drawn in the paper", tuple(row.scaled / first.scaled for row in rows), CLAIMED),
        GapLine("worth how many documents", tuple(row.per_document / first.per_document for row in rows)),
    )
    title = "σk seems to grow with α₀; counted in documents it falls"
    across = [row.alpha0 for row in rows]
    lines("scaling", drawn, across, title=title, x=_MIXING, y=f"times its value at α₀ = {first.alpha0:g}")


def spending(epsilon: float, deviation: Sequence[float], variance: Sequence[float], alphas: Sequence[float]) -> None:
    """ε as claimed and as spent in both readings."""
    drawn = (
        GapLine("claimed", (epsilon,) * len(alphas), CLAIMED),
        GapLine("spent at least, τ as a deviation", tuple(deviation), ASIDE),
        GapLine("spent at least, τ as a variance", tuple(variance)),
    )
    title = f"Read letter by letter, ε = {epsilon:g} costs at least {digits(max(variance), 2)} at α₀ = {alphas[-1]:g}"
    lines("spending", drawn, alphas, title=title, x=_MIXING, y="ε spent")


def below(documents: Sequence[int], share: float) -> None:
    """How far γs moves with a rare topic, and what is claimed."""
    drawn = (
        GapLine("claimed of γs: 2/N", tuple(2 / n for n in documents), CLAIMED),
        GapLine(f"γs with a topic of share {share:.0%}", tuple(share**-1.5 / 8 / n for n in documents)),
    )
    title = f"One document moves γs by {digits(share**-1.5 / 16, 2)} times what is claimed, at every N"
    lines("below", drawn, documents, title=title, x="documents N (log)", y="change")
