"""The cells of a map by how much of a corpus one document can undo, so that maps of different sizes can be compared."""

import math
from collections.abc import Mapping

from dplda.figures import theme
from dplda.figures.error_curves import look
from dplda.figures.marks import GREY, your_experiment
from dplda.figures.plain import Figure, scatter
from dplda.figures.regimes import OUTCOMES, PLOT, method_letter
from dplda.methods import parse_method
from dplda.prediction.regime_axes import Axis, Point
from dplda.prediction.regimes import Outcome, RegimeMap, Signal
from dplda.shown import digits

INFEASIBLE, USABLE = 100, 500  # σk/Δ2, from runs of configuration 1 at ε near 1
UNMOVED = (Axis.EPSILON, Axis.DELTA)


def regime_signals(
    found: RegimeMap, signals: Mapping[Point, Signal], *, here: Signal | None = None, dark: bool = False
) -> Figure:
    """Every cell of a map at its ``σk/Δ2`` and its ``γs/ΔT``.

    Where one axis of the map is ε or δ, which move neither, that axis stays and stands in the place of ``γs/ΔT``.

    Args:
        found: decides who wins.
        signals: of every point of the map.
        here: of the current experiment, marked where both axes are signals.
        dark: whether the page's ground is dark.

    Example:
        >>> from dplda.figures import made_up, regime_signals
        >>> print(regime_signals(made_up.regime_map(), made_up.signals()).layout.title.text)
        Above σk/Δ₂ = 10 topics beat the private<br>unigram everywhere
    """
    other = _unmoved(found)
    points = _points(found, signals, other)
    figure = Figure()
    for code in sorted({code for *_, code in points}, key=lambda code: (code < 0, abs(code))):
        chosen = [(x, y, text) for x, y, text, each in points if each == code]
        figure.add_trace(
            scatter(
                x=[x for x, _, _ in chosen],
                y=[y for _, y, _ in chosen],
                text=[text for *_, text in chosen],
                mode="markers",
                name=_name(found, code),
                marker=_marker(found, code),
                hovertemplate="%{text}<extra></extra>",
                showlegend=True,
            )
        )
    if here is not None and other is None and here.tensor > 0:
        said = "σk/Δ₂ = %{x:.3g}, γs/ΔT = %{y:.3g}"
        figure.add_trace(your_experiment(here.pairs, here.tensor, said, size=16, dark=dark))
    _rule_of_thumb(figure, [x for x, *_ in points])
    figure.update_xaxes(dict(type="log", title_text="σk/Δ₂ (documents, log)", exponentformat="power", nticks=5))
    y_title = "γs/ΔT (documents, log)" if other is None else f"{other.label} (log)"
    figure.update_yaxes(dict(type="log", title_text=y_title, exponentformat="power", nticks=6))
    figure.update_layout(dict(hovermode="closest", showlegend=True))
    theme.finish(figure, title=regime_signals_finding(found, signals), height=PLOT + 120)
    return figure.update_layout(dict(legend={"y": -0.2, "font_size": 12}))


def regime_signals_finding(found: RegimeMap, signals: Mapping[Point, Signal]) -> str:
    """From which signal on topics are better than the private unigram, a sentence."""
    useful: list[float] = []
    useless: list[float] = []
    for row, column, point in found.grid.points():
        if found.done[row, column]:
            (useful if found.worth[row, column] else useless).append(signals[point].pairs)
    if not useful:
        return "Nothing surely beats the private unigram at any σk/Δ₂ here" if useless else "No cell yet"
    if not useless:
        return f"From σk/Δ₂ = {digits(min(useful), 2)} on, the least here, topics surely beat the private unigram"
    always = [value for value in useful if value > max(useless)]
    if always:
        return f"Above σk/Δ₂ = {digits(max(useless), 2)} topics beat the private unigram everywhere"
    return f"σk/Δ₂ alone does not decide: up to {digits(max(useless), 2)} there are cells where nothing works"


def regime_signals_alt(found: RegimeMap, signals: Mapping[Point, Signal]) -> str:
    """The figure in words: the finding and both ranges.

    Example:
        >>> from dplda.figures import made_up, regime_signals_alt
        >>> print(regime_signals_alt(made_up.regime_map(), made_up.signals()))
        Above σk/Δ₂ = 10 topics beat the private unigram everywhere. σk/Δ₂ goes from 10 to 1,000, γs/ΔT from 20 to
        20.
    """
    known = [signals[point] for _, _, point in found.grid.points() if point in signals]
    if not known:
        return f"{regime_signals_finding(found, signals)}."
    pairs, tensor = [one.pairs for one in known], [one.tensor for one in known]
    return (
        f"{regime_signals_finding(found, signals)}. σk/Δ₂ goes from {digits(min(pairs))} to {digits(max(pairs))},"
        f" γs/ΔT from {digits(min(tensor))} to {digits(max(tensor))}."
    )


def _unmoved(found: RegimeMap) -> Axis | None:
    return next((axis for axis in (found.grid.y, found.grid.x) if axis in UNMOVED), None)


def _points(
    found: RegimeMap, signals: Mapping[Point, Signal], other: Axis | None
) -> list[tuple[float, float, str, int]]:
    """Place, hovering text and outcome of every cell that can be placed: a signal of 0 has no logarithm."""
    placed = []
    for row, column, point in found.grid.points():
        if (signal := signals.get(point)) is None:
            continue
        y = signal.tensor if other is None else point.at(other)
        if signal.pairs <= 0 or y <= 0:
            continue
        code = int(found.winners[row, column])
        at = ", ".join(f"{axis.symbol} = {axis.text(point.at(axis))}" for axis in (found.grid.x, found.grid.y))
        error = found.least[row, column]
        said = f"least error {digits(error)}" if math.isfinite(error) else "not yet"
        placed.append(
            (
                signal.pairs,
                y,
                f"{at}<br>σk/Δ₂ = {digits(signal.pairs)}, γs/ΔT = {digits(signal.tensor)}<br>{said}",
                code,
            )
        )
    return placed


def _name(found: RegimeMap, code: int) -> str:
    if code < 0:
        letter, words, _ = OUTCOMES[Outcome(code)]
        return f"{letter}  {words}"
    return f"{method_letter(found.methods[code])}  {parse_method(found.methods[code]).title}"


def _marker(found: RegimeMap, code: int) -> dict[str, object]:
    if code < 0:
        return {"symbol": "x-thin-open", "size": 8, "color": GREY, "line": {"width": 1.5}}
    drawn = look(found.methods[code])
    return {"symbol": drawn.marker, "size": 8, "color": drawn.colour, "opacity": 0.85}


def _rule_of_thumb(figure: Figure, shown: list[float]) -> None:
    if not shown:
        return
    for value, words in ((INFEASIBLE, "100"), (USABLE, "500")):
        if min(shown) <= value <= max(shown):
            figure.add_vline(x=value, line={"color": theme.MUTED, "width": 1.5, "dash": "dot"})
            figure.add_annotation(
                dict(x=math.log10(value), y=1, yref="paper", yanchor="bottom", text=words, name="rule")
            )
