# SPDX-License-Identifier: Apache-2.0
"""Parts of the tests: what they hold, and that only what has passed is left out when a part goes on."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.parts import BEFORE, Part, function, read_durations, seconds_of
from tools.durations import kept, lines

TESTS = """
import os, pathlib, pytest

def has(fault):
    return fault in os.environ["FAULTS"].split()

@pytest.fixture
def around():
    assert not has("setup")
    yield
    assert not has("teardown")

def test_first(around): pass
def test_call(): assert not has("call")
def test_skipped():
    if has("skip"): pytest.skip("there is no such tool")
def test_expected():
    if has("xfail"): pytest.xfail("known")
@pytest.mark.parametrize("name", ["a b", "x"])
def test_end(name):
    if has("end"): os._exit(7)
    if has("edit"): pathlib.Path(__file__).with_name("product.py").write_text("x = 2")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tmp_path / ".gitignore").write_text("build/\n__pycache__/\n.pytest_cache/\n")
    (tmp_path / "product.py").write_text("x = 1")
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def run(project: Path, *options: str, faults: str = "", **environment: str) -> tuple[int, str, str]:
    """Exit code, the line about the part, and all output."""
    plugins = [word for name in ("xdist.plugin", "tests.parts", "no:cacheprovider") for word in ("-p", name)]
    own = {"PYTHONPATH": str(ROOT), "FAULTS": faults, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    command = [sys.executable, "-m", "pytest", *plugins, *options]
    done = subprocess.run(command, cwd=project, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    found = re.search(r"^part .*", done.stdout, re.MULTILINE)
    return done.returncode, found[0] if found else "", done.stdout + done.stderr


ALL = "part 1/1: 6 tests: 0 passed before, 6 passed now, 0 not run"


def test_only_what_has_passed_is_left_out(project: Path) -> None:
    options = ("--part", "1/1")
    first, passed = "part 1/1: 6 tests: 0 passed before", ("2 passed now", "3 passed now")
    code, line, output = run(project, *options, faults="setup call skip xfail")
    assert (code, line) == (1, f"{first}, {passed[0]}, 2 skipped, 2 failed, 0 not run"), output
    code, line, output = run(project, *options, faults="teardown skip")
    assert (code, line) == (1, f"{first.replace('0', '2')}, 2 passed now, 1 skipped, 1 failed, 0 not run"), output
    code, line, output = run(project, *options)
    assert (code, line) == (0, f"{first.replace('0', '4')}, 2 passed now, 0 not run"), output
    assert f"2 passed, 4 {BEFORE} in " in output
    # Nothing of a test that has passed before is run: the faults would be seen.
    code, line, output = run(project, *options, faults="setup teardown call end")
    assert (code, line) == (0, f"{first.replace('0', '6')}, 0 passed now, 0 not run"), output
    assert run(project, *options, "--again")[:2] == (0, ALL)


def test_a_part_that_was_interrupted(project: Path) -> None:
    """In the middle of a test, and of a line of the note."""
    assert run(project, "--part", "1/1", faults="end")[:2] == (7, "")
    (note,) = project.glob("build/parts/*/1-of-1.txt")
    assert [*seconds_of(note)] == [f"test_it.py::test_{name}" for name in ("first", "call", "skipped", "expected")]
    note.write_text(note.read_text() + "0.01 test_it.py::test_end[x]")
    code, line, output = run(project, "--part", "1/1", "-x", faults="skip")
    assert (code, line) == (0, "part 1/1: 6 tests: 4 passed before, 2 passed now, 0 not run"), output
    assert run(project, "--part", "1/1", "--again", "-x", faults="call")[1].endswith("1 failed, 4 not run")


def test_a_worker_that_ends(project: Path) -> None:
    code, line, output = run(project, "--part", "1/1", "-n", "1", faults="end")
    assert (code, line) == (1, "part 1/1: 6 tests: 0 passed before, 4 passed now, 2 failed, 0 not run"), output
    code, line, output = run(project, "--part", "1/1", "-n", "1", faults="setup call")
    assert (code, line) == (0, "part 1/1: 6 tests: 4 passed before, 2 passed now, 0 not run"), output


def test_other_files_are_another_matter(project: Path) -> None:
    assert run(project, "--part", "1/1")[1] == ALL
    (project / "product.py").write_text("x = 3")
    assert run(project, "--part", "1/1")[1] == ALL
    assert run(project, "--part", "1/1", CC="")[1] == ALL
    code, line, output = run(project, "--part", "1/1", "--again", faults="edit")
    assert (code, line) == (0, ALL)
    assert "files have changed meanwhile: 2 of them will be repeated" in output
    (project / "product.py").write_text("x = 3")
    assert "4 passed before, 2 passed now" in run(project, "--part", "1/1")[1]


SHARED = """
import copy, functools, os

def check(number):
    assert str(number) != os.environ["FAULTS"]

def pytest_collection_modifyitems(items):
    items[:] = [copy.copy(item) for item in items for _ in range(4)]
    for number, item in enumerate(items):
        item.obj = functools.partial(check, number)
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_tests_with_one_id_pass_together(project: Path, workers: str) -> None:
    """As those that schemathesis generates: where one fails, all of them are repeated."""
    (project / "conftest.py").write_text(SHARED)
    (project / "test_it.py").write_text("def test_it(): pass\n")
    options = ("--part", "1/1", "-n", workers)
    for faults in ("3", "0"):
        code, line, output = run(project, *options, faults=faults)
        assert (code, line) == (1, "part 1/1: 4 tests: 0 passed before, 3 passed now, 1 failed, 0 not run"), output
    assert run(project, *options)[1] == "part 1/1: 4 tests: 0 passed before, 4 passed now, 0 not run"
    assert run(project, *options)[1] == "part 1/1: 4 tests: 4 passed before, 0 passed now, 0 not run"


def test_a_part_of_what_is_selected(project: Path) -> None:
    _, _, output = run(project, "--part", "2/3", "--collect-only", "-q")
    assert re.findall(r"^test_it\.py::test_(.*)", output, re.MULTILINE) == ["skipped", "expected"]
    assert not (project / "build").exists()
    _, line, _ = run(project, "--part", "2/2", "-k", "end")
    assert line == "part 2/2: 1 tests: 0 passed before, 1 passed now, 0 not run"


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/101", "1", "1/", "a/b", "-1/2", "1/2/3", "1.0/2", "²/3", "1/2 "])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(ValueError, match=f"^--part: '{re.escape(text)}' is not I/N with integers 1 <= I <= N <= 100$"):
        Part.parse(text)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--part", "5/4"), "--part: '5/4' is not I/N with integers 1 <= I <= N <= 100"),
        (("--part",), "--part: '' is not I/N with integers 1 <= I <= N <= 100"),
        (("--again",), "--again: is only for --part"),
    ],
)
def test_a_wrong_request_is_one_sentence(project: Path, options: tuple[str, ...], sentence: str) -> None:
    assert run(project, *options) == (2, "", f"{sentence}\n")


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=60), st.integers(1, 12))
def test_parts_take_about_the_same_time(seconds: list[float], of: int) -> None:
    ids = [f"f{k}" for k in range(len(seconds))]
    durations = dict(zip(ids, seconds, strict=True))
    parts = [Part(index, of).of_tests(ids, durations) for index in range(1, of + 1)]
    assert [k for part in parts for k in part] == [*range(len(ids))]
    for part in parts:
        assert sum(seconds[k] for k in part) <= sum(seconds) / of + max(seconds) * 1.001


def test_durations_are_of_tests_that_are_there() -> None:
    assert [name for name in read_durations() if not kept(name)] == []


def test_how_durations_are_renewed() -> None:
    old = {
        f"tests/house/test_parts.py::{name}": 9.0
        for name in ("test_gone", "test_what_is_no_part", "test_short", "test_sampled")
    }
    noted = {
        "t.py::test_a[1]": 4.0,
        "t.py::test_a[2]": 6.0,
        "tests/house/test_parts.py::test_short[x[0]]": 0.3,
        "tests/house/test_parts.py::test_sampled[1]": 0.9,
    }
    assert lines(noted, old) == [
        "5.0 t.py::test_a", "0.9 tests/house/test_parts.py::test_sampled",
        "9.0 tests/house/test_parts.py::test_what_is_no_part",
    ]  # fmt: skip
    assert function("t.py::test_a[x[0]]") == "t.py::test_a"
