# SPDX-License-Identifier: Apache-2.0
"""A waveform has the same contents as FST and as VCD, and a save file shows only signals in it."""

import resource
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import pylibfst
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylibfst import lib
from vcd import VCDWriter
from vcd.reader import TokenKind, tokenize

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors import cycles
from limbtrace.vectors.cycles import cycle_request
from limbtrace.vectors.cycles.request import CycleQuery, CycleRequest
from limbtrace.vectors.cycles.waves import WaveSignal, named, save_file, signals, write_fst
from limbtrace.vectors.request import CoreRequest

Changes = list[tuple[int, str, str]]


def in_fst(path: Path) -> tuple[dict[str, int], Changes]:
    """Width of each signal, and (time, signal, value in full width) of each change, sorted; the first of its names."""
    reader = lib.fstReaderOpen(str(path).encode())
    declared = pylibfst.get_scopes_signals2(reader)[1].by_name.values()
    known = {signal.handle: signal for signal in reversed(declared)}
    lib.fstReaderSetFacProcessMaskAll(reader)
    changes: Changes = []

    def change(_: object, time: int, handle: int, value: object) -> None:
        changes.append((time, known[handle].name.split(" ")[0], pylibfst.string(value)))

    pylibfst.fstReaderIterBlocks(reader, change)
    lib.fstReaderClose(reader)
    return {signal.name.split(" ")[0]: signal.length for signal in known.values()}, sorted(changes)


def in_vcd(path: Path) -> tuple[dict[str, int], Changes]:
    """Changes in a VCD file."""
    widths: dict[str, int] = {}
    names: dict[str, str] = {}
    scopes: list[str] = []
    changes: Changes = []
    time = 0
    with path.open("rb") as stream:
        for token in tokenize(stream):
            if token.kind is TokenKind.SCOPE:
                scopes.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE:
                scopes.pop()
            elif token.kind is TokenKind.VAR:
                name = ".".join([*scopes, token.var.reference])
                widths[names.setdefault(token.var.id_code, name)] = token.var.size
            elif token.kind is TokenKind.CHANGE_TIME:
                time = token.time_change
            elif token.kind is TokenKind.CHANGE_SCALAR:
                changes.append((time, names[token.scalar_change.id_code], token.scalar_change.value))
            elif token.kind is TokenKind.CHANGE_VECTOR:
                name, value = names[token.vector_change.id_code], token.vector_change.value
                text = f"{value:b}" if isinstance(value, int) else value
                fill = text[0] if text[0] in "xz" else "0"
                changes.append((time, name, text.rjust(widths[name], fill)))
    return widths, sorted(changes)


def settled(changes: Changes) -> Changes:
    """The last change of a signal at each time, without changes to the same value."""
    last: dict[str, str] = {}
    kept = []
    for time, name, value in [(*key, value) for key, value in {(t, n): v for t, n, v in changes}.items()]:
        if last.get(name) != value:
            kept.append((time, name, value))
        last[name] = value
    return kept


@pytest.fixture(scope="module")
def table() -> cycles.CycleRequest:
    core = CoreRequest.resolve("iddmm_arch2", "secp256k1", {"radix": "2^16"})
    return cycle_request(core, (), "2", "1", "edge")


def written(folder: Path, name: str, chunks: Iterator[bytes]) -> Path:
    path = folder / name
    path.write_bytes(b"".join(chunks))
    return path


def test_a_cycle_table_is_the_same_waveform_in_both_forms(table: cycles.CycleRequest, tmp_path: Path) -> None:
    vcd = in_vcd(written(tmp_path, "w.vcd", cycles.render(table, "vcd")))
    fst = in_fst(written(tmp_path, "w.fst", cycles.render(table, "fst")))
    assert fst[0] == vcd[0]
    assert len(vcd[1]) > 1000
    assert settled(fst[1]) == settled(vcd[1])


def test_the_same_request_gives_the_same_bytes(table: cycles.CycleRequest) -> None:
    assert [*cycles.render(table, "fst")] == [*cycles.render(table, "fst")]


def test_the_save_file_shows_every_signal_of_the_waveform(table: cycles.CycleRequest, tmp_path: Path) -> None:
    vcd = written(tmp_path, "w.vcd", cycles.render(table, "vcd"))
    save = b"".join(cycles.render(table, "gtkw")).decode().splitlines()
    assert [line for line in save if line[0] not in "[@"] == [signal.ranged for signal in signals(vcd)]


def sampled(request: cycles.CycleRequest) -> list[list[str]]:
    """The lines of samples, their names first."""
    lines = b"".join(cycles.render(request, "samples")).decode().splitlines()
    return [line.split(",") for line in lines if not line.startswith("#")]


def test_samples_are_what_the_waveform_shows_then(table: cycles.CycleRequest, tmp_path: Path) -> None:
    """The waveform has a clock of 10 ns; each signal is looked at a picosecond before it may change."""
    _, changes = in_vcd(written(tmp_path, "w.vcd", cycles.render(table, "vcd")))
    history: dict[str, list[tuple[int, str]]] = {}
    for time, name, value in changes:
        history.setdefault(name.rpartition(".")[2], []).append((1000 * time, value))
    names, *rows = sampled(table)
    assert names == ["time", "cycle", "signal", "width", "value"]
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)
    assert len(rows) == sum(cell is not None for row in table.rows() for cell in row)
    for when, _, name, _, shown in rows:
        at = bisect_right(history[name], (int(when), "~")) - 1
        assert int(history[name][at][1], 2) == int(shown, 16), (when, name)
        assert all(later > int(when) for later, _ in history[name][at + 1 : at + 2])


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [({"period": "1"}, "period: 1 is outside 2 to"), ({"edge": "-1"}, "edge: -1 is outside 0 to"),
     ({"period": "ns"}, "period: ")],
)  # fmt: skip
def test_a_clock_of_samples_has_limits(clock: dict[str, str], sentence: str) -> None:
    asked = CycleQuery(core="iddmm_arch2", prime="0xea7", operands=["5,7"], **clock)
    with pytest.raises(ParameterError, match=sentence):
        CycleRequest.of(asked, CoreRequest.resolve("iddmm_arch2", "0xea7", {"radix": "2^4"}))


def test_the_clock_of_samples_moves_and_stretches_them() -> None:
    core = CoreRequest.resolve("iddmm_arch2", "0xea7", {"radix": "2^4"})
    asked = CycleQuery(core="iddmm_arch2", prime="0xea7", operands=["5,7"], period="2500", edge="101250")
    plain, moved = (sampled(request)[1:] for request in (cycle_request(core, ["5,7"]), CycleRequest.of(asked, core)))
    assert [(int(time) + 1) // 4 + 101_249 for time, *_ in plain] == [int(time) for time, *_ in moved]
    assert [row[1:] for row in plain] == [row[1:] for row in moved]


@given(st.lists(st.tuples(st.integers(1, 9), st.text("01xz", min_size=1, max_size=9)), min_size=1, max_size=30))
def test_every_kind_of_value_survives(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]) -> None:
    """Values shorter than the signal are extended as VCD defines: with 0, or with a leading x or z."""
    folder = tmp_path_factory.mktemp("waves")
    with (folder / "w.vcd").open("w") as stream, VCDWriter(stream, timescale="1 ns", date="", version="") as writer:
        wide = writer.register_var("top.sub", "wide", "wire", 9, init="x")
        single = writer.register_var("top", "single", "wire", 1, init="z")
        time = 0
        for distance, value in steps:
            time += distance
            writer.change(wide, time, value)
            writer.change(single, time, value[-1])
    write_fst(folder / "w.vcd", folder / "w.fst")
    assert settled(in_fst(folder / "w.fst")[1]) == settled(in_vcd(folder / "w.vcd")[1])


def test_values_before_the_first_time_are_those_at_its_beginning(tmp_path: Path) -> None:
    """Parameters as written by Icarus Verilog 12."""
    head = "$timescale 1 ns $end\n$scope module top $end\n$var parameter 4 ! K $end\n$var wire 1 % q $end\n"
    values = "$upscope $end\n$enddefinitions $end\n$dumpall\nb101 !\n$end\n"
    for begin in ("#0\n$dumpvars\n0%\n$end\n", "#3\n1%\n"):
        (tmp_path / "w.vcd").write_text(f"{head}{values}{begin}#7\nx%\n")
        write_fst(tmp_path / "w.vcd", tmp_path / "w.fst")
        widths, changes = in_fst(tmp_path / "w.fst")
        assert (widths, settled(changes)) == (in_vcd(tmp_path / "w.vcd")[0], settled(in_vcd(tmp_path / "w.vcd")[1]))
        assert (0, "top.K", "0101") in changes


def test_of_two_signals_with_a_name_the_upper_one_is_shown(tmp_path: Path) -> None:
    with (tmp_path / "w.vcd").open("w") as stream, VCDWriter(stream, timescale="1 ns", date="", version="") as writer:
        writer.register_var("top.core", "q", "wire", 4)
        writer.register_var("top", "q", "wire", 8)
        writer.register_var("top.core", "a", "wire", 1)
    shown = named(tmp_path / "w.vcd", ["a", "q", "missing"])
    assert shown == [WaveSignal("top.core.a", 1), WaveSignal("top.q", 8)]
    assert b'[dumpfile] "w.vcd"' in save_file([("", shown)], "w.vcd")
    assert b"\ntop.q[7:0]\n" in save_file([("", shown)])


def test_a_place_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "w.vcd").write_text("$timescale 1 ns $end\n$enddefinitions $end\n")
    with pytest.raises(FileNotFoundError, match="missing"):
        write_fst(tmp_path / "w.vcd", tmp_path / "missing" / "w.fst")


def test_a_waveform_for_which_there_is_no_room_is_an_os_error(table: cycles.CycleRequest, tmp_path: Path) -> None:
    """libfst itself would report success with a partial waveform or none; on a full /tmp it would kill the process."""
    vcd = written(tmp_path, "w.vcd", cycles.render(table, "vcd"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (vcd.stat().st_size, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_fst(vcd, tmp_path / "w.fst")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in tmp_path.iterdir()] == ["w.vcd"]
