# SPDX-License-Identifier: Apache-2.0
"""Written files are read back by our readers and by other libraries."""

import csv
import errno
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Generator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodels.architecture import Job
from refmodels.registry import MODELS
from vectors import cycles, traces
from vectors.cycles import CycleRequest
from vectors.files import write_directory
from vectors.request import KINDS, CoreRequest, Multiplier, VectorRequest
from vectors.sets import FORMATS, MANIFEST, Case, VectorSet, memory_files, open_vectors, render
from vectors.strategies import cases, multipliers
from vectors.traces import TraceRequest
from vectors.verify import verify_file

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
    assert seen == ([case._replace(comment="") for case in golden] if form == "readmemh" else golden)
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
        patch.setattr("vectors.sets.in_readmemh.tempfile.SpooledTemporaryFile", FullDisk)
        assert written(vectors, "readmemh") == golden
    monkeypatch.setattr("vectors.sets.in_readmemh.tempfile.SpooledTemporaryFile", None)
    monkeypatch.setattr("vectors.sets.in_readmemh.SPOOL", 0)
    assert written(vectors, "readmemh") == golden


def test_temporary_files_go_when_the_reader_does(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[IO[bytes]] = []

    def noted(_: int) -> IO[bytes]:
        files.append(io.BytesIO())
        return files[-1]

    monkeypatch.setattr("vectors.sets.in_readmemh.tempfile.SpooledTemporaryFile", noted)
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


def cycle_request(multiplier: Multiplier, jobs: list[Job]) -> CycleRequest:
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
    request = cycle_request(multiplier, [Job(a, b), Job(0, 0, period + gap), Job(a, b)])
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
from vectors.cli import main
from vectors import sets
from vectors.request import Multiplier, VectorRequest
from vectors.sets import VectorSet
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
