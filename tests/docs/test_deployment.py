# SPDX-License-Identifier: Apache-2.0
"""The unit and the container file name options, settings and extras that exist."""

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from limbtrace.service.cli import serve
from limbtrace.service.settings import ServiceSettings
from tests.conftest import ROOT
from tests.patience import PATIENCE

UNIT = (ROOT / "docs" / "limbtrace.service").read_text()
CONTAINER = (ROOT / "docs" / "Containerfile").read_text()
PAGE = (ROOT / "docs" / "how-to" / "deployment.md").read_text()


def commands() -> list[list[str]]:
    """How the unit and the container start the service, from `limbtrace` on."""
    (unit,) = re.findall(r"^ExecStart=\S*/(limbtrace .*)$", UNIT, re.MULTILINE)
    (container,) = re.findall(r"^CMD (.*)$", CONTAINER, re.MULTILINE)
    return [shlex.split(unit), json.loads(container)]


@pytest.mark.parametrize("command", commands())
def test_the_service_is_started_as_it_can_be(command: list[str]) -> None:
    assert command[:2] == ["limbtrace", "serve"]
    options = serve.make_context("serve", command[2:], help_option_names=["-h", "--help"]).params
    assert options["port"] == 8000


def test_settings_exist() -> None:
    known = {f"LIMBTRACE_{name}".upper() for name in ServiceSettings.model_fields} | {"LIMBTRACE_BUILD"}
    named = set(re.findall(r"LIMBTRACE_[A-Z_]*[A-Z]", UNIT + CONTAINER + PAGE)) - {"LIMBTRACE_NAME"}
    assert named <= known | {"LIMBTRACE_BUILD"}  # where compiled code is kept
    assert "LIMBTRACE_DATABASE" in named


def test_extras_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {extra for text in re.findall(r"\[([a-z,]+)\]", CONTAINER + PAGE) for extra in text.split(",")}
    assert {"service", "postgres"} <= named & set(extras)


def test_the_container_does_not_start_without_a_token(tmp_path: Path) -> None:
    """As its file says: it would be open to the network."""
    _, command = commands()
    command[command.index("8000")] = "0"
    environment = {**os.environ, "LIMBTRACE_DATABASE": f"sqlite:///{tmp_path}/sets.sqlite3"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "limbtrace token add" in done.stderr


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """A directive that it does not know is a warning, and the program need not be installed here."""
    unit = tmp_path / "limbtrace.service"
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT, flags=re.MULTILINE))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
