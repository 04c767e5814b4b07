"""The public page: what was found, what is promised of it, how it was made. A function of one file and of controls."""

import csv
import io
import os
from functools import cache
from pathlib import Path

import pandas as pd
import streamlit as st

from dplda.errors import DpldaError
from dplda.explore.relevance import most_probable
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.odds import odds, plainly, short
from dplda.release.artefact import Artefact, read_file, sha256, write
from dplda.spreadsheet import harmless
from dplda.ui.literal import literal
from dplda.ui.view import cards_view, map_view

VARIABLE = "DPLDA_RELEASED"
"""Environment variable that names the released file."""
_artefact = cache(read_file)


def draw() -> None:
    """Draw the page."""
    st.set_page_config(page_title="Released topics", layout="wide", initial_sidebar_state="collapsed")
    try:
        release = _artefact(Path(os.environ.get(VARIABLE, "")))
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    _head(release)
    cards_view.draw(release)
    map_view.draw(release)
    _word(release)
    _promise(release)
    _made(release)
    _files(release)


def _head(release: Artefact) -> None:
    promise = release.promise
    st.title(f"Topics of {literal(release.documents)}", anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.badge("Released, proven", icon=":material/verified_user:", color="green")
        st.markdown(
            f":small[ε {short(promise.epsilon)} · δ {short(promise.delta)} · {release.n_documents:,}"
            f" {Adjacency(promise.protected).unit}s ·"
            f" {literal(release.method)} · {release.released[:10]}]"
        )
    st.markdown(
        "What these documents are about, found under differential privacy: noise was added to whatever was read off"
        " them. Everything here is made of one released file, and controls only show it otherwise."
    )


def _word(release: Artefact) -> None:
    st.header("One word", anchor=False)
    chosen = st.selectbox("Word", sorted(release.vocabulary), key="view.word", width=320)
    index = release.vocabulary.index(str(chosen))
    rows = pd.DataFrame(
        {
            "Topic": [cards_view.title(release, i) for i in release.readable],
            "Chance (%)": [100 * float(release.words[i, index]) for i in release.readable],
            "90 % interval": [cards_view.interval(release, i, index) for i in release.readable],
        }
    )
    st.dataframe(rows, hide_index=True, column_config={"Chance (%)": st.column_config.NumberColumn(format="%.2f")})
    st.caption(f"In all documents taken together: {100 * float(release.mean_words[index]):.2f} %.")


def _promise(release: Artefact) -> None:
    promise = release.promise
    st.header("What is promised", anchor=False)
    numbers, protected = f"ε = {short(promise.epsilon)}, δ = {short(promise.delta)}", Adjacency(promise.protected)
    st.markdown(f"**Mechanism proven: ({numbers})-differentially private when {protected.happens}.**")
    unit = protected.unit
    less = {
        "document": "Somebody who wrote m of the documents is protected less: ε counts m times, δ grows faster.",
        "person": "Nobody is protected from what others wrote of them.",
    }
    st.markdown(
        f"{plainly(promise.epsilon, promise.delta, unit)} Odds move by {odds(promise.epsilon)} at most, but for δ."
        f" {less[unit]}"
    )
    with st.expander("What this rests on"):
        st.markdown("\n".join(f"- {literal(said)}" for said in promise.rests_on))
    st.caption(
        "Nobody has signed this file: whoever doubts it asks its owner for the SHA-256 on the receipt, which has to be"
        f" `{sha256(release)}`."
    )


def _made(release: Artefact) -> None:
    st.header("How it was made", anchor=False)
    unit = Adjacency(release.promise.protected).unit
    rows = pd.DataFrame(
        {
            "What was released": [one.quantity for one in release.drawn],
            "Times": [one.times for one in release.drawn],
            "Size": [" × ".join(map(str, one.shape)) or "one number" for one in release.drawn],
            f"One {unit} moves it by at most": [one.sensitivity for one in release.drawn],
            "Size of the noise": [one.scale for one in release.drawn],
        }
    )
    st.dataframe(rows, hide_index=True)
    versions = ", ".join(f"{name} {number}" for name, number in release.versions.items())
    st.caption(
        f"{release.n_topics} topics were asked for, α₀ = {release.alpha0:g}, {len(release.vocabulary):,} words."
        f" Paid by charge {release.charge[:16]}… of its owner's ledger. {literal(versions)}."
    )


def _files(release: Artefact) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "The released file",
            data=lambda: write(release),
            file_name="release.dplda.json",
            mime="application/json",
            on_click="ignore",
            key="view.file",
        )
        st.download_button(
            "Topics (CSV)",
            data=lambda: topics_csv(release),
            file_name="topics.csv",
            mime="text/csv",
            on_click="ignore",
            key="view.csv",
        )


def topics_csv(release: Artefact) -> str:
    """Readable topics as a table, a row for each topic and word; words that a spreadsheet would compute are marked."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["topic", "word", "probability", "lower", "upper"])
    for i in release.readable:
        for index in most_probable(release.words[i], len(release.vocabulary)):
            ends = ["" if end is None else repr(float(end[i, index])) for end in (release.lower, release.upper)]
            word = harmless(release.vocabulary[index])
            writer.writerow([i + 1, word, repr(float(release.words[i, index])), *ends])
    return table.getvalue()
