# SPDX-License-Identifier: Apache-2.0
"""Building blocks of the IDDMM paper, section 4.1, down to half and full adders, which compute and count their cells.

A number is a list of bits, lowest bit first. A bit is 0 or 1, or a NumPy array of these with one value per case.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Any

from limbtrace.refmodels.errors import ParameterError, shown

Bit = Any
Bits = list[Bit]


@dataclass(frozen=True)
class CellCounts:
    """Numbers of cells: half adders, full adders, and the gates and flip-flops outside of these."""

    AND: int = 0
    XOR: int = 0
    HA: int = 0
    FA: int = 0
    FF: int = 0

    def __add__(self, other: "CellCounts") -> "CellCounts":
        return CellCounts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __rmul__(self, times: int) -> "CellCounts":
        return CellCounts(*(times * getattr(self, f.name) for f in fields(self)))

    @property
    def and_gates(self) -> int:
        """Total of AND gates: one in a half adder, two in a full adder."""
        return self.AND + self.HA + 2 * self.FA

    @property
    def xor_gates(self) -> int:
        """Total of XOR gates: one in a half adder, three in a full adder."""
        return self.XOR + self.HA + 3 * self.FA


class Circuit:
    """Evaluates cells and counts them."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()

    @property
    def cells(self) -> CellCounts:
        """The cells evaluated so far."""
        return CellCounts(**self._count)

    def and_gate(self, a: Bit, b: Bit) -> Bit:
        self._count["AND"] += 1
        return a & b

    def xor_gate(self, a: Bit, b: Bit) -> Bit:
        self._count["XOR"] += 1
        return a ^ b

    def half_adder(self, a: Bit, b: Bit) -> tuple[Bit, Bit]:
        """(sum, carry)"""
        self._count["HA"] += 1
        return a ^ b, a & b

    def full_adder(self, a: Bit, b: Bit, c: Bit) -> tuple[Bit, Bit]:
        """(sum, carry) of two half adders; an XOR combines their carries, which are never both 1."""
        self._count["FA"] += 1
        half, first = a ^ b, a & b
        return half ^ c, first ^ (half & c)

    def ripple(self, a: Bits, b: Bits, carry: Bit | None = None) -> tuple[Bits, Bit]:
        """a + b + carry as bits of the length of a, and the carry out; b is not longer than a.

        A position with two bits to add takes a half adder, one with three bits a full adder.
        """
        total = []
        for x, y in zip_longest(a, b):
            others = [bit for bit in (y, carry) if bit is not None]
            s, carry = self.half_adder(x, *others) if len(others) == 1 else self.full_adder(x, *others)
            total.append(s)
        return total, carry

    def s1(self, a: Bits, b: Bits, c: Bits) -> tuple[Bits, Bits]:
        """a + b + c, each of m bits: m bits and a carry of two."""
        total, first = self.ripple(a, b)
        total, second = self.ripple(total, c)
        return total, [*self.half_adder(first, second)]

    def s2(self, a: Bits, b: Bits, c: Bits, carry: Bits) -> tuple[Bits, Bits]:
        """a + b + c of m bits each, and a carry of two bits: m bits and a carry of two."""
        total, first = self.ripple(a, b, carry[0])
        total, second = self.ripple(total, c)
        upper, third = self.ripple(total[1:], [carry[1]])
        low, over = self.half_adder(first, second)
        low, more = self.half_adder(low, third)
        high, _ = self.half_adder(over, more)
        return [total[0], *upper], [low, high]

    def s3(self, a: Bits, carry: Bits) -> Bits:
        """a of m bits and a carry of two bits, where m bits hold the sum."""
        return self.ripple(a, carry)[0]

    def multiplier(self, u: Bits, v: Bits) -> Bits:
        """u * v of k bits each as 2k bits, k >= 2 a power of two: four products of half the width, and three sums."""
        k = len(u)
        if k == 2:
            p1, carry = self.half_adder(self.and_gate(u[1], v[0]), self.and_gate(u[0], v[1]))
            p0, top = self.and_gate(u[0], v[0]), self.and_gate(u[1], v[1])
            return [p0, p1, *self.half_adder(top, carry)]
        m = k // 2
        u1, u2, v1, v2 = u[:m], u[m:], v[:m], v[m:]
        low, cross, other, high = (self.multiplier(x, y) for x, y in ((u1, v1), (u1, v2), (u2, v1), (u2, v2)))
        second, carry1 = self.s1(low[m:], cross[:m], other[:m])
        third, carry2 = self.s2(cross[m:], other[m:], high[:m], carry1)
        return [*low[:m], *second, *third, *self.s3(high[m:], carry2)]

    def digit1(self, product: Bits, a: Bits, cs: Bits, qp: Bits, cr: Bits, cu: Bit) -> tuple[Bits, Bits, Bits, Bit]:
        """Our adders of architecture 1, with fewest cells: (S and its carry, R and its carry, U, carry of U).

        X_j*Y_i and q*p_j have 2k bits, A_j and the carries CS and CR have k bits, CU has one bit.
        """
        k = len(a)
        low, first = self.ripple(product[:k], a)
        low, second = self.ripple(low, cs)
        high, _ = self.ripple(product[k:], [first], second)
        r, _ = self.ripple(qp, cr)
        u, carry = self.ripple(low, r[:k], cu)
        return [*low, *high], r, u, carry

    def digit2(self, product: Bits, a: Bits, qp: Bits, c: Bits) -> tuple[Bits, Bits]:
        """Our adders of architecture 2, with fewest cells: (S, U with its carry); C has k + 1 bits."""
        s, _ = self.ripple(product, a)
        u, first = self.ripple(s, qp)
        u, second = self.ripple(u, c)
        return s, [*u, self.xor_gate(first, second)]


def check_width(k: int) -> int:
    """k, if the multiplier can be halved down to two bits; else ParameterError("k")."""
    if k < 2 or k & (k - 1):
        raise ParameterError("k", f"{shown(k)} is no power of two from 2 on, which the halved multiplier needs")
    return k


def bits(value: Any, width: int) -> Bits:
    """The bits of a value or of a NumPy array of values, the lowest first."""
    return [(value >> place) & 1 for place in range(width)]


def value(digits: Sequence[Bit]) -> Any:
    """The value of bits, the lowest first."""
    return sum(bit << place for place, bit in enumerate(digits))


def multiply(u: int, v: int, k: int) -> tuple[int, CellCounts]:
    """(u * v, the cells it takes) by the multiplier of k x k bits. Raises ParameterError."""
    check_width(k)
    for name, operand in (("u", u), ("v", v)):
        if not 0 <= operand < 1 << k:
            raise ParameterError(name, f"{shown(operand)} does not fit {k} bits")
    circuit = Circuit()
    product = value(circuit.multiplier(bits(u, k), bits(v, k)))
    return product, circuit.cells


def adders(architecture: int, k: int) -> CellCounts:
    """The cells of our adders of architecture 1 or 2."""
    circuit, digit, double = Circuit(), [0] * k, [0] * (2 * k)
    if architecture == 1:
        circuit.digit1(double, digit, digit, double, digit, 0)
    else:
        circuit.digit2(double, digit, double, [*digit, 0])
    return circuit.cells
