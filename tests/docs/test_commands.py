# SPDX-License-Identifier: Apache-2.0
"""Every command in README and docs is run, and prints the output shown there.

A ```console block holds `$ command` lines, each followed by its expected output; `...` stands for anything, within a
line or for any number of lines. One that takes long is ```console full, and is run in the full matrix alone. `curl` is
answered by a service on a free port. A ```sh block is for commands that set up the machine (`./run ...`): they must
name a command that `./run` has.
"""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE, get
from tests.sample import full

pytestmark = pytest.mark.usefixtures("compiler")

TOP = Path(__file__).parents[2]
TUTORIALS = TOP / "docs" / "tutorials"
"""Pages that `test_tutorials` follows from beginning to end."""
_BY_HAND = (page for page in sorted((TOP / "docs").rglob("*.md")) if page.parent != TUTORIALS)
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *_BY_HAND]
PUBLIC_URL = "http://127.0.0.1:8000"


def blocks(kind: str) -> list[tuple[str, str]]:
    """(page and line, text) of every fenced block of a kind."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in re.finditer(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text.count("\n", 0, match.start()) + 1
            found.append((f"{page.relative_to(TOP)}:{line}", match[1]))
    return found


def commands(block: str) -> list[tuple[str, str]]:
    """(command, expected output) in order."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def matches(expected: str, seen: str) -> bool:
    """Whether the output is as shown; `...` stands for anything."""
    pattern = ".*".join(re.escape(piece) for piece in expected.strip().split("..."))
    return re.fullmatch(pattern, seen.strip(), re.DOTALL) is not None


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service as started by a reader, but on a free port."""
    command = [str(Path(sys.executable).parent / "limbtrace"), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "http://" in line, line
        yield "http://" + line.strip().rpartition("http://")[2]
        process.terminate()


def run(command: str, url: str, folder: Path) -> str:
    """Standard output of a command; curl is replaced, since not every machine has it."""
    if command.startswith("curl "):
        _, *options, address = shlex.split(command.replace(PUBLIC_URL, url))
        if not options:
            return get(address).raise_for_status().text
        if set(options[::2]) == {"-F"}:
            fields = [field.split("=@") for field in options[1::2]]
            files = {name: (path, (folder / path).read_bytes()) for name, path in fields}
            return httpx.post(address, files=files, timeout=PATIENCE).raise_for_status().text
        flag, given, *file = options
        content, kind = given.encode(), "application/json"
        if flag != "--json":
            (data, name) = file
            assert (flag, data, name[0]) == ("-H", "--data-binary", "@")
            content, kind = (folder / name[1:]).read_bytes(), given.removeprefix("Content-Type: ")
        headers = {"Content-Type": kind}
        return httpx.post(address, content=content, headers=headers, timeout=PATIENCE).raise_for_status().text
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        command.replace(PUBLIC_URL, url), shell=True, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.budget
@pytest.mark.parametrize(
    ("place", "block"),
    [*blocks("console"), *(full(block) for block in blocks("console full"))],
)
def test_console_block(place: str, block: str, url: str, tmp_path: Path) -> None:
    """The commands of a block run one after the other in one folder, in which plans and the tests' toy cores are."""
    for name in ("tests", "docs"):
        (tmp_path / name).symlink_to(TOP / name)
    for command, expected in commands(block):
        seen = run(command, url, tmp_path)
        assert matches(expected, seen), f"{place}\n$ {command}\n{seen[:4000]}"


def test_every_command_of_run_is_one_that_it_has() -> None:
    usage = subprocess.run([TOP / "run"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^  (\w+)  ", usage, re.MULTILINE))
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"(?:^|[`$ ])\./run ([a-z]+)", page.read_text(), re.MULTILINE)
    }  # fmt: skip
    assert shown <= known
    assert {"demo", "test"} <= shown


def test_the_core_of_the_readme_is_the_toy_that_the_tests_run() -> None:
    """The description in the README is complete: it is that of the toy, on fewer lines."""
    ((_, shown),) = [block for block in blocks("toml") if block[0].startswith("README")]
    toy = (TOP / "tests" / "rtl_bridge" / "toys" / "bit_toy" / "core.toml").read_text()
    assert tomllib.loads(shown) == tomllib.loads(toy)
    assert len(shown.splitlines()) <= 20


@pytest.mark.budget
@pytest.mark.parametrize(("place", "program"), blocks("python"))
def test_python_block(place: str, program: str, url: str, tmp_path: Path) -> None:
    """Programs in the docs run and print output."""
    done = subprocess.run(
        [sys.executable, "-c", program.replace(PUBLIC_URL, url)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{place}\n{done.stderr[-2000:]}"
    assert done.stdout


@pytest.mark.budget
def test_the_demo(tmp_path: Path) -> None:
    """The part of `./run demo` after the set-up: everything agrees, and the injected fault is located."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, TOP / "tools" / "demo.py"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Every watched signal agreed with the golden table in every cycle." in done.stdout
    assert re.search("An should be 0x[12] and is 0x0", done.stdout)
    for name in ("waves.vcd", "vectors.json", "trace.json", "cycles.vcd", "iddmm_arch2-secp256k1.xml"):
        assert name in done.stdout
        assert (tmp_path / "build" / "demo" / name).stat().st_size > 0
