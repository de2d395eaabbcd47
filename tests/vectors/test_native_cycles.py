# SPDX-License-Identifier: Apache-2.0
"""The rows of cycle tables by C: the same bytes as by Python, for every schedule, format and gap between products."""

from itertools import accumulate
from pathlib import Path

import pytest

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.refmodels.representations import Written
from limbtrace.vectors.compiled import build
from limbtrace.vectors.cycles import CycleRequest, native
from limbtrace.vectors.cycles.formats import render
from limbtrace.vectors.cycles.request import set_cycles
from limbtrace.vectors.request import CoreRequest

pytestmark = pytest.mark.usefixtures("compiler")

TEXTS = ("csv", "json")
SMALL = {
    "iddmm_arch1": ({"radix": "2^16"}, "2^61 - 1"),
    "iddmm_arch2": ({"radix": "2^16"}, "2^61 - 1"),
    "r2mm_bitserial": ({}, "2^61 - 1"),
    "mwr2mm_wordserial": ({}, "2^61 - 1"),
    "koc_cios": ({"radix": "2^16"}, "2^61 - 1"),
    "blakley_serial": ({}, "2^31 - 1"),
    "vdf_squarer": ({}, "2^127 - 1"),
    "vdf_squarer_axil": ({}, "2^127 - 1"),
}
"""Schedules whose products do not overlap, in sizes that compile in a second."""


def core(name: str) -> CoreRequest:
    own, prime = SMALL[name]
    return CoreRequest.resolve(name, prime, own)


def written(request: CycleRequest, form: str, cells: int = 0) -> bytes:
    """The text, by C from that many cells on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "WORTH", cells)
        patch.setattr(native, "WORTH_WORK", 0)
        if cells == 0:
            patch.setattr(CycleRequest, "rows", None)
        return b"".join(render(request, form))


def plain(request: CycleRequest, form: str) -> bytes:
    """The text by Python."""
    return written(request, form, 1 << 40)


def test_every_schedule_is_here() -> None:
    assert set(SMALL) == {name for name, architecture in ARCHITECTURES.items() if architecture.overlap is None}


@pytest.mark.parametrize("name", SMALL)
def test_same_bytes(name: str) -> None:
    request = set_cycles(core(name), 5, 7, "directed")
    for form in TEXTS:
        assert written(request, form) == plain(request, form)


@pytest.mark.parametrize("chunk", [1, 4000, 1 << 20])
def test_gaps_between_products(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that nobody cares about, fewer and more than there is room for at once, before the first product too."""
    monkeypatch.setattr(native, "CHUNK", chunk)
    resolved = core("iddmm_arch2")
    early = CycleRequest(resolved, [TimedPair(0, 0)] * 7).starts
    late = accumulate((3, 1, 7, 700, 0, 0, early[2]))
    jobs = [TimedPair(k, 2**40 - k, start + wait) for k, (start, wait) in enumerate(zip(early, late, strict=True))]
    request = CycleRequest(resolved, jobs)
    for form in TEXTS:
        assert written(request, form) == plain(request, form)


def test_more_products_than_are_packed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_PRODUCTS", 3)
    request = set_cycles(core("iddmm_arch2"), 10, 1, "random")
    assert written(request, "csv") == plain(request, "csv")


def test_python_writes_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    request = set_cycles(core("iddmm_arch2"), 2)
    assert native.rows(request, native.CSV) is None  # a short table
    monkeypatch.setattr(native, "WORTH", 0)
    assert native.rows(request, native.CSV) is None  # a table shorter than what its program takes
    monkeypatch.setattr(native, "WORTH_WORK", 0)
    assert native.rows(request, native.CSV) is not None
    overlapping = set_cycles(CoreRequest.resolve("fpmm", "2^61 - 1", {"radix": "2^16"}), 3)
    assert native.rows(overlapping, native.CSV) is None
    with monkeypatch.context() as patch:
        patch.setattr(build, "new_allowed", False)
        assert native.rows(request, native.CSV) is None
    monkeypatch.setenv("CC", "")
    assert native.rows(request, native.CSV) is None


def test_digits_that_a_value_does_not_imply(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program reads values, so such operands are Python's."""
    chosen = Written((7, 1), 2)
    assert chosen_digits(chosen) == (7, 1)
    request = CycleRequest(core("iddmm_arch2"), [TimedPair(chosen, 0)])
    monkeypatch.setattr(native, "WORTH", 0)
    monkeypatch.setattr(native, "WORTH_WORK", 0)
    assert native.rows(request, native.CSV) is None


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path))
    monkeypatch.setenv("CC", "false")
    monkeypatch.setattr(build, "_said", set())
    request = set_cycles(core("iddmm_arch2"), 3)
    assert written(request, "csv", 1) == plain(request, "csv")
