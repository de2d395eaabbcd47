# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explore`: documents, measured areas, and a design as a folder, for any core with a design space."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from limbtrace.refmodels import registry
from limbtrace.refmodels.space import Quantity, Space
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.synthesis import areas, route
from limbtrace.vectors.cli import main
from limbtrace.vectors.designs import Exploration, render
from limbtrace.vectors.designs import designs_document as document
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import CORE, without

SPACE: Space[int] = Space(
    architecture=registry.architecture(CORE),
    source=registry.architecture(CORE).source,
    designs=lambda bits: [4, 8, 16, 5000],
    name=lambda k: f"K{k}",
    quantities=(Quantity("k", "bits", "of a digit", lambda k: k),),
    costs={"cycles": "cycles"},
    area=("k",),
    time=lambda k, products: products * 1000 // k,
    rtl=lambda k: {"K": k, "NMax": 20},
    settings=lambda k: {"k": k},
    devices=(),
    clocks=lambda bits, k: {},
    rivals=lambda bits: (),
)
"""A different core with a design space of its own, whose last design the core does not support."""


@pytest.fixture(autouse=True)
def _space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.SPACES, CORE, SPACE)
    # Kept rows are for one test below.
    monkeypatch.setattr("limbtrace.vectors.catalogue.entry_points.entry_points", lambda group: ())


def explore(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["explore", *map(str, arguments)])
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.mark.parametrize("form", ["json", "csv", "plot"])
def test_output_is_the_rendered_document(capfd: Any, tmp_path: Path, form: str) -> None:
    expected = render(document(Exploration.resolve("fpmm", 128, ["F44D", "S35B"], "V7")), form)
    options = ("--bits", "128", "--point", "S35B", "--point", "F44D", "--device", "V7", "--format", form)
    code, out, err = explore(capfd, "fpmm", *options)
    assert (code, out.encode(), err) == (0, expected, "")
    assert explore(capfd, "fpmm", *options, "-o", tmp_path / "file") == (0, "", "")
    assert (tmp_path / "file").read_bytes() == expected


def test_json_of_the_whole_space_is_the_default(capfd: Any) -> None:
    code, out, err = explore(capfd, CORE, "--bits", "0x10")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [(point["name"], point["front"], point["built"]) for point in found["points"]] == [
        ("K4", True, True), ("K8", True, True), ("K16", True, True), ("K5000", False, False),
    ]  # fmt: skip
    assert [point["figures"]["cycles"] for point in found["points"]] == [24, 8, 3, None]  # n(n + 2)
    assert found["points"][3]["obstacle"] == "k: 2^5000 is outside 2^1 to 2^4096"


def fake(core: Core, points: Sequence[areas.Point]) -> Iterator[areas.AreaRow]:
    """Replaces `areas.measure`: the larger the digits, the more LUTs."""
    print("Yosys", [point["K"] for _, point in points], file=sys.stderr)
    for family, point in points:
        area = {**dict.fromkeys(areas.RESOURCES, 0), "LUT": 100 * point["K"], "DSP": 1}
        yield areas.AreaRow(core.file.name, point, family, area, "T")


def test_measured(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Designs that can be built are measured, and the measurements determine the front."""
    monkeypatch.setattr(areas, "measure", fake)
    code, out, err = explore(capfd, CORE, "--bits", "16", "--synth", "--family", "xcu")
    assert (code, err) == (0, "Yosys [4, 8, 16]\n")
    points = json.loads(out)["points"]
    assert [point["compared"] for point in points] == [[2000, 400, 1, 0], [1000, 800, 1, 0], [500, 1600, 1, 0], None]
    assert points[0]["synthesis"]["family"] == "xcu"
    assert points[3]["synthesis"] is None


def test_kept_rows_come_first(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"core": CORE, "parameters": {"K": 8, "NMax": 20, "More": 1}, "family": "xc7", "tool": "kept"}
    kept["area"] = {**dict.fromkeys(areas.RESOURCES, 0), "LUT": 7}
    monkeypatch.setattr(areas, "measure", fake)
    for place in ("limbtrace.rtl_bridge.flow.explore.kept_areas", "limbtrace.vectors.designs.explore.kept_areas"):
        monkeypatch.setattr(place, lambda: [kept])
    code, out, err = explore(capfd, CORE, "--bits", "16", "--synth")
    assert (code, err) == (0, "Yosys [4, 16]\n")
    assert [point["synthesis"] and point["synthesis"]["tool"] for point in json.loads(out)["points"]] == [
        "T", "kept", "T", None,
    ]  # fmt: skip
    assert explore(capfd, CORE, "--bits", "16", "--synth", "--point", "K8")[2] == ""
    assert "Yosys" in explore(capfd, CORE, "--bits", "16", "--synth", "--point", "K8", "--family", "xcup")[2]


def test_routed(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times and front are those of the routed clocks; what is kept for the device is not routed again."""

    def row(k: int, mhz: float, device: str = "LFE5U-85F-8") -> dict[str, Any]:
        path = {"start": "a_q", "end": "b_q", "levels": 3, "logic": 1.5, "routing": 2.5}
        area = {"LUT": 10 * k, "RAMW": 0, "FF": 2, "DSP": 1, "BRAM": 0}
        parameters = {"K": k, "NMax": 20}
        named = {"core": CORE, "parameters": parameters, "device": device, "tool": "T"}
        return {**named, "mhz": mhz, "inside": None, "path": path, "area": area}

    def nextpnr(core: Core, points: Sequence[areas.Point]) -> Iterator[Any]:
        print("nextpnr", [(family, point["K"]) for family, point in points], file=sys.stderr)
        for _, point in points:
            yield SimpleNamespace(document=row(point["K"], 50.0))

    monkeypatch.setattr(route, "measure", nextpnr)
    monkeypatch.setattr("limbtrace.rtl_bridge.flow.explore.kept_routes", lambda: [row(4, 9.0, "other"), row(8, 200.0)])
    code, out, err = explore(capfd, CORE, "--bits", "16", "--route", "ecp5")
    assert (code, err) == (0, "nextpnr [('ecp5', 4), ('ecp5', 16)]\n")
    points = json.loads(out)["points"]
    assert [point["clock"] for point in points[:3]] == [{"mhz": mhz, "source": "routed"} for mhz in (50.0, 200.0, 50.0)]
    assert [point["compared"] for point in points] == [[40000, 40, 1, 0], [5000, 80, 1, 0], [10000, 160, 1, 0], None]
    assert [point["front"] for point in points] == [True, True, False, False]
    assert points[3]["routing"] is None
    _, out, _ = explore(capfd, CORE, "--bits", "16", "--route", "ecp5", "--format", "csv")
    head, first = (line.split(",") for line in out.splitlines()[1:3])
    assert dict(zip(head, first, strict=True))["routed_LUT"] == "40"
    assert "routed" not in explore(capfd, CORE, "--bits", "16", "--format", "csv")[1]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_design_as_a_folder_is_an_export(capfd: Any, tmp_path: Path) -> None:
    code, out, err = explore(
        capfd, CORE, "--bits", "12", "--point", "K8", "--prime", "mlkem", "-o", tmp_path / "design"
    )
    assert (code, out) == (0, "")
    command = f"limbtrace export {CORE} --prime mlkem --set k=8 --build K=8 --build NMax=20 -o {tmp_path / 'design'}"
    assert err == f"limbtrace: as {command}\n"
    with pytest.raises(SystemExit) as ended:
        main([*command.split()[1:-1], str(tmp_path / "export")])
    assert ended.value.code == 0
    assert content(tmp_path / "design") == content(tmp_path / "export")
    settings = (tmp_path / "design" / "vivado/settings.tcl").read_text()
    assert "K=8 NMax=20" in settings


@pytest.mark.parametrize(("bits", "point", "prime"), [(128, "S35B", "2^127-1"), (8, "F53D", "251")])
def test_a_design_of_the_paper_runs_as_it_was_written(
    capfd: Any, tmp_path: Path, bits: int, point: str, prime: str
) -> None:
    design = tmp_path / point
    assert explore(capfd, "fpmm", "--bits", bits, "--point", point, "--prime", prime, "-o", design)[0] == 0
    done = subprocess.run(["sh", design / "run_icarus.sh"], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout[:10]) == (0, "PASS cases"), done.stderr
    streams = done.stdout.split()[1].removeprefix("cases=")
    assert f"so the scripts say cases={streams} for 16 products" in (design / "README").read_text()
    build = json.loads((design / "export.json").read_text())["build"]
    (found,) = document(Exploration.resolve("fpmm", bits, [point]))["points"]
    assert build == found["rtl"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--prime", "mlkem", "-o", "x"), "point: --prime takes one design, and there are 4: name it"),
        (("--prime", "mlkem", "--point", "K8"), "output: --prime writes a folder: give it with -o"),
        (("--prime", "mlkem", "--point", "K8", "-o", "x", "--synth"), "prime: writes a folder; --synth, "),
        (("--prime", "mlkem", "--point", "K8", "-o", "x", "--frequency", "100"), "prime: writes a folder; --synth, "),
        (("--prime", "mlkem", "--point", "K5000", "-o", "x"), "point: K5000 cannot be built: "),
        (("--prime", "p256", "--point", "K8", "-o", "x"), "prime: the modulus has 256 bits and the design is for 16"),
        (("--prime", "14", "--point", "K8", "-o", "x"), "prime: "),
        (("--family", "xcu"), "family: is that of the syntheses, so it needs --synth"),
        (("--family", "z", "--synth"), "family: 'z' is none of xc7"),
        (("--device", "V7"), "device: "),
        (("--point", "K5"), "point: 'K5' is no design for 16 bits; there are 4, of which the core can be K4, K8, K16"),
    ],
)
def test_refused(
    capfd: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = explore(capfd, CORE, "--bits", "16", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"limbtrace: {sentence}")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("missing", "arguments", "sentence"),
    [
        ("pyslang", ("--synth",), "--synth needs pyslang, which is not installed: pip install 'limbtrace[sim,synth]'"),
        ("pyslang", ("--prime", "mlkem", "--point", "K8", "-o", "x"),
         "--prime needs pyslang, which is not installed: pip install 'limbtrace[sim]'"),
        ("matplotlib", ("--format", "plot"),
         "a plot needs matplotlib, which is not installed: pip install 'limbtrace[plot]'"),
    ],
)  # fmt: skip
def test_what_is_not_installed_is_named(
    capfd: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    users = ("synthesis.areas", "flow.export", "elaboration.elaborate", "elaboration.slang", "binding.bind", "run.job")
    without(monkeypatch, missing, *(f"limbtrace.rtl_bridge.{name}" for name in users))
    code, out, err = explore(capfd, CORE, "--bits", "16", *arguments)
    assert (code, out, err.splitlines()[-1]) == (3, "", f"limbtrace: {sentence}")
