# SPDX-License-Identifier: Apache-2.0
"""Cases by several processes: the same bytes, and nobody is left however it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import FORMATS, VectorSet, native, render
from limbtrace.vectors.sets.jobs import PIPE, in_turn
from limbtrace.vectors.sets.layout import TextBatch
from tests.patience import PATIENCE, eventually

PROGRAM = [
    sys.executable,
    "-c",
    "from limbtrace.vectors.entry import main; main()",
    "vectors",
    "cios",
    "--prime",
    "p256",
]
COMMAND = [*PROGRAM, "--count", "10000000", "--format", "ndjson", "--jobs", "3"]


def written(request: VectorRequest, form: str, jobs: int) -> bytes:
    return b"".join(render(VectorSet(request, jobs), form))


SETS = [("cios", "p256", "mixed"), ("cios", "23", "directed"), ("orup", "71", "chained"), ("effm", "71", "edge")]


@pytest.mark.parametrize(("model", "prime", "kind", "form"), [(*asked, form) for asked in SETS for form in FORMATS])
def test_the_same_bytes(model: str, prime: str, kind: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limbtrace.vectors.sets.vector_set.BATCH", 32)
    monkeypatch.setattr(native, "BATCH", 60)
    for worth in (1, 1000):  # by C as far as it writes such sets, and by Python
        monkeypatch.setattr(native, "WORTH", worth)
        for cases in (1, 33, 300):
            request = VectorRequest.resolve(Multiplier.resolve(model, prime, {}), cases, 1, kind)
            golden = written(request, form, 1)
            assert all(written(request, form, jobs) == golden for jobs in (2, 5))


def test_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplier = Multiplier.resolve("vdf", "0xea7", {"d": 8, "t": 20})
    request = VectorRequest.resolve(multiplier, 7, 1, "random", checkpoints=3)
    assert written(request, "csv", 3) == written(request, "csv", 1)


def numbers(part: int) -> Iterator[TextBatch]:
    """An endless part whose texts say which process made them."""
    for number in count():
        yield TextBatch(part, bytes(PIPE), [str(os.getpid()).encode(), str(number).encode()])


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_order_and_end() -> None:
    batches = in_turn(numbers, 3)
    seen = [next(batches) for _ in range(12)]
    assert [written.cases for written in seen] == [0, 1, 2] * 4
    assert [int(written.others[1]) for written in seen] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    processes = {int(written.others[0]) for written in seen}
    assert len(processes) == 3
    assert os.getpid() not in processes
    assert all(map(is_there, processes))
    batches.close()  # type: ignore[attr-defined]
    assert not any(map(is_there, processes))


def test_a_process_that_is_killed() -> None:
    batches = in_turn(numbers, 2)
    processes = [int(next(batches).others[0]) for _ in range(2)]
    os.kill(processes[1], signal.SIGKILL)
    with pytest.raises(ToolError, match=f"process {processes[1]}, which makes cases, was ended from outside"):
        list(islice(batches, 6))
    assert not any(map(is_there, processes))


@pytest.mark.parametrize("error", [ParameterError("a", "it is wrong"), MemoryError()])
def test_an_error_in_a_process(error: Exception) -> None:
    def parts(part: int) -> Iterator[TextBatch]:
        yield from islice(numbers(part), 5 - part)
        raise error

    batches = in_turn(parts, 2)
    assert [written.cases for written in islice(batches, 9)] == [0, 1] * 4 + [0]
    with pytest.raises(type(error)) as raised:
        next(batches)
    assert str(raised.value) == str(error)


def test_a_part_that_ends_is_left_out() -> None:
    parts = in_turn(lambda part: iter([f"{part}{k}" for k in range(3 * part)]), 3)
    assert list(parts) == ["10", "20", "11", "21", "12", "22", "23", "24", "25"]


def group_is_empty(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)]
)
@pytest.mark.parametrize("everybody", [False, True], ids=["one", "group"])
def test_signals_end_all(number: signal.Signals, code: int, everybody: bool) -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert len(running.stdout.read(1 << 20)) == 1 << 20
        (os.killpg if everybody else os.kill)(running.pid, number)
        running.stdout.close()
        assert running.wait(PATIENCE) == code
        assert eventually(lambda: group_is_empty(running.pid))
        said = running.stderr.read().decode()
        assert "Traceback" not in said


def test_a_reader_that_goes() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stdout is not None
        running.stdout.read(1 << 20)
        running.stdout.close()
        assert running.wait(PATIENCE) == 141
        assert eventually(lambda: group_is_empty(running.pid))


@pytest.mark.parametrize("jobs", ["0", "65", "x"])
def test_numbers_of_processes_that_cannot_be(jobs: str) -> None:
    done = subprocess.run([*PROGRAM, "--jobs", jobs], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("limbtrace: jobs: ")
