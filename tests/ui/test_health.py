"""The operator's page: what is read, when it is in trouble, and who can reach it."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest.mock import Mock

import pytest

from dplda.cli.main import main
from dplda.cli.operating import health as health_command
from dplda.core.worker_pool.pool import PoolLoad
from dplda.ui.server import health
from dplda.ui.server.health import Memory, Reading, memory_readings, read_health, read_memory
from dplda.ui.state import cache

RUNTIME = Mock(**{"_session_mgr.num_active_sessions.return_value": 3})
GB = 10**9


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """A machine that is well: 50 GB of disk, a quarter of its memory in use, an idle pool."""
    facts = Mock(free=50 * GB, memory=Memory(1.0, 4.0), load=PoolLoad(2, 1, 0))
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: facts)
    monkeypatch.setattr(health, "read_memory", lambda: facts.memory)
    monkeypatch.setattr(cache, "POOL", Mock(load=lambda: facts.load))
    return facts


def troubles() -> list[str]:
    return [reading.name for reading in read_health(RUNTIME) if reading.trouble]


def test_health_of_an_idle_server_names_every_number(machine: Mock) -> None:
    assert {reading.name: reading.value for reading in read_health(RUNTIME)} == {
        "disk_free_cache_gb": 50.0,
        "disk_free_releases_gb": 50.0,
        "memory_used_gb": 1.0,
        "memory_limit_gb": 4.0,
        "pool_processes": 2,
        "pool_busy": 1,
        "pool_waiting": 0,
        "sessions": 3,
    }


def test_health_of_an_idle_server_is_well(machine: Mock) -> None:
    assert troubles() == []


def test_health_of_a_full_disk_is_in_trouble(machine: Mock) -> None:
    machine.free = GB // 2
    assert troubles() == ["disk_free_cache_gb", "disk_free_releases_gb"]


def test_health_of_full_memory_is_in_trouble(machine: Mock) -> None:
    machine.memory = Memory(3.7, 4.0)
    assert troubles() == ["memory_used_gb"]


def test_health_of_a_long_line_is_in_trouble(machine: Mock) -> None:
    machine.load = PoolLoad(2, 2, 9)
    assert troubles() == ["pool_waiting"]


def test_memory_is_left_out_where_the_system_does_not_tell(tmp_path: Path) -> None:
    assert memory_readings(read_memory(tmp_path, tmp_path / "meminfo")) == ()


def test_memory_of_a_container_is_measured_against_its_limit(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("4000000000\n")
    (tmp_path / "memory.current").write_text("1500000000\n")
    (tmp_path / "memory.stat").write_text("anon 1000000000\ninactive_file 500000000\n")
    assert read_memory(tmp_path) == Memory(1.0, 4.0)


def test_memory_without_a_limit_is_that_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1\n")
    (tmp_path / "memory.stat").write_text("inactive_file 0\n")
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 8000000 kB\nMemFree: 1 kB\nMemAvailable: 6000000 kB\n")
    assert read_memory(tmp_path, meminfo) == Memory(2.048, 8.192)


def test_page_lies_below_the_path_that_proxies_hide() -> None:
    assert health.make_route(RUNTIME).path.startswith("/_stcore/metrics/")


def test_page_in_trouble_answers_503(machine: Mock) -> None:
    machine.free = 0
    route = health.make_route(RUNTIME)
    with ThreadPoolExecutor(1) as thread:  # in this one a browser's own loop may run
        response = thread.submit(asyncio.run, route.endpoint(None)).result()
    assert (response.status_code, response.body.split(b"\n")[0]) == (503, b"status trouble")


def test_page_says_what_to_do_about_a_trouble() -> None:
    page = health.render([Reading("disk_free_cache_gb", 0.2, "Make room."), Reading("sessions", 3)])
    assert page == "status trouble\ndisk_free_cache_gb 0.2\nsessions 3\n# Make room.\n"


def test_command_asks_for_the_page_of_the_server() -> None:
    assert health_command.PATH == health.PATH


def test_command_refuses_a_port_where_nothing_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["health", "--port", "1"]) == 2
    assert "running server" in capsys.readouterr().err


@pytest.mark.parametrize(("page_status", "command_status"), [(200, 0), (503, 1)])
def test_command_tells_trouble_by_its_status(
    page_status: int, command_status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(page_status)
            self.end_headers()
            self.wfile.write(f"status of {self.path}\n".encode())

        def log_message(self, *message: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server, ThreadPoolExecutor(1) as thread:
        thread.submit(server.handle_request)
        assert main(["health", "--port", f"{server.server_port}"]) == command_status
    assert capsys.readouterr().out == f"status of {health.PATH}\n"
