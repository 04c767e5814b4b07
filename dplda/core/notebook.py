"""Cells as a Jupyter notebook, and the one with which all of ours begin."""

import json
from collections.abc import Sequence

THREADS = (
    "import os\n\n"
    'for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):\n'
    '    os.environ[name] = "1"  # before NumPy is imported: sums run on threads of their own'
)


def as_notebook(parts: Sequence[tuple[str, str]]) -> str:
    """The text of an ``.ipynb`` file.

    Args:
        parts: ``markdown`` or ``code``, and the text of each cell, in order.
    """
    cells = []
    for number, (cell, source) in enumerate(parts):
        made: dict[str, object] = {"cell_type": cell, "id": f"cell-{number}", "metadata": {}}
        made["source"] = source.splitlines(keepends=True)
        if cell == "code":
            made |= {"execution_count": None, "outputs": []}
        cells.append(made)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
