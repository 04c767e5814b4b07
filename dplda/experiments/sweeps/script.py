"""A sweep as a Python script that needs nothing but this package."""

from dplda.experiments.specs.sources import FileSource
from dplda.experiments.specs.spec import Sweep

_SCRIPT = '''\
"""Computes a sweep of private topic models again, or one number of it.

    python sweep.py                      the whole sweep, as CSV on standard output
    python sweep.py --setting NAME --method METHOD [--epsilon E] [--corpus 0] [--repeat 0] [--value {value}]

The second form prints one number of the CSV: it is the same to the last digit on the machine that computed it, and the
same up to rounding elsewhere.
Needs dplda {version}.
"""

import argparse
import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is imported: sums run on threads of their own

from dplda.experiments.sweeps import Store, Sweep, one_cell, run, to_csv

{files}SPEC = {spec}


def main() -> None:
    parser = argparse.ArgumentParser(description="Computes a sweep again, or one number of it.")
    parser.add_argument("--setting")
    parser.add_argument("--method")
    parser.add_argument("--epsilon", type=float)
    parser.add_argument("--corpus", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--value", default="{value}")
    options = parser.parse_args()
    sweep = Sweep.from_toml(SPEC)
    if options.setting is None:
        store = Store(sweep)
        run(sweep, store)
        print(to_csv(store.frame()), end="")
        return
    row = one_cell(
        sweep,
        setting=options.setting,
        method=options.method,
        epsilon=options.epsilon,
        corpus=options.corpus,
        repeat=options.repeat,
    )
    print(row.refused or row.failed or repr(getattr(row, options.value)))


main()
'''


def script_for(sweep: Sweep, *, version: str, value: str = "l1_sum") -> str:
    """A script that computes a sweep again, or prints one number of it."""
    sources = [setting.source for setting in sweep.settings]
    paths = [path for source in sources if isinstance(source, FileSource) for path in source.files]
    # ascii() leaves no line break in a path, so a comment stays a comment
    listed = "".join(f"#   {path!a}\n" for path in dict.fromkeys(paths))
    files = f"# Files that are read, from the folder this is started in; change their paths in SPEC:\n{listed}"
    return _SCRIPT.format(spec=_literal(sweep.to_toml()), version=version, value=value, files=files if paths else "")


def _literal(text: str) -> str:
    """A Python expression of the text, one line of it a line."""
    lines = "\n".join(f"    {line!r}" for line in text.splitlines(keepends=True))
    return f"(\n{lines}\n)"
