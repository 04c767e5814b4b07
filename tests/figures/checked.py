"""Figures in Plotly's classes, which refuse what they do not know."""

import plotly.graph_objects as go

from dplda.figures.figure import Figure


def checked(figure: Figure, *, dark: bool = False) -> go.Figure:
    """The figure as Plotly holds it."""
    return go.Figure(figure.spec(dark=dark))
