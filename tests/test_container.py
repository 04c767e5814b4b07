"""The container's file, read as a builder reads it: sources, stages, user, commands, settings."""

import json
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from streamlit import config

from dplda.core import demo
from dplda.corpus import disk_cache
from dplda.ui.server import visit_log

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "assets" / "docs" / "Containerfile"
KNOWN = {"ARG", "FROM", "WORKDIR", "RUN", "COPY", "USER", "ENV", "VOLUME", "EXPOSE"}
IN_JSON = {"HEALTHCHECK", "ENTRYPOINT"}


class Instruction(NamedTuple):
    """One instruction, with its lines joined.

    Attributes:
        stage: number of the stage that it belongs to, from 1; 0 before the first.
        name: in capitals.
        text: all after the name.
    """

    stage: int
    name: str
    text: str


def read_instructions(text: str) -> list[Instruction]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    instructions: list[Instruction] = []
    stage = 0
    for line in filter(None, joined.splitlines()):
        name, _, arguments = line.partition(" ")
        stage += name == "FROM"
        instructions.append(Instruction(stage, name, arguments.strip()))
    return instructions


INSTRUCTIONS = read_instructions(FILE.read_text("utf-8"))


def texts_of(name: str, stage: int | None = None) -> list[str]:
    return [
        instruction.text
        for instruction in INSTRUCTIONS
        if instruction.name == name and stage in (None, instruction.stage)
    ]


def exec_form(name: str) -> list[str]:
    """The command of the one instruction of this name, as a list."""
    (text,) = texts_of(name)
    command: list[str] = json.loads(text[text.index("[") :])
    return command


def copied_sources() -> list[str]:
    return [
        source
        for text in texts_of("COPY")
        if not text.startswith("--from")
        for source in text.split()[:-1]
    ]


def test_container_has_known_instructions_alone() -> None:
    assert {instruction.name for instruction in INSTRUCTIONS} <= KNOWN | IN_JSON


def test_container_copies_sources_that_exist() -> None:
    assert [source for source in copied_sources() if not (ROOT / source).exists()] == []


def test_container_copies_all_that_the_wheel_holds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    packaged_paths = {
        *wheel["packages"],
        *wheel["force-include"],
        *project["project"]["license-files"],
    }
    assert {*packaged_paths, project["project"]["readme"]} <= {*copied_sources()}


def test_container_takes_files_from_a_stage_that_it_names() -> None:
    stages = {text.split(" AS ")[1] for text in texts_of("FROM") if " AS " in text}
    assert {re.findall(r"--from=(\w+)", text)[0] for text in texts_of("COPY", stage=2)} == stages


def test_container_installs_what_the_lock_names_with_its_hashes() -> None:
    installs = [text for text in texts_of("RUN") if "pip install" in text]
    assert all("--require-hashes" in text or "--no-index --no-deps" in text for text in installs)


def test_container_does_not_run_as_root() -> None:
    (user,) = texts_of("USER", stage=2)
    assert int(user.split(":")[0]) > 0


def test_container_starts_the_server_with_options_that_it_has() -> None:
    program, *arguments = exec_form("ENTRYPOINT")
    options = [
        argument.partition("=")[0][2:] for argument in arguments if argument.startswith("--")
    ]
    assert (program, arguments[:2]) == ("/opt/dplda/bin/python", ["-m", "dplda.ui.server"])
    assert options
    for option in options:
        config.get_option(option)  # raises for an unknown one


def test_container_is_checked_at_the_port_that_it_opens() -> None:
    (port,) = texts_of("EXPOSE")
    assert f"--server.port={port}" in exec_form("ENTRYPOINT")
    assert f"http://127.0.0.1:{port}/_stcore/health" in exec_form("HEALTHCHECK")[-1]


def test_container_checks_its_health_by_code_that_compiles() -> None:
    compile(exec_form("HEALTHCHECK")[-1], "HEALTHCHECK", "exec")


@pytest.mark.parametrize("name", [demo.VARIABLE, visit_log.VISITS, disk_cache.FOLDER_VARIABLE])
def test_container_sets_variables_that_the_program_reads(name: str) -> None:
    (environment,) = texts_of("ENV")
    assert f"{name}=" in environment


def test_container_keeps_the_folder_that_outlives_a_run() -> None:
    (volume,) = texts_of("VOLUME")
    assert f"{disk_cache.FOLDER_VARIABLE}={volume} " in texts_of("ENV")[0]
