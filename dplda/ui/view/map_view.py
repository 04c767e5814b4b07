"""A map of released topics: circles near each other use similar words, their area is their share of all words."""

import html

import numpy as np
import streamlit as st

from dplda.explore.colours import topic_colour
from dplda.explore.divergence import jensen_shannon
from dplda.explore.scaling import classical_scaling
from dplda.release.artefact import Artefact
from dplda.ui.literal import literal
from dplda.ui.view.cards_view import title

LARGEST, SMALLEST = 110, 18  # pixels across: of a circle with all words, and so that a number fits


def draw(release: Artefact) -> None:
    """The map, where there are two topics or more."""
    shown = list(release.readable)
    if len(shown) < 2:
        return
    rows = release.words[shown]
    distances = jensen_shannon(rows, rows)
    found = classical_scaling(distances)
    apart = distances + 2 * np.eye(len(shown))
    near = np.unravel_index(int(np.argmin(apart)), apart.shape)
    alike = " and ".join(title(release, shown[int(i)]) for i in sorted(near))
    circles = {
        "type": "scatter",
        "mode": "markers+text",
        "x": found.points[:, 0].tolist(),
        "y": found.points[:, 1].tolist(),
        "text": [str(i + 1) for i in shown],
        "hovertext": [html.escape(title(release, i)) for i in shown],
        "hoverinfo": "text",
        "textfont": {"size": 15, "color": "#e6ebf4" if st.context.theme.type == "dark" else "#1a2230"},
        "marker": {
            "size": np.maximum(LARGEST * np.sqrt(release.shares[shown]), SMALLEST).tolist(),
            "color": [topic_colour(i + 1) for i in shown],
            "opacity": 0.55,
        },
    }
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": 430,
        "margin": {"l": 60, "r": 60, "t": 60, "b": 60},
        "xaxis": hidden,
        "yaxis": {**hidden, "scaleanchor": "x"},
        "showlegend": False,
    }
    st.header("Map", anchor=False)
    st.plotly_chart(
        {"data": [circles], "layout": layout},
        key="view.map",
        alt=f"Map of topics. Most alike are {alike}.",
        config={"displayModeBar": False},
    )
    st.caption(
        f"Circles near each other use similar words; most alike are {literal(alike)}. The area of a circle is its share"
        f" of all words. The map holds {found.shown:.0%} of the distances."
    )
