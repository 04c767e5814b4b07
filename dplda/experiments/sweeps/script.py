"""A sweep as a Python script that needs nothing but this package."""

from dplda.experiments.run_script import ONE_THREAD
from dplda.experiments.specs.sources import FileSource
from dplda.experiments.specs.spec import Sweep

_SCRIPT = '''\
"""Computes a sweep of private topic models again, as CSV on standard output.

Numbers are the same to the last digit on the machine that computed them, and the same up to rounding elsewhere. Take
methods, values of ε or settings out of SPEC for fewer of them: those that stay are the same.
Needs dplda {version}.
"""

{threads}

from dplda.experiments.sweeps import Store, Sweep, run, to_csv

{files}SPEC = {spec}

sweep = Sweep.from_toml(SPEC)
store = Store(sweep)
run(sweep, store)
print(to_csv(store.frame()), end="")
'''


def script_for(sweep: Sweep, *, version: str) -> str:
    """A script that computes a sweep again, or a part of it."""
    sources = [setting.source for setting in sweep.settings]
    paths = [path for source in sources if isinstance(source, FileSource) for path in source.files]
    # ascii() leaves no line break in a path, so a comment stays a comment
    listed = "".join(f"#   {path!a}\n" for path in dict.fromkeys(paths))
    files = f"# Files that are read, from the folder this is started in; change their paths in SPEC:\n{listed}"
    spec = _literal(sweep.to_toml())
    return _SCRIPT.format(spec=spec, version=version, threads=ONE_THREAD, files=files if paths else "")


def _literal(text: str) -> str:
    """A Python expression of the text, one line of it a line."""
    lines = "\n".join(f"    {line!r}" for line in text.splitlines(keepends=True))
    return f"(\n{lines}\n)"
