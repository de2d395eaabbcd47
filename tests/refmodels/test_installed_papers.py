# SPDX-License-Identifier: Apache-2.0
"""Papers of other packages, found by entry point `limbtrace.papers`."""

import sys
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.paper import Catalogue

PAPER = """
from limbtrace.modeling import Paper
PAPER = Paper(id="{id}", package=__name__, algorithms=({model!r},), schedules={{}})
"""


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, place: str, text: str) -> Catalogue[Any]:
    """A package with an entry point, and the catalogue of models as a new process sees it."""
    package = folder / "toy_papers-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-papers\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntoy = {place}\n")
    (folder / "toy_paper").mkdir()
    (folder / "toy_paper" / "__init__.py").write_text(text)
    (folder / "toy_paper" / "toy_model.py").write_text("MODEL = 'a model'\n")
    monkeypatch.syspath_prepend(str(folder))
    for name in [name for name in sys.modules if name.startswith("toy_paper")]:
        monkeypatch.delitem(sys.modules, name)
    registry.installed.cache_clear()
    return registry._all((paper.models for paper in registry.PAPERS.values()), "models")


@pytest.fixture(autouse=True)
def forget() -> object:
    yield
    registry.installed.cache_clear()


def test_its_models_are_listed_after_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    models = install(monkeypatch, tmp_path, "toy_paper:PAPER", PAPER.format(id="toy", model="toy_model"))
    assert models["iddmm2"].id == "iddmm2"
    assert "toy_paper" not in sys.modules  # what is built in costs nothing more
    assert list(models) == [*(name for paper in registry.PAPERS.values() for name in paper.models), "toy_model"]
    assert models["toy_model"] == "a model"
    assert len(models) == len(list(models))


def test_a_name_that_nobody_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    models = install(monkeypatch, tmp_path, "toy_paper:PAPER", PAPER.format(id="toy", model="toy_model"))
    assert "nothing" not in models
    with pytest.raises(KeyError):
        models["nothing"]


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("toy_paper:PAPER", "PAPER = 1", "it is no Paper"),
        ("toy_paper:NONE", "", "has no attribute 'NONE'"),
        ("toy_paper:PAPER", PAPER.format(id="toy", model="cios"), "paper fpmm has cios already"),
        ("toy_paper:PAPER", PAPER.format(id="hffm", model="toy_model"), "paper hffm has hffm already"),
        ("toy_paper:PAPER", "1 / 0", "division by zero"),
    ],
)
def test_what_cannot_be_used(place: str, text: str, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    models = install(monkeypatch, tmp_path, place, text)
    for _ in range(2):
        with pytest.raises(
            ParameterError, match=f"paper: the paper toy, installed as {place}, cannot be used: .*{why}"
        ):
            list(models)
    assert models["cios"].id == "cios"
