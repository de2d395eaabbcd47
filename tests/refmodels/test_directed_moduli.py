# SPDX-License-Identifier: Apache-2.0
"""Directed moduli: what each reason claims is computed again, in another way; small widths are searched completely."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.directed_moduli import COMPOSITES, DirectedModulus, directed_moduli
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.settings import MAX_WIDTH

Claim = Callable[[int, int, int, re.Match[str]], bool]
"""(p, bits, bits of a word, the reason) -> whether it is true."""


def words(number: int, word: int, bits: int) -> list[str]:
    """The bits of each word as text, the lowest word first."""
    text = f"{number:0{bits}b}"[::-1]
    return [text[at : at + word][::-1] for at in range(0, bits, word)]


def one_of_each(text: str) -> str:
    """The only kind of digit in a word; empty if it has both."""
    return text[0] if len(set(text)) == 1 else ""


def kind(found: re.Match[str], name: str = "word") -> str:
    return "1" if "ones" in found[name] else "0"


def in_turn(p: int, bits: int, word: int, found: re.Match[str]) -> bool:
    kinds = [one_of_each(text) for text in words(p, word, bits)][1:]
    last = len(kinds)
    assert (int(found[1]), int(found[2])) == (last, 1 if last % 2 else 2)
    return kinds == ["1" if (last - index) % 2 == 0 else "0" for index in range(1, last + 1)]


def every_bit(p: int, bits: int, word: int, found: re.Match[str]) -> bool:
    places: list[int] = [word * k - bool(found[1]) for k in range(1, bits) if 0 < word * k - bool(found[1]) < bits - 1]
    return len(places) > 1 and all(f"{p:b}"[::-1][place] == "0" for place in places)


def inverse(p: int, bits: int, word: int, found: re.Match[str]) -> bool:
    radix, value = 1 << word, parse_integer(found[1])
    return value < radix and (p * value + 1) % radix == 0 and (p - parse_integer(found[2])) % radix == 0


def barrett(p: int, bits: int, word: int, found: re.Match[str]) -> bool:
    quotient = (Fraction(2) ** int(found[2]) / p).__floor__()
    text = words(quotient, word, bits + 1)[int(found[1])]
    return int(found[2]) == 2 * bits and len(text) == word and one_of_each(text) == kind(found)


def two_halves(p: int, bits: int, word: int, found: re.Match[str]) -> bool:
    """Fermat's method finds the factors, since they are close to each other."""
    half = next(half for half in range(isqrt(p), isqrt(p) + 1000) if gmpy2.is_square(half * half - p))
    root = isqrt(half * half - p)
    both = (half - root, half + root)
    return all(gmpy2.is_prime(q) and q.bit_length() in (bits // 2, bits // 2 + 1) for q in both)


NEAREST = r"(; nearest (above|below) 2\^\d+)?"
CLAIMS: dict[str, Claim] = {
    r"nearest below 2\^(\d+)": lambda p, bits, _, found: int(found[1]) == bits,
    r"nearest above 2\^(\d+)": lambda p, bits, _, found: int(found[1]) == bits - 1,
    r"nearest below 2\^(\d+)/sqrt\(2\)": lambda p, bits, _, found: (p * p).bit_length() == 2 * int(found[1]) - 1,
    r"nearest above 2\^(\d+)/sqrt\(2\)": lambda p, bits, _, found: (p * p).bit_length() == 2 * int(found[1]),
    r"bit (\d+) is ([01])" + NEAREST: lambda p, bits, _, found: (
        f"{p:b}"[::-1][int(found[1])] == found[2] and 0 < int(found[1]) < bits - 1
    ),
    r"every bit \d+\*k(-1)? is 0" + NEAREST: every_bit,
    r"word (\d+) is (?P<word>0|all ones)" + NEAREST: lambda p, bits, word, found: (
        one_of_each(words(p, word, bits)[int(found[1])]) == kind(found)
    ),
    r"every second word from (\d+) down to (\d+) is all ones, the others above word 0 are 0" + NEAREST: in_turn,
    r"p' = -p\^-1 mod 2\^\d+ is (\S+), p = (\S+) mod 2\^\d+" + NEAREST: inverse,
    r"2\^(\d+) mod p is below 2\^(\d+)": lambda p, bits, _, found: (
        int(found[2]) == bits // 2 and pow(2, int(found[1]), p) < 2 ** (bits // 2)
    ),
    r"2\^(\d+) mod p is above p - 2\^(\d+)": lambda p, bits, _, found: (
        int(found[2]) == bits // 2 and -pow(2, int(found[1]), p) % p < 2 ** (bits // 2)
    ),
    r"2\^(\d+) mod p has a word of (?P<word>0|ones)": lambda p, bits, word, found: (
        kind(found) in map(one_of_each, words(pow(2, int(found[1]), p), word, bits))
    ),
    r"word (\d+) of floor\(2\^(\d+)/p\) is (?P<word>0|all ones)": barrett,
    r"of the form 2\^(\d+) - 2\^a ([+-] 1)": lambda p, bits, _, found: (
        gmpy2.popcount(2**bits - p + int(found[2].replace(" ", ""))) == 1
    ),
    r"of the form 2\^(\d+) - 2\^a \+ 2\^b - 1": lambda p, bits, _, found: any(
        gmpy2.popcount(2**bits - 1 - p + 2**b) == 1 for b in range(1, bits)
    ),
    r"of the form c\*2\^(\d+) ([+-] 1)" + NEAREST: lambda p, bits, word, found: (
        (p - int(found[2].replace(" ", ""))) % 2 ** int(found[1]) == 0 and int(found[1]) == (bits - 1) // word * word
    ),
    "product of two primes of half the width": two_halves,
    "3 times a prime": lambda p, *_: p % 3 == 0 and bool(gmpy2.is_prime(p // 3)),
    "square of a prime": lambda p, *_: gmpy2.is_square(p) and bool(gmpy2.is_prime(gmpy2.isqrt(p))),
    "twice a prime": lambda p, *_: p % 2 == 0 and bool(gmpy2.is_prime(p // 2)),
    "the largest even one": lambda p, bits, *_: p == 2**bits - 2,
    r"2\^(\d+), and floor\(2\^(\d+)/p\) is a power of two, too": lambda p, bits, _, found: (
        p == 2 ** int(found[1]) and gmpy2.popcount(2 ** int(found[2]) // p) == 1 and int(found[2]) == 2 * bits
    ),
    "word 0 is 0, all the others are all ones": lambda p, bits, word, _: (
        [*map(one_of_each, words(p, word, bits))] == ["0", *["1"] * (-(-bits // word) - 1)]
    ),
}  # fmt: skip
OTHER_WIDTH = re.compile(r", of (\d+) bits$")


def is_true(entry: DirectedModulus, bits: int, word: int) -> bool:
    """Whether the claim of a reason holds; every reason is of one kind."""
    if other := OTHER_WIDTH.search(entry.reason):
        bits = int(other[1])
    reason = OTHER_WIDTH.sub("", entry.reason)
    found = [(match, claim) for text, claim in CLAIMS.items() if (match := re.fullmatch(text, reason))]
    assert len(found) == 1, reason
    match, claim = found[0]
    return entry.modulus.bit_length() == bits and claim(entry.modulus, bits, word, match)


def primality(p: int) -> str:
    """By trial division."""
    for divisor in range(2, int(p**0.5) + 1):
        if p % divisor == 0:
            while p % divisor == 0:
                p //= divisor
            return "prime power" if p == 1 else "composite"
    return "prime"


@given(
    bits=st.integers(2, 90),
    word=st.integers(1, 40),
    composite=st.sampled_from(COMPOSITES),
    even=st.booleans(),
    other_widths=st.booleans(),
    residue=st.sampled_from([None, 0, 1, 2]),
)
def test_what_is_said_of_a_modulus_is_true(
    bits: int, word: int, composite: str, even: bool, other_widths: bool, residue: int | None
) -> None:
    even = even and composite != "no"
    asked: dict[str, Any] = {"composite": composite, "even": even, "other_widths": other_widths}
    found = [*directed_moduli(bits, word, **asked, takes=lambda p: residue in (None, p % 3))]
    values = [entry.modulus for entry in found]
    assert len(set(values)) == len(values)
    assert even or all(p % 2 for p in values)
    for entry in found:
        assert is_true(entry, bits, word), entry
        assert residue in (None, entry.modulus % 3)
        assert bool(gmpy2.is_prime(entry.modulus)) == (entry.primality == "prime")
        assert composite == "yes" or (entry.primality == "prime") == (composite == "no")
        assert not entry.expression or parse_integer(entry.expression) == entry.modulus
    widths = {entry.modulus.bit_length() for entry in found}
    assert widths - {bits} <= ({bits - 1, bits - 2, bits - word, bits + word} if other_widths else set())
    if other_widths and composite == "no" and residue is None:  # which every width has
        assert widths == {width for width in (bits, bits - 1, bits - 2, bits - word, bits + word) if width > 1}


@pytest.mark.parametrize("composite", COMPOSITES)
@pytest.mark.parametrize("bits", range(2, 11))
def test_small_widths_have_the_nearest_ones(bits: int, composite: str) -> None:
    """All numbers of the width are looked through."""
    for word in (1, 2, 3, 4, 8):
        for entry in directed_moduli(bits, word, composite=composite):
            assert entry.primality == primality(entry.modulus)
            if (nearest := re.search(r"nearest (above|below) [^/]*(/sqrt\(2\))?$", entry.reason)) is None:
                continue
            rivals = [p for p in range(2 ** (bits - 1) | 1, 2**bits, 2) if (primality(p) == "prime") in
                      {"no": (True,), "only": (False,), "yes": (True, False)}[composite]
                      and is_true(DirectedModulus(p, entry.reason), bits, word)]  # fmt: skip
            assert entry.modulus == (min if nearest[1] == "above" else max)(rivals)


def test_the_same_list_every_time() -> None:
    assert [*directed_moduli(130, 17)] == [*directed_moduli(130, 17)]


@pytest.mark.parametrize("bits", [192, 256, 384, 521])
def test_wide_moduli_have_every_kind_of_reason(bits: int) -> None:
    some = (directed_moduli(bits, 32, composite="yes", even=True), directed_moduli(bits, 32))
    reasons = [entry.reason for entries in some for entry in entries]
    missing = [text for text in CLAIMS if not any(re.fullmatch(text, reason) for reason in reasons)]
    assert missing == []


def test_every_boundary_of_a_word_has_both_values_of_both_bits() -> None:
    reasons = [entry.reason for entry in directed_moduli(256, 16)]
    for bit in (*range(16, 256, 16), *range(15, 255, 16)):
        for value, place in ((0, "below 2^256"), (1, "above 2^255")):
            assert f"bit {bit} is {value}; nearest {place}" in reasons


def test_the_first_few_are_of_different_kinds() -> None:
    first = [entry.reason for entry, _ in zip(directed_moduli(256, 64), range(6), strict=False)]
    assert len({reason.split()[0] for reason in first}) == 6 - 1  # two begin with a word


def test_only_what_is_taken() -> None:
    """The nearest that is taken is found, not the nearest of all if that one is taken."""
    found = [*directed_moduli(64, 16, takes=lambda p: p % 64 == 1)]
    assert len(found) > 20
    assert all(entry.modulus % 64 == 1 for entry in found)
    assert found[0].reason == "nearest below 2^64"
    assert found[0].modulus == max(p for p in range(2**64 - 2**14 + 1, 2**64, 64) if gmpy2.is_prime(p))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"bits": 1}, "bits: 1 is outside 2 to 16384"),
        ({"bits": MAX_WIDTH + 1}, "bits: 16385 is outside 2 to 16384"),
        ({"word": 0}, "radix: 2^0 is outside 2^1 to 2^16384"),
        ({"composite": "maybe"}, "composite: 'maybe' is none of no, yes, only"),
        ({"bits": 4096}, "bits: primes are looked for up to 2048 bits, and 4096 are asked for"),
        ({"even": True}, "even: 2 is the only even prime, so even moduli need composite = yes or only"),
    ],
)  # fmt: skip
def test_wrong_requests(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        directed_moduli(**{"bits": 64, "word": 16, **asked})


def test_wide_composite_moduli() -> None:
    some: Iterator[DirectedModulus] = directed_moduli(MAX_WIDTH, 64, composite="yes", other_widths=True)
    first = next(some)
    assert (first.modulus, first.expression) == (2**MAX_WIDTH - 1, f"2^{MAX_WIDTH} - 1")
