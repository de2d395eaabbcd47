# SPDX-License-Identifier: Apache-2.0
"""`./run mutants --models`: mutants that tests notice, those that they do not, and what was tried before."""

import sys
from pathlib import Path

import pytest

from tools.model_mutants import FailingTestsError, modules, noticing, score

MODULE = "def loop(a, b, p):\n    return a + b - p if a + b >= p else a + b\n"
TEST = """
from loop import loop
for a in range(7):
    for b in range(7):
        assert loop(a, b, 7) == (a + b) % 7
"""
COMMAND = f"{sys.executable} test.py"


def project(folder: Path, test: str) -> Path:
    (folder / "loop.py").write_text(MODULE)
    (folder / "test.py").write_text(test)
    return folder


def test_what_a_test_notices(tmp_path: Path) -> None:
    found = score(project(tmp_path, TEST), Path("loop.py"), COMMAND, tmp_path / "state.sqlite", 1000)
    assert found.mutants == found.tried > 20
    assert found.survivors == ()
    assert (tmp_path / "loop.py").read_text() == MODULE


def test_what_a_weak_test_does_not_notice(tmp_path: Path) -> None:
    weak = TEST.replace("range(7)", "range(3)")
    folder = project(tmp_path, weak)
    found = score(folder, Path("loop.py"), COMMAND, tmp_path / "state.sqlite", 1000)
    assert 0 < len(found.survivors) < found.tried
    assert all(one.line == 2 for one in found.survivors)
    assert any("- p" not in one.change.splitlines()[1] for one in found.survivors)
    (folder / "test.py").write_text("raise SystemExit('not run again')\n")
    assert score(folder, Path("loop.py"), COMMAND, tmp_path / "state.sqlite", 1000) == found


def test_more_mutants_contain_the_fewer(tmp_path: Path) -> None:
    folder = project(tmp_path, "import loop\n")
    few, more = (score(folder, Path("loop.py"), COMMAND, tmp_path / "state.sqlite", n).survivors for n in (4, 8))
    assert (len(few), len(more), few) == (4, 8, more[:4])


def test_tests_that_fail_without_a_mutant(tmp_path: Path) -> None:
    with pytest.raises(FailingTestsError, match=r"without a mutant of loop.py, this fails in .*test.py"):
        score(project(tmp_path, "raise SystemExit(1)\n"), Path("loop.py"), COMMAND, tmp_path / "state.sqlite")


def test_every_model_has_tests() -> None:
    assert len(modules([])) > 20
    assert [str(path) for path in modules(["iddmm/r2mm.py"])] == ["refmodels/papers/iddmm/r2mm.py"]
    assert all(Path(test).exists() for module in modules([]) for test in noticing(module))
