# SPDX-License-Identifier: Apache-2.0
"""The loops of the LLMonPro paper: numbers are polynomials in ZZ[x] at x = 2^d, their digits the coefficients."""

from collections.abc import Sequence
from typing import Any

from sage.rings.integer import Integer
from sage.rings.integer_ring import ZZ
from sage.rings.polynomial.polynomial_ring import polygen

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps, negated_inverse

X = polygen(ZZ, "x")


def monpro(given: LoopInput) -> LoopSteps:
    """Algorithm 1."""
    M, R, T = given.modulus, Integer(2) ** given.params["n"], given.a * given.b
    Q = T * negated_inverse(M, R) % R
    raw = (T + Q * M) // R
    yield from (("T", (), T), ("Q", (), Q), ("Z_raw", (), raw), ("Z", (), raw - M if raw >= M else raw))


def redmonpro(given: LoopInput) -> LoopSteps:
    """Algorithm 2."""
    M, R, T = given.modulus, Integer(2) ** given.params["n"], given.a * given.b
    T1, T0 = T.quo_rem(R)
    Q = T0 * negated_inverse(M, R) % R
    S1, S0 = (Q * M).quo_rem(R)
    raw = (T + Q * M) // R
    yield from (
        ("T", (), T), ("T1", (), T1), ("T0", (), T0), ("Q", (), Q), ("S", (), Q * M), ("S1", (), S1), ("S0", (), S0),
        ("carry", (), (T0 + S0) // R), ("Z_raw", (), raw), ("Z", (), raw - M if raw >= M else raw),
    )  # fmt: skip


def polynomial(digits: Sequence[Any]) -> Any:
    """The polynomial whose coefficients are these digits."""
    return sum((digit * X**place for place, digit in enumerate(digits)), ZZ(0) * X)


def coefficients(number: Any, count: int) -> list[Any]:
    """The coefficients of a polynomial, low one first."""
    return [number[place] for place in range(count)]


def pieces(product: Any, bits: int) -> tuple[Any, Any]:
    """A polynomial with each coefficient below beta, and what is above, at the same place."""
    beta = Integer(2) ** bits
    terms = product.list()
    return polynomial([term % beta for term in terms]), polynomial([term // beta for term in terms])


def _sums(a: Any, b: Any, bits: int, k: int) -> Any:
    """D of Algorithm 4: the three pieces of each product of two digits, each at its place."""
    total = ZZ(0) * X
    for i in range(k + 1):
        rest = a[i] * b
        for place in range(2):
            low, rest = pieces(rest, bits)
            total += low * X ** (i + place)
        total += rest * X ** (i + 2)
    return total


def _product(a: Any, b: Any, bits: int, k: int) -> Any:
    """C of Algorithm 4: low parts of D, and high parts one place further."""
    low, high = pieces(_sums(a, b, bits, k), bits)
    return low + high * X


def _digits(value: Any, stated: Sequence[Any] | None, bits: int, k: int) -> Any:
    """The operand as a polynomial: with the stated digits, or from digit k down with each as large as it may be."""
    if stated is not None:
        return polynomial(stated)
    digits, most = [], Integer(2) ** (bits + 1) - 1
    for place in range(k, -1, -1):
        digits.append(min(value >> bits * place, most))
        value -= digits[-1] << bits * place
    return polynomial(digits[::-1])


def ozturk(given: LoopInput) -> LoopSteps:
    """Algorithm 4."""
    d, k = given.bits, given.params["k"]
    a, b = _digits(given.a, given.a_digits, d, k), _digits(given.b, given.b_digits, d, k)
    yield from _named("D", _sums(a, b, d, k), 2 * k + 3)
    yield from _named("C", _product(a, b, d, k), 2 * k + 3)


def _named(name: str, number: Any, count: int) -> LoopSteps:
    return ((name, (place,), value) for place, value in enumerate(coefficients(number, count)))


def _reduced(given: LoopInput, a: Any, b: Any) -> tuple[list[tuple[str, Any, int]], Any, Any]:
    """Algorithm 5 with the exact carry: (named polynomials, carry, Z)."""
    d, k, R = given.bits, given.params["k"], Integer(2) ** (given.bits * given.params["k"])
    plain = [_digits(number, None, d, k) for number in (negated_inverse(given.modulus, R), given.modulus)]
    T = _product(a, b, d, k)
    Q = _product(T.truncate(k), plain[0], d, k)
    S = _product(Q.truncate(k), plain[1], d, k)
    at = Integer(2) ** d
    carry = (T.truncate(k)(at) + S.truncate(k)(at)) // R
    E = (T.shift(-k) + S.shift(-k) + carry).truncate(k + 1)
    low, high = pieces(E, d)
    Z = (low + high * X).truncate(k + 1)
    return [("T", T, 2 * k + 3), ("Q", Q, 2 * k + 3), ("S", S, 2 * k + 3), ("E", E, k + 1), ("Z", Z, k + 1)], carry, Z


def llmonpro(given: LoopInput) -> LoopSteps:
    """Algorithm 5."""
    d, k = given.bits, given.params["k"]
    a, b = _digits(given.a, given.a_digits, d, k), _digits(given.b, given.b_digits, d, k)
    named, carry, _ = _reduced(given, a, b)
    yield "carry", (), carry
    for name, number, count in named:
        yield from _named(name, number, count)


def chain(given: LoopInput, entry: bool) -> Any:
    """The states of a chain: x in the domain, and what each squaring makes of it, as polynomials."""
    d, k, R = given.bits, given.params["k"], Integer(2) ** (given.bits * given.params["k"])
    plain = _digits(given.a, None, d, k)
    if entry:
        square = _digits(R * R % given.modulus, None, d, k)
        state = _reduced(given, plain, square)[2]
    else:
        state = _digits(given.a * R % given.modulus, None, d, k)
    while True:
        yield state
        state = _reduced(given, state, state)[2]


def vdf(given: LoopInput) -> LoopSteps:
    """A chain of squarings."""
    at, R = Integer(2) ** given.bits, Integer(2) ** (given.bits * given.params["k"])
    value = Integer(0)
    for i, state in zip(range(given.params["t"] + 1), chain(given, bool(given.params["entry"])), strict=False):
        value = state(at)
        yield ("z", (i,), value) if i else ("x_mont", (0,), value)
    yield "y", (), value * R.inverse_mod(given.modulus) % given.modulus


def squarings(given: LoopInput) -> LoopSteps:
    """The steps of all products of a chain: the entry if it is a product, the squarings, and that with 1 at the end."""
    if given.params["entry"]:
        domain = Integer(2) ** (2 * given.bits * given.params["k"]) % given.modulus
        yield from llmonpro(given._replace(a_digits=None, b=domain, b_digits=None))
    t = given.params["t"]
    for number, state in zip(range(t + 1), chain(given, bool(given.params["entry"])), strict=False):
        digits = coefficients(state, given.params["k"] + 1)
        other = digits if number < t else [Integer(1)]
        yield from llmonpro(given._replace(a_digits=digits, b_digits=other))


def link(given: LoopInput, number: int) -> tuple[list[Any], LoopSteps]:
    """Squaring `number` of a chain: the digits that it squares, and its steps."""
    states = chain(given, bool(given.params["entry"]))
    state = next(state for i, state in enumerate(states, 1) if i == number)
    digits = coefficients(state, given.params["k"] + 1)
    return digits, llmonpro(given._replace(a_digits=digits, b_digits=digits))
