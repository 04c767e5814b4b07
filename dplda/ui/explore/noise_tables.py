"""Tables of each quantity's noise before a run: by edge, by release, or by minibatch."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import (
    compare_with_noise,
    format_range,
    format_scales,
    released_quantities,
)
from dplda.flow import SPECTRAL
from dplda.methods.base.noise_forecast import ForecastRelease
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.methods.dpvi.minibatch_run import MinibatchNoise
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Status
from dplda.ui.shell import figure_view, glossary

MU_CAPTION = "*μ*: sensitivity over noise scale; the squares of all μ add up to the budget."
EPSILON_CAPTION = "The ε of all rows add up to the budget."
EPSILON_AND_DELTA_CAPTION = "The ε of all rows add up to the budget, and so do the δ."
PATHS_CAPTION = "*When*: the first release decides which path a run takes."
CLAIMED = ", as the paper claims without a valid proof; Learn shows counterexamples"
BY_RELEASED_LEVELS = "by released clip levels"
EDGE_TERMS = (
    "edge sensitivity noise_scale share spends signal_to_noise averages moments tensor mass clip"
    " sigma_k gap gamma_s factors topic"
)
RELEASE_TERMS = (
    "edge release sensitivity noise_scale share word_counts statistic averages tensor clip mass"
    " unreadable"
)
MINIBATCH_TERMS = "minibatch statistic clip sensitivity noise_scale noise_multiplier"


def draw_edges(noise_rows: Sequence[EdgeNoise], status: Status, unit: str) -> None:
    """Draw a heading, a table of noised quantities in order of release, a caption, and the reasons.

    A message says what is wrong with a quantity, if something is.

    Args:
        noise_rows: at least one.
        status: of the calibration; the caption calls sensitivities claims if it is as published.
        unit: what is protected: a document or a person.
    """
    glossary.draw_heading("What every edge costs and hides", EDGE_TERMS)
    quantity_titles = name_quantities(noise_rows)
    figure_view.draw_table(
        (_edge_row(row, quantity_titles[row.name]) for row in noise_rows), "edge"
    )
    claimed_note = CLAIMED if status is Status.AS_PUBLISHED else ""
    budget_caption = _caption_of_budget(noise_rows[0])
    st.caption(
        f"*Sensitivity*: how far one replaced {unit} can move it{claimed_note}. {budget_caption}"
    )
    for row in noise_rows:
        if row.trouble:
            st.info(f"**{row.symbol}**: {row.trouble}", icon=":material/block:")
    reason_texts = (
        f"{_reason(row.symbol, row)} Compared: {row.compares}. {row.assumes}".rstrip()
        for row in noise_rows
    )
    _draw_reasons(unit, reason_texts)


def draw_releases(forecast_rows: Sequence[ForecastRelease], unit: str) -> None:
    """Draw a heading, a table with a row per group of equal releases, a caption, and the reasons.

    Rows cover every path that a run may take; the caption speaks of paths if there are several
    rows. Equal reasons are drawn once.

    Args:
        forecast_rows: at least one; later noise depends on earlier releases.
        unit: what is protected: a document or a person.
    """
    glossary.draw_heading("What every release costs", RELEASE_TERMS)
    figure_view.draw_table(map(_release_row, forecast_rows), "edge")
    caption_sentences = [f"*Sensitivity*: how far one replaced {unit} can move it."]
    if len(forecast_rows) > 1:
        caption_sentences.append(PATHS_CAPTION)
    caption_sentences.append(MU_CAPTION)
    st.caption(" ".join(caption_sentences))
    _draw_reasons(unit, dict.fromkeys(_reason(row.symbols, row) for row in forecast_rows))


def draw_minibatches(noise: MinibatchNoise, unit: str) -> None:
    """Draw the minibatches in a table and in words.

    Args:
        noise: of all minibatches; nothing in it depends on the contents of a document.
        unit: what is protected: a document or a person.
    """
    glossary.draw_heading("What every minibatch costs", MINIBATCH_TERMS)
    figure_view.draw_table(_minibatch_rows(noise), "quantity")
    st.caption(
        f"*Sensitivity*: how far one {unit} can move the mean by being in the minibatch or not,"
        " in words."
    )
    st.markdown("\n".join(f"- {sentence}" for sentence in _describe_minibatches(noise, unit)))


def _draw_reasons(unit: str, reasons: Iterable[str]) -> None:
    heading = f"**How far one {unit} can move it, and why**"
    st.markdown("\n".join([heading, "", *reasons]))


def _reason(symbol: str, noise_row: EdgeNoise | ForecastRelease) -> str:
    """Why a sensitivity is what it is, as an item of a list."""
    return f"- **{symbol}** ({noise_row.edge}, {noise_row.law}): {noise_row.why}"


def name_quantities(noise_rows: Sequence[EdgeNoise]) -> dict[str, str]:
    """Symbol and words of every quantity, different ones for each, by its name in a split.

    Quantities with the same text get what their edge carries, too.

    Args:
        noise_rows: noise of all quantities of one plan.
    """
    text_by_name = {row.name: f"{row.symbol} · {row.quantity}" for row in noise_rows}
    n_rows_by_text = Counter(text_by_name.values())
    for row in noise_rows:
        if (
            n_rows_by_text[text_by_name[row.name]] > 1
        ):  # released once for each use, as the pair moment is
            text_by_name[row.name] += f", for {SPECTRAL.arrow(row.edge).carries}"
    return text_by_name


def _edge_row(noise_row: EdgeNoise, quantity_name: str) -> dict[str, str]:
    """Make the cells of a quantity: sensitivity, noise, budget, and signal to noise.

    A last cell says in words how noise compares with the signal.
    """
    return {
        "edge": noise_row.edge.value,
        "quantity": quantity_name,
        "sensitivity": digits(noise_row.sensitivity),
        "noise scale": digits(noise_row.scale),
        "share": f"{noise_row.share:.1%}",
        "spends": _describe_spending(noise_row),
        "signal to noise": digits(noise_row.signal_to_noise),
        "in words": str(compare_with_noise(noise_row)),
    }


def _caption_of_budget(noise_row: EdgeNoise) -> str:
    """How the spendings of a table's rows, of which this is one, add up."""
    if noise_row.delta:
        return EPSILON_AND_DELTA_CAPTION
    return EPSILON_CAPTION if noise_row.epsilon else MU_CAPTION


def _describe_spending(noise_row: EdgeNoise) -> str:
    """Budget of a row: μ, or ε with its own δ where the run's is divided."""
    if not noise_row.epsilon:
        return f"μ {digits(noise_row.mu)}"
    if not noise_row.delta:
        return f"ε {digits(noise_row.epsilon)}"
    return f"ε {digits(noise_row.epsilon)}, δ {format_rounded_up(noise_row.delta)}"


def _release_row(forecast_row: ForecastRelease) -> dict[str, str]:
    """Make the cells of equal releases: when, how often, sensitivity, noise and budget.

    Sensitivity and noise that only a run determines are said to be so.
    """
    sensitivity = noise_scale = BY_RELEASED_LEVELS
    if not math.isnan(forecast_row.sensitivity):
        sensitivity = digits(forecast_row.sensitivity)
        noise_scale = format_scales(forecast_row.scales)
    return {
        "edge": str(forecast_row.edge),
        "quantity": f"{forecast_row.symbols} · {forecast_row.quantity}",
        "when": forecast_row.when,
        "how often": f"{forecast_row.times} times" if forecast_row.times > 1 else "once",
        "sensitivity": sensitivity,
        "noise scale": noise_scale,
        "share of μ²": format_range(forecast_row.share, "{:.1%}"),
    }


def _minibatch_rows(noise: MinibatchNoise) -> Iterator[dict[str, str]]:
    """Yield the cells of each quantity that minibatches release: sensitivity, noise and number.

    Every row has the same ε, which all minibatches of all quantities spend together.
    The ε says if it is not proven.
    """
    noise_multiplier = noise.schedule.noise_multiplier
    caveat_text = "" if noise.scheme.status is Status.PROVEN else ", not proven"
    spending_text = f"ε {format_rounded_up(noise.budget.epsilon)}{caveat_text}"
    for released_quantity, noise_scale, n_minibatches in released_quantities(noise):
        yield {
            "quantity": f"{released_quantity.symbol} · {released_quantity.words}",
            "sensitivity": digits(noise_scale / noise_multiplier),
            "noise multiplier σ": digits(noise_multiplier),
            "noise scale": digits(noise_scale),
            "minibatches": f"{n_minibatches:,}",
            "all minibatches together spend": spending_text,
        }


def _describe_minibatches(noise: MinibatchNoise, unit: str) -> Iterator[str]:
    """Yield sentences on sampling, clipping and the minibatches that count words alone.

    If minibatches are clipped instead of documents, says that the noise is too small; if all of
    them count words, that there are too few documents for topics.
    """
    sampling_rate = noise.schedule.sampling_rate
    clip_norm = noise.scheme.clip_norm
    yield (
        f"Each {unit} joins a minibatch by chance (ν = {sampling_rate:g}):"
        f" {noise.mean_batch_size:,.0f} of them on average."
    )
    if noise.scheme.clips_documents:
        yield (
            f"One {unit} adds at most C = {clip_norm:g} words to a minibatch; more are scaled down"
            " first."
        )
    else:
        yield (
            f"Only the *whole* minibatch is scaled down, to {clip_norm:g} words. One {unit} can"
            " move it"
            f" by √2 times that, so the noise is smaller than what one {unit} can change."
        )
    n_counting_words = noise.word_steps
    if n_counting_words:
        yield (
            f"The first {n_counting_words:,} minibatches count words alone, at most"
            f" {noise.settings.words_bound:g} words of each {unit}, with noise of"
            f" {digits(noise.word_noise_std)} on every word."
        )
    if n_counting_words == noise.schedule.steps:
        yield (
            f"There are too few {unit}s for topics at this ε: every topic is the overall word"
            " frequencies."
        )
