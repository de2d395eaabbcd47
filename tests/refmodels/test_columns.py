# SPDX-License-Identifier: Apache-2.0
"""Columns against ints: every operator, every step of every model, every cell of every cycle table."""

import operator
from collections.abc import Callable
from itertools import islice, product
from typing import Any

import gmpy2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels import architecture
from limbtrace.refmodels.architecture import (
    BATCH_PRODUCTS,
    Batch,
    Cells,
    Control,
    Part,
    Plan,
    Shape,
    Signal,
    TableProduct,
    TimedPair,
    signal,
)
from limbtrace.refmodels.batch_digits import (
    FULL,
    WIDEST,
    Limbs,
    Wide,
    as_limbs,
    integers,
    join,
    split,
    split_columns,
    split_signed_columns,
)
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.strategies import MAX_BITS, multipliers, products
from tests.shapes import ANY_MODULUS, BIT_BY_BIT, of_width

ARCH = ARCHITECTURES["iddmm_arch2"]
WIDTHS = (1, 2, 16, 17, 31, 32, 33, 34, 40, 41, 63, 64, 65, 127, 128, 129, 192, 200)
"""Widths around the word, the half word, and the widest factor that is multiplied whole."""
BATCH = 4

Operator = Callable[[Any, Any], Any]
OPERATORS: tuple[Operator, ...] = (operator.add, operator.mul, operator.and_, operator.or_)


def values(bits: int) -> st.SearchStrategy[int]:
    """Integers of up to `bits` bits, including runs of ones and of zeros, also at word borders."""
    places = st.integers(0, bits)
    runs = st.tuples(places, places).map(lambda ends: (1 << max(ends)) - (1 << min(ends)))
    full = st.sampled_from((0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << bits) - 2 if bits > 1 else 0))
    return st.one_of(full, runs, st.integers(0, (1 << bits) - 1))


@st.composite
def batches(draw: st.DrawFn) -> list[int]:
    """One value per product."""
    bits = draw(st.sampled_from(WIDTHS))
    return draw(st.lists(values(bits), min_size=BATCH, max_size=BATCH))


def limbs(ints: list[int]) -> Limbs:
    """The column of these ints, with the smallest possible limit."""
    (column,) = split_columns(ints, 256, 1, WIDEST)
    seen: Limbs = column & ((1 << max(*ints, 1).bit_length()) - 1)
    assert integers(seen, BATCH) == ints
    return Limbs(seen.limbs, max(*ints, 1))


def check(seen: Any, expected: list[int]) -> None:
    """The column equals the ints, no value exceeds the limit, and there are only as many limbs as the limit needs."""
    assert integers(seen, BATCH) == expected
    if isinstance(seen, Limbs):
        assert max(expected) <= seen.limit
        assert len(seen.limbs) == -(-seen.limit.bit_length() // 64) > 0
        assert all(limb.dtype == np.uint64 for limb in seen.limbs)
    else:
        assert type(seen) is int


@pytest.mark.parametrize("apply", OPERATORS, ids=lambda apply: apply.__name__)
@given(x=batches(), y=batches(), pick=st.integers(0, BATCH - 1))
def test_operators_are_those_of_ints(apply: Operator, x: list[int], y: list[int], pick: int) -> None:
    check(apply(limbs(x), limbs(y)), [apply(u, v) for u, v in zip(x, y, strict=True)])
    check(apply(limbs(x), y[pick]), [apply(u, y[pick]) for u in x])
    check(apply(y[pick], limbs(x)), [apply(y[pick], u) for u in x])


@given(batches(), st.integers(0, 200))
def test_shifts_are_those_of_ints(x: list[int], bits: int) -> None:
    check(limbs(x) << bits, [u << bits for u in x])
    check(limbs(x) >> bits, [u >> bits for u in x])


@given(batches(), batches(), st.integers(0, BATCH - 1))
def test_differences_are_those_of_ints(x: list[int], y: list[int], pick: int) -> None:
    total = [u + v for u, v in zip(x, y, strict=True)]
    check(limbs(total) - limbs(y), x)
    check(limbs(total) - min(total), [u - min(total) for u in total])
    check(max(total) - limbs(total), [max(total) - u for u in total])
    with pytest.raises(OverflowError, match=r"^a difference is below 0$"):
        limbs(total) - (total[pick] + 1)


@given(batches(), st.lists(st.tuples(st.sampled_from((*OPERATORS, operator.rshift, operator.lshift)), batches()),
                           min_size=2, max_size=6))  # fmt: skip
def test_operators_one_after_the_other(x: list[int], program: list[tuple[Operator, list[int]]]) -> None:
    """A wrong limit loses a limb only in a later operation."""
    column: Any = limbs(x)
    for apply, y in program:
        if apply in (operator.rshift, operator.lshift):
            column, x = apply(column, y[0] % 70), [apply(u, y[0] % 70) for u in x]
        else:
            column, x = apply(column, limbs(y)), [apply(u, v) for u, v in zip(x, y, strict=True)]
        check(column, x)


@pytest.mark.parametrize("bits", WIDTHS)
def test_every_carry_and_every_borrow(bits: int) -> None:
    """Values of all ones, which random values do not contain, beside those of every other width."""
    for ones, other in (((1 << bits) - 1, (1 << more) - 1) for more in WIDTHS):
        u, v = [ones, ones, 0, 1], [other, 1, other, 0]
        x, y = limbs(u), limbs(v)
        check(x * y + x + y, [(a + 1) * (b + 1) - 1 for a, b in zip(u, v, strict=True)])
        check((x << bits) + y - (x << bits), v)
        check(x + 1 - x, [1] * BATCH)


def test_no_limb_that_cannot_be_needed() -> None:
    word = limbs([FULL, 0, 1, FULL])
    assert len((word + word).limbs) == len((word * word).limbs) == 2
    assert len((word * word + word + word).limbs) == 2  # W^2 - 1
    assert len((word * word + word + word + 1).limbs) == 3
    assert len((word + word >> 1).limbs) == len((word + word & FULL).limbs) == 1
    assert word & FULL is word
    assert (odd := limbs([5 << 62, 1, 2, 3]) * word).limit == (5 << 62) * FULL  # not what the pieces of 5 << 62 allow
    assert len(odd.limbs) == 3
    assert [type(nothing) for nothing in (word * 0, 0 * word, word & 0, word >> 64)] == [int] * 4


def test_negative_ints_are_refused() -> None:
    for apply in (operator.add, operator.mul, operator.or_):
        with pytest.raises(OverflowError):
            apply(limbs([1, 2, 3, 4]), -1)


@given(st.sampled_from(WIDTHS), st.data())
def test_digits_of_a_batch_come_apart_and_together(bits: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 5))
    ints = data.draw(st.lists(values(bits * count), min_size=BATCH, max_size=BATCH))
    for widest in (64, 2 * bits) if bits <= 32 else (2 * bits,):
        columns = split_columns(ints, bits, count, widest)
        assert [integers(digit, BATCH) for digit in columns] == [
            list(digits) for digits in zip(*(split(value, bits, count) for value in ints), strict=True)
        ]
        joined = join(columns, bits)
        assert isinstance(joined, Wide)
        assert integers(joined, BATCH) == ints
        # redundant digits, and one that is the same in every product
        overlap = max(bits - 1, 1)
        assert integers(join([*columns, 5], overlap), BATCH) == [
            join([*split(value, bits, count), 5], overlap) for value in ints
        ]
    assert join(split(ints[0], bits, count), bits) == ints[0]


def test_what_no_column_holds_is_refused() -> None:
    for wrong in (-1, 1 << 128):
        with pytest.raises(OverflowError):
            split_columns([0, wrong], 40, 3, 81)


def check_batch(model: Model, params: Any, pairs: list[tuple[int, int]]) -> None:
    """Every step of a batch equals the steps of its single products."""
    batch = model.run_batch(params, *zip(*pairs, strict=True))
    runs = [model.run(params, a, b) for a, b in pairs]
    assert {type(value) for run in runs for _, _, value in run.steps} == {int}
    for k, (name, index, value) in enumerate(batch):
        assert integers(value, len(pairs)) == [run.steps[k][2] for run in runs]
        assert {run.steps[k][:2] for run in runs} == {(name, index)}
    assert len(batch) == model.step_count(params)
    assert integers(model.result_of(params, batch), len(pairs)) == [run.result for run in runs]


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_batch_is_its_products(model: str, data: st.DataObject) -> None:
    multiplier = data.draw(multipliers([model], max_bits=70 if model in BIT_BY_BIT else MAX_BITS))
    check_batch(multiplier.model, multiplier.params, data.draw(st.lists(products(multiplier), min_size=1, max_size=5)))


@pytest.mark.parametrize("width", [w for w in WIDTHS if w > 1])
@pytest.mark.parametrize("model", ANY_MODULUS)
def test_corners_at_every_width(model: str, width: int) -> None:
    """Digits of all ones and of zeros, quotient digits 0 and maximal, the widest operands."""
    beta = 1 << width
    moduli = (beta**3 // 4 - 1, (beta - 1) * (beta**2 + beta) // 4 | 1, beta**2 // 4 + 1)
    for modulus in (2 * beta - 1,) if model in BIT_BY_BIT else moduli:
        for form in MODELS[model].forms:
            prime = modulus if MODELS[model].has_modulus else None
            multiplier = Multiplier.resolve(model, prime, {**of_width(model, width), "form": form})
            a_max, b_max = multiplier.params.limits
            ones, gaps = beta**3 - 1, (beta - 1) * (beta**2 + 1)
            pairs = [(corner.a, corner.b) for corner in multiplier.model.corners(multiplier.params)]
            pairs += [(a % (a_max + 1), b % (b_max + 1)) for a, b in product((0, 1, ones, gaps, beta - 1), repeat=2)]
            check_batch(multiplier.model, multiplier.params, pairs)


@pytest.mark.parametrize("width", [16, 40, 80])
@pytest.mark.parametrize("model", ANY_MODULUS)
def test_operands_may_be_integers_of_gmpy2(model: str, width: int) -> None:
    params = MODELS[model].resolve(2**256 - 189, of_width(model, width))
    check_batch(MODELS[model], params, [(gmpy2.mpz(3) << 250, gmpy2.mpz(5) << 240), (gmpy2.mpz(0), gmpy2.mpz(1))])


def test_the_widest_radix() -> None:
    for model in ANY_MODULUS:
        bits = 300 if model in BIT_BY_BIT else 9000
        params = MODELS[model].resolve((1 << bits) - 1, of_width(model, 4096))
        a_max, b_max = params.limits
        check_batch(MODELS[model], params, [(a_max, b_max), (0, 1), (a_max // 3, b_max // 5), (1, b_max)])


@pytest.mark.parametrize(
    ("model", "bits", "kinds"),
    [("cios", 256, {16: "uint64", 32: "uint64", 33: Limbs, 64: Limbs, 65: "object"}),
     ("fpmm", 256, {16: "uint64", 32: "uint64", 33: Limbs, 64: Limbs, 65: "object"}),
     ("mwr2mm", 256, {1: "uint64", 63: "uint64", 64: Limbs, 128: Limbs, 129: "object"}),
     ("mwr2kmm", 256, {1: "int64", 31: "int64", 32: "object"}),
     ("r2mm", 62, {0: "uint64"}), ("r2mm", 63, {0: Limbs}), ("r2mm", 127, {0: Limbs}), ("r2mm", 128, {0: "object"}),
     ("imm", 30, {32: "uint64", 33: Limbs}), ("imm", 63, {64: Limbs, 65: "object"}),
     ("imm", 100, {27: Limbs, 28: "object"}),
     ("iddmm1", 256, {16: "uint64", 31: "uint64", 32: Limbs, 64: Limbs, 65: "object"}),
     ("iddmm2", 256, {16: "uint64", 31: "uint64", 32: Limbs, 64: Limbs, 65: "object"})],
)  # fmt: skip
def test_the_kind_of_a_column(model: str, bits: int, kinds: dict[int, Any]) -> None:
    for width, kind in kinds.items():
        params = MODELS[model].resolve(2**bits - 1, of_width(model, width))
        for digits in params.split_batch([1, 2], [3, 4]):
            for digit in digits if isinstance(digits, list) else [digits]:
                assert isinstance(digit, Limbs) if kind is Limbs else digit.dtype.name == kind


def test_columns_of_digits_below_zero() -> None:
    values = [-5, 0, 7, -(1 << 40)]
    for kind in (np.int64, object):
        column = np.array(values, dtype=kind)
        assert integers(column, BATCH) == values
        assert {type(value) for value in integers(column, BATCH)} == {int}
        assert integers(as_limbs(abs(column)), BATCH) == [abs(value) for value in values]
        with pytest.raises(OverflowError):
            as_limbs(column)


@given(batches(), st.integers(1, 70), st.integers(1, 70))
def test_overlapping_digits_of_a_batch(values: list[int], bits: int, step: int) -> None:
    for widest, kind in ((63, "int64"), (64, "object")):
        if bits > widest:
            continue
        columns = split_signed_columns(values, bits, step, 5, widest)
        assert {column.dtype.name for column in columns} == {kind}
        assert [integers(column, BATCH) for column in columns] == [
            [value >> (step * j) & (1 << bits) - 1 for value in values] for j in range(5)
        ]


def tables(batch: Batch) -> list[TableProduct]:
    """The products of a batch, each with a table of its own."""
    return [
        TableProduct(batch.a[k], batch.b[k], batch.results[k], batch.starts[k],
                [cells_of(column, k) for column in batch.columns])
        for k in range(len(batch.a))
    ]  # fmt: skip


def cells_of(column: Cells, product: int) -> list[int | None]:
    """One column of one product."""
    words = column.cells[:, :, product].tolist()
    ints = [sum(word << (64 * place) for place, word in enumerate(cell)) for cell in words]
    assert not any(cell for cell, care in zip(ints, column.cares, strict=True) if not care)
    return [cell if care else None for cell, care in zip(ints, column.cares, strict=True)]


def check_tables(shape: Shape, jobs: list[TimedPair], size: int | None) -> None:
    plan = ARCH.plan(shape)
    made = list(ARCH.batches(shape, jobs, plan, size))
    assert [entry for batch in made for entry in tables(batch)] == list(ARCH.products(shape, jobs, plan))
    for batch in made:
        for column, cells in zip(plan.columns, batch.columns, strict=True):
            assert cells.cells.shape == (plan.cycles, -(-column.width // 64), len(batch.a))
            assert cells.cells.dtype == np.uint64
            assert cells.cares.shape == (plan.cycles,)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_tables_of_every_product_of_small_shapes(k: int) -> None:
    for p, passes in product((3, 5, 13), (0, 1)):
        n = -(-p.bit_length() // k)
        shape = ARCH.resolve(p, {"k": k, "passes": n + passes})
        a_max, b_max = shape.params.limits
        check_tables(shape, [TimedPair(a, b) for a, b in product(range(a_max + 1), range(min(b_max, 31) + 1))], None)


@pytest.mark.parametrize("k", [16, 31, 32, 33, 63, 64, 65, 128])
def test_tables_at_every_width(k: int) -> None:
    """Cells of one, two, three and five words, including the registers of all pipeline levels."""
    shape = ARCH.resolve((1 << (3 * k)) - 1, {"k": k, "pipeline": 2})
    pairs = [(corner.a, corner.b) for corner in ARCH.model.corners(shape.params)]
    check_tables(shape, [TimedPair(a, b) for a, b in pairs], 5)


@given(multipliers(["iddmm2"], max_bits=200), st.data())
@settings(max_examples=30)
def test_tables_of_a_batch_are_those_of_its_products(multiplier: Multiplier, data: st.DataObject) -> None:
    shape = ARCH.resolve(multiplier.modulus.modulus, multiplier.settings)
    pairs = data.draw(st.lists(products(multiplier), min_size=1, max_size=6))
    check_tables(shape, [TimedPair(a, b) for a, b in pairs], data.draw(st.integers(1, 7)))


def test_batches_are_made_as_they_are_asked_for() -> None:
    shape = ARCH.resolve(251, {"k": 4})
    plan, asked = ARCH.plan(shape), []

    def jobs() -> Any:
        for number in range(10 * BATCH_PRODUCTS):
            asked.append(number)
            yield TimedPair(number % 251, 7)

    first, second = islice(ARCH.batches(shape, jobs(), plan), 2)
    assert len(first.a) == len(second.a) == BATCH_PRODUCTS
    assert asked == list(range(2 * BATCH_PRODUCTS))
    interval = ARCH.interval(shape)
    assert second.starts == [number * interval for number in range(BATCH_PRODUCTS, 2 * BATCH_PRODUCTS)]
    assert not list(ARCH.batches(shape, [], plan))
    with pytest.raises(ParameterError, match=r"^operands: product 1 cannot start in cycle 8: "):
        list(ARCH.batches(shape, [TimedPair(1, 1), TimedPair(1, 1, 8)], plan))


def test_a_batch_holds_one_product_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = ARCH.resolve(251, {"k": 4})
    plan = ARCH.plan(shape)
    for words, sizes in ((1, [1, 1, 1]), (2 * plan.words, [2, 1]), (3 * plan.words, [3])):
        monkeypatch.setattr(architecture, "BATCH_WORDS", words)
        assert [len(batch.a) for batch in ARCH.batches(shape, [TimedPair(1, 1)] * 3, plan)] == sizes


@given(st.lists(values(130), min_size=3, max_size=3), st.lists(values(130), min_size=3, max_size=3))
def test_wires_of_a_schedule(first: list[int], second: list[int]) -> None:
    """Slices, concatenations wider than a word, reset values, controls, don't cares, steps that are ints."""
    order = [("s", (0,)), ("s", (1,)), ("c", (0,)), ("low", (0,))]
    mask = (1 << 130) - 1
    columns = (
        Signal("slices", 70, "register",
               ((Part("s", lambda c: (c - 1,) if c < 3 else None, (129, 64)), 66),
                (Part("s", lambda c: (c % 2,), (3, 0)), 4)), reset=mask // 3),
        Signal("wide", 134, "combinational", ((Part("c", lambda c: (0,)), 4), (Part("s", lambda c: (c // 2,)), 130))),
        signal("small", 4, "register", "low", lambda c: (0,) if c else (-1,)),
        Control("address", 65, "register", lambda c: (1 << 64) + c if c % 2 else None),
    )  # fmt: skip
    plan = Plan(columns, order, 4)
    low = [value & 15 for value in first]
    wide = [split_columns(ints, 130, 1, 130)[0] & mask for ints in (first, second)]
    batch = plan.cells([wide[0], wide[1], 5, np.array(low, dtype=np.uint64)], 3)
    for k in range(3):
        expected = plan.table([first[k], second[k], 5, low[k]])
        assert [cells_of(column, k) for column in batch] == expected
        high = [mask // 3 >> 64, first[k] >> 64, second[k] >> 64]
        lows = [value & 15 for value in (first[k], second[k], first[k])]
        assert expected[0] == [*(top << 4 | end for top, end in zip(high, lows, strict=True)), None]
        assert expected[1] == [5 << 130 | value for value in (first[k], first[k], second[k], second[k])]
        assert expected[2:] == [[0, low[k], low[k], low[k]], [None, (1 << 64) + 1, None, (1 << 64) + 3]]


def test_an_int_is_the_same_in_every_product() -> None:
    assert integers(1 << 70, 2) == [1 << 70] * 2
    assert [limb.tolist() for limb in as_limbs(1 << 70).limbs] == [[0], [64]]
