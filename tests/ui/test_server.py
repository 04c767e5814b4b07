"""The server process: what is put right in Streamlit before it starts."""

import asyncio
import logging
import os
import re
import resource
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import StringIO
from typing import Any
from unittest.mock import Mock
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from streamlit import net_util
from streamlit.runtime import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import bootstrap
from streamlit.web.server import server as streamlit_server
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_app, starlette_server

from dplda import simulate
from dplda.core import assets
from dplda.core.memory import OVERWRITING
from dplda.corpus import Label, disk_cache
from dplda.experiments.sources import keep_as_file
from dplda.ui.server import headers, process
from dplda.ui.server.session_storage import TimedSessionStorage
from tests import ports

CANARY = "zanzibarcanary"


@pytest.fixture(autouse=True)
def _left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", PagesManager.uses_pages_directory)
    monkeypatch.setattr(runtime, "MediaFileManager", runtime.MediaFileManager)
    monkeypatch.setattr(
        starlette_app, "create_streamlit_middleware", starlette_app.create_streamlit_middleware
    )
    monkeypatch.setattr(starlette_app, "create_metrics_routes", starlette_app.create_metrics_routes)
    monkeypatch.setattr(logging.Formatter, "formatException", logging.Formatter.formatException)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)
    monkeypatch.setattr(bootstrap, "_set_up_signal_handler", bootstrap._set_up_signal_handler)
    monkeypatch.setattr(streamlit_server, "MemorySessionStorage", MemorySessionStorage)
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    mask, core = os.umask(0o022), resource.getrlimit(resource.RLIMIT_CORE)
    yield
    resource.setrlimit(resource.RLIMIT_CORE, core)
    os.umask(mask)


def test_server_refuses_a_strange_origin_without_a_lookup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(net_util, "get_internal_ip", lambda: "192.0.2.1")
    lookup = Mock(side_effect=OSError)
    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    server_util.is_url_from_allowed_origins("https://elsewhere.invalid")
    assert lookup.called, "Streamlit asks, and this test would see it"
    lookup.reset_mock()
    process.put_right()
    assert not server_util.is_url_from_allowed_origins("https://elsewhere.invalid")
    assert not lookup.called


def test_answers_do_not_wait_until_a_browser_confirms_their_first_part() -> None:
    process.put_right()
    listening_socket = starlette_server._bind_socket(ports.HOST, 0, 1)
    with (
        listening_socket,
        socket.create_connection(listening_socket.getsockname()),
        listening_socket.accept()[0] as answering,
    ):
        assert answering.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_server_writes_no_core_to_disk() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    process.put_right()
    assert resource.getrlimit(resource.RLIMIT_CORE)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="its C library can overwrite")
def test_server_that_would_not_overwrite_freed_memory_starts_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in OVERWRITING:
        monkeypatch.delenv(name, raising=False)
    started = Mock(side_effect=InterruptedError)
    monkeypatch.setattr(os, "execve", started)
    with pytest.raises(InterruptedError):
        process.main()
    program, arguments, environment = started.call_args.args
    assert program == sys.executable
    assert arguments[1:] == sys.orig_argv[1:]
    assert OVERWRITING.items() <= environment.items()


def test_server_prepares_modules_that_exist_before_it_answers() -> None:
    process._warm_up()  # a view that moved would end the start of the dashboard here


def test_sessions_are_dropped_on_a_timer() -> None:
    process.put_right()
    assert streamlit_server.MemorySessionStorage is TimedSessionStorage


def test_server_writes_no_large_upload_to_disk() -> None:
    process.put_right()
    body = b"\r\n".join(
        (
            b"--line",
            b'Content-Disposition: form-data; name="file"; filename="letters.txt"',
            b"",
            b"a letter " * 300_000,
            b"--line--",
            b"",
        )
    )
    types = [(b"content-type", b"multipart/form-data; boundary=line")]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def rolled() -> bool:
        request = Request({"type": "http", "method": "PUT", "headers": types}, receive)
        async with request.form() as form:
            upload: Any = form["file"]
            return bool(upload.file._rolled)

    with ThreadPoolExecutor(1) as thread:  # in this one a browser's own loop may run
        assert thread.submit(asyncio.run, rolled()).result() is False


def headers_of(app: Starlette, path: str) -> Headers:
    """What comes back before the content."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [],
    }
    with ThreadPoolExecutor(1) as thread:  # in this one a browser's own loop may run
        thread.submit(asyncio.run, app(scope, receive, send)).result()
    return Headers(raw=sent[0]["headers"])


def test_server_answers_carry_the_security_headers() -> None:
    process.put_right()
    routes = [Route("/", lambda request: PlainTextResponse("tea"))]
    app = Starlette(routes=routes, middleware=starlette_app.create_streamlit_middleware())
    for path in ("/", "/nothing", "//elsewhere.invalid/share"):
        header = headers_of(app, path)
        assert header["x-frame-options"] == "DENY"
        assert header["x-content-type-options"] == "nosniff"
        assert header["referrer-policy"] == "no-referrer"
        rules = dict(rule.split(" ", 1) for rule in header["content-security-policy"].split("; "))
        assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
        assert rules["connect-src"] == "'self'"
        assert rules["script-src"].count("'sha256-") == 1, "Streamlit's own"
        assert "unsafe" not in rules["script-src"]


@pytest.mark.parametrize(("setting", "routes"), [("", 0), ("1", 3)])
def test_metrics_have_a_route_only_if_the_operator_wants_them(
    monkeypatch: pytest.MonkeyPatch, setting: str, routes: int
) -> None:
    monkeypatch.setenv(headers.METRICS, setting)
    process.put_right()
    assert len(starlette_app.create_metrics_routes(Mock(), None)) == routes


def test_documented_proxy_rules_match_each_way_to_write_the_path_of_metrics() -> None:
    text = (assets.folder() / "docs" / "deploying.md").read_text("utf-8")
    rules = re.findall(r"deny if \{ (\S+) -m (\S+) (\S+) \}", text)
    assert len(rules) == text.count("deny if") == 2
    for path in ("/_stcore/metrics", "/_stcore/%6detrics", "/topics/_stcore%2Fmetrics"):
        for fetched, match, part in rules:
            seen_path = unquote(path) if fetched == "path,url_dec" else path
            assert match == "sub"
            assert part in seen_path


def test_server_pages_preload_the_code_of_figures() -> None:
    routes = [
        Route("/", lambda request: HTMLResponse("<p>")),
        Route("/x", lambda request: PlainTextResponse("tea")),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(headers.FixedHeaders, headers={})])
    preloaded = re.findall(
        r"<\./(static/js/\w+)\.[^>]*>; rel=modulepreload", headers_of(app, "/")["link"]
    )
    assert preloaded == [f"static/js/{part}" for part in headers.EARLY], (
        "one file of each, which Streamlit has"
    )
    assert "link" not in headers_of(app, "/x")


def test_error_log_names_the_place_without_the_words() -> None:
    process.put_right()
    log_text = StringIO()
    handler = logging.StreamHandler(log_text)
    logger = logging.getLogger("tests.log")
    logger.addHandler(handler)
    try:
        try:
            {}[CANARY]
        except KeyError as error:
            raise ValueError(f"no {CANARY}") from error
    except ValueError:
        logger.exception("Something failed")
    logger.removeHandler(handler)
    assert CANARY not in log_text.getvalue()
    assert "builtins.KeyError\nThen:\n" in log_text.getvalue()
    assert log_text.getvalue().endswith("builtins.ValueError\n")
    assert "test_server.py" in log_text.getvalue()


def test_cache_files_are_closed_to_other_users(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPLDA_CACHE", str(tmp_path / "cache"))
    process.put_right()
    corpus = simulate(n_documents=30, n_words=20, n_topics=2, alpha0=1.0, mean_length=9.0, seed=0)
    public = replace(corpus, label=Label.PUBLIC, truth=None)
    assert disk_cache.describe_trouble() == ""
    keep_as_file(public)
    kept_paths = [tmp_path / "cache", *(tmp_path / "cache").rglob("*")]
    assert len(kept_paths) == 4, "two folders, and two files"
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept_paths} == {0o700, 0o600}


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1:8501", True),
        ("LOCALHOST:8501", True),
        ("[::1]:8501", True),
        ("topics.example.org", True),
        ("topics.example.org:8443", True),
        ("127.0.0.1:9000", True),
        ("127.0.0.1", False),
        ("localhost:8502", False),
        ("127.0.0.1:9001", False),
        ("elsewhere.invalid", False),
        ("127.0.0.1:8501@elsewhere.invalid", False),
        ("127.0.0.1:8501/x", False),
        ("127.0.0.1:port", False),
        ("", False),
    ],
)
def test_host_is_own_by_name_with_port(host: str, is_own: bool) -> None:
    assert (
        headers.is_own(
            host, "127.0.0.1", 8501, ["topics.example.org", "localhost", "127.0.0.1:9000"]
        )
        is is_own
    )
