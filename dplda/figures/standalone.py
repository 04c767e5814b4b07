"""A figure as a page of its own, which asks for nothing else."""

import html

import plotly.graph_objects as go
from plotly import io

from dplda.figures import theme
from dplda.figures.plain import Figure

CLEAR = "rgba(0,0,0,0)"
IMAGE = {"format": "svg", "filename": "dplda-figure"}


def figure_html(figure: Figure, *, alt: str, dark: bool = False) -> str:
    """HTML that shows a figure as it is on the page, without network; its camera button saves SVG.

    Returns:
        Some five million characters, as the library that draws figures is among them.
    """
    config = {"displaylogo": False, "toImageButtonOptions": IMAGE, "modeBarButtons": [["toImage"]], "responsive": True}
    clear = {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR, "template": "plotly_dark" if dark else "plotly_white"}
    shown = go.Figure(figure.to_dict()).update_layout(clear)
    drawn = io.to_html(shown, config=config, include_plotlyjs=True, full_html=False, div_id="figure")
    said = html.escape(alt)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>dplda</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>body {{ margin: 1rem; background: {theme.ground(dark=dark)}; color: {theme.ink(dark=dark)};"
        f" font: 1rem/1.5 system-ui, sans-serif }}</style></head><body><main>{drawn}<p>{said}</p>"
        "</main></body></html>\n"
    )
