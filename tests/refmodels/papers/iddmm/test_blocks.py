# SPDX-License-Identifier: Apache-2.0
"""Building blocks down to half and full adders: their results, their counts, and the formulas of section 4.2."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.iddmm import area, blocks
from limbtrace.refmodels.papers.iddmm.blocks import Bits, CellCounts, Circuit, bits, value
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS

WIDTHS = (2, 4, 8, 16, 32, 64)


def every_pair(k: int) -> tuple[Any, Any]:
    """All pairs of k-bit numbers, as two columns."""
    u, v = np.meshgrid(np.arange(1 << k, dtype=np.uint32), np.arange(1 << k, dtype=np.uint32))
    return u.ravel(), v.ravel()


@pytest.mark.parametrize("k", [2, 4, 8])
def test_every_product(k: int) -> None:
    u, v = every_pair(k)
    assert (value(Circuit().multiplier(bits(u, k), bits(v, k))) == u * v).all()


@given(st.data(), st.sampled_from([16, 32, 64]))
def test_products(data: Any, k: int) -> None:
    top = (1 << k) - 1
    operands = st.integers(0, top) | st.sampled_from([0, 1, top, top - 1, 1 << (k // 2), (1 << (k // 2)) - 1])
    u, v = data.draw(operands), data.draw(operands)
    assert blocks.multiply(u, v, k) == (u * v, area.multiplier(k))


def test_adder_cells_are_their_gates() -> None:
    """A full adder consists of two half adders and an XOR, and is counted as such."""
    for a, b, c in np.ndindex(2, 2, 2):
        gates = Circuit()
        half, first = gates.half_adder(a, b)
        total, second = gates.half_adder(half, c)
        expected = (total, gates.xor_gate(first, second))
        full = Circuit()
        assert full.full_adder(a, b, c) == expected
        assert value([*expected]) == a + b + c
        counts = [(cells.and_gates, cells.xor_gates) for cells in (full.cells, gates.cells)]
        assert counts == [(2, 3), (2, 3)]


@pytest.mark.parametrize(
    ("k", "gates", "full", "half", "total"),
    [
        (2, 4, 0, 2, (6, 2)),
        (4, 16, 6, 17, (45, 35)),
        (8, 64, 38, 81, (221, 195)),
        (16, 256, 182, 345, (965, 891)),
        (32, 1024, 790, 1417, (4021, 3787)),
        (64, 4096, 3286, 5737, (16405, 15595)),
    ],
)
def test_cells_of_a_multiplier(k: int, gates: int, full: int, half: int, total: tuple[int, int]) -> None:
    """Four products a step: every pair of bits has its own AND gate, which Karatsuba's three products would save."""
    counted = blocks.multiply(0, 0, k)[1]
    assert counted == CellCounts(AND=gates, FA=full, HA=half)
    assert (counted.and_gates, counted.xor_gates) == total
    assert area.multiplier(k) == counted
    assert gates == k * k


@pytest.mark.parametrize("m", [2, 4, 8, 16, 32])
def test_cells_of_the_three_sums(m: int) -> None:
    zero: Bits = [0] * m
    one, two, three = Circuit(), Circuit(), Circuit()
    one.s1(zero, zero, zero)
    two.s2(zero, zero, zero, [0, 0])
    three.s3(zero, [0, 0])
    assert one.cells == CellCounts(FA=2 * (m - 1), HA=3)
    assert two.cells == CellCounts(FA=2 * m - 1, HA=m + 3)
    assert three.cells == CellCounts(FA=1, HA=m - 1)


class Watched(Circuit):
    """Records the largest carries of the outermost sums."""

    def __init__(self) -> None:
        super().__init__()
        self.carries: dict[str, int] = {}

    def s1(self, a: Bits, b: Bits, c: Bits) -> tuple[Bits, Bits]:
        total, carry = super().s1(a, b, c)
        assert (value([*total, *carry]) == value(a) + value(b) + value(c)).all()
        self.carries["c1"] = value(carry).max()
        return total, carry

    def s2(self, a: Bits, b: Bits, c: Bits, carry: Bits) -> tuple[Bits, Bits]:
        total, over = super().s2(a, b, c, carry)
        assert (value([*total, *over]) == value(a) + value(b) + value(c) + value(carry)).all()
        self.carries["c2"] = value(over).max()
        return total, over


@pytest.mark.parametrize(("k", "reached"), [(4, {"c1": 2, "c2": 1}), (8, {"c1": 2, "c2": 2})])
def test_carries_between_the_sums(k: int, reached: dict[str, int]) -> None:
    u, v = every_pair(k)
    circuit = Watched()
    circuit.multiplier(bits(u, k), bits(v, k))
    assert circuit.carries == reached


@pytest.mark.parametrize("k", WIDTHS)
def test_cells_of_our_adders(k: int) -> None:
    assert blocks.adders(1, k) == CellCounts(FA=4 * k - 2, HA=2 * k + 2)
    assert blocks.adders(2, k) == CellCounts(FA=4 * k - 2, HA=2 * k + 2, XOR=1)


def product_in_cells(name: str, p: int, k: int, n: int, a: int, b: int) -> list[tuple[str, Any, Any]]:
    """The steps of a product, with every number computed by the multiplier and the adders of an architecture."""
    p_prime = -pow(p, -1, 1 << k) % (1 << k)
    x, y, modulus = ([bits(z >> (k * j), k) for j in range(n + 1)] for z in (a, b, p))
    accumulator: list[Bits] = [[0] * k] * (n + 1)
    found: list[tuple[str, Any, Any]] = []
    for i in range(n):
        cs, cr, cu, c, q = [0] * k, [0] * k, 0, [0] * (k + 1), [0] * k
        for j in range(n + 1):
            circuit = Circuit()
            xy = circuit.multiplier(x[j], y[i])
            if j == 0:
                zero = [0] * (2 * k)
                s = circuit.digit1(xy, accumulator[0], cs, zero, cr, 0)[0]
                q = circuit.multiplier(bits(p_prime, k), s[:k])[:k]
                found.append(("q", (i, 0), value(q)))
            qp = circuit.multiplier(q, modulus[j])
            if name == "iddmm1":
                s, r, u, cu = circuit.digit1(xy, accumulator[j], cs, qp, cr, cu)
                cs, cr = s[k:], r[k:]
                found += [("CS", (i, j + 1), value(cs)), ("S", (i, j), value(s[:k])), ("CR", (i, j + 1), value(cr))]
                found += [("R", (i, j), value(r[:k])), ("CU", (i, j + 1), cu)]
                carry = value(cs) + value(cr) + cu
            else:
                s, u = circuit.digit2(xy, accumulator[j], qp, c)
                c = u[k:]
                found += [("S", (i, j), value(s)), ("R", (i, j), value(qp)), ("C", (i, j + 1), value(c))]
                c, carry = c[: k + 1], value(c)
            found.append(("U", (i, j), value(u[:k])))
            if j:
                accumulator[j - 1] = u[:k]
                found.append(("A", (i + 1, j - 1), value(u[:k])))
        accumulator[n] = bits(carry, k)
        found.append(("A", (i + 1, n), carry))
    return found


@pytest.mark.parametrize("name", ["iddmm1", "iddmm2"])
@pytest.mark.parametrize(("p", "k", "n", "a", "b"), [
    (0xEA7, 4, 3, 0xE8A, 0xD66), (61, 2, 3, 60, 60), (13, 2, 2, 25, 5),
    ((1 << 32) - 5, 8, 4, (1 << 32) - 6, 0xF00DFACE),
])  # fmt: skip
def test_whole_products_in_cells(name: str, p: int, k: int, n: int, a: int, b: int) -> None:
    """The cells give every step of the models."""
    model = MODELS[name]
    values = model.run(model.resolve(p, {"k": k, "n": n}), a, b).values
    found = product_in_cells(name, p, k, n, a, b)
    assert {
        (step, index) for step, index in values if index != (index[0], 0) or step not in ("C", "CS", "CR", "CU")
    } == {entry[:2] for entry in found}
    for step, index, seen in found:
        assert values[step, index] == seen, (step, index)


@given(st.data(), st.sampled_from(WIDTHS))
def test_adders_add(data: Any, k: int) -> None:
    """Over all register contents: digits and carries of k bits, C below 2^(k+1) - 1."""
    top = (1 << k) - 1
    digit = st.integers(0, top) | st.sampled_from([0, 1, top])
    x, y, q, p, a, cs, cr = (data.draw(digit) for _ in range(7))
    cu, c = data.draw(st.integers(0, 1)), data.draw(st.integers(0, 2 * top) | st.just(2 * top))
    xy, qp = bits(x * y, 2 * k), bits(q * p, 2 * k)
    s, r, u, carry = Circuit().digit1(xy, bits(a, k), bits(cs, k), qp, bits(cr, k), cu)
    assert (value(s), value(r)) == (x * y + a + cs, q * p + cr)
    assert value([*u, carry]) == value(s[:k]) + value(r[:k]) + cu
    s, u = Circuit().digit2(xy, bits(a, k), qp, bits(c, k + 1))
    assert value(s) == x * y + a
    assert value(u) == x * y + a + q * p + c


@pytest.mark.parametrize("k", [0, 1, 3, 6, -2, 2**70 + 1])
def test_widths_that_cannot_be_halved(k: int) -> None:
    for call in (lambda: area.multiplier(k), lambda: blocks.multiply(0, 0, k)):
        with pytest.raises(ParameterError, match=r"^k: .* no power of two from 2 on"):
            call()


def test_operands_that_do_not_fit() -> None:
    with pytest.raises(ParameterError, match=r"^v: 16 does not fit 4 bits"):
        blocks.multiply(15, 16, 4)


def test_gates_of_both_architectures() -> None:
    """Architecture 2 saves k - 1 AND and k - 2 XOR gates over architecture 1, not 11k - 1 and 15k - 2."""
    gates = {
        4: ((182, 167), (179, 165)), 8: ((754, 707), (747, 701)), 16: ((3074, 2915), (3059, 2901)),
        32: ((12418, 11843), (12387, 11813)), 64: ((49922, 47747), (49859, 47685)),
    }  # fmt: skip
    for k, (first, second) in gates.items():
        one, two = area.cells(1, 0, k), area.cells(2, 0, k)
        assert ((one.and_gates, one.xor_gates), (two.and_gates, two.xor_gates)) == (first, second)
        assert (first[0] - second[0], first[1] - second[1]) == (k - 1, k - 2)


def test_registers() -> None:
    found = {(a, level): str(area.register_bits(a, level)) for a in (1, 2) for level in (0, 1, 2)}
    assert found == {
        (1, 0): "2k+1", (1, 1): "7k+1", (1, 2): "11k+1", (2, 0): "k+1", (2, 1): "6k+1", (2, 2): "10k+1",
    }  # fmt: skip
    assert [area.cells(1, level, 16).FF for level in (0, 1, 2)] == [33, 113, 177]
    assert str(area.registers(1, 0)["CU"]) == "1"


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_formulas_are_those_of_the_architecture(number: int, level: int) -> None:
    architecture = ARCHITECTURES[f"iddmm_arch{number}"]
    costs = {cost.name: cost.value for cost in architecture.costs}
    for k, passes in ((4, 5), (6, 2), (3, 1)):
        shape = architecture.resolve(3329, {"k": k, "passes": passes, "pipeline": level})
        drained = level
        assert area.cycles(shape.params.digits, passes, level) + drained == architecture.cycles(shape)
        q_and_top = k + 2
        assert area.register_bits(number, level).at(k) + q_and_top == costs["registers"](shape)
        assert len(area.MULTIPLIERS) == costs["multipliers"](shape)


def test_critical_paths() -> None:
    assert {(a, level): area.critical_path(a, level) for a in (1, 2) for level in (0, 1, 2)} == {
        (1, 0): "max{D_MUL+2*D_ADD3,D_MUL+D_ADD3+D_MULLOW}",
        (1, 1): "max{D_MUL,2*D_ADD3,D_ADD3+D_MULLOW}",
        (1, 2): "max{D_MUL,D_ADD3}",
        (2, 0): "max{D_MUL+D_ADD3+D_ADD2,D_MUL+D_ADD2+D_MULLOW}",
        (2, 1): "max{D_MUL,D_ADD3+D_ADD2,D_ADD2+D_MULLOW}",
        (2, 2): "max{D_MUL,D_ADD3}",
    }


def test_multiplier_blocks() -> None:
    """18 x 18 bits with sign are 17 x 17 without; 25 x 18 are 24 x 17."""
    assert [area.multiplier_blocks(k, 17, 17) for k in (8, 16, 32, 34, 64)] == [3, 3, 11, 11, 42]
    assert [area.multiplier_blocks(k, 24, 17) for k in (16, 32, 64)] == [3, 11, 32]
