"""A figure as plain HTML without scripts; it can have bars, dots, words, notes and vertical lines."""

import html
import json

from dplda.figures.figure import LETTERS, Figure

LINE = 1.2  # height of a line, in sizes of its letters
RISES = {
    "top": 0.0,
    "bottom": LINE,
}  # from a text's place to its upper end, likewise; else half a line


def still(figure: Figure, *, dark: bool = False) -> str:
    """The figure as HTML, as wide as its container and with its own height; pointing at a mark shows its text.

    The class ``still`` of the page's style places its parts. Texts are HTML already, in every figure.
    """
    spec = json.loads(json.dumps(figure.spec(dark=dark)))
    layout, data, parts, names = spec["layout"], spec["data"], list[str](), ""
    (left, right), (low, high), margin = (
        layout["xaxis"]["range"],
        layout["yaxis"]["range"],
        layout["margin"],
    )
    tall = layout["height"] - margin["t"] - margin["b"]

    def at(x: float, y: float, up: float = 0.0, side: str = "left") -> str:
        across, down = (
            (x - left) / (right - left),
            margin["t"] + tall * (high - y) / (high - low) - up,
        )
        return f"{side}:{100 * (across if side == 'left' else 1 - across):.2f}%;top:{down:.1f}px"

    def write(said: str, place: str, font: dict[str, object]) -> None:
        look = f"font-size:{font.get('size', LETTERS)}px;color:{font.get('color', 'inherit')}"
        parts.append(f'<span style="{place};{look}">{said}</span>')

    write(f"<b>{layout['title']['text']}</b>", "left:0;top:6px", layout["title"]["font"])
    for line in layout.get("shapes", ()):
        pen = f"border-left:{line['line']['width']}px dashed {line['line']['color']}"
        parts.append(f'<div style="{at(line["x0"], high)};height:{tall}px;{pen}"></div>')
    for trace in data:
        says, places = (
            trace.get("hovertemplate", "").partition("<extra>")[0],
            zip(trace["x"], trace["y"], strict=True),
        )
        if trace["type"] == "bar":
            look = f"height:{tall * trace['width'] / abs(high - low):.1f}px;background:{trace['marker']['color']}"
            look += f";opacity:{trace['marker']['opacity']:.3f}"
            for (long, row), base, word in zip(places, trace["base"], trace["text"], strict=True):
                wide, said = (
                    f"width:{100 * long / (right - left):.2f}%",
                    says.replace("%{text}", word),
                )
                parts.append(
                    f'<div style="{at(base, row - trace["width"] / 2)};{wide};{look}" title="{said}"></div>'
                )
        elif trace["mode"] == "markers":
            colour, kind = trace["marker"]["color"], trace["marker"]["symbol"]
            dots = "".join(f'<i class="{kind}" style="{at(x, y)}"></i>' for x, y in places)
            parts.append(f'<div style="color:{colour};inset:0" title="{says}">{dots}</div>')
            names += f'<i class="{kind}" style="color:{colour}"></i> {trace["name"]}'
        else:
            for (x, y), word in zip(places, trace["text"], strict=True):
                write(word, at(x, y, LINE / 2 * trace["textfont"]["size"]), trace["textfont"])
    for note in layout.get("annotations", ()):
        x = left if note["xref"] == "paper" else note["x"]
        y = note["y"] if note["yref"] == "y" else low + note["y"] * (high - low)
        up = RISES.get(note.get("yanchor", ""), LINE / 2) * note["font"]["size"] + note.get(
            "yshift", 0
        )
        place = at(x, y, up, note["xanchor"])
        write(note["text"], f"{place};margin:0 {abs(note.get('xshift', 0))}px", note["font"])
    if names:
        write(names, f"left:0;top:{layout['height'] - margin['b'] + 9}px", {})
    look = f'class="still" role="img" aria-label="{html.escape(figure.alt)}" style="height:{layout["height"]}px"'
    return f"<div {look}>{''.join(parts)}</div>"
