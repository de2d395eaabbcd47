# SPDX-License-Identifier: Apache-2.0
"""The lists of models, architectures and design spaces: every entry by its own id, loaded when it is asked for."""

import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.paper import Catalogue, Paper
from limbtrace.refmodels.registry import ARCHITECTURES, FAMILIES, MODELS, PAPERS, SPACES


@pytest.mark.parametrize(("entries", "name"), [(MODELS, "id"), (ARCHITECTURES, "id"), (SPACES, "core"), (PAPERS, "id")])
def test_entries_have_the_names_that_papers_give_them(entries: Mapping[str, Any], name: str) -> None:
    assert [getattr(entry, name) for entry in entries.values()] == list(entries) != []


@pytest.mark.parametrize("found", [*PAPERS.values(), *FAMILIES], ids=lambda paper: paper.id)
def test_every_module_of_a_paper_is_in_its_lists(found: Paper) -> None:
    """A file with a model that the paper does not name would be known to nobody."""
    listed = [("MODEL", name) for name in found.algorithms]
    listed += [("ARCHITECTURE", name) for name in found.schedules.values()]
    listed += [("SPACE", name) for name in found.designs.values()]
    folder = Path(str(files(found.package)))
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    modules += [path.parent for path in folder.glob("*/__init__.py")]
    there = [
        (name, path.stem)
        for path in modules
        for name in ("MODEL", "ARCHITECTURE", "SPACE")
        if any(line.startswith((f"{name} =", f"{name}:")) for line in _text(path).splitlines())
    ]
    assert sorted(listed) == sorted(there)


def _text(module: Path) -> str:
    """The source of a module, which is a file or a folder."""
    return (module / "__init__.py" if module.is_dir() else module).read_text()


def test_a_model_loads_its_own_paper_alone() -> None:
    program = "import sys; from limbtrace.refmodels.registry import MODELS; MODELS['cios']; "
    program += "papers = [name for name in sys.modules if name.startswith('limbtrace.refmodels.papers.')]; "
    program += "print(sorted({name.rpartition('papers.')[2] for name in papers if name.count('.') == 4}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['fpmm.cios', 'fpmm.design', 'fpmm.pseudocode']\n"


def test_a_catalogue_knows_its_names_before_it_loads_anything() -> None:
    loaded: list[str] = []

    def load(name: str) -> str:
        loaded.append(name)
        return name.upper()

    first, second = (Catalogue({name: lambda name=name: load(name)}) for name in ("a", "b"))  # type: ignore[misc]
    both = first | second
    assert (list(both), len(both), "a" in both, "c" in both) == (["a", "b"], 2, True, False)
    assert loaded == []
    assert (both["b"], both["b"], first.get("c")) == ("B", "B", None)
    assert loaded == ["b"]
    both["a"] = "another"
    assert (both["a"], first["a"]) == ("another", "A")
    del both["a"]
    assert list(both) == ["b"]
    with pytest.raises(KeyError):
        both["a"]
