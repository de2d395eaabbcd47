# SPDX-License-Identifier: Apache-2.0
"""Terms: every operation against ints, ranges that hold, and what is refused."""

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.batch_digits import weighted_sum
from limbtrace.refmodels.expr import (
    Term,
    again,
    ends,
    field,
    inputs,
    joined,
    negative_inverse,
    odd,
    smaller,
    value_of,
    whole,
)

BINARY = (operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor)


def evaluate(value: Any, operands: dict[str, int]) -> int:
    """A term, from its inputs on, each of which is computed once."""
    known: dict[int, int] = {}

    def found(each: Any) -> int:
        if isinstance(each, int):
            return each
        if id(each) not in known:
            known[id(each)] = value_of(each, found, operands)
        return known[id(each)]

    return found(value)


def within(value: Any, operands: dict[str, int]) -> int:
    """The value of a term, whose range must hold it."""
    found = evaluate(value, operands)
    least, most = ends(value)
    assert least <= found <= most
    if isinstance(value, Term):
        assert -(1 << value.bits) <= found < 1 << value.bits
        assert (found < 0) <= value.signed
    return found


@st.composite
def expressions(draw: st.DrawFn) -> tuple[Any, int, dict[str, int]]:
    """(term, what ints say, operands): some operations on fields of two operands and ints."""
    operands = {name: draw(st.integers(0, (1 << 80) - 1)) for name in "ab"}
    pool: list[tuple[Any, int]] = [(number, number) for number in (0, 1, 2, 255, 1 << 64)]
    for name in "ab":
        low, bits = draw(st.integers(0, 60)), draw(st.integers(1, 20))
        pool.append((field(name, low, bits, (1 << bits) - 1), operands[name] >> low & (1 << bits) - 1))
    for _ in range(draw(st.integers(1, 12))):
        x, y = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        if draw(st.booleans()):
            shift = draw(st.integers(0, 70))
            made = [each >> shift if shift % 3 else each << shift for each in x]
        else:
            operation = draw(st.sampled_from(BINARY))
            made = [operation(p, q) for p, q in zip(x, y, strict=True)]
        if made[1].bit_length() < 500:
            pool.append((made[0], made[1]))
    return *pool[-1], operands


@given(expressions())
def test_terms_compute_what_ints_do(case: tuple[Any, int, dict[str, int]]) -> None:
    term, golden, operands = case
    assert within(term, operands) == golden


@pytest.mark.parametrize("operation", BINARY)
def test_small_ranges_are_exhausted(operation: Callable[[Any, Any], Any]) -> None:
    """Every pair of small intervals, negative ones included, and every value in them."""
    intervals = [(low, high) for low, high in product(range(-3, 4), repeat=2) if low < high]
    for (a, b), (c, d) in product(intervals, repeat=2):
        x = field("x", 0, 3, b - a) + a
        y = field("y", 0, 3, d - c) + c
        made = operation(x, y)
        for p, q in product(range(a, b + 1), range(c, d + 1)):
            assert within(made, {"x": p - a, "y": q - c}) == operation(p, q)


def test_division_by_every_small_number() -> None:
    for most in range(1, 70):
        x = field("x", 0, most.bit_length(), most)
        for divisor in range(1, 75):
            for value in range(most + 1):
                assert within(x // divisor, {"x": value}) == value // divisor
                assert within(x % divisor, {"x": value}) == value % divisor


@given(st.integers(1, 1 << 600), st.integers(1, 1 << 300), st.data())
def test_division_by_large_numbers(most: int, divisor: int, data: st.DataObject) -> None:
    near = min(most // divisor * divisor, most)
    value = data.draw(st.one_of(st.integers(0, most), st.sampled_from([0, most, near, max(near - 1, 0)])))
    x = field("x", 0, most.bit_length(), most)
    assert (within(x // divisor, {"x": value}), within(x % divisor, {"x": value})) == divmod(value, divisor)


def test_the_smaller_one() -> None:
    for most, limit in product(range(1, 40), range(1, 40)):
        x = field("x", 0, most.bit_length(), most)
        for value in range(most + 1):
            assert within(smaller(x, limit), {"x": value}) == smaller(value, limit) == min(value, limit)


def test_what_is_known_is_an_int() -> None:
    x = field("x", 0, 4, 15)
    assert [x * 0, 0 * x, x & 0, x >> 4, field("x", 3, 2, 0)] == [0] * 5
    assert [x + 0, 0 + x, x - 0, x * 1, x & 15, x | 0, x ^ 0, x << 0, x >> 0, whole(x), smaller(x, 15)] == [x] * 11
    assert (x + 16) >> 4 == 1
    assert x % 16 is x


def test_joined_digits() -> None:
    x, y = field("x", 0, 4, 15), field("x", 4, 6, 63)
    parts = [(x, 0), (0, 3), (y, 2), (5, 9)]
    for value in range(1024):
        golden = (value & 15) + (value >> 4 << 2) + (5 << 9)
        assert within(joined(parts), {"x": value}) == golden == within(weighted_sum(parts), {"x": value})
    assert joined([(0, 4), (x, 0)]) is x
    assert list(inputs(joined(parts))) == [x, y, 5]


def test_branches_are_refused() -> None:
    x = field("x", 0, 4, 15)
    with pytest.raises(TypeError, match="branched on data"):
        bool(x & 1)
    with pytest.raises(TypeError, match="takes a branch"):
        (x - 1) // 3
    with pytest.raises(TypeError, match="takes a branch"):
        x // 0
    for divisor in (x, x - 20):
        for dividend in (100, x + 1):
            with pytest.raises(TypeError, match="takes a branch"):
                dividend // divisor
    with pytest.raises(TypeError, match="takes a branch"):
        (x - 1) % (x + 1)
    assert "0x0 to 0xf" in repr(x)


COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_comparisons_hold_for_all_values_or_are_refused(compare: Callable[[Any, Any], bool]) -> None:
    """A term with an int, an int with a term, and two terms, of all small ranges."""
    intervals = [(low, high) for low, high in product(range(-3, 4), repeat=2) if low <= high]
    for (a, b), (c, d) in product(intervals, repeat=2):
        x, y = field("x", 0, 3, b - a) + a, field("y", 0, 3, d - c) + c
        golden = {compare(p, q) for p, q in product(range(a, b + 1), range(c, d + 1))}
        if len(golden) == 1:
            assert compare(x, y) is golden.pop()
        else:
            with pytest.raises(TypeError, match="branched on data"):
                compare(x, y)


def test_a_term_is_itself_and_no_text() -> None:
    x = field("x", 0, 4, 15)
    assert x == x
    assert x != "x"
    assert len({x, x, field("x", 0, 4, 15)}) == 2


def test_length_of_a_term() -> None:
    for low, high in product(range(-3, 40), repeat=2):
        if low < high:
            x = field("x", 0, 6, high - low) + low
            if low >= 0 and low.bit_length() == high.bit_length():
                assert x.bit_length() == low.bit_length()
            else:
                with pytest.raises(TypeError, match="branched on data"):
                    x.bit_length()


def test_an_odd_operand_of_a_size() -> None:
    """Its range is that of all odd numbers of the size, and so is what it is known to be."""
    for bits in range(3, 9):
        x = odd("x", bits)
        values = [value for value in range(1 << bits) if value >> bits - 1 == value % 2 == 1]
        assert ends(x) == (values[0], values[-1])
        assert [within(x, {"x": value}) for value in values] == values
        assert x.bit_length() == bits
        assert (x % 2, x & 1, x % 2 == 0) == (1, 1, False)
    assert odd("x", 2) == 3


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 8, 31, 64, 100])
def test_negative_inverses(bits: int) -> None:
    for value in range(65, 128, 2):
        found = negative_inverse(odd("x", 7), bits)
        assert within(found, {"x": value}) == -pow(value, -1, 1 << bits) % (1 << bits)


def test_division_by_terms() -> None:
    """Every small dividend, known and not known, by every small divisor of several ranges."""
    for (least, most), high in product([(1, 7), (4, 7), (5, 6), (1, 2)], (0, 1, 5, 30, 63)):
        y = field("y", 0, 3, most - least) + least
        x = field("x", 0, 6, high)
        for a, b in product(range(high + 1), range(least, most + 1)):
            known = {"x": a, "y": b - least}
            assert (within(x // y, known), within(x % y, known)) == divmod(a, b)
            assert (within(a // y, known), within(a % y, known)) == divmod(a, b)
            assert ends(a // y) == (a // most, a // least)


@given(st.integers(0, 1 << 120), st.integers(1, 1 << 70), st.data())
def test_division_by_large_terms(dividend: int, divisor: int, data: st.DataObject) -> None:
    least = data.draw(st.integers(1, divisor))
    y = field("y", 0, 71, (1 << 71) - 1 - least) + least
    assert within(dividend // y, {"y": divisor - least}) == dividend // divisor
    assert within(dividend % y, {"y": divisor - least}) == dividend % divisor


def test_the_same_term_of_other_inputs() -> None:
    x, y, z = (field(name, 0, 4, 15) for name in "xyz")
    known = {"x": 5, "y": 9, "z": 12}
    for term in (x + y, x - y, x * y, x & y, x | y, x ^ y, x << 3, x >> 1, joined([(x, 0), (y, 4)])):
        other = again(term, lambda value: z if value is x else value)
        assert (other.operation, ends(other)) == (term.operation, ends(term))
        assert evaluate(other, known) == evaluate(term, {**known, "x": 12})
    assert again(x, lambda value: y) is x
