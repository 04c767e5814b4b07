"""The flow of a method that learns from noisy minibatches: from documents to topics, and round again."""

import textwrap

import numpy as np
import plotly.graph_objects as go

from dplda.baselines.minibatch_noise import MinibatchNoise
from dplda.configurations.choice import TOO_SMALL
from dplda.figures import theme

ROW = 92  # pixels between two boxes
WIDE, HIGH = 0.62, 0.24  # half width and half height of a box, in units of the axes
LINE = 24  # letters in a box
TURN = 1.05  # how far out the loop goes


def minibatch_flow(noise: MinibatchNoise, *, dark: bool = False) -> go.Figure:
    """Boxes from documents to topics, the arrow on which noise enters, and the loop.

    Args:
        noise: its numbers stand in the boxes.
        dark: whether the page's ground is dark.

    Returns:
        A figure whose last trace is the one marker of noise.
    """
    ground, ink = theme.ground(dark=dark), theme.ink(dark=dark)
    boxes = _boxes(noise)
    figure = go.Figure()
    for place in range(len(boxes) - 1):
        noisy = place >= NOISE
        _arrow(figure, [0.0, 0.0], [-place - HIGH, -place - 1 + HIGH], noisy=noisy, head="triangle-down")
    along = np.linspace(0, np.pi, 30)
    middle, half = (READ + len(boxes) - 1) / 2, (len(boxes) - 1 - READ) / 2
    loop_x, loop_y = WIDE + (TURN - WIDE) * np.sin(along), -middle - half * np.cos(along)
    _arrow(figure, loop_x.tolist(), loop_y.tolist(), noisy=True, head="triangle-left")
    for place, text in enumerate(boxes):
        figure.add_shape(
            type="rect",
            x0=-WIDE,
            x1=WIDE,
            y0=-place - HIGH,
            y1=-place + HIGH,
            line={"color": theme.MUTED, "width": 1.5},
            fillcolor=ground,
        )
        figure.add_annotation(
            x=0,
            y=-place,
            text="<br>".join(textwrap.wrap(text, LINE)),
            showarrow=False,
            font={"size": 13, "color": ink},
            name="step",
        )
    for x, y, text in (
        (0.1, -NOISE - 0.5, f"<b>≈ noise</b>, σ = {noise.schedule.noise_multiplier:.3g}"),
        (TURN - 0.04, -middle, f"{noise.schedule.steps:,}<br>times"),
    ):
        figure.add_annotation(
            x=x,
            y=y,
            text=text,
            showarrow=False,
            xanchor="left",
            font={"size": 12, "color": ink},
            bgcolor=ground,
            borderpad=1,
            name="said",
        )
    figure.add_trace(
        go.Scatter(
            x=[0],
            y=[-NOISE - 0.5],
            mode="markers",
            marker={"size": 22, "symbol": "square", "color": theme.PRIVATE, "opacity": 1},
            hovertext=[
                f"Gaussian noise of standard deviation {noise.scale:.3g}<br>on every entry of every minibatch's mean"
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name="noise",
        )
    )
    figure.update_xaxes(range=[-0.7, 1.4], visible=False, fixedrange=True)
    figure.update_yaxes(range=[-len(boxes) + 1 - 0.32, 0.32], visible=False, fixedrange=True)
    figure.update_layout(showlegend=False, hovermode="closest", dragmode=False)
    return theme.finish(figure, title=_finding(noise), height=round((len(boxes) - 0.36) * ROW) + 60)


def minibatch_flow_alt(noise: MinibatchNoise) -> str:
    """The figure in words."""
    steps = " → ".join(_boxes(noise))
    return (
        f"{_finding(noise)}. Flow: {steps}, and back to the statistic, {noise.schedule.steps:,} times. Noise enters"
        f" between the mean statistic and the noisy one, σ = {noise.schedule.noise_multiplier:.3g}."
    )


NOISE, READ = 2, 2  # the boxes after which noise enters, and which reads the topics again


def _boxes(noise: MinibatchNoise) -> tuple[str, ...]:
    bounded = "each document's part" if noise.per_document else "the whole sum, not each document,"
    return (
        "Documents",
        f"Random minibatch: about {noise.expected:,.0f} of them",
        f"Mean statistic: {bounded} at most {noise.bound:g} words",
        "Noisy statistic",
        "Topics",
    )


def _finding(noise: MinibatchNoise) -> str:
    whole = "Every minibatch gets noise, and nothing else sees a document"
    return whole if noise.per_document else f"Every minibatch gets noise, {TOO_SMALL}"


def _arrow(figure: go.Figure, x: list[float], y: list[float], *, noisy: bool, head: str) -> None:
    colour = theme.PRIVATE if noisy else theme.MUTED
    line = {"color": colour, "width": 3 if noisy else 2}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    tip = {"symbol": head, "size": 13, "color": colour, "opacity": 1}
    across, down = (0.05, 0.0) if head == "triangle-left" else (0.0, 0.07)
    figure.add_trace(go.Scatter(x=[x[-1] + across], y=[y[-1] + down], mode="markers", marker=tip, hoverinfo="skip"))
