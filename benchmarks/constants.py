"""Costs of halving and doubling every constant of refinement, and the chapter of the documentation that lists them.

Needs two corpora of real text, at best 20 Newsgroups and Associated Press as bags of words:

    python -m benchmarks constants --corpus "20 Newsgroups=20ng/docword.txt.gz" --corpus "AP=ap/docword.txt.gz"

Simulated documents are drawn. A cost is the change of the error, in percent: mean L1 distance to the true topics of
simulated documents, completion perplexity of held-out text. Constants of evidence change no topic; their cost is the
change of the gain over its noise. Runs with a changed constant have the same noise as those without, and the error of a
cost is its standard error over the draws.
"""

import argparse
import ast
import json
import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np

from benchmarks.constant_kinds import NOT_MEASURED, OF_EVIDENCE, SHARES, WITH_PRIOR
from benchmarks.constant_settings import (
    MAX_DOCUMENTS,
    N_WORDS,
    Setting,
    chain_setting,
    noiseless_setting,
    prior_settings,
    read_text,
    simulated_settings,
    text_settings,
)
from benchmarks.remeasured import replace_rows
from dplda.core import assets
from dplda.core.errors import InputError
from dplda.methods.base.method import FitResult
from dplda.methods.refined.plan import constants as table
from dplda.methods.refined.plan import sum_bounds
from dplda.methods.refined.plan.constants import RefinedConstants

N_DRAWS = 6
SMALL_COST = 0.5  # percent, below which a cost is none
_INTRODUCTION = """# Constants of Refined

Refined has constants that were chosen before anybody saw your documents. The privacy guarantee holds for any values; only
the quality of topics depends on them.

A cost is the change of the error in percent. It runs from the least to the largest of all settings, with the largest
standard error over {n_draws} draws of noise. Positive means worse. The error is the distance to the true topics of
simulated documents, and the perplexity of held-out documents for real text. Constants of evidence change its noise over
its gain instead, and the parts of single topics are not counted. Costs beside a table, but for `prior_only_noise`, are of an
earlier rule for when steps are made there. A cost below twice its standard error says nothing. Texts have {n_words} words and at most
{max_documents:,} documents, so costs for larger ones may differ.

`python -m benchmarks constants` measures the costs and writes this text; all figures are in
`benchmarks/results/constants.json`. *The four corpora* are simulated documents, docstrings, 20 Newsgroups and Wikipedia's
leads. *The three corpora* are 20 Newsgroups, Associated Press and Wikipedia's leads. *Not recorded* means that nobody wrote
it down.

"""
_IDLE = "No change of these costs or gains more than half a percent and two standard errors here: "
RESULTS = Path(__file__).parent / "results" / "constants.json"
CHAPTER = assets.folder() / "docs" / "constants.md"
Value = float | int | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Constant:
    """One row of the table.

    Attributes:
        name: of a field of ``RefinedConstants``, or of a module constant.
        value: as it stands.
        purpose: what it does.
        chosen_on: what it was chosen on; "Technical" for one that changes speed, limits or last digits alone.
    """

    name: str
    value: Value
    purpose: str
    chosen_on: str

    @property
    def is_technical(self) -> bool:
        """Whether it changes speed, limits or last digits alone."""
        return self.chosen_on.startswith("Technical")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the corpora lie."""
    parser.add_argument(
        "--corpus",
        dest="corpora",
        action="append",
        required=True,
        metavar="NAME=PATH",
        help="a corpus of real text; give two",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        help="constants to measure anew; other rows stay as they were",
    )


def run(corpora: list[str], only: list[str] | None = None) -> Iterator[dict[str, object]]:
    """A row for each constant, change and setting; at the end, the chapter."""
    new_rows = _measured_rows(corpora, only)
    rows = new_rows
    if only:
        rows = replace_rows("constants", new_rows, ("constant", "setting", "change"))
    shown_rows = []
    for row in rows:
        shown_rows.append(row)
        yield row
    write_chapter(shown_rows)


def _measured_rows(corpora: list[str], only: list[str] | None) -> Iterator[dict[str, object]]:
    """Rows of all constants, or of those named."""
    texts = [read_text(*name_and_path.split("=", 1)) for name_and_path in corpora]
    without_prior = [
        *simulated_settings(),
        *chain.from_iterable(text_settings(*text) for text in texts),
    ]
    with_prior = list(chain.from_iterable(prior_settings(*text) for text in texts))
    for constant in measured_constants():
        if only and constant.name not in only:
            continue
        settings = with_prior if constant.name in WITH_PRIOR else without_prior
        if constant.name == "N_NOISELESS_PASSES":
            settings = [noiseless_setting(*text) for text in texts]
        if constant.name == "MAX_CONTINUED_EVIDENCE_SHARE":
            settings = [chain_setting(*text) for text in texts]
        for setting in settings:
            yield from _cost_rows(constant, setting)


def all_constants() -> tuple[Constant, ...]:
    """Every constant of refinement, in the order of its file, with what its docstring says."""
    source = Path(table.__file__).read_text("utf-8")
    body = ast.parse(source).body
    rows = [*_field_rows()]
    for statement, docstring in pairwise(body):
        if not isinstance(statement, ast.Assign) or not isinstance(docstring, ast.Expr):
            continue
        target = statement.targets[0]
        text = docstring.value
        assert isinstance(target, ast.Name)
        assert isinstance(text, ast.Constant)
        rows.append(_constant(target.id, getattr(table, target.id), str(text.value)))
    return tuple(rows)


def measured_constants() -> tuple[Constant, ...]:
    """Constants that this command varies."""
    return tuple(
        constant
        for constant in all_constants()
        if not constant.is_technical and constant.name not in NOT_MEASURED
    )


def changed_values(constant: Constant) -> dict[str, Value]:
    """Half and twice a value.

    Twice a share of one half or more is half way to 1; of several factors what goes beyond 1 is changed.
    """
    value = constant.value
    assert value is not None
    if isinstance(value, tuple):
        return {
            "halved": tuple(1 + (factor - 1) / 2 for factor in value),
            "doubled": tuple(1 + (factor - 1) * 2 for factor in value),
        }
    if isinstance(value, int):
        return {"halved": max(1, value // 2), "doubled": 2 * value}
    if constant.name in SHARES and value >= 0.5:
        return {"halved": value / 2, "doubled": (1 + value) / 2}
    return {"halved": value / 2, "doubled": value * 2}


def read_rows() -> list[dict[str, object]]:
    """Figures of the last measurement."""
    rows: list[dict[str, object]] = json.loads(RESULTS.read_text("utf-8"))["rows"]
    return rows


def write_chapter(rows: list[dict[str, object]]) -> None:
    """Write the chapter *Constants of Refined* from the table and measured costs."""
    CHAPTER.write_text(chapter(rows), "utf-8")


def chapter(rows: list[dict[str, object]]) -> str:
    """Text of the chapter.

    Args:
        rows: measured costs, as ``run`` yields them.
    """
    measured_names = {constant.name for constant in measured_constants()}
    constants = all_constants()
    settings = dict.fromkeys(str(row["setting"]) for row in rows)
    idle_names = [name for name in sorted(measured_names) if _changes_nothing(name, rows)]
    lines = [
        _INTRODUCTION.format(n_draws=N_DRAWS, n_words=N_WORDS, max_documents=MAX_DOCUMENTS),
        f"Settings: {'; '.join(settings)}.\n\n",
        "## Constants that change results\n\n",
        "| constant | value | what it does | chosen on | halving costs | doubling costs |\n",
        "| --- | --- | --- | --- | --- | --- |\n",
    ]
    for constant in constants:
        if constant.is_technical:
            continue
        cells = [_plain_markdown(constant.purpose), _plain_markdown(constant.chosen_on)]
        if constant.name in measured_names:
            cells += [_cost_range(constant.name, change, rows) for change in ("halved", "doubled")]
        else:
            cells += [NOT_MEASURED[constant.name], ""]
        lines.append(_table_row(f"`{constant.name}`", _format(constant.value), *cells))
    if idle_names:
        lines.append(f"\n{_IDLE}{', '.join(f'`{name}`' for name in idle_names)}.\n")
    lines.append("\n## Technical constants\n\n")
    lines.append("These change speed, limits or the last digits alone, and are not measured.\n\n")
    lines.append("| constant | value | what it does |\n| --- | --- | --- |\n")
    for constant in constants:
        if constant.is_technical:
            purpose = _plain_markdown(constant.purpose)
            lines.append(_table_row(f"`{constant.name}`", _format(constant.value), purpose))
    return "".join(lines)


def _table_row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _plain_markdown(text: str) -> str:
    """A docstring's sentence as Markdown, with a capital letter."""
    markdown = text.replace("``", "`").replace("|", "\\|")
    return markdown[:1].upper() + markdown[1:]


def _cost_range(name: str, change: str, rows: list[dict[str, object]]) -> str:
    """Least and largest cost over all settings, in percent, with the largest standard error."""
    change_rows = [row for row in rows if (row["constant"], row["change"]) == (name, change)]
    if not change_rows:
        return "not measured yet"
    costs = _numbers(change_rows, "cost_percent")
    if not costs:
        return "not allowed"
    if not any(costs):
        return "0"
    smallest = f"{min(costs):+.1f}"
    largest = f"{max(costs):+.1f}"
    cost_range = smallest if smallest == largest else f"{smallest} to {largest}"
    return f"{cost_range} (± {max(_numbers(change_rows, 'error_percent')):.1f})"


def _numbers(rows: list[dict[str, object]], column: str) -> list[float]:
    """The numbers of a column, without missing ones."""
    return [float(str(row[column])) for row in rows if row[column] is not None]


def _changes_nothing(name: str, rows: list[dict[str, object]]) -> bool:
    """Whether no change of a constant costs or gains more than half a percent and two standard errors."""
    cost_rows = [row for row in rows if row["constant"] == name and row["cost_percent"] is not None]
    return bool(cost_rows) and all(
        abs(float(str(row["cost_percent"])))
        <= max(SMALL_COST, 2 * float(str(row["error_percent"])))
        for row in cost_rows
    )


def _field_rows() -> Iterator[Constant]:
    """Fields of ``RefinedConstants`` with their entries in its docstring."""
    docstring = RefinedConstants.__doc__ or ""
    section = docstring.split("Attributes:")[1]
    values = RefinedConstants()
    for field in fields(RefinedConstants):
        entry = section.split(f"        {field.name}: ")[1]
        lines = entry.split("\n")
        text = [lines[0]]
        for line in lines[1:]:
            if not line.startswith("            "):
                break
            text.append(line)
        yield _constant(field.name, getattr(values, field.name), " ".join(text))


def _constant(name: str, value: Value, docstring: str) -> Constant:
    """A row from a docstring, which ends in what the value was chosen on."""
    text = " ".join(docstring.split())
    for marker in ("Chosen on", "Not recorded", "Not tuned", "Technical"):
        if f" {marker}" in text:
            purpose, details = text.split(f" {marker}", 1)
            return Constant(name, value, purpose.strip(), f"{marker}{details}")
    raise ValueError(f"{name} does not say what it was chosen on")


def _format(value: Value) -> str:
    if value is None:
        return "None"
    if isinstance(value, tuple):
        return ", ".join(f"{number:g}" for number in value)
    return f"{float(value):.6g}"


def _cost_rows(constant: Constant, setting: Setting) -> Iterator[dict[str, object]]:
    """Costs of both changes of a constant in one setting."""
    usual_losses = _losses(constant.name, setting, None)
    for change, value in changed_values(constant).items():
        row = {
            "constant": constant.name,
            "setting": setting.name,
            "change": change,
            "value": list(value) if isinstance(value, tuple) else value,
        }
        try:
            changed_losses = _losses(constant.name, setting, value)
        except InputError:
            yield row | {"cost_percent": None, "error_percent": None}
            continue
        log_ratios = np.log(changed_losses) - np.log(usual_losses)
        mean_cost = math.expm1(float(np.mean(log_ratios)))
        standard_error = float(np.std(log_ratios, ddof=1)) / math.sqrt(len(log_ratios))
        yield row | {
            "cost_percent": round(100 * mean_cost, 2),
            "error_percent": round(100 * standard_error, 2),
        }


def _losses(name: str, setting: Setting, value: Value) -> list[float]:
    """Loss of every draw with a constant changed; with None as it stands."""
    of_evidence = name in OF_EVIDENCE
    if value is None:
        return [_usual_loss(setting, seed, of_evidence=of_evidence) for seed in range(N_DRAWS)]
    constants = RefinedConstants()
    with ExitStack() as stack:
        if hasattr(constants, name):
            constants = replace(constants, **{name: value})
        else:
            _patch_constant(stack, name, value)
        return [
            _loss(setting, setting.fit(constants, seed), of_evidence=of_evidence)
            for seed in range(N_DRAWS)
        ]


@cache
def _usual_loss(setting: Setting, seed: int, *, of_evidence: bool) -> float:
    return _loss(setting, setting.fit(RefinedConstants(), seed), of_evidence=of_evidence)


def _loss(setting: Setting, result: FitResult, *, of_evidence: bool) -> float:
    if not of_evidence:
        return setting.error(result)
    assert result.evidence is not None
    return result.evidence.gain_noise / max(result.evidence.gain_nats, 0.01)


def _patch_constant(stack: ExitStack, name: str, value: Value) -> None:
    """Change a module constant wherever a module of refinement has imported it."""
    modules = [
        module for key, module in sys.modules.items() if key.startswith("dplda.methods.refined")
    ]
    for module in modules:
        if name in vars(module):
            stack.enter_context(patch.object(module, name, value))
    if name == "MAX_TOPIC_PART":  # the bound of evidence follows from it
        assert isinstance(value, float)
        distance = math.sqrt(4 + 1 + 4 * value**2) * (1 + 2**-50)
        stack.enter_context(patch.object(sum_bounds, "EVIDENCE_DISTANCE", distance))
