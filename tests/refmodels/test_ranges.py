# SPDX-License-Identifier: Apache-2.0
"""Narrower ranges of terms: of programs of all models, of random terms, and those that interval arithmetic misses."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels import ranges
from limbtrace.refmodels.expr import Term, ends, field, value_of
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.program import Program, of_model
from limbtrace.refmodels.ranges import narrowed
from limbtrace.refmodels.registry import MODELS


def program(values: list[Any], **operands: int) -> Program:
    return Program(operands, (), tuple(("s", (number,), value) for number, value in enumerate(values)), ())


def check(old: Program, draw: random.Random, count: int = 4) -> Program:
    """The narrowed program, which has to have the values of the old one, and each of its terms a value in its range."""
    new = narrowed(old)
    for number in range(count):
        operands = {
            name: (0, most, draw.randint(0, most), most - draw.randint(0, min(most, 3)))[
                (number + draw.randrange(2)) % 4
            ]
            for name, most in old.operands.items()
        }
        assert new.run(operands) == old.run(operands)
        for term, value in _values(new, operands):
            assert term.least <= value <= term.most, (term, operands)
    for (_, _, before), (_, _, after) in zip(old.steps, new.steps, strict=True):
        assert ends(before)[0] <= ends(after)[0] <= ends(after)[1] <= ends(before)[1]
    return new


def _values(of: Program, operands: dict[str, int]) -> Iterator[tuple[Term, int]]:
    """Each term with its value."""
    values: dict[int, int] = {}

    def known(x: Any) -> int:
        return x if isinstance(x, int) else values[id(x)]

    for term in of.terms:
        values[id(term)] = value_of(term, known, operands)
        yield term, values[id(term)]


def random_terms(seed: int) -> Program:
    """A program in which values meet again that depend on each other."""
    draw = random.Random(seed)
    names = {name: draw.randrange(1, 1 << draw.choice((1, 3, 6))) for name in "abc"}
    made: list[Any] = [field(name, 0, most.bit_length(), most) for name, most in names.items()]
    made += [field("a", 1, 2, names["a"] >> 1), draw.randrange(8)]
    for _ in range(14):
        x, y = draw.choice(made), draw.choice(made)
        bits = draw.randrange(1, 6)
        match draw.randrange(9):
            case 0 | 1:
                made.append(x + y)
            case 2 | 3:
                made.append(x - y)
            case 4:
                made.append(x * y if max(map(abs, (*ends(x), *ends(y)))) < 1 << 40 else x)
            case 5:
                made.append(x >> bits)
            case 6:
                made.append(x & ((1 << bits) - 1))
            case 7:
                made.append(x << bits)
            case 8 if ends(x)[0] >= 0:
                limit = draw.randrange(1, ends(x)[1] + 2)
                made += subtract(x, limit, max(ends(x)[1], limit).bit_length())
    return program([value for value in made if isinstance(value, Term)], **names)


@given(st.integers(0, 1 << 32))
def test_random_terms(seed: int) -> None:
    check(random_terms(seed), random.Random(seed), count=8)


@pytest.mark.parametrize("name", MODELS)
def test_every_model(name: str) -> None:
    draw = random.Random(name)

    class Drawn:
        def integer(self, low: int, high: int) -> int:
            return draw.randint(low, high)

        def one_of(self, options: Any) -> Any:
            return draw.choice(options)

    model = MODELS[name]
    modulus = (1 << 17) - 1 if model.moduli is None else model.moduli(Drawn(), 17)
    try:
        old = of_model(model, model.resolve(modulus if model.has_modulus else 0, model.shape(Drawn(), 17, 4)))
    except TypeError:
        return  # digits that are chosen by branches
    check(old, draw)


def below(name: str, limit: int) -> Any:
    return field(name, 0, limit.bit_length(), limit - 1)


def test_the_middle_of_karatsuba() -> None:
    most = {"a": 50, "b": 60, "c": 70, "d": 80}
    a, b, c, d = (below(name, limit + 1) for name, limit in most.items())
    new = check(program([(a + b) * (c + d) - a * c - b * d], **most), random.Random(1))
    assert ends(new.steps[0][2]) == (0, 50 * 80 + 60 * 70)


@pytest.mark.parametrize("p", [7, 29, 1009])
def test_a_remainder_by_an_estimate(p: int) -> None:
    n = p.bit_length()
    a, b = below("a", p), below("b", p)
    c = a * b
    estimate = (c >> n - 1) * ((1 << 2 * n) // p) >> n + 1
    rest = c - estimate * p
    sub, r = subtract(rest, 2 * p, 2 * n + 2)
    _, r = subtract(r, p, 2 * n + 2)
    new = check(program([rest, sub, r], a=p - 1, b=p - 1), random.Random(p))
    (_, _, rest), _, (_, _, r) = new.steps
    assert ends(rest)[0] == 0
    assert ends(rest)[1] < 3 * p
    assert ends(r) == (0, p - 1)


def test_digits_of_a_mixed_radix_are_compared_one_by_one() -> None:
    D, top = 37, 1 << 5
    x, y = below("x", top), below("y", D)
    for limit in (1, D, 3 * D, 3 * D + 5, top * D - 1):
        bits = (top * D).bit_length()
        bit = (x * D + y + ((1 << bits) - limit)) >> bits
        new = check(program([bit], x=top - 1, y=D - 1), random.Random(limit), count=40)
        assert not any(term.operation == "*" for term in new.terms)
        for a in range(top):
            for b in range(D):
                assert new.run({"x": a, "y": b})[0] == [int(a * D + b >= limit)]


def _without_low_bits(self: Any, value: Term, bits: int) -> Any:
    return {}


def _one_digit_too_few(digits: Any, limit: int) -> Any:
    (weight, most, digit), *_ = digits
    return ranges._compared(digit, most, limit // weight)


def _one_case(polynomial_range: Any) -> Any:
    def by_cases(self: Any, polynomial: Any) -> Any:
        for number in sorted(set().union(*polynomial)):
            if self._unknowns[number].whole is not None:
                return self._in_case(polynomial, number, self._unknowns[number].range[0]) or polynomial_range(
                    self, polynomial
                )
        return polynomial_range(self, polynomial)

    return by_cases


@pytest.mark.parametrize(
    ("where", "what", "other"),
    [
        (ranges._Narrowing, "_low_bits", _without_low_bits),
        (ranges, "_at_least", _one_digit_too_few),
        (ranges._Narrowing, "_by_cases", _one_case(ranges._Narrowing._range)),
        (ranges, "_product", lambda one, other: {key: value for key, value in one.items() if key in other}),
    ],
)
def test_an_unsound_rule_is_caught(where: Any, what: str, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, what, other)
    with pytest.raises(AssertionError):
        _everything()


def _everything() -> None:
    for seed in range(300):
        check(random_terms(seed), random.Random(seed), count=8)
    test_digits_of_a_mixed_radix_are_compared_one_by_one()
