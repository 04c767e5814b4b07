"""The ``dplda`` command: from a checkout, and from what a wheel installs."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import venv
from importlib.util import cache_from_source
from pathlib import Path

import pandas as pd
import pytest

from dplda.cli import dashboard, main
from dplda.cli.operating.health import IN_TROUBLE, WELL
from dplda.experiments.sweeps import Store, Sweep
from tests.ports import HOST, answer, unused_port
from tests.yardstick import waited_for

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with this checkout's wheel, beside the packages it needs; the checkout itself is out of reach."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(folder),
    ]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv", symlinks=True)
    (site,) = folder.glob("venv/lib/*/site-packages")
    (site / "needed.pth").write_text(
        f"{sysconfig.get_path('purelib')}\n"
    )  # whose own .pth files are not followed
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps"]
    (archive,) = folder.glob("*.whl")
    subprocess.run(
        [*uv, "--python", str(folder / "venv"), str(archive)], check=True, capture_output=True
    )
    share_bytecode(site)
    return folder / "venv"


def share_bytecode(site: Path) -> None:
    """Give installed files the bytecode of equal files of the checkout; two processes would compile for seconds."""
    for installed_file in site.joinpath("dplda").rglob("*.py"):
        own_file = ROOT / installed_file.relative_to(site)
        own_bytecode = Path(cache_from_source(str(own_file)))
        if own_bytecode.is_file() and own_file.read_bytes() == installed_file.read_bytes():
            changed_at = own_file.stat().st_mtime_ns
            os.utime(installed_file, ns=(changed_at, changed_at))
            bytecode = Path(cache_from_source(str(installed_file)))
            bytecode.parent.mkdir(exist_ok=True)
            shutil.copy(own_bytecode, bytecode)


FIRST_PAGE = """
import dplda, dplda.core.assets, streamlit.testing.v1, sys
app = streamlit.testing.v1.AppTest.from_file(dplda.core.assets.home() / "app.py", default_timeout=60).run()
assert app.main.title and not app.exception and not app.error, app
assert not [name for name, one in sys.modules.items() if (getattr(one, "__file__", "") or "").startswith("{}/dplda")]
"""


def app_of_wheel(installed: Path) -> Path:
    """The folder of the installed package that the dashboard is served from."""
    (folder,) = installed.glob("lib/*/site-packages/dplda/_app")
    return folder


def environment_of_wheel(installed: Path, temporary: Path) -> dict[str, str]:
    """Without a way back to the checkout."""
    settings_of_server = {
        "STREAMLIT_SERVER_HEADLESS": "true",
        "TMPDIR": str(temporary),
        "DPLDA_CACHE": str(installed / "cache"),
        "DPLDA_METRICS": "1",
    }
    return {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH"
    } | settings_of_server


def test_dashboard_of_a_wheel_leaves_nothing_in_its_folder(installed, tmp_path, capsys) -> None:
    """Browser tests start it from the checkout."""
    port, empty_folder = unused_port(), tmp_path / "here"
    empty_folder.mkdir()
    command = [str(installed / "bin" / "dplda"), "app", "--port", str(port), "--demo"]
    with subprocess.Popen(
        command,
        cwd=empty_folder,
        env=environment_of_wheel(installed, tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        alarm = threading.Timer(240, process.kill)
        alarm.start()
        try:
            assert f"http://127.0.0.1:{port}" in process.stdout.readline()
            assert answer(port, "/_stcore/health") == b"ok"
            assert main.main(["health", "--port", f"{port}"]) in (WELL, IN_TROUBLE)
            assert "sessions 0" in capsys.readouterr().out
            assert list(empty_folder.iterdir()) == []
            assert len(list(tmp_path.glob("dplda-temporary-*"))) == 1, (
                "where a demo keeps what it computes"
            )
            home = Path(f"/proc/{process.pid}/cwd").readlink()
        finally:
            process.terminate()
            assert process.wait(60) == 0
            alarm.cancel()
    with pytest.raises(ConnectionRefusedError):
        answer(port, "/")
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    assert home == app_of_wheel(installed)


def test_wheel_ships_the_files_of_the_checkout_without_secrets(installed) -> None:
    home = app_of_wheel(installed)
    shipped, ours = (
        {
            path.relative_to(folder).as_posix()
            for part in ("pages", "assets")
            for path in folder.joinpath(part).rglob("*.*")
            if path.suffix != ".pyc"
        }
        for folder in (home, ROOT)
    )
    assert shipped == ours
    assert (home / "CITATION.cff").is_file()
    assert [path.name for path in (home / ".streamlit").iterdir()] == ["config.toml"], (
        "and no secrets"
    )


def test_first_page_of_a_wheel_draws_without_the_checkout(installed, tmp_path) -> None:
    subprocess.run(
        [str(installed / "bin" / "python"), "-c", FIRST_PAGE.format(ROOT)],
        cwd=tmp_path,
        check=True,
        env=environment_of_wheel(installed, tmp_path),
    )


@pytest.mark.timeout(120)
def test_dashboard_killed_without_a_home_leaves_nothing(tmp_path, monkeypatch) -> None:
    """As in a container with a number for a user: the child has no account either. It is the server that is killed."""
    (tmp_path / "sitecustomize.py").write_text("import pwd\npwd.getpwuid = {}.__getitem__\n")
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "DPLDA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    monkeypatch.setenv("TMPDIR", str(temporary := tmp_path / "temporary"))
    temporary.mkdir()
    command, environment = dashboard.server(port := unused_port())
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert f"http://{HOST}:{port}" in server.stdout.readline()
            assert answer(port, "/_stcore/health") == b"ok"
        finally:
            server.kill()
        assert server.wait(60) == -signal.SIGKILL
    with pytest.raises(ConnectionRefusedError):
        answer(port, "/")
    assert not list(temporary.iterdir())


def test_app_on_a_foreign_host_is_refused(capsys) -> None:
    for host in ("0.0.0.0", "203.0.113.9", "elsewhere.invalid"):
        assert main.main(["app", "--host", host]) == 2
        assert "name or address of this machine" in capsys.readouterr().err


def test_command_line_that_is_incomplete_exits_with_its_status(capsys) -> None:
    refused_commands = (
        (["app", "--port", "65536"], 2, "65536 is not in the range"),
        ([], 2, "command"),
    )
    for arguments, status, message in (*refused_commands, (["--version"], 0, "dplda ")):
        assert main.main(arguments) == status
        assert message in "".join(capsys.readouterr())


def test_app_on_a_taken_port_is_refused() -> None:
    with socket.create_server((HOST, 0)) as used_socket:
        command, environment = dashboard.server(used_socket.getsockname()[1])
        ended = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    assert ended.returncode == 1
    assert "is not available" in ended.stderr


SPEC = """
methods = ["unnoised", "unigram", "adaptive", "config-4"]
epsilons = [0.01, 30]
repeats = 2
[[settings]]
name = "tiny"
n_topics = 2
alpha0 = 1
simulation = {n_documents = 300, n_words = 12, n_topics = 2, mean_length = 20}
"""


@pytest.fixture
def spec(tmp_path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def test_sweep_command_prints_the_runs_that_it_writes(spec, tmp_path, capsys) -> None:
    csv = tmp_path / "out.csv"
    arguments = ["sweep", str(spec), "--csv", str(csv), "--store", str(tmp_path / "store")]
    assert main.main(arguments) == 0
    out, err = capsys.readouterr()
    assert "Starting: 0 of 10" in err
    assert "Done: 10 of 10, about 0 s left" in err
    assert "tiny: median l1_sum" in out
    refused_line = next(line for line in out.splitlines() if "config-4/as published" in line)
    assert refused_line.split()[-3:] == ["0.01", "–", "2"]
    assert "10 runs, " in out
    frame = pd.read_csv(csv)
    assert len(frame) == 10


def test_sweep_with_an_unusable_path_is_refused(spec, tmp_path, capsys) -> None:
    for arguments, message in (
        (
            [tmp_path / "none.toml"],
            "dplda: none.toml: No such file or directory. Check the path.\n",
        ),
        ([spec, "--store", spec / "store"], "Results cannot be written to"),
    ):
        assert main.main(["sweep", *map(str, arguments)]) == 2
        assert message in capsys.readouterr().err


def test_sweep_with_an_unusable_cache_runs_without_it(spec, monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setenv("DPLDA_CACHE", str(spec / "cache"))
    assert main.main(["sweep", str(spec), "--store", str(tmp_path / "store")]) == 0
    assert "Nothing can be saved in the folder" in capsys.readouterr().err


def test_interrupted_sweep_keeps_its_cells_for_the_same_command(spec, tmp_path) -> None:
    """By Ctrl+C; a fit is asked to end in tests/core/test_temporary.py."""
    spec.write_text(SPEC.replace("repeats = 2", "repeats = 1000"))
    csv = tmp_path / "out.csv"
    command = [
        sys.executable,
        "-m",
        "dplda",
        "sweep",
        str(spec),
        "--store",
        str(tmp_path),
        "--csv",
        str(csv),
    ]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # a shell's background jobs ignore Ctrl+C, and hand that on to what they start
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        alarm = threading.Timer(240, process.kill)
        alarm.start()
        assert "Starting" in process.stderr.readline()
        store = Store(Sweep.from_toml(spec.read_text()), tmp_path)
        waited_for(lambda: len(store.rows()) >= 3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        alarm.cancel()
    assert process.returncode == 130
    assert "Run the same command again to continue." in err
    assert "Traceback" not in err
    assert out == ""
    assert len(pd.read_csv(csv)) == len(store.rows()) >= 3
