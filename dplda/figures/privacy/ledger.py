"""What was spent on each dataset as time went by: steps that end below a cap."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

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
        colour, sums = theme.PALETTE[place % len(theme.PALETTE)], _sums(made)
        title, label = theme.plain(name), {"color": colour}
        steps = scatter(
            x=[at for at, _ in made], y=sums, name=title, mode="lines+markers", line=label | {"shape": "hv"}
        )
        cap = scatter(
            x=[(times[0] - AROUND).isoformat(), (times[-1] + AROUND).isoformat()],
            y=[caps[name]] * 2,
            name=f"cap of {title}",
            mode="lines",
            line=label | {"dash": "dot"},
        )
        drawing.add(steps, cap)
    drawing.y(dict(title_text="ε spent", rangemode="tozero"))
    drawing.set(dict(font_color=theme.INK))
    said = [
        f"{name} {short(_sum(made))} of {remaining(caps[name])} in {len(made)} release{'' if len(made) == 1 else 's'}"
        for name, made in charges.items()
    ]
    return Figure(_finding(charges, caps), f"ε spent: {'; '.join(said)}.", HEIGHT, drawing)


def _finding(charges: Charges, caps: Mapping[str, float]) -> str:
    """Which dataset has spent most of its cap."""
    parts = {name: sum(epsilon for _, epsilon in made) / caps[name] for name, made in charges.items() if made}
    most = max(parts, key=lambda name: parts[name])
    return f"{theme.plain(most)} has spent {parts[most]:.0%} of its ε"


def _sums(made: Sequence[tuple[str, float]]) -> list[float]:
    return [_sum(made[: place + 1]) for place in range(len(made))]


def _sum(made: Sequence[tuple[str, float]]) -> float:
    """Added up as decimals, which charges are."""
    return float(sum(Decimal(repr(epsilon)) for _, epsilon in made))
