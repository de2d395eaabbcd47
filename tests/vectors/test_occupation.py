# SPDX-License-Identifier: Apache-2.0
"""Occupation of shared units: picture, table and schedule agree."""

import csv
import io
from xml.etree import ElementTree

import pytest

from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.vectors.cli import main
from limbtrace.vectors.cycles import occupation
from limbtrace.vectors.cycles.occupation import CYCLE, CYCLES, NAMES

HFFM = ("hffm", "--prime", "11", "--count", "4")


def shown(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["cycles", *arguments])
    assert ended.value.code == 0
    return capfd.readouterr().out


def test_the_table_has_every_unit_in_every_cycle(capfd: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(capfd, *HFFM, "--format", "units"))))
    golden = list(csv.DictReader(shown(capfd, *HFFM, "--format", "csv").splitlines()[1:-1]))
    assert [row["cycle"] for row in rows] == [row["cycle"] for row in golden]
    for row, cells in zip(rows, golden, strict=True):
        assert bool(row["small multipliers"]) == (cells["quarter"] != "")
        if row["second adder"]:
            assert cells["op"] not in ("", "0x0")
    assert rows[1]["layer"] == "0 0"
    assert rows[9]["small multipliers"] == "0 (a1+a2) * (b1+b2)"
    assert rows[37]["small multipliers"] == "0 hi * x"
    assert rows[55]["second adder"] == "0 c1@8"


def jobs(picture: str) -> dict[str, int]:
    """The titles of all boxes, and the cycles that they cover."""
    found: dict[str, int] = {}
    for group in ElementTree.fromstring(picture).findall(".//{*}g"):
        title, box = group.find("{*}title"), group.find("{*}rect")
        assert title is not None
        assert title.text is not None
        assert box is not None
        x, width = int(box.attrib["x"]) - NAMES, int(box.attrib["width"])
        assert x % CYCLE == width % CYCLE == 0
        assert x + width <= CYCLES * CYCLE
        found[title.text] = found.get(title.text, 0) + width // CYCLE
        for text in group.findall("{*}text"):
            assert text.text
            assert text.text in title.text
    return found


@pytest.mark.parametrize("core", ["hffm", "hffm_layers"])
def test_the_picture_has_every_job(core: str, capfd: pytest.CaptureFixture[str]) -> None:
    asked = (core, *HFFM[1:])
    rows = list(csv.DictReader(io.StringIO(shown(capfd, *asked, "--format", "units"))))
    expected: dict[str, int] = {}
    for row in rows:
        for job in (cell for unit, cell in row.items() if unit != "cycle" and cell):
            title = f"product {job.replace(' ', ': ', 1)}"
            expected[title] = expected.get(title, 0) + 1
    assert jobs(shown(capfd, *asked, "--format", "svg")) == expected


def test_words_stand_where_there_is_room() -> None:
    """In one line, in two lines, vertical; a word that is too long for all of these is only in the tooltip."""
    units: dict[str, list[str | None]] = {
        "a": ["0 ab cd"] * 3,
        "b": ["0 abcdefg hijklmn", "0 abcdefg hijklmn", None],
        "c<d": ["1 tall&thin", None, "0 x"],
    }
    picture = ElementTree.fromstring(occupation.svg(units, 7))
    words = {text.text: "transform" in text.attrib for text in picture.findall(".//{*}g/{*}text")}
    assert words == {"ab cd": False, "abcdefg": False, "hijklmn": False, "tall&thin": True, "x": False}
    names = [text.text for text in picture.findall("{*}text")]
    assert [name for name in names if name in units] == list(units)
    assert [name for name in names if name in ("7", "8", "9", "10")] == ["7", "8", "9"]


def test_a_picture_of_many_products_and_bands() -> None:
    """The picture begins with the first job; colours are reused."""
    cells = [None, *(f"{k} x" for k in range(60))]
    picture = ElementTree.fromstring(occupation.svg({"unit": cells}))
    names = [text.text for text in picture.findall("{*}text")]
    assert names.count("unit") == names.count("cycle") == 3
    assert "0" not in names[8:]
    assert "0, 6, 12, ..." in names
    fills = [box.attrib["fill"] for box in picture.findall(".//{*}g/{*}rect")]
    assert len(fills) == 60
    assert len(set(fills)) == 6
    assert fills[0] == fills[6] != fills[1]
    assert ElementTree.fromstring(occupation.svg({"unit": [None, None]})).findall(".//{*}g") == []


def test_cores_without_shared_units_have_none(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("units", "svg"):
        with pytest.raises(SystemExit) as ended:
            main(["cycles", "iddmm_arch2", "--prime", "11", "--radix", "2^2", "--operands", "1,2", "--format", name])
        assert ended.value.code == 2
        sentence = f"format: {name} shows units that products share, and iddmm_arch2 has none; hffm, hffm_layers do\n"
        assert capfd.readouterr() == ("", f"limbtrace: {sentence}")
    assert [name for name, entry in ARCHITECTURES.items() if entry.occupation] == ["hffm", "hffm_layers"]
