# SPDX-License-Identifier: Apache-2.0
"""What holds of every schedule: a unit works for one product in a cycle, at all of its steps; and of the costs."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Architecture, Shape, Signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES
from tests.shapes import of_width

OVERLAPPING = [name for name, architecture in ARCHITECTURES.items() if architecture.overlap]
ALONE = [name for name in ARCHITECTURES if name not in OVERLAPPING]
SIDH = {"hffm", "hffm_layers"}
SIDH_PRIMES = (2**8 * 3**5 - 1, 2**16 * 3**9 - 1, 2**32 * 3**20 - 1)
SPECIAL = {
    **dict.fromkeys(SIDH, SIDH_PRIMES), "fold_pipeline": (2**13 - 1, 2**31 - 1, 2**64 - 2**32 + 1),
    "solinas_pipeline": (2**24 - 2**12 + 1, 2**64 - 2**32 + 1, 2**192 - 2**64 - 1),
}  # fmt: skip
"""Moduli of cores that take those of one form alone."""
FREE = [name for name in ARCHITECTURES if name not in SIDH | {"solinas_pipeline"}]
"""Cores that take 2^n - 1 with any n."""
WAITS = st.lists(st.one_of(st.integers(0, 3), st.integers(0, 60)), min_size=1, max_size=5)
UNITS = {
    "iddmm_arch1": ("S", "R", "U"), "iddmm_arch2": ("S", "R", "U"), "r2mm_bitserial": ("S",),
    "mwr2mm_wordserial": ("S",),
}  # fmt: skip
"""Columns of units that do a step of the loop in each cycle, and the steps of the same name that they do."""


@st.composite
def shapes(draw: st.DrawFn, name: str) -> Shape:
    """Of one to four digits of any width; three moduli where they have a special form."""
    if name in SPECIAL:
        return ARCHITECTURES[name].resolve(draw(st.sampled_from(SPECIAL[name])), {})
    width, digits = draw(st.integers(5, 12)), draw(st.integers(2, 4))
    return small(name, width, draw(st.integers(2 ** (width * digits - 1), 2 ** (width * digits) - 1)) | 1)


def small(name: str, width: int, modulus: int) -> Shape:
    """With digits of that many bits, and the parameters of the hardware as they are by default."""
    architecture = ARCHITECTURES[name]
    if name in SIDH:
        return architecture.resolve(modulus, {})
    if name == "fpmm":  # a number of products that does not depend on the digits
        return architecture.resolve(modulus, {"w": width, "sigma": 8})
    even = width + width % 2  # two radices, of which the second is smaller
    return architecture.resolve(modulus, of_width(architecture.model.id, even if name == "redundant" else width))


def started(architecture: Architecture, shape: Shape, waits: list[int]) -> Shape:
    """A stream whose products wait for that long, or until they may start; none before row 1, as resets come first."""
    shape = replace(shape, starts=())
    for wait in waits:
        wanted = (shape.starts[-1] if shape.starts else 0) + 1 + wait
        shape = replace(shape, starts=(*shape.starts, architecture.next_start(shape, wanted)))
    return shape


def worked(architecture: Architecture, shape: Shape) -> dict[str, Counter[int]]:
    """For each column how many steps of each product it shows. Raises AssertionError for two products in a cell."""
    overlap = architecture.overlap
    assert overlap is not None
    found: dict[str, set[tuple[int, object]]] = defaultdict(set)
    for column in architecture.columns(shape):
        if not isinstance(column, Signal):
            continue
        for cycle in range(architecture.cycles(shape)):
            steps = [(part.step, index) for part, _ in column.parts if (index := part.at(cycle)) is not None]
            owners = {overlap.owner(shape, *step) for step in steps}
            assert len(owners) <= 1, (column.name, cycle, steps)
            found[column.name].update((owner, step) for owner in owners - {None} for step in steps)  # type: ignore[misc]
    return {name: Counter(owner for owner, _ in seen if 0 <= owner < len(shape.starts)) for name, seen in found.items()}


def shares(architecture: Architecture, shape: Shape) -> bool:
    """True if every product of a stream has all of its steps in all units that it uses, as many as any other one.

    Where two products need a unit in the same cycle one of them goes short. Two units may share the products.
    """
    columns, products = worked(architecture, shape), range(len(shape.starts))
    for unit, cells in (architecture.occupation(shape) if architecture.occupation else {}).items():
        busy = Counter(int(cell.split()[0]) for cell in cells if cell)
        if unit != "layer" and len({busy[product] for product in products}) > 1:
            return False
    whole = {sum(counts[product] for counts in columns.values()) for product in products}
    return len(whole) == 1 and all(len({counts[product] for product in products} - {0}) <= 1
                                   for counts in columns.values())  # fmt: skip


@pytest.mark.parametrize("name", OVERLAPPING)
@settings(max_examples=6)
@given(data=st.data(), waits=WAITS)
def test_a_unit_works_for_one_product_in_a_cycle(name: str, data: st.DataObject, waits: list[int]) -> None:
    architecture = ARCHITECTURES[name]
    shape = started(architecture, data.draw(shapes(name)), waits)
    assert shares(architecture, shape)


@pytest.mark.parametrize("name", OVERLAPPING)
def test_products_that_start_too_early_go_short(name: str) -> None:
    """A row before a core can take the second product, or the third."""
    architecture = ARCHITECTURES[name]
    shape = started(architecture, small(name, 10, 2**30 - 35 if name in FREE else SPECIAL[name][0]), [0] * 3)
    assert shares(architecture, shape)
    first, second, third = shape.starts
    early = [(first, second - 1, third)] * (second - 1 > first) + [(first, second, third - 1)] * (third - 1 > second)
    for starts in early:
        try:
            assert not shares(architecture, replace(shape, starts=starts)), starts
        except ParameterError:
            assert name == "fpmm"  # it says so itself
    every_cycle = ("llmonpro", "barrett_pipeline", "barrett_reducer", "fold_pipeline", "solinas_pipeline")
    assert early or name in every_cycle


def indices(architecture: Architecture, shape: Shape, name: str) -> set[object]:
    params = shape.params
    return {index for step, index, _ in architecture.steps(shape, *params.split(0, 0)) if step == name}


def shown(architecture: Architecture, shape: Shape, name: str) -> Iterator[object]:
    """The steps of a column, a cycle after the other."""
    (column,) = (column for column in architecture.columns(shape) if column.name == name)
    assert isinstance(column, Signal)
    for cycle in range(architecture.cycles(shape)):
        for part, _ in column.parts:
            if part.step == name and (index := part.at(cycle)) is not None:
                yield index


@pytest.mark.parametrize("name", UNITS)
@settings(max_examples=6)
@given(data=st.data())
def test_a_unit_does_every_step_of_the_loop(name: str, data: st.DataObject) -> None:
    """Of cores with one product at a time: every step has a cycle of its own, as a cell shows one."""
    architecture = ARCHITECTURES[name]
    shape = data.draw(shapes(name))
    for unit in UNITS[name]:
        assert set(shown(architecture, shape, unit)) == indices(architecture, shape, unit)


@pytest.mark.parametrize("name", [name for name in ARCHITECTURES if name in FREE])
@settings(max_examples=10)
@given(width=st.integers(8, 17), bits=st.lists(st.integers(30, 300), min_size=2, max_size=2))
def test_a_longer_modulus_costs_no_less(name: str, width: int, bits: list[int]) -> None:
    """With digits of the same width, in cycles, units and registers."""
    shorter, longer = (small(name, width, 2**count - 1) for count in sorted(bits))
    for cost in ARCHITECTURES[name].costs:
        assert cost.value(shorter) <= cost.value(longer), cost.name


@pytest.mark.parametrize("name", [name for name in ARCHITECTURES if name in FREE])
@settings(max_examples=10)
@given(widths=st.lists(st.integers(8, 17), min_size=2, max_size=2), bits=st.integers(50, 300))
def test_wider_digits_take_no_more_cycles(name: str, widths: list[int], bits: int) -> None:
    narrow, wide = (small(name, width, 2**bits - 1) for width in sorted(widths))
    (cycles,) = (cost for cost in ARCHITECTURES[name].costs if cost.name == "cycles")
    assert cycles.value(wide) <= cycles.value(narrow)
