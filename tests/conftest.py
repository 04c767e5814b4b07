"""Set before numpy is imported: one BLAS thread, and a cache on disk that is not the user's own. Who runs what."""

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"


MEMORY = Path("/dev/shm")  # a folder of Linux that is in memory
ROOM = 2_000_000_000  # bytes; a browser and the largest stored corpus take a twentieth


def _has_room(folder: Path) -> bool:
    """Whether all temporary files of a run fit there, programs included."""
    if not os.access(folder, os.W_OK):
        return False
    volume = os.statvfs(folder)
    allows_programs = not volume.f_flag & os.ST_NOEXEC
    return allows_programs and volume.f_bavail * volume.f_frsize >= ROOM


# Ledgers sync each answer to the disk. Tests that look for the calls find them here too; waiting for
# the disk itself took two thirds of their time.
if "TMPDIR" not in os.environ and _has_room(MEMORY):
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

# Each process of a run has a cache of its own.
CACHE = Path(tempfile.mkdtemp(prefix="dplda-tests-"))
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)
os.environ["DPLDA_CACHE"] = str(CACHE)
os.environ["DPLDA_RELEASES"] = str(
    CACHE / "no-such-folder"
)  # never the user's ledger; tests that need one make it

# Shared machines stall: a slow example is no failure. On CI the same examples every time.
settings.register_profile("dplda", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("dplda")

# Later than the environment above, as NumPy reads it.
from tests import seeded_noise  # noqa: E402

seeded_noise.seed_noise()

PAGES, BROWSER, AUDIT = "tests/pages/", "tests/browser/", "tests/attacks/audit/"

# Begun first, so that no long one is left over.
LONG = (BROWSER, PAGES, AUDIT, "tests/experiments/", "tests/methods/dpvi/")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays: looking for garbage in it would take a third of the time.

    Later too it is looked for seldom: tests are over before much of it has gathered.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests hold no doctests: looking for some in them takes a tenth of the time that collecting does."""
    collectors = yield
    return [each for each in collectors if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Each test has its own stream of noise, which no other test changes.

    Streamlit leaves the page it ran as the main module, which processes that a later test starts would run too.
    """
    main = sys.modules["__main__"]
    try:
        with seeded_noise.noise_named(seeded_noise.stream_name(item, item.nodeid)):
            return (yield)
    finally:
        sys.modules["__main__"] = main


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Each shared fixture has its own stream of noise, whichever test asks for it first."""
    if fixturedef.scope == "function":
        return (yield)
    name = f"{fixturedef.baseid}::{fixturedef.argname}[{request.param_index}]"
    with seeded_noise.noise_named(seeded_noise.stream_name(request.node, name)):
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in LONG])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return Together(config, log)


class Together(LoadScopeScheduling):
    """One process runs files that share a browser, the corpus that pages begin with or an audit's law, or one file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return next((folder for folder in (BROWSER, PAGES, AUDIT) if file.startswith(folder)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than processors, as those with browser tests often wait: with two more, caches are too small."""
    return min(os.cpu_count() or 1, 8) + 1
