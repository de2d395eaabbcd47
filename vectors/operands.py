# SPDX-License-Identifier: Apache-2.0
"""The seeded operand generator.

Case i of a seed is the same whatever the count, the machine and the Python: randomness is SHAKE-128 in counter mode,
one block of cases at a time. Operands stay below the modulus, except for kind `lazy`, which uses all that the model
accepts.
"""

import hashlib
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import NamedTuple

from vectors.request import Multiplier, VectorRequest

_BLOCK = 64
"""Cases per call of the hash."""


class Operands(NamedTuple):
    a: int
    b: int
    comment: str


def operands(request: VectorRequest) -> Iterator[Operands]:
    """The operands of a request, in order."""
    return islice(_GENERATORS[request.kind](request.multiplier, request.seed), request.count)


class _Stream:
    """Random integers of a fixed width."""

    def __init__(self, multiplier: Multiplier, seed: int, purpose: str, bits: int) -> None:
        self.label = f"{multiplier.modulus.modulus:x}|{purpose}|{seed}|".encode()
        self.size = -(-bits // 8)

    def __iter__(self) -> Iterator[int]:
        size = self.size
        for block in count():
            data = hashlib.shake_128(self.label + str(block).encode()).digest(size * _BLOCK)
            for start in range(0, size * _BLOCK, size):
                yield int.from_bytes(data[start : start + size], "little")


def _below_modulus(multiplier: Multiplier) -> tuple[int, int]:
    """Largest a and b below the modulus that the model accepts: with few passes the scanned operand is shorter."""
    a_max, b_max = (min(multiplier.modulus.modulus - 1, limit) for limit in multiplier.params.limits)
    return a_max, b_max


def _pairs(multiplier: Multiplier, stream: _Stream, shape: Callable[[int], int] = int) -> Iterator[tuple[int, int]]:
    a_max, b_max = _below_modulus(multiplier)
    values = iter(stream)
    while True:
        yield shape(next(values)) % (a_max + 1), shape(next(values)) % (b_max + 1)


def _random(multiplier: Multiplier, seed: int) -> Iterator[Operands]:
    """Uniform below the modulus: 64 bits more than needed, so that the remainder is even to 2^-64."""
    stream = _Stream(multiplier, seed, "random", multiplier.modulus.bits + 64)
    for a, b in _pairs(multiplier, stream):
        yield Operands(a, b, "")


def _runs(multiplier: Multiplier, seed: int) -> Iterator[Operands]:
    """Runs of equal bits: they start long carry chains and keep them going."""
    bits = multiplier.modulus.bits
    stream = _Stream(multiplier, seed, "runs", 16 * 8)
    for a, b in _pairs(multiplier, stream, lambda value: _run_pattern(value, bits)):
        yield Operands(a, b, "runs of equal bits")


def _run_pattern(random: int, bits: int) -> int:
    """A word of `bits` bits whose runs have the lengths that the bytes of `random` say, cyclically."""
    lengths = random.to_bytes(16, "little")
    first = lengths[0] >> 7
    word = position = 0
    for k in count():
        length = lengths[k % 16] % max(bits // 2, 2) + 1
        if k & 1 == first:
            word |= ((1 << length) - 1) << position
        position += length
        if position >= bits:
            break
    return word & ((1 << bits) - 1)


def _special(multiplier: Multiplier, limit: int) -> list[tuple[int, str]]:
    """Values up to `limit` that sit at a border of something, the first meaning of a value kept."""
    p, radix_bits = multiplier.modulus.modulus, multiplier.params.radix_bits
    bits = p.bit_length()
    top = 1 << (bits - 1)
    values = [(0, "0"), (1, "1"), (p - 1, "p - 1"), (2, "2"), (p - 2, "p - 2"), (p // 2, "(p - 1)/2"), (top, "2^(N-1)"),
              (top - 1, "2^(N-1) - 1")]  # fmt: skip
    if multiplier.params.domain is not None:
        values += [(multiplier.params.domain % p, "R mod p"), (multiplier.params.domain**2 % p, "R^2 mod p")]
    if radix_bits is not None and radix_bits < bits:
        digit = (1 << radix_bits) - 1
        high = radix_bits * ((bits - 1) // radix_bits)
        values += [
            (digit, "low digit all ones"),
            (1 << radix_bits, "1 in digit 1"),
            (1 << high, "1 in the top digit"),
            (p - 1 & ~digit, "p - 1 with a low digit of 0"),
            (p & ((1 << high) - 1), "p without its top digit"),
            (((1 << high) - 1) & ~digit, "ones in the middle digits"),
        ]
    values += [(p, "p"), (p + 1, "p + 1"), (2 * p - 1, "2p - 1"), (limit, "the largest")]
    seen: dict[int, str] = {}
    for value, name in values:
        if 0 <= value <= limit:
            seen.setdefault(value, name)
    return list(seen.items())


def _corners(multiplier: Multiplier, seed: int, limits: tuple[int, int]) -> Iterator[Operands]:
    """Corners of the algorithm, then all pairs of special values, then digit patterns without end."""
    a_max, b_max = limits
    for corner in multiplier.model.corners(multiplier.params):
        if corner.a <= a_max and corner.b <= b_max:
            yield Operands(corner.a, corner.b, corner.comment)
    a_values, b_values = _special(multiplier, a_max), _special(multiplier, b_max)
    # By diagonals, so that a short run sees every value at least once.
    for total in range(len(a_values) + len(b_values) - 1):
        for k in range(max(0, total - len(b_values) + 1), min(total + 1, len(a_values))):
            (a, a_name), (b, b_name) = a_values[k], b_values[total - k]
            yield Operands(a, b, f"a is {a_name}, b is {b_name}")
    width = multiplier.params.radix_bits or 8
    digits = -(-max(a_max, b_max).bit_length() // width)
    stream = iter(_Stream(multiplier, seed, "edge", digits * (width + 8)))
    while True:
        a, b = (_digit_pattern(next(stream), digits, width) for _ in range(2))
        yield Operands(a % (a_max + 1), b % (b_max + 1), "digits of 0, 1, all ones, all ones but one, or random")


def _digit_pattern(random: int, digits: int, width: int) -> int:
    full = (1 << width) - 1
    word = 0
    for position in range(digits):
        choice, digit = random & 0xFF, (random >> 8) & full
        random >>= width + 8
        word |= (0, 1, full, full - 1, digit)[choice % 5] << (width * position)
    return word


def _edge(multiplier: Multiplier, seed: int) -> Iterator[Operands]:
    return _corners(multiplier, seed, _below_modulus(multiplier))


def _lazy(multiplier: Multiplier, seed: int) -> Iterator[Operands]:
    """Corners of the whole range in turn with operands uniform over it."""
    a_max, b_max = multiplier.params.limits
    corners = _corners(multiplier, seed, (a_max, b_max))
    values = iter(_Stream(multiplier, seed, "lazy", max(a_max, b_max).bit_length() + 64))
    while True:
        yield next(corners)
        yield Operands(next(values) % (a_max + 1), next(values) % (b_max + 1), "")


def _mixed(multiplier: Multiplier, seed: int) -> Iterator[Operands]:
    sources = [kind(multiplier, seed) for kind in (_edge, _random, _runs)]
    while True:
        for source in sources:
            yield next(source)


_GENERATORS: dict[str, Callable[[Multiplier, int], Iterator[Operands]]] = {
    "mixed": _mixed,
    "random": _random,
    "edge": _edge,
    "runs": _runs,
    "lazy": _lazy,
}
