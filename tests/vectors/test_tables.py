# SPDX-License-Identifier: Apache-2.0
"""`limbtrace tables`: every figure with its verdict, and areas of our cores beside those of a paper."""

import json
from typing import Any

import pytest

from limbtrace.refmodels.figures import VERDICTS
from limbtrace.refmodels.registry import PAPERS
from limbtrace.vectors.catalogue import entry_points, tables
from limbtrace.vectors.catalogue.document import Tables
from limbtrace.vectors.cli import main


def run(capfd: Any, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["tables", *arguments])
    out, err = capfd.readouterr()
    return int(stopped.value.code or 0), out, err


def figure(document: Any, table: int, **wanted: Any) -> Any:
    (paper,) = document["papers"]
    (found,) = (f for f in paper["figures"] if f["table"] == table and wanted.items() <= f.items())
    return found


def test_document(capfd: Any) -> None:
    code, out, err = run(capfd, "iddmm", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    document = json.loads(out)
    assert document["format"] == "limbtrace/1"
    assert document["verdicts"] == VERDICTS
    (paper,) = document["papers"]
    assert paper["count"] == {"agrees": 73, "differs": 54, "measured elsewhere": 35, "other work": 47}
    assert len(paper["figures"]) == sum(paper["count"].values())
    assert figure(document, 4, design="Arch2 no pipeline", k=64, metric="AND") == {
        "table": 4,
        "design": "Arch2 no pipeline",
        "bits": None,
        "k": 64,
        "metric": "AND",
        "unit": "gates",
        "published": "49219",
        "ours": "49859",
        "formula": "3 MUL_k and the adders of Table 3",
        "verdict": "differs",
        "erratum": "iddmm.E22",
        "note": "printed is 3 MUL_k + 4 HA, so 4k FA and 2k HA of Table 3 are left out",
        "synthesis": [],
        "routing": [],
    }
    assert json.loads(run(capfd, "--json")[1]) == {**document, "papers": tables.tables_document()["papers"]}
    assert [entry["id"] for entry in tables.tables_document()["papers"]] == list(PAPERS)


def test_text(capfd: Any) -> None:
    code, out, err = run(capfd, "iddmm")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line for line in lines if line.startswith("Table ")] == [f"Table {number}" for number in range(3, 8)]
    for verdict, count in (("agrees", 73), ("differs", 54), ("measured elsewhere", 35), ("other work", 47)):
        assert sum(f"  {verdict}" in line for line in lines) == count + 1
    plain = [" ".join(line.split()) for line in lines]
    start = (
        "This work Arch2-Ver4 xc5vlx50 1024 64 time, us 4.21 4.455 n(n+3) = 304 cycles at 68.24 MHz differs iddmm.E25: "
    )
    assert sum(line.startswith(start) for line in plain) == 1
    assert lines[-1] == tables.SYNTHESIS
    everything = run(capfd)[1]
    assert everything.startswith(out.removesuffix(f"{tables.SYNTHESIS}\n"))
    assert everything.endswith(f"\n{tables.SYNTHESIS}\n")
    assert "fpmm: G. Gallin" in everything


def test_areas_of_our_cores_stand_beside_those_of_the_paper() -> None:
    """The rows stored with the core, found by entry point."""
    document = tables.tables_document("iddmm")
    for version, table, k, bits, metric, dsp in (
        (4, 5, 16, 512, "multipliers", {"xc7": 3, "xc5v": 3}),
        (4, 5, 32, 1020, "multipliers", {"xc7": 11, "xc5v": 11}),
        (4, 7, 64, 1024, "area: DSP48E", {"xc7": 42, "xc5v": 32}),
        (3, 5, 16, 512, "multipliers", {"xc7": 0}),
    ):
        shown = figure(document, table, k=k, bits=bits, metric=metric, design=f"This work Arch2-Ver{version}")
        assert {row["family"]: row["value"] for row in shown["synthesis"]} == dsp
        for row in shown["synthesis"]:
            parameters = {"K": k, "NMax": 1024 // k, "Pipeline": 1, "UseDsp": int(version == 4)}
            assert (row["core"], row["parameters"]) == ("iddmm_arch2", parameters)
            assert row["tool"].startswith("Yosys ")
        if k == 64:
            assert "24 x 17 bits for Virtex-5, 32 blocks, and into 17 x 17 bits for 7 series" in shown["note"]


def test_constants_of_a_modulus_are_no_numbers_of_json(capfd: Any) -> None:
    """Such figures are texts in the document, and are not in the table."""
    document = json.loads(run(capfd, "hffm", "--json")[1])
    Tables.model_validate(document)
    (row,) = figure(document, 1, design="HFFM Algorithm(N/6)", bits=434, metric="DSPs")["synthesis"]
    assert (row["value"], row["parameters"]["Split"]) == (36, 6)
    assert row["parameters"]["D"] == hex(3**137)
    line = next(line for line in run(capfd, "hffm")[1].splitlines() if "hffm.E17" in line)
    assert "  36 xc7 N=222 Split=6 A=216 DW=218 Dropped=214 Normalise=1  " in line


def test_without_anybody_who_mounts_areas_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_points, "entry_points", lambda group: ())
    (paper,) = tables.tables_document("iddmm")["papers"]
    assert not any(entry["synthesis"] for entry in paper["figures"])


def test_an_area_shows_what_the_core_takes_of_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's version 4 has one pipeline level and multipliers in blocks."""

    def row(core: str, **parameters: int) -> dict[str, Any]:
        area = {"LUT": 7, "SITES": 6, "THRU": 2, "LUTRAM": 1, "FF": 8, "DSP": 9}
        return {"core": core, "parameters": parameters, "family": "xc5v", "tool": "T", "area": area}

    meant = {"K": 32, "NMax": 32, "Pipeline": 1, "UseDsp": 1}
    others: list[dict[str, int]] = [
        {"NMax": 31},
        {"K": 64, "NMax": 16},
        {"Pipeline": 0},
        {"Pipeline": 2},
        {"UseDsp": 0},
    ]
    rows = [row("iddmm_arch2", **meant), *(row("iddmm_arch2", **{**meant, **other}) for other in others)]
    rows.append(row("other", **meant))
    monkeypatch.setattr(tables, "kept_areas", lambda: rows)
    document = tables.tables_document("iddmm")
    wanted = {"bits": 1024, "k": 32, "design": "This work Arch2-Ver4"}
    sites = {"logic": 6, "through": 2, "memory": 1}
    for metric, value in (("area: LUTs", 7), ("area: FFs", 8), ("area: 18x18Mults", 9)):
        expected = {
            "core": "iddmm_arch2", "parameters": meant, "family": "xc5v", "tool": "T", "value": value,
            "sites": sites if value == 7 else None,
        }  # fmt: skip
        assert figure(document, 7, metric=metric, **wanted)["synthesis"] == [expected]
    assert figure(document, 7, metric="time", **wanted)["synthesis"] == []
    (paper,) = document["papers"]
    ours = next(
        cells[-2]
        for cells in tables.rows(paper, 7)
        if cells[:4] == ["This work Arch2-Ver4", "1024", "32", "area: LUTs"]
    )
    assert ours == "7 (sites: 6, memory 1, through 2) xc5v K=32 NMax=32 Pipeline=1 UseDsp=1"
    del rows[0]["area"]["SITES"]
    (found,) = figure(tables.tables_document("iddmm"), 7, metric="area: LUTs", **wanted)["synthesis"]
    assert found["sites"] is None, "nobody counted them"


def test_a_clock_shows_that_of_our_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frequency beside a frequency, a period beside a period, and no area of a core beside either."""

    def row(core: str, **parameters: int) -> dict[str, Any]:
        area = {"LUT": 100, "FF": 7}
        return {"core": core, "parameters": parameters, "device": "D", "tool": "T", "mhz": 62.5, "area": area}

    first = {"K": 32, "NMax": 32, "Pipeline": 1, "UseDsp": 1}
    second = {"D": 16, "K": 4, "Cycles": 1, "Shared": 0}
    rows = [row("iddmm_arch2", **first), row("iddmm_arch2", **{**first, "Pipeline": 2}), row("llmonpro", **second)]
    monkeypatch.setattr(tables, "kept_routes", lambda: rows)
    iddmm, llmonpro = (tables.tables_document(paper) for paper in ("iddmm", "llmonpro"))
    found = figure(iddmm, 6, design="This work Arch2-Ver4 xc5vlx50", k=32, metric="frequency")
    shown = {
        "core": "iddmm_arch2", "parameters": first, "device": "D", "tool": "T", "value": 62.5,
        "lut_ns": 1600, "published_lut_ns": None,
    }  # fmt: skip
    assert (found["routing"], found["synthesis"]) == ([shown], [])
    found = figure(llmonpro, 1, design="d=16, 1 cycle", bits=64, metric="clock period")
    printed = {name: float(figure(llmonpro, 1, design="d=16, 1 cycle", bits=64, metric=name)["published"])
               for name in ("LUT", "clock period")}  # fmt: skip
    published = round(printed["LUT"] * printed["clock period"])
    assert found["routing"] == [
        {**shown, "core": "llmonpro", "parameters": second, "value": 16.0, "published_lut_ns": published}
    ]
    (paper,) = llmonpro["papers"]
    shown_cells = [cells[-2] for cells in tables.rows(paper, 1) if "LUT ns" in cells[-2]]
    assert shown_cells == [f"16.0 (1600 LUT ns, paper {published}) D D=16 K=4 Cycles=1 Shared=0"]
    (paper,) = iddmm["papers"]
    routed = [entry for entry in paper["figures"] if entry["routing"]]
    assert {(entry["metric"], entry["k"]) for entry in routed} == {("frequency", 32)}


def test_unknown_paper(capfd: Any) -> None:
    there = "iddmm, fpmm, redundant, hffm, llmonpro"
    assert run(capfd, "nix") == (2, "", f"limbtrace: paper: there is no paper 'nix'; there is {there}\n")
