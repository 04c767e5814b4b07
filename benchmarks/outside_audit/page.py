"""Writes the page Record of the documentation from rows of the outside audit, and never by hand."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

from dplda.methods.registry import METHODS

PAGE = Path(__file__).parents[2] / "assets" / "docs" / "record.md"
PACKAGES = ("dplda", "opendp", "dp-accounting", "numpy", "scipy")
SECTIONS = ("releases", "cost", "noise", "controls")
COST_NUMBERS = (
    *("releases", "epsilon", "delta", "our_cost", "opendp_cost", "dp_accounting_delta"),
)
Row = Mapping[str, object]


def write_page(rows: Sequence[Row]) -> None:
    """Write the page of a whole audit.

    Args:
        rows: of all sections.
    """
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    made_with = f"{date.today().isoformat()}, Python {platform.python_version()}, {versions}"
    PAGE.write_text(make_page(rows, made_with), "utf-8")


def make_page(rows: Sequence[Row], made_with: str) -> str:
    """The page in Markdown.

    Args:
        rows: of all sections, each with its ``section``.
        made_with: date and versions.
    """
    parts = {name: [row for row in rows if row["section"] == name] for name in SECTIONS}
    return (
        "\n\n".join(
            [
                _introduction(parts, made_with),
                "## Releases, recorded and played",
                PLAYED,
                _table(
                    ("of", "release", "noise", "runs", "pairs", "distance", "verdict"),
                    map(_release_cells, _grouped(parts["releases"], "release", "law")),
                ),
                "## What releases cost together",
                COSTS,
                _table(
                    (
                        "of",
                        "runs",
                        "ε, δ",
                        "releases",
                        "ours",
                        "OpenDP",
                        "its ε",
                        "δ, dp-accounting",
                    ),
                    map(_cost_cells, _grouped(parts["cost"], *COST_NUMBERS)),
                ),
                "## Sources of noise, sampled",
                SAMPLED,
                _table(
                    ("source", "law", "draws", "p", "loss at least"),
                    map(_noise_cells, parts["noise"]),
                ),
                "## Runs broken on purpose",
                BROKEN,
                _table(("method", "fault", "found"), map(_control_cells, parts["controls"])),
                "## What this record does not show",
                LIMITS,
            ]
        )
        + "\n"
    )


def _introduction(parts: Mapping[str, Sequence[Row]], made_with: str) -> str:
    """What the audit found in three sentences, and how it was made."""
    releases = parts["releases"]
    controls = parts["controls"]
    costs = parts["cost"]
    n_holding = sum(bool(row["holds"]) for row in releases)
    n_pairs = sum(int(str(row["pairs"])) for row in releases)
    n_found = sum(bool(row["found"]) for row in controls)
    costs_with_opendp = [row for row in costs if "opendp_agrees" in row]
    n_agreed = sum(bool(row["opendp_agrees"]) for row in costs_with_opendp)
    return (
        f"{n_holding} of {len(releases)} releases kept their declared sensitivity and noise on {n_pairs:,} played pairs."
        f" OpenDP agrees with the charge of {n_agreed} of {len(costs_with_opendp)} runs."
        f" {n_found} of {len(controls)} runs that were broken on purpose were found.\n\n"
        f"`python -m benchmarks audit` wrote this page ({made_with}). The method is Re:cord-play (Cebere and others,"
        " PETS 2026) by its published description, with our own recorder. The package `dp-recorder` is not on the"
        " package index, so it did not run here. [Audits](audits.md) lists the other audits."
    )


PLAYED = (
    "A run on one dataset is recorded: the input, noise and output of every call of a mechanism. Then the same code runs"
    " on a neighbor, and each call returns the recorded output. Calls, shapes and noise must be the same, and so must"
    " every byte of the result. *Distance* is the largest distance of the two inputs over the declared sensitivity, and"
    " must be at most 1. *Runs* are fits for documents and for persons, at ε = 8 and 1,000, with simulated and with exact"
    " noise, continued releases and whole released files. Neighbors replace one document by an extreme one, or all three"
    " documents of a person. A pair that is refused on both sides alike is not counted. Methods as published are not"
    " here: they promise nothing."
)
COSTS = (
    "Each run declares a sensitivity and a scale for every release. *Ours* is the charge, as ρ = μ²/2 for Gaussian and ε"
    " for Laplace noise; OpenDP maps the same sensitivity through its own mechanism (the discrete Gaussian, or Laplace)"
    " and adds up. *OpenDP's ε* comes from its conversion of ρ and is an upper bound, so it is larger than the promised"
    " ε, which our exact conversion gives. dp-accounting composes the releases as privacy loss distributions and gives δ"
    " at the promised ε: it must be about δ. It rounds up, so it may exceed δ by a part in a thousand. For random"
    " minibatches it knows removal of a document and a looser bound for replacement; our proof of replacement lies"
    " between the two, so there it does not confirm our number."
)
SAMPLED = (
    "Each source is drawn from by itself. *p* is the p-value of Kolmogorov and Smirnov's test against the declared law."
    " *Loss at least* is what an attacker proves about two inputs one scale apart (μ, or ε of Laplace noise): at most 1 is"
    " allowed, and noise of the"
    " declared size gives a little less. A test errs once in 10,000 times."
)
BROKEN = "An audit that passes these would be worth nothing. *Found* is the number of pairs that show the fault."
LIMITS = (
    "- **Neighbors are chosen, not all of them.** A release that holds on these pairs can fail on others. Proofs, the"
    " tests with random neighbors and the audit of worst cases are there for that.\n"
    "- **Words and groups that only the replaced document names** are outside of replay: they pass with a failure"
    " probability that δ pays for, and another test checks it.\n"
    "- **The recorder is ours.** It sits where noise is added, and sees nothing that passes it by but the results."
    " Results are compared byte by byte.\n"
    "- **`dp-vi` ran three steps** with random minibatches. The usual run has sixty, with the same code."
)


def _grouped(rows: Sequence[Row], *names: str) -> list[list[Row]]:
    """Rows of one title with equal values under these names, together, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        key = (_title(row), *(row.get(name) for name in names))
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _title(row: Row) -> str:
    """The method that was run, or what was released without one."""
    return _method(row) or str(row["case"]).split(",")[0]


def _release_cells(rows: list[Row]) -> tuple[str, ...]:
    """One release of a method in all its runs."""
    first_row = rows[0]
    release = str(first_row["release"])
    n_calls = max(int(str(row["calls"])) for row in rows)
    if n_calls > 1:
        release += f" ({n_calls} calls)"
    n_pairs = sum(int(str(row["pairs"])) for row in rows)
    largest_ratio = max(float(str(row["largest_ratio"])) for row in rows)
    violations = [row["violation"] for row in rows if not row["holds"]]
    return (
        _title(first_row),
        release,
        str(first_row["law"]),
        f"{len(rows)}",
        f"{n_pairs}",
        f"{largest_ratio:.4f}",
        f"**fails**: {violations[0]}" if violations else "holds",
    )


def _cost_cells(rows: list[Row]) -> tuple[str, ...]:
    """Costs of runs that cost the same, with the names of the runs."""
    costs = rows[0]
    epsilon = float(str(costs["epsilon"]))
    delta = float(str(costs["delta"]))
    accounted_delta = f"{float(str(costs['dp_accounting_delta'])):.4g}"
    if "dp_accounting_delta_replaced" in costs:
        delta_of_replacement = float(str(costs["dp_accounting_delta_replaced"]))
        accounted_delta += f" (removal) to {delta_of_replacement:.3g} (replacement)"
    opendp_epsilon = ""
    if costs.get("opendp_epsilon") is not None:
        opendp_epsilon = f"{float(str(costs['opendp_epsilon'])):.3g}"
    return (
        _title(costs),
        "; ".join(str(row["case"]) for row in rows),
        f"{epsilon:.3g}, {delta:.4g}",
        str(costs["releases"]),
        _number(costs.get("our_cost")),
        _number(costs.get("opendp_cost")) + (" ✓" if costs.get("opendp_agrees") else ""),
        opendp_epsilon,
        accounted_delta,
    )


def _noise_cells(row: Row) -> tuple[str, ...]:
    """One source of noise: law, number of draws, p-value and least loss."""
    n_draws = int(str(row["draws"]))
    p_value = float(str(row["p_value"]))
    least_loss = float(str(row["least_loss_at_1"]))
    return (
        str(row["source"]),
        str(row["law"]),
        f"{n_draws:,}",
        f"{p_value:.2f}",
        f"{least_loss:.2f}",
    )


def _control_cells(row: Row) -> tuple[str, ...]:
    pairs_with_fault = "**missed**"
    if row["found"]:
        pairs_with_fault = f"{row['pairs']} of {row['of']} pairs"
    return (_method(row), str(row["fault"]), pairs_with_fault)


def _method(row: Row) -> str:
    method = METHODS.get(str(row["method"]))
    return "" if method is None else method.title


def _number(value: object) -> str:
    return "" if value is None else f"{float(str(value)):.5g}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [" | ".join(heads), " | ".join("---" for _ in heads)]
    lines += [" | ".join(cell.replace("|", "/") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)
