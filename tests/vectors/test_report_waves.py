# SPDX-License-Identifier: Apache-2.0
"""The cycles around a difference in a waveform: found by their values, and files that are no such waveform."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.cycles.picture import CYCLE
from limbtrace.vectors.cycles.waves import write_fst
from limbtrace.vectors.report import read
from limbtrace.vectors.report import waves as report_waves
from limbtrace.vectors.report.document import ReportDocument, ShownWaves
from limbtrace.vectors.report.svg import drawn
from limbtrace.vectors.report.waves import AFTER, BEFORE, excerpt
from tests.kept import ATTACK, HOSTILE, KEPT, PASSED, WAVES, WITH_WAVES

REPORT = read(KEPT)
VCD = WAVES.read_text()
FOUND = excerpt(REPORT, WAVES)


def cells(found: ShownWaves, column: str) -> list[str | None]:
    (wave,) = [wave for wave in found.signals if wave.column == column]
    return list(wave.cells)


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "waves.vcd"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def with_signals(*entries: dict[str, Any]) -> ReportDocument:
    """The report with other entries in place of the first signals."""
    signals = [*entries, *KEPT["wave_names"]["signals"][len(entries) :]]
    return read({**KEPT, "wave_names": {**KEPT["wave_names"], "signals": signals}})


def test_the_cycles_are_those_of_the_rows() -> None:
    rows = KEPT["rows"]["rows"]
    assert FOUND.first_cycle == rows[0]["cycle"] - BEFORE
    assert {len(wave.cells) for wave in FOUND.signals} == {BEFORE + len(rows) + AFTER}
    for k, column in enumerate(KEPT["rows"]["columns"]):
        shown = cells(FOUND, column)[BEFORE:][: len(rows)]
        assert shown[1:] == [row["seen"][k] for row in rows[1:]], column  # a replay begins otherwise
    handshake = {wave.name.rpartition(".")[2]: wave.cells for wave in FOUND.signals if wave.column is None}
    start = -1 - FOUND.first_cycle
    assert {name: list(values[start - 1 : start + 2]) for name, values in handshake.items()} == {
        "rst_ni": ["0x1"] * 3,
        "start_i": ["0x0", "0x1", "0x0"],
        "busy_o": ["0x0", "0x0", "0x1"],
        "done_o": ["0x0"] * 3,
    }
    assert not FOUND.missing


def test_fst_and_other_times_are_the_same(tmp_path: Path) -> None:
    write_fst(WAVES, tmp_path / "waves.fst")
    assert excerpt(REPORT, tmp_path / "waves.fst") == FOUND
    later = re.sub(r"(?m)^#(\d+)", lambda time: f"#{int(time[1]) * 1000 + 123456789012}", VCD)
    assert excerpt(REPORT, written(tmp_path, later)) == FOUND
    elsewhere = VCD.replace("module lt_lockstep_tb", "module soc").replace("module u_shell", "module u_crypto")
    assert excerpt(REPORT, written(tmp_path, elsewhere)) == FOUND


def test_the_last_place_counts(tmp_path: Path) -> None:
    """A run ends at its difference; the same product may have been there before."""
    head, _, body = VCD.partition("$enddefinitions $end")
    end = max(int(time) for time in re.findall(r"(?m)^#(\d+)", body))
    again = re.sub(r"(?m)^#(\d+)", lambda time: f"#{int(time[1]) + end + 10}", body)
    busy = re.search(r"\$var wire 1 (\S) busy_o", head)
    assert busy is not None
    again = again.replace(f"\n1{busy[1]}\n", f"\n0{busy[1]}\n")
    found = excerpt(REPORT, written(tmp_path, f"{head}$enddefinitions $end{body}\n#{end + 5}\n{again}"))
    assert (found.first_cycle, cells(found, "An")) == (FOUND.first_cycle, cells(FOUND, "An"))
    (shown,) = [wave.cells for wave in found.signals if wave.name.endswith("busy_o")]
    assert {*shown} == {"0x0"}


def test_an_element_may_be_part_of_an_array(tmp_path: Path) -> None:
    """The core shows a digit of an array that the waveform has as a vector, low elements on the right."""
    path = "u_core.u_products.quot_q"
    assert KEPT["wave_names"]["signals"][0] == {"name": path, "width": 4, "kind": "register"}
    code = re.search(r"\$var reg 4 (\S+) quot_q \[3:0\] \$end", VCD)
    assert code is not None
    text = VCD.replace(code[0], f"$var reg 12 {code[1]} quot_q [11:0] $end")
    text = re.sub(
        rf"(?m)^b(\S+) {re.escape(code[1])}$",
        lambda given: f"b1010{given[1].rjust(4, given[1][0] if given[1][0] in 'xz' else '0')}0110 {code[1]}",
        text,
    )
    file = written(tmp_path, text)
    found = excerpt(with_signals({"name": f"{path}[1]", "width": 4, "kind": "register"}), file)
    assert cells(found, "q") == cells(FOUND, "q")
    for other in ("[0]", "[2]", "[7]", ""):
        with pytest.raises(ParameterError, match="nowhere in it"):
            excerpt(with_signals({"name": path + other, "width": 4, "kind": "register"}), file)


def test_strange_files_may_be_right(tmp_path: Path) -> None:
    assert excerpt(REPORT, written(tmp_path, "$scope module a $end\n" * 100_000 + VCD)) == FOUND
    found = excerpt(REPORT, written(tmp_path, VCD.replace("$var reg 5 = c_q [4:0]", "$var real 64 = c_q")))
    assert found.missing == ["C"]


def test_what_a_waveform_lacks_is_said() -> None:
    found = excerpt(with_signals({"name": "u_core.memory[3]", "width": 4, "kind": "register"}), WAVES)
    assert found.missing == ["q"]
    assert cells(found, "An") == cells(FOUND, "An")


def test_wide_signals_have_fewer_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_waves, "MOST_TEXT", 300)
    found = excerpt(REPORT, WAVES)
    assert 1 < len(found.signals[0].cells) < len(FOUND.signals[0].cells)
    at = KEPT["first_divergence"]["cycle"] - found.first_cycle
    assert cells(found, "An")[at] == KEPT["first_divergence"]["seen"]


def test_values_that_are_not_compared_may_differ_and_others_not(tmp_path: Path) -> None:
    for row, column, is_same in ((0, "q", True), (3, "q", False), (5, "An", False)):
        rows = [dict(entry) for entry in KEPT["rows"]["rows"]]
        seen = list(rows[row]["seen"])
        seen[KEPT["rows"]["columns"].index(column)] = "0x2"
        rows[row]["seen"] = seen
        changed = read({**KEPT, "rows": {**KEPT["rows"], "rows": rows}})
        if is_same:
            assert excerpt(changed, WAVES) == FOUND
        else:
            with pytest.raises(ParameterError, match="waves: the rows of the report are nowhere in it"):
                excerpt(changed, WAVES)


def without(name: str) -> ReportDocument:
    return read({key: value for key, value in KEPT.items() if key != name})


def without_result_port() -> ReportDocument:
    document = {key: value for key, value in KEPT.items() if key != "rows"}
    found = {**KEPT["first_divergence"], "signal": "result", "step": None}
    return read({**document, "first_divergence": found, "wave_names": {**KEPT["wave_names"], "signals": []}})


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (read(PASSED), "report: it has no rows of a difference"),
        (without("rows"), "report: it has no rows of a difference"),
        (without_result_port(), "no port that has the result as it is"),
        (without("wave_names"), "report: it does not say what a waveform calls its signals"),
        (read({**HOSTILE, "wave_names": {**KEPT["wave_names"], "clock": ATTACK}}), "waves: it has no clock"),
        (with_signals(*[{"name": "u_core.nix", "width": 1, "kind": "register"}] * 9), "it has none of the signals"),
    ],
)
def test_what_cannot_be_looked_for(report: ReportDocument, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        excerpt(report, WAVES)
    assert said in str(caught.value)


def around(definitions: str, changes: str = "#0\n") -> str:
    return f"$scope module u_core $end\n{definitions}$upscope $end\n$enddefinitions $end\n{changes}"


CLOCK = "$var wire 1 ! clk_i $end\n"
HUGE = "9" * 40
BAD: dict[str, Callable[[], str | bytes]] = {
    "empty": lambda: "",
    "noise": lambda: bytes((k * k * 7 + k) % 256 for k in range(50_000)),
    "json": lambda: "{}",
    "zeros": lambda: b"\0" * 5000,
    "no end of definitions": lambda: VCD.partition("$enddefinitions")[0],
    "cut in a definition": lambda: VCD[:700],
    "cut before the difference": lambda: VCD[: VCD.index("\n#4") - 3],
    "surplus upscope": lambda: "$upscope $end\n" * 3 + VCD,
    "huge width": lambda: around(f"$var wire {HUGE} ! clk_i $end\n"),
    "large width": lambda: around(f"{CLOCK}$var wire 4294967295 # c_q $end\n", "#0\n1!\nb1 #\n#1\n0!\n#2\n1!\n"),
    "clock of many bits": lambda: around("$var wire 4294967295 ! clk_i $end\n", "#0\nb1 !\n#1\nb0 !\n"),
    "huge time": lambda: VCD.replace("#4", f"#{HUGE}4"),
    "long value": lambda: around(f"{CLOCK}$var wire 4 # c_q $end\n", f"#0\n1!\nb{'1' * 500_000} #\n#1\n"),
    "strange value": lambda: VCD.replace("b1110 ", "b1q?0 "),
    "no clock": lambda: VCD.replace("clk_i", "clock"),
    "clock stands still": lambda: re.sub(r'(?m)^0"$', '1"', VCD),
    "no newlines": lambda: VCD.replace("\n", " ")[:3000],
    "unknown ids": lambda: around(CLOCK, "#0\n1!\n1%%%\nb1 &&\n"),
    "many signals": lambda: around("".join(f"$var wire 1 {k} s{k} $end\n" for k in range(100_000))),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_one_sentence(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ParameterError) as caught:
        excerpt(REPORT, written(tmp_path, BAD[name]()))
    said = str(caught.value)
    assert said.startswith("waves: ")
    assert len(said) < 400
    assert said.isprintable()
    assert capfd.readouterr() == ("", ""), "the library is silent"
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard", "and only for that time"


def test_the_picture_has_golden_above_seen() -> None:
    waves = read(WITH_WAVES).waves
    assert waves is not None
    picture = ElementTree.fromstring(drawn(REPORT, waves))
    lines = {
        group.findtext("{*}text[@class='name']") or "": group
        for group in picture.findall(".//{*}g")
        if group.get("class") in ("golden", "late", "now")
    }
    names = [*lines]
    assert [name for name, group in lines.items() if group.get("class") == "golden"] == names[4::2]
    assert names[:4] == ["rst_ni", "start_i", "busy_o", "done_o"]
    columns = ["An", *(column for column in KEPT["rows"]["columns"] if column != "An")]
    assert names[4:] == [name for column in columns for name in (f"{column}, golden", column)], (
        "what differs comes first"
    )
    wrong = {name: group.findtext("{*}g[@class='wrong']/{*}text") for name, group in lines.items()}
    assert {name: value for name, value in wrong.items() if value is not None} == {"An": "0"}
    assert [text.text for text in lines["An, golden"].findall("{*}text[@class='value']")] == ["0", "1"]
    (band, *lanes) = picture.findall(".//{*}rect[@class='band']")
    late = {float(lane.get("x", "0")) - float(band.get("x", "0")) for lane in lanes}
    assert late == {0, CYCLE}, "a register is marked where it is drawn"
    above = [text for text in picture.findall(".//{*}g/{*}text[@class='value']") if text.get("y") == "14"]
    (marked,) = [text.text for text in above if 0 < float(text.get("x", "0")) - float(band.get("x", "0")) < 66]
    assert marked == "4"


def test_one_bit_is_a_line() -> None:
    """Low, high, unknown and floating; a wrong cell has a ground of its own."""
    cells = ["0x0", "0x1", "0x1", "0xx", "0xz", None]
    signal = {"name": "u_core.en", "column": "en", "kind": "combinational", "number": 1, "width": 1, "cells": cells}
    waves: dict[str, Any] = {"first_cycle": 4, "signals": [signal]}
    rows = {"columns": ["en", "en"], "rows": [{"cycle": 5, "seen": ["0x1", "0x1"], "golden": ["0x1", "0x0"]}]}
    report = read({**KEPT, "rows": rows, "wave_names": None, "waves": waves})
    assert report.waves is not None
    picture = ElementTree.fromstring(drawn(report, report.waves))
    golden, seen = picture.findall(".//{*}g[@class='golden']") + picture.findall(".//{*}g[@class='now']")
    levels = [path.get("d", "") for path in seen.iter("{http://www.w3.org/2000/svg}path")]
    heights = [level.partition(" V")[2].partition(" ")[0] for level in levels]
    low, high = str(3 * 26 + 18), str(3 * 26)
    assert (heights[:3], heights[4]) == ([low, high, high], str(3 * 26 + 9))
    assert [text.text for text in seen.iter("{http://www.w3.org/2000/svg}text")] == ["en", "x"]
    assert [box.get("x") for box in seen.findall("{*}rect[@class='bad']")] == [str(CYCLE)]
    assert len(golden.findall("{*}path")) == 1
    wide = read({**KEPT, "rows": rows, "wave_names": None, "waves": {**waves, "signals": [{**waves["signals"][0], "width": 4}]}})  # fmt: skip  # noqa: E501
    assert wide.waves is not None
    assert 'class="level"' not in drawn(wide, wide.waves)


def test_columns_of_one_name_are_told_apart() -> None:
    """The second column of a signal is compared with its own golden values."""
    signal = {"name": "u_core.q", "column": "q", "kind": "combinational", "width": 4, "cells": ["0x1", "0x2"]}
    waves = {"first_cycle": 4, "signals": [{**signal, "number": 0}, {**signal, "number": 1}]}
    rows = {"columns": ["q", "q"], "rows": [{"cycle": 5, "seen": ["0x2", "0x2"], "golden": ["0x3", None]}]}
    report = read({**KEPT, "rows": rows, "wave_names": None, "waves": waves})
    assert report.waves is not None
    picture = ElementTree.fromstring(drawn(report, report.waves))
    first, second = picture.findall(".//{*}g[@class='now']")
    assert (len(first.findall("{*}g[@class='wrong']")), len(second.findall("{*}g[@class='wrong']"))) == (1, 0)
    assert [group.findtext("{*}text") for group in picture.findall(".//{*}g[@class='golden']")] == ["q, golden"]


def without_rows(
    clocked: bool, seen: str = "0x21", ends: dict[str, Any] | None = None, **result: Any
) -> ReportDocument:
    """A report of a core without watched signals whose result of 5 and 7 is wrong; `ends` says when it is there."""
    usual = {"finished": "u_core.valid"} if clocked else {"latency": 0}
    names = {
        "clock": "u_core.clk" if clocked else "u_shell.clk_i",
        "handshake": ["u_core.valid"] if clocked else [],
        "signals": [],
        "operands": [{"number": name, "name": f"u_core.{name}", "width": 8} for name in "ab"],
        "result": {"number": "result", "name": "u_core.r", "width": 8, **result},
        **(usual if ends is None else ends),
    }
    found = {**KEPT["first_divergence"], "a": "0x5", "b": "0x7", "cycle": 3, "signal": "result", "step": None}
    found = {**found, "expected": "0x23", "seen": seen}
    document = {key: value for key, value in KEPT.items() if key not in ("rows", "observed")}
    return read({**document, "first_divergence": found, "wave_names": names})


def traced(tmp_path: Path, products: list[list[int]], clocked: bool = True, level: bool = False) -> Path:
    """A waveform in which products (a, b, r) are done three cycles after their operands, which do not stay.

    `level`: the result and its valid stay until two cycles after the next operands.
    """
    ports = {"a": "!", "b": '"', "r": "#"}
    definitions = "".join(f"$var wire 16 {mark} {name} $end\n" for name, mark in ports.items())
    if clocked:
        definitions += "$var wire 1 $ clk $end\n$var wire 1 % valid $end\n"
    time, changes = 0, "#0\n0$\n0%\n" if clocked else "#0\n"

    def cycle(values: dict[str, int], valid: int) -> None:
        nonlocal time, changes
        changes += f"#{time + 1}\n" + "".join(f"b{value:b} {ports[name]}\n" for name, value in values.items())
        changes += f"{valid}%\n#{time + 5}\n1$\n#{time + 10}\n0$\n" if clocked else ""
        time += 10

    for a, b, r in products:
        if not clocked:
            cycle({"a": a, "b": b, "r": r}, 0)
            continue
        cycle({"a": a, "b": b, "r": 0x21}, int(level))  # looks right, and is not done
        cycle({"a": 0xFF, "b": 0xFF, **({} if level else {"r": 0})}, int(level))
        cycle({"r": 1}, 0)
        cycle({"r": r}, 1)
        cycle({} if level else {"r": 2}, int(level))
    return written(tmp_path, around(definitions, changes + f"#{time}\n"))


def test_a_core_without_rows_is_found_by_its_product(tmp_path: Path) -> None:
    """Behind its operands, where done is high: not the same result of another product, and no other value."""
    report = without_rows(True)
    found = excerpt(report, traced(tmp_path, [[3, 11, 0x21], [5, 7, 0x21], [3, 11, 0x21]]))
    assert [wave.name.rpartition(".")[2] for wave in found.signals] == ["valid", "a", "b", "r"]
    at = 3 - found.first_cycle
    assert [wave.cells[at] for wave in found.signals] == ["0x1", "0xff", "0xff", "0x21"]
    assert found.signals[1].cells[at - 3] == "0x5", "its own operands are three cycles before it"
    picture = ElementTree.fromstring(drawn(report, found))
    golden = [group for group in picture.findall(".//{*}g") if group.get("class") == "golden"]
    assert [group.findtext("{*}text[@class='value']") for group in golden] == ["23"]
    assert [group.findtext("{*}text") for group in picture.iter() if group.get("class") == "wrong"] == ["21"]


@pytest.mark.parametrize("products", [[[3, 11, 0x21]], [[5, 7, 0x22]], [[5, 11, 0x21], [3, 7, 0x21]]])
def test_another_product_is_not_taken_for_it(products: list[list[int]], tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="waves: the result of the report is nowhere in it"):
        excerpt(without_rows(True), traced(tmp_path, products))


def test_a_result_that_was_there_before(tmp_path: Path) -> None:
    """A valid that is still high when the operands come is that of another product, though the value is the same."""
    found = excerpt(without_rows(True), traced(tmp_path, [[3, 11, 0x21], [5, 7, 0x21]], level=True))
    valid, a = (wave.cells for wave in found.signals[:2])
    at = 3 - found.first_cycle
    assert (a[at - 3], list(valid[at - 3 : at + 1])) == ("0x5", ["0x1", "0x1", "0x0", "0x1"])


@pytest.mark.parametrize("started", [None, "u_core.valid"])
def test_a_result_after_a_latency(started: str | None, tmp_path: Path) -> None:
    """No port shows when the result is there, and it is the same all the time."""
    report = without_rows(True, "0x0", {"latency": 3, "started": started})
    waves = traced(tmp_path, [[3, 11, 0], [5, 7, 0], [3, 11, 0]])
    stays = re.sub(r"b1{8} .\n", "", waves.read_text())  # operands as well, up to the next ones
    waves.write_text(re.sub(r"b\d+ #", "b0 #", stays))
    shown = excerpt(report, waves)
    valid, a = (wave.cells for wave in shown.signals[:2])
    at = 3 - shown.first_cycle
    if started is None:
        assert list(a[at - 4 : at - 2]) == ["0x3", "0x5"]
    else:
        assert (valid[at - 3], a[at - 3]) == ("0x1", "0x5")
    with pytest.raises(ParameterError, match="no port that is high when the result of this product is there"):
        excerpt(without_rows(True, ends={}), waves)


def test_a_result_modulo_p(tmp_path: Path) -> None:
    report = without_rows(True, modulo=True, width=16)
    found = excerpt(report, traced(tmp_path, [[5, 7, 0x21 + int(KEPT["prime"]["modulus"], 16)]]))
    assert "golden modulo p" in drawn(report, found)
    with pytest.raises(ParameterError, match="the result of the report is nowhere in it"):
        excerpt(without_rows(True), traced(tmp_path, [[5, 7, 0x21 + int(KEPT["prime"]["modulus"], 16)]]))


def test_a_core_without_a_clock(tmp_path: Path) -> None:
    report = without_rows(False)
    found = excerpt(report, traced(tmp_path, [[3, 11, 0x21], [5, 7, 0x21], [4, 4, 0x10]], clocked=False))
    at = 3 - found.first_cycle
    assert [wave.cells[at] for wave in found.signals] == ["0x5", "0x7", "0x21"]
    assert not found.clocked
    assert "clk" not in drawn(report, found)
    with pytest.raises(ParameterError, match="the result of the report is nowhere in it"):
        excerpt(report, traced(tmp_path, [[5, 7, 0x22], [3, 4, 0x21]], clocked=False))
    with pytest.raises(ParameterError, match="waves: it has no clock"):
        excerpt(without_rows(True), traced(tmp_path, [[5, 7, 0x21]], clocked=False))


def test_pictures_show_texts_as_texts() -> None:
    report = read(HOSTILE)
    assert report.waves is not None
    assert "<script" not in drawn(report, report.waves)
    assert ATTACK[:20] in (
        ElementTree.fromstring(drawn(report, report.waves)).findtext(".//{*}text[@class='name'][2]") or ATTACK
    )


@pytest.mark.parametrize("error", [OSError("io"), ValueError("x"), OverflowError("big"), BaseException("panic")])
@pytest.mark.parametrize("where", ["open", "variables", "stream"])
def test_whatever_the_library_raises_is_a_damaged_file(
    where: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged file makes it panic, or raise what Rust's errors become in Python."""
    import pywellen

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    class Damaged:
        def __init__(self, *given: Any, **options: Any) -> None:
            self.whole = fail() if where == "open" else pywellen_waveform(*given, **options)
            self.all_vars = fail if where == "variables" else self.whole.all_vars
            self.stream_changes = fail

    pywellen_waveform = pywellen.Waveform
    monkeypatch.setattr(pywellen, "Waveform", Damaged)
    with pytest.raises(ParameterError, match=r"^waves: it is no whole waveform"):
        excerpt(REPORT, WAVES)


def test_missing_memory_is_not_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("pywellen.Waveform", fail)
    with pytest.raises(MemoryError):
        excerpt(REPORT, WAVES)
