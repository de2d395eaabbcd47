# SPDX-License-Identifier: Apache-2.0
"""Golden data in C: the same rows and results as in Python for every core, and what is done where there are none."""

import ctypes
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS
from limbtrace.rtl_bridge.run import compiled, fast
from limbtrace.rtl_bridge.run.fast import _Golden as Golden
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.compiled import build
from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.helpers import TOYS
from tests.rtl_bridge.run.test_fast import asked, one_way
from tools.mutants.bank import bank
from tools.mutants.measure import with_fault

pytestmark = pytest.mark.usefixtures("compiler")

SHAPES: dict[str, tuple[str, dict[str, str | int]]] = {
    "iddmm_arch1": ("2^61-1", {"radix": "2^16"}),
    "iddmm_arch2": ("secp256k1", {"radix": "2^32"}),
    "r2mm_bitserial": ("2^31-1", {}),
    "mwr2mm_wordserial": ("2^31-1", {}),
    "koc_cios": ("2^61-1", {"radix": "2^16"}),
    "redundant": ("2^61-1", {}),
    "vdf_squarer": ("2^61-1", {}),
    "llmonpro": ("2^61-1", {}),
    "fpmm": ("2^61-1", {}),
    "hffm": ("sike-p434", {}),
}
"""Every core with a schedule -> a modulus and settings."""


def settled(core: str, **fields: Any) -> Run:
    prime, settings = SHAPES[core]
    return settle(asked(core, **{"prime": prime, "settings": settings, **fields}))


@pytest.mark.parametrize("core", SHAPES)
def test_rows_and_results_are_those_of_the_comparator(core: str) -> None:
    run = settled(core, kind="lazy")
    comparator, plan = run.comparator, run.bound.plan
    assert plan is not None
    path = compiled.library(run)
    assert path is not None
    golden = Golden.in_dll(ctypes.CDLL(str(path)), "lt_golden")
    row_words, result_words = words(comparator.row_width), words(run.shell.result_width)
    rows_end = plan.cycles * row_words
    assert (golden.cycles, golden.image_words) == (plan.cycles, rows_end + result_words)
    image = np.zeros(golden.image_words, dtype=np.uint64)
    frame = np.full(golden.frame_words, 0xA5A5A5A5, dtype=np.uint64)
    compute = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(golden.image)
    size, seen = run.stimulus.size, 0
    for first, batch in run.golden.batches():
        rows = comparator.words(batch)
        results = run.shell.streams("result", run.shell.results(batch.a, batch.b, batch.results))
        for at in range(len(rows)):
            part = slice(at * size, (at + 1) * size)
            a, b = (fast._packed(values[part], stride // size) for values, stride in
                    ((batch.a, golden.a_words), (batch.b, golden.b_words)))  # fmt: skip
            compute(*(array.ctypes.data for array in (a, b, frame, image)))
            shown = image[:rows_end].reshape(plan.cycles, row_words)
            ours = [int.from_bytes(row.tobytes(), "little") >> CYCLE_BITS for row in shown]
            theirs = [int.from_bytes(np.ascontiguousarray(row).tobytes(), "little") for row in rows[at]]
            assert ours == theirs, first + at
            assert int.from_bytes(image[rows_end:].tobytes(), "little") == results[at]
            seen += 1
    assert seen == run.stimulus.streams
    masks = np.ctypeslib.as_array((ctypes.c_uint64 * golden.image_words).from_address(golden.masks))
    table = run.golden.stream(run.bound, 0, list(run.stimulus.pairs())[:size]).table
    assert table is not None
    of_rows = masks[:rows_end].reshape(plan.cycles, row_words)
    assert [int.from_bytes(row.tobytes(), "little") for row in of_rows] == comparator.masks(table)
    assert int.from_bytes(masks[rows_end:].tobytes(), "little") == (1 << run.shell.result_width) - 1


@pytest.fixture
def report() -> Any:
    """The document of a job without what differs from run to run."""

    def of(**fields: Any) -> dict[str, Any]:
        document = simulate(asked("iddmm_arch2", **fields)).document
        return {key: value for key, value in document.items() if key not in ("seconds", "products_per_second")}

    return of


def test_nothing_is_compiled_for_few_products(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Unless it is there; and below some hundreds nobody even looks."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path))
    few, some, many = (settled("iddmm_arch1", count=count) for count in (999, 3999, 4000))
    assert compiled.worthwhile(some) is None
    made = compiled.worthwhile(many)
    assert made is not None
    assert compiled.worthwhile(some) == made
    assert compiled.worthwhile(few) is None


def test_a_machine_without_compiler(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path))
    monkeypatch.setattr(build, "_said", set())
    monkeypatch.setenv("CC", "")
    with caplog.at_level(logging.INFO, "limbtrace"):
        assert compiled.worthwhile(settled("iddmm_arch1", count=4000)) is None
    assert "there is no C compiler" in caplog.text


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path))
    monkeypatch.setenv("CC", "false")
    with pytest.raises(ToolError, match="failed with exit code 1"):
        compiled.worthwhile(settled("iddmm_arch1", count=4000))


def branching(*_: object) -> None:
    raise TypeError


def narrow(run: Run) -> Run:
    """With a signal that is one bit narrower than its column."""
    run.bound.watches[0] = replace(run.bound.watches[0], width=run.bound.watches[0].width - 1)
    return run


ARCH1 = partial(settled, "iddmm_arch1")
WITHOUT: dict[str, tuple[Callable[[], Run], dict[str, Any]]] = {
    "too many operations": (ARCH1, {"MAX_TERMS": 10}),
    "too much work": (ARCH1, {"MAX_WORK": 10}),
    "too many words": (ARCH1, {"MAX_WORDS": 10}),
    "branches": (ARCH1, {"of_architecture": branching}),
    "a service": (partial(ARCH1, service="http://127.0.0.1:1"), {}),
    "branches without a schedule": (
        lambda: settle(asked(TOYS / "bit_toy", prime="2^31-1", settings={})),
        {"of_model": branching},
    ),
    "a narrow signal": (lambda: narrow(ARCH1()), {}),
}
"""Why there are no golden data in C -> a run, and what is changed in the module."""


@pytest.mark.parametrize("why", WITHOUT)
def test_where_there_are_none(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, changed = WITHOUT[why]
    run = made()
    for name, value in changed.items():
        monkeypatch.setattr(compiled, name, value)
    assert compiled.text(run) is None


def test_the_same_report_with_and_without(monkeypatch: pytest.MonkeyPatch, report: Any) -> None:
    monkeypatch.setattr(compiled, "FEWEST", 1)
    monkeypatch.setattr(compiled, "FEWEST_COMPILED", 1)
    ways: list[bool] = []
    library = compiled.library

    def counted(run: Run, *, make: bool = True) -> Path | None:
        found = library(run, make=make)
        ways.append(found is not None)
        return found

    monkeypatch.setattr(compiled, "library", counted)
    with_c = report(count=300)
    monkeypatch.setenv("CC", "")
    assert report(count=300) == with_c
    assert ways == [True, False]
    assert with_c["verified"] == 300


@pytest.mark.parametrize("number", [1, -2])
def test_golden_data_that_are_wrong_are_an_error(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bit of a row, and one of the result, where Python says that core and golden data agree."""
    run = settled("iddmm_arch2", count=30)
    text = compiled.text(run)
    assert text is not None
    moves = [line for line in text.splitlines() if line.startswith("{") and line.endswith(("},", "}};"))]
    line = moves[number]
    to, word, right, left, mask = line.strip("{};,").split(", ")
    wrong = f"{{{to}, {word}, {right}, {left}, 0}}"
    spoilt = text.replace(f"{{{to}, {word}, {right}, {left}, {mask}}}", wrong, 1)
    assert spoilt != text
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path))
    golden = build.kept(spoilt, "wrong")
    monkeypatch.undo()
    with pytest.raises(ToolError, match=r"golden data in C are not those in Python in case \d+"):
        one_way(run, golden)


def test_digits_of_their_own_go_product_by_product(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operands that are given as other digits than the canonical ones, among others."""
    run = settled("redundant", count=100, kind="chained")
    kinds = [{*map(type, (pair.a, pair.b))} == {int} for pair in run.stimulus.pairs()]
    assert True in kinds
    assert False in kinds
    monkeypatch.setattr(fast, "BATCH", 2)
    calls: list[str] = []
    for name in ("_one_by_one", "_compared"):
        method = getattr(fast._Work, name)

        def counted(self: Any, *given: Any, name: str = name, method: Any = method) -> Any:
            calls.append(name)
            return method(self, *given)

        monkeypatch.setattr(fast._Work, name, counted)
    assert one_way(run, compiled.library(run)).verified == 100
    assert {*calls} == {"_one_by_one", "_compared"}


@pytest.mark.parametrize("core", SHAPES)
def test_every_core_agrees(core: str) -> None:
    run = settled(core, count=100, kind="lazy")
    quick, slow = (one_way(run, golden) for golden in (compiled.library(run), None))
    assert quick.divergence is None
    assert quick.verified == 100
    assert replace(quick, seconds=0) == replace(slow, seconds=0)


@pytest.mark.parametrize("core", ["llmonpro", "r2mm_bitserial"])
def test_mutants_are_found_in_the_same_place(core: str, tmp_path: Path) -> None:
    """Overlapping streams with digits, and rows of several words: every fault of the bank that operands show."""
    one = bank(core)
    folder = one.spoilt(tmp_path)
    run = settle(asked(folder, prime=one.prime, settings=one.settings, build=one.build, count=100, kind="lazy"))
    golden, found = compiled.library(run), 0
    assert golden is not None
    for number, mutant in enumerate(one.mutant, 1):
        if mutant.kind != "operand":
            continue
        quick, slow = (one_way(with_fault(run, number), way) for way in (golden, None))
        assert replace(quick, seconds=0) == replace(slow, seconds=0), mutant.id
        found += quick.divergence is not None
    assert found >= 10


def test_a_core_that_reduces_its_result() -> None:
    """The result of the model modulo p: a core that does not reduce it differs from golden data in the result."""
    run = settled("iddmm_arch2", count=60, kind="lazy")
    core = run.bound.core
    reducing = replace(core, file=core.file.model_copy(update={"compare": "residue"}))
    run = replace(run, bound=replace(run.bound, core=reducing))
    quick, slow = (one_way(run, golden) for golden in (compiled.library(run), None))
    assert quick.divergence is not None
    assert quick.divergence.signal == "result"
    assert replace(quick, seconds=0) == replace(slow, seconds=0)
