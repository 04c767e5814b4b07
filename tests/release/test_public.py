"""The public process: a function of one file, whatever documents lie beside it; and no word of them ever comes out."""

import hashlib
import http.client
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from dplda import Label, launch, load
from dplda.methods import parse_method
from dplda.release.folder import VARIABLE as LEDGER
from dplda.release.folder import Folder
from dplda.release.ledger import Ledger
from dplda.release.make import release
from dplda.release.request import Request
from dplda.report.page import page
from dplda.report.released import released_from
from dplda.settings import Settings
from dplda.ui.view.page import VARIABLE
from tests.ports import unused_port
from tests.tiny_corpora import topical_corpus

ROOT = Path(__file__).resolve().parents[2]
CANARY = "zanzibarcanary"
WORDS = tuple(f"tea{first}{second}" for first in "abcde" for second in "pqrstu")


def lay(folder: Path, seed: int) -> None:
    """Documents that all hold a word which nobody is to see."""
    lines = [" ".join(np.repeat(WORDS, row)) for row in topical_corpus(seed).counts.toarray()]
    folder.mkdir(exist_ok=True)
    (folder / "letters.txt").write_text("".join(f"{CANARY} {line}\n" for line in lines))


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An owner's folder: documents, ledger, cache, and the file that was released from them, ``released``."""
    folder = tmp_path_factory.mktemp("owner")
    lay(folder, 0)
    (folder / "cache").mkdir()
    (folder / "cache" / "vocabulary.txt").write_text(CANARY)
    corpus = load(folder / "letters.txt", label=Label.SENSITIVE, vocabulary=WORDS)
    ledger = Folder(folder / "ledger")
    Ledger(ledger).declare("mail", epsilon=3.0, delta=1e-5)
    settings = Settings(method=parse_method("refined"), n_topics=3, alpha0=1.0, epsilon=2.0, delta=1e-6)
    receipt = release(corpus, Request("mail", "letters", settings), ledger)
    (folder / "released").write_bytes(receipt.path.read_bytes())
    assert CANARY not in receipt.path.name + page(released_from(receipt.artefact))
    assert CANARY.encode() not in b"".join(file.read_bytes() for file in (folder / "ledger").iterdir())
    return folder


def whole(app: AppTest) -> bytes:
    """All that a browser is sent of a page, drawn as it is at first and with every control moved."""
    sent = [_bytes(app)]
    assert app.slider
    assert app.selectbox
    for control in [*app.slider, *app.selectbox]:
        moved = control.options[-1] if control.options else control.min
        sent.append(_bytes(control.set_value(moved).run()))
    assert not app.exception
    assert len(set(sent)) == len(sent), "every control shows something else"
    return b"".join(sent)


def _bytes(app: AppTest) -> bytes:
    protos = [node.proto for node in app._tree if getattr(node, "proto", None) is not None]
    for button in app.get("download_button"):
        button.proto.ClearField("deferred_file_id")  # drawn by chance for every visitor
    return b"".join(proto.SerializeToString(deterministic=True) for proto in protos)


def opened(folder: Path, beside: int | None, monkeypatch: pytest.MonkeyPatch, file: bytes) -> AppTest:
    """The page of a released file beside documents, a cache of them and a ledger, or beside nothing."""
    folder.mkdir()
    if beside is not None:
        lay(folder / "documents", beside)
        Ledger(Folder(folder / "ledger")).declare("mail", epsilon=3.0 + beside, delta=1e-5)
    (folder / "letters.dplda.json").write_bytes(file)
    monkeypatch.setenv(VARIABLE, str(folder / "letters.dplda.json"))
    monkeypatch.setenv(LEDGER, str(folder / "ledger"))
    monkeypatch.chdir(folder)
    return AppTest.from_file(str(launch.VIEW), default_timeout=60).run()


def test_non_interference_byte_by_byte_beside_two_corpora_and_beside_none(owner, tmp_path, monkeypatch) -> None:
    file = (owner / "released").read_bytes()
    shown = {
        whole(opened(tmp_path / name, beside, monkeypatch, file))
        for name, beside in (("one", 0), ("other", 1), ("none", None))
    }
    assert len(shown) == 1
    assert CANARY.encode() not in shown.pop()


def test_all_sliders_moved_and_no_row_is_added(owner, tmp_path, monkeypatch) -> None:
    app = opened(tmp_path / "one", 0, monkeypatch, (owner / "released").read_bytes())
    folder = tmp_path / "one" / "ledger"
    before = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    rows = len(Ledger(Folder(folder)).entries())
    whole(app)
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} == before
    assert len(Ledger(Folder(folder)).entries()) == rows == 1


def session(address: str) -> list[ForwardMsg]:
    """What a browser is sent that opens the page."""
    found: list[ForwardMsg] = []
    with connect(f"ws://{address}/_stcore/stream", max_size=None, proxy=None) as socket:
        _ask(socket)
        while not found or found[-1].WhichOneof("type") != "script_finished":
            found.append(ForwardMsg.FromString(socket.recv(timeout=60)))
    return found


def _ask(socket: ClientConnection) -> None:
    message = BackMsg()
    message.rerun_script.query_string = ""
    socket.send(message.SerializeToString())


def answer(address: str, path: str) -> bytes:
    """What is answered over HTTP, headers included."""
    with closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        connection.request("GET", path)
        found = connection.getresponse()
        return str(found.headers).encode() + found.read()


def wait_until_gone(address: str) -> None:
    """Until nobody listens there, which a launcher that was killed cannot see to."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer(address, "/_stcore/health")
        except OSError:
            return
        assert time.monotonic() < deadline, "the server outlives its launcher"
        time.sleep(0.05)


WATCHED = """
import os, sys
begun = os.environ["WATCHED"]
def note(event, given):
    if event == "open" and isinstance(given[0], str) and given[0].startswith(begun):
        print("opened", given[0], file=sys.stderr, flush=True)
if "dplda.ui.view.server" in sys.orig_argv:
    sys.addaudithook(note)
"""


def test_the_public_process_opens_one_file_leaks_no_canary_and_ends_with_its_launcher(owner, tmp_path) -> None:
    """The process that ``dplda view`` starts, beside the documents: its pages, addresses, errors, log and files.

    An audit hook of the interpreter notes whatever it opens in the owner's folder. At the end its launcher is killed.
    """
    (tmp_path / "sitecustomize.py").write_text(WATCHED)
    port, log = unused_port(), tmp_path / "log"
    environment = {
        **os.environ,
        "WATCHED": str(owner),
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
        "DPLDA_CACHE": str(owner / "cache"),
        LEDGER: str(owner / "ledger"),
    }
    before = sorted(owner.rglob("*"))
    command = [sys.executable, "-m", "dplda", "view", str(owner / "released"), "--port", str(port), "--no-open"]
    with (
        log.open("wb") as out,
        subprocess.Popen(command, cwd=owner, env=environment, stdout=subprocess.PIPE, stderr=out) as launcher,
    ):
        try:
            assert str(port) in launcher.stdout.readline().decode()
            address = f"127.0.0.1:{port}"
            sent = session(address)
            with pytest.raises(InvalidStatus, match="403"):
                connect(f"ws://{address}/_stcore/stream", origin="https://elsewhere.invalid", proxy=None)
            got = [answer(address, path) for path in ("/", "/documents", "/media/letters.txt", "/..%2fletters.txt")]
        finally:
            launcher.kill()
        wait_until_gone(address)
    assert any(message.delta.new_element.heading.body.startswith("Topics of") for message in sent)
    assert CANARY.encode() not in b"".join(message.SerializeToString() for message in sent) + b"".join(got)
    said = log.read_text()
    assert CANARY not in said
    reopened = {line.split(" ", 1)[1] for line in said.splitlines() if line.startswith("opened ")}
    assert reopened == {str(owner / "released")}
    assert sorted(owner.rglob("*")) == before
