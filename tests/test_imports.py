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


def test_imports_at_start_load_no_slow_package() -> None:
    """One after the other in one process: what none has loaded, each alone has not."""
    quick = {
        "dplda": BARE,
        "dplda.cli.main": BARE,
        "dplda.cli.fit": BARE,
        "dplda.experiments.sweeps.job": BARE,
        "dplda.ui.shell.sidebar": SLOW,
    }
    code = "import sys\n" + "\n".join(f"import {module}\nprint(*sys.modules)" for module in quick)
    output = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for (module, slow), line in zip(quick.items(), output.splitlines(), strict=True):
        loaded_modules = set(line.split())
        assert module in loaded_modules
        assert not loaded_modules & slow, module


def test_estimators_are_names_of_the_package() -> None:
    for name in ("SpectralLDA", "RefinedLDA", "DPVariationalLDA"):
        assert getattr(dplda, name).__name__ == name
        assert name in dplda.__all__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = dplda.Nothing


NUMERICAL = ("numpy", "scipy", "sklearn", "joblib", "threadpoolctl", "narwhals", "cloudpickle")
"""Packages that scikit-learn brings along; all others are missing where the core is embedded."""
NOT_FOR_FITS = {
    *("charset_normalizer", "click", "confusable_homoglyphs", "dask", "distributed"),
    *("dp_accounting", "jinja2", "lxml", "opendp", "openpyxl", "pandas", "plotly", "pyarrow"),
    *("pypdfium2", "streamlit"),
}
"""All packages that dplda imports but for NumPy, SciPy, scikit-learn, joblib and threadpoolctl."""
SLOW_MODULE = "sklearn.decomposition"
"""A quarter of a second, for a transform alone."""
BARE_ENVIRONMENT = f"""
import sys

class Missing:
    here = {{*sys.stdlib_module_names, *{NUMERICAL}, "dplda"}}

    def find_spec(self, name, path=None, target=None):
        if path is None and name not in self.here and not name.startswith("_"):
            raise ModuleNotFoundError(f"{{name}} is missing", name=name)

def print_packages():
    paths = (getattr(module, "__file__", None) or "" for module in tuple(sys.modules.values()))
    inside = (path.split("site-packages/")[1] for path in paths if "site-packages/" in path)
    packages = {{path.split("/")[0].split(".")[0] for path in inside}}
    print(*sorted(packages | {{"{SLOW_MODULE}"}} & sys.modules.keys()))

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


MISSING = {
    "pdf_text(b'')": "Reading PDF documents needs the package pypdfium2",
    "_parse_workbook('a.xlsx', b'')": "Reading workbooks needs the package openpyxl",
    "html_text('')": "Reading web pages needs the package lxml",
    "Package(b'')": "Reading Office documents needs the package lxml",
    "load(('a.parquet', BytesIO(b'PAR1')), label='public')": (
        "Reading Parquet files needs the package pyarrow"
    ),
    "load(('a.csv.zst', BytesIO(b'(')), label='public')": (
        "Unpacking a compressed file needs the package pyarrow"
    ),
    "likeliest_encoding(b'')": "UTF-8 needs the package charset-normalizer",
    "dplda.report_html": "Drawing figures needs the package plotly",
    "load_sampler()": "Exact noise of a release needs the package opendp",
    "dplda.DPVariationalLDA(2, epsilon=3.0).fit(corpus)": "needs the package dp-accounting",
}
"""Calls in a bare environment, and how they are refused."""


@pytest.fixture(scope="module")
def printed_lines() -> list[str]:
    """One after the other in one process, in which all but numerical packages are missing."""
    return output_of(
        f"""{BARE_ENVIRONMENT}
print_packages()
import dplda
print_packages()
{CORPUS}
print_packages()
fit = dplda.SpectralLDA(2).fit(corpus).fit_
print_packages()
model = dplda.SpectralLDA(2, plan=dplda.Plan("adaptive", epsilon=3.0)).fit(corpus)
assert "Proven" in model.guarantee_.in_words()
from dplda.theory.theorems.spectrum import from_fit
plan = dplda.Plan("config-1", epsilon=3.0, delta=1e-7, calibration="as published")
numbers = dict(n_documents=2000, spectrum=from_fit(fit))
assert dplda.utility_bound(plan, **numbers).terms
assert dplda.edge_noise(plan, n_words=100, n_topics=2, alpha0=0.5, **numbers)
print_packages()
dplda.RefinedLDA(2, epsilon=3.0).fit(corpus)
print_packages()

from io import BytesIO
from dplda import load
from dplda.corpus.files.encodings import likeliest_encoding
from dplda.corpus.readers.extraction.html_text import html_text
from dplda.corpus.readers.extraction.package import Package
from dplda.corpus.readers.extraction.pdf_text import pdf_text
from dplda.corpus.readers.workbook import _parse_workbook
from dplda.privacy.noise.exact import load_sampler
for call in {tuple(MISSING)}:
    try:
        eval(call)
    except ImportError as error:
        print(error)
from dplda.__main__ import main
print(main())

sys.meta_path.pop(0)
dplda.DPVariationalLDA(2, epsilon=3.0).fit(corpus)
print_packages()
"""
    )


def test_fits_load_numerical_packages_alone(printed_lines: list[str]) -> None:
    package_lines = [*printed_lines[:6], printed_lines[-1]]
    packages_at_start, *loaded = (set(line.split()) for line in package_lines)
    imported, simulated, *fitted, variational = (
        packages - packages_at_start for packages in loaded
    )
    assert imported == set()
    assert not simulated & {*NOT_FOR_FITS, "sklearn"}
    for packages in fitted:
        assert {"numpy", "scipy", "sklearn"} <= packages
        assert not packages & {*NOT_FOR_FITS, SLOW_MODULE}
    assert variational & NOT_FOR_FITS == {"dp_accounting"}


@pytest.mark.parametrize("call", MISSING)
def test_missing_package_is_named_with_its_command(printed_lines: list[str], call: str) -> None:
    refusal = printed_lines[6:-2][list(MISSING).index(call)]
    assert MISSING[call] in refusal
    assert ", which is not installed. Run: pip install '" in refusal


@pytest.mark.timing
def test_first_fit_of_a_process_takes_at_most_twice_a_later_one() -> None:
    """In processor time beside imports, the smaller of two: others delay a fit, and none speeds one up.

    Of 100,000 documents, as a fit that somebody waits for: the library of eigenvalues takes 6 ms at its first call,
    more than a fit of 2,000 documents takes, and new memory takes longer than used one.
    """
    code = f"""{BARE_ENVIRONMENT}
from time import process_time
{CORPUS.replace("2000", "100_000")}
model = dplda.SpectralLDA(2)
for _ in range(8):
    started = process_time()
    model.fit(corpus)
    print(process_time() - started)
"""
    seconds = [[float(line) for line in output_of(code)] for _ in range(2)]
    first_seconds = min(times[0] for times in seconds)
    later_seconds = statistics.median(time for times in seconds for time in times[1:])
    assert first_seconds <= 2 * later_seconds
