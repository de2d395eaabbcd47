# SPDX-License-Identifier: Apache-2.0
"""Clock frequencies after place and route: what is kept is current, and registers around a core are not its own."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import built_in, find, load
from limbtrace.rtl_bridge.elaboration import yosys
from limbtrace.rtl_bridge.synthesis import route, stored_areas
from limbtrace.rtl_bridge.synthesis.netlist import PORT_CLOCK, Netlist
from limbtrace.vectors.catalogue import routes
from limbtrace.vectors.catalogue.document import RoutedShape
from limbtrace.vectors.cli import main
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of
from tests.sample import full

POINTS = [(folder.name, k) for folder in built_in() for k in range(len(load(folder).file.routed_points))]
CHEAPEST = ("mwr2mm_wordserial", 0)
DEVICE = route.DEVICES["ecp5"]


def run(*arguments: object) -> int:
    """Exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["synth", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def kept_in(core: str) -> list[list[str]]:
    """The rows beside a core, with their head."""
    return list(csv.reader((find(core).folder / stored_areas.ROUTES).read_text().splitlines()))


@pytest.mark.parametrize(("core", "point"), [p if p == CHEAPEST else full(p) for p in POINTS])
def test_a_kept_row_is_what_nextpnr_says(core: str, point: int) -> None:
    described = find(core)
    row = route.place_and_route(described, described.file.routed_points[point], DEVICE)
    assert row.cells == kept_in(core)[1 + point]


@pytest.mark.parametrize("core", sorted({core for core, _ in POINTS}))
def test_there_is_a_row_for_every_point(core: str) -> None:
    head, *rows = kept_in(core)
    named = [" ".join(f"{n}={v}" for n, v in parameters.items()) for parameters in find(core).file.routed_points]
    assert head == list(route.HEAD)
    assert [row[:3] for row in rows] == [[core, text, DEVICE.name] for text in named]
    assert rows


def test_kept_rows_are_documents_as_the_command_writes_them() -> None:
    texts = [row for core in sorted({core for core, _ in POINTS}) for row in kept_in(core)[1:]]
    rows = stored_areas.kept_routes()
    assert len(rows) == len(texts)
    for row, text in zip(rows, texts, strict=True):
        RoutedShape.model_validate(row)
        path = row.pop("path")
        row["parameters"] = {name: int(str(value), 0) for name, value in row["parameters"].items()}
        parts = (path["logic"], path["routing"], True, False)
        timed = route.TimedPath(path["start"], path["end"], path["levels"], *parts)
        assert route.Routed(**row, path=timed).cells == text
        assert row["inside"] is None or row["inside"] >= row["mhz"]


def test_a_core_of_ones_own_twice(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """JSON and CSV have the same row, from two runs of nextpnr; the registers around the core are not its own."""
    toy = TOYS / "bit_toy"
    assert run(toy, "--route", "ecp5", "--prime", "mlkem", "--json") == 0
    output = capsys.readouterr()
    (row,) = json.loads(output.out)["rows"]
    assert output.err.startswith("limbtrace: nextpnr, 1 of 1: LFE5U-85F-8, N = 16, STEPS = 32")
    assert row["area"]["DSP"] == row["area"]["BRAM"] == 0
    assert 2 * 16 < row["area"]["FF"] < 6 * 16
    assert 1 <= row["path"]["levels"] < 40
    assert row["mhz"] <= row["inside"]
    assert row["mhz"] == pytest.approx(1000 / (row["path"]["logic"] + row["path"]["routing"]), rel=0.01)
    assert run(toy, "--route", "ecp5", "--prime", "mlkem", "-o", tmp_path / "route.csv") == 0
    head, cells = csv.reader((tmp_path / "route.csv").read_text().splitlines())
    found = dict(zip(head, cells, strict=True))
    assert found["mhz"] == str(row["mhz"])
    assert [found["start"], found["end"]] == [row["path"]["start"], row["path"]["end"]]
    assert {name: int(found[name]) for name in row["area"]} == row["area"]


def test_a_core_without_registers(capsys: pytest.CaptureFixture[str]) -> None:
    """Every path is from a register outside to another one, and none of these is counted."""
    assert run(TOYS / "comb_toy", "--route", "ecp5", "--prime", "13", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["inside"], row["area"]["FF"]) == (None, 0)
    assert row["path"]["start"].startswith("port ")
    assert row["path"]["end"].startswith("port ")


def netlist(**cells: Mapping[str, Any]) -> Netlist:
    """Ports a (two bits), y, a constant output and the clock; net 2 is the clock."""
    ports = {
        "clk": {"direction": "input", "bits": [2]},
        "a": {"direction": "input", "bits": [3, 4]},
        "y": {"direction": "output", "bits": [5]},
        "zero": {"direction": "output", "bits": ["0"]},
    }
    module = {"attributes": {"top": "1"}, "ports": ports, "cells": dict(cells), "netnames": {}}
    return Netlist({"modules": {"TRELLIS_FF": {"attributes": {"blackbox": "1"}}, "core": module}})


def test_registers_stand_around_a_core_and_not_at_its_clock() -> None:
    found = netlist(q={"type": "TRELLIS_FF", "connections": {"CLK": [2], "DI": [4], "Q": [9]}})
    found.surround({("clk", 0)})
    module = found.document["modules"]["core"]
    assert set(module["ports"]) == {"clk", PORT_CLOCK}
    assert module["ports"]["clk"]["bits"] == [2]
    (clock,) = module["ports"][PORT_CLOCK]["bits"]
    assert clock == 10  # a net of its own
    assert found.registers == 3
    around = [cell["connections"] for name, cell in module["cells"].items() if found.is_port(name)]
    assert [pins["CLK"] for pins in around] == [[clock]] * 3
    assert [(pins.get("Q"), pins.get("DI")) for pins in around] == [([3], None), ([4], None), (None, [5])]
    assert not found.is_port("q")


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("u_mul.p_q_TRELLIS_FF_Q_17", "u_mul.p_q"),
        ("c3_active_q_$_NOT__A_Y_TRELLIS_FF_Q", "c3_active_q"),
        ("u_ram.mem.0.1", "u_ram.mem"),
        ("u_ram.mem.0.0_DOA3_TRELLIS_FF_Q", "u_ram.mem"),
        ("lt_port_a_1", "port a"),
    ],
)
def test_cells_are_called_as_in_the_sources(cell: str, name: str) -> None:
    found = netlist()
    found.surround({("clk", 0)})
    assert found.name(cell) == name


def test_an_inout_is_refused() -> None:
    found = netlist().document
    found["modules"]["core"]["ports"]["bus"] = {"direction": "inout", "bits": [7]}
    with pytest.raises(ToolError, match="port bus is an inout"):
        Netlist(found)


def part(kind: str, delay: float, cell: str, port: str = "A") -> dict[str, Any]:
    """A segment of a path as nextpnr reports it."""
    place = {"cell": cell, "port": port, "loc": [0, 0]}
    return {"type": kind, "delay": delay, "from": place, "to": place}


def reported(start: str, end: str, edges: Sequence[str], *middle: dict[str, Any]) -> dict[str, Any]:
    path = [part("clk-to-q", 0.5, start), *middle, part("setup", 0.25, end)]
    return {"from": f"{edges[0]} c", "to": f"{edges[1]} c", "path": path}


def test_paths_of_a_report() -> None:
    """A carry chain is one level, a path between edges of different direction has half a period, the reset no clock."""
    found = netlist()
    found.surround({("clk", 0)})
    chain = [part("logic", 0.25, f"chain{k}", "FCI") for k in range(5)]
    middle = (part("routing", 1.0, "x"), part("logic", 0.75, "lut"), part("logic", 0.5, "chain", "B"), *chain)
    report = {
        "critical_paths": [
            reported("r_q_TRELLIS_FF_Q_1", "s_q_TRELLIS_FF_Q", ("posedge", "posedge"), *middle),
            reported("lt_port_a_0", "s_q_TRELLIS_FF_Q", ("posedge", "negedge"), *middle),
            {**reported("rst", "s_q_TRELLIS_FF_Q", ("posedge", "posedge")), "from": "<async>"},
        ]
    }
    inside, outside = route._paths(report, found)
    assert inside == route.TimedPath("r_q", "s_q", 2, 3.25, 1.0, is_inside=True, is_half=False)
    assert inside.mhz == pytest.approx(1000 / 4.25)
    assert (outside.start, outside.is_inside) == ("port a", False)
    assert outside.mhz == pytest.approx(1000 / 8.5)


def test_a_device_that_is_too_small_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """nextpnr says what it needs, and then that some cell has no place."""

    def failing(command: Sequence[str], folder: Path, log: Path, what: str) -> None:
        log.write_text(
            "Info: \t   MULT18X18D:     201/    156   128%\nInfo: \t   DP16KD:  1/  208  0%\nERROR: no place\n"
        )
        raise ToolError(f"{what} failed")

    def empty(script: str, work: Path, log: Path) -> None:
        document = {**netlist().document, "creator": "Yosys 1 (x)"}
        (work / "core.json").write_text(json.dumps(document))

    monkeypatch.setattr(route, "run", failing)
    monkeypatch.setattr(route, "run_yosys", empty)
    assert run(TOYS / "bit_toy", "--route", "ecp5", "--prime", "mlkem") == 3
    output = capsys.readouterr()
    assert output.err.splitlines()[-1].endswith("the core needs 201 MULT18X18D, and LFE5U-85F-8 has 156")
    assert output.out == ""


def test_no_nextpnr_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(yosys, "environment", lambda: {"PATH": ""})
    assert run(CORE, "--route", "ecp5") == 3
    assert "nextpnr is not installed: pip install 'limbtrace[route]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((CORE, "--route", "ice40"), "'ice40' is not"),
        ((CORE, "--route", "ecp5", "--family", "xc7"), "family: is that of areas for Xilinx"),
        ((TOYS / "bit_toy", "--route", "ecp5"), "lists no points under route"),
        ((CORE, "--route", "ecp5", "--build", "K=65"), "K: iddmm_arch2 takes 2 to 64"),
    ],
)
def test_what_is_refused(arguments: tuple[object, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.out == ""


def test_points_name_every_parameter(tmp_path: Path) -> None:
    for number, (new, sentence) in enumerate(
        (
            ("route = [{ K = 32 }]", "an entry of route must name K, NMax, Pipeline, UseDsp"),
            ('route = [{ K = 4, NMax = "k", Pipeline = 1, UseDsp = 1 }]', r"route\[0\] has a formula that .*no 'k'"),
        )
    ):
        text = (find(CORE).folder / "core.toml").read_text()
        old = next(line for line in text.splitlines() if line.startswith("route = "))
        with pytest.raises(ParameterError, match=sentence):
            load(copy_of(CORE, tmp_path / str(number), ("core.toml", old, new)))


def test_what_a_catalogue_shows_of_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in stored_areas.kept_routes() if row["core"] == CORE)
    monkeypatch.setattr(routes, "kept_rows", lambda group: [{**row, "core": "other"}, row])
    (shown,) = routes.core_routes(CORE)
    cells = dict(zip(routes.HEAD, routes.route_cells(shown), strict=True))
    assert (cells["device"], cells["MHz"]) == (DEVICE.name, str(row["mhz"]))
    assert cells["slowest path"] == f"{row['path']['start']} to {row['path']['end']}"
