# SPDX-License-Identifier: Apache-2.0
"""`./run mutants --models`: mutants that tests notice, those that they do not, and what was tried before."""

import sys
from pathlib import Path

import pytest
from cosmic_ray.work_item import MutationSpec

from tools.model_mutants import page
from tools.model_mutants.entered import Entered
from tools.model_mutants.measure import (
    ROOT,
    FailingTestsError,
    ModuleScore,
    Survivor,
    digest_of,
    entered,
    modules,
    noticing,
    score,
)

MODULE = "def loop(a, b, p):\n    return a + b - p if a + b >= p else a + b\n"
TEST = """
from loop import loop
for a in range(7):
    for b in range(7):
        assert loop(a, b, 7) == (a + b) % 7
"""
COMMAND = f"{sys.executable} test.py"


def tried(mutation: MutationSpec) -> str:
    return COMMAND


def project(folder: Path, test: str) -> Path:
    (folder / "loop.py").write_text(MODULE)
    (folder / "test.py").write_text(test)
    return folder


def test_what_a_test_notices(tmp_path: Path) -> None:
    found = score(project(tmp_path, TEST), Path("loop.py"), tried, tmp_path / "state.sqlite", 1000)
    assert found.mutants == found.tried > 20
    assert found.survivors == ()
    assert (tmp_path / "loop.py").read_text() == MODULE


def test_what_a_weak_test_does_not_notice(tmp_path: Path) -> None:
    weak = TEST.replace("range(7)", "range(3)")
    folder = project(tmp_path, weak)
    found = score(folder, Path("loop.py"), tried, tmp_path / "state.sqlite", 1000)
    assert 0 < len(found.survivors) < found.tried
    assert all(one.line == 2 for one in found.survivors)
    assert any("- p" not in one.change.splitlines()[1] for one in found.survivors)
    (folder / "test.py").write_text("raise SystemExit('not run again')\n")
    assert score(folder, Path("loop.py"), tried, tmp_path / "state.sqlite", 1000) == found


def test_more_mutants_contain_the_fewer(tmp_path: Path) -> None:
    folder = project(tmp_path, "import loop\n")
    few, more = (score(folder, Path("loop.py"), tried, tmp_path / "state.sqlite", n).survivors for n in (4, 8))
    assert (len(few), len(more), few) == (4, 8, more[:4])


def test_survivors_are_tried_again_by_other_tests(tmp_path: Path) -> None:
    """Those that were killed are not: there, a module that cannot be imported."""
    folder, state = project(tmp_path, TEST.replace("range(7)", "range(3)")), tmp_path / "state.sqlite"
    weak = score(folder, Path("loop.py"), tried, state, 1000, "weak")
    (folder / "test.py").write_text(TEST)
    assert score(folder, Path("loop.py"), tried, state, 1000, "weak") == weak
    assert score(folder, Path("loop.py"), tried, state, 1000, "strong").survivors == ()


def test_a_mutant_that_no_test_enters_survives(tmp_path: Path) -> None:
    folder = project(tmp_path, TEST)
    found = score(folder, Path("loop.py"), lambda mutation: None, tmp_path / "state.sqlite", 3)
    assert (found.tried, len(found.survivors)) == (3, 3)


def test_changes_of_annotations_are_no_mutants(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text("def loop(a: int | None) -> int | None:\n    b: int | None = a\n    return b\n")
    found = score(tmp_path, Path("loop.py"), tried, tmp_path / "state.sqlite", 1000)
    assert found.mutants > 3
    assert found.tried == 0


ENTERED = """
from limbtrace.refmodels.registry import MODELS
from limbtrace.refmodels.papers.textbook.square import MODEL

def test_slow():
    assert sum(range(3_000_000)) and MODEL.result(MODEL.resolve(13, {}), 5, 0) == 12

def test_fast():
    assert MODEL.result(MODEL.resolve(13, {}), 5, 0) == 12

def test_other():
    assert MODELS
"""


def test_what_tests_enter(tmp_path: Path) -> None:
    (tmp_path / "test_square.py").write_text(ENTERED)
    path = entered(ROOT, f"--rootdir {tmp_path} {tmp_path}/test_square.py", tmp_path / "entered.json")
    found = Entered.read([path])
    module = Path("refmodels/papers/textbook/square.py")
    source = (ROOT / module).read_text()
    lines = source.splitlines()
    inside = next(n for n, line in enumerate(lines, 1) if line.endswith("a * a % params.modulus)"))
    assert [id.rpartition("::")[2] for id in found.tests(module, inside, 8, source)] == ["test_fast", "test_slow"]
    declared = next(n for n, line in enumerate(lines, 1) if line.startswith("MODEL"))
    assert len(found.tests(module, declared, 0, source)) >= 2
    assert found.tests(Path("refmodels/papers/textbook/none.py"), 1, 0, "") == []


def test_tests_that_fail_without_a_mutant(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert False\n")
    with pytest.raises(FailingTestsError, match=r"without a mutant, this fails in .*test_it.py"):
        entered(ROOT, f"--rootdir {tmp_path} {tmp_path}/test_it.py", tmp_path / "entered.json")
    assert not (tmp_path / "entered.json").exists()


def test_the_page_is_that_of_the_measurements() -> None:
    assert page.OUTPUT.read_text() == page.everything()
    assert page.unused(page.read(), page.judged()) == []


def test_the_page_says_what_is_missing() -> None:
    module = "refmodels/papers/textbook/square.py"
    survivor, other = Survivor(3, "-a\n+b"), Survivor(4, "-c\n+d")
    one = ModuleScore(module, 50, 10, digest_of([ROOT / module]), (survivor, other))
    text = page.page(
        {module: one}, {module: {"-a\n+b": "it is the same."}}, [module, "refmodels/papers/textbook/redc.py"]
    )
    assert "| `textbook` | 10 | 8 | 1 | 1 | 88 % |\n" in text
    assert "line 3. Equivalent: it is the same.\n" in text
    assert "line 4. A hole.\n" in text
    assert "## Not measured\n\n* `textbook/redc.py`\n" in text
    assert "No module has changed" in text
    assert page.unused({module: one}, {module: {"-x": "never"}}) == [f"{module}: -x"]


def test_every_model_has_tests() -> None:
    assert len(modules([])) > 20
    assert [str(path) for path in modules(["iddmm/r2mm.py"])] == ["refmodels/papers/iddmm/r2mm.py"]
    assert all(Path(test).exists() for module in modules([]) for test in noticing(module))
