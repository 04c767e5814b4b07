"""A Python script that repeats a sweep and needs only this package."""

from dplda.core.versions import VERSION
from dplda.experiments.run_script import INSTALL, ONE_THREAD
from dplda.experiments.sources import FileSource
from dplda.experiments.specs.spec import Sweep

_SCRIPT = '''\
{install}
"""Repeat a sweep of private topic models and print the results as CSV.

On the same machine every digit is the same; elsewhere results agree up to rounding. \
To compute less, remove methods,
settings or values of ε from SPEC: the other results stay the same. Code version: {version}.
"""

{threads}

from dplda.experiments.sweeps import Store, Sweep, run, to_csv

{files}SPEC = (
{spec}
)

sweep = Sweep.from_toml(SPEC)
store = Store(sweep)
run(sweep, store)
print(to_csv(store.frame()), end="")
'''


def script_for(sweep: Sweep, *, version: str) -> str:
    """Write a Python script that repeats a sweep and prints its results as CSV.

    A comment lists the files that corpora come from, if there are any.

    Args:
        sweep: what is computed.
        version: code version, told in the script's docstring and not checked.
    """
    corpus_sources = [setting.source for setting in sweep.settings]
    file_sources = [source for source in corpus_sources if isinstance(source, FileSource)]
    paths = [path for source in file_sources for path in source.files]
    # ascii() leaves no line break in a path, so a comment stays a comment
    commented_paths = "".join(f"#   {path!a}\n" for path in dict.fromkeys(paths))
    advice = "# Run this in the folder that holds these files, or change their paths in SPEC:"
    needed_files = f"{advice}\n{commented_paths}"
    spec_literals = "\n".join(f"    {line!r}" for line in sweep.to_toml().splitlines(keepends=True))
    install_comment = INSTALL.format(VERSION)
    return _SCRIPT.format(
        install=install_comment,
        spec=spec_literals,
        version=version,
        threads=ONE_THREAD,
        files=needed_files if paths else "",
    )
