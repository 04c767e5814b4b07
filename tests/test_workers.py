"""Several processes: what the proxy is told, that it holds each visitor to one of them, and what is refused."""

import http.client
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from dplda import cli, launch, workers
from dplda.errors import InputError
from tests.ports import unused_port

HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")


class Named(BaseHTTPRequestHandler):
    """Answers with the port it listens on."""

    def do_GET(self) -> None:
        body = str(self.server.server_address[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_OPTIONS(self) -> None:
        self.do_GET()

    def log_message(self, *args: object) -> None:
        pass


class Patient(ThreadingHTTPServer):
    """Does not mind a proxy that hangs up."""

    def handle_error(self, *args: object) -> None:
        pass


@pytest.fixture
def processes() -> Iterator[list[ThreadingHTTPServer]]:
    found = [Patient((launch.HOST, 0), Named) for _ in range(2)]
    for each in found:
        Thread(target=each.serve_forever, args=(0.01,), daemon=True).start()
    yield found
    for each in found:
        each.shutdown()
        each.server_close()


def asked(port: int, path: str = "/", cookie: str = "") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(launch.HOST, port, timeout=30)
    with closing(connection):
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), (answer.getheader("Set-Cookie") or "").split(";")[0]


@pytest.mark.skipif(HAPROXY is None, reason="no HAProxy on this machine")
def test_a_visitor_stays_with_one_process(processes, tmp_path) -> None:
    port, file = unused_port(), tmp_path / "haproxy.cfg"
    file.write_text(workers.configuration(port, [each.server_address[1] for each in processes]))
    proxy = workers.start_proxy(str(HAPROXY), file)
    try:
        for _ in range(600):
            with suppress(OSError):
                asked(port)
                break
            assert proxy.poll() is None
            with suppress(subprocess.TimeoutExpired):
                proxy.wait(0.05)
        cookies = {asked(port)[2] for _ in range(4)}
        assert cookies == {"dplda=p1", "dplda=p2"}
        for cookie in cookies:
            assert len({asked(port, cookie=cookie)[1] for _ in range(4)}) == 1
        assert asked(port, cookie="dplda=p1")[1] != asked(port, cookie="dplda=p2")[1]
        assert asked(port, "/_stcore/metrics")[0] == 403
    finally:
        assert proxy.stdin is not None
        proxy.stdin.close()  # as the system does where a launcher is killed
        proxy.wait(60)
    with pytest.raises(ConnectionRefusedError):
        asked(port)


ENDLESS = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"


def led() -> tuple[subprocess.Popen[bytes], int]:
    """A program that would not end, led by this process, and its id."""
    command = [sys.executable, "-m", "dplda.led", sys.executable, "-c", ENDLESS]
    guard = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert guard.stdout is not None
    return guard, int(guard.stdout.readline())


def test_a_program_ends_where_its_launcher_is_gone_or_asks_it_to() -> None:
    for farewell in (lambda guard: guard.stdin.close(), lambda guard: guard.terminate()):
        guard, number = led()
        os.kill(number, 0)
        with guard:
            farewell(guard)
            assert guard.wait(60) == 128 + signal.SIGTERM
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_without_a_proxy_it_says_so(monkeypatch, capsys) -> None:
    monkeypatch.setattr(workers.shutil, "which", lambda *args, **kwargs: None)
    assert cli.main(["app", "--workers", "2"]) == 2
    assert "haproxy" in capsys.readouterr().err


@pytest.mark.parametrize("count", [0, -1, workers.MOST + 1])
def test_numbers_out_of_range_are_refused(count) -> None:
    with pytest.raises(InputError, match="workers"):
        workers.serve(count)
