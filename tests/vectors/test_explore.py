# SPDX-License-Identifier: Apache-2.0
"""Explorations as documents, CSV and pictures."""

import csv
import json
import re
import subprocess
import sys
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.fpmm import figures as published
from limbtrace.vectors.designs import FORMATS, Exploration, plot, render
from limbtrace.vectors.designs import designs_document as document
from limbtrace.vectors.errors import ToolError


def explored(bits: int = 128, *points: str, **options: Any) -> dict[str, Any]:
    return document(Exploration.resolve("fpmm", bits, points, **options))


def on_front(found: dict[str, Any]) -> list[str]:
    return [point["name"] for point in found["points"] if point["front"]]


def area(code: str, **resources: int) -> dict[str, Any]:
    """A synthesis of a design of 128 bits, as `limbtrace synth --json` writes it."""
    (point,) = explored(128, code)["points"]
    names = ("LUT", "LUTRAM", "FF", "DSP", "CARRY", "MUX", "BRAM18", "BRAM36")
    return {
        "core": "fpmm",
        "parameters": {**point["rtl"], "More": 1},
        "family": "xc7",
        "area": {**dict.fromkeys(names, 0), **resources},
        "tool": "T",
    }


def test_a_point() -> None:
    found = explored(128, "F44D")
    (point,) = found["points"]
    assert (found["core"], found["bits"], found["device"], found["frequency"]) == ("fpmm", 128, None, None)
    assert point["cycles"] == [75, 79, 83, 87, 139, 143, 147, 151, 203, 207, 211, 215]
    assert (point["built"], point["obstacle"], point["clock"], point["ns"]) == (True, "", None, None)
    assert point["rtl"] == {"W": 34, "S": 4, "Sigma": 4, "Theta": 4, "Fast": 1, "Dram": 1}
    assert point["settings"] == {"w": "34", "s": "4", "sigma": "4", "theta": "4", "version": "fast"}
    assert point["compared"] == [151, 1247, 9]
    assert [objective["name"] for objective in found["objectives"]] == ["cycles", "register_bits", "dsps"]
    assert {quantity["name"] for quantity in found["quantities"]} == set(point["figures"])
    (other,) = found["others"]
    assert (other["name"], other["cycles"][:2], other["cycles"][7]) == ("MA16", [27, 47], 167)


def test_one_design_alone_is_on_no_front() -> None:
    request = Exploration.resolve("fpmm", 128, ["F44D"])
    found = document(request)
    assert [point["front"] for point in found["points"]] == [None]
    _, names, row = render(found, "csv").decode().splitlines()
    assert dict(zip(names.split(","), row.split(","), strict=True))["front"] == ""
    assert b"Pareto" not in render(found, "svg")
    assert [point["front"] for point in explored(128, "F44D", "S44B")["points"]] == [False, True]


def test_the_front_in_cycles() -> None:
    """The small version is faster by one cycle; three logical multipliers need no padding, but are slower.

    Words of 17 bits take the fewest blocks and the most cycles.
    """
    assert on_front(explored()) == ["S2.8B.w17", "S2.8D.w17", "S44B", "S44D", "S35B", "S35D"]
    assert on_front(explored(128, "F44B", "F54B")) == ["F44B"]


def test_the_front_at_published_clocks() -> None:
    """Section V.B: the smallest one on the Virtex-7 is S44B, F44D the fastest."""
    found = explored(device="V7")
    assert on_front(found) == ["F44D", "S44B"]
    known = {point["name"]: point for point in found["points"] if point["ns"]}
    assert set(known) == {"F44B", "F44D", "S44B"}
    assert known["F44D"]["clock"] == {"mhz": 633.0, "source": "published"}
    assert [point["compared"] is None for point in found["points"]].count(False) == 3
    # MA16 is faster for one product, but not for two
    (ma16,) = found["others"]
    assert ma16["ns"][0] < known["F44D"]["ns"][0]
    assert ma16["ns"][1] > known["F44D"]["ns"][1]


@pytest.mark.parametrize("device", ["V4", "V5", "S6", "V7"])
@pytest.mark.parametrize("bits", [128, 256])
def test_times_of_8_products_are_the_printed_ones(bits: int, device: str) -> None:
    found = explored(bits, device=device)
    ours = {point["name"]: point for point in (*found["points"], *found["others"]) if point["ns"]}
    figures = {
        figure.design.split()[0]: int(figure.value)
        for figure in published.FIGURES.rows
        if (figure.metric, figure.bits) == ("time of 8 products", bits)
        and figure.design.split()[-1] == device
        and figure.design.split()[0] in {"MA16", *(point["name"] for point in found["points"])}
    }
    assert figures.keys() == ours.keys()
    for name, printed in figures.items():
        slack = 1 + printed / ours[name]["clock"]["mhz"] / 2  # clock and time are rounded
        assert abs(ours[name]["ns"][7] - printed) <= slack, name


def test_one_clock_for_all() -> None:
    found = explored(128, frequency="500")
    assert found["frequency"] == 500
    assert on_front(found) == on_front(explored())
    for point in (*found["points"], *found["others"]):
        assert point["clock"] == {"mhz": 500.0, "source": "given"}
        assert point["ns"] == [2.0 * cycles for cycles in point["cycles"]]


def test_measured_areas_decide_where_they_are_asked_for() -> None:
    """F44D is on the front while it is smaller than S44D, which is a cycle faster and takes no block RAM either."""
    request = Exploration.resolve("fpmm", 128, ["F44D", "S44B", "S44D", "F44B", "F1.8B.w17"])
    areas = [
        area("F44D", LUT=200, LUTRAM=110, DSP=9),
        area("S44B", LUT=239, LUTRAM=62, DSP=9, BRAM18=2),
        area("S44D", LUT=239, LUTRAM=110, DSP=9),
        area("F44B", LUT=239, LUTRAM=61, DSP=9, BRAM36=1),
    ]
    found = document(request, areas)
    compared = {point["name"]: point["compared"] for point in found["points"]}
    assert compared == {
        "F1.8B.w17": None,
        "F44B": [151, 300, 9, 2],
        "F44D": [151, 310, 9, 0],
        "S44B": [150, 301, 9, 2],
        "S44D": [150, 349, 9, 0],
    }
    assert on_front(found) == ["F44B", "F44D", "S44B", "S44D"]
    assert on_front(document(request, [*areas[1:], area("F44D", LUT=240, LUTRAM=110, DSP=9)])) == [
        "F44B",
        "S44B",
        "S44D",
    ]
    assert [objective["name"] for objective in found["objectives"]] == ["cycles", "luts", "dsps", "brams"]
    other = [{**row, "family": "xcu"} for row in areas]
    assert on_front(document(request, other)) == []
    assert len(on_front(document(request, other, "xcu"))) == 4
    assert on_front(document(request, [{**row, "core": "other"} for row in areas])) == []


def test_kept_areas_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = area("F44D", LUT=240)
    monkeypatch.setattr("limbtrace.vectors.designs.explore.kept_areas", lambda: [kept])
    found = explored(128, "F44D", "F44B")
    assert [point["synthesis"] for point in found["points"]] == [None, kept]
    assert found["objectives"][1]["name"] == "register_bits"


def test_csv_has_what_json_has() -> None:
    found = explored(128, device="V7")
    head, *lines = render(found, "csv").decode().splitlines()
    assert json.loads(head[2:]) == {name: value for name, value in found.items() if name != "points"}
    assert json.loads(render(found, "json")) == found
    rows = list(csv.DictReader(lines))
    assert len(rows) == len(found["points"]) == 160
    for row, point in zip(rows, found["points"], strict=True):
        assert row["name"] == point["name"]
        assert row["front"] == str(point["front"]).lower()
        assert row["cycles_1"] == str(point["cycles"][0])
        longer = 8 if point["built"] and row["w"] == "17" else 0  # the loop of our core
        assert int(row["lambda"]) == point["cycles"][0] - longer
        assert row["register_bits"] == ("" if not point["built"] else str(point["figures"]["register_bits"]))
        assert row["ns_12"] == ("" if point["ns"] is None else str(point["ns"][11]))
        assert row["obstacle"] == point["obstacle"]


def test_csv_shows_measured_areas() -> None:
    row = area("F44D", LUT=240, LUTRAM=110, FF=788, DSP=9)
    _, *lines = render(document(Exploration.resolve("fpmm", 128, ["F44D"]), [row]), "csv").decode().splitlines()
    (cells,) = csv.DictReader(lines)
    assert {name: cells[name] for name in ("LUT", "LUTRAM", "FF", "DSP", "BRAM18")} == {
        "LUT": "240", "LUTRAM": "110", "FF": "788", "DSP": "9", "BRAM18": "0",
    }  # fmt: skip


def labels(picture: bytes) -> list[str]:
    """Texts of a picture, each of which is a path with a comment."""
    assert b"<text" not in picture
    return re.findall(r"<!-- (.*?) -->", picture.decode())


def test_a_picture_shows_both_trades() -> None:
    shown = labels(render(explored(128, device="V7"), "plot"))
    assert {"F44D", "S44B", "F44B", "MA16", "Pareto front", "time of 8 products, ns"} <= set(shown)
    assert "fpmm, 128 bits, published clocks of V7" in shown
    shown = labels(render(explored(), "svg"))
    assert {"fpmm, 128 bits", "S44B, S44D", "time, cycles", "register_bits, bits"} <= set(shown)
    assert "fpmm, 128 bits, all at 250 MHz" in labels(render(explored(frequency="250"), "svg"))


def test_a_picture_of_no_other_work_and_of_one_design() -> None:
    assert "MA16" not in labels(render(explored(192), "svg"))
    assert "F44D" in labels(render(explored(128, "F44D"), "svg"))


def test_pictures_have_the_same_bytes_in_every_process(tmp_path: Any) -> None:
    """User settings of Matplotlib: fonts, sizes, the salt of ids."""
    (tmp_path / "matplotlibrc").write_text("font.family: serif\nfont.size: 20\nsvg.hashsalt: other\n")
    program = "import sys; from limbtrace.vectors.designs import *; " + (
        "sys.stdout.buffer.write(render(designs_document(Exploration.resolve('fpmm', 128)), 'plot'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=tmp_path)
    ours = render(explored(), "svg")
    assert done.stdout == ours == render(explored(), "svg")
    assert b"date" not in ours


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ToolError, match=r"^a plot needs matplotlib, .* pip install 'limbtrace\[plot\]'$"):
        render(explored(), "svg")
    assert render(explored(), "json")


def test_nothing_to_draw() -> None:
    with pytest.raises(ParameterError, match="point: nothing is to be drawn"):
        plot.draw(explored(128, "F1.8B.w17"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nix", 128), "core: there are no designs of 'nix' to choose from; there are of fpmm"),
        (("fpmm", 1), "bits: 1 is outside 2 to 16384"),
        (("fpmm", 2**70), "bits: an integer of 71 bits is outside 2 to 16384"),
        (("fpmm", "x"), "bits: "),
        (("fpmm", 128, ["F44D", "F34D"]), "point: 'F34D' is no design for 128 bits; there are 160, of which the core"),
        (("fpmm", 128, [], "V9"), "device: 'V9' is none of V4, V5, S6, V7"),
        (("fpmm", 192, [], "V7"), "device: the paper has no clock for 192 bits on V7"),
        (("fpmm", 128, [], None, "0.0"), "frequency: '0.0' is no frequency from 0.001 to 99999.999 MHz"),
        (("fpmm", 128, [], None, "1e3"), "frequency: '1e3' is no frequency"),
        (("fpmm", 128, [], "V7", "5"), "frequency: either a device, for its published clocks, or a frequency"),
    ],
)
def test_refused(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        Exploration.resolve(*arguments)
    assert str(refused.value).startswith(sentence)


def test_formats() -> None:
    assert {name: form.media_type for name, form in FORMATS.items()} == {
        "json": "application/json", "csv": "text/csv", "plot": "image/svg+xml", "svg": "image/svg+xml",
    }  # fmt: skip


def test_areas_are_kept_for_the_designs_of_table_2_and_words_of_17_bits() -> None:
    """The syntheses are for 7 series, so they are shown for every device."""
    for bits, names in (
        (128, {"F44B", "F44D", "S44B", "S44D", "F2.8D.w17", "S2.8B.w17"}),
        (256, {"F28B", "F28D", "S28B", "F48B", "F48D", "S48B", "F1.16D.w17", "S1.16B.w17"}),
    ):
        measured = {point["name"]: point["synthesis"] for point in explored(bits)["points"] if point["synthesis"]}
        assert set(measured) == names
        for name, synthesis in measured.items():
            (point,) = explored(bits, name)["points"]
            assert synthesis["parameters"] == point["rtl"]
            figures = point["figures"]
            assert (synthesis["area"]["DSP"], synthesis["area"]["BRAM18"]) == (figures["dsps"], figures["block_rams"])
