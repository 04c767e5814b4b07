"""What was spent on each dataset as time went by: steps that end below a cap."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import accumulate

from dplda.core.formatting import counted
from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure
from dplda.privacy.odds import remaining, short

Charges = Mapping[str, Sequence[tuple[str, float]]]
"""By dataset: when each charge was made, ISO 8601, and its ε."""
HEIGHT = 300  # pixels
AROUND = timedelta(hours=12)  # shown before the first charge and after the last, so that a single one has a cap too


def spending(charges: Charges, caps: Mapping[str, float]) -> Figure:
    """Sums of ε over time, a line for each dataset; dotted, its cap.

    Args:
        charges: by dataset, in order.
        caps: ε that each may spend in all.
    """
    drawing = Drawing()
    times = sorted(datetime.fromisoformat(at) for made in charges.values() for at, _ in made)
    for place, (name, made) in enumerate(charges.items()):
        if not made:
            continue
        colour, title = theme.PALETTE[place % len(theme.PALETTE)], theme.plain(name)
        around = [(times[0] - AROUND).isoformat(), (times[-1] + AROUND).isoformat()]
        stroke, lines = {"color": colour, "shape": "hv"}, "lines+markers"
        drawing.add(scatter(x=[at for at, _ in made], y=_sums(made), name=title, mode=lines, line=stroke))
        stroke, cap = {"color": colour, "dash": "dot"}, [caps[name]] * 2
        drawing.add(scatter(x=around, y=cap, name=f"cap of {title}", mode="lines", line=stroke))
    drawing.y(dict(title_text="ε spent", rangemode="tozero"))
    drawing.set(dict(font_color=theme.INK))
    spent = {name: short([0.0, *_sums(made)][-1]) for name, made in charges.items()}
    told = (f"{spent[name]} of {remaining(caps[name])} in {counted(len(charges[name]), 'release')}" for name in charges)
    said = [f"{name} {each}" for name, each in zip(charges, told, strict=True)]
    return Figure(_finding(charges, caps), f"ε spent: {'; '.join(said)}.", HEIGHT, drawing)


def _finding(charges: Charges, caps: Mapping[str, float]) -> str:
    """Which dataset has spent most of its cap."""
    parts = {name: sum(epsilon for _, epsilon in made) / caps[name] for name, made in charges.items() if made}
    most = max(parts, key=lambda name: parts[name])
    return f"{theme.plain(most)} has spent {parts[most]:.0%} of its ε"


def _sums(made: Sequence[tuple[str, float]]) -> list[float]:
    """What was spent after each charge, added up as decimals, which charges are."""
    return [float(spent) for spent in accumulate(Decimal(repr(epsilon)) for _, epsilon in made)]
