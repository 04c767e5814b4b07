"""Pages run without a browser: open one by name, press its widgets, read its figures."""

import functools
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from dplda.core.types import Report
from dplda.corpus import Corpus, Label
from dplda.experiments.experiment import HeldDocuments
from dplda.experiments.sweeps import Scheduler
from dplda.ui.shell.views import address_name
from dplda.ui.state import cache, first_visit, runs
from dplda.ui.state.keys import Key
from tests.few_runs import few_runs
from tests.seeded_noise import zero_noise

ROOT = Path(__file__).resolve().parents[2]
VIEWS = {  # of places, by the name that tests have for them: place, view
    "configurations": ("explore", "Configurations"),
    "topics": ("explore", "Topics"),
    "groups": ("explore", "Groups"),
    "noise": ("explore", "Noise"),
    "bounds": ("explore", "Bounds"),
    "documents": ("explore", "Documents"),
    "error_curves": ("compare", "Error curves"),
    "regimes": ("compare", "Regimes"),
    "lessons": ("learn", "Lessons"),
    "class": ("learn", "Ten-minute class"),
    "game": ("learn", "Attack it"),
    "proofs": ("learn", "Where proofs fail"),
    "docs": ("learn", "Docs"),
}
PATIENCE = 240  # seconds for one run, on a machine with other work

OpenPage = Callable[..., AppTest]


@pytest.fixture(autouse=True, scope="session")
def _fresh_caches() -> None:
    """Streamlit's caches outlive an AppTest: without this, modules would depend on their order.

    What a new visitor sees first comes with the program, as in a server.
    """
    st.cache_data.clear()
    st.cache_resource.clear()
    first_visit.warm()


@pytest.fixture(autouse=True, scope="session")
def _packages_searched_once() -> Iterator[None]:
    """Every AppTest looks for Streamlit components in all installed packages, which takes longer than most runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner,
            "scan_component_manifests",
            functools.cache(manifest_scanner.scan_component_manifests),
        )
        yield


@pytest.fixture(autouse=True)
def _entry_point_runs_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run app.py before a page, as dplda/ui/server does: an AppTest guesses otherwise from the folder pages."""
    original = PagesManager.__init__

    def init(manager: PagesManager, *args: object, **kwargs: object) -> None:
        PagesManager.uses_pages_directory = False
        original(manager, *args, **kwargs)

    monkeypatch.setattr(PagesManager, "__init__", init)


@pytest.fixture(autouse=True, scope="module")
def _one_run() -> Iterator[None]:
    """Releases on pages have ranges and comparisons of one further run or two, and find the same topics in any draw."""
    with few_runs(), zero_noise():
        yield


@pytest.fixture
def open_page() -> OpenPage:
    """A function that opens a page of the app as a new visitor, with a query string if given."""

    def open_page(name: str, query: dict[str, str] | None = None) -> AppTest:
        app = AppTest.from_file(ROOT / "app.py", default_timeout=PATIENCE)
        for key, value in (query or {}).items():
            app.query_params[key] = value
        go(app, name) if name != "play" else app.run()
        assert not app.exception, [problem.value for problem in app.exception]
        return app

    return open_page


def go(app: AppTest, name: str) -> AppTest:
    """Open a place, or a view of one, as a click on it does."""
    place, view = VIEWS.get(name, (name, None))
    app.query_params.pop(Key.VIEW, None)
    if view is not None:
        app.session_state[f"{Key.VIEW}.{place}"] = view
        app.query_params[Key.VIEW] = address_name(view)
    return app.switch_page(f"pages/{place}.py").run()


def written(app: AppTest) -> str:
    """All that is written on a page."""
    kinds = (
        app.title,
        app.header,
        app.markdown,
        app.caption,
        app.error,
        app.warning,
        app.info,
        app.success,
    )
    return " ".join(str(element.value) for kind in kinds for element in kind)


def said(app: AppTest) -> str:
    """All that is written on a page, as it is shown."""
    return written(app).replace("\\", "").replace("\u00a0", " ")


@pytest.fixture
def figure() -> Callable[[AppTest, str], dict]:
    """A function that reads a Plotly chart by its key, as the dictionary that the browser receives."""

    def figure(app: AppTest, key: str) -> dict:
        charts = [chart for chart in app.get("plotly_chart") if chart.key == key]
        assert len(charts) == 1, f"{len(charts)} charts with key {key}"
        return json.loads(charts[0].proto.spec)

    return figure


@pytest.fixture
def own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No results of other tests lie there already; the corpora stay in the cache."""
    scheduler = Scheduler(tmp_path)
    monkeypatch.setattr(runs, "scheduler", lambda: scheduler)


def bring(app: AppTest, corpus: Corpus) -> AppTest:
    """A corpus as if its file had been read."""
    app.session_state[Key.UPLOADED], app.session_state[Key.CHOICE] = (
        corpus,
        HeldDocuments(),
    )
    return app.run()


def mine(label: Label) -> Corpus:
    """Documents of noise that somebody might bring."""
    return Corpus.from_counts(
        np.random.default_rng(0).poisson(1.0, (40, 30)), label=label, name="mine"
    )


@pytest.fixture(autouse=True)
def _fits_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fits in this process, through a pickle each way: those of the pool, bit for bit, as test_fits.py shows."""

    def run(
        work: Callable[..., object], *args: object, report: Report, is_urgent: bool = True
    ) -> object:
        work, args = pickle.loads(pickle.dumps((work, args), protocol=5))
        return pickle.loads(pickle.dumps(work(*args, report=report), protocol=5))

    monkeypatch.setattr(cache.POOL, "run", run)
