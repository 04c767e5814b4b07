"""Checksums of a release, signed and checked by the commands that CONTRIBUTING gives."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(
    not (shutil.which("ssh-keygen") and shutil.which("sha256sum")), reason="needs OpenSSH"
)


@pytest.fixture
def signed_folder(tmp_path: Path) -> Iterator[Path]:
    """Two files with signed checksums, and the signer's public key among the allowed ones."""
    key = tmp_path / "key"
    generate = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)]
    subprocess.run(generate, check=True)
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "dplda-0.1.0.whl").write_bytes(b"wheel")
    (folder / "dplda.cdx.json").write_bytes(b"components")
    subprocess.run([ROOT / ".ci" / "sign.sh", folder, key], check=True, capture_output=True)
    (folder / "allowed_signers").write_text(f"dplda {key.with_suffix('.pub').read_text()}")
    return folder


def is_accepted(folder: Path) -> bool:
    """Whether the documented commands accept the files of a folder."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (commands,) = re.findall(r"```sh\n(ssh-keygen -Y verify.*?)```", text, re.DOTALL)
    done = subprocess.run(["sh", "-ec", commands], cwd=folder, capture_output=True, check=False)
    return done.returncode == 0


def test_signed_release_is_accepted(signed_folder: Path) -> None:
    assert is_accepted(signed_folder)


def test_changed_file_is_refused(signed_folder: Path) -> None:
    (signed_folder / "dplda-0.1.0.whl").write_bytes(b"Wheel")
    assert not is_accepted(signed_folder)


def test_checksums_of_somebody_else_are_refused(signed_folder: Path) -> None:
    (signed_folder / "dplda-0.1.0.whl").write_bytes(b"Wheel")
    subprocess.run([ROOT / ".ci" / "sign.sh", signed_folder], check=True, capture_output=True)
    assert not is_accepted(signed_folder)
