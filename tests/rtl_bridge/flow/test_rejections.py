# SPDX-License-Identifier: Apache-2.0
"""The table of what tools rejected: each rule finds its example, and nothing of ours has any of it."""

import re
import subprocess
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.binding.bind import bind, example
from limbtrace.rtl_bridge.core.core import built_in, find
from limbtrace.rtl_bridge.flow.constructs import DESIGN, SYNTAX
from limbtrace.rtl_bridge.flow.rejections import BOTH, HARDWARE, Rejection, rejections
from limbtrace.rtl_bridge.flow.subset import ELSEWHERE, Complaint, complaints
from limbtrace.rtl_bridge.run.simulators import icarus
from limbtrace.vectors.cli import main
from tests.rtl_bridge.flow.test_export import export
from tests.rtl_bridge.helpers import TOYS

TABLE = list(rejections().values())
ICARUS = "Icarus Verilog 11 does not take it"
VENDORS = ("Vivado", "xsim", "Questa", "ModelSim", "VCS", "Quartus")


@pytest.fixture(params=TABLE, ids=[rule.id for rule in TABLE])
def rule(request: pytest.FixtureRequest) -> Rejection:
    """Each entry of the table."""
    entry: Rejection = request.param
    return entry


def found(rule: Rejection, text: str, folder: Path, synthesised: bool) -> list[Complaint]:
    """Complaints about an example."""
    path = folder / rule.file
    path.write_text(text)
    return complaints([path], "t", [], {}, synthesised)


@pytest.mark.parametrize("synthesised", [True, False], ids=["hardware", "simulated"])
def test_what_breaks_a_rule_is_found_and_what_holds_is_not(rule: Rejection, synthesised: bool, tmp_path: Path) -> None:
    expected = not rule.unchecked and (synthesised or rule.scope == BOTH)
    broken = found(rule, rule.breaks, tmp_path, synthesised)
    assert (rule.id in {complaint.rule for complaint in broken}) == expected, broken
    assert found(rule, rule.holds, tmp_path, synthesised) == []


def test_an_entry_says_who_rejects_it_and_how_it_is_found(rule: Rejection) -> None:
    ways = [bool(way) for way in (rule.nodes, rule.diagnostics, rule.check, rule.unchecked)]
    assert sum(ways) == 1
    assert rule.scope in (BOTH, HARDWARE)
    assert rule.because or rule.reports, "a rule without evidence"
    for report in rule.reports:
        assert re.fullmatch(r"https://(github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+|\S+\.html|\S+/questions/\d+)",
                            report.source)  # fmt: skip
        assert report.tool
        assert report.message


def test_every_function_is_of_an_entry() -> None:
    checked = {rule.id for rule in TABLE if rule.check}
    assert checked == {*SYNTAX, *DESIGN, *ELSEWHERE}
    assert len({rule.id for rule in TABLE}) == len(TABLE)


def test_thirty_constructs_were_reported_of_the_tools_of_vendors() -> None:
    reported = [rule for rule in TABLE if any(report.tool.startswith(VENDORS) for report in rule.reports)]
    assert len(reported) >= 30


def test_icarus_rejects_what_it_is_said_to_reject(rule: Rejection, tmp_path: Path) -> None:
    """A later version may take it; the finding does not depend on the version."""
    path = tmp_path / rule.file
    path.write_text(rule.breaks)
    done = subprocess.run(["iverilog", "-g2012", "-t", "null", path], capture_output=True)
    assert rule.because != ICARUS or done.returncode != 0 or "version 11" not in icarus().version


EXPORTED = [
    *((folder.name, []) for folder in built_in()),
    ("redundant", ["--set", "ways=3"]),
    ("fpmm", ["--set", "version=small"]),
    ("iddmm_arch2", ["--set", "pipeline=2"]),
]
"""(core, options): every core, and further shapes whose generate constructs differ."""


@pytest.mark.parametrize(("core", "options"), EXPORTED, ids=str)
def test_no_export_breaks_a_rule(core: str, options: list[str], tmp_path: Path) -> None:
    """The files of the folder, in the order of its list: as hardware, and with the testbench around it."""
    out, described = tmp_path / "out", find(core)
    assert export(core, "--prime", example(described), *options, "--count", "1", "-o", out) == 0
    listed = [line for line in (out / "sources.f").read_text().splitlines() if not line.startswith("+")]
    bench = [out / name for name in listed]
    settings = dict(re.findall(r"^(\w+)='?([^'\n]*)'?$", (out / "settings.sh").read_text(), re.MULTILINE))
    widths = {name: int(value) for name, _, value in (pair.partition("=") for pair in settings["parameters"].split())}
    assert complaints(bench, settings["testbench"], [], widths, synthesised=False) == []
    tcl = dict(re.findall(r"^set (\w+) \{(.*)\}$", (out / "vivado" / "settings.tcl").read_text(), re.MULTILINE))
    pairs = (pair.split("=") for pair in tcl["generics"].split())
    given = {name: text.partition("'h") for name, text in pairs}
    hardware = [out / name for name in tcl["sources"].split()]
    values = {name: int(digits or text, 16 if digits else 10) for name, (text, _, digits) in given.items()}
    assert complaints(hardware, tcl["top"], [], values, synthesised=True) == []


@pytest.mark.parametrize("name", ["iddmm2", "barrett", "redundant"])
def test_no_library_breaks_a_rule(name: str, tmp_path: Path) -> None:
    """But for those that a package of C functions breaks by its nature, which is for simulators with a DPI."""
    with pytest.raises(SystemExit) as ended:
        main(["library", name, "--prime", "2^61-31", "-o", str(tmp_path / "lib")])
    assert ended.value.code == 0
    said = complaints(sorted((tmp_path / "lib").glob("*.sv")), None, [], {}, synthesised=False)
    assert {complaint.rule for complaint in said} <= {"package", "foreign-function", "unsigned-parameter"}


def test_no_package_of_vectors_breaks_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "v.sv"
    with pytest.raises(SystemExit):
        main(["vectors", "cios", "--prime", "p256", "--format", "sv", "-o", str(path)])
    assert {complaint.rule for complaint in complaints([path], None, [], {}, synthesised=False)} == {"package"}


@pytest.mark.parametrize("toy", ["vhdl_iddmm", "vhdl_behave"])
def test_what_stands_for_vhdl_breaks_no_rule_of_simulators(toy: str) -> None:
    """Converted by GHDL, or a module that GHDL answers for."""
    core = find(str(TOYS / toy))
    bound = bind(core, example(core), {}, {})
    assert complaints(bound.sources.simulated, core.file.simulated_top, [], bound.parameters, False) == []
