"""The noise of every quantity, before a run: of a plan's edges, of releases in order, of noisy minibatches."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import ends, first_to_last, kinds_of, standing
from dplda.methods.chain.noise_table import EdgeNoise
from dplda.methods.full_batch_vi.planned import PlannedRelease
from dplda.methods.variational.private_variational import MinibatchNoise
from dplda.privacy.odds import short
from dplda.privacy.release import Status
from dplda.ui.shell import glossary
from dplda.ui.shell.findings import sensitivity_means

MU = "*μ*: sensitivity over noise scale, what Gaussian noise spends; squares of μ add up to the whole budget."


def edges(rows: Sequence[EdgeNoise], status: Status, unit: str) -> None:
    """One row for each noised quantity, in the order of release; sensitivities are claims unless they are proven."""
    glossary.heading(
        "What every edge costs and hides",
        "edge sensitivity noise_scale share spends signal_to_noise"
        " averages moments tensor mass clip sigma_k gap gamma_s factors topic",
    )
    _table(map(_edge, rows), "edge")
    st.caption(
        f"*Sensitivity*: {sensitivity_means(status, unit)}. *Noise scale*: of the noise on each entry, in that unit."
        f" *Signal to noise*: size of what matters over the size of the noise there. {MU}"
    )
    for row in rows:
        if row.trouble:
            st.info(f"**{row.symbol}**: {row.trouble}", icon=":material/block:")
    _reasons(
        f"Why no {unit} can move it further, and what is compared",
        [f"{_why(row.symbol, row)} Compared: {row.compares}. {row.assumes}".rstrip() for row in rows],
    )


def releases(rows: Sequence[PlannedRelease], unit: str) -> None:
    """One row for equal releases, in every way that a run may go: later noise depends on what is released first."""
    glossary.heading(
        "What every release costs",
        "release sensitivity noise_scale share word_counts statistic averages tensor clip mass unreadable",
    )
    _table(map(_release, rows), "edge")
    decided = (
        " *When*: the first release decides which way the run goes; each way, with what is always released, spends the"
        " whole budget."
    )
    st.caption(
        f"Known before a run, from N, d, k, ε and δ alone.{decided if len(rows) > 1 else ''} *Sensitivity*: how far one"
        f" replaced {unit} can move the quantity, in words. *Noise scale*: standard deviation of the noise on each"
        f" entry, of the first release → of the last. {MU}"
    )
    _reasons(f"Why no {unit} can move it further", dict.fromkeys(_why(row.symbols, row) for row in rows))


def minibatches(noise: MinibatchNoise, unit: str) -> None:
    """In words and in a table, for documents or persons as a unit; nothing here depends on what stands in one."""
    glossary.heading("What every minibatch costs", "minibatch statistic clip sensitivity noise_scale noise_multiplier")
    _table(_minibatches(noise, unit), "quantity")
    st.caption(
        f"*Sensitivity*: how far one {unit} can move the mean by being in the minibatch or not. *Noise scale*: standard"
        " deviation of the Gaussian noise on each entry, in the same unit, words."
    )
    st.markdown("\n".join(f"- {said}" for said in _loop(noise, unit)))


def _table(rows: Iterable[Mapping[str, str]], index: str) -> None:
    """A plain table, since st.dataframe offers its contents as a file."""
    st.table(pd.DataFrame(list(rows)).set_index(index))


def _reasons(title: str, said: Iterable[str]) -> None:
    with st.expander(title, icon=":material/rule:"):
        st.markdown("\n".join(said))


def _why(symbol: str, row: EdgeNoise | PlannedRelease) -> str:
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


def _release(row: PlannedRelease) -> dict[str, str]:
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


def _minibatches(noise: MinibatchNoise, unit: str) -> Iterator[dict[str, str]]:
    """One for each kind of minibatch that there is."""
    schedule = noise.schedule
    for released, scale, steps in kinds_of(noise):
        yield {
            "quantity": f"{released.symbol} · {released.words}",
            "sensitivity": digits(scale / schedule.noise_multiplier),
            "noise multiplier σ": digits(schedule.noise_multiplier),
            "noise scale": digits(scale),
            f"chance of a {unit}": digits(schedule.sampling_rate),
            "minibatches": f"{steps:,}",
            "all minibatches together spend": f"ε {short(noise.budget.epsilon)}"
            + ("" if noise.scheme.per_document else ", not proven"),
        }


def _loop(noise: MinibatchNoise, unit: str) -> Iterator[str]:
    schedule, bound = noise.schedule, noise.scheme.bound
    yield (
        f"**Minibatch.** Every {unit} is taken by chance, with probability ν = {schedule.sampling_rate:g}:"
        f" S = {noise.expected:,.0f} of them on average. Who is in it stays secret."
    )
    if noise.scheme.per_document:
        yield f"**What one {unit} can do.** Its statistic is scaled to a norm of at most C = {bound:g} words first."
    else:
        yield (
            f"**What one {unit} can do.** The statistic of the *whole* minibatch is scaled down to a norm of {bound:g}"
            f" words. One {unit} may turn it round, which moves it by up to √2 times that: the noise is scaled to less"
            f" than one {unit} can change."
        )
    if noise.word_steps:
        whole = noise.word_steps == schedule.steps
        yield (
            f"**Words first.** {'All' if whole else 'The first'} {noise.word_steps:,} minibatches count words alone,"
            f" each {unit}'s scaled down to a norm of {noise.settings.words_bound:g} words, with the same σ: noise of"
            f" {digits(noise.words_scale)} on every word. "
            + (
                f"This many {unit}s are too few for topics at this ε: every topic is the word distribution."
                if whole
                else "Topics are shrunk towards what they say."
            )
        )
