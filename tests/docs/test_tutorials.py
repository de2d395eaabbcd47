# SPDX-License-Identifier: Apache-2.0
"""Every tutorial is followed from its first line to its last, in one empty folder.

A block `LANGUAGE file=PATH` is a file that the reader writes; `append=PATH` goes to the end of one. A block `console`
has commands with their output, `...` for anything; `exit=N` is the exit code of its last command, whose message on
standard error counts as output. A `pyproject.toml` is installed as soon as it is written, and `curl` and the public
address are those of a service on a free port.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.test_commands import PUBLIC_URL, TOP, commands, matches
from tests.patience import get

pytestmark = pytest.mark.usefixtures("compiler")

PAGES = sorted((TOP / "docs" / "tutorials").glob("*.md"))
BIN = Path(sys.executable).parent


class Reader:
    """Somebody who follows a page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url: str | None = None
        self.environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
        self.environment["LIMBTRACE_DATABASE"] = f"sqlite:///{folder}/sets.sqlite3"
        self.services = ExitStack()

    def write(self, path: str, text: str, *, append: bool) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text((target.read_text() if append else "") + text)
        if target.name == "pyproject.toml":
            self._install(tomllib.loads(text)["project"])

    def _install(self, project: dict[str, object]) -> None:
        """What `pip install -e .` does, without a network."""
        groups = project["entry-points"]
        assert isinstance(groups, dict)
        place = self.folder / f"{project['name']}-{project['version']}.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        entries = (
            f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in groups.items()
        )
        (place / "entry_points.txt").write_text("\n".join(entries))
        known = self.environment.get("PYTHONPATH", "")
        self.environment["PYTHONPATH"] = f"{self.folder}{os.pathsep}{known}" if known else str(self.folder)

    def serve(self) -> str:
        """A service as started by the reader, but on a free port."""
        command = [str(BIN / "limbtrace"), "serve", "--port", "0"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.services.enter_context(process)
        self.services.callback(process.terminate)
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "http://" in line, line
        return "http://" + line.strip().rpartition("http://")[2]

    def _shell(self, command: str) -> subprocess.CompletedProcess[str]:
        call = ["bash", "-c", command]
        return subprocess.run(call, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)

    def run(self, command: str) -> tuple[int, str]:
        """(exit code, output) of a command; the message of one that fails is part of the output."""
        if command.startswith("limbtrace serve"):
            assert command.endswith(" &")
            self.url = self.serve()
            return 0, ""
        command = command.replace(PUBLIC_URL, self.url or PUBLIC_URL)
        if command.startswith("curl "):
            quoted = self._shell(f"printf '%s\\n' {command.removeprefix('curl ')}").stdout.splitlines()
            headers = dict(word.split(": ", 1) for flag, word in pairwise(quoted) if flag == "-H")
            return 0, get(quoted[-1], headers=headers).text
        done = self._shell(command)
        said = [line for line in done.stderr.splitlines(keepends=True) if line.startswith("limbtrace: ")]
        return done.returncode, done.stdout if done.stdout or not done.returncode else "".join(said) or done.stderr


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    found = Reader(tmp_path)
    with found.services:
        yield found


def blocks(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """(language, words behind it, text) of every fenced block."""
    for match in re.finditer(r"^```(\w*)([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield match[1], dict(word.split("=", 1) for word in match[2].split()), match[3]


@pytest.mark.budget(40)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_works_as_shown(page: Path, reader: Reader) -> None:
    ran = 0
    for language, said, text in blocks(page.read_text()):
        if path := said.get("file") or said.get("append"):
            reader.write(path, text, append="append" in said)
        if language != "console":
            continue
        steps = commands(text)
        for number, (command, expected) in enumerate(steps, 1):
            code, seen = reader.run(command)
            wanted = int(said.get("exit", 0)) if number == len(steps) else 0
            assert code == wanted, f"{page.stem}: $ {command}\nexit {code}\n{seen[-3000:]}"
            assert matches(expected, seen), f"{page.stem}: $ {command}\n{seen[:4000]}"
            ran += 1
    assert ran >= 5


def test_every_block_of_code_is_used() -> None:
    """A block is a file, a command, or without a language."""
    for page in PAGES:
        for language, said, text in blocks(page.read_text()):
            assert not language or language == "console" or said, f"{page.stem}: {text[:60]}"
