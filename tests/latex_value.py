"""The value of a formula as a reader works it out from its LaTeX, digits and all."""

import math
import re

FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log}


def latex_value(latex: str) -> float:
    """Evaluate an expression of numbers, fractions, roots, logarithms, powers and dots.

    Raises:
        ValueError: something else stands in it.
    """
    plain = _without_style(latex)
    python = _python(plain)
    if re.search(r"[^0-9eE+\-*/(). sqrtln]", python):
        raise ValueError(python)
    return float(eval(python, {"__builtins__": {}}, FUNCTIONS))


def _without_style(latex: str) -> str:
    """The formula without colors, sizes of parentheses, and groups of digits."""
    plain = latex.replace("{,}", "")
    while "\\textcolor" in plain:
        start = plain.index("\\textcolor")
        color_end = _closing(plain, start + len("\\textcolor"))
        inner_end = _closing(plain, color_end + 1)
        plain = plain[:start] + plain[color_end + 1 : inner_end + 1] + plain[inner_end + 1 :]
    plain = plain.replace("\\underline", "").replace("\\left", "").replace("\\right", "")
    return plain.replace("\\,", " ").replace("\\cdot", "*")


def _python(plain: str) -> str:
    """The same in Python, products with a number or a parenthesis before them written out."""
    python = ""
    position = 0
    while position < len(plain):
        if plain.startswith("\\frac", position):
            above_end = _closing(plain, position + 5)
            below_end = _closing(plain, above_end + 1)
            above, below = plain[position + 6 : above_end], plain[above_end + 2 : below_end]
            python = f"{_dotted(python)}(({_python(above)})/({_python(below)}))"
            position = below_end + 1
        elif plain.startswith("\\sqrt", position):
            end = _closing(plain, position + 5)
            python = f"{_dotted(python)}sqrt({_python(plain[position + 6 : end])})"
            position = end + 1
        elif plain.startswith("\\ln", position):
            python = f"{_dotted(python)}ln"
            position += 3
        elif plain.startswith("^{", position):
            end = _closing(plain, position + 1)
            python += f"**({_python(plain[position + 2 : end])})"
            position = end + 1
        elif plain[position] == "{":
            end = _closing(plain, position)
            python = f"{_dotted(python)}({_python(plain[position + 1 : end])})"
            position = end + 1
        elif plain[position] in "([":
            python = f"{_dotted(python) if not python.endswith('ln') else python}("
            position += 1
        else:
            python += ")" if plain[position] == "]" else plain[position]
            position += 1
    return python


def _dotted(python: str) -> str:
    """The text so far, with a product sign where a factor stands right before the next one."""
    return f"{python}*" if re.search(r"[0-9)]\s*$", python) else python


def _closing(text: str, opening: int) -> int:
    """The place of the brace that closes the one at ``opening``."""
    assert text[opening] == "{", text[opening:]
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    raise ValueError(text)


def underbraced(latex: str) -> list[tuple[str, str]]:
    """Every expression with a brace below it, and what is written below the brace."""
    expressions = []
    for match in re.finditer(r"\\underbrace", latex):
        end = _closing(latex, match.end())
        below_end = _closing(latex, end + 2)
        expressions.append((latex[match.end() + 1 : end], latex[end + 3 : below_end]))
    return expressions
