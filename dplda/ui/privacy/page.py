"""Everything below the flow graph: all of it about the plan in force."""

from dplda.ui.privacy import accounting_view, edge_view, error_view, pin_view, split_view
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.preview import preview


def below(experiment: Experiment) -> None:
    """Draw the table of edges, the split, the ways of adding up, the errors, and two plans side by side."""
    found = preview(experiment)
    rows = () if found is None else found.rows
    if rows:
        edge_view.table(rows)
    split_view.controls(experiment, rows, found)
    accounting_view.accountings(experiment, {row.name: row.symbol for row in rows})
    if found is not None:
        error_view.errors(experiment, found)
        pin_view.plans(experiment, found)
