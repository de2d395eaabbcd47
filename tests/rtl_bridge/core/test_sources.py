# SPDX-License-Identifier: Apache-2.0
"""Where sources come from: file lists, macros, include and library folders, flags; every tool sees the same."""

import subprocess
import sys
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.flow.export import Export
from limbtrace.rtl_bridge.flow.lint import commands
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.synthesis.areas import script
from tests.rtl_bridge.flow.test_export import STANDINS
from tests.rtl_bridge.flow.test_vivado import build as vivado
from tests.rtl_bridge.flow.test_vivado import calls
from tests.rtl_bridge.helpers import TOYS, copy_of, job
from tests.vectors.test_cli import run

LISTED = TOYS / "listed_toy"
TOML = "core.toml"


def test_what_is_listed() -> None:
    listed = find(str(LISTED)).listing
    assert listed.files == (LISTED / "rtl/listed_toy.v",)
    assert listed.include == (LISTED, LISTED / "inc", LISTED / "rtl/../vendor")
    assert listed.defines == {"STEP": "1", "COUNT_BITS": "16", "PLAIN": "", "ZERO": "1'b0"}
    assert listed.libraries == (LISTED / "lib", LISTED / "rtl/../vendor/../lib")
    assert listed.library_files == (LISTED / "rtl/../vendor/cells.v",)
    assert listed.suffixes == (".v", ".sv", ".vlib")


def test_in_the_fast_mode() -> None:
    report = simulate(job(LISTED, "1021", mode="fast", simulator="verilator", count=200))
    assert report.passed, report.text()


CHANGES = [
    ("inc/counter.vh", "LAST 1", "LAST 2"),
    ("vendor/vendor.vh", "EXTRA 2", "EXTRA 0"),
    ("lib/reduce.vlib", "in - modulus", "in - modulus - 1"),
    ("vendor/cells.v", "? less : more", "? more : more"),
    ("rtl/sources.f", "STEP=1", "STEP=2"),
    (TOML, 'ZERO = "1\'b0"', 'ZERO = "1\'b1"'),
]


def test_a_change_of_anything_builds_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One cache, one folder: a model that was built for other files would agree."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    core = copy_of(LISTED, tmp_path)
    asked = job(core, "1000", mode="bulk", count=30)
    for name, old, new in CHANGES:
        good = (core / name).read_text()
        assert good.count(old) == 1
        assert simulate(asked).passed, f"before {name}"
        (core / name).write_text(good.replace(old, new))
        assert not simulate(asked).passed, name
        (core / name).write_text(good)


def test_flags_are_a_part_of_a_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    core = copy_of(LISTED, tmp_path)
    made = [build(settle(job(core, "1000")).shell, "icarus", "bulk", False).folder]
    log = made[0].with_suffix(".log").read_text()
    assert f"-I{core}/inc -I{core}/rtl/../vendor -DSTEP=1 -DCOUNT_BITS=16 -DPLAIN -DZERO=1'b0 -Wall -gno-specify" in log
    (core / TOML).write_text((core / TOML).read_text().replace('"-Wall", ', ""))
    made.append(build(settle(job(core, "1000")).shell, "icarus", "bulk", False).folder)
    assert made[0] != made[1]


@pytest.mark.parametrize("simulator", ["icarus", "xsim"])
def test_an_export_has_all_of_it(simulator: str, tmp_path: Path) -> None:
    out, tools = tmp_path / "out", tmp_path / "tools"
    Export.resolve(job(LISTED, "1000", mode="bulk", count=5), "xc7k160tffg676-3", "5").write(out)
    assert {str(path.relative_to(out / "rtl")) for path in (out / "rtl").rglob("*.*")} == {
        "rtl/listed_toy.v", "vendor/cells.v", "vendor/vendor.vh", "inc/counter.vh", "lib/reduce.vlib",
    }  # fmt: skip
    lines = (out / "sources.f").read_text().splitlines()
    assert lines[:6] == [
        "+define+STEP=1", "+define+COUNT_BITS=16", "+define+PLAIN", "+define+ZERO=1'b0", "+incdir+rtl/inc",
        "+incdir+rtl/vendor",
    ]  # fmt: skip
    assert lines[-3:] == ["rtl/rtl/listed_toy.v", "rtl/vendor/cells.v", "rtl/lib/reduce.vlib"]
    tools.mkdir()
    for program in ("xvlog", "xelab", "xsim"):
        (tools / program).write_text(f'#!/bin/sh\nexec {sys.executable} {STANDINS} {program} "$@"\n')
        (tools / program).chmod(0o755)
    done = subprocess.run(
        ["sh", out / f"run_{simulator}.sh"], env={"PATH": f"{tools}:/usr/bin:/bin"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["PASS", "cases=5"]), done.stderr
    if simulator == "xsim":
        done = vivado(out / "vivado" / "build.tcl", tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        (words,) = [words for words in calls(tmp_path) if words[0] == "synth_design"]
        assert words[words.index("-include_dirs") + 1] == " ".join(
            f"{out}/{x}" for x in ("rtl", "rtl/inc", "rtl/vendor")
        )
        given = ["STEP=1", "COUNT_BITS=16", "PLAIN=", "ZERO=1'b0"]
        assert [word for k, word in enumerate(words) if words[k - 1] == "-verilog_define"] == given


def test_yosys_and_lint_are_told(tmp_path: Path) -> None:
    run_ = settle(job(LISTED, "1000"))
    text = script(run_.bound.core, run_.bound.sources, run_.bound.parameters, "xc7")
    assert "-Icore -Icore/inc -Icore/vendor -DSTEP=1 -DCOUNT_BITS=16 -DPLAIN -DZERO=1'b0 " in text
    assert "core/rtl/listed_toy.v core/vendor/cells.v core/lib/reduce.vlib\n" in text
    _, command = next(commands(run_.shell, tmp_path))
    assert command[command.index("-Wno-WIDTH") :][:3] == ["-Wno-WIDTH", "--x-assign", "fast"]
    assert "-DZERO=1'b0" in command


WRONG = [
    ((TOML, 'include = ["inc"]', 'include = ["none"]'), "core.toml: there is no folder none"),
    ((TOML, 'libraries = ["lib"]', 'libraries = ["core.toml"]'), "core.toml: there is no folder core.toml"),
    ((TOML, 'PLAIN = ""', 'PLAIN = "a b"'), "defines.PLAIN: string should match pattern"),
    ((TOML, 'PLAIN = ""', 'lt_x = ""'), "the macro lt_x begins with lt_, as limbtrace's own names do"),
    ((TOML, '"-Wno-WIDTH"', '"-CFLAGS -fplugin=x"'), "flags.verilator has '-CFLAGS -fplugin=x', and takes -W..., "),
    ((TOML, '"-Wno-WIDTH"', '"--Mdir /tmp"'), "flags.verilator has '--Mdir /tmp', and takes -W..., "),
    ((TOML, '"-Wall"', '"-g2005"'), "flags.icarus has '-g2005', and takes -W..., -Tmin, -Ttyp, -Tmax, "),
    ((TOML, '"-Wall"', '"-mvpi"'), "flags.icarus has '-mvpi', and takes"),
    ((TOML, "flags = { ver", "flags = { questa = [], ver"), "flags.questa is no key of a core.toml"),
    (("rtl/sources.f", "listed_toy.v", "$HOME/x.v"), "rtl/sources.f:7: '$HOME/x.v' has a variable of the environment, "
     "which is not looked up; write the path"),
    (("rtl/sources.f", "listed_toy.v", "gone.v"), "rtl/sources.f:7: 'gone.v': there is no file rtl/gone.v"),
    (("rtl/sources.f", "-sv", "--binary"), "rtl/sources.f:6: '--binary' is no option that a file list may have; flags "
     "go below [flags]"),
    (("rtl/sources.f", "-sv", "+warn+all"), "rtl/sources.f:6: '+warn+all' is none of +incdir+, +define+ and +libext+"),
    (("rtl/sources.f", "listed_toy.v", "-y"), "rtl/sources.f:7: '-y' ends the list, and needs a name behind it"),
    (("rtl/sources.f", "listed_toy.v", ""), "files names lists without a source in them"),
    (("rtl/sources.f", "STEP=1", "STEP=`A"), "'+define+STEP=`A' has a variable of the environment"),
    (("rtl/sources.f", "STEP=1", "1STEP"), "rtl/sources.f:3: '+define+1STEP' is no macro such as NAME or NAME=8'hff"),
    (("vendor/cells.f", "-v cells.v", "-F cells.f"), "file lists are more than 20 deep inside of each other"),
    (("vendor/cells.f", "-v cells.v", "-v ../../secret"), "'../secret' leads outside the folder of the core, which"),
    (("vendor/cells.f", "-v cells.v", "-f /etc/passwd"), "'/etc/passwd' leads outside the folder of the core, which"),
    (("vendor/cells.f", "-v cells.v", "-y /etc"), "'/etc' leads outside the folder of the core, which"),
    ((TOML, 'include = ["inc"]', 'include = [".."]'), "'..' leads outside the folder of the core, which"),
    (("vendor/cells.v", "module vendor_select", "module vendor_selects"), "has an error: "),
    (("rtl/listed_toy.v", "doubled +", "doubled + +;"), "listed_toy.v:26:44: error: expected expression"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_what_is_wrong_is_one_sentence(
    edit: tuple[str, str, str], sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    core = copy_of(LISTED, tmp_path, edit)
    (tmp_path / "secret").write_text("module secret; endmodule\n")
    code, out, err = run(capfd, "sim", str(core), "--prime", "1000")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    assert "root:" not in err


def test_a_list_below_the_folder_of_another(tmp_path: Path) -> None:
    """-F begins at the list, -f where the list around it begins."""
    core = copy_of(LISTED, tmp_path, ("rtl/sources.f", "-F ../vendor/cells.f", "-f ../vendor/cells.f"))
    with pytest.raises(ParameterError, match=r"vendor/cells.f:2: '-v' 'cells.v': there is no file rtl/cells.v"):
        find(str(core))
    (core / "vendor/cells.f").write_text("-v ../vendor/cells.v -y ../lib\n+libext+.vlib+\n")
    assert settle(job(core, "1000")).bound.sources.rtl[-1].name == "reduce.vlib"


def test_what_is_allowed_outside(tmp_path: Path) -> None:
    core = copy_of(LISTED, tmp_path, ("vendor/cells.f", "-v cells.v", "-v ../../cells.v"))
    (core / "vendor/cells.v").rename(tmp_path / "cells.v")
    bound = settle(job(core, "1000", allow_outside=True)).bound
    assert (tmp_path / "cells.v").resolve() in bound.sources.rtl


def test_included_files_of_a_first_description(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "more").mkdir()
    (tmp_path / "inc" / "w.vh").write_text("`define W 8\n")
    (tmp_path / "more" / "unused.vh").write_text("\n")
    (tmp_path / "t.v").write_text('`include "w.vh"\nmodule t (input clk, input [`W-1:0] a, output [`W-1:0] y);\n'
                                  "assign y = a;\nendmodule\n")  # fmt: skip
    assert scan(tmp_path).include == ("inc",)
