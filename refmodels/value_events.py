# SPDX-License-Identifier: Apache-2.0
"""Events at values of steps, operands and results, and operands that make them happen, for models on whole integers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gmpy2

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.integer_models import Steered, once
from limbtrace.refmodels.model import Index

ATTEMPTS = 64
"""Draws of a constructor."""


def at_value(
    step: str,
    condition: str,
    statement: str,
    hunts: str,
    source: str,
    value: Callable[[Any], int],
    construct: Steered[Any],
    reachable: Callable[[Any, Index], str | None] = never,
    where: Callable[[Any], Iterator[Index]] = once,
) -> Event[Any]:
    """The step, or an operand or the result, has a value that the parameters give."""

    def happens(seen: Any, index: Index) -> Any:
        found = {"a": lambda: seen.a, "b": lambda: seen.b, "result": lambda: seen.result}
        return found.get(step, lambda: seen.at(step))() == value(seen.params)

    return Event(
        step,
        condition,
        statement=statement,
        hunts=hunts,
        source=source,
        where=where,
        happens=happens,
        construct=construct,
        reachable=reachable,
    )


def operand_events(source: str, names: Sequence[str]) -> tuple[Event[Any], ...]:
    """Operands at the ends of their range, at the modulus, and of few bits or of ones alone."""
    values: dict[str, Callable[[Any], int]] = {
        "=0": lambda p: 0,
        "=1": lambda p: 1,
        "=2^(N-1)-1": lambda p: int((1 << p.bits - 1) - 1),
        "=2^(N-1)": lambda p: int(1 << p.bits - 1),
        "=p-1": lambda p: int(p.modulus) - 1,
        "=p": lambda p: int(p.modulus),
        "=p+1": lambda p: int(p.modulus) + 1,
        "=max": lambda p: int(p.limits[0]),
    }

    def event(which: int, name: str, condition: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            for _ in range(ATTEMPTS):
                pair = [draw.of_any_width(limit) for limit in p.limits]
                pair[which] = value(p)
                yield pair[0], pair[1]

        def reachable(p: Any, index: Index) -> str | None:
            limit = p.limits[which]
            return f"the operand is at most {limit:#x}" if value(p) > limit else None

        return at_value(name, condition, f"{name} is {condition[1:]}", "a needless special case", source, value,
                           construct, reachable)  # fmt: skip

    return tuple(
        event(which, name, condition, value) for condition, value in values.items() for which, name in enumerate(names)
    )


def result_values() -> dict[str, Callable[[Any], int]]:
    """Results at the ends of the range, and those of the top bit alone or of ones alone."""
    return {
        "=0": lambda p: 0,
        "=1": lambda p: 1,
        "=2^(N-1)-1": lambda p: int((1 << p.bits - 1) - 1),
        "=2^(N-1)": lambda p: int(1 << p.bits - 1),
        "=p-1": lambda p: int(p.modulus) - 1,
    }


def with_residue(p: Any, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is `value` modulo p, of any size that the model takes; few where p has small factors."""
    modulus, (a_max, b_max) = int(p.modulus), p.limits
    value %= modulus
    yield value, 1
    for _ in range(ATTEMPTS):
        a = draw.between(1, max(a_max, 1))
        factor = int(gmpy2.gcd(a, modulus))
        if value % factor == 0:
            rest = modulus // factor
            b = value // factor * int(gmpy2.invert(a // factor, rest)) % rest if rest > 1 else 0
            if b <= b_max:
                yield a, b + rest * draw.below((b_max - b) // rest + 1)


def square_roots(p: Any, value: int) -> Iterator[int]:
    """Square roots of `value` modulo p, as far as they are easy to find: for a prime of the form 4n + 3, and of 1."""
    modulus = int(p.modulus)
    value %= modulus
    if value == 1:
        yield from (1, modulus - 1)
    root = int(gmpy2.isqrt(value))
    if root * root == value:
        yield from (root, modulus - root)
    if modulus % 4 == 3 and gmpy2.is_prime(modulus):
        root = int(gmpy2.powmod(value, (modulus + 1) // 4, modulus))
        yield from (root, modulus - root)


def no_multiple(p: Any, index: Index) -> str | None:
    """The reason why no product other than 0 is a multiple of p."""
    small = max(p.limits) < p.modulus and gmpy2.is_prime(p.modulus)
    return "the modulus is prime and divides no product of smaller operands but 0" if small else None
