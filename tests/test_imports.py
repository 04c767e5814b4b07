"""What must start at once imports nothing that takes a second."""

import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import dplda

ROOT = Path(__file__).resolve().parents[1]
SLOW = {"dp_accounting", "scipy.stats", "sklearn"}
BARE = {*SLOW, "pandas", "streamlit"}  # what shows no page does without these too


def test_a_quick_start() -> None:
    """One after the other in one process: what none has loaded, each alone has not."""
    quick = {
        "dplda": BARE,
        "dplda.cli.main": BARE,
        "dplda.cli.fit": BARE,
        "dplda.experiments.sweeps.job": BARE,
        "dplda.ui.shell.sidebar": SLOW,
    }
    code = "import sys\n" + "\n".join(f"import {module}\nprint(*sys.modules)" for module in quick)
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for (module, slow), line in zip(quick.items(), said.splitlines(), strict=True):
        found = set(line.split())
        assert module in found
        assert not found & slow, module


def test_estimators_are_names_of_the_package() -> None:
    for name in ("SpectralLDA", "RefinedLDA", "DPVariationalLDA"):
        assert getattr(dplda, name).__name__ == name
        assert name in dplda.__all__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = dplda.Nothing


HEAVY = ("charset_normalizer", "opendp", "pandas", "plotly", "pyarrow", "streamlit")
"""For tables, pages and releases. SciPy and scikit-learn import some where they are installed."""
NOT_FOR_FITS = {
    *HEAVY,
    *("click", "confusable_homoglyphs", "dask", "distributed", "jinja2", "lxml", "openpyxl"),
    *("dp_accounting", "pypdfium2"),
}
"""All packages that dplda imports but for NumPy, SciPy, scikit-learn, joblib and threadpoolctl."""
WITHOUT_HEAVY = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in {HEAVY}:
            raise ModuleNotFoundError(f"{{name}} is missing", name=name)

def print_packages():
    paths = (getattr(module, "__file__", None) or "" for module in tuple(sys.modules.values()))
    inside = (path.split("site-packages/")[1] for path in paths if "site-packages/" in path)
    print(*sorted({{path.split("/")[0].split(".")[0] for path in inside}}))

sys.meta_path.insert(0, Missing())
"""
CORPUS = """
import dplda
corpus = dplda.simulate(
    n_documents=2000, n_words=100, n_topics=2, alpha0=0.5, mean_length=50, seed=0
)
"""


def output_of(code: str) -> list[str]:
    """Lines that Python code prints in a process of its own, where BLAS uses one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout.splitlines()


def test_fits_load_numerical_packages_alone() -> None:
    """One after the other in one process, in which all others are missing."""
    lines = output_of(
        f"""{WITHOUT_HEAVY}
print_packages()
import dplda
print_packages()
{CORPUS}
print_packages()
dplda.SpectralLDA(2).fit(corpus)
print_packages()
dplda.SpectralLDA(2, plan=dplda.Plan("adaptive", epsilon=3.0)).fit(corpus)
print_packages()
dplda.RefinedLDA(2, epsilon=3.0).fit(corpus)
print_packages()
dplda.DPVariationalLDA(2, epsilon=3.0).fit(corpus)
print_packages()
"""
    )
    before, *loaded = (set(line.split()) for line in lines)
    imported, simulated, *fitted, variational = (packages - before for packages in loaded)
    assert imported == set()
    assert not simulated & {*NOT_FOR_FITS, "sklearn"}
    for packages in fitted:
        assert {"numpy", "scipy", "sklearn"} <= packages
        assert not packages & NOT_FOR_FITS
    assert variational & NOT_FOR_FITS == {"dp_accounting"}


@pytest.mark.timing
def test_first_fit_of_a_process_takes_at_most_twice_a_later_one() -> None:
    """In processor time beside imports, the smaller of two: others delay a fit, and none speeds one up.

    Of 100,000 documents, as a fit that somebody waits for: the library of eigenvalues takes 6 ms at its first call,
    more than a fit of 2,000 documents takes, and new memory takes longer than used one.
    """
    code = f"""{WITHOUT_HEAVY}
from time import process_time
{CORPUS.replace("2000", "100_000")}
model = dplda.SpectralLDA(2)
for _ in range(8):
    started = process_time()
    model.fit(corpus)
    print(process_time() - started)
"""
    seconds = [[float(line) for line in output_of(code)] for _ in range(2)]
    first = min(times[0] for times in seconds)
    later = statistics.median(time for times in seconds for time in times[1:])
    assert first <= 2 * later
