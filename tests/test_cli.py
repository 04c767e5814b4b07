"""The ``dplda`` command: from a checkout, and from what a wheel installs."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dplda import cli, launch
from dplda.errors import InputError

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """The wheel of this checkout, unpacked as an installation would lay it out."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.glob("*.whl")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind((launch.HOST, 0))
        listener.listen()
        yield listener.getsockname()[1]


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind((launch.HOST, 0))
        return probe.getsockname()[1]


def answer(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection(launch.HOST, port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()


@pytest.mark.parametrize("place", ["checkout", "wheel"])
def test_app_prints_its_address_and_leaves_nothing_behind(place, request, tmp_path) -> None:
    path = ROOT if place == "checkout" else request.getfixturevalue("wheel")
    port = unused_port()
    environment = {**os.environ, "PYTHONPATH": str(path), "DPLDA_OPEN": "0"}
    command = [sys.executable, "-P", "-m", "dplda", "app", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        alarm = threading.Timer(60, process.kill)
        alarm.start()
        try:
            assert f"http://127.0.0.1:{port}" in process.stdout.readline()
            assert answer(port, "/_stcore/health") == b"ok"
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(15) == 0
            alarm.cancel()
    assert launch.free_port(port) == port


def test_wheel_carries_the_dashboard(wheel) -> None:
    app = wheel / "dplda" / "_app"
    shipped = {path.relative_to(app).as_posix() for path in app.rglob("*") if path.is_file()}
    pages = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert {"app.py", ".streamlit/config.toml", "assets/logo.svg", "assets/favicon.png"} | pages <= shipped
    assert not [name for name in shipped if name.endswith(".pyc") or "secrets" in name]
    assert not (wheel / "tests").exists()


def test_home_is_the_checkout() -> None:
    assert launch.home() == ROOT


def test_home_without_the_dashboard(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(launch, "__file__", str(tmp_path / "dplda" / "launch.py"))
    with pytest.raises(launch.LaunchError, match=r"app\.py is missing"):
        launch.home()


def test_a_taken_port_is_passed_over(monkeypatch, taken) -> None:
    monkeypatch.setattr(launch, "FIRST_PORT", taken)
    assert taken < launch.free_port() < taken + launch.PORTS_TRIED


def test_a_taken_port_asked_for_is_refused(taken) -> None:
    with pytest.raises(InputError, match=f"port must be free, got {taken}"):
        launch.free_port(taken)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_no_port(port, capsys) -> None:
    assert cli.main(["app", "--port", str(port)]) == 2
    assert capsys.readouterr().err.startswith("dplda: port must be between 1 and 65535, got ")


def test_a_server_that_ends_at_once_is_reported(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(launch, "home", lambda: tmp_path)  # where no app.py lies
    assert cli.main(["app", "--no-open"]) == 2
    assert "ended with status" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ":0", "DPLDA_OPEN": "0"}, "linux", False),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "x"}, "darwin", False),
    ],
)
def test_a_browser_is_opened_where_there_is_one(environment, platform, expected) -> None:
    assert launch.has_browser(environment, platform) is expected


def test_no_command_is_a_usage_error(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "command" in capsys.readouterr().err


def test_version(capsys) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out.startswith("dplda ")
