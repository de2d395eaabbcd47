# SPDX-License-Identifier: Apache-2.0
"""Written files are read back by our readers and by other libraries."""

import csv
import errno
import hashlib
import io
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors import cycles, traces
from limbtrace.vectors.cycles import CycleRequest
from limbtrace.vectors.files import write_directory
from limbtrace.vectors.request import KINDS, CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import FORMATS, MANIFEST, Case, VectorSet, memory_files, open_vectors, render
from limbtrace.vectors.sets.in_memory import memory_list
from limbtrace.vectors.strategies import cases, multipliers
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.validation import DamagedFileError
from limbtrace.vectors.verify import verify, verify_file

FIELDS = ("a", "b", "result", "residue")


BINARY = [name for name, model in MODELS.items() if not model.unary]
"""Models with a and b; chains have separate tests."""


def written(vectors: VectorSet, form: str) -> bytes:
    return b"".join(render(vectors, form))


def from_json(entry: dict[str, Any]) -> Case:
    a, b, result, residue = (int(entry[field], 16) for field in FIELDS)
    return Case(entry["id"], a, b, result, residue, tuple(entry["flags"]), entry["comment"])


def read_json(data: bytes) -> list[Case]:
    document = json.loads(data)
    assert document["format"] == "limbtrace/1"
    (group,) = document["testGroups"]
    assert document["numberOfTests"] == len(group["tests"])
    return [from_json(entry) for entry in group["tests"]]


def read_ndjson(data: bytes) -> list[Case]:
    lines = [json.loads(line) for line in data.decode().splitlines()]
    assert lines[-1]["end"] == len(lines) - 2
    return [from_json(entry) for entry in lines[1:-1]]


def read_csv(data: bytes) -> list[Case]:
    rows = [line for line in data.decode().splitlines() if not line.startswith("#")]
    return [from_json({**row, "flags": row["flags"].split()}) for row in csv.DictReader(rows)]


BARE = ("readmemh", "coe", "mif", "raw")
"""Formats that hold numbers alone."""

READERS: dict[str, Callable[[bytes], list[Case]]] = {"json": read_json, "ndjson": read_ndjson, "csv": read_csv}


def memory_words(data: bytes) -> dict[str, list[int]]:
    """The columns of numbers of an archive for $readmemh; those of digits follow."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = archive.getnames()
        assert names[:3] == ["a.hex", "b.hex", "result.hex"]
        texts = {name: (archive.extractfile(name) or io.BytesIO()).read().decode() for name in names}
    manifest = json.loads(texts.pop(MANIFEST))
    assert names == [*(entry["name"] for entry in manifest["files"]), MANIFEST]
    assert all("representation" in entry for entry in manifest["files"][3:])
    for entry in manifest["files"]:
        lines = texts[entry["name"]].splitlines()
        assert {len(line) for line in lines} == {-(-entry["bits"] // 4)}
        assert entry["words"] == len(lines)
    return {name[:-4]: [int(line, 16) for line in texts[name].split()] for name in names[:3]}


@given(multipliers(BINARY), st.sampled_from(list(KINDS)), st.integers(0, 2**64 - 1), st.integers(1, 30))
@settings(max_examples=40)
def test_sets_are_read_back(multiplier: Multiplier, kind: str, seed: int, count: int) -> None:
    vectors = VectorSet(VectorRequest.resolve(multiplier, count, seed, kind))
    golden = list(vectors.cases())
    for form, reader in READERS.items():
        assert reader(written(vectors, form)) == golden
    words = memory_words(written(vectors, "readmemh"))
    assert words == {field: [getattr(case, field) for case in golden] for field in ("a", "b", "result")}


@pytest.mark.parametrize("form", FORMATS)
@given(
    multiplier=multipliers(max_bits=130), kind=st.sampled_from(list(KINDS)), count=st.one_of(st.just(1), st.just(530))
)
@settings(max_examples=8)
def test_our_reader_takes_what_we_write(
    tmp_path_factory: pytest.TempPathFactory, form: str, multiplier: Multiplier, kind: str, count: int
) -> None:
    vectors = VectorSet(VectorRequest.resolve(multiplier, count, 7, kind))
    path = tmp_path_factory.mktemp("sets") / "set"
    path.write_bytes(written(vectors, form))
    with open_vectors(path) as reader:
        seen = [case for _, case in reader.cases()]
        reader.check_digest()
    golden = list(vectors.cases())
    assert seen == ([case._replace(comment="") for case in golden] if form in BARE else golden)
    verdict = verify_file(path)
    assert (verdict["verdict"], verdict["verified"], verdict["id"]) == ("pass", count, vectors.request.id)


def test_folder_and_archive_hold_the_same(tmp_path: Path) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 600, 1, "mixed"))
    write_directory(tmp_path / "set", memory_files(vectors), MANIFEST)
    with tarfile.open(fileobj=io.BytesIO(written(vectors, "readmemh"))) as archive:
        for name in archive.getnames():
            member = archive.extractfile(name)
            assert member is not None
            assert member.read() == (tmp_path / "set" / name).read_bytes()
    assert verify_file(tmp_path / "set")["verified"] == 600


class FullDisk(io.BytesIO):
    """A temporary file on a disk that has room for no more than the first batch."""

    def __init__(self, _: int) -> None:
        super().__init__()

    def write(self, content: Any) -> int:
        if self.tell():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content)


def test_memory_files_do_not_need_the_last_byte_of_a_temporary_file() -> None:
    """Data that Python still buffers when a file appears to be written must not fail later."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p521", {}), 1500, 1, "random"))
    golden = written(vectors, "readmemh")
    with tarfile.open(fileobj=io.BytesIO(golden)) as archive:
        size = archive.getmember("b.hex").size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (size - 1, size // 2):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
        try:
            assert written(vectors, "readmemh") == golden
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_no_room_for_temporary_files_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", "p521", {}), 1100, 1, "mixed"))
    golden = written(vectors, "readmemh")
    with monkeypatch.context() as patch:
        patch.setattr("limbtrace.vectors.sets.in_memory.tempfile.SpooledTemporaryFile", FullDisk)
        assert written(vectors, "readmemh") == golden
    monkeypatch.setattr("limbtrace.vectors.sets.in_memory.tempfile.SpooledTemporaryFile", None)
    monkeypatch.setattr("limbtrace.vectors.sets.in_memory.SPOOL", 0)
    assert written(vectors, "readmemh") == golden


def test_temporary_files_go_when_the_reader_does(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[IO[bytes]] = []

    def noted(_: int) -> IO[bytes]:
        files.append(io.BytesIO())
        return files[-1]

    monkeypatch.setattr("limbtrace.vectors.sets.in_memory.tempfile.SpooledTemporaryFile", noted)
    chunks = render(VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 5000)), "readmemh")
    assert len(list(islice(chunks, 5))) == 5
    assert [file.closed for file in files] == [False, False]
    assert isinstance(chunks, Generator)
    chunks.close()
    assert [file.closed for file in files] == [True, True]


TESTBENCH = """
module tb;
  reg [271:0] a [0:COUNT-1]; reg [271:0] b [0:COUNT-1]; reg [271:0] result [0:COUNT-1];
  integer k;
  initial begin
    $readmemh("set/a.hex", a); $readmemh("set/b.hex", b); $readmemh("set/result.hex", result);
    for (k = 0; k < COUNT; k = k + 1) $display("%h %h %h", a[k], b[k], result[k]);
    $finish(0);
  end
endmodule
"""


def test_icarus_reads_the_memory_files(tmp_path: Path) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "secp256k1", {}), 64, 1, "lazy"))
    write_directory(tmp_path / "set", memory_files(vectors), MANIFEST)
    (tmp_path / "tb.v").write_text(TESTBENCH.replace("COUNT", "64"))
    tools = [shutil.which(name) or name for name in ("iverilog", "vvp")]
    subprocess.run([tools[0], "-g2012", "-o", "tb", "tb.v"], cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run([tools[1], "-n", "tb"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "WARNING" not in done.stdout + done.stderr
    seen = [tuple(int(word, 16) for word in line.split()) for line in done.stdout.splitlines()]
    assert seen == [(case.a, case.b, case.result) for case in vectors.cases()]


def archived(data: bytes) -> dict[str, str]:
    """The files of an archive."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {name: (archive.extractfile(name) or io.BytesIO()).read().decode() for name in archive.getnames()}


def coe_words(text: str) -> list[int]:
    """As the grammar of COE files has it: keyword = value; numbers apart by commas or blanks."""
    statements = dict(part.split("=", 1) for part in "".join(text.split()).strip(";").split(";"))
    radix = int(statements["memory_initialization_radix"])
    return [int(word, radix) for word in statements["memory_initialization_vector"].split(",")]


def mif_words(text: str) -> list[int]:
    """As the grammar of MIF files has it: keyword = value; then `address : word;` between BEGIN and END."""
    head, _, content = text.partition("CONTENT BEGIN")
    keywords = dict(part.split("=") for part in "".join(head.split()).strip(";").split(";"))
    assert keywords["ADDRESS_RADIX"] == keywords["DATA_RADIX"] == "HEX"
    body, ended, rest = content.partition("END;")
    assert (ended, rest) == ("END;", "\n")
    pairs = [entry.split(":") for entry in "".join(body.split()).strip(";").split(";")]
    assert [int(address, 16) for address, _ in pairs] == list(range(int(keywords["DEPTH"])))
    assert all(int(word, 16) >> int(keywords["WIDTH"]) == 0 for _, word in pairs)
    return [int(word, 16) for _, word in pairs]


@pytest.mark.parametrize(("form", "words"), [("coe", coe_words), ("mif", mif_words)])
@pytest.mark.parametrize("count", [1, 16, 17, 700])
def test_images_of_block_memories(form: str, words: Callable[[str], list[int]], count: int) -> None:
    """Read by the grammar of the vendors; 700 cases are more than one batch."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("redundant", "curve25519", {}), count, 3, "mixed"))
    files = archived(written(vectors, form))
    golden = archived(written(vectors, "readmemh"))
    assert [name.partition(".")[0] for name in files] == [name.partition(".")[0] for name in golden]
    for name, text in files.items():
        if name != MANIFEST:
            assert words(text) == [int(line, 16) for line in golden[name.replace(form, "hex")].split()]


@pytest.mark.parametrize("form", ["coe", "mif"])
def test_folders_of_images(tmp_path: Path, form: str) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 5, 1, "mixed"))
    files = FORMATS[form].files
    assert files is not None
    write_directory(tmp_path / "set", files(vectors), MANIFEST)
    assert verify_file(tmp_path / "set")["verified"] == 5


SHOWN = """
module tb;
  import PACKAGE::*;
  product_t shown;
  initial begin
    $display("%h", Modulus);
    for (int k = 0; k < Count; k++) begin
      shown = product(k);
      $display("%h %h %h %h", shown.a, shown.b, shown.result, shown.residue);
    end
    shown = product(Count);
    $display("%s", $isunknown(shown) ? "unknown" : "known");
    $finish(0);
  end
endmodule
"""


def shown_numbers(lines: list[str], vectors: VectorSet) -> None:
    """What a testbench printed of a package is what the set has."""
    assert int(lines[0], 16) == vectors.request.multiplier.modulus.modulus
    seen = [tuple(int(word, 16) for word in line.split()) for line in lines[1:]]
    assert seen == [(case.a, case.b, case.result, case.residue) for case in vectors.cases()]


def test_icarus_takes_a_package(tmp_path: Path) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("mwr2mm", "p521", {}), 40, 1, "mixed"))
    (tmp_path / "set.sv").write_bytes(written(vectors, "sv"))
    (tmp_path / "tb.sv").write_text(SHOWN.replace("PACKAGE", "mwr2mm_p521_fp_vectors"))
    run = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True, text=True)
    run(["iverilog", "-g2012", "-Wall", "-o", "tb", "set.sv", "tb.sv"])
    *lines, last = run(["vvp", "-n", "tb"]).stdout.splitlines()
    shown_numbers(lines, vectors)
    assert last == "unknown"


def test_verilator_takes_a_package(tmp_path: Path) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", 2**89 - 1, {}), 9, 1, "mixed"))
    (tmp_path / "set.sv").write_bytes(written(vectors, "sv"))
    words = ["verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", "set.sv"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


ENTITY = """
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use work.PACKAGE.all;

entity tb is end entity;

architecture test of tb is
begin
  process
    function hex(value : std_logic_vector) return string is
      constant digits : string(1 to 16) := "0123456789abcdef";
      variable text_v : string(1 to value'length / 4);
      variable word_v : natural;
    begin
      for k in text_v'range loop
        word_v := 0;
        for bit_v in 0 to 3 loop
          word_v := word_v * 2;
          if value(value'high - (k - 1) * 4 - bit_v) = '1' then
            word_v := word_v + 1;
          end if;
        end loop;
        text_v(k) := digits(word_v + 1);
      end loop;
      return text_v;
    end function;
    variable line_v : line;
  begin
    write(line_v, hex(MODULUS));
    writeline(output, line_v);
    for k in PRODUCTS'range loop
      write(line_v, hex(PRODUCTS(k).a) & " " & hex(PRODUCTS(k).b) & " " & hex(PRODUCTS(k).result) & " "
            & hex(PRODUCTS(k).residue));
      writeline(output, line_v);
    end loop;
    wait;
  end process;
end architecture;
"""


@pytest.mark.parametrize(("standard", "count"), [("93c", 1), ("08", 33)])
def test_ghdl_takes_a_package(tmp_path: Path, standard: str, count: int, compiler: None) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p521", {}), count, 1, "mixed"))
    (tmp_path / "set.vhd").write_bytes(written(vectors, "vhdl"))
    (tmp_path / "tb.vhd").write_text(ENTITY.replace("PACKAGE", "cios_p521_fp_vectors"))
    run = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True, text=True)
    run(["ghdl", "-a", f"--std={standard}", "set.vhd", "tb.vhd"])
    run(["ghdl", "-e", f"--std={standard}", "tb"])
    shown_numbers(run(["ghdl", "-r", f"--std={standard}", "tb"]).stdout.splitlines(), vectors)


@pytest.mark.parametrize("form", ["sv", "vhdl"])
def test_packages_have_a_limit(form: str) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 65_537))
    with pytest.raises(ParameterError, match="count: a package has at most 65536 cases"):
        next(render(vectors, form))


def test_raw_records() -> None:
    """Read as a program in C would, from what the header says alone."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("redundant", "curve25519", {}), 530, 3, "mixed"))
    data = written(vectors, "raw")
    first, count, size = struct.unpack_from("<QQQ", data, 8)
    head = json.loads(data[32:first])
    assert (data[:8], first % 64, count, head["id"]) == (b"LTRACE\x01\n", 0, 530, vectors.request.id)
    assert len(data) == first + count * size + 32
    assert data[-32:] == hashlib.sha256(data[:-32]).digest()
    columns = {name.partition(".")[0]: text.split() for name, text in archived(written(vectors, "readmemh")).items()}
    for entry in head["record"]:
        at = [first + number * size + entry["offset"] for number in range(count)]
        words = [int.from_bytes(data[start : start + entry["bytes"]], "little") for start in at]
        assert words == [int(word, 16) for word in columns[entry["field"]]]
        assert entry["bytes"] % 8 == 0
        assert max(words) >> entry["bits"] == 0


def test_edited_bits_are_seen(tmp_path: Path) -> None:
    """Every bit of a small file that carries something: a flip of any one of them is no pass."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", 97, {"radix": 16}), 2, 1, "mixed"))
    path = tmp_path / "set"
    for form in ("raw", "sv", "vhdl"):
        data = written(vectors, form)
        path.write_bytes(data)
        assert verify_file(path)["verdict"] == "pass"
        start = data.index(b"\n") if form != "raw" else 8
        places = [at for at in range(start, len(data)) if form != "raw" or at < 32 or at >= len(data) - 32 - 64]
        for at in places[:: 1 if form == "raw" else 7]:
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with suppress(DamagedFileError, ParameterError):
                assert verify_file(path)["verdict"] != "pass", (form, at)
        for size in (len(data) - 2, len(data) - 40, start + 3):
            path.write_bytes(data[:size])
            with pytest.raises(DamagedFileError):
                verify_file(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"offset":8', b'"offset":9'), (b'{"field":"a"', b'{"field":"b"'), (b'"bits":13}', b'"bits":99}')],
)
def test_where_the_numbers_stand_is_checked(tmp_path: Path, old: bytes, new: bytes) -> None:
    """A program reads the offsets from the header, so these are part of what a verdict is about."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", 0xEA7, {"radix": 16}), 3, 1, "mixed"))
    data = written(vectors, "raw")[:-32].replace(old, new, 1)
    (tmp_path / "set").write_bytes(data + hashlib.sha256(data).digest())
    with pytest.raises(DamagedFileError, match="the header"):
        verify_file(tmp_path / "set")


def test_a_number_that_is_too_wide(tmp_path: Path) -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", 0xEA7, {"radix": 16}), 3, 1, "mixed"))
    data = bytearray(written(vectors, "raw")[:-32])
    data[int.from_bytes(data[8:16], "little") + 7] = 0x10
    (tmp_path / "set").write_bytes(data + hashlib.sha256(data).digest())
    with pytest.raises(DamagedFileError, match=r"record 0: .* has more than"):
        verify_file(tmp_path / "set")


def test_an_endless_line_of_an_image(tmp_path: Path) -> None:
    """It is refused before it is read to its end."""
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", 0xEA7, {"radix": 16}), 3, 1, "mixed"))
    write_directory(tmp_path / "set", memory_files(vectors), MANIFEST)

    class Counted(io.BytesIO):
        read_so_far = 0

        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(-1 if size is None else size)
            Counted.read_so_far += len(line)
            return line

    file = memory_list(vectors)[0]
    with pytest.raises(DamagedFileError, match=r"a\.hex, line 1: this is no hexadecimal word"):
        list(file.read(lambda _: Counted(b"0" * 1_000_000), {"words": 3, "sha256": ""}))
    assert Counted.read_so_far < 100


@given(cases(max_bits=130))
def test_traces_are_read_back(case: tuple[Multiplier, int, int]) -> None:
    multiplier, a, b = case
    request = TraceRequest(multiplier, a, None if multiplier.model.unary else b)
    golden = [(name, list(index), value) for name, index, value in multiplier.model.run(multiplier.params, a, b).steps]
    document = json.loads(b"".join(traces.render(request, "json")))
    assert [(name, index, int(value, 16)) for name, index, value in document.pop("steps")] == golden
    assert document == request.head
    text = b"".join(traces.render(request, "csv")).decode().splitlines()
    rows = csv.DictReader(text[1:-1])
    assert [(r["name"], [int(k) for k in r["index"].split()], int(r["value"], 16)) for r in rows] == golden
    assert json.loads(text[0][2:]) == request.head
    assert json.loads(text[-1][2:]) == {"end": len(golden)}
    plain = b"".join(traces.render(request, "text")).decode()
    lines = [line.rsplit(" ", 1) for line in plain.splitlines() if line and not line.startswith("#")]
    assert [(label.strip(), int(value, 16)) for label, value in lines] == [(f"{n}{i or ''}", v) for n, i, v in golden]
    opener = next((name for name, index, _ in golden if index), None)
    passes = {index[0] for name, index, _ in golden if name == opener}
    assert plain.count("# pass ") == (len(passes) if request.in_passes else 0)


def cycle_request(multiplier: Multiplier, jobs: list[TimedPair]) -> CycleRequest:
    return CycleRequest(CoreRequest.resolve("iddmm_arch2", multiplier.modulus.modulus, multiplier.settings), jobs)


def read_vcd(text: str) -> dict[str, dict[int, int | None]]:
    """Value of every signal after each change, by a parser that is independent of the writer."""
    head, body = text.split("$enddefinitions $end")
    names = dict(re.findall(r"\$var \w+ \d+ (\S+) (\S+) (?:\[[^]]*\] )?\$end", head))
    changes: dict[str, dict[int, int | None]] = {name: {} for name in names.values()}
    time = 0
    for line in body.split("\n"):
        if line.startswith("#"):
            time = int(line[1:])
        elif line[:1] in "01xz" and line[1:] in names:
            changes[names[line[1:]]][time] = int(line[0], 2) if line[0] in "01" else None
        elif line[:1] == "b":
            value, code = line[1:].split()
            changes[names[code]][time] = int(value, 2) if set(value) <= {"0", "1"} else None
    return changes


def at(changes: dict[int, int | None], time: int) -> int | None:
    return changes[max(moment for moment in changes if moment <= time)]


@given(cases(["iddmm2"], max_bits=40), st.integers(0, 3))
@settings(max_examples=30)
def test_cycle_tables_are_read_back(case: tuple[Multiplier, int, int], gap: int) -> None:
    multiplier, a, b = case
    period = multiplier.params.named["passes"] * (multiplier.params.named["n"] + 2) + 1
    request = cycle_request(multiplier, [TimedPair(a, b), TimedPair(0, 0, period + gap), TimedPair(a, b)])
    golden = [list(row) for row in request.rows()]
    assert len(golden) == 3 * period + gap - 1
    document = json.loads(b"".join(cycles.render(request, "json")))
    rows = [[None if cell is None else int(cell, 16) for cell in row] for row in document.pop("rows")]
    assert rows == golden
    assert document == request.head
    lines = b"".join(cycles.render(request, "csv")).decode().splitlines()
    table = list(csv.reader(lines[1:-1]))
    assert table[0] == ["cycle", *(column.name for column in request.columns)]
    assert [[int(cell, 16) if cell else None for cell in row[1:]] for row in table[1:]] == golden
    assert [int(row[0]) for row in table[1:]] == list(range(request.first_cycle, len(golden)))
    changes = read_vcd(b"".join(cycles.render(request, "vcd")).decode())
    for number, row in enumerate(golden):
        start, end = 10 * number, 10 * (number + 1)
        assert at(changes["cycle"], start) == request.first_cycle + number
        assert (at(changes["clk"], start), at(changes["clk"], start + 5)) == (1, 0)
        for column, cell in zip(request.columns, row, strict=True):
            # A register shows the row's value after the edge that ends the cycle, the rest during the cycle.
            for moment in (end, end + 9) if column.kind == "register" else (start, end - 1):
                assert at(changes[column.name], moment) == cell, (column.name, number)


def test_text_of_a_set_with_quotes_survives_csv() -> None:
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm1", "p256", {}), 90, 1, "edge"))
    assert any("," in case.comment for case in vectors.cases())
    assert [case.comment for case in read_csv(written(vectors, "csv"))] == [case.comment for case in vectors.cases()]


# Not `ru_maxrss`, which a child process inherits from its parent.
PEAK = """
import re, sys
from pathlib import Path
from limbtrace.vectors.cli import main
from limbtrace.vectors import sets
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
multiplier = Multiplier.resolve("iddmm2", "p256", {})
vectors = VectorSet(VectorRequest.resolve(multiplier, int(sys.argv[2]), 1, "random"))
for chunk in sets.render(vectors, sys.argv[1]):
    pass
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.parametrize("form", ["ndjson", "readmemh"])
def test_a_long_set_takes_no_more_memory_than_a_short_one(form: str) -> None:
    short, long = (
        int(subprocess.run([sys.executable, "-c", PEAK, form, count], check=True, capture_output=True).stdout)
        for count in ("10000", "200000")  # both by C
    )
    assert long < 1.03 * short + 1024  # KiB; 200,000 cases kept would be more than 40 MiB


def test_a_foreign_case_may_hold_a_negative_number() -> None:
    line = Case("id", 1, 2, -5, 3, (), "").line()
    assert '"result":"-0x5"' in line
    assert '"a":"0x1"' in line


def test_a_file_older_than_the_name_of_its_modulus_is_read() -> None:
    """The catalogue grows: what had no name when a set was written has one now."""
    multiplier = Multiplier.resolve("cios", "mersenne31", {"radix": "2^8"})
    for vectors in (VectorSet(VectorRequest.resolve(m, 3)) for m in (multiplier, multiplier.unnamed)):
        document = json.loads(b"".join(render(vectors, "json")))
        assert verify(document)["verdict"] == "pass"
    assert document["testGroups"][0]["prime"]["name"] is None
    assert verify(document)["id"] == vectors.request.id
