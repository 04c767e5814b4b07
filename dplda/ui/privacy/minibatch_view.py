"""The noise of a method that learns from noisy minibatches: in words, in a table, and what accountants say of it."""

import math
from collections.abc import Iterator

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import kinds_of
from dplda.figures.privacy.accounting import ACCOUNTANTS
from dplda.methods.variational.accounting import epsilons_of
from dplda.methods.variational.minibatch_noise import MinibatchNoise
from dplda.privacy.odds import short
from dplda.ui.shell import glossary


def show(noise: MinibatchNoise, unit: str) -> None:
    """Draw all three, for documents or persons as a unit; nothing here depends on what stands in one."""
    glossary.heading("What every minibatch costs", "minibatch statistic clip sensitivity noise_scale noise_multiplier")
    st.markdown(_in_words(noise, unit))
    st.table(pd.DataFrame(list(_rows(noise, unit))).set_index("quantity"))
    st.caption(
        f"*Sensitivity*: how far one {unit} can move the mean by being in the minibatch or not."
        " *Noise scale*: standard deviation of the Gaussian noise on each entry, in the same unit, words."
    )
    _accountants(noise, unit)


def _in_words(noise: MinibatchNoise, unit: str) -> str:
    schedule = noise.schedule
    if noise.scheme.per_document:
        bounded = (
            f"- **What one {unit} can do.** Its statistic is scaled down to a norm of C = {noise.scheme.bound:g} words"
            f" before it is added up: no {unit} adds more."
        )
    else:
        bounded = (
            f"- **What one {unit} can do.** The statistic of the *whole* minibatch is scaled down to a norm of"
            f" {noise.scheme.bound:g} words. One {unit} may turn it round, which moves it by up to √2 times that: the"
            f" noise is scaled to less than one {unit} can change."
        )
    return "\n".join(
        (
            f"- **Minibatch.** Every {unit} is taken by chance, with probability ν = {schedule.sampling_rate:g}:"
            f" S = {noise.expected:,.0f} of them on average. Who is in it stays secret.",
            bounded,
            f"- **Noise.** σ = {digits(schedule.noise_multiplier)} times that bound, on every entry.",
            *_words_first(noise, unit),
            f"- **Loop.** {schedule.steps:,} minibatches, each read with the topics that the last one left. Topics are"
            " made of noisy statistics alone.",
        )
    )


def _words_first(noise: MinibatchNoise, unit: str) -> Iterator[str]:
    if not noise.word_steps:
        return
    whole = noise.word_steps == noise.schedule.steps
    yield (
        f"- **Words first.** {'All' if whole else 'The first'} {noise.word_steps:,} minibatches count words alone, each"
        f" {unit}'s scaled down to a norm of {noise.settings.words_bound:g} words, with the same σ: noise of"
        f" {digits(noise.words_scale)} on every word. "
        + (
            f"This many {unit}s are too few for topics at this ε: every topic is the word distribution."
            if whole
            else "Topics are shrunk towards what they say; with more noise there would be more of them."
        )
    )


def _rows(noise: MinibatchNoise, unit: str) -> Iterator[dict[str, str]]:
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


def _accountants(noise: MinibatchNoise, unit: str) -> None:
    glossary.heading("What the accountant says", "accountant composition adjacency epsilon delta")
    with st.spinner("Adding up privacy losses …"):
        found = epsilons_of(noise.schedule, delta=noise.budget.delta)
    rows = [
        {
            "accountant": ACCOUNTANTS[accountant],
            "ε of the same noise": digits(value) if math.isfinite(value) else "none",
        }
        for accountant, value in found.items()
    ]
    st.table(pd.DataFrame(rows).set_index("accountant"))
    st.caption(
        f"For one {unit} replaced by another. σ is chosen so that {ACCOUNTANTS[noise.settings.accountant]}"
        f" give at most ε = {short(noise.budget.epsilon)}; the others add up the same noise less exactly."
        + (
            ""
            if noise.scheme.per_document
            else " All of them take for granted what is not so here: that the bound holds."
        )
    )
