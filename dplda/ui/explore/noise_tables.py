"""Tables of each quantity's noise before a run: by edge, by release, or by minibatch."""

import math
from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import ends, first_to_last, kinds_of, standing
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.dpvi.minibatch_run import MinibatchNoise
from dplda.methods.refined.noise_forecast import ForecastRelease
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Status
from dplda.ui.shell import figure_view, glossary

MU = "*μ*: sensitivity over noise scale; the squares of all μ add up to the budget."


def edges(rows: Sequence[EdgeNoise], status: Status, unit: str) -> None:
    """Draw one row per noised quantity, in order of release; sensitivities are claims unless proven."""
    glossary.draw_heading(
        "What every edge costs and hides",
        "edge sensitivity noise_scale share spends signal_to_noise"
        " averages moments tensor mass clip sigma_k gap gamma_s factors topic",
    )
    figure_view.draw_table(map(_edge, rows), "edge")
    means = f"how far one replaced {unit} can move it"
    if status is Status.AS_PUBLISHED:
        means += ", as the paper claims without a valid proof; Learn shows counterexamples"
    st.caption(
        f"*Sensitivity*: {means}. {MU if not rows[0].epsilon else 'The ε of all rows add up to the budget.'}"
    )
    for row in rows:
        if row.trouble:
            st.info(f"**{row.symbol}**: {row.trouble}", icon=":material/block:")
    _reasons(
        unit,
        (
            f"{_why(row.symbol, row)} Compared: {row.compares}. {row.assumes}".rstrip()
            for row in rows
        ),
    )


def releases(rows: Sequence[ForecastRelease], unit: str) -> None:
    """Draw one row per group of equal releases, for every path of a run: later noise depends on earlier releases."""
    glossary.draw_heading(
        "What every release costs",
        "edge release sensitivity noise_scale share word_counts statistic averages tensor clip mass unreadable",
    )
    figure_view.draw_table(map(_release, rows), "edge")
    decided = " *When*: the first release decides which path a run takes." if len(rows) > 1 else ""
    st.caption(f"*Sensitivity*: how far one replaced {unit} can move it.{decided} {MU}")
    _reasons(unit, dict.fromkeys(_why(row.symbols, row) for row in rows))


def minibatches(noise: MinibatchNoise, unit: str) -> None:
    """Draw the minibatches in a table and in words; nothing here depends on the contents of a document."""
    glossary.draw_heading(
        "What every minibatch costs",
        "minibatch statistic clip sensitivity noise_scale noise_multiplier",
    )
    figure_view.draw_table(_minibatches(noise), "quantity")
    st.caption(
        f"*Sensitivity*: how far one {unit} can move the mean by being in the minibatch or not, in words."
    )
    st.markdown("\n".join(f"- {said}" for said in _steps(noise, unit)))


def _reasons(unit: str, said: Iterable[str]) -> None:
    st.markdown("\n".join([f"**How far one {unit} can move it, and why**", "", *said]))


def _why(symbol: str, row: EdgeNoise | ForecastRelease) -> str:
    return f"- **{symbol}** ({row.edge}, {row.law}): {row.why}"


def _edge(row: EdgeNoise) -> dict[str, str]:
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


def _release(row: ForecastRelease) -> dict[str, str]:
    known, later = not math.isnan(row.sensitivity), "by released clip levels"
    return {
        "edge": str(row.edge),
        "quantity": f"{row.symbols} · {row.quantity}",
        "when": row.when,
        "how often": f"{row.times} times" if row.times > 1 else "once",
        "sensitivity": digits(row.sensitivity) if known else later,
        "noise scale": first_to_last(row.scales) if known else later,
        "share of μ²": ends(row.share, "{:.1%}"),
    }


def _minibatches(noise: MinibatchNoise) -> Iterator[dict[str, str]]:
    schedule = noise.schedule
    for released, scale, steps in kinds_of(noise):
        yield {
            "quantity": f"{released.symbol} · {released.words}",
            "sensitivity": digits(scale / schedule.noise_multiplier),
            "noise multiplier σ": digits(schedule.noise_multiplier),
            "noise scale": digits(scale),
            "minibatches": f"{steps:,}",
            "all minibatches together spend": f"ε {format_rounded_up(noise.budget.epsilon)}"
            + ("" if noise.scheme.per_document else ", not proven"),
        }


def _steps(noise: MinibatchNoise, unit: str) -> Iterator[str]:
    rate, bound, first = noise.schedule.sampling_rate, noise.scheme.bound, noise.word_steps
    yield f"Each {unit} joins a minibatch by chance (ν = {rate:g}): {noise.expected:,.0f} of them on average."
    if noise.scheme.per_document:
        yield f"One {unit} adds at most C = {bound:g} words to a minibatch; more are scaled down first."
    else:
        yield (
            f"Only the *whole* minibatch is scaled down, to {bound:g} words. One {unit} can move it by √2 times that,"
            f" so the noise is smaller than what one {unit} can change."
        )
    if first:
        yield (
            f"The first {first:,} minibatches count words alone, at most {noise.settings.words_bound:g} words of each"
            f" {unit}, with noise of {digits(noise.words_scale)} on every word."
        )
    if first == noise.schedule.steps:
        yield f"There are too few {unit}s for topics at this ε: every topic is the overall word frequencies."
