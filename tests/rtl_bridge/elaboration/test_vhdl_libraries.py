# SPDX-License-Identifier: Apache-2.0
"""Sources in VHDL that are in libraries of their own: `vhdl_libraries`."""

from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.elaboration.vhdl_libraries import VhdlNames, advice
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.flow.test_vivado import build, calls, export
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.vectors.test_cli import run

TOY = TOYS / "vhdl_library"
TOML = "core.toml"
ASSIGNED = 'vhdl_libraries = { arith = ["arith/arith_pkg.vhd", "arith/arith_body.vhd", "arith/reduced.vhd"] }'
SIMULATED = (TOML, 'top = "', 'ghdl = "simulate"\ntop = "')


def test_a_package_and_an_entity_of_a_library(capsys: pytest.CaptureFixture[str]) -> None:
    """They are found in the synthesis, and in the simulation that it is compared with."""
    report = simulate(job(TOY, "251", mode="bulk", count=200))
    assert report.passed, report.text()
    assert "not compared" not in capsys.readouterr().err


def test_in_a_simulation(tmp_path: Path) -> None:
    report = simulate(job(copy_of(TOY, tmp_path, SIMULATED), "251", mode="bulk", count=30))
    assert report.passed, report.text()


@pytest.mark.parametrize("more", [(), (SIMULATED,)], ids=["synthesise", "simulate"])
def test_a_fault_in_the_library_is_caught(more: tuple[Edit, ...], tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, ("arith/reduced.vhd", "x - p when", "x - p + 1 when"), *more)
    assert not simulate(job(core, "251", mode="bulk", count=100)).passed


def test_everything_in_one_library(tmp_path: Path) -> None:
    """The top too."""
    edits = ((TOML, '"arith/reduced.vhd"] }', '"arith/reduced.vhd", "top/vhdl_library.vhd"] }'),)
    for more in ((), (SIMULATED,)):
        core = copy_of(TOY, tmp_path / str(len(more)), *edits, *more)
        assert simulate(job(core, "251", mode="bulk", count=30)).passed


WRONG = [
    ((TOML, ASSIGNED, ""), f"top/vhdl_library.vhd uses arith.arith_pkg, and arith/arith_pkg.vhd, which has it, is in "
     f"the library work; it needs {ASSIGNED}"),
    ((TOML, ', "arith/reduced.vhd"] }', "] }"), "arith/reduced.vhd uses work.arith_pkg, and "
     f"arith/arith_pkg.vhd, which has it, is in the library arith; it needs {ASSIGNED}"),
    ((TOML, "{ arith =", "{ other ="), "is in the library other; it needs vhdl_libraries"),
    ((TOML, "{ arith =", "{ work ="), "vhdl_libraries.work is 'work', and takes libraries beside work, std and ieee"),
    ((TOML, "{ arith =", "{ 2a ="), "takes a name of VHDL"),
    ((TOML, '"arith/reduced.vhd"] }', '"arith/gone.vhd"] }'), "vhdl_libraries.arith names 'arith/gone.vhd', which "
     "files does not name as a source in VHDL"),
    ((TOML, '"arith/reduced.vhd"] }', '"arith/reduced.vhd"], b = ["arith/reduced.vhd"] }'), "vhdl_libraries.b names "
     "'arith/reduced.vhd', which is in two libraries"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_what_is_wrong_is_one_sentence(
    edit: Edit, sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capfd, "sim", str(copy_of(TOY, tmp_path, edit)), "--prime", "251")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_a_simulation_says_so_too(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="it needs vhdl_libraries = "):
        settle(job(copy_of(TOY, tmp_path, (TOML, ASSIGNED, ""), SIMULATED), "251"))


def test_init_writes_the_key(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    core = copy_of(TOY, tmp_path)
    (core / TOML).unlink()
    assert run(capfd, "init", str(core))[0] == 0
    assert f"\n{ASSIGNED}  # as the sources name their units\n" in (core / TOML).read_text()
    assert simulate(job(core, "251", mode="bulk", count=20)).passed


def test_vivado_and_fusesoc_are_told(tmp_path: Path) -> None:
    folder = export(TOY, tmp_path / "out")
    script = folder / "vivado" / "build.tcl"
    assert build(script, tmp_path, "-until", "synth").returncode == 0
    read = [call[:-1] for call in calls(tmp_path) if call[0] == "read_vhdl"]
    assert read == [["read_vhdl", "-vhdl2008", "-library", "arith"]] * 3 + [["read_vhdl", "-vhdl2008"]]
    assert next(folder.glob("*.core")).read_text().count('"logical_name":"arith"') == 3
    assert build(script, tmp_path, "-project", "made").returncode == 0
    assert sum(call[:3] == ["set_property", "library", "arith"] for call in calls(tmp_path)) == 3


def names(**texts: str) -> VhdlNames:
    """The names in sources without the suffix."""
    return VhdlNames({f"{name}.vhd": text for name, text in texts.items()})


PACKAGE = "package {0} is end package;"


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ({"p": PACKAGE.format("p"), "t": "library l; use l.p.all; entity t is end;"}, {"p.vhd": "l"}),
        ({"p": PACKAGE.format("p"), "b": "package body p is end;", "t": "library ieee, l ; use l . p.all;"},
         {"p.vhd": "l", "b.vhd": "l"}),
        ({"p": PACKAGE.format("p") , "q": "use work.p.all; package q is end;", "t": "library l; use l.q.all;"},
         {"p.vhd": "l", "q.vhd": "l"}),
        ({"p": PACKAGE.format("p"), "q": PACKAGE.format("q"), "t": "library l; use l.q.all; use work.p.all;"},
         {"q.vhd": "l"}),
        ({"p": PACKAGE.format("p"), "q": "use work.p.all; package q is end;", "t": "library l; use l.q.all; use "
          "work.p.all; entity t is end;"}, {"p.vhd": "l", "q.vhd": "l", "t.vhd": "l"}),
        ({"p": PACKAGE.format("p"), "t": "use work.p.all; library unisim; use unisim.vcomponents.all;"}, {}),
        ({"p": PACKAGE.format("p"), "t": "signal l : r; x <= l.p;"}, {}),
    ],
)  # fmt: skip
def test_libraries_by_the_names_that_are_used(sources: dict[str, str], found: dict[str, str]) -> None:
    known = names(**sources)
    assert known.inferred() == found
    assert advice(VhdlNames(known.texts, found)) is None
    assert (advice(known) is None) == (not found)
